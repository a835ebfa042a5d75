/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t as_fleet_hash(const void *p, size_t len)
{
	uint64_t hash;

	as_assert(p || !len);
	hash = XXH64(p, len, 0);
	return hash ? hash : 1;
}

uint64_t as_fleet_hash_string(struct as_slice s)
{
	char leb[AS_PB_VARINT_MAX];
	XXH64_state_t state;
	uint64_t hash;

	(void)XXH64_reset(&state, 0);
	(void)XXH64_update(&state, leb, (size_t)(as_pb_put_varint(leb, s.len) - leb));
	(void)XXH64_update(&state, s.p, s.len);
	hash = XXH64_digest(&state);
	return hash ? hash : 1;
}

char *as_fleet_room(struct as_fleet_bytes *b, size_t size)
{
	b->failed |= !as_vec_reserve(b->al, &b->v, b->v.n + size);
	return b->failed ? NULL : b->v.p + b->v.n;
}

void as_fleet_put(struct as_fleet_bytes *b, const void *p, size_t n)
{
	b->failed |= !as_vec_append(b->al, &b->v, p, n);
}

void as_fleet_put_number(struct as_fleet_bytes *b, uint64_t v, size_t size)
{
	as_assert(size <= sizeof(v));
	b->failed |= !as_vec_reserve(b->al, &b->v, b->v.n + sizeof(v));
	if (b->failed)
		return;
	/* all eight at once; what is behind SIZE is written over by what comes next */
	(void)as_fleet_le(b->v.p + b->v.n, v, sizeof(v));
	b->v.n += size;
}

void as_fleet_put_length(struct as_fleet_bytes *b, uint64_t n)
{
	char leb[AS_PB_VARINT_MAX];

	as_fleet_put(b, leb, (size_t)(as_pb_put_varint(leb, n) - leb));
}

void as_fleet_put_string(struct as_fleet_bytes *b, struct as_slice s)
{
	as_fleet_put_length(b, s.len);
	as_fleet_put(b, s.p, s.len);
}
