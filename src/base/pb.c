/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pb.h"

/* Eight bytes, the first one lowest. */
static uint64_t pb_word(const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
	return AS_LITTLE_ENDIAN ? w : __builtin_bswap64(w);
}

/* The seven low bits of each of the eight bytes of W as one number. */
static uint64_t pb_join(uint64_t w)
{
	w = (w & 0x007f007f007f007fu) | (w & 0x7f007f007f007f00u) >> 1;
	w = (w & 0x00003fff00003fffu) | (w & 0x3fff00003fff0000u) >> 2;
	return (w & 0x0fffffffu) | (w & 0x0fffffff00000000u) >> 4;
}

bool as_pb_varint_long(const uint8_t **p, const uint8_t *end, uint64_t *v)
{
	const uint8_t *q = *p;
	unsigned shift = 0;

	if (AS_LIKELY(end - q >= 8)) {
		uint64_t w = pb_word(q), last = ~w & 0x8080808080808080u;

		if (AS_LIKELY(last)) {
			*v = pb_join(w & (last ^ (last - 1)));
			*p = q + __builtin_ctzll(last) / 8 + 1;
			return true;
		}
	}
	*v = 0;
	do {
		if (shift >= 7 * AS_PB_VARINT_MAX || q >= end)
			return false;
		*v |= (uint64_t)(*q & 0x7f) << shift;
		shift += 7;
	} while (*q++ >= 0x80);
	*p = q;
	return true;
}

static enum as_code pb_fixed(struct as_pb_cur *cur, size_t size, uint64_t *v, const char **why)
{
	if ((size_t)(cur->end - cur->p) < size) {
		*why = "a number of fixed size goes beyond the end";
		return AS_E_TRUNC;
	}
	*v = 0;
	for (size_t i = size; i-- > 0;)
		*v = *v << 8 | cur->p[i];
	cur->p += size;
	return AS_OK;
}

static enum as_code pb_bad_varint(const struct as_pb_cur *cur, const char **why)
{
	size_t left = (size_t)(cur->end - cur->p);

	*why = left < AS_PB_VARINT_MAX ? "a number goes beyond the end"
				       : "a number has more than ten bytes";
	return left < AS_PB_VARINT_MAX ? AS_E_TRUNC : AS_E_FORMAT;
}

enum as_code as_pb_next_any(struct as_pb_cur *cur, struct as_pb_field *f, const char **why)
{
	uint64_t tag, n;

	as_assert(cur->p < cur->end);
	f->start = cur->p;
	/* Most of the others: bytes, with a tag and a length of one byte each. */
	if (AS_LIKELY(cur->end - cur->p >= 2 && (cur->p[0] & 0x87) == AS_PB_BYTES &&
		      cur->p[0] >> 3 && cur->p[1] < 0x80 && cur->p[1] <= cur->end - cur->p - 2)) {
		f->number = cur->p[0] >> 3;
		f->type = AS_PB_BYTES;
		f->data = (struct as_pb_cur){cur->p + 2, cur->p + 2 + cur->p[1]};
		cur->p = f->data.end;
		return AS_OK;
	}
	if (!as_pb_varint(&cur->p, cur->end, &tag))
		return pb_bad_varint(cur, why);
	f->number = (uint32_t)(tag >> 3);
	f->type = tag & 7;
	if (tag >> 32 || !f->number) {
		*why = "a field has a number that does not exist";
		return AS_E_FORMAT;
	}
	switch (f->type) {
	case AS_PB_VARINT:
		return as_pb_varint(&cur->p, cur->end, &f->v) ? AS_OK : pb_bad_varint(cur, why);
	case AS_PB_FIXED64:
		return pb_fixed(cur, 8, &f->v, why);
	case AS_PB_FIXED32:
		return pb_fixed(cur, 4, &f->v, why);
	case AS_PB_BYTES:
		if (!as_pb_varint(&cur->p, cur->end, &n))
			return pb_bad_varint(cur, why);
		if (n > (size_t)(cur->end - cur->p)) {
			*why = "a field is longer than what is left";
			return AS_E_TRUNC;
		}
		f->data = (struct as_pb_cur){cur->p, cur->p + n};
		cur->p += n;
		return AS_OK;
	default:
		*why = "a field has a wire type that does not exist";
		return AS_E_FORMAT;
	}
}
