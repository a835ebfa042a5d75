/* SPDX-License-Identifier: Apache-2.0 */
/* How pprof's graph is made: what its parts share. What they make goes with the graph. */
#ifndef AS_COMPAT_PPROF_PPROF_GRAPH_IMPL_H
#define AS_COMPAT_PPROF_PPROF_GRAPH_IMPL_H

#include "base/index.h"
#include "compat/pprof/pprof_graph.h"

#define AS_PG_NONE UINT32_MAX

struct as_pg_maker {
	struct as_pg *pg;
	const struct as_profile *prof;
	const struct as_pg_opts *opts;
	AS_VEC(struct as_pg_node) all; /* nodes, also those that are dropped */
	AS_VEC(struct as_slice) name;  /* of each of them, as it is printed */
	struct as_index nodes, edges, funcs;
	struct as_slice *file; /* of each of the profile, cleaned; p == NULL: not asked for yet */
	uint32_t *of_place;    /* row + 1 in ALL */
	uint8_t *keep;         /* of each of ALL */
	uint64_t *seen;        /* of each of ALL: the last sample that it was in, + 1 */
	AS_VEC(uint64_t) seen_edge;
	AS_VEC(uint32_t) path;  /* places of a sample, the leaf first */
	AS_VEC(uint32_t) order; /* the kept ones of ALL */
};

static inline as_val as_pg_absolute(as_val v)
{
	return v < 0 ? -v : v;
}

/* ---- nodes: pprof_graph_nodes.c ---- */
/* Find which node each place of a sample is, and the total. False if out of memory. */
AS_NODISCARD bool as_pg_find_nodes(struct as_pg_maker *mk);
as_val as_pg_value(const struct as_pg_maker *mk, size_t sample);
/* Whether PLACE is no frame of its own. */
static inline bool as_pg_skips(const struct as_pg_maker *mk, uint32_t place)
{
	return mk->opts->no_inlines && mk->prof->place.inlined.p[place];
}
/* The cutoffs, by what all nodes have together. */
void as_pg_set_cutoffs(struct as_pg_maker *mk, as_val flat);

/* ---- edges: pprof_graph_edges.c ---- */
/* Drop light ones, and those of nodes that are none; how many were light. */
size_t as_pg_drop_edges(struct as_pg_maker *mk);
/* Renumber their ends by FRESH, and give each of pg->node its own in order. OLD is the other way
 * round. */
AS_NODISCARD bool as_pg_finish_edges(
	struct as_pg_maker *mk, const uint32_t *old, const uint32_t *fresh);
int as_pg_cmp_val(as_val a, as_val b); /* the larger first, whatever its sign */

#endif
