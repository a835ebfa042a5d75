/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which part of a call graph is drawn: the functions that cost enough, are near enough to where
 * the calls begin, and the calls between them. Exact: figures are those of the table. What is left
 * out is counted, and its self cost summed, so that both add up to the total.
 */
#ifndef AS_TABLE_CALLGRAPH_H
#define AS_TABLE_CALLGRAPH_H

#include "table/recursion.h"

struct as_callgraph_opts {
	uint32_t event;
	/* Functions that cost less with all they call, either sign, are left out; calls that cost
	 * less than a fifth of it, unless no other drawn call leads to the function. A function of
	 * a cycle costs at least what comes into it from outside the cycle. */
	as_val min;
	uint32_t depth;     /* functions at most so many calls from where paths begin; 0 = all */
	uint64_t limit;     /* functions; 0 = all */
	bool keep_contexts; /* as the table was made */
	bool no_cycles;     /* cycles are not looked for */
};

struct as_callgraph {
	const struct as_alloc *al;
	const struct as_table *table; /* borrowed */
	uint32_t event;
	AS_VEC(uint32_t) node;   /* rows of the table, the most expensive first */
	AS_VEC(uint32_t) edge;   /* numbers of table->edge, the most expensive first */
	uint32_t *place;         /* of each row of the table: its place in NODE + 1; 0 = left out */
	uint32_t *comp;          /* of each row: its cycle of several in CYCLES + 1; 0 = none */
	struct as_cycles cycles; /* all there are */
	as_val *rest;            /* n_events values: self cost of what is left out */
	uint64_t more_nodes, more_edges; /* left out; edges that are none of a node left out */
};

/* TABLE is by function, with edges. Errors: AS_E_NOMEM. Always ends in as_callgraph_release(). */
enum as_code as_callgraph_make(struct as_callgraph *g, const struct as_table *table,
	const struct as_callgraph_opts *opts, struct as_err *err) AS_NODISCARD;
void as_callgraph_release(struct as_callgraph *g);

/* The calls of an edge are part of a recursion: of a function by itself, or inside a cycle. What
 * they cost is counted by the calls around them already. */
static inline bool as_callgraph_is_inner(const struct as_callgraph *g, const struct as_edge *e)
{
	return e->from == e->to || (g->comp[e->from] && g->comp[e->from] == g->comp[e->to]);
}

#endif
