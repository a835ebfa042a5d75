/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A function between those that call it and those that it calls.
 *
 * Cost of a neighbour is what passes along the edge: for calls the inclusive cost of the calls,
 * for paths that of the paths in which the one stands directly above the other, each counted
 * once (pprof's rule). So, where nothing is recursive,
 *	callers + entry	      = inclusive cost
 *	self cost + callees   = inclusive cost
 * Under recursion a path may pass along several edges, and the edges add up to more; an edge
 * that is part of the recursion itself is marked INNER.
 */
#ifndef AS_TABLE_NEIGHBOURS_H
#define AS_TABLE_NEIGHBOURS_H

#include "table/project.h"

struct as_neighbour {
	uint32_t row;       /* of the table */
	bool inner;         /* the function itself, or of its cycle */
	const as_val *cost; /* n_events values */
	as_val count;       /* calls; 0 where they are not counted */
};

struct as_neighbours {
	const struct as_alloc *al;
	const struct as_table *table; /* borrowed */
	uint32_t row;
	AS_VEC(struct as_neighbour) caller; /* most expensive first */
	AS_VEC(struct as_neighbour) callee;
	/* What nobody calls: paths that begin here, parts in which it is not called. n_events
	 * values, meaningful if has_entry. */
	as_val *entry;
	bool has_entry;
	bool known; /* the evidence tells callers and callees: not of places */
};

struct as_neighbours_opts {
	uint32_t row;
	uint32_t event;     /* neighbours are sorted by it */
	bool keep_contexts; /* as the table was made */
};

/* TABLE has edges and is by function. Always ends in as_neighbours_release(). */
enum as_code as_neighbours_make(struct as_neighbours *nb, const struct as_table *table,
	const struct as_neighbours_opts *opts, struct as_err *err) AS_NODISCARD;
void as_neighbours_release(struct as_neighbours *nb);

#endif
