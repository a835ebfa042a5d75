/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of protocol buffers, put together in memory. */
#ifndef AS_BASE_PB_PUT_H
#define AS_BASE_PB_PUT_H

#include "base/alloc.h"
#include "base/pb.h"

/* A message that is being put together. Out of memory is sticky. */
struct as_pb_buf {
	const struct as_alloc *al;
	AS_VEC(char) data;
	bool no_memory;
};

/* Field NUMBER with the value V; nothing if it is 0. */
void as_pb_put_number(struct as_pb_buf *b, uint32_t number, uint64_t v);
/* Even if it is; and as 64 bits. */
void as_pb_put_always(struct as_pb_buf *b, uint32_t number, uint64_t v);
void as_pb_put_fixed(struct as_pb_buf *b, uint32_t number, uint64_t v);
void as_pb_put_bytes(struct as_pb_buf *b, uint32_t number, struct as_slice s);
/* A list: packed if there are more than two, as the writers that are in use do. */
void as_pb_put_list(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n);
void as_pb_put_packed(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n);
/* Numbers of 64 bits. */
void as_pb_put_packed_fixed(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n);
void as_pb_put_raw(struct as_pb_buf *b, struct as_slice s);
static inline struct as_slice as_pb_bytes(const struct as_pb_buf *b)
{
	return (struct as_slice){b->data.p, b->data.n};
}

#endif
