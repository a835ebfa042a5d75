/* SPDX-License-Identifier: Apache-2.0 */
/* Fields to bytes. */
#include "base/pb_put.h"

/* Where N bytes go; NULL if out of memory only. */
static char *pb_put_room(struct as_pb_buf *b, size_t n)
{
	if (b->no_memory || !as_vec_reserve(b->al, &b->data, b->data.n + n + 1)) {
		b->no_memory = true;
		return NULL;
	}
	return b->data.p + b->data.n;
}

static void pb_put_varint(struct as_pb_buf *b, uint64_t v)
{
	char *p = pb_put_room(b, AS_PB_VARINT_MAX);

	if (p)
		b->data.n += (size_t)(as_pb_put_varint(p, v) - p);
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
	pb_put_varint(b, (uint64_t)number << 3 | AS_PB_VARINT);
	pb_put_varint(b, v);
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
	pb_put_varint(b, (uint64_t)number << 3 | AS_PB_FIXED64);
	pb_put_eight(b, v);
}

void as_pb_put_packed_fixed(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n)
{
	pb_put_varint(b, (uint64_t)number << 3 | AS_PB_BYTES);
	pb_put_varint(b, 8 * n);
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
	as_assert(number);
	pb_put_varint(b, (uint64_t)number << 3 | AS_PB_BYTES);
	pb_put_varint(b, s.len);
	as_pb_put_raw(b, s);
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
	pb_put_varint(b, (uint64_t)number << 3 | AS_PB_BYTES);
	pb_put_varint(b, size);
	p = pb_put_room(b, size);
	for (size_t i = 0; p && i < n; i++)
		p = as_pb_put_varint(p, v[i]);
	b->data.n += p ? size : 0;
}
