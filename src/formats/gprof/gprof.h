/* SPDX-License-Identifier: Apache-2.0 */
/* Text that gprof prints: what its files share. docs/formats/gprof.md. */
#ifndef AS_FORMATS_GPROF_H
#define AS_FORMATS_GPROF_H

#include "formats/format.h"

/* ---- gprof_line.c: lines of its two tables (§2, §3) ---- */

enum gt_table { GT_NONE, GT_FLAT, GT_GRAPH };

/* The table that LINE, the last one of its head, begins. */
enum gt_table as_gt_head(struct as_slice line);

/* A function as a line names it: "f <cycle 1> [5]", "f (a.c:12 @ 401136) [3]". */
struct gt_name {
	struct as_slice name, file;
	uint64_t line, addr;
	uint64_t index; /* in the call graph; 0 = the line does not say */
	bool cycle;     /* it is "<cycle 1 as a whole>" */
};

struct gt_row {
	struct gt_name who;
	int64_t self;        /* nanoseconds */
	int64_t percent;     /* of the time of all, times 10^9 */
	uint64_t calls;      /* without those by itself */
	bool primary, timed; /* of a graph: it begins with its index; it has times */
	bool spontaneous;    /* of a graph: nobody who was profiled called */
};

bool as_gt_flat(struct as_slice line, struct gt_row *row);
bool as_gt_graph(struct as_slice line, struct gt_row *row);
/* "0.01" seconds; more than nine digits behind the point are cut off. */
bool as_gt_seconds(struct as_slice text, int64_t *nanos);

/* ---- the reader ---- */

struct gt_func {
	as_func func;
	as_file file;
	uint64_t line, addr;
	uint64_t index;
};

struct gt_self {
	struct gt_func who;
	int64_t self;
	uint64_t calls;
};

struct gt_edge {
	struct gt_func from, to;
	uint64_t count;
};

struct as_gt {
	struct as_rd *rd;
	const struct as_alloc *al;
	enum gt_table in; /* that is read */
	bool begun;       /* it has rows */
	bool flat, graph; /* there was such a table */
	bool index;       /* and what ends the text behind the graph */
	bool open;        /* a line of a function's entry in the graph was read */
	bool skip;        /* the entry is of a circle as a whole */
	bool has_current;
	struct gt_func current;         /* whose entry it is */
	AS_VEC(struct gt_edge) above;   /* its callers, until it is known */
	AS_VEC(struct gt_self) self[2]; /* of the flat profile; of the call graph */
	AS_VEC(struct gt_edge) edge;
	struct as_index edges;
	int64_t each;   /* nanoseconds of a sample; 0 = unknown */
	as_val percent; /* those of the flat profile, added up */
	bool torn;      /* the last line of a table, and of the text, has no end */
	uint64_t n_assumed, n_differ;
};

enum as_code as_gt_read(struct as_rd *rd) AS_NODISCARD;
/* gprof_put.c: all has been read. */
enum as_code as_gt_put(struct as_gt *gt) AS_NODISCARD;
/* A call, seen from the callee or from the caller: the second time it is the same. */
enum as_code as_gt_edge(struct as_gt *gt, const struct gt_edge *e) AS_NODISCARD;

#endif
