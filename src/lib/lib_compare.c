/* SPDX-License-Identifier: Apache-2.0 */
/* The public API: comparisons. */
#include "lib/lib_impl.h"

#include <stdio.h>

#include "session/compare.h"
#include "session/filters.h"

_Static_assert((int)ASSAY_NORM_AUTO == (int)AS_NORM_AUTO, "scales differ");
_Static_assert((int)ASSAY_NORM_NONE == (int)AS_NORM_NONE, "scales differ");
_Static_assert((int)ASSAY_NORM_TOTAL == (int)AS_NORM_TOTAL, "scales differ");
_Static_assert((int)ASSAY_NORM_TIME == (int)AS_NORM_TIME, "scales differ");
_Static_assert((int)ASSAY_DIFF_SAME == (int)AS_DIFF_SAME, "verdicts differ");
_Static_assert((int)ASSAY_DIFF_NOISE == (int)AS_DIFF_NOISE, "verdicts differ");
_Static_assert((int)ASSAY_DIFF_CHANCE == (int)AS_DIFF_CHANCE, "verdicts differ");
_Static_assert((int)ASSAY_DIFF_SURE == (int)AS_DIFF_SURE, "verdicts differ");

struct assay_comparison {
	const struct as_alloc *al;
	struct as_compare c;
};

static enum as_code compare_options(struct assay_compare_options *o,
	const struct assay_compare_options *given, struct as_err *err)
{
	if (!as_lib_take(o, sizeof(*o), given) || (unsigned)o->by > ASSAY_BY_LINE ||
		(unsigned)o->norm > ASSAY_NORM_TIME)
		return as_err_set(err, AS_E_ARG,
			"the options have no size, or ask for what this version does not know");
	if (!o->base || !o->changed || !o->n_base || !o->n_changed || o->n_base > UINT32_MAX / 4 ||
		o->n_changed > UINT32_MAX / 4)
		return as_err_set(err, AS_E_ARG, "a side has no runs");
	return AS_OK;
}

static enum as_code compare_add_side(
	struct as_compare *c, enum as_side side, struct assay_profile *const *runs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct as_profile *prof = as_lib_profile(runs[i]);
		struct as_compare_run run = {.side = side, .prof = prof};
		char name[48];

		if (!prof)
			return as_err_set(&c->err, AS_E_ARG, "a run is no profile");
		run.name = (struct as_slice){
			name, (size_t)snprintf(name, sizeof(name), "%s run %zu",
				      side == AS_BASE ? "base" : "changed", i + 1)};
		run.is_void = prof->whole && as_is_void(prof);
		AS_TRY(as_compare_add(c, &run));
	}
	return AS_OK;
}

static enum as_code compare_runs(
	struct assay_comparison *cmp, const struct assay_compare_options *o)
{
	struct as_compare_ask ask = {.kind = AS_DIFF_TABLE,
		.by = (enum as_by)o->by,
		.norm = (enum as_norm)o->norm,
		.keep_contexts = o->keep_contexts,
		.keep_clones = o->keep_clones,
		.no_cycles = o->no_cycles,
		.all_events = true,
		.inclusive = o->inclusive,
		.n_runs = (unsigned)(o->n_base + o->n_changed)};

	if (o->event)
		ask.sort = as_slice_of(o->event);
	AS_TRY(as_compare_begin(&cmp->c, cmp->al, &ask));
	AS_TRY(compare_add_side(&cmp->c, AS_BASE, o->base, o->n_base));
	AS_TRY(compare_add_side(&cmp->c, AS_NEW, o->changed, o->n_changed));
	return as_compare_finish(&cmp->c);
}

static enum as_code compare_new(const struct assay_compare_options *given,
	struct assay_comparison **out, struct as_err *err)
{
	struct assay_compare_options o;
	struct assay_comparison *cmp;
	const struct as_alloc *al;
	enum as_code rc;

	AS_TRY(compare_options(&o, given, err));
	al = as_lib_alloc(o.allocator);
	cmp = as_alloc_new(al, sizeof(*cmp));
	AS_TRY(as_err_memory(err, cmp));
	cmp->al = al;
	rc = compare_runs(cmp, &o);
	*err = cmp->c.err;
	if (rc == AS_OK)
		*out = cmp;
	else
		assay_comparison_free(cmp);
	return rc;
}

enum assay_code assay_compare(const struct assay_compare_options *opts,
	struct assay_comparison **out, struct assay_error *err)
{
	struct as_err e;
	enum as_code rc;

	if (out)
		*out = NULL;
	if (!out)
		return as_lib_misuse(err, "no place for the comparison");
	as_err_clear(&e);
	rc = compare_new(opts, out, &e);
	return as_lib_end(rc, &e, err);
}

void assay_comparison_free(struct assay_comparison *cmp)
{
	if (!cmp)
		return;
	as_compare_release(&cmp->c);
	as_alloc_free(cmp->al, cmp, sizeof(*cmp));
}

uint32_t assay_comparison_events(const struct assay_comparison *cmp)
{
	return cmp ? cmp->c.d->n_events : 0;
}

enum assay_code assay_comparison_event(
	const struct assay_comparison *cmp, uint32_t i, struct assay_diff_event *out)
{
	struct assay_diff_event own = {0};
	const struct as_diff_event *ev;

	if (i >= assay_comparison_events(cmp))
		return ASSAY_E_ARG;
	ev = &cmp->c.d->event[i];
	own.name = as_lib_slice(as_diff_str(cmp->c.d, ev->name));
	own.unit = as_lib_slice(as_diff_unit(cmp->c.d, ev));
	own.decimals = ev->decimals;
	own.comparable = ev->is_fine;
	own.sampled = ev->is_sampled;
	own.norm = (enum assay_norm)ev->norm;
	return as_lib_give(out, &own, sizeof(own));
}

size_t assay_comparison_rows(const struct assay_comparison *cmp)
{
	return cmp ? cmp->c.d->key.n : 0;
}

enum assay_code assay_comparison_row(
	const struct assay_comparison *cmp, size_t i, struct assay_diff_row *out)
{
	struct assay_diff_row own = {0};
	struct as_diff_row_key key;
	uint32_t row;

	if (i >= assay_comparison_rows(cmp))
		return ASSAY_E_ARG;
	as_assert(cmp->c.d->order);
	row = cmp->c.d->order[i];
	key = as_diff_key_of(cmp->c.d, row);
	own.function = as_lib_slice(key.function);
	own.file = as_lib_slice(key.file);
	own.object = as_lib_slice(key.object);
	own.line = cmp->c.d->key.p[row].line;
	own.in_base = as_diff_has(cmp->c.d, row, AS_BASE);
	own.in_changed = as_diff_has(cmp->c.d, row, AS_NEW);
	return as_lib_give(out, &own, sizeof(own));
}

enum assay_code assay_comparison_figure(const struct assay_comparison *cmp, size_t i,
	uint32_t event, bool inclusive, struct assay_figure *out)
{
	struct assay_figure own = {0};
	const struct as_diff *d;
	struct as_diff_fig fig;

	if (event >= assay_comparison_events(cmp) ||
		(i != ASSAY_TOTAL && i >= assay_comparison_rows(cmp)))
		return ASSAY_E_ARG;
	d = cmp->c.d;
	fig = i == ASSAY_TOTAL ? as_diff_total(d, event)
			       : as_diff_figure(d, d->order[i], event, inclusive);
	own.known = fig.known;
	own.base = as_lib_value(fig.value[AS_BASE]);
	own.changed = as_lib_value(fig.value[AS_NEW]);
	own.verdict = (enum assay_verdict)fig.verdict;
	own.noisy = d->event[event].noise != AS_NOISE_NONE;
	own.low = as_lib_value(fig.lo);
	own.high = as_lib_value(fig.hi);
	own.p = fig.p;
	return as_lib_give(out, &own, sizeof(own));
}
