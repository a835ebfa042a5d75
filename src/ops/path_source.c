/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/path_source.h"

#include "ops/transform.h"

enum as_code as_path_source_make(
	struct as_path_source *p, const struct as_profile *src, uint32_t event, struct as_err *err)
{
	*p = (struct as_path_source){.src = src, .prof = src, .shape = as_shape_text(src)};
	if (!src->call.n && !src->self.n)
		return AS_OK;
	AS_TRY(as_estimate_paths_by(src, event, &p->estimate, NULL, err));
	p->prof = p->estimate;
	return AS_OK;
}

void as_path_source_release(struct as_path_source *p)
{
	as_table_free(p->calls);
	as_profile_free(p->estimate);
	*p = (struct as_path_source){0};
}

/* Who calls whom, where that says more than the paths do. */
static enum as_code find_calls(
	struct as_path_source *p, const struct as_path_tree_opts *opts, struct as_err *err)
{
	struct as_project_opts project = {.by = AS_BY_FUNC,
		.keep_contexts = opts->keep_contexts,
		.no_cycles = opts->no_cycles,
		.want_callees = true};

	if (!p->estimate || p->calls)
		return AS_OK;
	AS_TRY(as_project(p->src, &project, &p->calls, err));
	if (opts->see_calls)
		opts->see_calls(opts->ctx, p->calls);
	as_table_drop_incl(p->calls);
	return AS_OK;
}

enum as_code as_path_source_tree(struct as_path_source *p, const struct as_path_tree_opts *opts,
	struct as_calltree *ct, struct as_err *err)
{
	bool down = opts->way == AS_TREE_CALLEES;
	struct as_calltree_opts how = {.keep_contexts = opts->keep_contexts,
		.below = down ? opts->of : NULL,
		.min = down && !p->estimate ? opts->min : 0,
		.event = opts->event};

	AS_TRY(as_calltree_make(ct, p->prof, &how, err));
	if (!opts->of && !opts->keep_paths)
		as_profile_drop_paths(p->estimate);
	AS_TRY(find_calls(p, opts, err));
	if (!p->calls)
		return AS_OK;
	/* Without its cycles nobody knows of a function that it is reached by one way only. */
	if (as_calltree_mark_recursive(ct, p->calls) != AS_OK ||
		(!opts->no_cycles &&
			as_calltree_settle(ct, p->calls, opts->way, opts->of) != AS_OK))
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	return AS_OK;
}
