/* SPDX-License-Identifier: Apache-2.0 */
#include "model/rows.h"

enum {
	CHUNK_MIN = 4 * 1024,
	CHUNK_MAX = 256 * 1024,
	VARINT_MAX = 19, /* 128 bits, 7 at a time */
};

void as_rows_init(struct as_rows *rows, const struct as_alloc *al, uint32_t width)
{
	*rows = (struct as_rows){.al = al, .width = width};
}

void as_rows_release(struct as_rows *rows)
{
	for (size_t i = 0; i < rows->chunk.n; i++)
		as_alloc_free(rows->al, rows->chunk.p[i].p, rows->chunk.p[i].cap);
	as_vec_free(rows->al, &rows->chunk);
	as_vec_free(rows->al, &rows->run);
}

bool as_rows_run(
	struct as_rows *rows, uint32_t part, as_func func, as_file file, as_func inl)
{
	struct as_rows_chunk *last = rows->chunk.n ? &rows->chunk.p[rows->chunk.n - 1] : NULL;
	struct as_run run = {.part = part, .func = func, .file = file, .inl = inl};

	if (rows->run.n) {
		struct as_run *prev = &rows->run.p[rows->run.n - 1];

		if (prev->part == part && prev->func.i == func.i && prev->file.i == file.i &&
			prev->inl.i == inl.i)
			return true;
		if (prev->n == 0)
			rows->run.n--;
	}
	if (last) {
		run.chunk = (uint32_t)(rows->chunk.n - 1);
		run.off = last->n;
	}
	rows->last_line = rows->last_addr = 0;
	return as_vec_push(rows->al, &rows->run, run);
}

/* A place for SIZE bytes at the end of the last chunk, or NULL. */
static uint8_t *room(struct as_rows *rows, size_t size)
{
	struct as_rows_chunk *last = rows->chunk.n ? &rows->chunk.p[rows->chunk.n - 1] : NULL;
	struct as_rows_chunk fresh = {0};
	size_t cap;

	if (last && last->cap - last->n >= size)
		return last->p + last->n;
	cap = last ? (size_t)last->cap * 2 : CHUNK_MIN;
	if (cap > CHUNK_MAX)
		cap = CHUNK_MAX;
	if (cap < size)
		cap = size;
	if (cap > UINT32_MAX || rows->chunk.n >= UINT32_MAX)
		return NULL;
	fresh.p = rows->al->resize(rows->al->ctx, NULL, 0, cap);
	fresh.cap = (uint32_t)cap;
	if (!fresh.p)
		return NULL;
	if (!as_vec_push(rows->al, &rows->chunk, fresh)) {
		as_alloc_free(rows->al, fresh.p, cap);
		return NULL;
	}
	return fresh.p;
}

static uint8_t *put(uint8_t *p, uint64_t v)
{
	while (v >= 0x80) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

static uint8_t *put_wide(uint8_t *p, as_uval v)
{
	while (v >> 63) {
		*p++ = (uint8_t)((uint64_t)v | 0x80);
		v >>= 7;
	}
	return put(p, (uint64_t)v);
}

static uint64_t zigzag(uint64_t diff)
{
	return diff << 1 ^ (uint64_t)((int64_t)diff >> 63);
}

static uint64_t unzigzag(uint64_t v)
{
	return v >> 1 ^ -(v & 1);
}

static void close_row(struct as_rows *rows, uint8_t *end, uint64_t line, uint64_t addr)
{
	struct as_rows_chunk *last = &rows->chunk.p[rows->chunk.n - 1];
	struct as_run *run = &rows->run.p[rows->run.n - 1];

	if (run->n == 0) {
		/* The row may have opened a new chunk after the run was announced. */
		run->off = run->chunk == rows->chunk.n - 1 ? run->off : 0;
		run->chunk = (uint32_t)(rows->chunk.n - 1);
	}
	last->n = (uint32_t)(end - last->p);
	rows->last_line = line;
	rows->last_addr = addr;
	run->n++;
	rows->n++;
}

bool as_rows_add_u64(
	struct as_rows *rows, uint64_t line, uint64_t addr, const uint64_t *v, uint32_t n)
{
	uint8_t *p;

	while (n && v[n - 1] == 0)
		n--;
	p = room(rows, (size_t)(n + 3) * VARINT_MAX);
	if (!p)
		return false;
	p = put(p, (uint64_t)n * 2);
	p = put(p, zigzag(line - rows->last_line));
	p = put(p, zigzag(addr - rows->last_addr));
	for (uint32_t i = 0; i < n; i++)
		p = put(p, v[i]);
	close_row(rows, p, line, addr);
	return true;
}

bool as_rows_add(
	struct as_rows *rows, uint64_t line, uint64_t addr, const as_val *v, uint32_t n)
{
	bool negative = false;
	uint8_t *p;

	while (n && v[n - 1] == 0)
		n--;
	for (uint32_t i = 0; i < n; i++)
		negative |= v[i] < 0;
	p = room(rows, (size_t)(n + 3) * VARINT_MAX);
	if (!p)
		return false;
	p = put(p, (uint64_t)n * 2 + negative);
	p = put(p, zigzag(line - rows->last_line));
	p = put(p, zigzag(addr - rows->last_addr));
	for (uint32_t i = 0; i < n; i++)
		p = put_wide(p, negative ? (as_uval)v[i] << 1 ^ (as_uval)(v[i] >> 127)
					 : (as_uval)v[i]);
	close_row(rows, p, line, addr);
	return true;
}

static const uint8_t *get(const uint8_t *p, uint64_t *v)
{
	uint64_t x = *p++;

	if (x >= 0x80) {
		unsigned shift = 7;

		x &= 0x7f;
		for (; *p >= 0x80; shift += 7)
			x |= (uint64_t)(*p++ & 0x7f) << shift;
		x |= (uint64_t)*p++ << shift;
	}
	*v = x;
	return p;
}

static const uint8_t *get_wide(const uint8_t *p, as_uval *v)
{
	as_uval x = 0;
	unsigned shift = 0;

	for (; *p >= 0x80; shift += 7)
		x |= (as_uval)(*p++ & 0x7f) << shift;
	*v = x | (as_uval)*p++ << shift;
	return p;
}

static void enter_chunk(struct as_rows_cur *cur, uint32_t chunk, uint32_t off)
{
	const struct as_rows_chunk *c = &cur->rows->chunk.p[chunk];

	cur->chunk = chunk;
	cur->p = c->p + off;
	cur->end = c->p + c->n;
}

void as_rows_begin(struct as_rows_cur *cur, const struct as_rows *rows, const struct as_run *run,
	as_val *v)
{
	*cur = (struct as_rows_cur){.rows = rows, .left = run->n, .v = v};
	if (run->n)
		enter_chunk(cur, run->chunk, run->off);
}

bool as_rows_next(struct as_rows_cur *cur)
{
	const uint8_t *p;
	uint64_t head, d;
	uint32_t i;

	if (!cur->left)
		return false;
	cur->left--;
	if (cur->p == cur->end)
		enter_chunk(cur, cur->chunk + 1, 0);
	p = get(cur->p, &head);
	p = get(p, &d);
	cur->line += unzigzag(d);
	p = get(p, &d);
	cur->addr += unzigzag(d);
	cur->n = (uint32_t)(head >> 1);
	for (i = 0; i < cur->n; i++) {
		as_uval x;

		if (AS_LIKELY(*p < 0x80))
			x = *p++;
		else
			p = get_wide(p, &x);
		cur->v[i] = head & 1 ? (as_val)(x >> 1 ^ -(x & 1)) : (as_val)x;
	}
	for (; i < cur->rows->width; i++)
		cur->v[i] = 0;
	cur->p = p;
	return true;
}
