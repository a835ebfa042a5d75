/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files of Linux perf. docs/formats/perfdata.md.
 *
 *	perfdata_head	header, events, features
 *	perfdata_attr	an event: how it was opened, and what it is called
 *	perfdata_scan	the first pass: which blocks of records there are, and their times
 *	perfdata_merge	the second: records in the order of time
 *	perfdata_tasks	processes, threads and what they have mapped
 *	perfdata_place	addresses to places
 *	perfdata_stack	samples to stacks of places
 *	perfdata_copy	copies of stacks to the callers in them
 *	perfdata_made	names of code that was made at run time
 *	perfdata_paths	stacks to the tree of paths
 *	perfdata_switch	when threads did not run
 *	perfdata_told	what was lost, and what else the file says of the run
 */
#ifndef AS_FORMATS_PERFDATA_PERFDATA_H
#define AS_FORMATS_PERFDATA_PERFDATA_H

#include "formats/format.h"
#include "formats/perfdata/perfdata_abi.h"
#include "perf/perf_made.h"
#include "perf/perf_off.h"
#include "perf/perf_parse.h"
#include "perf/perf_stack.h"

enum {
	PD_PIPE_HEAD = 16, /* bytes of a header without anything behind it */
	PD_HEAD = 104,
	PD_ATTR_LEAST = 64,
	PD_BLOCK = 128 << 10,
	PD_STEPS_MAX = 32 << 20,
};

#define PD_NONE UINT32_MAX

/* What samples of an event say of threads that do not run. */
enum pd_role {
	PD_COUNTS,   /* nothing */
	PD_LEAVES,   /* context-switches: where the thread is to leave */
	PD_SWITCHES, /* sched:sched_switch: who follows whom on a processor */
	PD_WAKES,    /* sched:sched_wakeup */
	PD_OFF,      /* perf's own: a stretch that has ended */
};

struct pd_event {
	struct as_perf_layout layout;
	unsigned time_at, time_to_end; /* bytes in front of a sample's time; from others' on */
	uint32_t type;
	uint64_t config, flags;
	uint64_t period; /* 0: the kernel chose it */
	struct as_slice name;
	enum pd_role role;
	bool clock;      /* its periods are nanoseconds */
	bool is_member;  /* of a group whose leader alone has samples */
	uint32_t weight; /* its columns; PD_NONE: there is none */
	uint32_t samples;
	uint64_t n_samples;                  /* in the file */
	uint64_t throttled_ns, throttled_at; /* 0: it samples */
};

/* An event on a processor or of a thread. */
struct pd_id {
	uint64_t id, last; /* its count at its last sample */
	uint32_t event;
};

struct pd_build_id {
	struct as_slice path, id; /* in hex */
	bool kernel;
};

/* Records that stand one after the other. */
struct pd_block {
	const char *mem; /* NULL: in the file */
	struct as_src *src;
	uint64_t off;         /* there, or how they are told */
	uint32_t len, n;      /* bytes; records of the kernel's */
	bool has;             /* records with times */
	uint64_t before;      /* the time of the record in front of them */
	uint64_t first, last; /* the earliest and the latest time */
};

enum { PD_TRUNCATED = AS_PERF_MODES };

/* What code belongs to. */
enum pd_kind { PD_FILE, PD_KERNEL, PD_SYMBOL };

struct pd_image {
	struct as_slice path, id;
	enum pd_kind kind;
	struct as_slice name; /* of a PD_SYMBOL, which is one function */
	as_object object;     /* 0: none yet */
	bool offsets;         /* places in it are offsets in the file */
};

struct pd_proc {
	uint32_t pid;
	uint32_t image; /* which program, of all that were executed */
	uint32_t part;  /* the first of the program's; PD_NONE */
	uint32_t kernel_part;
	uint32_t version; /* of SPACE, of all there were */
	bool listed;      /* all mappings are in the profile's */
	bool started;     /* its name is that of its program */
	struct as_slice name;
	struct as_perf_space space;
	struct as_unwind *unwind;                   /* NULL: no copy of a stack yet */
	uint32_t known;                             /* the version of SPACE that it knows */
	bool replaced;                              /* what it knows of is not mapped any more */
	uint32_t made_dump, made_map, made_version; /* names of code that it makes; 0: none */
	uint32_t made_by; /* the process that it was forked from; 0: none */
	bool asked_map;
};

struct pd_thread {
	uint32_t tid, proc;
	uint32_t part, image, cgroup; /* of the last sample */
	struct as_slice name;
};

struct pd_part {
	uint32_t pid, image, tid, cgroup;
	enum as_off_state state;
	struct as_slice name; /* of the thread */
};

struct pd_cgroup {
	uint64_t id;
	struct as_slice path;
};

/* Samples of one path, of one part and event. */
struct pd_sum {
	uint32_t path, part, event;
	uint64_t n;
	as_uval weight;
};

/* A path: N places, of which the first is in row FIRST. */
struct pd_path {
	uint32_t first, n;
	as_node node; /* 0: none yet */
};

struct pd_frame {
	uint64_t pc;
	uint8_t mode; /* enum as_perf_mode; PD_TRUNCATED: frames that are missing */
};

/* 4 GB of IMAGE, from BASE on. A spot is a window's row, and how far behind its beginning. */
struct pd_window {
	uint64_t base;
	uint32_t image;
};

/* The place of the profile that is at SPOT. */
struct pd_known {
	uint64_t spot; /* 0: nothing */
	as_place place;
};

struct pd_tally {
	uint64_t lost, lost_samples, throttled, bad, unknown_types, unknown_events, aux_bytes;
	uint64_t no_weight, cut, copied, deferred, strangers, times_off, first_bad;
	uint64_t unwound, short_copies, broken; /* copies of stacks */
	bool made_untimed;                      /* code was replaced, and nobody knows when */
};

struct as_pd {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_slice whole; /* of the file; p is NULL if it is read by position */
	uint64_t size;
	uint64_t budget; /* what the header may have read: its sections do not overlap */
	/* the header */
	bool swap, pipe, killed, cut;
	unsigned version;
	uint64_t data_off, data_end;
	/* events */
	AS_VEC(struct pd_event) event;
	AS_VEC(struct pd_id) id;
	struct as_index ids;
	uint32_t last_id;              /* row of ID that was looked for last; PD_NONE */
	uint64_t id_field;             /* where samples say which event they are of; 0: nowhere */
	unsigned id_before, id_to_end; /* in words */
	bool alike;                    /* all events have their times at the same place */
	AS_VEC(struct pd_build_id) build_id;
	bool counts_lost; /* the kernel says how many samples of each event are missing */
	/* what else is said */
	struct as_slice host, release, perf, arch, cpu, command, creator;
	uint32_t cpus;
	bool has_clock;
	uint64_t wall_ns, clock_ns; /* of one moment */
	/* records */
	AS_VEC(struct pd_block) block;
	uint64_t last_time;
	bool unpack_failed;
	void *stream;       /* of zstd, of the file that is read; or NULL */
	AS_VEC(char) chunk; /* what came out of it: the last record need not be whole */
	bool fresh;         /* the next record begins a block */
	/* who runs what */
	AS_VEC(struct pd_proc) proc;
	AS_VEC(struct pd_thread) thread;
	AS_VEC(struct pd_part) part;
	AS_VEC(struct pd_image) image;
	AS_VEC(struct pd_cgroup) cgroup; /* row 0: none */
	struct as_index procs, threads, parts, images, windows;
	struct as_perf_space kernel;
	uint64_t kernel_start; /* where it was loaded; 0: nobody says */
	uint32_t kernel_version, n_versions, n_images;
	uint32_t last_thread; /* row that was looked for last */
	/* paths */
	struct pd_made *made; /* a table of those that were looked for last, */
	struct pd_near *near; /* and of mappings */
	AS_VEC(struct pd_window) window;
	struct pd_known *known; /* by the hash's bits from KNOWN_SHIFT on; at least half are free */
	unsigned known_shift;
	uint32_t n_known;
	uint32_t kernel_image; /* row, of code of the kernel that nobody has mapped; PD_NONE */
	as_place unknown, truncated;
	as_object kernel_object;
	AS_VEC(struct pd_frame) frame; /* of the last stack, the innermost first */
	AS_VEC(uint64_t) spot;         /* of each, likewise */
	AS_VEC(as_place) place;        /* the outermost first */
	struct as_stacks *stacks;      /* what becomes of them; NULL: paths and their sums */
	AS_VEC(struct pd_sum) sum;
	struct as_index sums, paths;
	AS_VEC(struct pd_path) path;
	AS_VEC(uint32_t) step;    /* places of paths, the outermost first, and 0 behind each */
	size_t steps_max;         /* of them: then those that there are become nodes */
	AS_VEC(as_node) node;     /* of the path that was last in the tree */
	size_t n_settled;         /* paths that have nodes */
	bool looked_up;           /* some node was found by as_build_push() */
	bool other_clock;         /* than the one that run-times tell times by */
	uint64_t now;             /* by that, of the sample; UINT64_MAX: not known */
	struct as_frames *frames; /* of a copy of a stack; NULL: there was none yet */
	struct pd_tally tally;
	/* threads that do not run */
	struct as_off off;
	struct pd_fields fields;
	uint64_t formats_off, formats_size; /* how the file describes tracepoints */
	uint64_t n_switches;                /* records of them */
	uint32_t off_event;                 /* row of EVENT; PD_NONE: nothing tells of them */
	uint32_t off_unknown; /* the path of which nothing is known; PD_NONE: not asked for */
	bool off_sampled;     /* some of the scheduler's events only: not of use */
	bool has_time;
	uint64_t first_time, end_time; /* of samples */
};

/* ---- perfdata_head.c ---- */
enum as_code as_pd_read_head(struct as_pd *pd) AS_NODISCARD;
/* N bytes at OFF of the file, fewer at its end; in memory that stays. */
enum as_code as_pd_bytes(struct as_pd *pd, uint64_t off, uint64_t n, struct as_slice *out)
	AS_NODISCARD;
enum as_code as_pd_feature(struct as_pd *pd, uint64_t feature, struct as_slice s) AS_NODISCARD;
enum as_code as_pd_build_id(struct as_pd *pd, struct as_slice record) AS_NODISCARD;

/* ---- perfdata_attr.c ---- */
static inline uint32_t pd_u32(const struct as_pd *pd, const char *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return pd->swap ? __builtin_bswap32(v) : v;
}

static inline uint64_t pd_u64(const struct as_pd *pd, const char *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return pd->swap ? __builtin_bswap64(v) : v;
}

static inline uint16_t pd_u16(const struct as_pd *pd, const char *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return pd->swap ? __builtin_bswap16(v) : v;
}

static inline bool pd_flag(const struct pd_event *ev, unsigned bit)
{
	return ev->flags >> bit & 1;
}

enum as_code as_pd_add_event(struct as_pd *pd, struct as_slice attr, struct as_slice ids)
	AS_NODISCARD;
enum as_code as_pd_add_ids(struct as_pd *pd, uint32_t event, struct as_slice ids) AS_NODISCARD;
/* Row of ID; PD_NONE: it is not known. */
uint32_t as_pd_find_id(struct as_pd *pd, uint64_t id);
/* NAME, which is not the file's, for the event in row EVENT. */
enum as_code as_pd_name_event(struct as_pd *pd, uint32_t event, struct as_slice name) AS_NODISCARD;
/* Of old files: that of all events of CONFIG. */
enum as_code as_pd_name_config(struct as_pd *pd, struct as_slice row) AS_NODISCARD;
/* No more events come: which fields they have alike, and their columns in the profile. */
void as_pd_settle_events(struct as_pd *pd);
enum as_code as_pd_add_columns(struct as_pd *pd) AS_NODISCARD;

/* ---- perfdata_scan.c ---- */
enum as_code as_pd_scan(struct as_pd *pd) AS_NODISCARD;
/* The event of RECORD; the first one, and not KNOWN, if nobody can tell. */
uint32_t as_pd_event_of(struct as_pd *pd, struct as_slice record, uint32_t type, bool *known);
/* When it was written; false: it does not say. */
bool as_pd_time_of(struct as_pd *pd, struct as_slice record, uint32_t type, uint64_t *time);

/* ---- perfdata_merge.c ---- */
enum as_code as_pd_merge(struct as_pd *pd) AS_NODISCARD;

/* ---- perfdata_take.c ---- */
/* RECORD, which is at OFF, and not earlier than those before. */
enum as_code as_pd_take(struct as_pd *pd, struct as_slice record, uint64_t off) AS_NODISCARD;

/* ---- perfdata_tasks.c ---- */
enum as_code as_pd_tasks_init(struct as_pd *pd) AS_NODISCARD;
enum as_code as_pd_need_thread(struct as_pd *pd, uint32_t pid, uint32_t tid, uint32_t *row)
	AS_NODISCARD;
enum as_code as_pd_take_comm(struct as_pd *pd, const struct as_perf_rec *rec, bool exec)
	AS_NODISCARD;
enum as_code as_pd_take_fork(struct as_pd *pd, const struct as_perf_rec *rec) AS_NODISCARD;
enum as_code as_pd_take_cgroup(struct as_pd *pd, const struct as_perf_rec *rec) AS_NODISCARD;
uint32_t as_pd_find_cgroup(const struct as_pd *pd, uint64_t id);
/* The part of the thread in ROW, of CGROUP, into that row. */
enum as_code as_pd_set_part(struct as_pd *pd, uint32_t row, uint32_t cgroup) AS_NODISCARD;
/* Its part while it is in STATE. */
enum as_code as_pd_state_part(
	struct as_pd *pd, uint32_t row, enum as_off_state state, uint32_t *part) AS_NODISCARD;

/* ---- perfdata_place.c ---- */
enum as_code as_pd_take_mmap(struct as_pd *pd, const struct as_perf_rec *rec) AS_NODISCARD;
enum as_code as_pd_take_ksymbol(struct as_pd *pd, const struct as_perf_rec *rec) AS_NODISCARD;
/* The places of the frames; of several in a row that nobody knows one. */
enum as_code as_pd_places(struct as_pd *pd, struct pd_proc *proc) AS_NODISCARD;
/* The mappings of PROC, into the profile's list. */
enum as_code as_pd_list(struct as_pd *pd, struct pd_proc *proc) AS_NODISCARD;

/* ---- perfdata_stack.c ---- */
enum as_code as_pd_take_sample(struct as_pd *pd, uint32_t event, const struct as_perf_rec *rec)
	AS_NODISCARD;
/* LENGTH nanoseconds of PATH from SINCE on, or, where that is not known, at any time, in which a
 * thread did not run. */
enum as_code as_pd_add_off(struct as_pd *pd, uint32_t path, uint32_t part, const uint64_t *since,
	uint64_t length) AS_NODISCARD;
/* The path of one frame of which nothing is known. */
enum as_code as_pd_unknown_path(struct as_pd *pd, struct pd_proc *proc, uint32_t *path)
	AS_NODISCARD;
/* All of them, to the profile. */
enum as_code as_pd_emit(struct as_pd *pd) AS_NODISCARD;

/* ---- perfdata_switch.c ---- */
/* What samples of EV tell, and whether anything here tells when threads do not run: then that is an
 * event, behind the others. */
enum pd_role as_pd_role(const struct pd_event *ev);
enum as_code as_pd_off_column(struct as_pd *pd) AS_NODISCARD;
enum as_code as_pd_take_switch(struct as_pd *pd, const struct as_perf_rec *rec) AS_NODISCARD;
/* REC, of a thread in row THREAD, at PATH. */
enum as_code as_pd_off_sample(struct as_pd *pd, uint32_t event, const struct as_perf_rec *rec,
	uint32_t thread, uint32_t path) AS_NODISCARD;
enum as_code as_pd_off_end(struct as_pd *pd, uint32_t tid, bool again) AS_NODISCARD;

/* ---- perfdata_paths.c ---- */
/* The row of the path of PLACE; of stacks there are none. Its node, for whoever cannot wait. */
enum as_code as_pd_need_path(struct as_pd *pd, uint32_t *row) AS_NODISCARD;
enum as_code as_pd_need_node(struct as_pd *pd, uint32_t path) AS_NODISCARD;
/* No more paths come: all of them have nodes then. */
enum as_code as_pd_grow_tree(struct as_pd *pd) AS_NODISCARD;

/* ---- perfdata_copy.c ---- */
/* The user's part of the path of REC, into FRAMES, unless it has no copy, or nobody here can unwind
 * it: then it is not DONE. */
enum as_code as_pd_unwind(struct as_pd *pd, uint32_t event, struct pd_proc *proc,
	const struct as_perf_rec *rec, bool *done) AS_NODISCARD;
void as_pd_unwind_end(struct as_pd *pd);

/* ---- perfdata_made.c ---- */
/* PROC has PATH mapped, which may tell of code that it makes. */
enum as_code as_pd_made_mapped(struct as_pd *pd, struct pd_proc *proc, struct as_slice path)
	AS_NODISCARD;
/* It is the time of REC: code that was replaced since has a version of its own. */
void as_pd_made_turn(struct as_pd *pd, struct pd_proc *proc, const struct as_perf_rec *rec);
/* Whether PROC has memory with code that is in no file. */
bool as_pd_made_is_in(const struct pd_proc *proc);
/* What is at PC, where no file is; an empty name: nobody knows. */
enum as_code as_pd_made_find(struct as_pd *pd, struct pd_proc *proc, uint64_t pc,
	struct as_made_code *code) AS_NODISCARD;

/* ---- perfdata_told.c ---- */
enum as_code as_pd_tell(struct as_pd *pd) AS_NODISCARD;

enum as_code as_pd_read(struct as_rd *rd) AS_NODISCARD;

#endif
