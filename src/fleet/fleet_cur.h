/* SPDX-License-Identifier: Apache-2.0 */
/* Reading RowBinary. A server is no friend: what ends too early is told once, at the end: CUT. */
#ifndef AS_FLEET_FLEET_CUR_H
#define AS_FLEET_FLEET_CUR_H

#include "base/pb.h"
#include "base/slice.h"

struct as_fleet_cur {
	const uint8_t *p, *end;
	bool cut; /* something was not there; from then on all is 0 and empty */
};

static inline struct as_fleet_cur as_fleet_cur_of(struct as_slice s)
{
	const uint8_t *p = (const uint8_t *)s.p;

	return (struct as_fleet_cur){p, as_at(p, s.len), false};
}

static inline bool as_fleet_more(const struct as_fleet_cur *c)
{
	return !c->cut && c->p < c->end;
}

/* The next N bytes; NULL if they are not there. */
static inline const uint8_t *as_fleet_take(struct as_fleet_cur *c, uint64_t n)
{
	const uint8_t *p = c->p;

	if (c->cut || n > (uint64_t)(c->end - c->p)) {
		c->cut = true;
		return NULL;
	}
	c->p = as_at(p, n);
	return p;
}

/* A number of SIZE bytes, 8 at the most, low ones first; a signed one of eight may be cast. */
static inline uint64_t as_fleet_number(struct as_fleet_cur *c, size_t size)
{
	const uint8_t *p = as_fleet_take(c, size);
	uint64_t v = 0;

	for (size_t i = p ? size : 0; i > 0; i--)
		v = v << 8 | p[i - 1];
	return v;
}

/* How many elements follow, each of MIN bytes at least: no more than there can be. */
static inline size_t as_fleet_length(struct as_fleet_cur *c, size_t min)
{
	uint64_t n = 0;

	if (c->cut || !as_pb_varint(&c->p, c->end, &n) || n > (uint64_t)(c->end - c->p) / min) {
		c->cut = true;
		return 0;
	}
	return (size_t)n;
}

/* Bytes of the answer. */
static inline struct as_slice as_fleet_string(struct as_fleet_cur *c)
{
	size_t n = as_fleet_length(c, 1); /* no more than there are */
	struct as_slice s = {(const char *)c->p, n};

	if (n)
		c->p += n;
	return s;
}

#endif
