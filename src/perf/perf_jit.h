/* SPDX-License-Identifier: Apache-2.0 */
/*
 * jit-PID.dump, in which a run-time writes what code it makes and when. (Linux,
 * tools/perf/Documentation/jitdump-specification.txt, version 1.) Its bytes are not trusted.
 */
#ifndef AS_PERF_PERF_JIT_H
#define AS_PERF_PERF_JIT_H

#include "base/arena.h"
#include "base/err.h"

/* A function, from TIME on. */
struct as_jit_code {
	uint64_t start, limit, time;
	uint64_t moved; /* addresses of its lines are so much lower */
	struct as_slice name;
	uint32_t first_line, n_lines;
};

struct as_jit_line {
	uint64_t addr; /* from here on */
	uint32_t line;
	struct as_slice file;
};

struct as_jit {
	const struct as_alloc *al;
	struct as_arena arena;
	uint32_t pid;
	bool swap;
	uint64_t line_shift;             /* all lines are so far behind their code */
	bool arch_times;                 /* times are the processor's, not nanoseconds */
	AS_VEC(struct as_jit_code) code; /* by start, then by time */
	AS_VEC(uint64_t) reach;          /* the largest limit up to each */
	AS_VEC(struct as_jit_line) line;
	AS_VEC(uint64_t) change; /* in order: when code took the place of other code */
	uint64_t n_odd;          /* records that are not what they should be; the last ends it */
};

/* BYTES: all of the file; names are copied. Always ends in as_jit_release(). Errors: AS_E_NOMEM;
 * AS_E_FORMAT: it is no such file. */
enum as_code as_jit_read(struct as_jit *jit, const struct as_alloc *al, struct as_slice bytes)
	AS_NODISCARD;
void as_jit_release(struct as_jit *jit);
/* What was at ADDR at TIME: the last that was made there by then, or, where none was, the first
 * that was made there at all. NULL: nothing ever was. */
const struct as_jit_code *as_jit_find(const struct as_jit *jit, uint64_t time, uint64_t addr);
/* The line of CODE at ADDR; NULL: it does not say. */
const struct as_jit_line *as_jit_line(
	const struct as_jit *jit, const struct as_jit_code *code, uint64_t addr);
/* A number that is another one when the same address may be another function's. */
uint32_t as_jit_version(const struct as_jit *jit, uint64_t time);

#endif
