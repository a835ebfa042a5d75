/* SPDX-License-Identifier: Apache-2.0 */
/* Events of perf_event_open(2), one ring for each processor. They are of each thread and processor,
 * and inherited; or, where that is allowed, of each processor, and whatever runs on it: then a
 * thread's first period has begun before it. */
#ifndef AS_RECORD_PERF_EVENT_H
#define AS_RECORD_PERF_EVENT_H

#include <sys/types.h>

#include "base/alloc.h"
#include "base/err.h"
#include "perf/perf_parse.h"
#include "record/events/perf_columns.h"
#include "record/perf.h"
#include "record/perf_switch.h"

/* The bytes of a ring buffer as records, whatever they hold: perf_ring.c, which needs no kernel. */
enum { AS_PERF_RECORD_MAX = 65536 };

struct as_perf_ring {
	const uint8_t *data;
	uint64_t size;       /* bytes, a power of two */
	uint64_t tail, head; /* positions: they only grow; the bytes in between are records */
	uint64_t damaged;    /* headers that cannot be: what followed was given up */
	uint8_t copy[AS_PERF_RECORD_MAX]; /* of a record that goes around the end */
};

/* The record at the tail, which moves behind it; false: there is none. It is valid until the next
 * call, and as long as the kernel is not told of the new tail. */
bool as_perf_ring_next(struct as_perf_ring *ring, struct as_slice *record);

/*
 * Samples come at BEGAN plus whole numbers of PERIOD. Another period begins anew: what has passed
 * of the one that it interrupts is never sampled, and is owed to those after it, as is what a
 * period was too long for all that it lasted, or too short. So over time there is a sample for each
 * mean period, however late we are.
 */
struct as_perf_beat {
	uint64_t began, period;
	int64_t owed; /* nanoseconds */
};

struct as_perf_cpu {
	int cpu;
	int fd; /* the event that the ring is mapped of; -1: none yet */
	void *map;
	size_t n_map;
	struct as_perf_ring ring;
	bool side;                /* the ring has what happens to processes, and no samples */
	bool ready;               /* by the last wait */
	int64_t drift;            /* of the period that holds now */
	struct as_perf_beat beat; /* of a machine's samples */
	/* perf_cpus.c: when it was looked at last, and how long its event had been there then; when
	 * the kernel was found to have taken it off, or 0; since when none may have been there */
	uint64_t looked, enabled, gone, unseen;
};

struct as_perf_set {
	const struct as_alloc *al;
	struct as_err *err;
	struct as_perf_layout layout;
	uint64_t period; /* nanoseconds, or 0: HZ samples in a second */
	uint32_t hz, stack_bytes;
	enum as_perf_clock clock;
	struct as_perf_columns columns; /* of a machine: events in the place of the clock, if any */
	bool copies, on_exec;
	bool flat;            /* no call chains: the interrupted instruction alone */
	bool whole;           /* events are of processors */
	bool machine;         /* and all that runs there is wanted, with the kernel's frames */
	bool kernel;          /* in and out: whether the kernel's time is sampled */
	bool kernel_frames;   /* and the kernel's frames are wanted, as they are of a machine */
	bool off_cpu;         /* there are events of switches, too */
	bool build_ids, read; /* tried first; false if this kernel does not know them */
	AS_VEC(struct as_perf_cpu)
	cpu; /* of a machine two rings each: samples never crowd out what
					 * tells whose they are */
	AS_VEC(int) fd;
	AS_VEC(int) counter; /* of threads, where events are of processors; they take no samples */
	struct as_perf_switches switches; /* with OFF_CPU */
	uint64_t random;
	const char *online; /* the file that lists processors */
	uint64_t looked;    /* at processors, when; */
	bool going;         /* and some have still to be closed */
	uint64_t unseen_ns; /* that processors may have run for without an event, at most */
};

/* SET's fields down to BUILD_IDS and READ are the caller's. */
void as_perf_set_init(struct as_perf_set *set, const struct as_alloc *al, struct as_err *err);
void as_perf_set_close(struct as_perf_set *set);

/* Events of thread TID of process PID and of all that it will make. AS_END: it is no more. What
 * this machine can't do is left out of SET by the first call. */
enum as_code as_perf_set_open(struct as_perf_set *set, pid_t pid, pid_t tid) AS_NODISCARD;
/* Events of all processors. AS_END: that is not allowed, and nothing has changed. */
enum as_code as_perf_set_open_cpus(struct as_perf_set *set) AS_NODISCARD;
/* That of one; it may be off. */
enum as_code as_perf_set_open_cpu(struct as_perf_set *set, struct as_perf_cpu *cpu) AS_NODISCARD;
/* Closes what is open of it. What its ring has is gone. */
void as_perf_set_drop_cpu(struct as_perf_set *set, struct as_perf_cpu *cpu);
/* Events of its switches, and of those of all that it will make, if they are asked for. AS_END: it
 * is no more. */
enum as_code as_perf_set_open_switches(struct as_perf_set *set, pid_t tid) AS_NODISCARD;
/* Counts the CPU time of thread TID and of all that it will make, if it can be counted. AS_END: it
 * is no more. */
enum as_code as_perf_set_open_counter(struct as_perf_set *set, pid_t tid) AS_NODISCARD;
/*
 * Gives processors whose samples have just come another period, the same on average. Work that is
 * done in step with a clock would be seen always or never by samples that are in step with it, too.
 * Not of a machine, whose number of samples nothing corrects: as_perf_cpus_look().
 */
void as_perf_set_vary(struct as_perf_set *set);
/* Starts and stops all events. */
void as_perf_set_enable(struct as_perf_set *set, bool on);
/* Wait for records, for another descriptor (-1: none), or until MS are over. */
void as_perf_set_wait(struct as_perf_set *set, int other, int ms);
/* See what the kernel has written; give back what was read. */
void as_perf_set_fetch(struct as_perf_set *set);
void as_perf_set_release(struct as_perf_set *set);
/* The counts of all events and of those that they were inherited by. */
uint64_t as_perf_set_count(const struct as_perf_set *set);

#endif
