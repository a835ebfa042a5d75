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
	PER_PC = sizeof(uint64_t) / sizeof(uint32_t), /* words of ID that an address takes */
	IDS_MAX = 1 << 30,
	CHUNK = 64, /* addresses looked up together */
};

bool as_gp_stacks_init(struct as_gp_stacks *st, const struct as_alloc *al)
{
	*st = (struct as_gp_stacks){.al = al, .zero_off = AS_OFF_NONE};
	as_index_init(&st->index, al);
	return as_vec_push(al, &st->id, AS_GP_END) && as_vec_push(al, &st->id, 0) &&
	       as_vec_push(al, &st->row, ((struct as_gp_stack){.first = PER_PC})) &&
	       as_vec_push(al, &st->records, 0);
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

static inline uint64_t pc_at(const uint32_t *id, size_t i)
{
	uint64_t pc;

	memcpy(&pc, id + i * PER_PC, sizeof(pc));
	return pc;
}

static inline bool gp_stacks_same(
	const uint32_t *id, const struct as_gp_pending *rec, uint32_t width, bool big)
{
	uint64_t differ = 0;

	for (uint32_t i = 0; i < rec->depth; i++)
		differ |= pc_at(id, i) ^ gp_get(rec->p + (size_t)i * width, width, big);
	return differ == 0;
}

static bool same_any(const struct as_gp_stacks *st, uint32_t row, const struct as_gp_pending *rec)
{
	const struct as_gp_stack *stack = &st->row.p[row];
	const uint32_t *id = st->id.p + stack->first;

	if (stack->depth != rec->depth)
		return false;
	if (st->layout.width == 8)
		return st->layout.big ? gp_stacks_same(id, rec, 8, true)
				      : gp_stacks_same(id, rec, 8, false);
	return st->layout.big ? gp_stacks_same(id, rec, 4, true)
			      : gp_stacks_same(id, rec, 4, false);
}

static bool gp_stacks_insert(struct as_gp_stacks *st, struct as_gp_pending *rec)
{
	struct as_gp_stack stack = {.first = (uint32_t)st->id.n, .depth = rec->depth};
	const struct as_gp_layout l = st->layout;

	rec->row = (uint32_t)st->row.n;
	if (st->row.n >= ROWS_MAX || st->id.n >= ROWS_MAX - (size_t)PER_PC * rec->depth ||
		!as_vec_reserve(st->al, &st->id, st->id.n + (size_t)PER_PC * rec->depth))
		return false;
	for (uint32_t i = 0; i < rec->depth; i++) {
		uint64_t pc = gp_slot(rec->p + (size_t)i * l.width, l);

		memcpy(st->id.p + st->id.n, &pc, sizeof(pc));
		st->id.n += PER_PC;
		if (pc == 0 && rec->count && st->zero_off == AS_OFF_NONE)
			st->zero_off = rec->off;
	}
	return as_vec_push(st->al, &st->row, stack) &&
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
	bool found = false;

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
		const struct as_gp_stack *stack = &st->row.p[st->pending[i].row];
		const uint32_t *id = st->id.p + stack->first;

		for (uint32_t k = 0; k < stack->depth * PER_PC; k += GP_LINE_IDS)
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

/* The number of the address PC, given out when it is new. */
static inline bool number_pc(
	struct as_gp_stacks *st, struct as_index *pcs, uint64_t pc, uint64_t h, uint32_t *out)
{
	uint64_t pos = AS_INDEX_START;

	while (as_index_find(pcs, h, &pos, out))
		if (st->pc.p[*out] == pc)
			return true;
	*out = (uint32_t)st->pc.n;
	return st->pc.n < IDS_MAX && as_vec_push(st->al, &st->pc, pc) &&
	       as_vec_push(st->al, &st->seen, 0) && as_index_add(pcs, h, *out);
}

/* N <= CHUNK addresses from word FROM on become numbers at TO, which may be the same memory. */
static bool number_chunk(
	struct as_gp_stacks *st, struct as_index *pcs, uint32_t from, uint32_t to, uint32_t n)
{
	uint64_t pc[CHUNK], h[CHUNK];

	for (uint32_t i = 0; i < n; i++) {
		pc[i] = pc_at(st->id.p + from, i);
		h[i] = pc[i] * HASH_A;
		as_index_expect(pcs, h[i]);
	}
	for (uint32_t i = 0; i < n; i++)
		if (!number_pc(st, pcs, pc[i], h[i], &st->id.p[to + i]))
			return false;
	return true;
}

static inline void gp_stacks_mark(struct as_gp_stacks *st, const struct as_gp_stack *s)
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

/* Stacks stand in the order of their rows, and numbers never overtake the addresses that are
 * still to be read: with the word in front, a stack takes no more than before. */
static bool number_all(struct as_gp_stacks *st, struct as_index *pcs)
{
	uint32_t at = 1; /* behind the END that stands in front of everything */

	st->row.p[0].first = at;
	for (size_t i = 1; i < st->row.n; i++) {
		struct as_gp_stack *s = &st->row.p[i];
		uint32_t from = s->first;

		st->id.p[at - 1] = AS_GP_END;
		s->first = at;
		for (uint32_t left = s->depth, n; left; left -= n) {
			n = left < CHUNK ? left : CHUNK;
			if (!number_chunk(st, pcs, from, at, n))
				return false;
			from += n * PER_PC;
			at += n;
		}
		gp_stacks_mark(st, s);
		at++;
	}
	st->id.n = at - 1;
	return true;
}

bool as_gp_stacks_close(struct as_gp_stacks *st)
{
	struct as_index pcs;
	uint32_t *less;
	bool ok;

	as_index_release(&st->index);
	as_index_init(&pcs, st->al);
	ok = number_all(st, &pcs);
	as_index_release(&pcs);
	if (!ok || st->id.n == 0)
		return ok;
	less = st->al->resize(
		st->al->ctx, st->id.p, st->id.cap * sizeof(*less), st->id.n * sizeof(*less));
	if (less) {
		st->id.p = less;
		st->id.cap = st->id.n;
	}
	return true;
}

void as_gp_stacks_order(const struct as_gp_stacks *st, struct as_stack_item *items)
{
	for (uint32_t i = 0; i < st->row.n; i++)
		items[i] =
			(struct as_stack_item){0, st->row.p[i].first + st->row.p[i].depth - 1, i};
	/* The caller of a frame stands behind it; AS_GP_END becomes 0. */
	as_stack_order((struct as_stack_words){st->id.p, -1, 1}, items, st->row.n);
}
