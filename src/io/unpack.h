/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed pieces inside of a file, as formats meet them. The host knows how to undo them. */
#ifndef AS_IO_UNPACK_H
#define AS_IO_UNPACK_H

#include "base/alloc.h"
#include "base/slice.h"

/* False ends it: out of memory. */
typedef bool as_unpacked_fn(void *ctx, struct as_slice bytes);

/* One stream, which comes in pieces. */
struct as_unpack {
	void *(*open)(const struct as_alloc *al); /* NULL: out of memory */
	/* All that is to be had of PIECE, by PUT. AS_E_FORMAT: it is damaged; AS_E_NOMEM. */
	enum as_code (*feed)(void *stream, struct as_slice piece, as_unpacked_fn *put, void *ctx);
	void (*close)(const struct as_alloc *al, void *stream); /* NULL is fine */
};

#endif
