/* SPDX-License-Identifier: Apache-2.0 */
/* What a reader has added up, counted again from the paths of the same input. */
#ifndef AS_TESTS_SUMS_ORACLE_H
#define AS_TESTS_SUMS_ORACLE_H

#include <stdlib.h>

#include "model/profile.h"

/* One row of a table of functions. */
static inline bool sums_same_func(
	const struct as_profile *a, as_func f, const struct as_profile *b, as_func g)
{
	/* Objects of one path may be several; both readings find them in the same order. */
	return as_slice_eq(as_func_name(a, f), as_func_name(b, g)) &&
	       a->func.object.p[f.i].i == b->func.object.p[g.i].i &&
	       as_slice_eq(as_file_path(a, a->func.file.p[f.i]),
		       as_file_path(b, b->func.file.p[g.i])) &&
	       as_slice_eq(
		       as_str_get(a, as_func_system(a, f)), as_str_get(b, as_func_system(b, g)));
}

/* Node N, not the root, is in the same function as its parent, inlined: it is no call. */
static inline bool sums_same_code(const struct as_profile *prof, size_t n)
{
	uint32_t parent = prof->node.parent.p[n].i;
	as_place place = prof->node.place.p[n], around = prof->node.place.p[parent];

	return parent && prof->place.inlined.p[place.i] &&
	       sums_same_func(
		       prof, prof->place.func.p[place.i], prof, prof->place.func.p[around.i]);
}

/* Row I of SUMS is what the paths of PROF say. TIMES and LIVE have an element for each node; those
 * of the row's own nodes in LIVE become 0. */
static inline bool sums_row_is_right(const struct as_profile *prof, const struct as_profile *sums,
	size_t i, uint32_t *times, uint8_t *live)
{
	size_t e = prof->event.n;
	const as_val *have = sums->sums.cost.p + 2 * e * i;
	bool recursive = false, right = true;

	for (size_t n = 0; n < prof->node.parent.n; n++) {
		as_func f = prof->place.func.p[prof->node.place.p[n].i];
		bool is = sums_same_func(prof, f, sums, sums->sums.func.p[i]);

		times[n] = (n ? times[prof->node.parent.p[n].i] : 0) +
			   (is && n && !sums_same_code(prof, n));
		recursive |= times[n] > 1 && live[n] & 2;
		live[n] &= is ? 2 : 3;
	}
	for (size_t k = 0; k < e; k++) {
		as_val self = 0, incl = 0;

		for (size_t s = 0; s < prof->sample.node.n; s++) {
			uint32_t n = prof->sample.node.p[s].i;
			as_func f = prof->place.func.p[prof->node.place.p[n].i];
			bool is = sums_same_func(prof, f, sums, sums->sums.func.p[i]);
			as_val cost = prof->sample.cost.p[s * e + k];

			self += is ? cost : 0;
			incl += times[n] || (!n && is) ? cost : 0;
		}
		right &= self == have[k] && incl == have[e + k];
	}
	return right && recursive == sums->sums.recursive.p[i];
}

/* LIVE: 3 for nodes that lead to a sample, else 0. */
static inline void sums_live(const struct as_profile *prof, uint8_t *live)
{
	for (size_t s = 0; s < prof->sample.node.n; s++)
		live[prof->sample.node.p[s].i] = 3;
	for (size_t n = prof->node.parent.n; n-- > 1;)
		if (live[n] && prof->node.parent.p[n].i)
			live[prof->node.parent.p[n].i] = 3;
}

/* SUMS were read instead of the paths of PROF: a row for each function on a path, with its
 * costs. */
static inline bool sums_are_right(const struct as_profile *prof, const struct as_profile *sums)
{
	size_t n = prof->node.parent.n;
	uint32_t *times = calloc(n, sizeof(*times));
	uint8_t *live = calloc(n, 1);
	bool right = times && live && !sums->sample.node.n && prof->event.n == sums->event.n;

	if (right)
		sums_live(prof, live);
	for (size_t i = 0; right && i < sums->sums.func.n; i++)
		right = sums_row_is_right(prof, sums, i, times, live);
	for (size_t i = 0; right && i < n; i++)
		right = !(live[i] & 1);
	for (size_t k = 0; right && k < prof->event.n; k++)
		right = prof->total[k] == sums->total[k];
	free(times);
	free(live);
	return right;
}

#endif
