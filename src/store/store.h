/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The database of profiles: what a whole machine did, as files that every tool opens.
 *
 *	DB/HOST/EPOCH/START-SECONDS.pb.gz	stacks, with labels
 *	DB/HOST/EPOCH/START-SECONDS.dcpi/	addresses: a DCPI profile for each image and event,
 *						and the files "facts" and "images"; of
 *						several that became one each as gzip has it
 *
 * EPOCH is YYYYMMDDHHMM of its begin, with "-2" and so on where that is taken; epochs of a host
 * sort by name in the order in which they began, whatever the clock did. START is
 * 20261123T104500Z, SECONDS how long, both with a fraction if need be. Segments of an epoch
 * follow one another and do not overlap. A segment that another one of its kind covers has become
 * part of that one: who reads passes over it.
 *
 * Files come to be under a name that begins with a point, are synced and renamed: what stands
 * under a name is whole, and is never written again. Host only.
 */
#ifndef AS_STORE_STORE_H
#define AS_STORE_STORE_H

#include "base/alloc.h"
#include "base/err.h"
#include "model/profile.h"
#include "store/store_name.h"

/* One writer's hold on the folder of a host. */
struct as_store;

struct as_store_opts {
	const char *dir;  /* the database; made, with its parents, if it is not there */
	const char *host; /* NULL, "" or what is no name of a folder: "localhost" */
	int64_t now_ns;   /* wall clock, since 1970 */
	/* Closed epochs become one file when they ended so long ago, until then one an hour. */
	int64_t keep_hours_ns;
	/* Segments of stacks become one only as long as their files have no more bytes than that,
	 * so that it takes so much memory; flat ones sixteen times as many. 0: the usual. */
	uint64_t roll_bytes;
	/* What has become part of another segment goes at once, not a minute later: who has just
	 * looked what there is could miss it. For tests. */
	bool remove_at_once;
	/* Told what went on without it: a damaged segment that is left as it is. May be NULL. */
	void (*say)(void *ctx, const char *text);
	void *say_ctx;
};

enum { AS_STORE_EVENTS_MAX = 16, AS_STORE_EVENT_NAME = 40 };

/* Of one of several events. */
struct as_store_facts_of {
	char event[AS_STORE_EVENT_NAME];
	uint64_t counted, stored, unknown, lost; /* as below */
};

/* What a segment says of itself beside its samples; added up where segments become one. Of samples
 * of all CPUs: counted by the kernel = stored + lost; unknown are those of the stored that could
 * not be attributed. */
struct as_store_facts {
	uint64_t counted, stored, unknown, lost;
	uint64_t throttled;    /* times that the kernel held samples back */
	uint64_t stolen_ns;    /* time that the hypervisor took */
	uint64_t unwatched_ns; /* that processors ran before they were watched, at most */
	uint32_t n_of;         /* several events: samples of all of them, and of each */
	struct as_store_facts_of of[AS_STORE_EVENTS_MAX];
};
void as_store_facts_add(struct as_store_facts *to, const struct as_store_facts *from);
/* Those of a flat segment's FOLDER are added to FACTS; AS_E_IO, ENOENT: it has none. */
enum as_code as_store_facts_read(const struct as_alloc *al, const char *folder,
	struct as_store_facts *facts, struct as_err *err) AS_NODISCARD;
/* PROF with what FACTS say as lines of metadata, and when it was, if it does not say that. */
enum as_code as_store_facts_tell(const struct as_profile *prof, const struct as_store_span *span,
	const struct as_store_facts *facts, struct as_profile **out, struct as_err *err)
	AS_NODISCARD;

/*
 * Begins an epoch, whose folder is made with its first segment, and sweeps what a killed writer
 * has left under temporary names. AS_E_IO with err->sys_errno EWOULDBLOCK: another process writes
 * there; the message has its number.
 */
enum as_code as_store_open(const struct as_alloc *al, const struct as_store_opts *opts,
	struct as_store **out, struct as_err *err) AS_NODISCARD;
void as_store_close(struct as_store *st); /* NULL is fine */

/*
 * A segment, from BEGIN to END by the wall clock; durable when it returns. FLAT: a DCPI profile
 * for each image, else stacks, in which process, thread and its name are labels ("pid", "tid",
 * "comm"). FACTS may be NULL. Segments come in order: one that begins before the last one ended,
 * by more than a second, begins another epoch, as the clock was set back.
 *
 * On failure nothing has changed, and the next segment may be tried. A profile without samples is
 * a segment, too.
 */
enum as_code as_store_segment(struct as_store *st, const struct as_profile *prof, int64_t begin_ns,
	int64_t end_ns, bool flat, const struct as_store_facts *facts, struct as_err *err)
	AS_NODISCARD;

/* The next segment is the first of another epoch. */
enum as_code as_store_epoch(struct as_store *st, int64_t now_ns, struct as_err *err) AS_NODISCARD;
const char *as_store_epoch_name(const struct as_store *st);

/*
 * Segments of hours that are over become one for each hour, those of closed epochs one for each
 * epoch, or a few where that would be too large: exactly what merging them gives. What is damaged,
 * or cannot be added, stays as it is; that is said. It reads and writes much: a child process may
 * do it.
 */
enum as_code as_store_roll(struct as_store *st, int64_t now_ns, struct as_err *err) AS_NODISCARD;

/* Remove epochs that ended longer than MAX_AGE ago, then the oldest until all of the host take no
 * more than MAX_BYTES; 0: no such limit. Never the latest three that hold something, nor the open
 * one. */
enum as_code as_store_gc(struct as_store *st, int64_t now_ns, int64_t max_age_ns,
	uint64_t max_bytes, struct as_err *err) AS_NODISCARD;

/* ---- store_mark.c: segments that go elsewhere, one after the other ---- */

/* Those of earlier epochs went, and of this one those that end no later. */
struct as_store_mark {
	struct as_store_epoch_id epoch;
	int64_t end;
};

/* The mark in the host's file NAME; not THERE: it has none. */
enum as_code as_store_mark_read(const struct as_store *st, const char *name,
	struct as_store_mark *mark, bool *there, struct as_err *err) AS_NODISCARD;
/* Durable when it returns. */
enum as_code as_store_mark_write(const struct as_store *st, const char *name,
	const struct as_store_mark *mark, struct as_err *err) AS_NODISCARD;
/* The PATH, of PATH_MAX bytes, of the host's file NAME. */
enum as_code as_store_file(
	const struct as_store *st, const char *name, char *path, struct as_err *err) AS_NODISCARD;
/* From now on what is behind MARK is neither rolled up nor removed. */
void as_store_hold(struct as_store *st, const struct as_store_mark *mark);

/* What is behind a mark. */
struct as_store_spool {
	uint64_t n;                /* segments; of the first of them, if there is one: */
	int64_t begin;             /* when it begins, */
	char path[4096];           /* where it is, and */
	struct as_store_mark next; /* the mark when it went */
	uint64_t across; /* segments that the mark is amid: they were rolled up without it */
};
enum as_code as_store_spool(const struct as_store *st, const struct as_store_mark *mark,
	struct as_store_spool *spool, struct as_err *err) AS_NODISCARD;

#endif
