/* SPDX-License-Identifier: Apache-2.0 */
/* What is mapped in the memory of a process, while records tell of more. */
#ifndef AS_PERF_PERF_SPACE_H
#define AS_PERF_PERF_SPACE_H

#include "base/alloc.h"
#include "base/slice.h"

struct as_perf_range {
	uint64_t start, limit, offset; /* [start, limit) is OFFSET and on of the file */
	struct as_slice path;          /* ends with a NUL that is not counted */
	uint64_t dev, ino;             /* of the file, as maps has them; 0: not known */
	bool exec;
	bool deleted; /* the file has no name any more: what PATH leads to is another one */
};

struct as_perf_mapping {
	struct as_perf_range range; /* whose path is the image's */
	uint32_t image;             /* row, of whoever keeps the space */
	bool listed;                /* in the profile's mappings */
	bool reported;              /* to the unwinder */
};

/* By address; none overlaps another. A vector: see AS_VEC(). */
struct as_perf_space {
	struct as_perf_mapping *p;
	size_t n, cap;
};

/* M takes the place of whatever it overlaps; *REPLACED, which was false, if that was reported.
 * False if out of memory. */
bool as_perf_space_put(const struct as_alloc *al, struct as_perf_space *space,
	const struct as_perf_mapping *m, bool *replaced) AS_NODISCARD;
/* The mapping around ADDR, or NULL. */
const struct as_perf_mapping *as_perf_space_find(const struct as_perf_space *space, uint64_t addr);
/* TO, which may hold something, gets what FROM has, not listed. False if out of memory. */
bool as_perf_space_copy(const struct as_alloc *al, struct as_perf_space *to,
	const struct as_perf_space *from) AS_NODISCARD;

#endif
