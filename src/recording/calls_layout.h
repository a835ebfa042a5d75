/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The file of counted calls, as the library in the program writes it while that runs, and as it is
 * read afterwards. Nothing but the fields that both know: what is a pointer for the one is an
 * address for the other. A head of a page, then blocks one behind the other; what is not written
 * is 0. Times are of the processor's counter, tsc.
 */
#ifndef AS_RECORDING_CALLS_LAYOUT_H
#define AS_RECORDING_CALLS_LAYOUT_H

#include <stdint.h>

#define AS_CALLS_MAGIC UINT64_C(0x316c6c6163797361) /* "asycall1" */

enum { AS_CALLS_PAGE = 4096, AS_CALLS_COMMAND = 2048, AS_CALLS_NAME = 32 };

enum as_calls_kind {
	AS_CALLS_THREAD = 1, /* a struct as_calls_thread_row */
	AS_CALLS_EDGES,      /* edges of a thread */
	AS_CALLS_STACK,      /* the frames that are open in it; the last of these blocks counts */
	AS_CALLS_MAPS,       /* text: "START END OFFSET ID PATH" of code that was called, in hex */
};

enum { AS_CALLS_FINISHED = 1, AS_CALLS_FORKED = 2, AS_CALLS_UNSTEADY = 4, AS_CALLS_FULL = 8 };

struct as_calls_head {
	uint64_t magic, pid, flags;
	uint64_t first_tsc, first_ns, last_tsc, last_ns; /* the same moments by both clocks */
	uint64_t missed; /* calls of signal handlers that came while an edge was being made */
	uint64_t command_size;
	char command[AS_CALLS_COMMAND];
};

/* An address of a library that was unloaded: this bit, the number of its line in the blocks of
 * maps, and how far in. */
#define AS_CALLS_GONE UINT64_C(0x8000000000000000)
enum { AS_CALLS_GONE_BITS = 40 };

struct as_calls_block {
	uint64_t kind, bytes; /* with this head, in pages */
	uint64_t base;        /* where the program has it */
	uint64_t thread; /* the tid of the block of its thread, and where the program has that */
	uint64_t used;   /* bytes of text */
	struct as_calls_block *before; /* of the same kind */
	uint64_t pad[2];
};

/* How often CALLER called FN from SITE, a return address, and what that took. */
struct as_calls_edge {
	uint64_t fn, caller, site;
	uint64_t calls, inclusive, self;
	struct as_calls_edge *last;  /* the callee that it called last, by the same thread */
	struct as_calls_edge *after; /* what CALLER called after this, when it last did */
};

struct as_calls_frame {
	struct as_calls_edge *edge;
	uint64_t sp, ret; /* of the hook when the function began */
	uint64_t start, children;
};

struct as_calls_thread_row {
	uint64_t tid, threads; /* so many have used it, one after the other */
	uint64_t left;         /* functions that longjmp() or an exception has left */
	uint64_t unmatched;    /* ends of functions that had not begun */
	struct as_calls_frame *top;
	char name[AS_CALLS_NAME];
};

#endif
