/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory with an end: an allocator that hands on to another one as long as no more than so many
 * bytes are held. A small input may be packed so that it becomes a large one, or name one thing as
 * often as it likes.
 */
#ifndef AS_BASE_LIMIT_H
#define AS_BASE_LIMIT_H

#include <stdatomic.h>

#include "base/alloc.h"

struct as_limit {
	struct as_alloc al;           /* give this to others: any thread may use it */
	const struct as_alloc *inner; /* borrowed */
	_Atomic uint64_t held;        /* bytes, and one for who made it */
	_Atomic uint64_t max;
	_Atomic bool hit; /* more was wanted */
};

/* LIMIT lies elsewhere, and longer than all that is allocated by it. */
void as_limit_init(struct as_limit *limit, const struct as_alloc *inner, uint64_t max);
/* One of its own, which goes with the last byte that was allocated by it, after as_limit_leave().
 * NULL if out of memory. */
struct as_limit *as_limit_new(const struct as_alloc *inner, uint64_t max);
void as_limit_leave(struct as_limit *limit);

#endif
