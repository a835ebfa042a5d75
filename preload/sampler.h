/* SPDX-License-Identifier: Apache-2.0 */
/* The sampler of this process: one, as there is one signal. */
#ifndef AS_PRELOAD_SAMPLER_H
#define AS_PRELOAD_SAMPLER_H

#include <pthread.h>
#include <signal.h>

#include "preload/event.h"
#include "preload/lines.h"
#include "preload/raw.h"
#include "preload/unwind.h"

enum {
	AS_SLOTS_MAX = 65536,
	AS_BENCHES = 64, /* walks at a time */
	AS_TALLIES = 256,
	AS_THREAD_NAME = 16,
	AS_HZ_DEFAULT = 100,
	AS_HZ_MAX = 4000,
	AS_TEXT_MAX = 4096,
};

enum as_slot_state { AS_SLOT_FREE, AS_SLOT_USED, AS_SLOT_ENDS };

/* A thread and its timer. */
struct as_slot {
	_Atomic int state;
	int tid;
	int timer;             /* the kernel's number; -1: none */
	uint64_t self;         /* pthread_self(); 0: not known */
	uint64_t lo, hi;       /* its stack; 0, 0: not known */
	uint64_t first;        /* when its timer first expires, or of wall time its first period
	                        * begins: ns of its clock */
	struct as_event event; /* besides the timer, in CPU mode */
	bool event_first;      /* its first period is on its way, which is a part of one */
	uint64_t user;         /* CPU time of user code when the timer was last seen, in ticks */
	uint64_t looked;       /* CPU time at the last signal, where there are events */
	uint64_t routine;      /* what it began with; 0: not known */
	char name[AS_THREAD_NAME];
	uint32_t n_name;
	_Atomic uint64_t ticks; /* expiries that were seen */
	_Atomic uint64_t samples;
	/* The call that it waits in, if WAIT is not 0. WAITS: how many there were; SLOW: how
	 * many signals came in this one. */
	_Atomic uint64_t wait, waits;
	_Atomic unsigned slow;
	struct as_here here;
	uint64_t call;
	/* Wall mode, of its last sample: where it was, its CPU time then, and what of it the sample
	 * took, ns. */
	uint64_t pc, sp, left, took;
};

/* Where stacks are walked and written. One signal handler at a time has it. */
struct as_bench {
	_Atomic int busy;
	struct as_pen pen;
};

/* Threads of one name. */
struct as_tally {
	char name[AS_THREAD_NAME];
	uint64_t threads, samples;
};

enum as_file_state { AS_FILE_NONE, AS_FILE_WANTED, AS_FILE_OPEN };

struct as_sampler {
	/* Set by the environment or the caller. */
	char path[PATH_MAX], base[PATH_MAX]; /* of this process; as it was asked for */
	uint64_t period;                     /* µs */
	int signal;
	bool wall;
	bool timed;         /* each sample says when it was, and of which thread */
	bool threads;       /* each stack says of which thread it is */
	uint64_t begin;     /* by CLOCK_MONOTONIC: nothing is sampled before; 0: from the start */
	uint64_t max_bytes; /* of stacks; 0: as many as there is room for */
	bool child;         /* only leaves a file if it was sampled */
	int (*filter)(void *arg);
	void *filter_arg;

	_Atomic int active, stopping;
	_Atomic int begun;     /* there was a signal behind BEGIN */
	_Atomic int file;      /* as_file_state */
	_Atomic int sandboxed; /* system calls may kill the process */
	_Atomic int missed;    /* a sample met code that is not in OBJECTS */
	_Atomic int waits;     /* calls that wait are seen: preload/wait.h */
	uint32_t epoch;        /* counts profiles */
	_Atomic int inside;    /* handlers at work */
	_Atomic int busy;      /* file, lines and objects are being changed */
	_Atomic int threads_busy;
	_Atomic uint64_t samples, deep, broken, unsampled,
		early;                     /* early: before there was a file */
	_Atomic uint64_t signals, squares; /* that brought samples; their weights, squared */
	_Atomic uint64_t by_tick;          /* threads without a clock event */
	_Atomic uint64_t no_timer, next_look, seed;
	uint64_t started, started_cpu; /* ns, CLOCK_MONOTONIC and process CPU time */
	uint64_t started_at;           /* ns since 1970 */
	int pid, first_pid;            /* first: of the process that the program was started in */
	bool ready;                    /* the library has been set up */
	bool installed;                /* our handler is */
	bool usurped;                  /* and then the program's was, behind our back */
	_Atomic int foreign;           /* the program has a handler of its own */
	struct sigaction before;       /* the program's */

	struct as_slot slot[AS_SLOTS_MAX];
	uint32_t n_slots;
	struct as_tally tally[AS_TALLIES];
	uint32_t n_tallies;
	struct as_bench bench[AS_BENCHES];
	struct as_walk walk[AS_BENCHES]; /* of each bench: big, so touched by those at work only */
	struct as_objects objects;
	struct as_unwinder unwinder;
	struct as_lines lines;
	struct as_spool spool;
	char text[4 * AS_TEXT_MAX]; /* for the lines of as_report_begin() */
};

extern struct as_sampler as_sampler;

struct as_start {
	const char *path;
	uint64_t hz;
	int signal;
	bool wall, child, timed, threads;
	uint64_t begin, max_bytes;
	int (*filter)(void *arg);
	void *filter_arg;
};

/* Sets up what does not change; may be called again. */
void as_sampler_ready(void);

/* The process that is profiled calls, not one that shares its memory or is a copy of it. */
bool as_sampler_is_here(void);

/* Begins a profile of all threads. False: one is being made, or it can't be; stderr says why. */
bool as_sampler_start(const struct as_start *start);

/* Ends it: the file is complete. */
void as_sampler_stop(void);

/* Updates the list of mappings in the file. */
void as_sampler_flush(void);

/* Address space is about to be limited: what the file may grow into is given back. */
void as_sampler_shrink(void);

/* The process is about to lose the right to make system calls. */
void as_sampler_sandbox(void);

/* Counts from zero, with an empty file. */
void as_sampler_reset(void);

/* Puts our handler in place, and remembers the program's. */
bool as_handler_install(void);

bool as_handler_is_ours(void);

/* No object is known at an address: perhaps a library was loaded. Not too often. */
bool as_handler_look_again(void *ctx, uint64_t pc);

/* Sets the ranges of MEM that can be read without a system call. SLOT may be NULL. */
void as_handler_bounds(
	struct as_memory *mem, const struct as_slot *slot, const ucontext_t *context);

/* The library stands in front of sigaction(): what the program asks for the signal. */
void as_handler_set(const struct sigaction *act);

/* WEIGHT samples of SLOT's thread, which has ended before the signal for them could come. */
void as_handler_missed(struct as_slot *slot, uint64_t weight);

/* WEIGHT samples of SLOT's thread, in the call that it waits in. */
void as_handler_waited(struct as_slot *slot, uint64_t weight);

/* Waits until no handler is at work any more. */
void as_handler_wait(void);

/* The file of a child that has just been sampled; false: there is none. */
bool as_sampler_open(void);

/* The thread that calls, and the threads that there are. */
void as_thread_begin(uint64_t lo, uint64_t hi, uint64_t routine);
void as_thread_end(void);
void as_threads_begin_all(void);
void as_threads_end_all(void);

/* No thread may make a system call any more: what is sampled from now on needs none. */
void as_threads_sandbox(void);

/* In such a process: what a wall clock says that nobody has counted. */
void as_threads_count_rest(void);
void as_threads_reset(void);

/* Our signal reaches the thread that calls, whatever it has blocked; or waits. */
void as_threads_unblock(void);
void as_threads_block(void);

/* The slot of the thread that calls; NULL: it has none. */
struct as_slot *as_thread_mine(void);

/* The same in the signal handler, where it may not wait. */
struct as_slot *as_thread_signalled(void);

/* The thread that calls is SLOT's: a timer's signal may still come when its thread has left the
 * slot to another one. Safe in the signal handler. */
bool as_thread_is(struct as_slot *slot);

/* The expiries that are due and nobody has counted: they are the caller's. */
uint64_t as_thread_claim(struct as_slot *slot);

/* The same at a signal of SLOT's event, or of its timer: 0, it brings none. */
uint64_t as_thread_at_event(struct as_slot *slot);
uint64_t as_thread_at_timer(struct as_slot *slot, uint64_t overrun);

/* In wall mode: SLOT's timer expires when its next sample is due. */
void as_thread_arm(struct as_slot *slot);

/* In wall mode, of a thread in a call that waits: its signals become fewer; it has ended. */
void as_thread_slow(struct as_slot *slot);
void as_thread_waited(struct as_slot *slot);

/* fork() will be seen. */
void as_fork_ready(void);

/* PATH with a number, if what this process was before it executed has written to it. */
void as_exec_name(char *path, size_t size);

void as_threads_ready(void);

/* as_thread_end() will be called when the calling thread ends. */
void as_thread_watch(void);

/* The part of START that the environment decides: rate, clock and signal. */
void as_env_clock(struct as_start *start);

/* Writes the lines about the run: those known at its start, and those at its end. */
void as_report_begin(void);
/* The name of a thread that had samples. */
void as_report_thread(const struct as_slot *slot);
void as_report_end(struct as_words *w);

/* One line on stderr. */
void as_complain(const char *what, const char *about);

static inline struct as_walk *as_walk_of(const struct as_bench *b)
{
	return &as_sampler.walk[b - as_sampler.bench];
}

/* 0: free; 1: held; 2: held, and somebody sleeps until it is not. */
static inline bool as_try_lock(_Atomic int *lock)
{
	int none = 0;

	return atomic_compare_exchange_strong(lock, &none, 1);
}

static inline void as_release(_Atomic int *lock)
{
	if (atomic_exchange(lock, 0) == 2)
		as_raw_wake(lock);
}

/* For others than signal handlers: all signals are blocked while it is held. */
static inline void as_lock(_Atomic int *lock, uint64_t *mask)
{
	as_raw_block(mask);
	if (as_try_lock(lock))
		return;
	while (atomic_exchange(lock, 2))
		as_raw_wait(lock, 2);
}

static inline void as_unlock(_Atomic int *lock, const uint64_t *mask)
{
	as_release(lock);
	as_raw_unblock(mask);
}

#endif
