/* SPDX-License-Identifier: Apache-2.0 */
#include "model/signals.h"

/* The sum over all parts; false if one of them does not say it. */
static bool signals_sum(const struct as_profile *prof, const char *key, as_uval *sum)
{
	bool all = prof->part.n > 0;

	*sum = 0;
	for (uint32_t i = 0; i < prof->part.n; i++) {
		uint64_t v = 0;

		if (prof->part.p[i].n_labels) /* split off the one before it */
			continue;
		all &= as_slice_dec(as_meta_get(prof, i, key), &v);
		*sum += v;
	}
	return all;
}

/* How many samples there were: of the first event that counts them. */
static as_uval signals_samples(const struct as_profile *prof)
{
	for (uint32_t e = 0; e < as_n_events(prof); e++) {
		struct as_slice unit = as_str_get(prof, prof->event.p[e].unit);
		as_val n = as_whole(prof)[e];

		if (!unit.len || as_slice_is(unit, "count"))
			return n > 0 ? (as_uval)n : 0;
	}
	return 0;
}

struct as_signals as_signals_of(const struct as_profile *prof)
{
	struct as_signals s = {0};

	s.known = signals_sum(prof, AS_META_SQUARES, &s.squares);
	(void)signals_sum(prof, AS_META_SIGNALS, &s.signals);
	(void)signals_sum(prof, AS_META_UNSIGNALLED, &s.unsignalled);
	if (!signals_sum(prof, AS_META_SAMPLES, &s.samples))
		s.samples = signals_samples(prof);
	return s;
}
