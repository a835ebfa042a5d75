/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A hash index over rows that are kept elsewhere: it maps a hash to row numbers,
 * the caller compares the rows. Open addressing, eight bytes a slot (the 32 high bits
 * of the hash, which also name the home slot, and row number + 1), at most 3/4 full.
 *
 *
 *	uint64_t pos = AS_INDEX_START;
 *	while (as_index_find(&ix, h, &pos, &row))
 *		if (same(row, key))
 *			return row;
 *	as_index_add(&ix, h, new_row);
 */
#ifndef AS_BASE_INDEX_H
#define AS_BASE_INDEX_H

#include "base/alloc.h"

struct as_index {
	const struct as_alloc *al;
	uint64_t *slot; /* 0 = free, else hash_hi32 << 32 | row + 1 */
	size_t mask, n;
};

#define AS_INDEX_START UINT64_MAX

void as_index_init(struct as_index *ix, const struct as_alloc *al);
void as_index_release(struct as_index *ix);

/* Make room for N rows in all. */
AS_NODISCARD bool as_index_reserve(struct as_index *ix, size_t n);

/* Add ROW under HASH, even if it is there already. ROW < UINT32_MAX. */
AS_NODISCARD bool as_index_add(struct as_index *ix, uint64_t hash, uint32_t row);

/* Ask for the memory where HASH is looked up first. Not a function: gcc drops calls of those
 * that only prefetch. */
#define as_index_expect(ix, hash)                                                      \
	do {                                                                           \
		if ((ix)->slot)                                                        \
			AS_PREFETCH(&(ix)->slot[(size_t)((hash) >> 32) & (ix)->mask]); \
	} while (0)

/* The next candidate row whose 32 high hash bits match, or false. */
static inline bool as_index_find(
	const struct as_index *ix, uint64_t hash, uint64_t *pos, uint32_t *row)
{
	size_t i;

	if (!ix->slot)
		return false;
	i = *pos == AS_INDEX_START ? (size_t)(hash >> 32) & ix->mask
				   : (size_t)(*pos + 1) & ix->mask;
	for (; ix->slot[i]; i = (i + 1) & ix->mask) {
		if (ix->slot[i] >> 32 == hash >> 32) {
			*pos = i;
			*row = (uint32_t)ix->slot[i] - 1;
			return true;
		}
	}
	return false;
}

#endif
