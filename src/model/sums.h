/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Paths, added up for each function as they come, for a caller who needs no more of them. A path
 * counts for a function once, however often the function is on it.
 */
#ifndef AS_MODEL_SUMS_H
#define AS_MODEL_SUMS_H

#include "model/build.h"

struct as_sums {
	const struct as_alloc *al;
	uint32_t e; /* events */
	/* Of each function: 2 * the last path that it was on + 1 if it was twice on one; then E
	 * values of self cost and E of inclusive cost. */
	AS_VEC(as_val) tally;
};

/* Room for FUNC and all functions before it. False if out of memory. */
AS_NODISCARD bool as_sums_room(struct as_sums *s, as_func func);
/* Those that were on a path, to the profile. */
enum as_code as_sums_put(const struct as_sums *s, struct as_build *b) AS_NODISCARD;

static inline as_val *as_sums_of(const struct as_sums *s, as_func func)
{
	return s->tally.p + (size_t)func.i * (1 + 2 * s->e);
}

/* Ask for the memory where inclusive costs of FUNC are. Not a function: see as_index_expect(). */
#define as_sums_expect(s, func)                                  \
	do {                                                     \
		const as_val *sums_at = as_sums_of((s), (func)); \
		AS_PREFETCH(sums_at);                            \
		AS_PREFETCH(sums_at + 1 + (s)->e);               \
		AS_PREFETCH(sums_at + 1 + (s)->e + (s)->e / 2);  \
	} while (0)

/* FUNC is on path number PATH, from 1 on: its inclusive cost, which that of the path belongs to;
 * NULL: it was on the path already. */
static inline as_val *as_sums_meet(const struct as_sums *s, as_func func, uint64_t path)
{
	as_val *v = as_sums_of(s, func);

	if (AS_UNLIKELY((uint64_t)v[0] >> 1 == path)) {
		v[0] |= 1;
		return NULL;
	}
	v[0] = (as_val)(path << 1 | ((uint64_t)v[0] & 1));
	return v + 1 + s->e;
}

/* The same, of a path whose cost is COST. */
static inline void as_sums_enter(
	const struct as_sums *s, as_func func, uint64_t path, const as_val *cost)
{
	as_val *incl = as_sums_meet(s, func, path);

	if (AS_LIKELY(incl))
		as_vals_add(incl, cost, s->e);
}

/* The path ends in FUNC. */
static inline void as_sums_leaf(const struct as_sums *s, as_func func, const as_val *cost)
{
	as_vals_add(as_sums_of(s, func) + 1, cost, s->e);
}

#endif
