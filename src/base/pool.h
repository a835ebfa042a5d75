/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An allocator whose memory is released all at once: it passes requests on to another allocator and
 * remembers each block. A job that makes many things gives its pool to all of them, and releases
 * none by itself.
 */
#ifndef AS_BASE_POOL_H
#define AS_BASE_POOL_H

#include "base/alloc.h"

struct as_pool_block;

struct as_pool {
	struct as_alloc al;           /* give this to others; for one thread */
	const struct as_alloc *inner; /* borrowed */
	struct as_pool_block *first;
};

/* POOL may not move from here on. */
void as_pool_init(struct as_pool *pool, const struct as_alloc *inner);
void as_pool_release(struct as_pool *pool);

#endif
