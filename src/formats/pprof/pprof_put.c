/* SPDX-License-Identifier: Apache-2.0 */
/* Fields to bytes. */
#include "formats/pprof/pprof_write.h"

/* Where N bytes go; NULL if out of memory only. */
static char *pb_put_room(struct as_pb_buf *b, size_t n)
{
	if (b->no_memory || !as_vec_reserve(b->al, &b->data, b->data.n + n + 1)) {
		b->no_memory = true;
		return NULL;
	}
	return b->data.p + b->data.n;
}

static void put_varint(struct as_pb_buf *b, uint64_t v)
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

static void put_always(struct as_pb_buf *b, uint32_t number, uint64_t v)
{
	put_varint(b, (uint64_t)number << 3 | AS_PB_VARINT);
	put_varint(b, v);
}

void as_pb_put_number(struct as_pb_buf *b, uint32_t number, uint64_t v)
{
	if (v)
		put_always(b, number, v);
}

void as_pb_put_bytes(struct as_pb_buf *b, uint32_t number, struct as_slice s)
{
	put_varint(b, (uint64_t)number << 3 | AS_PB_BYTES);
	put_varint(b, s.len);
	as_pb_put_raw(b, s);
}

static size_t varint_size(uint64_t v)
{
	size_t n = 1;

	for (; v >= 0x80; v >>= 7)
		n++;
	return n;
}

void as_pb_put_list(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n)
{
	size_t size = 0;

	if (n <= 2) {
		for (size_t i = 0; i < n; i++)
			put_always(b, number, v[i]);
		return;
	}
	for (size_t i = 0; i < n; i++)
		size += varint_size(v[i]);
	put_varint(b, (uint64_t)number << 3 | AS_PB_BYTES);
	put_varint(b, size);
	for (size_t i = 0; i < n; i++)
		put_varint(b, v[i]);
}
