/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of others, that no format here reads: what they are, and how to get one out of them, or
 * instead of them, that is read. docs/others.md has the same list.
 */
#ifndef AS_FORMATS_FOREIGN_H
#define AS_FORMATS_FOREIGN_H

#include "base/slice.h"

struct as_foreign {
	const char *what; /* "a gmon.out file of gprof"; never NULL */
	const char *way;  /* what to type; FILE stands for the file. NULL: we know none */
};

/* By HEAD, the first bytes of a file. NAME, of which only the end is looked at, may be "". */
struct as_foreign as_foreign_kind(struct as_slice head, const char *name);

/* What to type for DIR, a directory that is a recording of others; NULL: it is none. */
const char *as_foreign_directory(const char *dir);

#endif
