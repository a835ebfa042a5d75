/* SPDX-License-Identifier: Apache-2.0 */
/* diff: the profile against its base. */
#include "base/sort.h"

#include "scene.h"
#include "session/choose.h"
#include "session/compare.h"

enum { FUNCS_DEFAULT = 3, MIN_PPM_DEFAULT = 10000 };
enum order { BY_SELF, BY_INCLUSIVE, BY_CHANGE, BY_NAME };

/* The last comparison: all of its question but the page of it. */
struct as_engine_diff {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_slice key;
	const struct engine *base;
	struct as_compare c;
};

struct asked {
	struct engine *e, *base;
	const struct question *q;
	struct as_compare_ask ask;
	unsigned order;
	bool reverse;
	uint64_t from, limit, depth;
	struct matching matching;
};

/* Another profile, or another time of the same. */
static enum as_code answer_diff_base(struct asked *a, const char *word, struct failure *f)
{
	a->base = as_question_compares_times(a->q) ? a->e : a->e->base;
	return a->base ? AS_OK
		       : as_failure_set(f, AS_E_ARG, word, "there is nothing to compare with");
}

static enum as_code answer_diff_take(struct asked *a, struct failure *f)
{
	static const char *const kinds[] = {"top", "tree", "list", "peek", NULL};
	static const char *const by[] = {"function", "file", "object", "line", NULL};
	static const char *const order[] = {"self", "inclusive", "change", "name", NULL};
	static const char *const norm[] = {"auto", "none", "total", "time", NULL};
	static const char *const contexts[] = {"fold", "keep", NULL};
	static const char *const cycles[] = {"yes", "no", NULL};
	static const char *const ways[] = {"callees", "callers", "bottom-up", NULL};
	const struct question *q = a->q;
	unsigned kind = AS_DIFF_TABLE, row = 0, way = AS_TREE_CALLEES, scale = 0, keep = 0,
		 clones = 0, no_cycles = 0;

	AS_TRY(as_question_choice(q, "view", kinds, &kind, f));
	if (kind == AS_DIFF_TABLE)
		AS_TRY(as_question_choice(q, "by", by, &row, f));
	AS_TRY(as_question_choice(q, "way", ways, &way, f));
	AS_TRY(as_question_choice(q, "order", order, &a->order, f));
	AS_TRY(as_question_choice(q, "normalize", norm, &scale, f));
	AS_TRY(as_question_choice(q, "contexts", contexts, &keep, f));
	AS_TRY(as_question_choice(q, "cycles", cycles, &no_cycles, f));
	AS_TRY(as_question_choice(q, "clones", contexts, &clones, f));
	AS_TRY(as_question_flag(q, "reverse", &a->reverse, f));
	AS_TRY(as_question_number(q, "from", &a->from, f));
	AS_TRY(as_question_number(q, "limit", &a->limit, f));
	AS_TRY(as_question_number(q, "depth", &a->depth, f));
	a->ask = (struct as_compare_ask){.kind = (enum as_diff_kind)kind,
		.by = (enum as_by)row,
		.norm = (enum as_norm)scale,
		.keep_contexts = keep,
		.keep_clones = clones,
		.no_cycles = no_cycles,
		.all_events = true,
		.sort = as_question_word(q, "sort"),
		.inclusive = a->order == BY_INCLUSIVE,
		.way = (enum as_tree_way)way,
		.func = as_question_func(q),
		.n_runs = AS_SIDES};
	if (!a->ask.sort.len)
		a->ask.sort.p = NULL;
	/* Whose callers, if of nobody, are those of all. */
	if (a->ask.way == AS_TREE_CALLERS && !as_listing_id_is_set(&a->ask.func))
		a->ask.way = AS_TREE_BOTTOM_UP;
	return as_question_match(q, &a->matching, f);
}

/* ---- making it ---- */

void as_engine_diff_free(struct as_engine_diff *k)
{
	if (!k)
		return;
	as_compare_release(&k->c);
	as_arena_release(&k->arena);
	as_alloc_free(k->al, k, sizeof(*k));
}

static enum as_code answer_diff_failed(const struct as_compare *c, struct failure *f)
{
	f->word = c->fault == AS_COMPARE_NO_EVENT  ? "sort"
		  : c->fault == AS_COMPARE_NO_FUNC ? "func"
						   : NULL;
	f->err = c->err;
	return c->err.code;
}

static enum as_code add_run(struct as_engine_diff *k, const struct asked *a, struct engine *e,
	enum as_side side, struct failure *f)
{
	const char *name = e->name[0] ? e->name : side == AS_BASE ? "base" : "new";
	bool lines =
		a->ask.by == AS_BY_FILE || a->ask.by == AS_BY_LINE || a->ask.kind == AS_DIFF_LIST;
	struct as_compare_run run = {.side = side, .name = as_slice_of(name)};
	struct scene *s;

	if (as_scene_get_side(e, a->q, lines ? AS_DETAIL_LINE : AS_DETAIL_FUNC, side == AS_BASE, &s,
		    f) != AS_OK)
		return side == AS_NEW ? f->err.code
				      : as_failure_set(f, f->err.code, f->word, "base: %.400s",
						f->err.msg);
	run.prof = s->prof;
	run.is_void = s->filters && as_is_void(s->prof);
	return as_compare_add(&k->c, &run) == AS_OK ? AS_OK : answer_diff_failed(&k->c, f);
}

static enum as_code answer_diff_make(
	struct as_engine_diff *k, const struct asked *a, struct failure *f)
{
	if (as_compare_begin(&k->c, k->al, &a->ask) != AS_OK)
		return answer_diff_failed(&k->c, f);
	AS_TRY(add_run(k, a, a->base, AS_BASE, f));
	AS_TRY(add_run(k, a, a->e, AS_NEW, f));
	return as_compare_finish(&k->c) == AS_OK ? AS_OK : answer_diff_failed(&k->c, f);
}

/* ---- from one question to the next ---- */

/* Words that only choose what of a comparison is shown. */
static bool is_of_page(struct as_slice key)
{
	static const char *const names[] = {"from", "limit", "match", "reverse", "min", "depth",
		"func", "func-file", "func-object", "func-address"};

	return as_slice_is_one_of(key, names);
}

/* A tree is made for its function. */
static bool is_of_func(struct as_slice key)
{
	return as_slice_starts(key, "func");
}

static struct as_slice answer_diff_key_of(const struct asked *a, struct as_arena *ar)
{
	const struct question *q = a->q;
	struct as_slice key = as_slice_of("");

	for (size_t i = 0; i < q->word.n && key.p; i++)
		if (!is_of_page(q->word.p[i].key) ||
			(a->ask.kind == AS_DIFF_TREE && is_of_func(q->word.p[i].key)))
			key = as_arena_printf(ar, "%.*s%.*s %zu %.*s\n", AS_SLICE_FMT(key),
				AS_SLICE_FMT(q->word.p[i].key), q->word.p[i].value.len,
				AS_SLICE_FMT(q->word.p[i].value));
	return key;
}

static enum as_code answer_diff_get(
	const struct asked *a, struct as_engine_diff **out, struct failure *f)
{
	struct engine *e = a->e;
	struct as_engine_diff *k = as_alloc_new(e->al, sizeof(*k));
	enum as_code rc = AS_OK;

	if (!k)
		return as_failure_no_memory(f);
	k->al = e->al;
	as_arena_init(&k->arena, e->al);
	k->base = a->base;
	k->key = answer_diff_key_of(a, &k->arena);
	if (!k->key.p) {
		rc = as_failure_no_memory(f);
	} else if (!e->diff || e->diff->base != k->base || !as_slice_eq(e->diff->key, k->key)) {
		rc = answer_diff_make(k, a, f);
		if (rc == AS_OK) {
			as_engine_diff_free(e->diff);
			e->diff = k;
			k = NULL;
		}
	}
	as_engine_diff_free(k);
	*out = e->diff;
	return rc;
}

enum as_code as_engine_diff_paths(struct engine *e, const struct question *q,
	struct as_engine_diff **k, const struct as_diff_sub **sub, struct failure *f)
{
	struct asked a = {.e = e, .q = q};

	*k = NULL;
	AS_TRY(answer_diff_base(&a, "diff", f));
	AS_TRY(answer_diff_take(&a, f));
	a.ask.kind = AS_DIFF_TREE;
	a.ask.by = AS_BY_FUNC;
	*k = as_alloc_new(e->al, sizeof(**k));
	if (!*k)
		return as_failure_no_memory(f);
	(*k)->al = e->al;
	as_arena_init(&(*k)->arena, e->al);
	*sub = &(*k)->c.sub;
	return answer_diff_make(*k, &a, f);
}

/* ---- showing it ---- */

static int answer_diff_cmp_name(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_diff *d = ctx;

	return as_slice_cmp(as_diff_str(d, d->key.p[a].name), as_diff_str(d, d->key.p[b].name));
}

/* The rows of the table from "from" on. */
static enum as_code choose_page(
	const struct asked *a, struct as_compare *c, struct as_diff_view *v, struct failure *f)
{
	const struct as_diff *d = c->d;
	size_t from;

	if (as_compare_no_funcs(c) != AS_OK)
		return as_failure_no_memory(f);
	for (size_t i = 0; i < d->key.n; i++) {
		uint32_t row = d->order[a->reverse ? d->key.n - 1 - i : i];

		if (!a->matching.made ||
			as_matching(&a->matching, as_diff_str(d, d->key.p[row].name)))
			c->func.p[c->func.n++] = row;
	}
	if (a->order == BY_NAME &&
		!as_sort_rows(d->al, c->func.p, c->func.n, answer_diff_cmp_name, d))
		return as_failure_no_memory(f);
	v->found = c->func.n;
	v->all = d->key.n;
	from = a->from < v->found ? (size_t)a->from : v->found;
	v->page = c->func.p + from;
	v->n_page = a->limit && a->limit < v->found - from ? (size_t)a->limit : v->found - from;
	return AS_OK;
}

static enum as_code choose_funcs(
	const struct asked *a, struct as_compare *c, struct as_diff_view *v, struct failure *f)
{
	size_t limit = as_question_has(a->q, "limit") ? (size_t)a->limit : FUNCS_DEFAULT;
	enum as_code rc = as_listing_id_is_set(&a->ask.func) ? as_compare_of_id(c, &a->ask.func)
							     : as_compare_differing(c);

	if (rc != AS_OK)
		return answer_diff_failed(c, f);
	v->func = c->func.p;
	v->n_funcs = limit && c->func.n > limit ? limit : c->func.n;
	return AS_OK;
}

static enum as_code choose_tree(const struct asked *a, struct as_compare *c, struct failure *f)
{
	struct as_slice min = as_question_word(a->q, "min");
	struct as_diff_tree_opts opts = {.min_ppm = MIN_PPM_DEFAULT,
		.depth = a->depth > UINT32_MAX ? 0 : (uint32_t)a->depth};

	if (min.p && !as_share_ppm(min, &opts.min_ppm))
		return as_failure_set(f, AS_E_ARG, "min", "expected a share, as in 0.5%%");
	return as_compare_tree(c, &opts) == AS_OK ? AS_OK : answer_diff_failed(c, f);
}

static enum as_code answer_diff_show(
	const struct asked *a, struct as_compare *c, struct as_out *out, struct failure *f)
{
	struct as_diff_view v = as_compare_view(c);

	AS_TRY(c->ask.kind == AS_DIFF_TABLE   ? choose_page(a, c, &v, f)
		: c->ask.kind == AS_DIFF_TREE ? choose_tree(a, c, f)
					      : choose_funcs(a, c, &v, f));
	return as_diff_print(&v, &(struct as_sheet_to){.form = AS_FORM_JSON, .out = out});
}

enum as_code as_engine_diff(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct asked a = {.e = e, .q = q};
	struct as_engine_diff *k = NULL;

	AS_TRY(answer_diff_base(&a, NULL, f));
	AS_TRY(answer_diff_take(&a, f));
	AS_TRY(answer_diff_get(&a, &k, f));
	return answer_diff_show(&a, &k->c, out, f);
}
