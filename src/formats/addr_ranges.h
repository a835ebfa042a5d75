/* SPDX-License-Identifier: Apache-2.0 */
/* Which of some ranges of addresses, that may overlap, holds an address. */
#ifndef AS_FORMATS_ADDR_RANGES_H
#define AS_FORMATS_ADDR_RANGES_H

#include "base/alloc.h"

struct as_addr_range {
	uint64_t start, limit;
	uint32_t map; /* the caller's number; where ranges overlap the smallest holds */
};

struct as_addr_ranges {
	const struct as_alloc *al;
	AS_VEC(struct as_addr_range) row; /* after make(): sorted and disjoint */
	bool overlap;                     /* some did overlap */
};

#define AS_ADDR_NOWHERE UINT32_MAX

/* For qsort(), of uint64_t. */
int as_addr_cmp(const void *a, const void *b);

/* Sort and make disjoint what was pushed to row; empty ranges vanish. */
AS_NODISCARD bool as_addr_ranges_make(struct as_addr_ranges *rs);
/* The map that holds PC, or AS_ADDR_NOWHERE. */
uint32_t as_addr_ranges_find(const struct as_addr_ranges *rs, uint64_t pc);

#endif
