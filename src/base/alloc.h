/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory: one allocator function that the host may replace, and growing arrays
 * on top of it. Nothing here aborts: running out of memory is a return value.
 */
#ifndef AS_BASE_ALLOC_H
#define AS_BASE_ALLOC_H

#include "base/base.h"

/*
 * resize() is malloc, realloc and free in one: P may be NULL (then OLD is 0),
 * SIZE 0 frees and returns NULL. On failure it returns NULL and P stays valid.
 */
struct as_alloc {
	void *(*resize)(void *ctx, void *p, size_t old, size_t size);
	void *ctx;
};

extern const struct as_alloc as_alloc_libc;

void *as_alloc_new(const struct as_alloc *al, size_t size); /* zeroed; NULL if out of memory */
void as_alloc_free(const struct as_alloc *al, void *p, size_t size); /* P may be NULL */

/* Make *PP a zeroed array of N elements and one byte, which as_alloc_free() must be told of. False
 * if out of memory. */
#define as_alloc_array(al, pp, n) ((*(pp) = as_alloc_new((al), (n) * sizeof(**(pp)) + 1)) != NULL)

/* A growing array of T. All zero is the empty array. Release with as_vec_free(). */
#define AS_VEC(T)              \
	struct {               \
		T *p;          \
		size_t n, cap; \
	}

/* Make room for NEED elements in all; false if out of memory (the array is unchanged). */
#define as_vec_reserve(al, v, need) \
	((need) <= (v)->cap || as_vec_grow((al), &(v)->p, &(v)->cap, (need), sizeof(*(v)->p)))

/* Room for exactly N elements, N >= the number there are; false if out of memory. */
#define as_vec_fit(al, v, n) as_vec_resize((al), &(v)->p, &(v)->cap, (n), sizeof(*(v)->p))

/* Append VALUE; false if out of memory. */
#define as_vec_push(al, v, value) \
	(as_vec_reserve(al, v, (v)->n + 1) && ((v)->p[(v)->n++] = (value), true))

/* Append the COUNT elements at FROM; false if out of memory. */
#define as_vec_append(al, v, from, count) \
	as_vec_put((al), &(v)->p, &(v)->n, &(v)->cap, sizeof(*(v)->p), (from), (count))

#define as_vec_free(al, v)                                               \
	do {                                                             \
		as_alloc_free((al), (v)->p, (v)->cap * sizeof(*(v)->p)); \
		(v)->p = NULL;                                           \
		(v)->n = (v)->cap = 0;                                   \
	} while (0)

/* TO, which holds nothing, takes what FROM holds. */
#define as_vec_move(to, from)                \
	do {                                 \
		(to)->p = (from)->p;         \
		(to)->n = (from)->n;         \
		(to)->cap = (from)->cap;     \
		(from)->p = NULL;            \
		(from)->n = (from)->cap = 0; \
	} while (0)

AS_NODISCARD bool as_vec_put(const struct as_alloc *al, void *pp, size_t *n, size_t *cap,
	size_t size, const void *from, size_t count);

AS_NODISCARD bool as_vec_resize(
	const struct as_alloc *al, void *pp, size_t *cap, size_t n, size_t size);

/* PP is the address of the array's pointer. Grows to at least NEED, by doubling. */
AS_NODISCARD bool as_vec_grow(
	const struct as_alloc *al, void *pp, size_t *cap, size_t need, size_t size);

#ifdef __clang_analyzer__
/* The analyzer does not know that an array with room has memory. */
#undef as_vec_reserve
#define as_vec_reserve(al, v, need)                                        \
	(as_vec_grow((al), &(v)->p, &(v)->cap, (need), sizeof(*(v)->p)) && \
		((v)->p || (__builtin_unreachable(), false)))
#endif

#endif
