/* SPDX-License-Identifier: Apache-2.0 */
/* top: the table of what is hot. */
#include "engine.h"
#include "report/parts.h"
#include "top_page.h"

enum order { BY_SELF, BY_INCLUSIVE, BY_CALLS, BY_NAME };

/* In the order of enum as_by, then of enum as_label_by. */
enum { PARTS = AS_BY_FILEFUNC + 1 };
static const char *const by_names[] = {"function", "file", "object", "line", "address",
	"filefunction", "part", "thread", "label", NULL};

struct asked {
	unsigned by, order;
	struct as_top_page_opts page;
	struct matching matching;
};

static bool answer_top_match(const void *ctx, struct as_slice name)
{
	return as_matching(ctx, name);
}

static enum as_code answer_top_take(struct asked *a, const struct question *q, struct failure *f)
{
	static const char *const order_names[] = {"self", "inclusive", "calls", "name", NULL};
	static const enum as_top_order order[] = {
		AS_TOP_AS_IT_IS, AS_TOP_AS_IT_IS, AS_TOP_BY_CALLS, AS_TOP_BY_NAME};
	bool cycles;

	*a = (struct asked){0};
	AS_TRY(as_question_choice(q, "by", by_names, &a->by, f));
	AS_TRY(as_question_choice(q, "order", order_names, &a->order, f));
	AS_TRY(as_question_flag(q, "reverse", &a->page.reverse, f));
	AS_TRY(as_question_number(q, "from", &a->page.from, f));
	AS_TRY(as_question_number(q, "limit", &a->page.limit, f));
	AS_TRY(as_question_match(q, &a->matching, f));
	AS_TRY(as_question_flag(q, "with-cycles", &cycles, f));
	a->page.no_cycles = !cycles && (as_question_has(q, "from") || as_question_has(q, "limit"));
	a->page.order = order[a->order];
	a->page.match = a->matching.made ? answer_top_match : NULL;
	a->page.ctx = &a->matching;
	return AS_OK;
}

/* How many rows need be in order; 0: all. */
static size_t answer_top_ordered(const struct asked *a)
{
	const struct as_top_page_opts *page = &a->page;
	bool others = page->match || page->reverse || page->order != AS_TOP_AS_IT_IS;

	if (others || !page->limit || page->limit > SIZE_MAX / 2 || page->from > SIZE_MAX / 2)
		return 0;
	return (size_t)(page->from + page->limit);
}

static enum as_code say_top(
	const struct subject *s, struct asked *a, struct as_out *out, struct failure *f)
{
	struct as_top_opts opts = {.project = {.by = (enum as_by)a->by,
					   .keep_contexts = s->keep_contexts,
					   .no_cycles = s->no_cycles},
		.view = {.sort_event = s->opts.sort_event},
		.sort_inclusive = a->order == BY_INCLUSIVE,
		.ordered = answer_top_ordered(a)};
	const struct as_top *all;
	struct as_top page;
	enum as_code rc;

	AS_TRY(as_scene_top(s, &opts, &all, f));
	a->page.view = &s->opts;
	rc = as_top_page_make(&page, all, &a->page, &f->err);
	if (rc == AS_OK)
		rc = as_top_print(&page, &(struct as_sheet_to){.form = AS_FORM_JSON, .out = out});
	as_top_release(&page);
	return rc;
}

/* "key" of labels is the word of the question that --by label:KEY is. */
static enum as_code say_parts(const struct subject *s, const struct question *q,
	const struct asked *a, struct as_out *out, struct failure *f)
{
	const struct as_top_opts opts = {.view = s->opts, .limit = (size_t)a->page.limit};
	struct as_label_how how = {.by = (enum as_label_by)(a->by - PARTS)};
	struct as_parts parts;
	enum as_code rc;

	if (how.by == AS_BY_LABEL && as_question_word(q, "key").len)
		how.key = as_question_word(q, "key");
	rc = as_parts_make(&parts, s->prof, &how, &opts, &f->err);
	if (rc == AS_OK)
		rc = as_parts_print(
			&parts, &(struct as_sheet_to){.form = AS_FORM_JSON, .out = out});
	as_parts_release(&parts);
	return rc;
}

enum as_code as_engine_top(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	static const enum as_detail detail[] = {[AS_BY_FUNC] = AS_DETAIL_FUNC,
		[AS_BY_FILE] = AS_DETAIL_LINE,
		[AS_BY_OBJECT] = AS_DETAIL_FUNC,
		[AS_BY_LINE] = AS_DETAIL_LINE,
		[AS_BY_ADDR] = AS_DETAIL_FULL,
		[AS_BY_FILEFUNC] = AS_DETAIL_LINE};
	struct subject s;
	struct asked a;
	enum as_code rc;

	AS_TRY(answer_top_take(&a, q, f));
	rc = as_subject_make_detail(&s, e, q, a.by < PARTS ? detail[a.by] : AS_DETAIL_FUNC, f);
	if (rc == AS_OK)
		rc = a.by < PARTS ? say_top(&s, &a, out, f) : say_parts(&s, q, &a, out, f);
	as_subject_release(&s);
	return rc;
}
