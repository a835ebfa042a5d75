/* SPDX-License-Identifier: Apache-2.0 */
/* Source and instructions: the text of `assay list` and `assay asm`, line by line. */
#include "browse/browse_impl.h"

#include <stdio.h>

#include "base/path.h"
#include "session/list/list.h"

struct text_run {
	struct as_browse *b;
	struct as_out out;
	const struct as_list_print *p;
	AS_VEC(struct text_mark) mark;
	bool failed;
};

struct text_mark {
	uint64_t at; /* byte of the text */
	as_file file;
	uint64_t line;
};

/* ---- out of escapes ---- */

/* The colour of "\033[1;31m", as as_paint_begin() writes them. */
static enum as_tint text_tint(struct as_slice escape)
{
	static const struct {
		const char *escape;
		enum as_tint tint;
	} all[] = {{"1", AS_TINT_HEAD}, {"2", AS_TINT_DIM}, {"32", AS_TINT_GOOD},
		{"1;31", AS_TINT_HOT}, {"33", AS_TINT_WARM}};

	for (size_t i = 0; i < AS_ARRAY_LEN(all); i++)
		if (as_slice_is(escape, all[i].escape))
			return all[i].tint;
	return AS_TINT_PLAIN;
}

/* LINE becomes text and spans. What names and source have of escapes is "\xNN" there already. */
static bool text_add_line(struct as_browse *b, struct as_slice line)
{
	struct as_browse_text_line to = {.span = (uint32_t)b->span.n};
	char *p = as_arena_get(&b->text_arena, line.len + 1);
	size_t n = 0;

	for (size_t i = 0; p && i < line.len; i++) {
		struct as_slice rest = as_slice_skip(line, i);
		size_t end = as_slice_find(rest, 'm');

		if (!as_slice_starts(rest, "\033[") || end == rest.len) {
			p[n++] = line.p[i];
			continue;
		}
		if (!as_vec_push(b->al, &b->span,
			    ((struct as_browse_span){(uint32_t)n,
				    text_tint((struct as_slice){rest.p + 2, end - 2})})))
			return false;
		i += end;
	}
	to.text = (struct as_slice){p, n};
	to.n_spans = (uint32_t)b->span.n - to.span;
	return p && as_vec_push(b->al, &b->text, to);
}

static void text_at_line(void *ctx, as_file file, uint64_t line)
{
	struct text_run *r = ctx;
	struct text_mark mark = {r->out.off + r->out.n, file, line};

	r->failed |= !as_vec_push(r->b->al, &r->mark, mark);
}

/* Lines of TEXT, each with the source line that it is of. */
static bool text_take(struct text_run *r, struct as_slice text)
{
	struct as_browse *b = r->b;
	const char *begin = text.p;
	struct as_slice line;
	size_t k = 0;

	while (text.len && as_slice_cut(&text, '\n', &line)) {
		uint64_t end = (uint64_t)(line.p + line.len - begin);

		if (!text_add_line(b, line))
			return false;
		for (; k < r->mark.n && r->mark.p[k].at <= end; k++) {
			b->text.p[b->text.n - 1].file = r->mark.p[k].file;
			b->text.p[b->text.n - 1].line = r->mark.p[k].line;
		}
	}
	return true;
}

/* Where the source of each line was found. */
static bool text_find_files(struct text_run *r)
{
	struct as_browse *b = r->b;
	const struct as_list_source *source = r->p->source;

	b->where.n = 0;
	for (size_t i = 0; i < r->p->prof->file.n; i++)
		if (!as_vec_push(b->al, &b->where, ((struct as_slice){0})))
			return false;
	for (size_t i = 0; i < b->text.n; i++) {
		uint32_t file = b->text.p[i].file.i;
		struct as_slice note;

		if (b->text.p[i].line && file < b->where.n && !b->where.p[file].p)
			b->where.p[file] = as_arena_dup(&b->text_arena,
				source->where(source->ctx, b->text.p[i].file, &note));
	}
	return true;
}

static enum as_exit text_print(
	void *ctx, const struct as_list_print *of, const struct as_list_item *item, size_t n)
{
	struct text_run *r = ctx;
	struct as_browse *b = r->b;
	struct as_list_print p = *of;
	struct as_style style = {.group = true, .color = true, .utf8 = b->style.utf8};
	struct as_err err = AS_ERR_NONE;
	struct as_sink_mem mem;
	enum as_code rc;

	as_sink_mem_init(&mem, b->al);
	rc = as_out_open(&r->out, b->al, &mem.sink, &err);
	if (rc == AS_OK) {
		p.out = &r->out;
		p.style = &style;
		p.at_line = text_at_line;
		p.at_ctx = r;
		r->p = &p;
		for (size_t i = 0; i < n && rc == AS_OK; i++)
			rc = p.code ? as_asm_text(&p, &item[i], i) : as_list_text(&p, &item[i], i);
		if (as_out_finish(&r->out) != AS_OK)
			rc = AS_E_NOMEM;
	}
	if (rc == AS_OK && (r->failed || !text_take(r, (struct as_slice){mem.data.p, mem.data.n}) ||
				   !text_find_files(r)))
		rc = AS_E_NOMEM;
	as_sink_mem_release(&mem);
	return as_say_code(&b->ses, rc, NULL);
}

/* ---- the view ---- */

/* What `assay list` is asked for: FUNC, or code without a name as tables call it. */
static const char *text_func(struct as_browse *b)
{
	const struct as_listing_id *id = &b->st.func;
	struct as_slice object = as_base_name(id->object), s = id->name;

	if (!s.len)
		s = as_arena_printf(&b->arena, "[%.*s%s0x%" PRIx64 "]", AS_SLICE_FMT(object),
			object.len ? "+" : "", id->addr);
	return as_browse_keep(b, s);
}

static void text_forget(struct as_browse *b)
{
	if (b->text_arena.al)
		as_arena_release(&b->text_arena);
	as_arena_init(&b->text_arena, b->al);
	b->text.n = b->span.n = b->where.n = 0;
	b->text_is = (struct as_browse_state){.view = AS_BROWSE_TABLE};
}

static bool text_is_made(const struct as_browse *b)
{
	const struct as_browse_state *a = &b->text_is, *st = &b->st;

	return a->view == st->view && a->event == st->event && a->words == st->words &&
	       as_browse_same_id(&a->func, &st->func);
}

/* What was there before stays, if this cannot be had. */
static enum as_exit text_ask(struct as_browse *b, struct text_run *r)
{
	struct as_inputs in = b->full;
	char event[256];
	struct as_listing_args args = {.code = b->st.view == AS_BROWSE_ASM, .events = event};
	struct as_profile *some;
	enum as_exit rc;

	AS_DO(as_browse_filter(b, b->full.prof, &some));
	if (some)
		in.prof = some;
	snprintf(event, sizeof(event), "%.*s", AS_SLICE_FMT(as_event_name(in.prof, b->st.event)));
	rc = as_listing_show(&b->ses, &args, text_func(b), &in, text_print, r);
	as_profile_free(some);
	return rc;
}

/* The first line that costs most is where one begins. */
static void text_begin(struct as_browse *b)
{
	size_t best = 0;
	bool hot = false;

	for (size_t i = 0; i < b->text.n && !hot; i++)
		for (uint32_t k = 0; k < b->text.p[i].n_spans; k++) {
			enum as_tint tint = b->span.p[b->text.p[i].span + k].tint;

			hot |= tint == AS_TINT_HOT;
			if (hot || (tint == AS_TINT_WARM && !best))
				best = i;
		}
	b->st.at = best;
	b->st.top = best > b->rows_shown / 2 ? best - b->rows_shown / 2 : 0;
}

static enum as_exit text_make(struct as_browse *b)
{
	struct text_run r = {.b = b};
	enum as_exit rc;

	if (!as_listing_id_is_set(&b->st.func)) {
		as_browse_say(b, "of which function? choose a row first");
		return AS_EXIT_NO;
	}
	if (text_is_made(b)) {
		if (b->st.at == AS_BROWSE_USUAL)
			text_begin(b);
		return AS_EXIT_OK;
	}
	AS_DO(as_browse_need(b, AS_READ_SUMS));
	AS_DO(as_browse_need_full(b));
	text_forget(b);
	rc = text_ask(b, &r);
	as_vec_free(b->al, &r.mark);
	AS_DO(rc);
	b->text_is = b->st;
	if (b->st.at == AS_BROWSE_USUAL)
		text_begin(b);
	return AS_EXIT_OK;
}

static size_t text_rows(const struct as_browse *b)
{
	return b->text.n;
}

static size_t text_columns(struct as_browse *b, struct as_browse_column *column)
{
	(void)b;
	column[0] = (struct as_browse_column){.head = "", .left = true, .name = true};
	return 1;
}

static void view_text_row(struct as_browse *b, size_t i, struct as_browse_line *line)
{
	const struct as_browse_text_line *t = &b->text.p[i];

	line->whole = true;
	line->cell[0] = t->text;
	line->span = b->span.p + t->span;
	line->n_spans = t->n_spans;
}

/* A line of source goes to the editor. */
static void text_enter(struct as_browse *b, size_t i)
{
	const struct as_browse_text_line *t = &b->text.p[i];
	struct as_slice where = {0};

	b->edit[0] = '\0';
	if (t->line && t->file.i < b->where.n)
		where = b->where.p[t->file.i];
	if (!where.len || where.len >= sizeof(b->edit) - 2) {
		as_browse_say(b, t->line ? "the source file is not here" : "no line of source");
		return;
	}
	/* A name is no option of the editor. */
	snprintf(b->edit, sizeof(b->edit), "%s%.*s",
		where.p[0] == '-' || where.p[0] == '+' ? "./" : "", AS_SLICE_FMT(where));
	b->edit_line = t->line;
}

const struct as_browse_view_ops as_browse_text_view = {.name = "Source",
	.make = text_make,
	.rows = text_rows,
	.columns = text_columns,
	.row = view_text_row,
	.enter = text_enter};
