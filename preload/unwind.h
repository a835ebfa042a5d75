/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an interrupted context to its call chain. By unwind tables, whose answers are remembered
 * per program counter; where there are none, by frame pointers that are checked: a caller is
 * believed only if a call instruction stands before its return address.
 */
#ifndef AS_PRELOAD_UNWIND_H
#define AS_PRELOAD_UNWIND_H

#include <ucontext.h>

#include "preload/memory.h"
#include "preload/objects.h"

/* Frames of a stack, the marker for what was cut included: what pprof's readers accept. */
enum { AS_FRAMES_MAX = 254, AS_RULES = 1 << 14 };

/*
 * No program has code there: the pseudo objects "[truncated]" (the frames that are missing),
 * "[lost]" (a stack for which there was no room) and "[unsampled]" (the last moments of a
 * thread, for which the signal came too late).
 */
#define AS_PC_TRUNCATED UINT64_C(0x1fffffff0010)
#define AS_PC_LOST UINT64_C(0x1fffffff1010)
#define AS_PC_UNSAMPLED UINT64_C(0x1fffffff2010)

/* Which instruction, and how its caller is found; written and read without a lock: a pair that
 * does not belong together is known by the key. */
struct as_rule_slot {
	_Atomic uint64_t key, rule;
};

struct as_unwinder {
	struct as_objects *objects;
	bool (*missed)(void *ctx, uint64_t pc); /* no object at PC; true: look again */
	void *ctx;
	struct as_rule_slot rule[AS_RULES];
};

enum as_stack_end {
	AS_STACK_WHOLE,
	AS_STACK_DEEP,   /* more frames than AS_FRAMES_MAX */
	AS_STACK_BROKEN, /* the caller of the last frame could not be found */
};

/* Where a function stands, and what it must leave as it was. */
struct as_here {
	uint64_t pc, sp, bp, bx, r12, r13, r14, r15;
};

/* The state of one walk. */
struct as_walk {
	struct as_memory mem;
	struct as_eh_work eh;
	struct as_eh_regs regs;
	enum as_stack_end end;
	size_t n;
	size_t n_leaf; /* frames that are known before the walk */
	/* leaf first; of callers the return address. With room for the marks of spool.h */
	uint64_t pc[AS_FRAMES_MAX + 2];
};

/*
 * Fills W->pc, W->n and W->end. W->mem says what may be read; its window is emptied.
 * A stack that is not whole ends in AS_PC_TRUNCATED.
 */
void as_unwind(struct as_unwinder *u, struct as_walk *w, const ucontext_t *context);

/* The same from HERE, in a function that has called LEAF. */
void as_unwind_here(
	struct as_unwinder *u, struct as_walk *w, const struct as_here *here, uint64_t leaf);

/* The same of the leaf alone. */
void as_unwind_none(struct as_walk *w, const ucontext_t *context);

/* Forgets what is known of all code: some of it is gone. */
void as_unwind_forget(struct as_unwinder *u);

#endif
