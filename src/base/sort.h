/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting row numbers by what the rows hold. Stable, so equal rows keep their order and every
 * run gives the same result; n log n at worst, n when they are in order already. */
#ifndef AS_BASE_SORT_H
#define AS_BASE_SORT_H

#include "base/alloc.h"

/* <0, 0, >0 for rows A and B. */
typedef int as_sort_cmp(const void *ctx, uint32_t a, uint32_t b);

static inline int as_cmp_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

/* The larger costs of N come first: the one numbered FIRST decides, if there is one, then all. */
int as_costs_cmp(const as_val *a, const as_val *b, uint32_t n, uint32_t first);

/* False if out of memory; V is then unchanged. */
AS_NODISCARD bool as_sort_rows(
	const struct as_alloc *al, uint32_t *v, size_t n, as_sort_cmp *cmp, const void *ctx);

/* The numbers of N rows in that order, as as_alloc_array() makes them; NULL if out of memory. */
uint32_t *as_sorted_rows(const struct as_alloc *al, size_t n, as_sort_cmp *cmp, const void *ctx);

/* The N elements of SIZE bytes at P come into the order AT, or into that of CMP, to which they are
 * rows. False if out of memory; they are then as they were. */
AS_NODISCARD bool as_move_rows(
	const struct as_alloc *al, void *p, size_t n, size_t size, const uint32_t *at);
AS_NODISCARD bool as_sort_elements(const struct as_alloc *al, void *p, size_t n, size_t size,
	as_sort_cmp *cmp, const void *ctx);
#define as_sort_array(al, p, n, cmp, ctx) \
	as_sort_elements((al), (p), (n), sizeof(*(p)), (cmp), (ctx))

/* The order of all rows of a table, both ways. */
struct as_order {
	uint32_t n;
	uint32_t *rank; /* of each row */
	uint32_t *at;   /* the row at each rank */
};

/* Of the N rows 0, 1 ...; false if out of memory. */
AS_NODISCARD bool as_order_init(
	struct as_order *o, const struct as_alloc *al, size_t n, as_sort_cmp *cmp, const void *ctx);
/* O may be zeroed. */
void as_order_release(struct as_order *o, const struct as_alloc *al);

/* The same by KEY[i] of V[i], ascending; KEY moves with V. For many: time in proportion to N, and
 * as much memory again. */
AS_NODISCARD bool as_sort_keys(const struct as_alloc *al, uint64_t *key, uint32_t *v, size_t n);
/* The same, in half the time if the keys are hashes; if not, it takes longer. */
AS_NODISCARD bool as_sort_hashes(const struct as_alloc *al, uint64_t *key, uint32_t *v, size_t n);

/* N numbers ascend by the bits from SKIP on; those below that count up. TMP has room for N. For few
 * and many: a number that ends in that of its row takes it along. */
void as_sort_numbers(uint64_t *v, size_t n, uint64_t *tmp, unsigned skip);

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
