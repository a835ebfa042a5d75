/* SPDX-License-Identifier: Apache-2.0 */
/* Sums, none negative, in half the memory of as_val unless one needs it; private to src/ops. */
#ifndef AS_OPS_TALLY_H
#define AS_OPS_TALLY_H

#include "base/alloc.h"

struct as_tally {
	AS_VEC(uint64_t) low;
	AS_VEC(uint64_t) high; /* empty as long as no sum needs it */
};

static inline void as_tally_release(struct as_tally *t, const struct as_alloc *al)
{
	as_vec_free(al, &t->low);
	as_vec_free(al, &t->high);
}

/* N more sums, of 0. False if out of memory, here and below. */
AS_NODISCARD static inline bool as_tally_room(
	struct as_tally *t, const struct as_alloc *al, size_t n)
{
	size_t at = t->low.n;

	if (!as_vec_reserve(al, &t->low, at + n + 1) ||
		(t->high.n && !as_vec_reserve(al, &t->high, at + n + 1)))
		return false;
	memset(t->low.p + at, 0, n * sizeof(*t->low.p));
	if (t->high.n) {
		memset(t->high.p + at, 0, n * sizeof(*t->high.p));
		t->high.n += n;
	}
	t->low.n += n;
	return true;
}

static inline as_val as_tally_at(const struct as_tally *t, size_t i)
{
	as_uval high = t->high.n ? t->high.p[i] : 0;

	return (as_val)(high << 64 | t->low.p[i]);
}

AS_NODISCARD static inline bool as_tally_add(
	struct as_tally *t, const struct as_alloc *al, size_t i, as_val v)
{
	as_uval sum = (as_uval)(as_tally_at(t, i) + v);

	if (sum >> 64 && !t->high.n) {
		if (!as_vec_reserve(al, &t->high, t->low.cap))
			return false;
		memset(t->high.p, 0, t->low.n * sizeof(*t->high.p));
		t->high.n = t->low.n;
	}
	t->low.p[i] = (uint64_t)sum;
	if (t->high.n)
		t->high.p[i] = (uint64_t)(sum >> 64);
	return true;
}

static inline void as_tally_swap(struct as_tally *t, size_t i, size_t j)
{
	uint64_t low = t->low.p[i], high = t->high.n ? t->high.p[i] : 0;

	t->low.p[i] = t->low.p[j];
	t->low.p[j] = low;
	if (t->high.n) {
		t->high.p[i] = t->high.p[j];
		t->high.p[j] = high;
	}
}

#endif
