/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Recording a machine without an end, in intervals that follow each other without a gap: each is a
 * profile of its own. What runs is known over all of them.
 *
 * Of each interval: the samples that the kernel took are those of the profile, and the profile has
 * a row for those whose code is unknown and for those that were lost.
 */
#ifndef AS_RECORD_PERF_MACHINE_H
#define AS_RECORD_PERF_MACHINE_H

#include "record/perf.h"

/* Of one of several events. */
struct as_perf_interval_of {
	uint64_t taken, unknown, lost;   /* as below */
	uint64_t enabled_ns, running_ns; /* it was to be counted, and was, of all processors */
};

struct as_perf_interval {
	uint64_t from, until; /* nanoseconds of the monotonic clock: not FROM itself, but UNTIL */
	uint64_t period_ns;   /* CPU time that a sample stands for; 0: its count is of cycles */
	/* Samples by the kernel: all of the profile's, with those below; of a user's own processes
	 * as many as stand for the CPU time that they had. */
	uint64_t taken;
	uint64_t unknown;     /* in "[unknown]": nothing was mapped there as far as we know */
	uint64_t lost;        /* in "[lost]": there was no room for them */
	uint64_t untold;      /* records of processes and mappings for which there was none */
	uint64_t throttled;   /* times that the kernel held samples back */
	uint64_t cut, broken; /* stacks that are not whole */
	uint64_t damaged;     /* records that were not what the kernel documents */
	uint64_t unseen_ns;   /* that processors may have run for without an event, at most */
	size_t processes;     /* that are known at its end */
	bool kernel_changed;  /* the kernel made or removed code of its own, or might have */
	uint32_t n_of;        /* several events: those above are sums of these */
	struct as_perf_interval_of of[AS_PERF_EVENTS_MAX];
};

struct as_perf_machine;

/* OPTS of scope AS_PERF_MACHINE, without a program; of its functions READY only is called. AL is
 * used until the end. Errors: as as_perf_record(). */
enum as_code as_perf_machine_open(const struct as_alloc *al, const struct as_perf_opts *opts,
	struct as_perf_machine **out, struct as_err *err) AS_NODISCARD;
void as_perf_machine_close(struct as_perf_machine *m); /* NULL is fine */

/* Waits until samples have come, OTHER can be read (-1: nothing) or MS are over, and takes them. */
enum as_code as_perf_machine_wait(struct as_perf_machine *m, int other, int ms) AS_NODISCARD;
/* The interval that began with the last call, or the first: *OUT is the caller's to free. */
enum as_code as_perf_machine_cut(struct as_perf_machine *m, struct as_profile **out,
	struct as_perf_interval *interval) AS_NODISCARD;
/* What the interval that has not ended has so far. */
void as_perf_machine_so_far(struct as_perf_machine *m, struct as_perf_interval *at);

/* Numbers of processes that were sampled in code of no file, each once an interval and told once;
 * how many there are. */
size_t as_perf_machine_made(struct as_perf_machine *m, uint32_t pid[AS_PERF_MADE_MAX]);
/* From now on process PID and what it will start has the label NAME; false: there is none. */
bool as_perf_machine_label(struct as_perf_machine *m, pid_t pid, const char *name);
/* Whether it may watch the processes of its user only, as OPTS.or_own allows. */
bool as_perf_machine_is_own(const struct as_perf_machine *m);
/* What is counted, "cpu-clock", or "cpu-clock, page-faults:100"; one of several events, NULL behind
 * the last; how stacks are found. */
const char *as_perf_machine_event(const struct as_perf_machine *m);
const struct as_perf_column *as_perf_machine_column(const struct as_perf_machine *m, uint32_t i);
const char *as_perf_machine_stacks(const struct as_perf_machine *m);

/* ---- private ---- */

struct as_perf_track;
struct as_perf_weighed;

/*
 * Gives the samples of an interval to its profile. TOTAL_NS: the CPU time of a user's own
 * processes, 0: of the machine. An event of a process has its first sample after a whole period:
 * what they miss of the total is unsampled, and not spread over the samples that there are, which
 * may be of other processes.
 */
enum as_code as_perf_machine_weigh(struct as_perf_track *t, uint64_t period_ns, uint64_t total_ns,
	struct as_perf_weighed *out) AS_NODISCARD;

#endif
