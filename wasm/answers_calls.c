/* SPDX-License-Identifier: Apache-2.0 */
/* tree, peek, graph: who calls whom. */
#include "engine.h"
#include "report/answers.h"

enum { FUNCTIONS_MAX = 10, NODES_DEFAULT = 80, NEIGHBOURS_DEFAULT = 20 };

static uint32_t cut_to_u32(uint64_t n)
{
	return n > UINT32_MAX ? 0 : (uint32_t)n;
}

/* ---- tree ---- */

struct tree {
	struct subject s;
	const struct question *q;
	struct as_tree_opts opts;
	struct as_calltree *ct;
	const struct as_path_source *paths;
};

static enum as_code take_tree(struct tree *t, struct failure *f)
{
	static const char *const names[] = {"callees", "callers", "bottom-up", NULL};
	unsigned way = AS_TREE_CALLEES;
	uint64_t depth = 0;

	AS_TRY(as_question_choice(t->q, "way", names, &way, f));
	AS_TRY(as_question_number(t->q, "depth", &depth, f));
	t->opts = (struct as_tree_opts){.event = t->s.opts.sort_event,
		.depth = cut_to_u32(depth),
		.way = (enum as_tree_way)way,
		.keep_roots = t->s.func != NULL};
	if (t->opts.way == AS_TREE_CALLERS && !t->s.func)
		t->opts.way = AS_TREE_BOTTOM_UP;
	return AS_OK;
}

/* Half a percent, or what the question says, of all; or of WHOLE. */
static enum as_code answer_calls_set_min(struct tree *t, const as_val *whole, struct failure *f)
{
	as_val of = whole && as_n_events(t->paths->prof) ? whole[t->opts.event] : 0;

	return as_question_min(t->q, of, &t->opts.min, f);
}

static enum as_code say_tree(struct tree *t, struct as_out *out, struct failure *f)
{
	struct as_tree_report report = {
		.paths = {t->paths->prof, t->paths->shape, &t->s.opts, t->ct}, .n_views = 1};
	struct as_tree_view view;
	enum as_code rc = as_tree_view_make(&view, t->ct, &t->opts, &f->err);

	report.view = &view;
	if (rc == AS_OK)
		rc = as_tree_print(
			&report, &(struct as_sheet_to){.form = AS_FORM_JSON, .out = out});
	as_tree_view_release(&view);
	return rc;
}

static enum as_code tree_of_all(struct tree *t, struct as_out *out, struct failure *f)
{
	AS_TRY(as_scene_tree(&t->s, t->opts.way, NULL, &t->ct, f));
	AS_TRY(answer_calls_set_min(t, t->paths->prof->total, f));
	return say_tree(t, out, f);
}

/* The functions are looked for in the paths, of which the listing of a scene may not be. */
static enum as_code tree_of_func(struct tree *t, struct as_out *out, struct failure *f)
{
	struct as_listings *ls;
	const struct as_table *table;
	struct as_calltree_root root;
	uint32_t row;

	AS_TRY(as_scene_listings_of_paths(&t->s, &ls, f));
	AS_TRY(as_scene_find(&t->s, ls, f));
	table = as_listings_table(ls);
	row = as_listings_row(ls, 0);
	root = (struct as_calltree_root){table->key[row].func, table->key[row].addr};
	AS_TRY(as_scene_tree(&t->s, t->opts.way, &root, &t->ct, f));
	AS_TRY(answer_calls_set_min(t,
		(t->opts.way == AS_TREE_BOTTOM_UP ? table->self : table->incl) +
			(size_t)row * table->n_events,
		f));
	t->opts.of = t->opts.way == AS_TREE_CALLEES ? NULL : &root;
	return say_tree(t, out, f);
}

static enum as_code make_tree(struct tree *t, struct as_out *out, struct failure *f)
{
	AS_TRY(as_subject_wants_calls(&t->s, f));
	if (t->s.opts.n_events == 1)
		AS_TRY(as_subject_one_event(&t->s, f));
	AS_TRY(as_scene_paths(&t->s, &t->paths, f));
	AS_TRY(take_tree(t, f));
	return t->s.func ? tree_of_func(t, out, f) : tree_of_all(t, out, f);
}

enum as_code as_engine_tree(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct tree t = {.q = q};
	enum as_code rc = as_subject_make(&t.s, e, q, f);

	if (rc == AS_OK)
		rc = make_tree(&t, out, f);
	as_subject_release(&t.s);
	return rc;
}

/* ---- peek ---- */

static enum as_code say_peek(struct subject *s, const struct as_listings *ls, uint64_t rows,
	struct as_out *out, struct failure *f)
{
	struct as_neighbours func[FUNCTIONS_MAX];
	size_t n = as_listings_n(ls) < FUNCTIONS_MAX ? as_listings_n(ls) : FUNCTIONS_MAX;
	struct as_peek_view v = {.prof = s->prof,
		.opts = &s->opts,
		.func = func,
		.n_more = as_listings_n(ls) - n,
		.rows = (size_t)rows};
	enum as_code rc = AS_OK;

	while (v.n_funcs < n && rc == AS_OK) {
		struct as_neighbours_opts opts = {.row = as_listings_row(ls, v.n_funcs),
			.event = s->opts.sort_event,
			.keep_contexts = s->keep_contexts};

		rc = as_neighbours_make(&func[v.n_funcs++], as_listings_table(ls), &opts, &f->err);
	}
	if (rc == AS_OK)
		rc = as_peek_print(&v, &(struct as_sheet_to){.form = AS_FORM_JSON, .out = out});
	for (size_t i = 0; i < v.n_funcs; i++)
		as_neighbours_release(&func[i]);
	return rc;
}

enum as_code as_engine_peek(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct as_listings *ls;
	struct subject s;
	uint64_t rows = NEIGHBOURS_DEFAULT;
	enum as_code rc;

	AS_TRY(as_question_number(q, "rows", &rows, f));
	rc = as_subject_make(&s, e, q, f);
	if (rc == AS_OK)
		rc = as_scene_listings(&s, false, &ls, f);
	if (rc == AS_OK)
		rc = as_scene_find(&s, ls, f);
	if (rc == AS_OK)
		rc = say_peek(&s, ls, rows, out, f);
	as_subject_release(&s);
	return rc;
}

/* ---- graph ---- */

static enum as_code say_graph(struct subject *s, const struct question *q,
	struct as_callgraph_opts *opts, struct as_out *out, struct failure *f)
{
	as_val total = s->opts.n_events ? as_whole(s->prof)[s->opts.sort_event] : 0;
	struct as_callgraph g;
	struct as_listings *ls;
	enum as_code rc;

	opts->event = s->opts.sort_event;
	opts->keep_contexts = s->keep_contexts;
	opts->no_cycles = s->no_cycles;
	AS_TRY(as_subject_wants_calls(s, f));
	AS_TRY(as_question_min(q, total, &opts->min, f));
	AS_TRY(as_scene_listings(s, false, &ls, f));
	rc = as_callgraph_make(&g, as_listings_table(ls), opts, &f->err);
	if (rc == AS_OK)
		rc = as_graph_data(
			&g, &s->opts, &(struct as_sheet_to){.form = AS_FORM_JSON, .out = out});
	as_callgraph_release(&g);
	return rc;
}

enum as_code as_engine_graph(
	struct engine *e, const struct question *q, struct as_out *out, struct failure *f)
{
	struct as_callgraph_opts opts = {.limit = NODES_DEFAULT};
	uint64_t depth = 0;
	struct subject s;
	enum as_code rc;

	AS_TRY(as_question_number(q, "depth", &depth, f));
	AS_TRY(as_question_number(q, "nodes", &opts.limit, f));
	opts.depth = cut_to_u32(depth);
	rc = as_subject_make(&s, e, q, f);
	if (rc == AS_OK)
		rc = say_graph(&s, q, &opts, out, f);
	as_subject_release(&s);
	return rc;
}
