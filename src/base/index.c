/* SPDX-License-Identifier: Apache-2.0 */
#include "base/index.h"

void as_index_init(struct as_index *ix, const struct as_alloc *al)
{
	*ix = (struct as_index){.al = al};
}

void as_index_release(struct as_index *ix)
{
	if (ix->slot)
		as_alloc_free(ix->al, ix->slot, (ix->mask + 1) * sizeof(*ix->slot));
	as_index_init(ix, ix->al);
}

static bool index_rehash(struct as_index *ix, size_t size)
{
	struct as_index old = *ix;
	uint64_t *slot;

	as_assert(!(size & (size - 1)) && size > ix->n); /* or a search would not end */
	if (size > SIZE_MAX / sizeof(*slot))
		return false;
	slot = as_alloc_new(ix->al, size * sizeof(*slot));
	if (!slot)
		return false;
	ix->slot = slot;
	ix->mask = size - 1;
	for (size_t i = 0; old.slot && i <= old.mask; i++) {
		size_t at;

		if (!old.slot[i])
			continue;
		at = (size_t)(old.slot[i] >> 32) & ix->mask;
		while (slot[at])
			at = (at + 1) & ix->mask;
		slot[at] = old.slot[i];
	}
	if (old.slot)
		as_alloc_free(ix->al, old.slot, (old.mask + 1) * sizeof(*slot));
	return true;
}

bool as_index_reserve(struct as_index *ix, size_t n)
{
	size_t size = 16;

	while (size - size / 4 < n) {
		if (size > SIZE_MAX / 4)
			return false;
		size *= 2;
	}
	return (ix->slot && size <= ix->mask + 1) || index_rehash(ix, size);
}

bool as_index_add(struct as_index *ix, uint64_t hash, uint32_t row)
{
	size_t at;

	as_assert(row < UINT32_MAX);
	if ((!ix->slot || ix->n + 1 > (ix->mask + 1) - (ix->mask + 1) / 4) &&
		!as_index_reserve(ix, ix->n + 1))
		return false;
	at = (size_t)(hash >> 32) & ix->mask;
	while (ix->slot[at])
		at = (at + 1) & ix->mask;
	ix->slot[at] = (hash >> 32) << 32 | ((uint64_t)row + 1);
	ix->n++;
	return true;
}
