/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording by perf_event_open(2): a running process, or a program that is started, from outside
 * of it. All threads and child processes are followed.
 *
 * Where events of processors are allowed (kernel.perf_event_paranoid is 0 or less, or CAP_PERFMON),
 * those are used: a thread that ends before its first period is seen like any other.
 *
 * A sample is one period of CPU time. The kernel's own count of the time that was spent is read at
 * the end, so the samples add up to it: what fell between them, because a tick came late or a
 * thread ended before its period did, is shared among the samples of the same thread, or is in the
 * object "[unsampled]" where there are none; samples that did not fit into the buffer are in
 * "[lost]".
 */
#ifndef AS_RECORD_PERF_H
#define AS_RECORD_PERF_H

#include <signal.h>
#include <sys/types.h>

#include "base/err.h"
#include "model/build.h"
#include "record/events/perf_kinds.h"

enum as_perf_clock {
	AS_PERF_CPU_CLOCK, /* CPU time by the kernel's software clock */
	AS_PERF_CYCLES,    /* by the processor's cycle counter; the software clock without one */
};

enum as_perf_stacks {
	AS_PERF_BEST,   /* COPIES if they can be unwound here, else FRAMES */
	AS_PERF_FRAMES, /* by frame pointers, in the kernel */
	AS_PERF_COPIES, /* copies of the stack, unwound by the objects' unwind tables */
	AS_PERF_FLAT,   /* none: the interrupted instruction alone; of a machine */
};

enum as_perf_scope {
	AS_PERF_BEST_SCOPE, /* PROCESSORS if that is allowed, else THREADS */
	AS_PERF_THREADS,    /* events of each thread and processor, inherited */
	AS_PERF_PROCESSORS, /* of each processor; what runs there for others is left out */
	AS_PERF_MACHINE,    /* of each processor, and all that runs there, the kernel too */
};

enum { AS_PERF_HZ_MAX = 20000, AS_PERF_STACK_BYTES = 16384, AS_PERF_STACK_MAX = 61440 };
enum { AS_PERF_MADE_MAX = 32 }; /* processes that make code, of which is told */

/* How far a recording is. */
struct as_perf_so_far {
	uint64_t seconds;
	uint64_t samples, lost; /* that have come; what ran between them is not known yet */
	uint64_t threads;       /* that were seen */
};

/* Records are taken so much later than they come: until then those of other processors that
 * belong before them have come too. An interval ends so much before the call that ends it. */
#define AS_PERF_LATE_NS UINT64_C(10000000)

struct as_perf_opts {
	pid_t pid;         /* the process; 0: ARGV is started */
	char *const *argv; /* ends with NULL; found by PATH. SCOPE machine may do without */
	/* PID is the caller: what it starts from now on, the first of it by ARGV. Programs that the
	 * sampler is mapped into are left out. */
	bool children;
	int until;          /* with CHILDREN: a pipe, whose other end is closed when it is over */
	uint32_t hz;        /* samples in a second of CPU time, 1 to AS_PERF_HZ_MAX */
	uint32_t period_us; /* of them; 0: by HZ, rounded */
	enum as_perf_clock clock;
	/* Of a machine: these in the place of CLOCK, a column each; or NULL. As_perf_opts_events()
	 * sets it. */
	const struct as_perf_events *events;
	enum as_perf_stacks stacks;
	enum as_perf_scope scope;
	uint32_t stack_bytes; /* of a copy, at most AS_PERF_STACK_MAX; 0: AS_PERF_STACK_BYTES */
	double seconds;       /* until then; 0: until the process ends, if there is one */
	bool user_only;       /* CPU time in the kernel does not count */
	bool kernel_frames;   /* what it does has frames, as of a machine; below "[kernel]" */
	bool off_cpu;         /* not of a machine: when threads do not run is an event, too */
	bool or_own;          /* of a machine: else the processes of the user */
	bool no_sigpipe;      /* it is ignored in the program that is started */
	volatile sig_atomic_t *pass; /* a signal that is to be sent to that program; 0 when it was;
					or NULL */
	void (*so_far)(void *ctx, const struct as_perf_so_far *at); /* twice a second; or NULL */
	void *so_far_ctx;
	void (*ready)(void *ctx); /* the events are there; or NULL */
	void *ctx;
};

/* Limits of the recording that the user is told of. */
struct as_perf_told {
	char clock[160]; /* one line: what was counted */
	char stacks[160];
	bool whole;    /* events were of processors */
	size_t living; /* processes that it started and that have not ended; where WHOLE */
	bool kernel;   /* time in the kernel is counted, at the code that called it */
	enum as_perf_clock counted;
	uint32_t n_events;                   /* where the options have some: */
	uint32_t active[AS_PERF_EVENTS_MAX]; /* ten-thousandths of the time that each was counted */
	enum as_perf_stacks stacks_by;       /* FRAMES or COPIES */
	uint32_t period_us;
	uint64_t cpu_ns;    /* by the kernel's count; 0 when cycles are counted */
	uint64_t samples;   /* with those below */
	uint64_t unsampled; /* in "[unsampled]" */
	uint64_t spread;    /* added to other samples of the thread */
	uint64_t lost;      /* in "[lost]" */
	uint64_t untold;    /* records of processes and mappings, for which there was no room */
	uint64_t cut;       /* whose stacks were longer than could be recorded */
	uint64_t broken;    /* whose stacks led to where no code is, and end there */
	uint64_t throttled; /* times that the kernel held samples back */
	uint64_t damaged;   /* records that were not what the kernel documents */
	uint64_t unseen_ns; /* that processors may have run for before they had events, at most */
	uint64_t off_stretches; /* in which threads did not run; of OFF_CPU. Of these: */
	uint64_t off_no_stack;  /* the stack is not known */
	uint64_t off_unknown;   /* beside them: were not seen to end, though the thread ran */
	uint64_t off_away;      /* beside them: had not ended at the end */
	pid_t pid;              /* of the process */
	bool ended; /* the program that was started has ended, with STATUS of waitpid() */
	int status;
};

/* EVENTS, which stay the caller's, are what is counted. The clock alone, and cycles, remain what
 * they are without a list. */
void as_perf_opts_events(struct as_perf_opts *opts, const struct as_perf_events *events);

/*
 * Records into OUT, which is new, until the process ends, the seconds have passed or *STOP (may be
 * NULL) is not zero; a signal ends the waiting. A program that was started may run on then, and is
 * the caller's to wait for. OUT is the caller's to finish or to free. Errors: AS_E_IO with
 * sys_errno (no such process, no such program, not allowed), AS_E_UNSUPPORTED (no perf events
 * here), AS_E_NOMEM, AS_E_ARG.
 */
enum as_code as_perf_record(const struct as_perf_opts *opts, const volatile sig_atomic_t *stop,
	struct as_build *out, struct as_perf_told *told, struct as_err *err) AS_NODISCARD;

#endif
