/* SPDX-License-Identifier: Apache-2.0 */
#include "tree/path_source.h"

#include "change/transform.h"

enum as_code as_path_source_make(
	struct as_path_source *p, const struct as_profile *src, bool trees, struct as_err *err)
{
	*p = (struct as_path_source){
		.src = src, .prof = src, .shape = as_shape_text(src), .all.al = src->al};
	if (!src->call.n && !src->self.n)
		return AS_OK;
	/* Trees come straight out of calls; paths that are there, too, must be copied. */
	if (!trees || !src->call.n || src->sample.node.n || !as_n_events(src)) {
		AS_TRY(as_estimate_paths(src, &p->estimate, NULL, err));
		p->prof = p->estimate;
		return AS_OK;
	}
	p->marked = as_alloc_new(src->al, sizeof(*p->marked));
	AS_TRY(as_err_memory(err, p->marked));
	*p->marked = *src;
	p->marked->estimated = true;
	p->prof = p->marked;
	return AS_OK;
}

void as_path_source_release(struct as_path_source *p)
{
	if (p->has_all)
		as_calltree_release(&p->all);
	as_table_free(p->calls);
	as_profile_free(p->estimate);
	if (p->marked)
		as_alloc_free(p->src->al, p->marked, sizeof(*p->marked));
	*p = (struct as_path_source){0};
}

/* Who calls whom, where that says more than the paths do. */
static enum as_code find_calls(
	struct as_path_source *p, const struct as_path_tree_opts *opts, struct as_err *err)
{
	struct as_project_opts project = {.by = AS_BY_FUNC,
		.keep_contexts = opts->keep_contexts,
		.no_cycles = opts->no_cycles,
		.fold_clones = opts->fold_clones,
		.whole_objects = opts->whole_objects,
		.want_callees = true};

	if ((!p->estimate && !p->marked) || p->calls)
		return AS_OK;
	AS_TRY(as_project(p->src, &project, &p->calls, err));
	if (opts->see_calls)
		opts->see_calls(opts->ctx, p->calls);
	as_table_drop_incl(p->calls);
	return AS_OK;
}

/* All paths, of which CALLS tells; costs go up by the functions that the profile tells apart, with
 * their contexts, and no cycle is left out. */
static enum as_code path_source_estimate_all(
	struct as_path_source *p, const struct as_path_tree_opts *opts, struct as_err *err)
{
	struct as_project_opts project = {
		.by = AS_BY_FUNC, .keep_contexts = true, .want_callees = true};
	size_t size;
	struct as_table *t;
	uint32_t *row;
	enum as_code rc;

	if (!opts->no_cycles && !opts->whole_objects && !as_table_folds(p->calls))
		return as_calltree_estimate(&p->all, p->calls, p->calls, NULL, err);
	AS_TRY(as_project(p->src, &project, &t, err));
	as_table_drop_incl(t);
	size = t->n * sizeof(*row) + 1;
	row = as_alloc_new(p->src->al, size);
	rc = row && as_table_rows_in(p->calls, t, row) == AS_OK
		     ? as_calltree_estimate(&p->all, t, p->calls, row, err)
		     : as_err_no_memory(err);
	as_alloc_free(p->src->al, row, size);
	as_table_free(t);
	return rc;
}

static enum as_code tree_of_calls(struct as_path_source *p, const struct as_path_tree_opts *opts,
	struct as_calltree *ct, struct as_err *err)
{
	enum as_code rc = AS_OK;

	*ct = (struct as_calltree){.al = p->src->al};
	AS_TRY(find_calls(p, opts, err));
	if (!p->has_all)
		rc = path_source_estimate_all(p, opts, err);
	if (rc != AS_OK) { /* a tree that is not finished must not answer the next question */
		as_calltree_release(&p->all);
		p->all = (struct as_calltree){.al = ct->al};
		return rc;
	}
	p->has_all = true;
	p->all.prof = p->prof;
	if (opts->keep_paths || opts->of)
		return as_calltree_part(
			ct, &p->all, opts->way == AS_TREE_CALLEES ? opts->of : NULL, err);
	*ct = p->all;
	p->all = (struct as_calltree){.al = ct->al};
	p->has_all = false;
	return AS_OK;
}

static enum as_code tree_of_paths(struct as_path_source *p, const struct as_path_tree_opts *opts,
	struct as_calltree *ct, struct as_err *err)
{
	bool down = opts->way == AS_TREE_CALLEES;
	struct as_calltree_opts how = {.keep_contexts = opts->keep_contexts,
		.fold_clones = opts->fold_clones,
		.whole_objects = opts->whole_objects,
		.below = down ? opts->of : NULL,
		.min = down && !p->estimate ? opts->min : 0,
		.event = opts->event};

	AS_TRY(as_calltree_make(ct, p->prof, &how, err));
	if (!opts->of && !opts->keep_paths)
		as_profile_drop_paths(p->estimate);
	return find_calls(p, opts, err);
}

enum as_code as_path_source_tree(struct as_path_source *p, const struct as_path_tree_opts *opts,
	struct as_calltree *ct, struct as_err *err)
{
	AS_TRY(p->marked ? tree_of_calls(p, opts, ct, err) : tree_of_paths(p, opts, ct, err));
	if (!p->calls)
		return AS_OK;
	if (as_calltree_mark_recursive(ct, p->calls) != AS_OK)
		return as_err_no_memory(err);
	/* Where cycles are not known, neither is it known which functions are reached by one way
	 * only. */
	if (opts->no_cycles)
		ct->exact.n = 0;
	else
		as_calltree_settle(ct, p->calls, opts->way, opts->of);
	return AS_OK;
}
