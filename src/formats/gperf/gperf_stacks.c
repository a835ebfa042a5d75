/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distinct stacks of one profile. The profiler's table evicts, so the same stack stands in
 * a file many times; memory must grow with the stacks that differ, not with the records.
 *
 * A record is hashed where it stands; a match is always compared frame by frame, so no hash
 * decides anything alone. Records are taken in batches: the memory that a record will touch is
 * asked for as soon as it is known, and needed only when the rest of the batch has got as far.
 */
#include "formats/gperf/gperf.h"

#define HASH_SEED UINT64_C(0x243f6a8885a308d3)
#define HASH_A UINT64_C(0x9e3779b97f4a7c15)
#define HASH_B UINT64_C(0xc2b2ae3d27d4eb4f)

#define ROWS_MAX (UINT32_MAX - 1)

enum {
	IDS_MAX = 1 << 30,
	CHUNK = 64, /* addresses looked up together */
};

bool as_gp_stacks_init(
	struct as_gp_stacks *st, const struct as_alloc *al, const struct as_alloc *out)
{
	*st = (struct as_gp_stacks){.al = al, .out = out, .zero_off = AS_OFF_NONE};
	as_index_init(&st->index, al);
	as_index_init(&st->pcs, al);
	return as_vec_push(out, &st->id, AS_GP_END) &&
	       as_vec_push(out, &st->row, ((struct as_stack_flat){.first = 1})) &&
	       as_vec_push(al, &st->records, 0);
}

void as_gp_stacks_release(struct as_gp_stacks *st)
{
	as_vec_free(st->out, &st->id);
	as_vec_free(st->out, &st->row);
}

/* ---- while records come ---- */

static inline uint64_t hash_step(uint64_t h, uint64_t pc, uint64_t by)
{
	return ((h << 25 | h >> 39) ^ pc) * by;
}

/* Four chains, so that no multiplication need wait for the one before. */
struct chains {
	uint64_t a, b, c, d;
};

static inline void hash_four(struct chains *h, const char *p, uint32_t width, bool big)
{
	h->a = hash_step(h->a, gp_get(p, width, big), HASH_A);
	h->b = hash_step(h->b, gp_get(p + width, width, big), HASH_B);
	h->c = hash_step(h->c, gp_get(p + 2 * width, width, big), HASH_A);
	h->d = hash_step(h->d, gp_get(p + 3 * width, width, big), HASH_B);
}

/* The last four may overlap those before: better than a loop for what is left. */
static inline uint64_t gp_stacks_hash(const char *p, size_t n, uint32_t width, bool big)
{
	struct chains h = {HASH_SEED ^ n, HASH_SEED, HASH_SEED, HASH_SEED};
	size_t i;

	for (i = 0; i + 4 <= n; i += 4)
		hash_four(&h, p + i * width, width, big);
	if (i < n && n >= 4)
		hash_four(&h, p + (n - 4) * width, width, big);
	else
		for (; i < n; i++)
			h.a = hash_step(h.a, gp_get(p + i * width, width, big), HASH_A);
	return as_hash_mix(as_hash_mix(h.a, h.b), as_hash_mix(h.c, h.d));
}

static uint64_t hash_any(struct as_gp_layout l, const char *p, size_t n)
{
	if (l.width == 8)
		return l.big ? gp_stacks_hash(p, n, 8, true) : gp_stacks_hash(p, n, 8, false);
	return l.big ? gp_stacks_hash(p, n, 4, true) : gp_stacks_hash(p, n, 4, false);
}

static inline bool gp_stacks_same(const uint64_t *pc, const uint32_t *id,
	const struct as_gp_pending *rec, uint32_t width, bool big)
{
	uint64_t differ = 0;

	for (uint32_t i = 0; i < rec->depth; i++)
		differ |= pc[id[i]] ^ gp_get(rec->p + (size_t)i * width, width, big);
	return differ == 0;
}

static bool same_any(const struct as_gp_stacks *st, uint32_t row, const struct as_gp_pending *rec)
{
	const struct as_stack_flat *stack = &st->row.p[row];
	const uint32_t *id = st->id.p + stack->first;
	const uint64_t *pc = st->pc.p;

	if (stack->depth != rec->depth)
		return false;
	if (st->layout.width == 8)
		return st->layout.big ? gp_stacks_same(pc, id, rec, 8, true)
				      : gp_stacks_same(pc, id, rec, 8, false);
	return st->layout.big ? gp_stacks_same(pc, id, rec, 4, true)
			      : gp_stacks_same(pc, id, rec, 4, false);
}

/* The number of the address PC, given out when it is new. */
static bool number_pc(struct as_gp_stacks *st, uint64_t pc, uint64_t h, uint32_t *out)
{
	uint64_t pos = AS_INDEX_START;

	while (as_index_find(&st->pcs, h, &pos, out))
		if (st->pc.p[*out] == pc)
			return true;
	*out = (uint32_t)st->pc.n;
	return st->pc.n < IDS_MAX && as_vec_push(st->al, &st->pc, pc) &&
	       as_index_add(&st->pcs, h, *out);
}

/* The numbers of the N <= CHUNK addresses at P. Nearly all are known, and stand where they are
 * looked up first. */
static inline bool number_chunk(
	struct as_gp_stacks *st, const char *p, uint32_t n, uint32_t *to, uint32_t width, bool big)
{
	uint64_t pc[CHUNK], h[CHUNK];

	for (uint32_t i = 0; i < n; i++) {
		pc[i] = gp_get(p + (size_t)i * width, width, big);
		h[i] = pc[i] * HASH_A;
		as_index_expect(&st->pcs, h[i]);
	}
	for (uint32_t i = 0; i < n; i++) {
		uint64_t pos = AS_INDEX_START;

		if (as_index_find(&st->pcs, h[i], &pos, &to[i]) && st->pc.p[to[i]] == pc[i])
			continue;
		if (!number_pc(st, pc[i], h[i], &to[i]))
			return false;
	}
	return true;
}

static bool number_any(struct as_gp_stacks *st, const char *p, uint32_t n, uint32_t *to)
{
	const struct as_gp_layout l = st->layout;

	return l.width == 8 && !l.big ? number_chunk(st, p, n, to, 8, false)
				      : number_chunk(st, p, n, to, l.width, l.big);
}

/* Where in the file the first stack with samples has the address 0. */
static void look_for_zero(struct as_gp_stacks *st, const struct as_gp_pending *rec)
{
	for (uint32_t i = 0; i < rec->depth; i++)
		if (!gp_slot(rec->p + (size_t)i * st->layout.width, st->layout) && rec->count &&
			st->zero_off == AS_OFF_NONE)
			st->zero_off = rec->off;
}

static bool gp_stacks_insert(struct as_gp_stacks *st, struct as_gp_pending *rec)
{
	struct as_stack_flat stack = {.first = (uint32_t)st->id.n, .depth = rec->depth};

	rec->row = (uint32_t)st->row.n;
	if (st->row.n >= ROWS_MAX || st->id.n >= ROWS_MAX - (size_t)rec->depth ||
		!as_vec_reserve(st->out, &st->id, st->id.n + rec->depth + 1))
		return false;
	for (uint32_t i = 0, n; i < rec->depth; i += n) {
		n = rec->depth - i < CHUNK ? rec->depth - i : CHUNK;
		if (!number_any(
			    st, rec->p + (size_t)i * st->layout.width, n, st->id.p + st->id.n + i))
			return false;
	}
	st->id.n += rec->depth;
	st->id.p[st->id.n++] = AS_GP_END;
	look_for_zero(st, rec);
	return as_vec_push(st->out, &st->row, stack) &&
	       as_index_add(&st->index, rec->hash, rec->row) &&
	       (!st->keep_records || as_vec_push(st->al, &st->records, 0));
}

static bool count_row(struct as_gp_stacks *st, uint32_t row, uint64_t count)
{
	struct as_gp_record rec = {count, row};

	if (st->keep_log && !as_vec_push(st->al, &st->log, rec))
		return false;
	st->row.p[row].count += count;
	if (st->keep_records && st->records.p[row] != UINT32_MAX)
		st->records.p[row]++;
	return st->row.p[row].count >= count || as_vec_push(st->al, &st->carry, row);
}

static bool gp_stacks_settle(struct as_gp_stacks *st, struct as_gp_pending *rec)
{
	uint64_t pos = AS_INDEX_START;
	bool found = same_any(st, rec->row, rec); /* what was asked for, mostly */

	while (!found && as_index_find(&st->index, rec->hash, &pos, &rec->row))
		found = same_any(st, rec->row, rec);
	if (!found && !gp_stacks_insert(st, rec))
		return false;
	return count_row(st, rec->row, rec->count);
}

bool as_gp_stacks_flush(struct as_gp_stacks *st)
{
	for (uint32_t i = 0; i < st->n_pending; i++) {
		struct as_gp_pending *rec = &st->pending[i];
		uint64_t pos = AS_INDEX_START;

		if (!as_index_find(&st->index, rec->hash, &pos, &rec->row))
			rec->row = 0;
		AS_PREFETCH(&st->row.p[rec->row]);
	}
	for (uint32_t i = 0; i < st->n_pending; i++) {
		const struct as_stack_flat *stack = &st->row.p[st->pending[i].row];
		const uint32_t *id = st->id.p + stack->first;

		for (uint32_t k = 0; k < stack->depth; k += GP_LINE_IDS)
			AS_PREFETCH(id + k);
	}
	for (uint32_t i = 0; i < st->n_pending; i++)
		if (!gp_stacks_settle(st, &st->pending[i]))
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
		return as_gp_stacks_flush(st) && count_row(st, 0, count);
	if (st->n_pending == GP_BATCH && !as_gp_stacks_flush(st))
		return false;
	rec = &st->pending[st->n_pending++];
	rec->p = p;
	rec->hash = hash_any(st->layout, p, depth);
	rec->count = count;
	rec->off = off;
	rec->depth = depth;
	as_index_expect(&st->index, rec->hash);
	return true;
}

/* ---- when all have come ---- */

static inline void gp_stacks_mark(struct as_gp_stacks *st, const struct as_stack_flat *s)
{
	const uint32_t *id = st->id.p + s->first;

	if (!s->count || !s->depth)
		return;
	st->seen.p[id[0]] |= AS_GP_LEAF;
	for (uint32_t i = 1; i < s->depth; i++)
		st->seen.p[id[i]] |= AS_GP_CALLER;
}

void as_gp_stacks_mark(struct as_gp_stacks *st)
{
	if (st->seen.n)
		memset(st->seen.p, 0, st->seen.n);
	for (size_t i = 0; i < st->row.n; i++)
		gp_stacks_mark(st, &st->row.p[i]);
}

bool as_gp_stacks_close(struct as_gp_stacks *st)
{
	as_index_release(&st->index);
	as_index_release(&st->pcs);
	if (!as_vec_reserve(st->al, &st->seen, st->pc.n))
		return false;
	st->seen.n = st->pc.n;
	as_gp_stacks_mark(st);
	return as_vec_fit(st->out, &st->id, st->id.n);
}

void as_gp_stacks_order(const struct as_gp_stacks *st, struct as_stack_item *items)
{
	for (uint32_t i = 0; i < st->row.n; i++)
		items[i] =
			(struct as_stack_item){0, st->row.p[i].first + st->row.p[i].depth - 1, i};
	/* The caller of a frame stands behind it; AS_GP_END becomes 0. */
	as_stack_order((struct as_stack_words){st->id.p, -1, 1}, items, st->row.n);
}
