/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Samples of a file whose events and threads are known only when all of it has been read: they are
 * added up as they come, with when they happened, and are given to the builder at the end.
 *
 *	as_tally_init(&t, rd, al);
 *	as_tally_event(&t, as_slice_of("samples"), as_slice_of("count"), &samples);
 *	as_tally_thread(&t, &who, &thread);
 *	... as_build_push(rd->out, ...) makes NODE ...
 *	as_tally_add(&t, thread, samples, node, 1, &when);
 *	as_tally_put(&t);
 *
 * All of its memory is AL's, a pool of the reader that is released whole.
 */
#ifndef AS_FORMATS_TALLY_H
#define AS_FORMATS_TALLY_H

#include "formats/format.h"

#define AS_TALLY_NONE UINT32_MAX

struct as_tally_event {
	struct as_slice name, unit;
};

struct as_tally_thread {
	struct as_slice name; /* "" = unknown */
	struct as_slice
		process; /* its name; "" = as its first thread is called, if that is known */
	uint32_t pid, tid;
	bool has_pid, has_tid;
	bool several;      /* of its process, with one name: TID is the first one's */
	const char *state; /* a constant, the label AS_STATE; NULL: none */
	uint64_t number;   /* tells those apart of which nothing else is known; 0 = none */
};

/* When a sample was counted, in nanoseconds of the file's own clock. */
struct as_tally_when {
	int64_t time;
	uint64_t duration; /* 0 = a point in time */
};

struct as_tally_sum {
	uint32_t thread, event;
	as_node node;
	as_val value;
};

struct as_tally_moment {
	int64_t time, value;
	uint64_t duration;
	uint32_t sum;
};

struct as_tally {
	struct as_rd *rd;
	const struct as_alloc *al;
	const char *format; /* name of the driver, for the parts */
	struct as_arena arena;
	AS_VEC(struct as_tally_event) event;
	AS_VEC(struct as_tally_thread) thread; /* may be changed until the end */
	AS_VEC(struct as_tally_sum) sum;
	AS_VEC(struct as_tally_moment) moment;
	struct as_index threads, sums;
	bool has_time;
	int64_t first, last; /* the time that the moments span */
};

/* RD and AL outlive T; FORMAT is a constant. */
void as_tally_init(
	struct as_tally *t, struct as_rd *rd, const struct as_alloc *al, const char *format);

/* Find or add. An event is a column of the profile in the order in which they are added; names are
 * copied. AS_E_LIMIT if there are more of them than the limit that the caller set, or 2,048. */
enum as_code as_tally_event(struct as_tally *t, struct as_slice name, struct as_slice unit,
	uint32_t *event) AS_NODISCARD;
/* Find or add: two are one if all that is known of them is equal. Each becomes a part. Where nobody
 * asks for moments, threads of a process that have one name are one, too. */
enum as_code as_tally_thread(
	struct as_tally *t, const struct as_tally_thread *one, uint32_t *thread) AS_NODISCARD;

/* VALUE of EVENT at NODE; WHEN is NULL if that is not known. */
enum as_code as_tally_add(struct as_tally *t, uint32_t thread, uint32_t event, as_node node,
	as_val value, const struct as_tally_when *when) AS_NODISCARD;

/* A marker of THREAD, which is called NAME: AS_MARKERS becomes the last event. It is counted where
 * nobody asks for markers, and where WHEN is NULL. How long the profile is, samples say. */
enum as_code as_tally_marker(struct as_tally *t, uint32_t thread, struct as_slice name,
	const struct as_tally_when *when) AS_NODISCARD;

/* N moments, the first at FIRST, the last at LAST, of what was added without them: they are
 * counted where nobody asks for moments; else the caller gives them to the builder. */
void as_tally_span(struct as_tally *t, uint64_t n, int64_t first, int64_t last);

/*
 * All of it becomes events, parts, samples and moments of the profile, whose duration is from the
 * first moment to the end of the last. A part of thread I is FIRST + I, where FIRST is the number
 * of parts before. There is one part at the least.
 */
enum as_code as_tally_put(struct as_tally *t) AS_NODISCARD;

#endif
