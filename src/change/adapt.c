/* SPDX-License-Identifier: Apache-2.0 */
/* From what a profile is to what a format can carry. */
#include "change/transform.h"

#include "change/kit/change.h"
#include "formats/run_lines.h"

/* Self rows become paths of one frame, beside the paths that are there. */
static enum as_code all_paths(struct as_change *c, void *none)
{
	(void)none;
	AS_TRY(as_change_self_leaves(c));
	return as_change_samples(c);
}

static bool adapt_carries(const struct as_format *fmt, uint64_t cap)
{
	return fmt->caps & cap;
}

static enum as_code adapt_shape(const struct as_profile *prof, const struct as_format *fmt,
	bool estimate, struct as_profile **out, struct as_err *err)
{
	bool paths = adapt_carries(fmt, AS_CAP(PATHS)), calls = adapt_carries(fmt, AS_CAP(CALLS));
	bool has_paths = prof->shape & AS_SHAPE_PATHS, has_calls = prof->shape & AS_SHAPE_CALLS;

	*out = NULL;
	if (!paths && has_paths)
		return calls ? as_to_calls(prof, out, NULL, err)
			     : as_to_places(prof, out, NULL, err);
	if (!calls && has_calls && !paths)
		return as_to_places(prof, out, NULL, err);
	if (calls || !paths)
		return AS_OK;
	/* The format has paths only: everything must become one. */
	if (has_calls && estimate)
		return as_estimate_paths(prof, out, NULL, err);
	if (has_calls || (prof->shape & AS_SHAPE_PLACES))
		return as_change_run(prof, NULL, all_paths, NULL, out, err);
	return AS_OK;
}

/* Parts become fewer, as OPTS says. What differs between them goes to L, which may be NULL. */
static enum as_code adapt_collapse(const struct as_profile *prof, const struct as_merge_opts *opts,
	struct as_profile **out, struct as_losses *l, struct as_err *err)
{
	struct as_merge *m;
	enum as_code rc;

	*out = NULL;
	AS_TRY(as_merge_new(prof->al, opts, &m, err));
	rc = as_merge_add(m, prof, l);
	if (rc == AS_OK)
		return as_merge_finish(m, out);
	as_merge_free(m);
	return rc;
}

/* The next step of an adaption: *HAVE, NULL as long as SRC itself is good, becomes NEXT. */
static void adapt_step(struct as_profile **have, struct as_profile *next)
{
	if (!next)
		return;
	as_assert(next != *have);
	as_profile_free(*have);
	*have = next;
}

/* Whether PROF has several parts, and not just labels that tell the samples of one apart. */
static bool adapt_has_parts(const struct as_profile *prof)
{
	for (size_t i = 1; i < prof->part.n; i++)
		if (!prof->part.p[i].n_labels)
			return true;
	return false;
}

/* The command that was typed becomes that of the processes that it started. */
static enum as_code adapt_name_tree(
	const struct as_profile *prof, struct as_profile **one, struct as_err *err)
{
	struct as_profile *named;
	struct as_slice command;
	enum as_code rc = AS_OK;
	struct as_arena ar;

	as_arena_init(&ar, prof->al);
	command = as_run_recorded(prof, &ar);
	if (command.p)
		rc = as_with_command(*one, command, 0, false, &named, err);
	as_arena_release(&ar);
	if (!command.p || rc != AS_OK)
		return rc;
	as_profile_free(*one);
	*one = named;
	return AS_OK;
}

/* Parts become one. What FMT would carry of one, but not of all of them, is lost. */
static enum as_code one_part(const struct as_profile *prof, const struct as_format *fmt,
	struct as_profile **out, struct as_losses *l, struct as_err *err)
{
	struct as_merge_opts one = {.keep_parts = false};
	struct as_losses differ;
	enum as_code rc;

	as_losses_init(&differ, prof->al);
	rc = adapt_collapse(prof, &one, out, &differ, err);
	for (size_t i = 0; i < differ.row.n; i++)
		if (adapt_carries(fmt, AS_CAP(PROCESS)) &&
			strcmp(differ.row.p[i].kind, as_cap_kind(AS_CAPBIT_PROCESS)) == 0)
			as_lose(l, AS_CAPBIT_PROCESS, differ.row.p[i].amount);
	as_losses_release(&differ);
	if (rc != AS_OK)
		return rc;
	rc = adapt_name_tree(prof, out, err);
	if (rc != AS_OK)
		as_profile_free(*out);
	return rc;
}

/* Only readers of Callgrind's format know that "f'2" is f. */
static bool adapt_folds(const struct as_format *fmt, const struct as_adapt_opts *opts)
{
	return !opts->keep_contexts && !adapt_carries(fmt, AS_CAP(CONTEXTS)) &&
	       adapt_carries(fmt, AS_CAP(FUNCS));
}

/* Whether F has a name, or is the code of an object whose rows alone have addresses. */
static bool adapt_is_plain(const struct as_profile *prof, as_func f)
{
	struct as_func_row row = as_func_get(prof, f);

	return row.name.i || (f.i && !row.addr && !row.whole);
}

/* Whether FMT writes the self rows of PROF as they are, and nothing else of it: they need not
 * become paths before. */
static bool adapt_takes_rows(
	const struct as_profile *prof, const struct as_format *fmt, bool estimate)
{
	bool has_calls = prof->shape & AS_SHAPE_CALLS;

	if (!(fmt->self_rows || fmt->takes_rows) || prof->label.n || prof->shape & AS_SHAPE_PATHS ||
		!(prof->shape & AS_SHAPE_PLACES) || (has_calls && estimate))
		return false;
	for (size_t i = 0; i < prof->self.run.n; i++) {
		const struct as_run *run = &prof->self.run.p[i];

		if (run->inl.i || (fmt->self_rows && !adapt_is_plain(prof, run->func)))
			return false;
	}
	return fmt->self_rows || fmt->takes_rows(prof);
}

static enum as_code adapt_all(const struct as_profile *prof, const struct as_format *fmt,
	const struct as_adapt_opts *opts, struct as_profile **have, struct as_losses *l,
	struct as_err *err)
{
	struct as_merge_opts unlabelled = {.keep_parts = true, .drop_labels = true};
	bool rows = adapt_takes_rows(prof, fmt, opts->estimate), folds = adapt_folds(fmt, opts);
	struct as_profile *next;

	if (folds)
		as_lose(l, AS_CAPBIT_CONTEXTS, as_count_contexts(prof));
	if (rows)
		AS_TRY(as_to_self_rows(prof,
			&(struct as_self_opts){.fold = folds, .again = fmt->rows_again}, have,
			err));
	else if (folds)
		AS_TRY(as_fold_contexts(prof, have, err));
	if (prof->label.n && !adapt_carries(fmt, AS_CAP(LABELS))) {
		AS_TRY(adapt_collapse(*have ? *have : prof, &unlabelled, &next, NULL, err));
		adapt_step(have, next);
	}
	if (!rows) {
		AS_TRY(adapt_shape(*have ? *have : prof, fmt, opts->estimate, &next, err));
		adapt_step(have, next);
	}
	if (adapt_has_parts(*have ? *have : prof) && !adapt_carries(fmt, AS_CAP(PARTS))) {
		AS_TRY(one_part(*have ? *have : prof, fmt, &next, l, err));
		adapt_step(have, next);
	}
	return AS_OK;
}

enum as_code as_adapt(const struct as_profile *prof, const struct as_format *fmt,
	const struct as_adapt_opts *opts, struct as_profile **out, struct as_losses *l,
	struct as_err *err)
{
	enum as_code rc;

	*out = NULL;
	rc = adapt_all(prof, fmt, opts, out, l, err);
	if (rc == AS_OK && l && !as_losses_by_caps(l, prof, fmt))
		rc = as_err_no_memory(err);
	if (rc != AS_OK) {
		as_profile_free(*out);
		*out = NULL;
	}
	return rc;
}
