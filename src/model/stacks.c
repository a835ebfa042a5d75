/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stacks.h"

#include "base/slice.h"

struct stack_row {
	uint64_t value;
	uint32_t times, size; /* bytes of the key, which follows */
};

enum {
	EIGHT = 8, /* rows stand on so many bytes, and are named by where they stand in these */
	CHUNK = 256 << 10,
	ROWS = CHUNK / EIGHT, /* names of a chunk */
	NUMBER = 4,           /* bytes; so many are read where a place of fewer stands */
	LINE = 64,            /* of the processor's cache */
	WORD_BITS = 32,
	STACK_MAX = CHUNK / NUMBER - LINE, /* places */
};

void as_stacks_init(struct as_stacks *s, const struct as_alloc *al)
{
	memset(s, 0, sizeof(*s));
	as_index_init(&s->index, al);
}

void as_stacks_release(struct as_stacks *s)
{
	const struct as_alloc *al = s->index.al;

	for (size_t i = 0; i < s->chunk.n; i++)
		as_alloc_free(al, s->chunk.p[i].p, CHUNK);
	as_vec_free(al, &s->chunk);
	as_vec_free(al, &s->kind);
	as_vec_free(al, &s->all);
	as_vec_free(al, &s->keys);
	as_vec_free(al, &s->flat);
	as_vec_free(al, &s->flat_place);
	as_index_release(&s->index);
	as_stacks_init(s, al);
}

bool as_stacks_kind(struct as_stacks *s, uint32_t value, uint32_t times)
{
	struct as_stack_kind kind = {.value = value, .times = times};

	return as_vec_push(s->index.al, &s->kind, kind);
}

bool as_stacks_widen(struct as_stacks *s, uint32_t n)
{
	as_assert(!s->kind.n && n);
	if (!as_stacks_kind(s, AS_STACK_NO_EVENT, AS_STACK_NO_EVENT) ||
		!as_vec_reserve(s->index.al, &s->all, n))
		return false;
	memset(s->all.p, 0, n * sizeof(*s->all.p));
	s->all.n = n;
	return true;
}

/* ---- numbers ---- */

static inline uint32_t stacks_load(const uint8_t *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return AS_LITTLE_ENDIAN ? v : __builtin_bswap32(v);
}

static inline void stacks_store(uint8_t *p, uint32_t v)
{
	v = AS_LITTLE_ENDIAN ? v : __builtin_bswap32(v);
	memcpy(p, &v, sizeof(v));
}

/* ---- keys ---- */

/* Of SIZE bytes, and of the zeros behind them. */
static uint64_t stacks_hash(const uint8_t *p, uint32_t size)
{
	uint64_t a = size, w;

	for (uint32_t i = 0; i < size; i += EIGHT) {
		memcpy(&w, p + i, sizeof(w));
		a = (a ^ w) * UINT64_C(0x9e3779b97f4a7c15);
		a ^= a >> 32;
	}
	return as_hash_mix(a, size);
}

static inline uint32_t stacks_round(uint32_t size)
{
	return (size + EIGHT - 1) / EIGHT * EIGHT;
}

static bool stacks_pack(struct as_stacks *s, uint32_t kind, const as_place *place, uint32_t n,
	struct as_stack_ahead *one)
{
	uint32_t all = 1, bytes;
	uint8_t *p, *key;

	if (!as_vec_reserve(s->index.al, &s->keys, s->keys.n + (n + (size_t)1) * NUMBER + EIGHT))
		return false;
	for (uint32_t i = 0; i < n; i++)
		all |= place[i].i;
	bytes = (WORD_BITS + 7 - (uint32_t)__builtin_clz(all)) / 8;
	key = s->keys.p + s->keys.n;
	stacks_store(key, kind * NUMBER + bytes - 1);
	p = key + NUMBER;
	for (uint32_t i = n; i-- > 0; p += bytes)
		stacks_store(p, place[i].i);
	memset(p, 0, EIGHT);
	one->at = (uint32_t)s->keys.n;
	one->size = (uint32_t)(p - key);
	s->keys.n += stacks_round(one->size);
	return true;
}

/* ---- rows ---- */

static inline struct stack_row *stacks_row(const struct as_stacks *s, uint32_t row)
{
	return (void *)(s->chunk.p[row / ROWS].p + (size_t)(row % ROWS) * EIGHT);
}

/* The chunk with room for SIZE bytes, the last one; NULL if out of memory. */
static struct as_stacks_chunk *stacks_room(struct as_stacks *s, uint32_t size)
{
	const struct as_alloc *al = s->index.al;
	struct as_stacks_chunk fresh = {.used = 0};

	if (s->chunk.n && size <= CHUNK - EIGHT - s->chunk.p[s->chunk.n - 1].used)
		return &s->chunk.p[s->chunk.n - 1];
	if (s->chunk.n >= UINT32_MAX / ROWS || !as_vec_reserve(al, &s->chunk, s->chunk.n + 1))
		return NULL;
	fresh.p = al->resize(al->ctx, NULL, 0, CHUNK);
	if (!fresh.p)
		return NULL;
	s->chunk.p[s->chunk.n++] = fresh;
	return &s->chunk.p[s->chunk.n - 1];
}

/* How many bytes a row takes whose key takes SIZE. */
static inline uint32_t stacks_size(const struct as_stacks *s, uint32_t size)
{
	return (uint32_t)sizeof(struct stack_row) + (uint32_t)s->all.n * EIGHT + stacks_round(size);
}

/* One more row, the last. False if out of memory. */
static bool stacks_append(
	struct as_stacks *s, const struct as_stack_ahead *one, const uint64_t *cost, uint32_t *row)
{
	uint32_t size = stacks_size(s, one->size);
	struct as_stacks_chunk *chunk = stacks_room(s, size);
	struct stack_row *to;
	uint8_t *p;

	if (!chunk)
		return false;
	*row = (uint32_t)(s->chunk.n - 1) * ROWS + chunk->used / EIGHT;
	to = stacks_row(s, *row);
	*to = (struct stack_row){.value = one->value, .times = one->times, .size = one->size};
	p = (uint8_t *)(to + 1);
	if (cost)
		memcpy(p, cost, s->all.n * EIGHT);
	memcpy(p + s->all.n * EIGHT, s->keys.p + one->at, one->size);
	chunk->used += size;
	s->n++;
	return true;
}

static bool stacks_new_row(struct as_stacks *s, const struct as_stack_ahead *one)
{
	uint32_t row;

	return stacks_append(s, one, NULL, &row) && as_index_add(&s->index, one->hash, row);
}

static bool stacks_same(
	const struct as_stacks *s, const struct as_stack_ahead *one, const struct stack_row *row)
{
	return row->size == one->size && row->times <= UINT32_MAX - one->times &&
	       row->value <= UINT64_MAX - one->value &&
	       memcmp(row + 1, s->keys.p + one->at, one->size) == 0;
}

static bool stacks_count(struct as_stacks *s, const struct as_stack_ahead *one)
{
	uint64_t at = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&s->index, one->hash, &at, &row)) {
		struct stack_row *have = stacks_row(s, row);

		if (!stacks_same(s, one, have))
			continue;
		have->value += one->value;
		have->times += one->times;
		return true;
	}
	return stacks_new_row(s, one);
}

/* What they are looked up in has been asked for; now their rows are, and then they are counted. */
static bool stacks_settle(struct as_stacks *s)
{
	for (uint32_t i = 0; i < s->n_ahead; i++) {
		uint64_t at = AS_INDEX_START;
		uint32_t row;

		if (!as_index_find(&s->index, s->ahead[i].hash, &at, &row))
			continue;
		AS_PREFETCH(stacks_row(s, row));
		AS_PREFETCH((const char *)stacks_row(s, row) + LINE);
	}
	for (uint32_t i = 0; i < s->n_ahead; i++)
		if (!stacks_count(s, &s->ahead[i]))
			return false;
	s->n_ahead = 0;
	s->keys.n = 0;
	return true;
}

bool as_stacks_add(struct as_stacks *s, uint32_t kind, const as_place *place, uint32_t n,
	uint64_t value, uint32_t times)
{
	struct as_stack_ahead *one = &s->ahead[s->n_ahead];
	struct as_stack_kind *of = &s->kind.p[kind];

	as_assert(kind < s->kind.n && n <= STACK_MAX);
	if (!stacks_pack(s, kind, place, n, one))
		return false;
	one->hash = stacks_hash(s->keys.p + one->at, one->size);
	one->value = value;
	one->times = times;
	of->values += value;
	of->all_times += times;
	s->deepest = n > s->deepest ? n : s->deepest;
	as_index_expect(&s->index, one->hash);
	return ++s->n_ahead < AS_STACKS_AHEAD || stacks_settle(s);
}

bool as_stacks_add_wide(
	struct as_stacks *s, const as_place *place, uint32_t n, const uint64_t *cost)
{
	struct as_stack_ahead one = {.times = 0};
	uint32_t row;

	as_assert(s->all.n && n <= AS_STACKS_DEEPEST);
	s->keys.n = 0;
	if (!stacks_pack(s, 0, place, n, &one))
		return false;
	for (size_t i = 0; i < s->all.n; i++)
		s->all.p[i] += cost[i];
	s->deepest = n > s->deepest ? n : s->deepest;
	return stacks_append(s, &one, cost, &row);
}

void as_stacks_flat(struct as_stacks *s)
{
	as_assert(s->all.n == 1 && !s->n);
	for (size_t i = 0; i < s->flat.n; i++) {
		const struct as_stack_flat *row = &s->flat.p[i];

		if (!row->count)
			continue;
		s->n++;
		s->all.p[0] += row->count;
		s->deepest = row->depth > s->deepest ? row->depth : s->deepest;
	}
}

bool as_stacks_end(struct as_stacks *s)
{
	const struct as_alloc *al = s->index.al;

	if (!stacks_settle(s))
		return false;
	as_vec_free(al, &s->keys);
	as_index_release(&s->index);
	return true;
}

void as_stacks_total(const struct as_stacks *s, as_val *total)
{
	for (size_t i = 0; i < s->kind.n; i++) {
		const struct as_stack_kind *kind = &s->kind.p[i];

		if (kind->value != AS_STACK_NO_EVENT)
			total[kind->value] += kind->values;
		if (kind->times != AS_STACK_NO_EVENT)
			total[kind->times] += kind->all_times;
	}
	as_vals_add(total, s->all.p, s->all.n);
}

/* ---- the walk ---- */

void as_stacks_begin(struct as_stacks_cur *cur, const struct as_stacks *s, as_place *place)
{
	*cur = (struct as_stacks_cur){.s = s, .left = s->n, .place = place, .room = place};
}

/* To the next row, whose places take BYTES each. */
static const uint8_t *stacks_step(struct as_stacks_cur *cur, uint32_t *bytes)
{
	const struct stack_row *row;
	const uint8_t *key;
	uint32_t head;

	if (cur->off == cur->s->chunk.p[cur->chunk].used) {
		cur->chunk++;
		cur->off = 0;
	}
	row = (const void *)(cur->s->chunk.p[cur->chunk].p + cur->off);
	cur->off += stacks_size(cur->s, row->size);
	cur->value = row->value;
	cur->times = row->times;
	cur->cost = (const void *)(row + 1);
	key = (const uint8_t *)(row + 1) + cur->s->all.n * EIGHT;
	head = stacks_load(key);
	cur->kind = head / NUMBER;
	*bytes = head % NUMBER + 1;
	cur->n = (row->size - NUMBER) / *bytes;
	return key + NUMBER;
}

static inline void stacks_get(const uint8_t *p, uint32_t bytes, as_place *to, uint32_t n)
{
	const uint32_t mask = UINT32_MAX >> 8 * (NUMBER - bytes);

	for (uint32_t i = 0; i < n; i++, p += bytes)
		to[i].i = stacks_load(p) & mask;
}

/* To the next row that is one. */
static void stacks_step_flat(struct as_stacks_cur *cur)
{
	const struct as_stack_flat *row;

	do
		row = &cur->s->flat.p[cur->chunk++];
	while (!row->count);
	cur->cost = &row->count;
	cur->n = row->depth;
	cur->place = (const void *)(cur->s->flat_place.p + row->first);
}

static bool stacks_next(struct as_stacks_cur *cur, uint32_t most)
{
	const uint8_t *p;
	uint32_t bytes;

	if (!cur->left)
		return false;
	cur->left--;
	if (cur->s->flat.n) {
		stacks_step_flat(cur);
		cur->n = cur->n < most ? cur->n : most;
		return true;
	}
	p = stacks_step(cur, &bytes);
	cur->n = cur->n < most ? cur->n : most;
	stacks_get(p, bytes, cur->room, cur->n);
	return true;
}

bool as_stacks_next(struct as_stacks_cur *cur)
{
	return stacks_next(cur, UINT32_MAX);
}

bool as_stacks_next_leaf(struct as_stacks_cur *cur)
{
	return stacks_next(cur, 1);
}
