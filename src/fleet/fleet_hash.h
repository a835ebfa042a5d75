/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows in RowBinary, and the ids of what they say: XXH64, seed 0, of their bytes. Ids are for ever:
 * two versions of assay that make other ids of one thing would never add it up again.
 */
#ifndef AS_FLEET_FLEET_HASH_H
#define AS_FLEET_FLEET_HASH_H

#include "base/alloc.h"
#include "base/pb.h"
#include "base/slice.h"

/* Never 0, which stands for nothing: that would be 1. */
uint64_t as_fleet_hash(const void *p, size_t len);
/* Of S as it is sent, with its length in front. */
uint64_t as_fleet_hash_string(struct as_slice s);

/* Bytes of rows. Out of memory is told once, at the end: FAILED. */
struct as_fleet_bytes {
	const struct as_alloc *al;
	AS_VEC(char) v;
	bool failed;
};

static inline uint64_t as_fleet_bytes_hash(const struct as_fleet_bytes *b)
{
	return as_fleet_hash(b->v.p, b->v.n);
}

/* V as SIZE bytes at P, low ones first; what is behind them. */
static inline char *as_fleet_le(char *p, uint64_t v, size_t size)
{
	char le[] = {(char)v, (char)(v >> 8), (char)(v >> 16), (char)(v >> 24), (char)(v >> 32),
		(char)(v >> 40), (char)(v >> 48), (char)(v >> 56)};

	memcpy(p, le, size);
	return p + size;
}

/* S with its length in front, at P, where AS_PB_VARINT_MAX bytes more than it takes are; what is
 * behind it. */
static inline char *as_fleet_text(char *p, struct as_slice s)
{
	p = as_pb_put_varint(p, s.len);
	if (s.len)
		memcpy(p, s.p, s.len);
	return p + s.len;
}

/* Where SIZE bytes more are, which are not yet B's; NULL if out of memory. */
char *as_fleet_room(struct as_fleet_bytes *b, size_t size);
void as_fleet_put(struct as_fleet_bytes *b, const void *p, size_t n);
/* Unsigned and signed numbers of SIZE bytes, low ones first. */
void as_fleet_put_number(struct as_fleet_bytes *b, uint64_t v, size_t size);
/* How long what follows is, as LEB128: a string, an array. */
void as_fleet_put_length(struct as_fleet_bytes *b, uint64_t n);
void as_fleet_put_string(struct as_fleet_bytes *b, struct as_slice s);

#endif
