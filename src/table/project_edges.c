/* SPDX-License-Identifier: Apache-2.0 */
/* The table's edges: pairs of rows with what passes from one to the other. */
#include "table/project_impl.h"

enum as_code as_proj_make_edges(struct as_proj *p, struct as_table *t)
{
	uint32_t n = (uint32_t)p->key.n;
	size_t width = (size_t)p->e * sizeof(as_val);
	as_val *cost;

	AS_TRY(as_graph_build(&p->graph, p->al, &p->pairs, n));
	if (p->graph.m > SIZE_MAX / 2 / (width + sizeof(*t->edge)))
		return AS_E_NOMEM;
	p->slot = as_alloc_new(p->al, n * sizeof(*p->slot) + 1);
	t->edge = as_arena_get(&t->arena, p->graph.m * sizeof(*t->edge) + 1);
	cost = as_arena_get(&t->arena, p->graph.m * width + 1);
	AS_TRY(as_memory(p->slot && t->edge && cost));
	memset(cost, 0, p->graph.m * width);
	for (uint32_t from = 0; from < n; from++)
		for (size_t i = p->graph.start[from]; i < p->graph.start[from + 1]; i++)
			t->edge[i] = (struct as_edge){
				.from = from, .to = p->graph.to[i], .cost = cost + i * p->e};
	t->n_edges = p->graph.m;
	p->edge = t->edge;
	return AS_OK;
}

size_t as_proj_edge_at(struct as_proj *p, uint32_t from, uint32_t to)
{
	const struct as_graph *g = &p->graph;
	size_t at = p->slot[to];

	if (at < g->start[from] || at >= g->start[from + 1] || g->to[at] != to) {
		at = as_graph_find(g, from, to);
		p->slot[to] = (uint32_t)at;
	}
	return at;
}

struct as_edge *as_proj_edge(struct as_proj *p, uint32_t from, uint32_t to)
{
	return &p->edge[as_proj_edge_at(p, from, to)];
}
