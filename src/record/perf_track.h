/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From records, in the order of time, to a profile: which process and thread a sample is of, what
 * was mapped there at that time, and, at the end, how many samples each thread should have had.
 */
#ifndef AS_RECORD_PERF_TRACK_H
#define AS_RECORD_PERF_TRACK_H

#include "base/arena.h"
#include "model/build.h"
#include "perf/perf_parse.h"
#include "record/events/perf_columns.h"
#include "record/perf.h"
#include "record/perf_switch.h"
#include "symbols/unwind/perf_unwind.h"

enum { AS_PERF_FRAMES_MAX = 1024, AS_PERF_COMM_MAX = 64, AS_PERF_KERNEL_FRAMES = 127 };

/* A file that is mapped somewhere, by its path and build id, or what else has a name. */
struct as_perf_image {
	struct as_slice path, id; /* the id in hex; empty: not known */
	as_object object;         /* of the profile; 0: none yet */
};

struct as_perf_proc {
	uint32_t pid;
	uint32_t image; /* which program it runs, of all that were executed */
	uint32_t part;  /* the first of the program's; AS_PERF_NO_PART */
	bool changed;   /* there are mappings that the unwinder does not know */
	bool replaced;  /* it knows of some that are gone */
	bool listed;    /* all mappings are in the profile's */
	bool starting;  /* COMMAND is what it will execute */
	bool sampled;   /* by a sampler of its own */
	bool unasked;   /* COMMAND is its name: how it was started is asked when it has a sample */
	bool foreign;   /* the number is that of a process which is not to be recorded */
	bool made;      /* it has run code of no file; that was noted */
	uint32_t n_threads;   /* that have not ended */
	size_t first_map;     /* of the part: in the profile's list */
	uint32_t kernel_part; /* whose mappings have the kernel's */
	struct as_slice command;
	struct as_slice program; /* its file's name */
	struct as_slice label;   /* of the tree that it belongs to; empty: none */
	struct as_perf_space map;
	struct as_unwind *unwind;
};

#define AS_PERF_NO_PART UINT32_MAX

struct as_perf_thread {
	uint32_t tid, proc, life;
	uint32_t part, image, cgroup; /* of the last sample */
	bool ended;
	struct as_slice name;
};

/* A thread from its beginning to its end; tids are used again. Row 0 is all that have not ended. */
struct as_perf_life {
	uint64_t ns, n_samples;
	uint64_t end; /* when the kernel said how long it ran; */
	bool counted; /* it did */
};

/* Samples of one stack of a thread, of one event. */
struct as_perf_sample {
	as_node node;
	uint32_t part, life, column;
	uint64_t n, given; /* taken; what they stand for in the end */
	as_uval count;
};

/* When N of a sample were taken: perf_when.h. */
struct as_perf_when {
	uint64_t at, n;
	uint32_t row;
};

struct as_perf_part {
	uint32_t pid, image;
	uint32_t tid;
	uint32_t cgroup; /* row */
	enum as_off_state state;
	bool left_out; /* its samples */
};

/* A control group, as the kernel numbers and names it. */
struct as_perf_cgroup {
	uint64_t id;
	struct as_slice path; /* "/system.slice/cron.service"; empty: not known */
};

/* A place of the profile, by the address that it has there. */
struct as_perf_hot {
	uint64_t addr;
	as_object object;
	as_place place; /* 0: nothing */
};

/* Places that stand for no code: objects "[truncated]", "[lost]", "[unsampled]", "[kernel]",
 * "[unknown]". */
enum as_perf_pseudo {
	AS_PSEUDO_TRUNCATED, /* the frames that are missing */
	AS_PSEUDO_LOST,      /* a sample for which there was no room */
	AS_PSEUDO_UNSAMPLED, /* CPU time that no sample was taken of */
	AS_PSEUDO_KERNEL,    /* code that no user's code called */
	AS_PSEUDO_UNKNOWN,   /* code where nothing is mapped, as far as is known; of a machine */
	AS_PSEUDO_KINDS
};

/* Of one event. */
struct as_perf_tally {
	uint64_t samples, lost, unknown;
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
	bool kernel_frames;                             /* it has of others, too, behind a mark */
	bool no_commands;                               /* nobody asks how processes were started */
	uint32_t event;                                 /* the column; the first of them, if */
	const struct as_perf_columns *columns;          /* there are several; else NULL */
	struct as_perf_switches *switches;              /* of when threads do not run; or NULL */
	uint32_t off_event;                             /* the column of that */
	struct as_perf_tally tally[AS_PERF_EVENTS_MAX]; /* of each of those */
	AS_VEC(struct as_perf_proc) proc;
	AS_VEC(struct as_perf_thread) thread;
	AS_VEC(struct as_perf_life) life;
	AS_VEC(struct as_perf_sample) sample;
	AS_VEC(struct as_perf_when) when; /* in order of time; only if moments are kept */
	uint64_t last_time;               /* likewise: of the last record */
	AS_VEC(struct as_perf_part) part;
	AS_VEC(uint32_t) ended; /* for each processor the thread that ended there last, row + 1 */
	AS_VEC(struct as_perf_image) image;
	AS_VEC(struct as_perf_cgroup) cgroup; /* row 0: none */
	struct as_arena cgroup_arena;
	size_t n_ended;    /* threads that have ended, and have rows */
	uint32_t n_images; /* programs that were executed */
	struct as_index procs, threads, samples, parts, images;
	/* of the profile */
	struct as_perf_hot *hot;
	as_place pseudo[AS_PSEUDO_KINDS]; /* 0: there is none yet */
	as_object kernel_object;          /* 0: there is none yet */
	uint64_t n_samples, lost, throttled, cut, broken;
	uint32_t made[AS_PERF_MADE_MAX]; /* processes that have run code of no file */
	size_t n_made;                   /* not asked for yet */
	uint64_t unknown;                /* samples of no mapping: in "[unknown]" */
	uint64_t untold;                 /* records of what happened to processes that were lost */
	bool look_again;                 /* since the last look at all processes */
	bool kernel_changed;             /* code of it came or went; of a machine */
	uint64_t damaged;                /* records whose counts cannot be: they were left out */
	struct as_known_ids *ids;        /* while all processes are listed; or NULL */
	struct as_unwind_tables *tables; /* NULL until there is a copy of a stack */
	struct as_frames frames;
	uint64_t from, until;                   /* samples of other moments do not count, ns */
	uint32_t ends;                          /* the process that ends it; 0: none */
	uint64_t kernel[AS_PERF_KERNEL_FRAMES]; /* of the last sample, innermost first */
	uint32_t n_kernel;
};

enum as_code as_perf_track_init(struct as_perf_track *t, struct as_build *out,
	const struct as_perf_layout *layout) AS_NODISCARD;
void as_perf_track_release(struct as_perf_track *t);

/* perf_command.c: PROC was started by COMMAND, and the kernel calls it COMM, if that is known; it
 * is called NAME, where nobody says how it was started, as of a thread of the kernel. */
enum as_code as_perf_command(struct as_perf_track *t, struct as_perf_proc *proc,
	struct as_slice command, struct as_slice comm) AS_NODISCARD;
enum as_code as_perf_called(
	struct as_perf_track *t, struct as_perf_proc *proc, struct as_slice name) AS_NODISCARD;
/* Asks how PROC was started, if nobody has. */
enum as_code as_perf_ask_command(struct as_perf_track *t, struct as_perf_proc *proc) AS_NODISCARD;
/* PROC has mapped PATH: its program, if its name begins as that does. */
enum as_code as_perf_whole_name(
	struct as_perf_track *t, struct as_perf_proc *proc, struct as_slice path) AS_NODISCARD;

/* The row of the thread that was the last to have this number. */
bool as_perf_find_thread(const struct as_perf_track *t, uint32_t tid, uint32_t *row);
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

/* PID and what it will start belong to the tree NAME; false: there is no such process. */
bool as_perf_track_label(struct as_perf_track *t, uint32_t pid, struct as_slice name);
/* Control group ID has PATH. */
enum as_code as_perf_track_cgroup(struct as_perf_track *t, uint64_t id, struct as_slice path)
	AS_NODISCARD;

/* PART has measured what there is to measure. */
enum as_code as_perf_part_events(struct as_perf_track *t, uint32_t part) AS_NODISCARD;

/* In perf_turn.c, for a machine. What comes from now on is of OUT, which is new; nothing of the
 * profile before is used any more. */
void as_perf_track_turn(struct as_perf_track *t, struct as_build *out);
/* Rows of threads and processes that have ended go, if they are many: rows get other numbers. */
enum as_code as_perf_track_compact(struct as_perf_track *t) AS_NODISCARD;

static inline uint64_t as_perf_hash_id(uint32_t id)
{
	return as_hash_mix(id, 1);
}

static inline uint64_t as_perf_hash_image(struct as_slice path, struct as_slice id)
{
	return as_hash_mix(as_hash_bytes(path.p, path.len), as_hash_bytes(id.p, id.len));
}

/* In perf_place.c. */
bool as_perf_places_init(struct as_perf_track *t) AS_NODISCARD;
void as_perf_places_release(struct as_perf_track *t);
/* The profile is another one. */
void as_perf_places_forget(struct as_perf_track *t);
/* A place of that kind, in a mapping of its own. */
enum as_code as_perf_track_pseudo(struct as_perf_track *t, enum as_perf_pseudo which, as_place *out)
	AS_NODISCARD;
/* Of the code at PC, which is in M; NULL: nothing is mapped there. */
enum as_code as_perf_place_user(struct as_perf_track *t, const struct as_perf_mapping *m,
	uint64_t pc, as_place *out) AS_NODISCARD;
/* Of the kernel's, which has an object. */
enum as_code as_perf_place_kernel(struct as_perf_track *t, uint64_t pc, as_place *out) AS_NODISCARD;

/* The program of PROC samples itself: what it was sampled for so far is left out, too. */
void as_perf_leave_out(struct as_perf_track *t, struct as_perf_proc *proc);
/* In perf_sample.c: a SAMPLE of the thread in ROW, in the control group in row CGROUP. */
enum as_code as_perf_take_sample(struct as_perf_track *t, const struct as_perf_rec *rec,
	uint32_t row, uint32_t cgroup) AS_NODISCARD;
/* REC is a sample of a thread in ROW that is to leave its processor. */
enum as_code as_perf_take_leave(struct as_perf_track *t, const struct as_perf_rec *rec,
	uint32_t row, uint32_t cgroup) AS_NODISCARD;
/* The part of the thread in ROW while it is in STATE. */
enum as_code as_perf_state_part(struct as_perf_track *t, uint32_t row, enum as_off_state state,
	uint32_t *part) AS_NODISCARD;
/* In perf_maps.c. NEW takes the place of whatever it overlaps. */
enum as_code as_perf_map_add(struct as_perf_track *t, struct as_perf_proc *proc,
	const struct as_perf_range *range, struct as_slice id) AS_NODISCARD;
static inline const struct as_perf_mapping *as_perf_map_find(
	const struct as_perf_proc *proc, uint64_t addr)
{
	return as_perf_space_find(&proc->map, addr);
}
/* Likewise; it may well be NEAR, unless that is NULL. */
static inline const struct as_perf_mapping *as_perf_map_near(
	const struct as_perf_proc *proc, const struct as_perf_mapping *near, uint64_t addr)
{
	if (near && addr >= near->range.start && addr < near->range.limit)
		return near;
	return as_perf_map_find(proc, addr);
}
/* All of PROC's, into the profile's list. */
enum as_code as_perf_map_list(struct as_perf_track *t, struct as_perf_proc *proc) AS_NODISCARD;
/* The profile's object for the image in ROW. */
enum as_code as_perf_image_object(struct as_perf_track *t, uint32_t row, as_object *out)
	AS_NODISCARD;

#endif
