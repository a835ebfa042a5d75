/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_ids.h"

enum { FIRST = 64 };

void as_fleet_ids_release(struct as_fleet_ids *ids)
{
	as_alloc_free(ids->al, ids->slot, ids->size * sizeof(*ids->slot));
	*ids = (struct as_fleet_ids){.al = ids->al};
}

/* Where ID is, or would be. */
static size_t ids_find(const struct as_fleet_ids *ids, uint64_t id)
{
	size_t i = (size_t)as_hash_mix(id, 0) & (ids->size - 1);

	while (ids->slot[i] && ids->slot[i] != id)
		i = (i + 1) & (ids->size - 1);
	return i;
}

static bool ids_is_room(size_t size, size_t n)
{
	return n < size / 4 * 3;
}

bool as_fleet_ids_reserve(struct as_fleet_ids *ids, size_t n)
{
	struct as_fleet_ids more = {.al = ids->al, .size = ids->size ? ids->size : FIRST};

	n += ids->n;
	if (ids_is_room(ids->size, n))
		return true;
	while (!ids_is_room(more.size, n) && more.size <= SIZE_MAX / 16)
		more.size *= 2;
	more.slot = as_alloc_new(more.al, more.size * sizeof(*more.slot));
	if (!more.slot)
		return false;
	for (size_t i = 0; i < ids->size; i++)
		if (ids->slot[i])
			more.slot[ids_find(&more, ids->slot[i])] = ids->slot[i];
	more.n = ids->n;
	as_fleet_ids_release(ids);
	*ids = more;
	return true;
}

bool as_fleet_ids_add(struct as_fleet_ids *ids, uint64_t id, bool *fresh)
{
	size_t i;

	as_assert(id);
	if (!as_fleet_ids_reserve(ids, 1))
		return false;
	i = ids_find(ids, id);
	*fresh = !ids->slot[i];
	ids->slot[i] = id;
	ids->n += *fresh;
	return true;
}

bool as_fleet_ids_has(const struct as_fleet_ids *ids, uint64_t id)
{
	return ids->size && ids->slot[ids_find(ids, id)];
}
