/* SPDX-License-Identifier: Apache-2.0 */
/* Who calls whom, as numbers only. */
#ifndef AS_CHANGE_KIT_GRAPH_H
#define AS_CHANGE_KIT_GRAPH_H

#include "base/alloc.h"

/* Pairs of rows as they are noted, in any order and also several times. Those that follow one
 * another from one row are a group. */
struct as_pairs {
	AS_VEC(struct as_pair_group) group;
	AS_VEC(uint32_t) to;
};

struct as_pair_group {
	uint32_t from;
	uint32_t end; /* of its part of to */
};

/* False if out of memory, or there are 2^32. */
static inline bool as_pairs_add(
	const struct as_alloc *al, struct as_pairs *pairs, uint32_t from, uint32_t to)
{
	struct as_pair_group next = {from, (uint32_t)pairs->to.n};
	size_t n = pairs->group.n;

	if (pairs->to.n == UINT32_MAX)
		return false;
	if ((!n || pairs->group.p[n - 1].from != from) && !as_vec_push(al, &pairs->group, next))
		return false;
	if (!as_vec_push(al, &pairs->to, to))
		return false;
	pairs->group.p[pairs->group.n - 1].end = (uint32_t)pairs->to.n;
	return true;
}

void as_pairs_release(struct as_pairs *pairs, const struct as_alloc *al);

/* Pairs of rows, each once: row i leads to to[start[i]] .. to[start[i + 1] - 1], ascending. */
struct as_graph {
	uint32_t n;      /* rows */
	size_t m, cap;   /* pairs, and room for them */
	uint32_t *start; /* n + 1 */
	uint32_t *to;
};

/* What reachability needs, in less memory and time: rows lead to others in any order, also
 * several times. With TAKE, PAIRS is empty afterwards. */
enum as_code as_graph_build_loose(struct as_graph *g, const struct as_alloc *al,
	struct as_pairs *pairs, uint32_t n, bool take) AS_NODISCARD;
/* On failure G is empty. */
enum as_code as_graph_build(struct as_graph *g, const struct as_alloc *al,
	const struct as_pairs *pairs, uint32_t n) AS_NODISCARD;
void as_graph_release(struct as_graph *g, const struct as_alloc *al); /* empty is fine */

/* Where in g->to the pair is. It must be there. */
size_t as_graph_find(const struct as_graph *g, uint32_t from, uint32_t to);

/* Number the strongly connected components of two rows or more, from 1 in the order of their
 * first rows. COMP has g->n entries; 0 = in none. */
enum as_code as_graph_cycles(const struct as_graph *g, const struct as_alloc *al, uint32_t *comp,
	uint32_t *n_cycles) AS_NODISCARD;

#endif
