/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of events as JSON: what the driver's files share. docs/formats/traceevent.md. */
#ifndef AS_FORMATS_TRACEEVENT_H
#define AS_FORMATS_TRACEEVENT_H

#include "formats/json_in.h"
#include "formats/v8.h"

#define AS_TE_NONE UINT32_MAX

/* The texts of its ids are what tells it from others; a process has no TID. */
struct te_thread {
	struct as_slice pid, tid, name;
	uint32_t process;  /* row */
	uint32_t in_tally; /* AS_TE_NONE: not yet */
};

/* A call, or its beginning, or its end. Times are nanoseconds. */
struct te_event {
	int64_t time, duration;
	as_str name;
	uint32_t thread;
	char phase; /* 'B', 'E', 'X' */
	bool named, done;
};

/* A profile of V8 in the trace. */
struct te_profile {
	struct as_slice pid, id;
	uint32_t thread;
	bool has_start;
	int64_t start; /* microseconds */
};

/* A piece of one: the text of its args. */
struct te_chunk {
	struct as_slice text;
	uint64_t off; /* in the input */
	int64_t time;
	uint32_t profile;
};

/* A frame of the list that samples of their own name. */
struct te_frame {
	struct as_slice id;
	as_str name;
	uint32_t parent; /* row; AS_TE_NONE: it has none */
	bool known, is_made;
	as_node made;
	uint32_t walk;
};

struct te_sample {
	int64_t time, weight;
	uint32_t thread, frame;
};

/* A marker, or one end of it. */
struct te_marker {
	int64_t time, end;
	as_str name;
	uint32_t thread;
	uint32_t key; /* what its other end has, too; AS_TE_NONE: it has none */
	char phase;   /* 'b', 'e'; 'n': it is a point in time */
};

/* Of both ends of markers. */
struct te_key {
	struct as_slice category, id;
	as_str name;
	uint32_t open; /* the last marker that has no end yet, from 1 */
};

struct te_odd {
	uint64_t end, nesting, open, overlap, time, duration, rounded, other, frame, weight;
};

struct as_te {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_arena escaped; /* of the event that is read */
	struct as_json_in in;
	struct as_tally tally;

	AS_VEC(struct te_thread) thread;
	AS_VEC(struct te_event) event;
	AS_VEC(struct te_profile) profile;
	AS_VEC(struct te_chunk) chunk;
	AS_VEC(struct te_frame) frame;
	AS_VEC(struct te_sample) sample;
	AS_VEC(struct te_marker) marker;
	AS_VEC(struct te_key) key;
	struct as_index threads, frames, keys;
	bool weights; /* one of the samples counts as more than 1 */
	bool unclosed, cut;
	uint64_t cut_at;
	struct te_odd odd;
	struct as_v8_odd v8;
};

/* traceevent_event.c: TEXT, an object at OFF of the input, is an event. */
enum as_code as_te_event(struct as_te *te, struct as_slice text, uint64_t off) AS_NODISCARD;
/* Find or add; TID is "" for a process. */
enum as_code as_te_thread(struct as_te *te, struct as_slice pid, struct as_slice tid, uint32_t *row)
	AS_NODISCARD;
/* The thread of the tally that ROW is. */
enum as_code as_te_in_tally(struct as_te *te, uint32_t row, uint32_t *thread) AS_NODISCARD;
/* A number or a text as it comes next, without quotes; "" for what else comes. */
struct as_slice as_te_id(struct as_pull *j);
/* The same as nanoseconds of microseconds; false: it is none. */
bool as_te_time(struct as_te *te, struct as_pull *j, int64_t *out);
/* A node below PARENT that is called NAME. */
enum as_code as_te_node(struct as_te *te, as_node parent, as_str name, as_node *out) AS_NODISCARD;

/* traceevent_call.c: calls of all threads are added to the tally. */
enum as_code as_te_calls(struct as_te *te) AS_NODISCARD;

/* traceevent_marker.c: what an event that is a marker says, and those of all threads are added. */
struct te_marker_event {
	struct as_slice pid, tid, category, id, name;
	int64_t time;
	char phase;
	bool has_time;
};
/* What of the letters of phases is of a marker: 'b', 'e' or 'n'; else 0. */
char as_te_marker_phase(char phase);
enum as_code as_te_marker(struct as_te *te, const struct te_marker_event *e) AS_NODISCARD;
enum as_code as_te_put_markers(struct as_te *te) AS_NODISCARD;

/* traceevent_sample.c: lists beside that of events, and what they add up to. */
enum as_code as_te_frames(struct as_te *te, struct as_pull *j) AS_NODISCARD;
enum as_code as_te_samples(struct as_te *te, struct as_pull *j) AS_NODISCARD;
enum as_code as_te_put_samples(struct as_te *te) AS_NODISCARD;

/* traceevent_v8.c: ARGS, at OFF of the input, are of the beginning of a profile of V8, or of a
 * piece of one. */
struct te_v8_event {
	struct as_slice pid, id, args;
	uint32_t thread;
	int64_t time;
	uint64_t off;
	bool begins;
};
enum as_code as_te_v8_event(struct as_te *te, const struct te_v8_event *e) AS_NODISCARD;
enum as_code as_te_put_v8(struct as_te *te) AS_NODISCARD;

/* traceevent_read.c */
enum as_code as_te_read(struct as_rd *rd) AS_NODISCARD;

#endif
