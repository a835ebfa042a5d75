/* SPDX-License-Identifier: Apache-2.0 */
/* Raw deflate (RFC 1951) that was compressed at once, as a part of a longer stream. */
#ifndef AS_IO_DEFLATE_JOIN_H
#define AS_IO_DEFLATE_JOIN_H

#include "base/base.h"

/* What as_deflate_go_on() appends at most. */
enum { AS_DEFLATE_JOIN_MAX = 5 };

struct z_stream_s;

/* The *N bytes at P are a stream. Its last block becomes one that others follow, and the next one
 * begins at the byte where the stream ends now. IN is what inflateInit2() made for raw deflate;
 * what is inflated goes through the SIZE bytes at ROOM. False: the stream is damaged, and as it
 * was. */
bool as_deflate_go_on(
	struct z_stream_s *in, unsigned char *room, size_t size, unsigned char *p, size_t *n);

#endif
