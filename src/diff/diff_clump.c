/* SPDX-License-Identifier: Apache-2.0 */
/* Samples that came with one signal are one observation: docs/diff.md. */
#include "diff/diff_impl.h"

#define SQUARES "assay: squares of their samples"
#define WITHOUT_SIGNAL "assay: samples of threads that ended before them"

/* The sum over all parts; false if one of them does not say it. */
static bool sum_up(const struct as_profile *prof, const char *key, bool all, as_uval *sum)
{
	*sum = 0;
	for (uint32_t i = 0; i < prof->part.n; i++) {
		uint64_t v = 0;

		if (prof->part.p[i].n_labels) /* split off the one before it */
			continue;
		if (!as_slice_dec(as_meta_get(prof, i, key), &v) && all)
			return false;
		*sum += v;
	}
	return prof->part.n > 0;
}

/* How many samples there were: of the first event that counts them. */
static as_val count_samples(const struct as_profile *prof)
{
	for (uint32_t e = 0; e < as_n_events(prof); e++) {
		struct as_slice unit = as_str_get(prof, prof->event.p[e].unit);

		if (!unit.len || as_slice_is(unit, "count"))
			return as_whole(prof)[e];
	}
	return 0;
}

double as_diff_clump(const struct as_profile *prof)
{
	as_uval squares, without;
	as_val known = count_samples(prof);
	double clump;

	if (!sum_up(prof, SQUARES, true, &squares))
		return 1;
	(void)sum_up(prof, WITHOUT_SIGNAL, false, &without);
	if (known <= 0 || (as_uval)known <= without)
		return 1;
	known -= (as_val)without;
	clump = (double)squares / (double)known;
	/* each square is its samples at least, and the square of them all at most */
	return clump < 1 ? 1 : clump > (double)known ? (double)known : clump;
}

/* Time is as many samples as it has periods. */
static double clump_samples(const struct as_profile *prof)
{
	const struct as_event *e = prof->event.p;
	struct as_slice unit;

	if (!as_n_events(prof) || !e->period || prof->total[0] <= 0)
		return 0;
	unit = as_str_get(prof, e->unit);
	if (!unit.len || as_slice_is(unit, "count"))
		return (double)prof->total[0];
	return e->unit.i == e->period_unit.i ? (double)prof->total[0] / (double)e->period : 0;
}

double as_diff_observations(const struct as_profile *prof)
{
	return clump_samples(prof) / as_diff_clump(prof);
}
