/* SPDX-License-Identifier: Apache-2.0 */
/* Distinct stacks and their sums: memory grows with these, not with the file. */
#include "formats/legacy/legacy.h"

void as_lg_stacks_init(struct as_lg_stacks *st, const struct as_alloc *al)
{
	*st = (struct as_lg_stacks){.al = al};
	as_index_init(&st->pcs, al);
	as_index_init(&st->stacks, al);
}

static inline bool stacks_pc(struct as_lg_stacks *st, uint64_t pc, uint32_t *id)
{
	uint64_t hash = as_hash_mix(pc, 1), pos = AS_INDEX_START;

	while (as_index_find(&st->pcs, hash, &pos, id))
		if (st->pc.p[*id] == pc)
			return true;
	*id = (uint32_t)st->pc.n;
	return st->pc.n < LG_END / 2 && as_vec_push(st->al, &st->pc, pc) &&
	       as_index_add(&st->pcs, hash, *id);
}

static bool stacks_is(const struct as_lg_stacks *st, const struct as_lg_stack *s, uint32_t part,
	const uint32_t *id, uint32_t n)
{
	return s->part == part && s->depth == n &&
	       (!n || memcmp(st->id.p + s->first, id, n * sizeof(*id)) == 0);
}

/* False if a sum would be beyond 64 bits: then nothing is added. */
static bool stacks_sum(struct as_lg_stacks *st, uint32_t row, const uint64_t *value)
{
	uint64_t *have = st->value.p + (size_t)row * st->n_values;

	for (uint32_t k = 0; k < st->n_values; k++)
		if (have[k] > UINT64_MAX - value[k])
			return false;
	for (uint32_t k = 0; k < st->n_values; k++)
		have[k] += value[k];
	return true;
}

static bool stacks_push(
	struct as_lg_stacks *st, struct as_lg_stack row, uint64_t hash, const uint64_t *value)
{
	if (st->row.n >= LG_END - 1 || !as_vec_push(st->al, &st->row, row) ||
		!as_vec_reserve(st->al, &st->value, st->value.n + st->n_values))
		return false;
	memcpy(st->value.p + st->value.n, value, st->n_values * sizeof(*value));
	st->value.n += st->n_values;
	return as_index_add(&st->stacks, hash, (uint32_t)st->row.n - 1);
}

bool as_lg_stacks_add(struct as_lg_stacks *st, uint32_t part, const uint64_t *pc, uint32_t n,
	const uint64_t *value)
{
	struct as_lg_stack own = {.first = (uint32_t)st->id.n, .depth = n, .part = part};
	uint64_t hash = as_hash_mix(part, n), pos = AS_INDEX_START;
	uint32_t *id, row;

	if (st->id.n + n >= LG_END || !as_vec_reserve(st->al, &st->id, st->id.n + n + 1))
		return false;
	id = st->id.p + st->id.n;
	for (uint32_t i = 0; i < n; i++)
		as_index_expect(&st->pcs, as_hash_mix(pc[i], 1));
	for (uint32_t i = 0; i < n; i++) {
		if (!stacks_pc(st, pc[i], &id[i]))
			return false;
		hash = as_hash_mix(hash, id[i]);
	}
	while (as_index_find(&st->stacks, hash, &pos, &row)) {
		if (!stacks_is(st, &st->row.p[row], part, id, n))
			continue;
		if (stacks_sum(st, row, value))
			return true;
		own.first = st->row.p[row].first;
	}
	if (own.first == st->id.n)
		st->id.n += n;
	return stacks_push(st, own, hash, value);
}
