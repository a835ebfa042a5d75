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

bool as_strings_add(struct as_strings *st, struct as_slice s, as_str *out)
{
	uint64_t pos = AS_INDEX_START, hash;
	struct as_slice own;
	uint32_t row;

	if (s.len == 0) {
		out->i = 0;
		return true;
	}
	hash = as_hash_bytes(s.p, s.len);
	while (as_index_find(&st->index, hash, &pos, &row))
		if (as_slice_eq(st->row.p[row], s)) {
			out->i = row;
			return true;
		}
	if (st->row.n >= UINT32_MAX - 1)
		return false;
	own = as_arena_dup(st->arena, s);
	if (!own.p || !as_vec_push(st->arena->al, &st->row, own))
		return false;
	out->i = (uint32_t)(st->row.n - 1);
	return as_index_add(&st->index, hash, out->i);
}
