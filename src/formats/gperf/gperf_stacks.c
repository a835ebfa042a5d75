/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distinct stacks of one profile. The profiler's table evicts, so the same stack stands in
 * a file many times; memory must grow with the stacks that differ, not with the records.
 *
 * Addresses are numbered as they come, so a frame takes four bytes. A record is hashed where it
 * stands; a match is always compared frame by frame, so no hash decides anything alone.
 *
 * Records are taken in batches: the memory that a record will touch is asked for as soon as it
 * is known, and needed only when the rest of the batch has got as far.
 */
#include "formats/gperf/gperf.h"

#define HASH_SEED UINT64_C(0x243f6a8885a308d3)
#define HASH_A UINT64_C(0x9e3779b97f4a7c15)
#define HASH_B UINT64_C(0xc2b2ae3d27d4eb4f)

#define ROWS_MAX (UINT32_MAX - 1)

enum { IDS_MAX = 1 << 30 };

bool as_gp_stacks_init(struct as_gp_stacks *st, const struct as_alloc *al)
{
	*st = (struct as_gp_stacks){.al = al, .zero_off = AS_OFF_NONE};
	as_index_init(&st->pcs, al);
	as_index_init(&st->stacks, al);
	return as_vec_push(al, &st->id, AS_GP_END) &&
	       as_vec_push(al, &st->row, ((struct as_gp_stack){.first = 1})) &&
	       as_vec_push(al, &st->records, 0);
}

void as_gp_stacks_release(struct as_gp_stacks *st)
{
	if (!st->al)
		return;
	as_vec_free(st->al, &st->pc);
	as_vec_free(st->al, &st->id);
	as_vec_free(st->al, &st->row);
	as_vec_free(st->al, &st->records);
	as_vec_free(st->al, &st->carry);
	as_index_release(&st->pcs);
	as_index_release(&st->stacks);
	st->al = NULL;
}

void as_gp_stacks_close(struct as_gp_stacks *st)
{
	as_index_release(&st->pcs);
	as_index_release(&st->stacks);
}

/* Two chains, so that one multiplication need not wait for the one before. */
static inline uint64_t hash(const char *p, size_t n, uint32_t width, bool big)
{
	uint64_t a = HASH_SEED ^ n, b = HASH_SEED;
	size_t i;

	for (i = 0; i + 1 < n; i += 2) {
		a = ((a << 25 | a >> 39) ^ gp_get(p + i * width, width, big)) * HASH_A;
		b = ((b << 25 | b >> 39) ^ gp_get(p + (i + 1) * width, width, big)) * HASH_B;
	}
	if (i < n)
		a = ((a << 25 | a >> 39) ^ gp_get(p + i * width, width, big)) * HASH_A;
	return as_hash_mix(a, b);
}

static uint64_t hash_any(struct as_gp_layout l, const char *p, size_t n)
{
	if (l.width == 8)
		return l.big ? hash(p, n, 8, true) : hash(p, n, 8, false);
	return l.big ? hash(p, n, 4, true) : hash(p, n, 4, false);
}

static inline bool same(const uint64_t *pc, const uint32_t *id, const struct as_gp_pending *rec,
	uint32_t width, bool big)
{
	uint64_t differ = 0;

	for (uint32_t i = 0; i < rec->depth; i++)
		differ |= pc[id[i]] ^ gp_get(rec->p + (size_t)i * width, width, big);
	return differ == 0;
}

static bool same_any(const struct as_gp_stacks *st, uint32_t row, const struct as_gp_pending *rec)
{
	const struct as_gp_stack *stack = &st->row.p[row];
	const uint32_t *id = st->id.p + stack->first;

	if (stack->depth != rec->depth)
		return false;
	if (st->layout.width == 8)
		return st->layout.big ? same(st->pc.p, id, rec, 8, true)
				      : same(st->pc.p, id, rec, 8, false);
	return st->layout.big ? same(st->pc.p, id, rec, 4, true)
			      : same(st->pc.p, id, rec, 4, false);
}

/* The number of the address PC, given out when it is new. */
static inline bool number_pc(struct as_gp_stacks *st, uint64_t pc, uint64_t off, uint32_t *out)
{
	uint64_t pos = AS_INDEX_START, h = pc * HASH_A;

	while (as_index_find(&st->pcs, h, &pos, out))
		if (st->pc.p[*out] == pc)
			return true;
	*out = (uint32_t)st->pc.n;
	if (pc == 0)
		st->zero_off = off;
	return st->pc.n < IDS_MAX && as_vec_push(st->al, &st->pc, pc) &&
	       as_index_add(&st->pcs, h, *out);
}

static AS_NOINLINE bool insert(struct as_gp_stacks *st, struct as_gp_pending *rec)
{
	struct as_gp_stack stack = {.first = (uint32_t)st->id.n + 1, .depth = rec->depth};
	const struct as_gp_layout l = st->layout;

	rec->row = (uint32_t)st->row.n;
	if (st->row.n >= ROWS_MAX || st->id.n >= ROWS_MAX - rec->depth ||
		!as_vec_reserve(st->al, &st->id, st->id.n + rec->depth + 1))
		return false;
	st->id.p[st->id.n] = AS_GP_END;
	for (uint32_t i = 0; i < rec->depth && st->pcs.slot; i++) {
		uint64_t h = gp_slot(rec->p + (size_t)i * l.width, l) * HASH_A;

		GP_PREFETCH(&st->pcs.slot[(h >> 32) & st->pcs.mask]);
	}
	for (uint32_t i = 0; i < rec->depth; i++)
		if (!number_pc(st, gp_slot(rec->p + (size_t)i * l.width, l), rec->off,
			    &st->id.p[stack.first + i]))
			return false;
	st->id.n += rec->depth + 1;
	return as_vec_push(st->al, &st->row, stack) &&
	       as_index_add(&st->stacks, rec->hash, rec->row) &&
	       (!st->keep_records || as_vec_push(st->al, &st->records, 0));
}

static bool count_row(struct as_gp_stacks *st, uint32_t row, uint64_t count)
{
	st->row.p[row].count += count;
	if (st->keep_records && st->records.p[row] != UINT32_MAX)
		st->records.p[row]++;
	return st->row.p[row].count >= count || as_vec_push(st->al, &st->carry, row);
}

static bool settle(struct as_gp_stacks *st, struct as_gp_pending *rec)
{
	uint64_t pos = AS_INDEX_START;
	bool found = false;

	while (!found && as_index_find(&st->stacks, rec->hash, &pos, &rec->row))
		found = same_any(st, rec->row, rec);
	if (!found && !insert(st, rec))
		return false;
	return count_row(st, rec->row, rec->count);
}

bool as_gp_stacks_flush(struct as_gp_stacks *st)
{
	for (uint32_t i = 0; i < st->n_pending; i++) {
		struct as_gp_pending *rec = &st->pending[i];
		uint64_t pos = AS_INDEX_START;

		if (!as_index_find(&st->stacks, rec->hash, &pos, &rec->row))
			rec->row = 0;
		GP_PREFETCH(&st->row.p[rec->row]);
	}
	for (uint32_t i = 0; i < st->n_pending; i++) {
		const struct as_gp_stack *stack = &st->row.p[st->pending[i].row];
		const uint32_t *id = st->id.p + stack->first;

		for (uint32_t k = 0; k < stack->depth; k += GP_LINE_IDS)
			GP_PREFETCH(id + k);
	}
	for (uint32_t i = 0; i < st->n_pending; i++)
		if (!settle(st, &st->pending[i]))
			return false;
	st->n_pending = 0;
	return true;
}

bool as_gp_stacks_add(
	struct as_gp_stacks *st, const char *p, uint32_t depth, uint64_t count, uint64_t off)
{
	struct as_gp_pending *rec;

	st->n_records++;
	if (depth > st->max_depth)
		st->max_depth = depth;
	if (depth == 0)
		return count_row(st, 0, count);
	if (st->n_pending == GP_BATCH && !as_gp_stacks_flush(st))
		return false;
	rec = &st->pending[st->n_pending++];
	rec->p = p;
	rec->hash = hash_any(st->layout, p, depth);
	rec->count = count;
	rec->off = off;
	rec->depth = depth;
	if (st->stacks.slot)
		GP_PREFETCH(&st->stacks.slot[(rec->hash >> 32) & st->stacks.mask]);
	return true;
}
