/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An arena hands out memory that is released all at once. Blocks never move,
 * so pointers into an arena stay valid until as_arena_release().
 */
#ifndef AS_BASE_ARENA_H
#define AS_BASE_ARENA_H

#include "base/alloc.h"
#include "base/slice.h"

struct as_arena_block;

struct as_arena {
	const struct as_alloc *al;
	struct as_arena_block *head;
	char *p, *end;    /* free part of the newest block */
	size_t allocated; /* bytes taken from AL in all */
	/* an allocation failed: a caller that makes many texts checks this once, at the end */
	bool failed;
};

void as_arena_init(struct as_arena *ar, const struct as_alloc *al);
void as_arena_release(struct as_arena *ar);
/* AS_E_NOMEM if any allocation failed. */
static inline enum as_code as_arena_code(const struct as_arena *ar)
{
	return ar->failed ? AS_E_NOMEM : AS_OK;
}

/* Release it, and say the same. */
static inline enum as_code as_arena_end(struct as_arena *ar)
{
	enum as_code rc = as_arena_code(ar);

	as_arena_release(ar);
	return rc;
}

/* Release what is not needed any more; more follows, and FAILED stays. */
static inline void as_arena_reset(struct as_arena *ar)
{
	ar->failed = as_arena_end(ar) != AS_OK;
}

/* SIZE bytes aligned for any type, not zeroed; NULL if out of memory. */
void *as_arena_get(struct as_arena *ar, size_t size);

/* The same, zeroed. *PP becomes an array of N; false if out of memory. */
void *as_arena_new(struct as_arena *ar, size_t size);
#define as_arena_array(ar, pp, n) ((*(pp) = as_arena_new((ar), (n) * sizeof(**(pp)) + 1)) != NULL)

/* A copy of S, followed by a NUL that is not counted; p == NULL if out of memory. */
struct as_slice as_arena_dup(struct as_arena *ar, struct as_slice s);

/* printf into the arena; p == NULL if out of memory. */
struct as_slice as_arena_printf(struct as_arena *ar, const char *fmt, ...) AS_PRINTF(2, 3);

/* WORDS as they follow the number N: of each "{one|many}" in them one form is kept, as in
 * "line{|s} of metadata". p == NULL if out of memory. */
struct as_slice as_arena_plural(struct as_arena *ar, const char *words, uint64_t n);

#endif
