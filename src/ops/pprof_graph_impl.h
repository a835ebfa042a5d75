/* SPDX-License-Identifier: Apache-2.0 */
/* How pprof's graph is made: what its parts share. */
#ifndef AS_OPS_PPROF_GRAPH_IMPL_H
#define AS_OPS_PPROF_GRAPH_IMPL_H

#include "base/index.h"
#include "ops/pprof_graph.h"

#define AS_PG_NONE UINT32_MAX

struct as_pg_maker {
	struct as_pg *pg;
	const struct as_profile *prof;
	const struct as_pg_opts *opts;
	AS_VEC(struct as_pg_node) all; /* nodes, also those that are dropped */
	AS_VEC(struct as_slice) name;  /* of each of them, as it is printed */
	struct as_index nodes, edges, funcs, tagged;
	struct as_slice *file; /* of each of the profile, cleaned; p == NULL: not asked for yet */
	uint32_t *of_place;    /* row + 1 in ALL; in a tree in KEY */
	uint8_t *keep;         /* of each of ALL */
	uint64_t *seen;        /* of each of ALL: the last sample that it was in, + 1 */
	AS_VEC(uint64_t) seen_edge;
	AS_VEC(uint32_t) path;  /* places of a sample, the leaf first */
	AS_VEC(uint32_t) order; /* the kept ones of ALL */
	const as_val *score;    /* of each of ALL: what they are ordered by; NULL: by cost */
};

static inline as_val as_pg_absolute(as_val v)
{
	return v < 0 ? -v : v;
}

/* ---- nodes: pprof_graph_nodes.c ---- */
/* Find which node each place of a sample is, and the total. False if out of memory. */
AS_NODISCARD bool as_pg_find_nodes(struct as_pg_maker *mk);
as_val as_pg_value(const struct as_pg_maker *mk, size_t sample);
/* What the value is to be divided by; 0 if figures are no means. */
static inline as_val as_pg_div(const struct as_pg_maker *mk, size_t sample)
{
	const struct as_profile *prof = mk->prof;
	uint32_t first = as_event_in_column(prof, 0);

	return mk->opts->mean ? prof->sample.cost.p[sample * prof->event.n + first] : 0;
}
/* Whether a node of these sums is one. */
static inline bool as_pg_is_node(const struct as_pg_maker *mk, as_val flat, as_val cum)
{
	return (flat || cum) && !(mk->opts->drop_negative && (flat < 0 || (!flat && cum < 0)));
}
/* Whether PLACE is no frame of its own. */
static inline bool as_pg_skips(const struct as_pg_maker *mk, uint32_t place)
{
	return mk->opts->no_inlines && mk->prof->place.inlined.p[place];
}
/* The cutoffs, by what all nodes have together. */
void as_pg_set_cutoffs(struct as_pg_maker *mk, as_val flat);

/* ---- trees: pprof_graph_tree.c ---- */
/* mk->all are the nodes that are, mk->pg->edge what leads to them: those of a tree, parents before
 * their children. Light nodes are dropped already. */
AS_NODISCARD bool as_pg_build_tree(struct as_pg_maker *mk);
/* Leave out what mk->keep has not; children go to what is above. */
AS_NODISCARD bool as_pg_trim_tree(struct as_pg_maker *mk);

/* ---- edges: pprof_graph_edges.c ---- */
/* Drop light ones, and those of nodes that are none; how many were light. */
size_t as_pg_drop_edges(struct as_pg_maker *mk);
/* Renumber their ends by FRESH, and give each of pg->node its own in order. OLD is the other way
 * round. */
AS_NODISCARD bool as_pg_finish_edges(
	struct as_pg_maker *mk, const uint32_t *old, const uint32_t *fresh);
/* ---- tags: pprof_graph_tags.c ---- */
/* Add what a sample of PART costs at what->node to each of its tags. */
AS_NODISCARD bool as_pg_add_tags(
	struct as_pg_maker *mk, uint32_t part, const struct as_pg_tagged *what);
void as_pg_forget_tags(struct as_pg_maker *mk);
void as_pg_drop_tags(struct as_pg_maker *mk); /* light ones */
/* MOST nodes and tags may be drawn: it becomes how many nodes, of those in ORDER. */
AS_NODISCARD bool as_pg_room_with_tags(
	struct as_pg_maker *mk, const uint32_t *order, size_t n, size_t *most);
AS_NODISCARD bool as_pg_finish_tags(struct as_pg_maker *mk, const uint32_t *fresh);

/* ---- pictures: pprof_graph_drawn.c ---- */
/* SCORE gets what mk->all are ordered by. */
AS_NODISCARD bool as_pg_score(struct as_pg_maker *mk, as_val *score);
/* Take edges out of the finished lists of the nodes where there is another way. */
AS_NODISCARD bool as_pg_drop_redundant(struct as_pg_maker *mk);

int as_pg_cmp_val(as_val a, as_val b); /* the larger first, whatever its sign */

#endif
