/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The program behind a generated Callgrind file: its functions, who calls
 * whom, and what every line costs.
 *
 * The functions form a DAG (calls go from a lower to a higher number) with some
 * recursive cycles, each a contiguous run of numbers, so that the cycles
 * collapsed still are a DAG. A function's inclusive cost is its self cost plus
 * that of its calls, exactly, and is shared out over its callers in proportion
 * to the call counts; hence main's is the total and nothing exceeds it.
 *
 * Functions are made again from their number wherever they are needed, so
 * memory grows with the functions and calls, not with the cost lines.
 */
#ifndef BENCH_GEN_PROGRAM_H
#define BENCH_GEN_PROGRAM_H

#include "gen.h"

enum {
	MAX_EVENTS = 13,
	MAX_CALLS = 1024, /* of one function */
	OBJECTS = 24,
};

/* clang-format off */
enum event {
	IR, DR, DW, I1MR, D1MR, D1MW, ILMR, DLMR, DLMW, BC, BCM, BI, BIM,
};
/* clang-format on */

struct shape; /* gen_program.c */

struct program {
	const struct shape *shape;
	uint64_t seed;
	uint32_t events;
	bool instr;
	uint32_t n; /* functions, an even number */
	uint32_t files;
	uint32_t pairs, mul, add, inv; /* the order of the blocks: function_at() */
	uint32_t cycle_at, cycle_len;  /* the one large cycle */
	uint64_t *first_call;          /* n + 1: function -> its calls */
	uint32_t *callee, *count;      /* per call */
	uint64_t *before;              /* per call: weight of the callee's earlier calls */
	uint64_t *runs;   /* per function: executions, the sum of its callers' counts */
	uint64_t *weight; /* per unit: executions from outside it */
	uint64_t *cost;   /* per function and event: self, then inclusive of the unit */
	uint64_t *addr;   /* per function: where it starts */
	uint64_t totals[MAX_EVENTS];
};

enum jump {
	NO_JUMP,
	ALWAYS,      /* jump= */
	CONDITIONAL, /* jcnd= */
};

struct walk {
	struct rng rng;
	uint32_t fn, own_file;
	uint32_t lines, calls; /* how many there are */
	uint32_t done;         /* lines so far */
	uint64_t runs;
	bool inlines, after_call;
	/* the line now: */
	uint32_t file, line, call_begin, call_end;
	uint64_t offset; /* of the instruction, in the function */
	uint64_t cost[MAX_EVENTS];
	enum jump jump;
	uint64_t target_offset;
	uint32_t target_line;
	uint64_t followed;
};

/* The program of about SIZE bytes of Callgrind file. */
void program_make(struct program *p, uint64_t size);
void program_release(struct program *p);

/* The unit that F belongs to, named after its first member, and the number of members. A unit
 * is what inclusive cost is defined for: a function or a cycle. */
uint32_t unit_of(const struct program *p, uint32_t f, uint32_t *len);

/* Whether F is the deeper activations of a recursive function (callgrind's suffix '2). */
bool is_recursive(const struct program *p, uint32_t f);

/* The function of the Ith block of the file, and what is said there of a function. */
uint32_t function_at(const struct program *p, uint32_t i);
uint32_t file_of(const struct program *p, uint32_t f);
uint32_t object_of(const struct program *p, uint32_t f);
uint32_t first_line_of(const struct program *p, uint32_t f);

/* What call AT, made by function CALLER, costs of EVENT, with all that its callee calls. */
uint64_t call_cost(const struct program *p, uint64_t at, uint32_t caller, uint32_t event);

/* The cost lines of F, one after the other; walk_next() is false after the last. */
void walk_begin(const struct program *p, struct walk *w, uint32_t f);
bool walk_next(const struct program *p, struct walk *w);

#endif
