/* SPDX-License-Identifier: Apache-2.0 */
#include "ops/filter.h"

#include "ops/filter_impl.h"
#include "ops/transform.h"

/* ---- rows of self cost: samples of one frame, of two where it is said what was inlined ---- */

/* The run as it is to be copied; false if it goes. */
static bool filter_run(const struct as_filtering *f, const struct as_run *from, struct as_run *to)
{
	unsigned own = as_filter_bits(f, from->func, from->inl.i ? (as_file){0} : from->file);
	unsigned inl = from->inl.i ? as_filter_bits(f, from->inl, from->file) : 0;
	bool shows = as_filter_shows(f, own), shows_inl = from->inl.i && as_filter_shows(f, inl);

	*to = *from;
	if (!as_filter_selects(f, own | inl, own))
		return false;
	if (f->wanted & AS_FILTER_BIT(SHOW_FROM)) {
		shows_inl &= (shows && (own & AS_FILTER_BIT(SHOW_FROM))) ||
			     (inl & AS_FILTER_BIT(SHOW_FROM));
		shows &= (own & AS_FILTER_BIT(SHOW_FROM)) != 0;
	}
	if (shows && (own & AS_FILTER_BIT(PRUNE_FROM)) && !(inl & AS_FILTER_BIT(PRUNE_FROM)))
		shows_inl = false;
	if (!shows)
		to->func = from->inl;
	if (!shows || !shows_inl)
		to->inl.i = 0;
	return shows || shows_inl;
}

static enum as_code filter_self(struct as_filtering *f)
{
	const struct as_rows *rows = &f->c.src->self;
	struct as_run run;

	for (size_t i = 0; i < rows->run.n; i++)
		if (filter_run(f, &rows->run.p[i], &run))
			AS_TRY(as_remap_self_run(&f->c.r, &run));
	return AS_OK;
}

/* Jumps stay with the code that they are in. */
static enum as_code filter_jumps(struct as_filtering *f)
{
	const struct as_rows *rows = &f->c.src->jump;
	struct as_run run;

	for (size_t i = 0; i < rows->run.n; i++)
		if (filter_run(f, &rows->run.p[i], &run) && run.func.i == rows->run.p[i].func.i)
			AS_TRY(as_remap_jump_run(&f->c.r, &rows->run.p[i]));
	return AS_OK;
}

/* ---- the whole ---- */

/* They are the sums of what was there. */
static void forget_declared(struct as_profile *prof)
{
	for (size_t i = 0; i < prof->part.n; i++) {
		struct as_part *p = &prof->part.p[i];

		p->summary = p->totals = NULL;
		p->n_summary = p->n_totals = 0;
	}
}

static enum as_code filter_facts(struct as_filtering *f)
{
	struct as_profile *dst = f->c.b.prof;
	const as_val *whole = as_whole(f->c.src);

	if (f->how->n)
		forget_declared(dst);
	dst->whole = NULL;
	if (!f->how->relative) {
		dst->whole = as_build_values(&f->c.b, whole, f->c.r.e);
		if (!dst->whole)
			return as_remap_no_memory(&f->c.r);
	}
	AS_TRY(as_filter_match(f));
	AS_TRY(filter_self(f));
	AS_TRY(as_remap_call_rows(&f->c.r));
	AS_TRY(filter_jumps(f));
	return as_filter_samples(f);
}

static enum as_code filter_as_it_is(const struct as_profile *prof, const struct as_filter *how,
	bool *matched, struct as_profile **out, struct as_err *err)
{
	struct as_filtering f = {.how = how, .matched = matched};
	enum as_code rc;

	AS_TRY(as_change_begin_parts(&f.c, prof, how->keep_part, err));
	rc = filter_facts(&f);
	as_filter_match_release(&f);
	return as_change_end(&f.c, rc, out);
}

/* ---- calls ---- */

static enum as_code paths_of_calls(const struct as_profile *prof, struct as_filtered *out,
	struct as_losses *l, struct as_err *err)
{
	bool exact;

	AS_TRY(as_filter_calls_are_paths(prof, &exact));
	AS_TRY(as_estimate_paths(prof, &out->prof, l, err));
	if (exact)
		out->prof->estimated = prof->estimated;
	out->estimated = out->prof->estimated;
	return AS_OK;
}

/* First the parts, so that a path is one of theirs. */
static enum as_code filter_calls(const struct as_profile *prof, const struct as_filter *how,
	bool *matched, struct as_filtered *out, struct as_losses *l, struct as_err *err)
{
	struct as_filter parts = {.keep_part = how->keep_part}, rest = *how;
	struct as_profile *chosen = NULL, *paths;
	enum as_code rc = AS_OK;

	rest.keep_part = NULL;
	if (how->keep_part)
		AS_TRY(filter_as_it_is(prof, &parts, NULL, &chosen, err));
	rc = paths_of_calls(chosen ? chosen : prof, out, l, err);
	as_profile_free(chosen);
	AS_TRY(rc);
	paths = out->prof;
	rc = filter_as_it_is(paths, &rest, matched, &out->prof, err);
	as_profile_free(paths);
	return rc;
}

enum as_code as_filter(const struct as_profile *prof, const struct as_filter *how, bool *matched,
	struct as_filtered *out, struct as_losses *l, struct as_err *err)
{
	*out = (struct as_filtered){0};
	if (how->n)
		memset(matched, 0, how->n);
	if (how->n && prof->call.n)
		return filter_calls(prof, how, matched, out, l, err);
	return filter_as_it_is(prof, how, matched, &out->prof, err);
}
