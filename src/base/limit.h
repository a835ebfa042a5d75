/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An allocator with a limit: it passes requests on to another allocator as long as no more than so
 * many bytes are held. A small input can be compressed so that it becomes a large one, or can name
 * one thing any number of times.
 */
#ifndef AS_BASE_LIMIT_H
#define AS_BASE_LIMIT_H

#include <stdatomic.h>

#include "base/alloc.h"

struct as_limit {
	struct as_alloc al;           /* give this to others: any thread may use it */
	const struct as_alloc *inner; /* borrowed */
	_Atomic uint64_t held;        /* bytes that are held, plus one for whoever made the limit */
	_Atomic uint64_t max;
	_Atomic bool hit; /* a request went beyond the limit */
};

/* LIMIT is the caller's memory, and must outlive all that is allocated by it. */
void as_limit_init(struct as_limit *limit, const struct as_alloc *inner, uint64_t max);
/* A limit in memory of its own. After as_limit_leave() it is freed together with the last byte that
 * was allocated by it. NULL if out of memory. */
struct as_limit *as_limit_new(const struct as_alloc *inner, uint64_t max);
void as_limit_leave(struct as_limit *limit);

#endif
