/* SPDX-License-Identifier: Apache-2.0 */
/* A set of ids, which are hashes and never 0: docs/formats/store.md. */
#ifndef AS_FLEET_FLEET_IDS_H
#define AS_FLEET_FLEET_IDS_H

#include "base/alloc.h"
#include "base/slice.h"

/* All zero but AL is the empty one. */
struct as_fleet_ids {
	const struct as_alloc *al;
	uint64_t *slot; /* open addressing, at most 3/4 full; 0: free */
	size_t size;    /* slots, a power of two */
	size_t n;
};

void as_fleet_ids_release(struct as_fleet_ids *ids); /* it is empty then */
/* *FRESH: ID was not in it. False if out of memory. */
AS_NODISCARD bool as_fleet_ids_add(struct as_fleet_ids *ids, uint64_t id, bool *fresh);
/* Room for MORE of them. False if out of memory. */
AS_NODISCARD bool as_fleet_ids_reserve(struct as_fleet_ids *ids, size_t more);
/* ID is asked for soon. */
static inline void as_fleet_ids_soon(const struct as_fleet_ids *ids, uint64_t id)
{
	if (ids->size)
		AS_PREFETCH(&ids->slot[as_hash_mix(id, 0) & (ids->size - 1)]);
}
bool as_fleet_ids_has(const struct as_fleet_ids *ids, uint64_t id);

#endif
