/* SPDX-License-Identifier: Apache-2.0 */
/* Copies of registers and stacks, and what unwinds them to call chains. That needs the binaries, so
 * it is the host's; who reads where there is no host has none. */
#ifndef AS_PERF_PERF_STACK_H
#define AS_PERF_PERF_STACK_H

#include "perf/perf_parse.h"
#include "perf/perf_space.h"

enum {
	AS_FRAMES_MAX = 1024,
	/* of x86-64, by DWARF's numbers; the last is the program counter */
	AS_STACK_SP = 7,
	AS_STACK_PC = 16,
	AS_STACK_REGS,
};

struct as_stack {
	uint64_t reg[AS_STACK_REGS];
	uint32_t known;        /* bit i: reg[i] is known */
	struct as_slice bytes; /* from the stack pointer up */
	bool more;             /* the stack goes on there */
};

/* Whether registers of MASK can be those of x86-64. */
bool as_stack_is_x86(uint64_t mask);
/* What REC, of LAYOUT, has. False: it does not say where the code or the stack is. */
bool as_stack_of(
	const struct as_perf_rec *rec, const struct as_perf_layout *layout, struct as_stack *stack);

/* Addresses that tell which code it is: of callers, one that lies inside the call. */
struct as_frames {
	uint64_t pc[AS_FRAMES_MAX]; /* innermost first */
	uint32_t n;
	bool cut;    /* there are more */
	bool broken; /* there are more, perhaps: it could not be told where */
};

struct as_unwind; /* of one process */

/* CTX is the first argument of those that have one. */
struct as_unwinder {
	void *ctx;
	struct as_unwind *(*begin)(void *ctx); /* NULL if out of memory */
	void (*end)(struct as_unwind *u);      /* NULL is fine */
	/* It has forgotten what it knew, and is of no use any more. */
	bool (*is_stale)(const struct as_unwind *u);
	/* More mappings, one call for each; then ADDED. ID: the object's build id, or empty. False
	 * if out of memory. */
	bool (*add)(void *ctx, struct as_unwind *u, const struct as_perf_range *range,
		struct as_slice id);
	void (*added)(struct as_unwind *u);
	/* At least the interrupted instruction is in FRAMES. */
	void (*unwind)(struct as_unwind *u, const struct as_stack *stack, struct as_frames *frames);
};

#endif
