/* SPDX-License-Identifier: Apache-2.0 */
/* A cursor over bytes of either byte order. Reading past the end gives zeros and sets BAD. */
#ifndef AS_SYMBOLS_DWARF_DWARF_CURSOR_H
#define AS_SYMBOLS_DWARF_DWARF_CURSOR_H

#include "base/slice.h"

struct as_dw_cur {
	const uint8_t *p, *end;
	bool big, bad;
};

static inline size_t as_dw_left(const struct as_dw_cur *c)
{
	return (size_t)(c->end - c->p);
}

static inline void as_dw_fail(struct as_dw_cur *c)
{
	c->bad = true;
	c->p = c->end;
}

static inline void as_dw_skip(struct as_dw_cur *c, uint64_t n)
{
	if (AS_UNLIKELY(n > as_dw_left(c)))
		as_dw_fail(c);
	else
		c->p += n;
}

static inline uint8_t as_dw_u8(struct as_dw_cur *c)
{
	if (AS_UNLIKELY(c->p == c->end)) {
		c->bad = true;
		return 0;
	}
	return *c->p++;
}

/* A number of SIZE (1 to 8) bytes. */
static inline uint64_t as_dw_uint(struct as_dw_cur *c, unsigned size)
{
	const uint8_t *p = c->p;
	uint64_t v = 0;

	if (AS_UNLIKELY(size > as_dw_left(c))) {
		as_dw_fail(c);
		return 0;
	}
	c->p += size;
	if (AS_LITTLE_ENDIAN && !c->big) {
		if (size == 4) {
			uint32_t w;

			memcpy(&w, p, 4);
			return w;
		}
		memcpy(&v, p, size);
		return v;
	}
	for (unsigned i = 0; i < size; i++)
		v = c->big ? v << 8 | p[i] : v | (uint64_t)p[i] << (8 * i);
	return v;
}

/* LEB128; bits beyond the 64th are lost. */
static inline uint64_t as_dw_uleb(struct as_dw_cur *c)
{
	uint64_t v = as_dw_u8(c);

	if (AS_LIKELY(v < 0x80))
		return v;
	v &= 0x7f;
	for (unsigned shift = 7;; shift += 7) {
		uint8_t byte = as_dw_u8(c);

		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80)
			return v;
	}
}

static inline int64_t as_dw_sleb(struct as_dw_cur *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint8_t byte = as_dw_u8(c);

		if (shift < 64)
			v |= (uint64_t)(byte & 0x7f) << shift;
		if (byte < 0x80) {
			if (shift + 7 < 64 && (byte & 0x40))
				v |= UINT64_MAX << (shift + 7);
			return (int64_t)v;
		}
	}
}

static inline void as_dw_skip_leb(struct as_dw_cur *c)
{
	while (as_dw_u8(c) >= 0x80)
		;
}

/* Up to the NUL, which is skipped. */
static inline struct as_slice as_dw_text(struct as_dw_cur *c)
{
	const uint8_t *p = c->p, *nul = as_dw_left(c) ? memchr(p, 0, as_dw_left(c)) : NULL;

	if (!nul) {
		as_dw_fail(c);
		return (struct as_slice){"", 0};
	}
	c->p = nul + 1;
	return (struct as_slice){(const char *)p, (size_t)(nul - p)};
}

/* A unit's length: its own size says how large offsets are, 4 or 8 bytes; 0 where it is neither. */
static inline uint64_t as_dw_length(struct as_dw_cur *c, uint8_t *off_size)
{
	uint64_t n = as_dw_uint(c, 4);

	*off_size = 4;
	if (n < 0xfffffff0u)
		return n;
	*off_size = 8;
	if (n == 0xffffffffu)
		return as_dw_uint(c, 8);
	as_dw_fail(c);
	return 0;
}

#endif
