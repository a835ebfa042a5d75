/* SPDX-License-Identifier: Apache-2.0 */
/* Raw deflate (RFC 1951) that was compressed at once, as a part of a longer stream. */
#ifndef AS_IO_DEFLATE_JOIN_H
#define AS_IO_DEFLATE_JOIN_H

#include "base/base.h"

/* What as_deflate_go_on() appends at most, and what it works in. */
enum { AS_DEFLATE_JOIN_MAX = 5, AS_DEFLATE_CODE_MAX = 15 };
struct as_deflate_scan {
	uint16_t code[1 << AS_DEFLATE_CODE_MAX], distance[1 << AS_DEFLATE_CODE_MAX];
};

/* The *N bytes at P are a stream. Its last block becomes one that others follow, and the next one
 * begins at the byte where the stream ends now. False: it is damaged, and as it was. */
bool as_deflate_go_on(struct as_deflate_scan *scan, unsigned char *p, size_t *n);

#endif
