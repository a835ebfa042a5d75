/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting row numbers by what the rows hold. Stable, so equal rows keep their order and every
 * run gives the same result; n log n at worst, n when they are in order already. */
#ifndef AS_BASE_SORT_H
#define AS_BASE_SORT_H

#include "base/alloc.h"

/* CMP gives <0, 0, >0 for rows A and B. False if out of memory; V is then unchanged. */
AS_NODISCARD bool as_sort_rows(const struct as_alloc *al, uint32_t *v, size_t n,
	int (*cmp)(const void *ctx, uint32_t a, uint32_t b), const void *ctx);

/* The same by KEY[i] of V[i], ascending; KEY moves with V. For many: time in proportion to N, and
 * as much memory again. */
AS_NODISCARD bool as_sort_keys(const struct as_alloc *al, uint64_t *key, uint32_t *v, size_t n);

#endif
