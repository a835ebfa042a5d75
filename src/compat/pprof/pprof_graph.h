/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The graph that pprof makes of call paths, by its rules, for --compat=pprof: which frames are one
 * node, what is dropped, how values are counted. docs/compat.md has the rules.
 */
#ifndef AS_COMPAT_PPROF_PPROF_GRAPH_H
#define AS_COMPAT_PPROF_PPROF_GRAPH_H

#include "base/err.h"
#include "base/pool.h"
#include "model/profile.h"

enum as_pg_by { AS_PG_FUNCS, AS_PG_FILEFUNCS, AS_PG_FILES, AS_PG_LINES, AS_PG_ADDRS };

struct as_pg_opts {
	enum as_pg_by by;
	bool no_inlines; /* a location is its outermost function */
	uint32_t event;  /* column */
	uint64_t each;   /* a count of it stands for so much of the unit that is shown */
	double node_fraction, edge_fraction; /* what is less of the total is dropped; 0: nothing */
	uint64_t node_count;                 /* nodes at the most; 0: any number */
	bool by_cum;                         /* order, also for which nodes are kept */
};

struct as_pg_node {
	struct as_slice name, file, object; /* "" where they do not tell nodes apart; borrowed */
	uint64_t line, addr;
	uint64_t start;                /* where its function starts in FILE, if it has no name */
	uint32_t func;                 /* nodes that are of one function have the same */
	as_val flat, cum;              /* if they are means: so much each time */
	uint32_t in, n_in, out, n_out; /* in pg->in and pg->out: numbers of edges, heaviest first */
};

struct as_pg_edge {
	uint32_t src, dst;
	as_val weight;
	bool residual; /* what was between the two was dropped */
	bool inlined;  /* DST is inlined in SRC */
};

struct as_pg {
	struct as_pool pool;            /* of all of it */
	const struct as_alloc *al;      /* the pool's */
	struct as_arena arena;          /* texts */
	AS_VEC(struct as_pg_node) node; /* in order */
	AS_VEC(struct as_pg_node)
	gone;                           /* those that cancel out, if edges lead there; numbered
					   behind the others */
	AS_VEC(struct as_pg_edge) edge; /* those that IN and OUT have */
	AS_VEC(uint32_t) in, out;
	as_val total; /* of all samples, negative ones counted as if they were positive */
	as_val node_cutoff, edge_cutoff;
	size_t n_before; /* nodes before only the first were kept */
	size_t dropped_nodes, dropped_edges;
};

/* An empty one; it may not move. */
void as_pg_init(struct as_pg *pg, const struct as_alloc *al);
/* PROF has paths. Errors: AS_E_NOMEM. PG ends in as_pg_release(), also on failure. */
enum as_code as_pg_make(struct as_pg *pg, const struct as_profile *prof,
	const struct as_pg_opts *opts, struct as_err *err) AS_NODISCARD;
void as_pg_release(struct as_pg *pg);

/* What PLACE is by opts->by, without figures; file.p == NULL: out of memory. Texts are PG's. FILE
 * has room for the names of all files, and p == NULL where none is known yet. */
struct as_pg_node as_pg_node_of(struct as_pg *pg, const struct as_profile *prof,
	const struct as_pg_opts *opts, struct as_slice *file, uint32_t place);

/* "main", "0000000000401136 main main.c:12", "[libc.so.6]"; p == NULL: out of memory. */
struct as_slice as_pg_name(struct as_arena *ar, const struct as_pg_node *node);

#endif
