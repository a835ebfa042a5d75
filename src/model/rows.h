/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of facts in little memory: self cost, calls and jumps at full detail.
 *
 * Rows that share part, function and file form a run. Within a run a row holds
 * a line, an address and up to WIDTH values, encoded as
 *
 *	head   varint  2 * number of values + (1 if any value is negative)
 *	line   varint  zigzag difference to the row before (0 at the run's start)
 *	addr   varint  likewise
 *	value  varint  zigzag if the head says so
 *
 * Trailing zero values are left out. A typical Callgrind line of 12 bytes takes
 * five here. Chunks never move, so writing is append-only.
 */
#ifndef AS_MODEL_ROWS_H
#define AS_MODEL_ROWS_H

#include "base/alloc.h"
#include "model/handles.h"

struct as_run {
	uint32_t part;
	as_func func;	/* the function that the rows belong to */
	as_file file;	/* source file of the lines; differs from the function's for inlined code */
	as_func inl;	/* the inlined function, where the source names it; else 0 */
	uint32_t chunk; /* where the first row starts */
	uint32_t off;
	uint64_t n; /* rows */
};

struct as_rows_chunk {
	uint8_t *p;
	uint32_t n, cap; /* bytes used and there */
};

struct as_rows {
	const struct as_alloc *al;
	uint32_t width; /* values in a row at the most */
	AS_VEC(struct as_run) run;
	AS_VEC(struct as_rows_chunk) chunk;
	uint64_t n; /* rows in all */
	uint64_t last_line, last_addr;
};

void as_rows_init(struct as_rows *rows, const struct as_alloc *al, uint32_t width);
void as_rows_release(struct as_rows *rows);

/* Start a run; an empty run before it is dropped, an equal one is continued. */
AS_NODISCARD bool as_rows_run(
	struct as_rows *rows, uint32_t part, as_func func, as_file file, as_func inl);

/* Append a row to the current run. N <= width; more values than that are a caller's bug. */
AS_NODISCARD bool as_rows_add(
	struct as_rows *rows, uint64_t line, uint64_t addr, const as_val *v, uint32_t n);
/* The same for values that are known to be unsigned 64 bits: the readers' fast path. */
AS_NODISCARD bool as_rows_add_u64(
	struct as_rows *rows, uint64_t line, uint64_t addr, const uint64_t *v, uint32_t n);

/* Walks the rows of one run. */
struct as_rows_cur {
	const struct as_rows *rows;
	const uint8_t *p, *end;
	uint32_t chunk;
	uint64_t left;
	uint64_t line, addr; /* of the current row */
	uint32_t n;	     /* values stored in it; the rest is zero */
	as_val *v;	     /* width values, filled by as_rows_next() */
};

/* V has room for rows->width values and outlives CUR. */
void as_rows_begin(struct as_rows_cur *cur, const struct as_rows *rows, const struct as_run *run,
	as_val *v);
bool as_rows_next(struct as_rows_cur *cur);

#endif
