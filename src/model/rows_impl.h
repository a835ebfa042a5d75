/* SPDX-License-Identifier: Apache-2.0 */
/* What rows.c and rows_span.c share. Private to src/model. */
#ifndef AS_MODEL_ROWS_IMPL_H
#define AS_MODEL_ROWS_IMPL_H

#include "model/rows.h"

enum {
	AS_VARINT_MAX = 19, /* 128 bits, 7 at a time */
	AS_SPAN_HEAD = 1,   /* no values, but negative: what no row looks like */
	AS_SPAN_MAX = 64,   /* values in one record */
	AS_SPAN_FAR = 128,  /* in its shape: the gap has eight bytes, not four */
};

/* A place for SIZE bytes at the end of the last chunk, or NULL. */
uint8_t *as_rows_room(struct as_rows *rows, size_t size);
/* The row that was written there reaches up to END. */
void as_rows_close(struct as_rows *rows, const uint8_t *end, uint64_t line, uint64_t addr);

static inline uint8_t *as_put_varint(uint8_t *p, uint64_t v)
{
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

/* Take apart the head of a span record at P, up to its stride. GAP is the first address less
 * that of the row before. */
static inline const uint8_t *as_span_head(
	const uint8_t *p, struct as_rows_view *view, uint64_t *gap)
{
	uint32_t near;

	view->n = p[1];
	view->rows = p[2];
	view->size = p[3] & ~(uint32_t)AS_SPAN_FAR;
	if (p[3] & AS_SPAN_FAR) {
		memcpy(gap, p + 4, sizeof(*gap));
		return p + 4 + sizeof(*gap);
	}
	memcpy(&near, p + 4, sizeof(near));
	*gap = near;
	return p + 4 + sizeof(near);
}

#endif
