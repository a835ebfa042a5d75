/* SPDX-License-Identifier: Apache-2.0 */
#include "model/strings.h"

bool as_strings_init(struct as_strings *st, struct as_arena *arena)
{
	*st = (struct as_strings){.arena = arena};
	as_index_init(&st->index, arena->al);
	return as_vec_push(arena->al, &st->row, ((struct as_slice){"", 0}));
}

void as_strings_release(struct as_strings *st)
{
	as_vec_free(st->arena->al, &st->row);
	as_index_release(&st->index);
}

bool as_strings_reserve(struct as_strings *st, size_t n)
{
	return as_vec_reserve(st->arena->al, &st->row, n) && as_index_reserve(&st->index, n);
}

/* S, which is not empty and has HASH. */
static inline bool strings_add_hashed(
	struct as_strings *st, struct as_slice s, uint64_t hash, as_str *out)
{
	uint64_t pos = AS_INDEX_START;
	struct as_slice own;

	while (as_index_find(&st->index, hash, &pos, &out->i))
		if (as_slice_eq(st->row.p[out->i], s))
			return true;
	if (st->row.n >= UINT32_MAX - 1)
		return false;
	own = as_arena_dup(st->arena, s);
	if (!own.p || !as_vec_push(st->arena->al, &st->row, own))
		return false;
	out->i = (uint32_t)(st->row.n - 1);
	return as_index_add(&st->index, hash, out->i);
}

bool as_strings_add(struct as_strings *st, struct as_slice s, as_str *out)
{
	out->i = 0;
	return !s.len || strings_add_hashed(st, s, as_hash_bytes(s.p, s.len), out);
}

bool as_strings_add_many(struct as_strings *st, const struct as_slice *s, uint32_t n, as_str *out)
{
	uint64_t hash[AS_STRINGS_MANY];
	bool ok = true;

	as_assert(n <= AS_STRINGS_MANY);
	for (uint32_t i = 0; i < n; i++)
		AS_PREFETCH(s[i].p);
	for (uint32_t i = 0; i < n; i++) {
		hash[i] = as_hash_bytes(s[i].p, s[i].len);
		as_index_expect(&st->index, hash[i]);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint64_t pos = AS_INDEX_START;

		out[i].i = 0;
		if (as_index_find(&st->index, hash[i], &pos, &out[i].i))
			AS_PREFETCH(&st->row.p[out[i].i]);
	}
	for (uint32_t i = 0; i < n; i++)
		AS_PREFETCH(st->row.p[out[i].i].p);
	for (uint32_t i = 0; i < n && ok; i++) {
		out[i].i = 0;
		ok = !s[i].len || strings_add_hashed(st, s[i], hash[i], &out[i]);
	}
	return ok;
}
