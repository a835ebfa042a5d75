/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callgrind's text by columns, which deflate makes half as large as the text itself: for the
 * page, whose engine undoes it. Any text comes back byte for byte; what is not Callgrind's only
 * gets no smaller.
 *
 * "\x9a" "AS1", a byte (positions of a line, 1 or 2; +128: the last line has no end), a byte
 * (which cost conditional branches are; 0: none), then for each column its length as a varint, and
 * the columns one after the other. The first column has an operation for each line, the others what
 * those take: pack_impl.h.
 */
#ifndef AS_IO_PACK_H
#define AS_IO_PACK_H

#include "base/alloc.h"
#include "base/err.h"
#include "io/in.h"

#define AS_PACK_MAGIC \
	"\x9a"        \
	"AS1"

struct as_packed {
	const struct as_alloc *al;
	AS_VEC(char) data;
};
/* TEXT, packed. It was unpacked, and is the same. AS_E_NOMEM; AS_E_UNSUPPORTED: it cannot be
 * packed. OUT ends in as_packed_release(), also on failure. Host only. */
enum as_code as_pack(struct as_packed *out, const struct as_alloc *al, struct as_slice text,
	struct as_err *err) AS_NODISCARD;
void as_packed_release(struct as_packed *p);

/* What the packed bytes of INNER were; it is taken over, also on failure. Damage shows as with
 * gzip: read() fails with -EIO and sets src->fault. */
enum as_code as_unpack_open(const struct as_alloc *al, struct as_src *inner, struct as_src **out,
	struct as_err *err) AS_NODISCARD;

#endif
