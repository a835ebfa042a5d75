/* SPDX-License-Identifier: Apache-2.0 */
/* diff: the profile against its base. */
#include "base/sort.h"
#include "report/diff/diff_print.h"

#include "change/transform.h"
#include "report/diff/diff_report.h"
#include "report/share.h"
#include "scene.h"

enum { FUNCS_DEFAULT = 3, MIN_PPM_DEFAULT = 10000 };
enum order { BY_SELF, BY_INCLUSIVE, BY_CHANGE, BY_NAME };

/* The last comparison: all of its question but the page of it. */
struct as_engine_diff {
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_slice key;
	const struct engine *base;
	struct as_err err; /* D keeps a pointer to it */
	struct as_diff *d;
	enum as_diff_kind kind;
	bool has_sub;
	struct as_diff_sub sub;
	bool has_lists;
	struct as_diff_lists lists;
};

struct asked {
	struct engine *e;
	const struct question *q;
	unsigned kind, by, order, norm, keep_contexts, clones, no_cycles;
	bool reverse;
	uint64_t from, limit, depth;
	struct as_slice sort;
	enum as_tree_way way;      /* of a tree */
	struct as_listing_id func; /* of a tree: that one alone */
	struct matching matching;
};

static bool is_named(const struct as_listing_id *id)
{
	return id->name.p || id->file.p || id->object.p;
}

static struct as_listing_id func_of(const struct question *q)
{
	return (struct as_listing_id){as_question_word(q, "func"), as_question_word(q, "func-file"),
		as_question_word(q, "func-object"), 0};
}

/* Whose callers, if of nobody, are those of all. */
static enum as_code take_way(struct asked *a, struct failure *f)
{
	static const char *const ways[] = {"callees", "callers", "bottom-up", NULL};
	unsigned way = AS_TREE_CALLEES;

	AS_TRY(as_question_choice(a->q, "way", ways, &way, f));
	a->way = (enum as_tree_way)way;
	a->func = func_of(a->q);
	if (a->way == AS_TREE_CALLERS && !is_named(&a->func))
		a->way = AS_TREE_BOTTOM_UP;
	return AS_OK;
}

static enum as_code take(struct asked *a, struct failure *f)
{
	static const char *const kinds[] = {"top", "tree", "list", "peek", NULL};
	static const char *const by[] = {"function", "file", "object", "line", NULL};
	static const char *const order[] = {"self", "inclusive", "change", "name", NULL};
	static const char *const norm[] = {"auto", "none", "total", "time", NULL};
	static const char *const contexts[] = {"fold", "keep", NULL};
	static const char *const cycles[] = {"yes", "no", NULL};
	const struct question *q = a->q;

	AS_TRY(as_question_choice(q, "view", kinds, &a->kind, f));
	if (a->kind == AS_DIFF_TABLE)
		AS_TRY(as_question_choice(q, "by", by, &a->by, f));
	AS_TRY(take_way(a, f));
	AS_TRY(as_question_choice(q, "order", order, &a->order, f));
	AS_TRY(as_question_choice(q, "normalize", norm, &a->norm, f));
	AS_TRY(as_question_choice(q, "contexts", contexts, &a->keep_contexts, f));
	AS_TRY(as_question_choice(q, "cycles", cycles, &a->no_cycles, f));
	AS_TRY(as_question_choice(q, "clones", contexts, &a->clones, f));
	AS_TRY(as_question_flag(q, "reverse", &a->reverse, f));
	AS_TRY(as_question_number(q, "from", &a->from, f));
	AS_TRY(as_question_number(q, "limit", &a->limit, f));
	AS_TRY(as_question_number(q, "depth", &a->depth, f));
	a->sort = as_question_word(q, "sort");
	return as_question_match(q, &a->matching, f);
}

/* ---- making it ---- */

void as_engine_diff_free(struct as_engine_diff *k)
{
	if (!k)
		return;
	if (k->has_lists)
		as_diff_lists_release(&k->lists);
	if (k->has_sub)
		as_diff_sub_release(&k->sub);
	as_diff_free(k->d);
	as_arena_release(&k->arena);
	as_alloc_free(k->al, k, sizeof(*k));
}

static enum as_detail detail_of(const struct asked *a)
{
	bool lines = a->by == AS_BY_FILE || a->by == AS_BY_LINE || a->kind == AS_DIFF_LIST;

	return lines ? AS_DETAIL_LINE : AS_DETAIL_FUNC;
}

static enum as_code find_event(
	const struct as_diff *d, struct as_slice name, uint32_t *event, struct failure *f)
{
	*event = UINT32_MAX;
	if (!name.len || as_diff_find_event(d, name, event))
		return AS_OK;
	return as_failure_set(
		f, AS_E_ARG, "sort", "the profiles have no event '%.*s'", AS_SLICE_FMT(name));
}

static enum as_code add_profile(struct as_engine_diff *k, const struct asked *a, enum as_side side,
	const struct as_profile *prof, const char *name, struct failure *f)
{
	AS_TRY(as_diff_add(k->d, side, prof, as_slice_of(name), &k->err));
	if (k->kind == AS_DIFF_TABLE)
		return AS_OK;
	if (side == AS_BASE)
		AS_TRY(find_event(k->d, a->sort, &k->sub.event, f));
	if (k->kind == AS_DIFF_LIST)
		return as_diff_sub_lines(&k->sub, prof, &k->err);
	if (!prof->call.n && !prof->sample.node.n && prof->self.n)
		return as_err_set(&k->err, AS_E_UNSUPPORTED,
			"%.300s: the profile says where cost was, not who called whom", name);
	return (k->kind == AS_DIFF_TREE ? as_diff_sub_paths : as_diff_sub_calls)(
		&k->sub, prof, &k->err);
}

static enum as_code add_run(struct as_engine_diff *k, const struct asked *a, struct engine *e,
	enum as_side side, struct failure *f)
{
	const char *name = e->name[0] ? e->name : side == AS_BASE ? "base" : "new";
	struct as_profile *unnamed;
	struct scene *s;
	enum as_code rc;

	if (as_scene_get(e, a->q, detail_of(a), &s, f) != AS_OK)
		return side == AS_NEW ? f->err.code
				      : as_failure_set(f, f->err.code, f->word, "base: %.400s",
						f->err.msg);
	k->d->is_void[side] = s->filters && as_is_void(s->prof);
	AS_TRY(as_unname(s->prof, &unnamed, &k->err));
	rc = add_profile(k, a, side, unnamed ? unnamed : s->prof, name, f);
	as_profile_free(unnamed);
	return rc;
}

static bool base_is(struct as_slice path, struct as_slice said, bool exact)
{
	return (!exact && !said.len) || as_slice_eq(as_base_name(path), as_base_name(said));
}

/* What both sides say of a function are parts of what one says. EXACT: what is not known of the one
 * that is asked for is not known of any. */
static bool is_func(
	const struct as_diff *d, uint32_t row, const struct as_listing_id *id, bool exact)
{
	struct as_diff_row_key rk = as_diff_key_of(d, row);

	return as_slice_eq(rk.function, id->name) && base_is(rk.file, id->file, exact) &&
	       base_is(rk.object, id->object, exact);
}

/* The first function that ID names, among those of both sides; UINT32_MAX: there is none. */
static uint32_t find_func(const struct as_diff *d, const struct as_listing_id *id)
{
	for (unsigned loose = 0; loose < (id->name.len ? 2 : 1); loose++)
		for (size_t i = 0; i < d->key.n; i++)
			if (is_func(d, d->order[i], id, !loose))
				return d->order[i];
	return UINT32_MAX;
}

/* The tree as it was asked for. */
static enum as_code turn(struct as_engine_diff *k, const struct asked *a, struct failure *f)
{
	uint32_t func = 0;

	if (is_named(&a->func) && a->way != AS_TREE_BOTTOM_UP)
		func = find_func(k->d, &a->func);
	else if (a->way == AS_TREE_CALLEES)
		return AS_OK;
	if (func == UINT32_MAX)
		return as_failure_set(f, AS_E_ARG, "func", "neither side has such a function");
	return as_diff_sub_turn(&k->sub, func, &k->err);
}

static enum as_code compare(struct as_engine_diff *k, const struct asked *a, struct failure *f)
{
	uint32_t event;

	AS_TRY(add_run(k, a, a->e->base, AS_BASE, f));
	AS_TRY(add_run(k, a, a->e, AS_NEW, f));
	if (k->d->is_void[AS_BASE] && k->d->is_void[AS_NEW])
		return as_failure_set(f, AS_E_ARG, NULL,
			"nothing is left: the filters choose no sample of either side");
	AS_TRY(find_event(k->d, a->sort, &event, f));
	AS_TRY(as_diff_scale_and_sort(
		k->d, (enum as_norm)a->norm, event, a->order == BY_INCLUSIVE, &k->err));
	if (k->kind == AS_DIFF_TABLE)
		return AS_OK;
	if (k->kind == AS_DIFF_TREE)
		AS_TRY(turn(k, a, f));
	AS_TRY(as_diff_sub_judge(&k->sub, k->kind != AS_DIFF_LIST, &k->err));
	if (k->kind == AS_DIFF_TREE)
		return AS_OK;
	k->has_lists = true;
	return as_diff_lists_make(&k->lists, &k->sub, &k->err);
}

static enum as_code make(struct as_engine_diff *k, const struct asked *a, struct failure *f)
{
	struct as_diff_opts opts = {.by = (enum as_by)a->by,
		.keep_contexts = a->keep_contexts,
		.keep_clones = a->clones,
		.no_cycles = a->no_cycles,
		.want_rows = a->kind != AS_DIFF_TABLE,
		.n_runs = 2};
	enum as_code rc;

	k->kind = (enum as_diff_kind)a->kind;
	as_err_clear(&k->err);
	rc = as_diff_begin(&k->d, k->al, &opts, &k->err);
	if (rc == AS_OK && k->kind != AS_DIFF_TABLE) {
		as_diff_sub_init(&k->sub, k->d);
		k->sub.way = a->way;
		k->has_sub = true;
	}
	if (rc == AS_OK)
		rc = compare(k, a, f);
	if (rc != AS_OK && !f->err.msg[0])
		f->err = k->err;
	return rc;
}

/* ---- from one question to the next ---- */

/* Words that only choose what of a comparison is shown. */
static bool is_of_page(struct as_slice key)
{
	static const char *const names[] = {"from", "limit", "match", "reverse", "min", "depth",
		"func", "func-file", "func-object", "func-address"};

	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++)
		if (as_slice_is(key, names[i]))
			return true;
	return false;
}

/* A tree is made for its function. */
static bool is_of_func(struct as_slice key)
{
	return as_slice_starts(key, "func");
}

static struct as_slice key_of(const struct asked *a, struct as_arena *ar)
{
	const struct question *q = a->q;
	struct as_slice key = as_slice_of("");

	for (size_t i = 0; i < q->word.n && key.p; i++)
		if (!is_of_page(q->word.p[i].key) ||
			(a->kind == AS_DIFF_TREE && is_of_func(q->word.p[i].key)))
			key = as_arena_printf(ar, "%.*s%.*s %zu %.*s\n", AS_SLICE_FMT(key),
				AS_SLICE_FMT(q->word.p[i].key), q->word.p[i].value.len,
				AS_SLICE_FMT(q->word.p[i].value));
	return key;
}

static enum as_code get(const struct asked *a, struct as_engine_diff **out, struct failure *f)
{
	struct engine *e = a->e;
	struct as_engine_diff *k = as_alloc_new(e->al, sizeof(*k));
	enum as_code rc = AS_OK;

	if (!k)
		return as_failure_no_memory(f);
	k->al = e->al;
	as_arena_init(&k->arena, e->al);
	k->base = e->base;
	k->key = key_of(a, &k->arena);
	if (!k->key.p) {
		rc = as_failure_no_memory(f);
	} else if (!e->diff || e->diff->base != k->base || !as_slice_eq(e->diff->key, k->key)) {
		rc = make(k, a, f);
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
	if (!e->base)
		return as_failure_set(f, AS_E_ARG, "diff", "there is nothing to compare with");
	AS_TRY(take(&a, f));
	a.kind = AS_DIFF_TREE;
	a.by = AS_BY_FUNC;
	*k = as_alloc_new(e->al, sizeof(**k));
	if (!*k)
		return as_failure_no_memory(f);
	(*k)->al = e->al;
	as_arena_init(&(*k)->arena, e->al);
	*sub = &(*k)->sub;
	return make(*k, &a, f);
}

/* ---- showing it ---- */

struct showing {
	const struct asked *a;
	struct as_engine_diff *k;
	struct as_diff_view view;
	struct as_arena arena;
	uint32_t *row;
	size_t n;
	struct as_diff_tree_view tree;
	bool has_tree;
};

static bool no_line(void *ctx, struct as_slice path, uint64_t line, struct as_slice *text)
{
	(void)ctx;
	(void)path;
	(void)line;
	(void)text;
	return false;
}

static struct as_slice no_source(void *ctx, struct as_slice path, struct as_slice *note)
{
	(void)ctx;
	(void)path;
	*note = as_slice_of("");
	return as_slice_of("");
}

static int cmp_name(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_diff *d = ctx;

	return as_slice_cmp(as_diff_str(d, d->key.p[a].name), as_diff_str(d, d->key.p[b].name));
}

/* The rows of the table from "from" on. */
static enum as_code choose_page(struct showing *s, struct failure *f)
{
	const struct asked *a = s->a;
	const struct as_diff *d = s->k->d;
	size_t from;

	for (size_t i = 0; i < d->key.n; i++) {
		uint32_t row = d->order[a->reverse ? d->key.n - 1 - i : i];

		if (!a->matching.made ||
			as_matching(&a->matching, as_diff_str(d, d->key.p[row].name)))
			s->row[s->n++] = row;
	}
	if (a->order == BY_NAME && !as_sort_rows(d->al, s->row, s->n, cmp_name, d))
		return as_failure_no_memory(f);
	from = a->from < s->n ? (size_t)a->from : s->n;
	s->view.page = s->row + from;
	s->view.n_page = a->limit && a->limit < s->n - from ? (size_t)a->limit : s->n - from;
	s->view.found = s->n;
	s->view.all = d->key.n;
	return AS_OK;
}

static void take_funcs(struct showing *s, const struct as_listing_id *id, bool exact)
{
	const struct as_diff *d = s->k->d;

	for (size_t i = 0; i < d->key.n; i++)
		if (is_func(d, d->order[i], id, exact))
			s->row[s->n++] = d->order[i];
}

static enum as_code choose_funcs(struct showing *s, struct failure *f)
{
	const struct question *q = s->a->q;
	const struct as_diff *d = s->k->d;
	struct as_listing_id id = func_of(q);
	bool named = is_named(&id);
	size_t limit = as_question_has(q, "limit") ? (size_t)s->a->limit : FUNCS_DEFAULT;

	if (named)
		take_funcs(s, &id, true);
	if (!s->n && id.name.len)
		take_funcs(s, &id, false);
	for (size_t i = 0; !named && i < d->key.n; i++)
		if (as_diff_differs(d, d->order[i]))
			s->row[s->n++] = d->order[i];
	if (named && !s->n)
		return as_failure_set(f, AS_E_ARG, "func", "neither side has such a function");
	if (limit && s->n > limit)
		s->n = limit;
	s->view.func = s->row;
	s->view.n_funcs = s->n;
	return AS_OK;
}

static enum as_code choose_tree(struct showing *s, struct failure *f)
{
	struct as_slice min = as_question_word(s->a->q, "min");
	struct as_diff_tree_opts opts = {.min_ppm = MIN_PPM_DEFAULT,
		.depth = s->a->depth > UINT32_MAX ? 0 : (uint32_t)s->a->depth};

	if (min.p && !as_share_ppm(min, &opts.min_ppm))
		return as_failure_set(f, AS_E_ARG, "min", "expected a share, as in 0.5%%");
	s->has_tree = true;
	return as_diff_tree_view_make(&s->tree, &s->k->sub, &opts, &f->err);
}

static enum as_code choose(struct showing *s, struct failure *f)
{
	const struct as_diff *d = s->k->d;
	uint32_t *event = as_arena_get(&s->arena, (d->n_events + 1) * sizeof(*event));

	s->row = as_arena_get(&s->arena, (d->key.n + 1) * sizeof(*s->row));
	if (!event || !s->row)
		return as_failure_no_memory(f);
	for (uint32_t i = 0; i < d->n_events; i++)
		event[i] = i;
	s->view.event = event;
	s->view.n_events = d->n_events;
	if (s->k->kind == AS_DIFF_TABLE)
		return choose_page(s, f);
	return s->k->kind == AS_DIFF_TREE ? choose_tree(s, f) : choose_funcs(s, f);
}

static enum as_code show(
	const struct asked *a, struct as_engine_diff *k, struct as_out *out, struct failure *f)
{
	static const struct as_diff_source source = {.line = no_line, .where = no_source};
	struct showing s = {.a = a, .k = k};
	enum as_code rc;

	as_arena_init(&s.arena, k->al);
	s.view = (struct as_diff_view){.d = k->d,
		.kind = k->kind,
		.sub = k->has_sub ? &k->sub : NULL,
		.tree = &s.tree,
		.lists = &k->lists,
		.source = &source};
	rc = choose(&s, f);
	if (rc == AS_OK)
		rc = as_diff_json(&s.view, out);
	if (s.has_tree)
		as_diff_tree_view_release(&s.tree);
	as_arena_release(&s.arena);
	return rc;
}

enum as_code as_engine_diff(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct asked a = {.e = e, .q = q};
	struct as_engine_diff *k = NULL;

	if (!e->base)
		return as_failure_set(f, AS_E_ARG, NULL, "there is nothing to compare with");
	AS_TRY(take(&a, f));
	AS_TRY(get(&a, &k, f));
	return show(&a, k, out, f);
}
