/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When threads did not run, out of what tells that they left a processor and came back: records of
 * switches, samples of the scheduler's tracepoints, or both. They come in the order of time. The
 * first that tells of a change counts: where two tell of the same one the second changes nothing.
 *
 * A stretch is known from where it began to where it ended. One whose beginning or end nobody saw
 * is none, and is counted.
 */
#ifndef AS_PERF_PERF_OFF_H
#define AS_PERF_PERF_OFF_H

#include "base/alloc.h"
#include "base/index.h"
#include "base/slice.h"

/* Why a thread does not run. */
enum as_off_state {
	AS_OFF_RUNS, /* it does, or nobody knows */
	AS_OFF_RUNNABLE,
	AS_OFF_WAITING, /* sleeps; or for whoever knows no more than that it is not runnable */
	AS_OFF_BLOCKED, /* sleeps, and no signal wakes it: a disk and the like */
	AS_OFF_STOPPED,
	AS_OFF_ENDS,
};

/* What told that it left: what came later of the same source is another change. */
enum as_off_source { AS_OFF_RECORD, AS_OFF_TRACE };

#define AS_OFF_NO_STACK UINT32_MAX

struct as_off_thread {
	uint32_t tid;
	uint8_t state;  /* enum as_off_state */
	uint8_t source; /* enum as_off_source */
	bool ended;
	uint32_t who, stack; /* the caller's */
	uint32_t next;       /* the stack at which it is to leave; AS_OFF_NO_STACK */
	uint64_t since;
};

struct as_off_cpu {
	uint32_t cpu, tid; /* that runs there */
};

struct as_off {
	const struct as_alloc *al;
	AS_VEC(struct as_off_thread) thread;
	AS_VEC(struct as_off_cpu) cpu;
	struct as_index threads;
	bool all;          /* the idle task is told of, so every switch of a processor is */
	uint64_t unknown;  /* stretches whose end nobody saw, though the thread ran again */
	uint64_t no_stack; /* stretches of which nobody tells the stack */
};

/* A thread did not run. */
struct as_off_stretch {
	uint32_t who, stack;
	enum as_off_state state;
	uint64_t since, length; /* nanoseconds; not 0 */
};

struct as_off_leave {
	uint32_t tid, who, stack; /* AS_OFF_NO_STACK: that of as_off_stack() */
	uint64_t time;
	enum as_off_state state;
	enum as_off_source source;
};

void as_off_init(struct as_off *off, const struct as_alloc *al);
void as_off_release(struct as_off *off);

/* Thread TID, which is the idle task, or has no number: nothing is kept of it. */
static inline bool as_off_is_nobody(uint32_t tid)
{
	return tid == 0 || tid == UINT32_MAX;
}

/* TID is to leave at STACK. False: out of memory, as below. */
bool as_off_stack(struct as_off *off, uint32_t tid, uint32_t stack) AS_NODISCARD;
bool as_off_leave(struct as_off *off, const struct as_off_leave *leave) AS_NODISCARD;
/* TID runs again, or can: what it did until now is in STRETCH; false: nothing that is known. */
bool as_off_come(struct as_off *off, uint32_t tid, uint64_t time, struct as_off_stretch *stretch);
bool as_off_wake(struct as_off *off, uint32_t tid, uint64_t time, struct as_off_stretch *stretch);
/* TID is no more; or is another thread from now on. */
bool as_off_end(struct as_off *off, uint32_t tid, bool again) AS_NODISCARD;
/* Something was lost: of threads that do not run nobody knows what they did. */
void as_off_lost(struct as_off *off);
/* On CPU thread NEXT follows PREV; where another one was there something was lost. */
bool as_off_chain(struct as_off *off, uint32_t cpu, uint32_t prev, uint32_t next) AS_NODISCARD;
/* Threads that do not run at the end. */
uint64_t as_off_away(const struct as_off *off);

/* The value of the label "state"; NULL: it has none. */
const char *as_off_state_name(enum as_off_state state);
/* Of the kernel's bits, as the scheduler's tracepoint has them; of the letters for them: "S",
 * "D|W", "R+". */
enum as_off_state as_off_state_of_bits(uint64_t bits);
enum as_off_state as_off_state_of_letters(struct as_slice letters);

#endif
