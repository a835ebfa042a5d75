/* SPDX-License-Identifier: Apache-2.0 */
/* Reading unwind tables within bounds: the first read beyond them makes all that follow fail. */
#ifndef AS_PRELOAD_EH_CURSOR_H
#define AS_PRELOAD_EH_CURSOR_H

#include <string.h>

#include "preload/eh_frame.h"

/* How a pointer is written (LSB 5.0 §10.5.1). */
enum {
	AS_EH_PE_ULEB = 1,
	AS_EH_PE_U2 = 2,
	AS_EH_PE_U4 = 3,
	AS_EH_PE_U8 = 4,
	AS_EH_PE_SLEB = 9,
	AS_EH_PE_S2 = 10,
	AS_EH_PE_S4 = 11,
	AS_EH_PE_S8 = 12,
	AS_EH_PE_FORM = 0x0f,
	AS_EH_PE_BASE = 0x70,
	AS_EH_PE_PCREL = 0x10,
	AS_EH_PE_DATAREL = 0x30,
	AS_EH_PE_INDIRECT = 0x80,
	AS_EH_PE_OMIT = 0xff,
};

struct as_eh_cur {
	const uint8_t *p, *end;
	uint64_t addr; /* of P in the process */
	bool bad;
};

static inline const uint8_t *as_eh_take(struct as_eh_cur *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (c->bad || (uint64_t)(c->end - c->p) < n) {
		c->bad = true;
		return NULL;
	}
	c->p += n;
	c->addr += n;
	return p;
}

static inline uint64_t as_eh_uint(struct as_eh_cur *c, unsigned width)
{
	const uint8_t *p = as_eh_take(c, width);
	uint64_t v = 0;

	for (unsigned i = 0; p && i < width; i++)
		v |= (uint64_t)p[i] << (8 * i);
	return v;
}

static inline int64_t as_eh_sint(struct as_eh_cur *c, unsigned width)
{
	uint64_t v = as_eh_uint(c, width);
	unsigned shift = 64 - 8 * width;

	return (int64_t)(v << shift) >> shift;
}

static inline uint64_t as_eh_uleb(struct as_eh_cur *c)
{
	uint64_t v = 0;

	for (unsigned shift = 0;; shift += 7) {
		uint64_t byte = as_eh_uint(c, 1);

		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		if (c->bad || !(byte & 0x80))
			return v;
	}
}

static inline int64_t as_eh_sleb(struct as_eh_cur *c)
{
	uint64_t v = 0, byte;
	unsigned shift = 0;

	do {
		byte = as_eh_uint(c, 1);
		if (shift < 64)
			v |= (byte & 0x7f) << shift;
		shift += 7;
	} while (!c->bad && (byte & 0x80));
	if (shift < 64 && (byte & 0x40))
		v |= ~(uint64_t)0 << shift;
	return (int64_t)v;
}

/* A pointer in the encoding ENC; DATA is what DATAREL counts from. */
static inline uint64_t as_eh_pointer(struct as_eh_cur *c, unsigned enc, uint64_t data)
{
	uint64_t base = 0, v;

	if ((enc & AS_EH_PE_BASE) == AS_EH_PE_PCREL)
		base = c->addr;
	else if ((enc & AS_EH_PE_BASE) == AS_EH_PE_DATAREL)
		base = data;
	else if (enc & AS_EH_PE_BASE)
		c->bad = true;
	switch (enc & AS_EH_PE_FORM) {
	case 0:
	case AS_EH_PE_U8:
	case AS_EH_PE_S8:
		v = as_eh_uint(c, 8);
		break;
	case AS_EH_PE_U4:
		v = as_eh_uint(c, 4);
		break;
	case AS_EH_PE_S4:
		v = (uint64_t)as_eh_sint(c, 4);
		break;
	case AS_EH_PE_U2:
		v = as_eh_uint(c, 2);
		break;
	case AS_EH_PE_S2:
		v = (uint64_t)as_eh_sint(c, 2);
		break;
	case AS_EH_PE_ULEB:
		v = as_eh_uleb(c);
		break;
	case AS_EH_PE_SLEB:
		v = (uint64_t)as_eh_sleb(c);
		break;
	default:
		v = 0;
		c->bad = true;
	}
	return base + v;
}

#endif
