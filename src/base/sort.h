/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting row numbers by what the rows hold. Stable, so equal rows keep their order and every
 * run gives the same result; n log n at worst, n when they are in order already. */
#ifndef AS_BASE_SORT_H
#define AS_BASE_SORT_H

#include "base/alloc.h"

/* CMP gives <0, 0, >0 for rows A and B. False if out of memory; V is then unchanged. */
AS_NODISCARD bool as_sort_rows(const struct as_alloc *al, uint32_t *v, size_t n,
	int (*cmp)(const void *ctx, uint32_t a, uint32_t b), const void *ctx);

/* The numbers of N rows in that order, as as_alloc_array() makes them; NULL if out of memory. */
uint32_t *as_sorted_rows(const struct as_alloc *al, size_t n,
	int (*cmp)(const void *ctx, uint32_t a, uint32_t b), const void *ctx);

/* The same by KEY[i] of V[i], ascending; KEY moves with V. For many: time in proportion to N, and
 * as much memory again. */
AS_NODISCARD bool as_sort_keys(const struct as_alloc *al, uint64_t *key, uint32_t *v, size_t n);

static inline int as_cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* How many of N rows of SIZE bytes, ascending by the number of 64 bits at AT in each, are below
 * WANT. */
static inline size_t as_count_below(
	const void *rows, size_t n, size_t size, size_t at, uint64_t want)
{
	size_t lo = 0;
	uint64_t v;

	while (lo < n) {
		size_t mid = lo + (n - lo) / 2;

		memcpy(&v, (const char *)rows + mid * size + at, sizeof(v));
		if (v < want)
			lo = mid + 1;
		else
			n = mid;
	}
	return lo;
}

/* Rows of the array P, by MEMBER: how many are below WANT, or not above it. */
#define as_rows_below(p, n, member, want) \
	as_count_below((p), (n), sizeof(*(p)), offsetof(__typeof__(*(p)), member), (want))
#define as_rows_up_to(p, n, member, want) \
	((want) == UINT64_MAX ? (n) : as_rows_below(p, n, member, (want) + 1))

static inline size_t as_numbers_below(const uint64_t *v, size_t n, uint64_t want)
{
	return as_count_below(v, n, sizeof(*v), 0, want);
}

#endif
