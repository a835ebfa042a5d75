/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that wait, in wall time. A thread that waits is left alone: its timer's signal would cost
 * time, and end calls that the kernel does not take up again. What it waited for is counted when
 * the call ends, or when the profile does, with the stack that it had when it began.
 */
#ifndef AS_PRELOAD_WAIT_H
#define AS_PRELOAD_WAIT_H

#include "preload/real.h"
#include "preload/sampler.h"

enum as_wait_kind {
	/* The kernel takes it up again: the first signal comes, and then fewer and fewer. */
	AS_WAIT_GOES_ON,
	/* A signal would end it, or cut it short: none comes. */
	AS_WAIT_ENDS,
};

/* One call, on the stack of its thread. */
struct as_wait {
	struct as_slot *slot; /* NULL: it is not watched */
	enum as_wait_kind kind;
	uint64_t self; /* its own address, as long as it is one */
};

/* For as_wait_begin(): HERE is where the caller is, as long as it does not return. */
bool as_wait_open(struct as_wait *w, enum as_wait_kind kind);
void as_wait_enter(struct as_wait *w, const void *call, const struct as_here *here);
void as_wait_leave(struct as_wait *w);

/* Our signal can't come between the two; CALL: what is called, the leaf of the stack. */
static inline __attribute__((always_inline)) void as_wait_begin(
	struct as_wait *w, enum as_wait_kind kind, const void *call)
{
	struct as_here here;

	w->slot = NULL;
	if (!atomic_load_explicit(&as_sampler.waits, memory_order_relaxed) ||
		!as_wait_open(w, kind))
		return;
	__asm__ volatile("leaq 0(%%rip), %%rax\n\t"
			 "movq %%rax, %0\n\t"
			 "movq %%rsp, %1\n\t"
			 "movq %%rbp, %2\n\t"
			 "movq %%rbx, %3\n\t"
			 "movq %%r12, %4\n\t"
			 "movq %%r13, %5\n\t"
			 "movq %%r14, %6\n\t"
			 "movq %%r15, %7"
			 : "=m"(here.pc), "=m"(here.sp), "=m"(here.bp), "=m"(here.bx),
			 "=m"(here.r12), "=m"(here.r13), "=m"(here.r14), "=m"(here.r15)
			 :
			 : "rax");
	as_wait_enter(w, call, &here);
}

static inline void as_wait_end(struct as_wait *w)
{
	if (w->slot)
		as_wait_leave(w);
}

/*
 * How long a wait may be that can be made in parts, ns: a process that is killed has counted all
 * but its last part. UINT64_MAX: as long as it likes.
 */
uint64_t as_wait_part(void);

/* A socket gets an option; sockets that the program was given may have them. */
void as_wait_set_limit(int level, int name);
void as_wait_look(void);

/* NAME(ARGS), as a call that waits, into RC. */
#define AS_WAITING(w, kind, rc, name, args)                      \
	do {                                                     \
		as_wait_begin(w, kind, as_real(AS_REAL_##name)); \
		(rc) = AS_REAL(name) args;                       \
		as_wait_end(w);                                  \
	} while (0)

#endif
