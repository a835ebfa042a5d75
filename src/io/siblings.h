/* SPDX-License-Identifier: Apache-2.0 */
/* The files of one run: valgrind numbers dumps and threads after the name of the base file. */
#ifndef AS_IO_SIBLINGS_H
#define AS_IO_SIBLINGS_H

#include "base/arena.h"
#include "base/err.h"

/* One of them. DUMP is 0 for the base name itself (written last), THREAD 0 without "-NN". */
struct as_sibling {
	struct as_slice path; /* ends in NUL */
	uint64_t dump, thread;
	bool empty; /* the file has 0 bytes */
};

struct as_siblings {
	struct as_arena arena;
	AS_VEC(struct as_sibling) row; /* by dump (the base last), then thread */
};

/*
 * All of PREFIX, PREFIX.N, PREFIX-NN and PREFIX.N-NN that exist, N and NN decimal numbers.
 * Other names that begin like PREFIX (callgrind.out.12 and callgrind.out.123) are not taken.
 * Release with as_siblings_release(), also on failure.
 */
enum as_code as_siblings_find(struct as_siblings *sb, const struct as_alloc *al, const char *prefix,
	struct as_err *err) AS_NODISCARD;
void as_siblings_release(struct as_siblings *sb);

#endif
