/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of events: what its writer's files share. docs/formats/traceevent.md, "What we write". */
#ifndef AS_FORMATS_TRACEEVENT_WRITE_H
#define AS_FORMATS_TRACEEVENT_WRITE_H

#include "base/sort.h"
#include "formats/traceevent/traceevent.h"

struct te_write_thread {
	uint64_t pid, tid;
	struct as_slice name, process;
};

/* A call, or a stretch of time in the code of NODE. */
struct te_slice {
	int64_t start, end;
	as_node node;
	uint32_t thread;
	bool is_call, done;
};

/* One that has begun; MADE: the profile does not say that it is one call. */
struct te_slice_open {
	as_node node;
	int64_t end;
	bool made;
};

struct te_write {
	struct as_wr *wr;
	const struct as_profile *prof;
	const struct as_alloc *al;
	struct as_arena arena;
	uint32_t calls, time, samples, weight, markers; /* events; AS_TE_NONE */
	int64_t nanos;                                  /* of the unit of TIME */
	AS_VEC(struct te_write_thread) thread;
	uint32_t *of_part;     /* thread of each part */
	uint32_t *depth;       /* of each node */
	struct as_slice *name; /* of each function, as soon as it is asked for */
	AS_VEC(struct te_slice) slice;
	AS_VEC(struct te_slice_open) open;
	AS_VEC(as_node) path;
	const char *before; /* the next row of a list */
	as_val span;        /* time in what was written */
	as_val no_duration, no_stack;
	uint64_t n_changed, n_made, n_cut, n_repeated, n_markers_repeated, n_numbers, n_labels,
		n_merged;
};

void as_te_write_text(struct te_write *w, const char *key, struct as_slice s);
enum as_code as_te_write_func(struct te_write *w, const char *key, as_node node) AS_NODISCARD;
/* "KEY": TIME as microseconds. */
void as_te_write_time(struct te_write *w, const char *key, int64_t time);
/* The beginning of a row of THREAD. */
void as_te_write_row(struct te_write *w, const char *phase, uint32_t thread);

/* traceevent_write_slices.c */
enum as_code as_te_write_slices(struct te_write *w) AS_NODISCARD;
/* traceevent_write_markers.c */
enum as_code as_te_write_markers(struct te_write *w) AS_NODISCARD;
/* traceevent_write_threads.c */
enum as_code as_te_write_threads(struct te_write *w) AS_NODISCARD;

/* traceevent_write.c */
enum as_code as_te_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
