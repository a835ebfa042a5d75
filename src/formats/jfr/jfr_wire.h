/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers and texts of a chunk, docs/formats/jfr.md §2. False where the bytes
 * end too early, or are no text; a cursor that has failed stands anywhere.
 */
#ifndef AS_FORMATS_JFR_JFR_WIRE_H
#define AS_FORMATS_JFR_JFR_WIRE_H

#include "base/slice.h"

struct as_jfr_cur {
	const uint8_t *p, *end;
	bool fixed; /* numbers take all their bytes, the highest first */
};

enum { JFR_INT = 4, JFR_LONG = 8 }; /* bytes of a number where they are fixed */

/* How a text is written. */
enum {
	JFR_TEXT_NULL,
	JFR_TEXT_EMPTY,
	JFR_TEXT_KEY, /* of the pool of texts */
	JFR_TEXT_UTF8,
	JFR_TEXT_CHARS, /* UTF-16, a number for each unit */
	JFR_TEXT_LATIN1,
};

static inline size_t as_jfr_left(const struct as_jfr_cur *c)
{
	return (size_t)(c->end - c->p);
}

/* N bytes, the highest first. */
static inline bool as_jfr_big(struct as_jfr_cur *c, size_t n, uint64_t *v)
{
	uint64_t sum = 0;

	if (as_jfr_left(c) < n)
		return false;
	for (size_t i = 0; i < n; i++)
		sum = sum << 8 | c->p[i];
	c->p += n;
	*v = sum;
	return true;
}

/* Seven bits a byte, the lowest first; a ninth byte has eight. */
static inline bool as_jfr_varint(struct as_jfr_cur *c, uint64_t *v)
{
	const uint8_t *p = c->p;
	uint64_t sum = 0;

	for (unsigned shift = 0; p < c->end; shift += 7) {
		uint8_t byte = *p++;

		if (shift == 56 || byte < 0x80) {
			*v = sum | (uint64_t)byte << shift;
			c->p = p;
			return true;
		}
		sum |= (uint64_t)(byte & 0x7f) << shift;
	}
	return false;
}

/* N numbers that are as as_jfr_varint() reads them. */
static inline bool as_jfr_skip_numbers(struct as_jfr_cur *c, uint64_t n)
{
	uint64_t v;

	for (; n && c->end - c->p > 8; n--) {
		uint64_t last;

		memcpy(&v, c->p, sizeof(v));
		last = ~v & UINT64_C(0x8080808080808080);
		if (!last)
			c->p += 9;
		else
			c->p += AS_LITTLE_ENDIAN ? __builtin_ctzll(last) / 8 + 1
						 : __builtin_clzll(last) / 8 + 1;
	}
	while (n && as_jfr_varint(c, &v))
		n--;
	return !n;
}

/* A number of WIDTH bytes where they are fixed. */
static inline bool as_jfr_number(struct as_jfr_cur *c, size_t width, uint64_t *v)
{
	return AS_UNLIKELY(c->fixed) ? as_jfr_big(c, width, v) : as_jfr_varint(c, v);
}

static inline bool as_jfr_jump(struct as_jfr_cur *c, uint64_t n)
{
	if (n > as_jfr_left(c))
		return false;
	c->p += n;
	return true;
}

bool as_jfr_skip_text(struct as_jfr_cur *c);

#endif
