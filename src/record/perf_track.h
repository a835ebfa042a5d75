/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From records, in the order of time, to a profile: which process and thread a sample is of, what
 * was mapped there at that time, and, at the end, how many samples each thread should have had.
 */
#ifndef AS_RECORD_PERF_TRACK_H
#define AS_RECORD_PERF_TRACK_H

#include "base/arena.h"
#include "model/build.h"
#include "record/perf_parse.h"
#include "record/perf_unwind.h"

enum { AS_PERF_FRAMES_MAX = 1024, AS_PERF_COMM_MAX = 64, AS_PERF_KERNEL_FRAMES = 127 };

struct as_perf_mapping {
	struct as_perf_range range;
	as_object object;
	bool listed;   /* in the profile's mappings */
	bool reported; /* to the unwinder */
};

struct as_perf_proc {
	uint32_t pid;
	uint32_t image;       /* programs that it has executed */
	uint32_t part;        /* the first of the program's; AS_PERF_NO_PART */
	bool changed;         /* there are mappings that the unwinder does not know */
	bool replaced;        /* it knows of some that are gone */
	bool starting;        /* COMMAND is what it will execute */
	bool sampled;         /* by a sampler of its own */
	bool foreign;         /* the number is that of a process which is not to be recorded */
	uint32_t n_threads;   /* that have not ended */
	size_t first_map;     /* of the part: in the profile's list */
	uint32_t kernel_part; /* whose mappings have the kernel's */
	struct as_slice command;
	AS_VEC(struct as_perf_mapping) map; /* by address; none overlaps another */
	struct as_unwind *unwind;
};

#define AS_PERF_NO_PART UINT32_MAX

struct as_perf_thread {
	uint32_t tid, proc, life;
	uint32_t part, image; /* of the last sample */
	bool ended;
	struct as_slice name;
};

/* A thread from its beginning to its end; tids are used again. Row 0 is all that have not ended. */
struct as_perf_life {
	uint64_t ns, n_samples;
	bool counted; /* the kernel said at its end how long it ran */
};

/* Samples of one stack of a thread. */
struct as_perf_sample {
	as_node node;
	uint32_t part, life;
	uint64_t n;
	as_uval count;
};

struct as_perf_part {
	uint32_t pid, image;
	uint32_t tid;
	struct as_slice name;
	bool left_out; /* its samples */
};

/* Places that stand for no code: objects "[truncated]", "[lost]", "[unsampled]", "[kernel]". */
enum as_perf_pseudo {
	AS_PSEUDO_TRUNCATED, /* the frames that are missing */
	AS_PSEUDO_LOST,      /* a sample for which there was no room */
	AS_PSEUDO_UNSAMPLED, /* CPU time that no sample was taken of */
	AS_PSEUDO_KERNEL,    /* code that no user's code called */
	AS_PSEUDO_KINDS
};

struct as_perf_track {
	struct as_build *out;
	const struct as_alloc *al;
	struct as_err *err;
	struct as_arena arena;
	const struct as_perf_layout *layout;
	bool copies;
	bool unsampled; /* programs that sample themselves are left out */
	bool whole;     /* records are of all processes; those that were not told of are foreign */
	bool machine;   /* but none is foreign, and what the kernel does has frames */
	uint32_t event;
	AS_VEC(struct as_perf_proc) proc;
	AS_VEC(struct as_perf_thread) thread;
	AS_VEC(struct as_perf_life) life;
	AS_VEC(struct as_perf_sample) sample;
	AS_VEC(struct as_perf_part) part;
	AS_VEC(uint32_t) ended; /* for each processor the thread that ended there last, row + 1 */
	struct as_index procs, threads, samples, parts, paths;
	AS_VEC(struct as_slice) path;     /* of mappings, each once */
	bool has_pseudo[AS_PSEUDO_KINDS]; /* their mappings are listed */
	uint64_t n_samples, lost, throttled, cut, broken;
	uint64_t untold;  /* records of what happened to processes that were lost */
	bool look_again;  /* since the last look at all processes */
	uint64_t damaged; /* records whose counts cannot be: they were left out */
	struct as_frames frames;
	uint64_t from, until;                   /* samples of other moments do not count, ns */
	uint32_t ends;                          /* the process that ends it; 0: none */
	uint64_t kernel[AS_PERF_KERNEL_FRAMES]; /* of the last sample, innermost first */
	uint32_t n_kernel;
};

enum as_code as_perf_track_init(struct as_perf_track *t, struct as_build *out,
	const struct as_perf_layout *layout) AS_NODISCARD;
void as_perf_track_release(struct as_perf_track *t);

/* Adds a process that runs already: its command and mappings; a thread's name. */
enum as_code as_perf_track_process(struct as_perf_track *t, uint32_t pid) AS_NODISCARD;
/* Process PID will execute COMMAND. */
enum as_code as_perf_track_start(struct as_perf_track *t, uint32_t pid, struct as_slice command)
	AS_NODISCARD;
enum as_code as_perf_track_thread(
	struct as_perf_track *t, uint32_t pid, uint32_t tid, struct as_slice name) AS_NODISCARD;

/* Processes that have not ended, but for PID. */
size_t as_perf_track_living(const struct as_perf_track *t, uint32_t pid);
bool as_perf_track_knows(const struct as_perf_track *t, uint32_t tid);

enum as_code as_perf_track_record(struct as_perf_track *t, const struct as_perf_rec *rec)
	AS_NODISCARD;

/* A place of that kind, in a mapping of its own. */
enum as_code as_perf_track_pseudo(struct as_perf_track *t, enum as_perf_pseudo which, as_place *out)
	AS_NODISCARD;

/* The program of PROC samples itself: what it was sampled for so far is left out, too. */
void as_perf_leave_out(struct as_perf_track *t, struct as_perf_proc *proc);
/* In perf_sample.c: a SAMPLE of the thread in row THREAD. */
enum as_code as_perf_take_sample(
	struct as_perf_track *t, const struct as_perf_rec *rec, uint32_t thread) AS_NODISCARD;
/* In perf_maps.c. NEW takes the place of whatever it overlaps. */
enum as_code as_perf_map_add(struct as_perf_track *t, struct as_perf_proc *proc,
	const struct as_perf_range *range, struct as_slice id) AS_NODISCARD;
const struct as_perf_mapping *as_perf_map_find(const struct as_perf_proc *proc, uint64_t addr);
/* Those that are executable, into the profile's list. */
enum as_code as_perf_map_list(struct as_perf_track *t, struct as_perf_proc *proc) AS_NODISCARD;

#endif
