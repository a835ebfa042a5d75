/* SPDX-License-Identifier: Apache-2.0 */
/* Fields to bytes. */
#include "base/pb_put.h"

/* Where N bytes go; NULL if out of memory only. */
static inline char *pb_put_room(struct as_pb_buf *b, size_t n)
{
	if (b->no_memory || !as_vec_reserve(b->al, &b->data, b->data.n + n + 1)) {
		b->no_memory = true;
		return NULL;
	}
	return b->data.p + b->data.n;
}

/* Most are of one byte. */
static inline char *pb_put_short(char *p, uint64_t v)
{
	if (AS_UNLIKELY(v >= 0x80))
		return as_pb_put_varint(p, v);
	*p = (char)v;
	return p + 1;
}

/* A tag and a number, with room for MORE bytes behind them; NULL if out of memory. */
static inline char *pb_put_two(struct as_pb_buf *b, uint64_t tag, uint64_t v, size_t more)
{
	char *p = pb_put_room(b, 2 * AS_PB_VARINT_MAX + more), *end;

	if (!p)
		return NULL;
	end = pb_put_short(pb_put_short(p, tag), v);
	b->data.n += (size_t)(end - p);
	return end;
}

void as_pb_put_raw(struct as_pb_buf *b, struct as_slice s)
{
	char *p = pb_put_room(b, s.len);

	if (p && s.len)
		memcpy(p, s.p, s.len);
	b->data.n += p ? s.len : 0;
}

void as_pb_put_always(struct as_pb_buf *b, uint32_t number, uint64_t v)
{
	as_assert(number); /* no field has number 0 */
	(void)pb_put_two(b, (uint64_t)number << 3 | AS_PB_VARINT, v, 0);
}

static void pb_put_eight(struct as_pb_buf *b, uint64_t v)
{
	char *p = pb_put_room(b, 8);

	for (unsigned i = 0; p && i < 8; i++)
		p[i] = (char)(v >> 8 * i);
	b->data.n += p ? 8 : 0;
}

void as_pb_put_fixed(struct as_pb_buf *b, uint32_t number, uint64_t v)
{
	char *p = pb_put_room(b, AS_PB_VARINT_MAX);

	if (p)
		b->data.n +=
			(size_t)(as_pb_put_varint(p, (uint64_t)number << 3 | AS_PB_FIXED64) - p);
	pb_put_eight(b, v);
}

void as_pb_put_packed_fixed(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n)
{
	(void)pb_put_two(b, (uint64_t)number << 3 | AS_PB_BYTES, 8 * n, 0);
	for (size_t i = 0; i < n; i++)
		pb_put_eight(b, v[i]);
}

void as_pb_put_number(struct as_pb_buf *b, uint32_t number, uint64_t v)
{
	if (v)
		as_pb_put_always(b, number, v);
}

void as_pb_put_bytes(struct as_pb_buf *b, uint32_t number, struct as_slice s)
{
	char *p;

	as_assert(number);
	p = pb_put_two(b, (uint64_t)number << 3 | AS_PB_BYTES, s.len, s.len);
	if (p && s.len)
		memcpy(p, s.p, s.len);
	b->data.n += p ? s.len : 0;
}

static size_t pb_put_size(uint64_t v)
{
	return (size_t)(64 - __builtin_clzll(v | 1) + 6) / 7;
}

void as_pb_put_list(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n)
{
	if (n > 2)
		as_pb_put_packed(b, number, v, n);
	for (size_t i = 0; n <= 2 && i < n; i++)
		as_pb_put_always(b, number, v[i]);
}

void as_pb_put_packed(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n)
{
	size_t size = 0;
	char *p;

	for (size_t i = 0; i < n; i++)
		size += pb_put_size(v[i]);
	p = pb_put_two(b, (uint64_t)number << 3 | AS_PB_BYTES, size, size);
	for (size_t i = 0; p && i < n; i++)
		p = pb_put_short(p, v[i]);
	b->data.n += p ? size : 0;
}
