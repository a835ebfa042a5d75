/* SPDX-License-Identifier: Apache-2.0 */
/* Samples that came with one signal are one observation: docs/diff.md. */
#include "diff/diff_impl.h"
#include "model/signals.h"

double as_diff_clump(const struct as_profile *prof)
{
	struct as_signals s = as_signals_of(prof);
	as_uval known = s.samples - s.unsignalled;
	double clump;

	if (!s.known || s.samples <= s.unsignalled)
		return 1;
	clump = (double)s.squares / (double)known;
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
