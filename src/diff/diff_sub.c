/* SPDX-License-Identifier: Apache-2.0 */
/* Rows below those of a comparison: found, and their values. */
#include "diff/diff_sub.h"

#include "base/pool.h"
#include "change/kit/context.h"
#include "change/transform.h"
#include "diff/diff_impl.h"
#include "formats/format.h"
#include "tree/calltree.h"
#include "tree/path_source.h"

/* What a run has, before it is known which rows are one. */
struct items {
	size_t n;
	uint32_t *row;
	uint32_t e; /* values of an item, of the profile's events */
	const as_val *self, *incl;
	const uint8_t *has_incl; /* NULL: all have one */
};

void as_diff_sub_init(struct as_diff_sub *sub, struct as_diff *of)
{
	*sub = (struct as_diff_sub){.of = of};
	sub->fig.al = of->al;
	sub->fig.opts = of->opts;
	as_index_init(&sub->index, of->al);
}

void as_diff_sub_release(struct as_diff_sub *sub)
{
	struct as_diff *d = &sub->fig;

	if (!sub->of)
		return;
	for (size_t i = 0; i < d->run.n; i++)
		as_diff_free_values(d, &d->run.p[i]);
	as_alloc_free(d->al, d->order, d->key.n * sizeof(*d->order) + 1);
	as_alloc_free(d->al, d->verdict, d->key.n + 1);
	as_alloc_free(d->al, d->p, d->key.n * sizeof(*d->p) + 1);
	as_vec_free(d->al, &d->run);
	as_vec_free(d->al, &sub->place);
	as_vec_free(d->al, &sub->only);
	as_vec_free(d->al, &sub->exact);
	as_index_release(&sub->index);
}

/* ---- rows ---- */

enum as_code as_diff_sub_row(struct as_diff_sub *sub, const struct as_diff_place *at, uint32_t *row)
{
	uint64_t pos = AS_INDEX_START;
	uint64_t hash =
		as_hash_mix(as_hash_mix(at->up, at->func), as_hash_mix(at->base.i, at->line));

	while (as_index_find(&sub->index, hash, &pos, row)) {
		struct as_diff_place *p = &sub->place.p[*row];

		if (p->up == at->up && p->func == at->func && p->base.i == at->base.i &&
			p->line == at->line) {
			p->path = at->path;
			return AS_OK;
		}
	}
	*row = (uint32_t)sub->place.n;
	if (sub->place.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	AS_TRY(as_memory(as_vec_push(sub->fig.al, &sub->place, *at)));
	sub->fig.key.n = sub->place.n; /* a count only: PLACE has the keys */
	return as_index_add(&sub->index, hash, *row) ? AS_OK : AS_E_NOMEM;
}

static void add_item(struct as_diff *d, struct as_diff_run *run, const struct items *it, size_t i)
{
	uint32_t at = it->row[i];
	as_val *self = run->self + (size_t)at * d->n_events;
	as_val *incl = run->incl + (size_t)at * d->n_events;

	as_assert(at < run->n_rows);
	for (uint32_t e = 0; e < d->n_events; e++) {
		if (run->column[e] == UINT32_MAX)
			continue;
		self[e] += it->self[i * it->e + run->column[e]];
		incl[e] += it->incl[i * it->e + run->column[e]];
	}
	/* What two rows have in common is not known, unless all rows have one: then they stand side
	 * by side. */
	if (it->has_incl && (!it->has_incl[i] || run->has[at] & AS_DIFF_HAS))
		run->has[at] &= (uint8_t)~AS_DIFF_INCL;
	else
		run->has[at] |= AS_DIFF_INCL;
	run->has[at] |= AS_DIFF_HAS;
}

bool as_diff_run_values(const struct as_diff *d, struct as_diff_run *run)
{
	size_t size;

	run->n_rows = (uint32_t)d->key.n;
	size = (size_t)run->n_rows * d->n_events * sizeof(as_val);
	run->self = as_alloc_new(d->al, size);
	run->incl = as_alloc_new(d->al, size);
	run->has = as_alloc_new(d->al, run->n_rows);
	return (!size || (run->self && run->incl)) && (!run->n_rows || run->has);
}

/* A run like the last one of the comparison, with its own rows. */
static enum as_code diff_sub_add_run(struct as_diff_sub *sub, const struct items *it)
{
	struct as_diff *d = &sub->fig;
	struct as_diff_run run = sub->of->run.p[sub->of->run.n - 1];

	as_assert(d->run.n + 1 == sub->of->run.n);
	d->n_events = sub->of->n_events;
	d->event = sub->of->event;
	if (!as_diff_run_values(d, &run) || !as_vec_push(d->al, &d->run, run)) {
		as_diff_free_values(d, &run);
		return AS_E_NOMEM;
	}
	for (size_t i = 0; i < it->n; i++)
		if (it->row[i] != UINT32_MAX)
			add_item(d, &d->run.p[d->run.n - 1], it, i);
	return AS_OK;
}

/* ---- the tree ---- */

/* The functions of CT as rows of the comparison. */
static enum as_code tree_funcs(struct as_diff *of, const struct as_calltree *ct, uint32_t *func)
{
	for (uint32_t k = 0; k < ct->key.n; k++) {
		struct as_diff_func f = {as_calltree_name(ct, k), ct->key.p[k].object,
			ct->key.p[k].file, ct->key.p[k].func};

		AS_TRY(as_diff_func_row(of, ct->prof, &f, &func[k]));
	}
	return AS_OK;
}

static enum as_code tree_rows(
	struct as_diff_sub *sub, const struct as_calltree *ct, const uint32_t *func, uint32_t *row)
{
	row[0] = UINT32_MAX;
	for (uint32_t i = 1; i < ct->parent.n; i++) {
		uint32_t parent = ct->parent.p[i];
		struct as_diff_place at = {
			.up = parent ? row[parent] + 1 : 0, .func = func[ct->key_of.p[i]]};

		AS_TRY(as_diff_sub_row(sub, &at, &row[i]));
	}
	return AS_OK;
}

static enum as_code diff_sub_put_tree(
	struct as_diff_sub *sub, struct as_calltree *ct, const struct as_alloc *al)
{
	uint32_t *row, *func;
	as_val *self;

	if (!as_alloc_array(al, &row, ct->parent.n) || !as_alloc_array(al, &func, ct->key.n) ||
		!as_alloc_array(al, &self, ct->cost.n))
		return AS_E_NOMEM;
	if (ct->cost.n)
		memcpy(self, ct->cost.p, ct->cost.n * sizeof(as_val));
	as_calltree_to_inclusive(ct);
	AS_TRY(tree_funcs(sub->of, ct, func));
	AS_TRY(tree_rows(sub, ct, func, row));
	if (ct->prof->estimated)
		AS_TRY(as_diff_sub_callers_of(sub, ct, func));
	return diff_sub_add_run(
		sub, &(struct items){ct->parent.n, row, ct->e, self, ct->cost.p, NULL});
}

static enum as_code add_tree(struct as_diff_sub *sub, struct as_calltree *ct)
{
	struct as_pool pool;
	enum as_code rc;

	as_pool_init(&pool, ct->al);
	rc = diff_sub_put_tree(sub, ct, &pool.al);
	as_pool_release(&pool);
	return rc;
}

static enum as_code diff_sub_told(enum as_code rc, struct as_err *err)
{
	if (rc == AS_E_LIMIT)
		return as_err_set(err, rc, "the two sides have more than 2^32 rows");
	return rc == AS_OK ? AS_OK : as_err_no_memory(err);
}

enum as_code as_diff_sub_tree(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err)
{
	struct as_calltree_opts opts = {.keep_contexts = sub->of->opts.keep_contexts,
		.fold_clones = !sub->of->opts.keep_clones,
		.whole_objects = true};
	struct as_calltree ct;
	enum as_code rc = as_calltree_make(&ct, prof, &opts, err);

	AS_THEN(rc, diff_sub_told(add_tree(sub, &ct), err));
	sub->of->is_estimated |= prof->estimated;
	as_calltree_release(&ct);
	return rc;
}

/* As the picture of one profile has its ways up. */
static enum as_code add_ways_up(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err)
{
	struct as_path_tree_opts opts = {.keep_contexts = sub->of->opts.keep_contexts,
		.no_cycles = sub->of->opts.no_cycles,
		.fold_clones = !sub->of->opts.keep_clones,
		.whole_objects = true,
		.way = AS_TREE_BOTTOM_UP};
	struct as_calltree ct = {.al = prof->al};
	struct as_path_source paths;
	enum as_code rc;

	rc = as_path_source_make(&paths, prof, true, err);
	AS_THEN(rc, as_path_source_tree(&paths, &opts, &ct, err));
	AS_THEN(rc, diff_sub_told(add_tree(sub, &ct), err));
	if (rc == AS_OK)
		sub->of->is_estimated |= paths.prof->estimated;
	as_calltree_release(&ct);
	as_path_source_release(&paths);
	return rc;
}

enum as_code as_diff_sub_paths(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err)
{
	struct as_profile *estimate = NULL;
	enum as_code rc;

	if (sub->way != AS_TREE_CALLEES)
		return add_ways_up(sub, prof, err);
	if (prof->call.n || prof->self.n)
		AS_TRY(as_estimate_paths(prof, &estimate, NULL, err));
	rc = as_diff_sub_tree(sub, estimate ? estimate : prof, err);
	as_profile_free(estimate);
	return rc;
}

/* ---- lines ---- */

struct liner {
	struct as_diff_sub *sub;
	const struct as_profile *prof;
	struct as_fold fold;
	uint32_t *func; /* of each function of PROF: its row + 1; 0 = not asked for yet */
};

static enum as_code func_row(struct liner *l, as_func f, uint32_t *row)
{
	const struct as_profile *prof = l->prof;
	struct as_diff_func func = {as_fold_func_name(&l->fold, prof, f), prof->func.object.p[f.i],
		prof->func.file.p[f.i], f};

	if (!l->func[f.i]) {
		AS_TRY(as_diff_func_row(l->sub->of, prof, &func, row));
		l->func[f.i] = *row + 1;
	}
	*row = l->func[f.i] - 1;
	return AS_OK;
}

static enum as_code line_rows(struct liner *l, const struct as_table *t, uint32_t *row)
{
	struct as_strings *strings = &l->sub->of->strings;

	for (uint32_t r = 0; r < t->n; r++) {
		struct as_slice path = as_file_path(l->prof, t->key[r].file);
		struct as_diff_place at = {.line = t->key[r].line};

		row[r] = UINT32_MAX;
		if (t->key[r].is_cycle)
			continue;
		AS_TRY(func_row(l, t->key[r].func, &at.func));
		AS_TRY(as_memory(as_strings_add(strings, path, &at.path) &&
				 as_strings_add(strings, as_base_name(path), &at.base)));
		AS_TRY(as_diff_sub_row(l->sub, &at, &row[r]));
	}
	return AS_OK;
}

static enum as_code add_lines(struct liner *l, const struct as_table *t)
{
	struct as_pool pool;
	uint32_t *row;
	enum as_code rc = AS_E_NOMEM;

	as_pool_init(&pool, l->prof->al);
	if (as_alloc_array(&pool.al, &row, t->n) &&
		as_alloc_array(&pool.al, &l->func, l->prof->func.name.n) &&
		as_fold_init(&l->fold, l->prof, l->sub->of->opts.keep_contexts,
			!l->sub->of->opts.keep_clones))
		rc = line_rows(l, t, row);
	AS_THEN(rc, diff_sub_add_run(l->sub, &(struct items){t->n, row, t->n_events, t->self,
						     t->incl, t->has_incl}));
	as_fold_release(&l->fold);
	as_pool_release(&pool);
	return rc;
}

enum as_code as_diff_sub_lines(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err)
{
	struct as_project_opts po = {.by = AS_BY_LINE,
		.keep_contexts = sub->of->opts.keep_contexts,
		.no_cycles = sub->of->opts.no_cycles,
		.exec = sub->of->opts.exec};
	struct liner l = {.sub = sub, .prof = prof};
	struct as_table *t;
	enum as_code rc;

	l.fold.al = prof->al;
	AS_TRY(as_project(prof, &po, &t, err));
	rc = diff_sub_told(add_lines(&l, t), err);
	as_table_free(t);
	return rc;
}

/* ---- calls ---- */

/* Of each edge its row, by way of that of each function. */
static enum as_code call_rows(
	struct as_diff_sub *sub, const struct as_table *t, uint32_t *func, uint32_t *row)
{
	for (uint32_t r = 0; r < t->n; r++) {
		struct as_diff_func f = {
			as_table_func_name(t, r), t->key[r].object, t->key[r].file, t->key[r].func};

		func[r] = UINT32_MAX;
		if (!t->key[r].is_cycle)
			AS_TRY(as_diff_func_row(sub->of, t->prof, &f, &func[r]));
	}
	for (size_t i = 0; i < t->n_edges; i++) {
		struct as_diff_place at = {
			.up = func[t->edge[i].from], .func = func[t->edge[i].to]};

		row[i] = UINT32_MAX;
		if (at.up != at.func && at.up != UINT32_MAX && at.func != UINT32_MAX)
			AS_TRY(as_diff_sub_row(sub, &at, &row[i]));
	}
	return AS_OK;
}

static enum as_code diff_sub_put_calls(
	struct as_diff_sub *sub, const struct as_table *t, const struct as_alloc *al)
{
	size_t n = t->n_edges * t->n_events;
	uint32_t *row, *func;
	as_val *cost, *none;

	AS_TRY(as_memory(as_alloc_array(al, &row, t->n_edges) && as_alloc_array(al, &func, t->n) &&
			 as_alloc_array(al, &cost, n) && as_alloc_array(al, &none, n)));
	AS_TRY(call_rows(sub, t, func, row));
	for (size_t i = 0; i < t->n_edges; i++)
		memcpy(cost + i * t->n_events, t->edge[i].cost, t->n_events * sizeof(*cost));
	return diff_sub_add_run(
		sub, &(struct items){t->n_edges, row, t->n_events, none, cost, NULL});
}

static enum as_code add_calls(struct as_diff_sub *sub, const struct as_table *t)
{
	struct as_pool pool;
	enum as_code rc;

	as_pool_init(&pool, sub->fig.al);
	rc = diff_sub_put_calls(sub, t, &pool.al);
	as_pool_release(&pool);
	return rc;
}

enum as_code as_diff_sub_calls(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err)
{
	struct as_project_opts po = {.by = AS_BY_FUNC,
		.keep_contexts = sub->of->opts.keep_contexts,
		.no_cycles = sub->of->opts.no_cycles,
		.fold_clones = !sub->of->opts.keep_clones,
		.whole_objects = true,
		.want_edges = true,
		.exec = sub->of->opts.exec};
	struct as_table *t;
	enum as_code rc;

	AS_TRY(as_project(prof, &po, &t, err));
	rc = diff_sub_told(add_calls(sub, t), err);
	as_table_free(t);
	return rc;
}

/* ---- verdicts ---- */

enum as_code as_diff_sub_judge(struct as_diff_sub *sub, bool inclusive, struct as_err *err)
{
	struct as_diff *d = &sub->fig;
	const struct as_diff *of = sub->of;

	as_assert(of->order && d->run.n == of->run.n);
	d->n_side[AS_BASE] = of->n_side[AS_BASE];
	d->n_side[AS_NEW] = of->n_side[AS_NEW];
	d->is_filtered = of->is_filtered;
	for (uint32_t e = 0; e < d->n_events; e++)
		if (d->event[e].is_fine && !as_diff_fits(d, e))
			return as_err_set(err, AS_E_LIMIT, "costs of '%.*s' exceed 127 bits",
				AS_SLICE_FMT(as_diff_str(of, d->event[e].name)));
	return diff_sub_told(as_diff_judge(d, of->sort_event, inclusive), err);
}
