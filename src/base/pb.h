/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The wire format of protocol buffers: fields of a message, one after the other.
 */
#ifndef AS_BASE_PB_H
#define AS_BASE_PB_H

#include "base/slice.h"

enum { AS_PB_VARINT = 0, AS_PB_FIXED64 = 1, AS_PB_BYTES = 2, AS_PB_FIXED32 = 5 };
enum { AS_PB_VARINT_MAX = 10 };

/* What is left of a message. */
struct as_pb_cur {
	const uint8_t *p, *end;
};

struct as_pb_field {
	uint32_t number, type;
	uint64_t v;            /* of numbers */
	struct as_pb_cur data; /* of AS_PB_BYTES */
	const uint8_t *start;  /* of its tag; the field ends where the cursor is */
};

/* The number at *P, moved over; false if it has more than ten bytes or ends behind END. Most have
 * one or two, and are read without a call. */
bool as_pb_varint_long(const uint8_t **p, const uint8_t *end, uint64_t *v);

static inline bool as_pb_varint(const uint8_t **p, const uint8_t *end, uint64_t *v)
{
	const uint8_t *q = *p;

	if (AS_LIKELY(q < end && q[0] < 0x80)) {
		*v = q[0];
		*p = q + 1;
		return true;
	}
	if (AS_LIKELY(end - q > 1 && q[1] < 0x80)) {
		*v = (q[0] & 0x7fu) | (uint32_t)q[1] << 7;
		*p = q + 2;
		return true;
	}
	return as_pb_varint_long(p, end, v);
}

/* V at P, where AS_PB_VARINT_MAX bytes are. Returns the end. */
static inline char *as_pb_put_varint(char *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (char)(v | 0x80);
	*p++ = (char)v;
	return p;
}

/*
 * The next field of CUR. AS_OK; AS_END at the end; AS_E_FORMAT or AS_E_TRUNC, and *WHY says what
 * is wrong, a constant text that follows the name of a place: "has a length of 9 bytes ...".
 */
enum as_code as_pb_next_any(struct as_pb_cur *cur, struct as_pb_field *f, const char **why)
	AS_NODISCARD;

AS_NODISCARD static inline enum as_code as_pb_next(
	struct as_pb_cur *cur, struct as_pb_field *f, const char **why)
{
	const uint8_t *p = cur->p;

	if (p == cur->end)
		return AS_END;
	/* Nearly all fields: a tag of one byte, and a number. */
	if (AS_LIKELY(p[0] < 0x80 && (p[0] & 7) == AS_PB_VARINT && p[0] >> 3)) {
		f->start = p;
		f->number = p[0] >> 3;
		f->type = AS_PB_VARINT;
		cur->p = p + 1;
		if (AS_LIKELY(as_pb_varint(&cur->p, cur->end, &f->v)))
			return AS_OK;
		cur->p = p;
	}
	return as_pb_next_any(cur, f, why);
}

/* The fields that MSG begins with, as far as they are the numbers 1 to N, N <= 15, to V[1] ..
 * V[N]; 0: it is not there. MSG is then what is behind them. */
static inline void as_pb_first_numbers(struct as_pb_cur *msg, uint64_t *v, uint32_t n)
{
	memset(v, 0, ((size_t)n + 1) * sizeof(*v));
	while (msg->p < msg->end) {
		const uint8_t *p = msg->p + 1;
		uint32_t tag = *msg->p, number = tag >> 3;

		if (tag & 0x87 || !number || number > n || !as_pb_varint(&p, msg->end, &v[number]))
			break;
		msg->p = p;
	}
}

/* The same of a message that has no other fields. False: it has, or a damaged one. */
static inline bool as_pb_plain_numbers(struct as_pb_cur msg, uint64_t *v, uint32_t n)
{
	as_pb_first_numbers(&msg, v, n);
	return msg.p == msg.end;
}

#endif
