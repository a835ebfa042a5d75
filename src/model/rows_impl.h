/* SPDX-License-Identifier: Apache-2.0 */
/* What rows.c and rows_span.c share. Private to src/model. */
#ifndef AS_MODEL_ROWS_IMPL_H
#define AS_MODEL_ROWS_IMPL_H

#include "model/rows.h"

enum {
	AS_VARINT_MAX = 19, /* 128 bits, 7 at a time */
	/* Bytes that can be read behind the last row of a chunk. Each row is given room for its
	 * numbers at their longest; head, line and addr never need all of theirs. */
	AS_ROWS_SLACK = 8,
	AS_SPAN_HEAD = 1,  /* no values, but negative: a span */
	AS_SPAN_MAX = 64,  /* values in one record */
	AS_SPAN_GAP = 6,   /* bytes before the gap */
	AS_SPAN_FAR = 128, /* in its shape: the gap has eight bytes, not four */
};

static inline void as_rows_enter(struct as_rows_cur *cur, uint32_t chunk, uint32_t off)
{
	const struct as_rows_chunk *c = &cur->rows->chunk.p[chunk];

	cur->chunk = chunk;
	cur->p = c->p + off;
	cur->end = c->p + c->n;
}

/* as_rows_next() for a run of sums, which leaves values that are not stored alone. */
bool as_rows_next_sum(struct as_rows_cur *cur);

/* as_rows_room() where the chunk or the run is full. */
uint8_t *as_rows_make_room(struct as_rows *rows, size_t size);

/* A record more could take it past run_max. */
static inline bool as_rows_run_is_full(const struct as_rows *rows)
{
	return rows->run.p[rows->run.n - 1].n > rows->run_max - AS_SPAN_MAX;
}

/* A place for SIZE bytes at the end of the last chunk, or NULL. */
static inline uint8_t *as_rows_room(struct as_rows *rows, size_t size)
{
	if (AS_LIKELY(rows->chunk.n)) {
		struct as_rows_chunk *last = &rows->chunk.p[rows->chunk.n - 1];

		if (AS_LIKELY(last->cap - last->n >= size) && !as_rows_run_is_full(rows))
			return last->p + last->n;
	}
	return as_rows_make_room(rows, size);
}

/* The row that was written there reaches up to END. */
static inline void as_rows_close(
	struct as_rows *rows, const uint8_t *end, uint64_t line, uint64_t addr)
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

#if AS_VARINT_WORDS

/* The other way round. */
static inline uint64_t as_varint_spread(uint64_t x)
{
	x = (x & UINT64_C(0x00fffffff0000000)) << 4 | (x & UINT64_C(0x000000000fffffff));
	x = (x & UINT64_C(0x0fffc0000fffc000)) << 2 | (x & UINT64_C(0x00003fff00003fff));
	return (x & UINT64_C(0x3f803f803f803f80)) << 1 | (x & UINT64_C(0x007f007f007f007f));
}

/* How many bytes follow the first of a varint. */
static inline unsigned as_varint_more(uint64_t v)
{
	return (63 - (unsigned)__builtin_clzll(v | 1)) / 7;
}

/* V < 2^56 as a varint, in a word. */
static inline uint64_t as_varint_word(uint64_t v, unsigned more)
{
	return as_varint_spread(v) | (AS_VARINT_GO & ((UINT64_C(1) << 8 * more) - 1));
}

#endif

/* AS_VARINT_MAX bytes are there. */
static inline uint8_t *as_put_varint(uint8_t *p, uint64_t v)
{
#if AS_VARINT_WORDS
	if (v < 0x80) {
		*p = (uint8_t)v;
		return p + 1;
	}
	if (AS_LIKELY(v >> 56 == 0)) {
		unsigned more = as_varint_more(v);
		uint64_t w = as_varint_word(v, more);

		memcpy(p, &w, sizeof(w));
		return p + more + 1;
	}
#endif
	while (v >= 0x80) {
		*p++ = (uint8_t)(v | 0x80);
		v >>= 7;
	}
	*p++ = (uint8_t)v;
	return p;
}

static inline uint64_t as_zigzag(uint64_t diff)
{
	return diff << 1 ^ (uint64_t)((int64_t)diff >> 63);
}

/* A row of one value V, LINE and ADDR behind the row before. As one word where it fits in one:
 * most do, and how long numbers are cannot be guessed. */
static inline uint8_t *as_put_row(uint8_t *p, uint64_t line, uint64_t addr, uint64_t v)
{
	uint64_t l = as_zigzag(line), a = as_zigzag(addr);

#if AS_VARINT_WORDS
	unsigned nl = as_varint_more(l), na = as_varint_more(a), nv = as_varint_more(v);

	if (AS_LIKELY(nl + na + nv <= 4)) {
		uint64_t w = 2 | as_varint_word(l, nl) << 8;

		w |= as_varint_word(a, na) << 8 * (nl + 2);
		w |= as_varint_word(v, nv) << 8 * (nl + na + 3);
		memcpy(p, &w, sizeof(w));
		return p + nl + na + nv + 4;
	}
#endif
	*p++ = 2; /* one value, not negative */
	p = as_put_varint(p, l);
	p = as_put_varint(p, a);
	return as_put_varint(p, v);
}

/* Take apart the head of a span record at P, up to its stride. GAP is the first address less
 * that of the row before. */
static inline const uint8_t *as_span_head(
	const uint8_t *p, struct as_rows_view *view, uint64_t *gap)
{
	uint16_t most;
	uint32_t near;

	view->n = p[1];
	view->rows = p[2];
	view->size = p[3] & ~(uint32_t)AS_SPAN_FAR;
	memcpy(&most, p + 4, sizeof(most));
	view->most = most < UINT16_MAX ? most : UINT32_MAX;
	if (p[3] & AS_SPAN_FAR) {
		memcpy(gap, p + AS_SPAN_GAP, sizeof(*gap));
		return p + AS_SPAN_GAP + sizeof(*gap);
	}
	memcpy(&near, p + AS_SPAN_GAP, sizeof(near));
	*gap = near;
	return p + AS_SPAN_GAP + sizeof(near);
}

#endif
