/* SPDX-License-Identifier: Apache-2.0 */
/* What processes call the code that they make at run time, in files beside a recording. Files are
 * opened by the host; who reads where there is no host has no such names. */
#ifndef AS_PERF_PERF_MADE_H
#define AS_PERF_PERF_MADE_H

#include "base/slice.h"

/* A process, and when it was recorded. */
struct as_made_run {
	uint32_t pid;
	struct as_slice dump;      /* jit-PID.dump, which it has mapped; empty: its perf-PID.map */
	uint64_t first, last;      /* times of samples, and of all records; 0: not known */
	int64_t started, duration; /* by the wall clock, in nanoseconds; 0: not known */
};

struct as_made_code {
	struct as_slice name, file; /* FILE: may be empty */
	uint64_t line;              /* 0: not known */
};

/* CTX is the first argument of each. NAMES tells files apart; 0: there is none. */
struct as_made_names {
	void *ctx;
	bool (*open)(void *ctx, const struct as_made_run *run, uint32_t *names);
	/* Another number when an address may be another function's. Not TIMED: nobody says when. */
	uint32_t (*version)(void *ctx, uint32_t names, uint64_t time, bool *timed);
	/* Code at ADDR at TIME; an empty name: nobody knows. Texts stay. False: out of memory. */
	bool (*find)(
		void *ctx, uint32_t names, uint64_t time, uint64_t addr, struct as_made_code *code);
};

#endif
