/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls counted exactly, in programs whose compiler put a call into the beginning and the end of
 * each function (-finstrument-functions). Each thread has a stack of the functions that are open
 * and a table of edges of its own, in a file that is mapped: no lock, no copy at the end, and what
 * was counted is there whatever ends the process.
 */
#ifndef AS_PRELOAD_CALLS_H
#define AS_PRELOAD_CALLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <x86intrin.h>

#include "src/recording/calls_layout.h"

struct as_calls_thread {
	struct as_calls_thread_row row;
	struct as_calls_frame *base, *end;
	uint64_t lo, hi;              /* its stack */
	struct as_calls_edge **table; /* by caller, function and site; private memory */
	uint64_t mask, n;
	struct as_calls_edge *fresh, *fresh_end; /* edges that are not used yet */
	bool busy;                               /* the table is being changed */
	struct as_calls_edge root;               /* what calls the first function */
	struct as_calls_edge nowhere;            /* for calls that can't be counted */
	struct as_calls_thread *next;            /* of those that have ended, or of all */
	bool ended;
};

struct as_calls_process {
	_Atomic int state; /* 0: not asked yet; 1: counts; 2: does not */
	_Atomic int lock;
	int fd;
	uint64_t size; /* of the file */
	struct as_calls_head *head;
	struct as_calls_block *maps, *edges;
	struct as_calls_thread *all;
	uint64_t n_threads;
};
extern struct as_calls_process as_calls;
extern _Thread_local struct as_calls_thread *as_calls_mine
	__attribute__((tls_model("initial-exec")));

/* The calling thread's; NULL: nothing is counted. */
struct as_calls_thread *as_calls_begin(void);
/* Room for more frames or edges; false: there is none. */
bool as_calls_grow_stack(struct as_calls_thread *t);
bool as_calls_more_edges(struct as_calls_thread *t);
/* An object at ADDR gets a line in the file. */
void as_calls_know(uint64_t addr);
/* A library was unloaded: another one may come to be there. */
void as_calls_forget(void);
void as_jump_hook_forget(void);
/* The edge, made if there is none; the thread's NOWHERE: it can't be. */
struct as_calls_edge *as_calls_edge_of(
	struct as_calls_thread *t, uint64_t caller, uint64_t fn, uint64_t site);
/* Functions whose frames are below SP have been left. */
void as_calls_leave(struct as_calls_thread *t, uint64_t sp, uint64_t now);

void as_calls_name(struct as_calls_thread *t);
void as_calls_moment(void);
void as_calls_thread_end(void);
void as_calls_before_fork(void);
void as_calls_in_parent(void);
void as_calls_in_child(void);
void as_calls_finish(void);

static inline bool as_calls_on_stack(const struct as_calls_thread *t, uint64_t sp)
{
	return sp >= t->lo && sp < t->hi;
}

/* The function of the frame on top ends. */
static inline void as_calls_pop(struct as_calls_thread *t, uint64_t now)
{
	struct as_calls_frame *f = t->row.top;
	uint64_t took = now - f->start;

	f->edge->inclusive += took;
	f->edge->self += took - f->children;
	f[-1].children += took;
	t->row.top = f - 1;
}

#endif
