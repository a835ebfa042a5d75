/* SPDX-License-Identifier: Apache-2.0 */
/* Who calls whom, as numbers only; private to src/ops. */
#ifndef AS_OPS_GRAPH_H
#define AS_OPS_GRAPH_H

#include "base/alloc.h"

/* Pairs of rows, each once: row i leads to to[start[i]] .. to[start[i + 1] - 1], ascending. */
struct as_graph {
	uint32_t n;    /* rows */
	size_t m, cap; /* pairs, and room for them */
	size_t *start; /* n + 1 */
	uint32_t *to;
};

static inline uint64_t as_pair(uint32_t from, uint32_t to)
{
	return (uint64_t)from << 32 | to;
}

/* What reachability needs, in less memory and time: pairs in any order, also several times. */
enum as_code as_graph_build_loose(struct as_graph *g, const struct as_alloc *al,
	const uint64_t *pair, size_t n_pairs, uint32_t n) AS_NODISCARD;
/* PAIR may hold a pair several times. On failure G is empty. */
enum as_code as_graph_build(struct as_graph *g, const struct as_alloc *al, const uint64_t *pair,
	size_t n_pairs, uint32_t n) AS_NODISCARD;
void as_graph_release(struct as_graph *g, const struct as_alloc *al); /* empty is fine */

/* Where in g->to the pair is. It must be there. */
size_t as_graph_find(const struct as_graph *g, uint32_t from, uint32_t to);

/* Number the strongly connected components of two rows or more, from 1 in the order of their
 * first rows. COMP has g->n entries; 0 = in none. */
enum as_code as_graph_cycles(const struct as_graph *g, const struct as_alloc *al, uint32_t *comp,
	uint32_t *n_cycles) AS_NODISCARD;

#endif
