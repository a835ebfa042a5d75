/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stream of deflate ends at a bit, and a bit in the head of its last block says that it is the
 * last. Neither place is known but by inflating it: zlib stops between blocks, and tells the bit.
 */
#include "io/deflate_join.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

/* What inflate() says of where it stopped, in data_type. */
enum { BITS_LEFT = 7, IN_LAST = 64, AT_BLOCK = 128 };

/* The bits at which the last block and the stream end. */
static bool join_look(z_stream *in, unsigned char *room, size_t size, uint64_t *last, uint64_t *end)
{
	*last = *end = 0;
	do {
		*last = *end;
		do { /* a block, which may be more than there is room for */
			in->next_out = room;
			in->avail_out = (uInt)size;
			if (inflate(in, Z_BLOCK) != Z_OK)
				return false;
		} while (!(in->data_type & AT_BLOCK));
		*end = 8 * (uint64_t)in->total_in - (unsigned)(in->data_type & BITS_LEFT);
	} while (!(in->data_type & IN_LAST));
	return true;
}

bool as_deflate_go_on(
	struct z_stream_s *in, unsigned char *room, size_t size, unsigned char *p, size_t *n)
{
	static const unsigned char rest[] = {0, 0, 0xff, 0xff}; /* of a stored block of no bytes */
	uint64_t last, end;

	as_assert(size && size <= UINT_MAX && *n <= UINT_MAX);
	in->next_in = p;
	in->avail_in = (uInt)*n;
	if (inflateReset(in) != Z_OK || !join_look(in, room, size, &last, &end) ||
		(end + 7) / 8 != *n)
		return false;
	p[last / 8] &= (unsigned char)~(1u << last % 8);
	/* Three bits of a head, all 0, and more up to the next byte: as those that fill the last
	 * one. */
	if (8 * (uint64_t)*n - end < 3)
		p[(*n)++] = 0;
	memcpy(p + *n, rest, sizeof(rest));
	*n += sizeof(rest);
	return true;
}
