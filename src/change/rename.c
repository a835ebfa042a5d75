/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Profiles whose functions have other names. The functions in the result are made before the facts
 * ask for them.
 */
#include "change/kit/change.h"
#include "change/kit/context.h"
#include "change/transform.h"

/* ROW is what F is in the result. */
static enum as_code rename_to_row(struct as_change *c, as_func f, const struct as_func_row *row)
{
	as_func func;

	AS_TRY(as_build_func_row(&c->b, row, &func));
	c->r.func[f.i] = func.i + 1;
	return AS_OK;
}

static enum as_code rename_to(struct as_change *c, as_func f, struct as_slice name)
{
	struct as_func_row row;

	if (as_slice_eq(name, as_func_name(c->src, f)))
		return AS_OK;
	AS_TRY(as_remap_func_row(&c->r, f, &row));
	AS_TRY(as_build_str(&c->b, name, &row.name));
	return rename_to_row(c, f, &row);
}

/* ---- names that a view would show, for good ---- */

static enum as_code rename_as_shown(struct as_change *c, void *shown)
{
	for (as_func f = {1}; f.i < c->src->func.name.n; f.i++)
		AS_TRY(rename_to(c, f, as_shown_find(shown, as_func_name(c->src, f))));
	return as_change_facts(c, NULL);
}

enum as_code as_rename(const struct as_profile *prof, const struct as_renamer *how,
	struct as_profile **out, struct as_err *err)
{
	struct as_shown shown;
	enum as_code rc;

	*out = NULL;
	as_shown_init(&shown, prof->al, how);
	rc = as_show_names_of(&shown, prof, err);
	if (rc == AS_OK && !as_shown_complete(&shown))
		rc = as_err_no_memory(err);
	AS_THEN(rc, as_change_run(prof, NULL, rename_as_shown, &shown, out, err));
	as_shown_release(&shown);
	return rc;
}

/* ---- functions that only Callgrind's contexts tell apart ("f'2", "f'main") ---- */

static struct as_slice rename_folded_name(const struct as_profile *prof, as_func f)
{
	return as_fold_context(prof, as_func_name(prof, f));
}

uint64_t as_count_contexts(const struct as_profile *prof)
{
	uint64_t n = 0;

	if (!as_has_contexts(prof))
		return 0;
	for (as_func f = {1}; f.i < prof->func.name.n; f.i++)
		n += rename_folded_name(prof, f).len != as_func_name(prof, f).len;
	return n;
}

static enum as_code rename_folded(struct as_change *c, void *none)
{
	(void)none;
	for (as_func f = {1}; f.i < c->src->func.name.n; f.i++)
		AS_TRY(rename_to(c, f, rename_folded_name(c->src, f)));
	return as_change_facts(c, NULL);
}

enum as_code as_fold_contexts(
	const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	*out = NULL;
	if (!as_count_contexts(prof))
		return AS_OK;
	return as_change_run(prof, NULL, rename_folded, NULL, out, err);
}

/* Functions that have no rows are not made. */
static enum as_code rename_self_rows(struct as_change *c, void *ctx)
{
	const struct as_self_opts *opts = ctx;
	const struct as_rows *rows = &c->src->self;
	struct as_rows *to = &c->b.prof->self;
	struct as_run *run;

	as_assert(c->r.same_events && !c->r.times && !c->r.moves); /* rows stay what they are */
	AS_TRY(as_memory(as_alloc_array(c->al, &run, rows->run.n)));
	for (size_t r = 0; opts->fold && r < rows->run.n; r++) {
		as_func f = rows->run.p[r].func;

		if (!c->r.func[f.i])
			AS_TRY(rename_to(c, f, rename_folded_name(c->src, f)));
	}
	for (size_t r = 0; r < rows->run.n; r++) {
		run[r] = rows->run.p[r];
		if (run[r].n)
			AS_TRY(as_remap_run_key(&c->r, &run[r]));
	}
	return (opts->again ? as_rows_copy(to, rows, run)
			    : as_rows_compact_to(to, rows, run, AS_KEYS_SELF))
		       ? AS_OK
		       : AS_E_NOMEM;
}

enum as_code as_to_self_rows(const struct as_profile *prof, const struct as_self_opts *opts,
	struct as_profile **out, struct as_err *err)
{
	struct as_self_opts own = *opts;

	return as_change_run(prof, NULL, rename_self_rows, &own, out, err);
}

/* ---- names that are addresses: Callgrind's, of functions that nothing names ---- */

/* "0x0000000000777d10", with contexts behind it. Within one build it says where the function
 * begins, to another build nothing: there it is code without a name. */
static bool rename_is_address(const struct as_profile *prof, as_func f, uint64_t *addr)
{
	struct as_slice name = rename_folded_name(prof, f);

	return as_slice_starts(name, "0x") && as_slice_hex(as_slice_skip(name, 2), addr);
}

static enum as_code rename_to_nothing(struct as_change *c, void *none)
{
	struct as_func_row row;
	uint64_t addr;

	(void)none;
	for (as_func f = {1}; f.i < c->src->func.name.n; f.i++) {
		if (!rename_is_address(c->src, f, &addr))
			continue;
		AS_TRY(as_remap_func_row(&c->r, f, &row));
		row.name = row.system = (as_str){0};
		row.addr = addr;
		row.whole = true;
		AS_TRY(rename_to_row(c, f, &row));
	}
	return as_change_facts(c, NULL);
}

enum as_code as_unname(const struct as_profile *prof, struct as_profile **out, struct as_err *err)
{
	uint64_t addr;

	*out = NULL;
	for (as_func f = {1}; f.i < prof->func.name.n; f.i++)
		if (rename_is_address(prof, f, &addr))
			return as_change_run(prof, NULL, rename_to_nothing, NULL, out, err);
	return AS_OK;
}
