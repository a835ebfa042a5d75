/* SPDX-License-Identifier: Apache-2.0 */
/* Edges of pprof's graph: which are dropped, and their order at each node. */
#include "base/sort.h"
#include "compat/pprof/pprof_graph_impl.h"

int as_pg_cmp_val(as_val a, as_val b)
{
	a = as_pg_absolute(a);
	b = as_pg_absolute(b);
	return a > b ? -1 : a < b;
}

size_t as_pg_drop_edges(struct as_pg_maker *mk)
{
	struct as_pg *pg = mk->pg;
	size_t n = 0, light = 0;

	for (size_t i = 0; i < pg->edge.n; i++) {
		struct as_pg_edge e = pg->edge.p[i];

		bool src = mk->keep[e.src], dst = mk->keep[e.dst];

		if (dst && as_pg_absolute(e.weight) < pg->edge_cutoff)
			light++;
		else if (src || dst)
			pg->edge.p[n++] = e;
	}
	pg->edge.n = n;
	return light;
}

struct ends {
	const struct as_pg_maker *mk;
	const uint32_t *old; /* number of a node in mk->all */
};

static int pg_edges_cmp_edge(const void *ctx, uint32_t i, uint32_t j)
{
	const struct ends *e = ctx;
	const struct as_pg_edge *a = &e->mk->pg->edge.p[i], *b = &e->mk->pg->edge.p[j];
	const struct as_slice *name = e->mk->name.p;
	int c = as_pg_cmp_val(a->weight, b->weight);

	c = c ? c : as_slice_cmp(name[e->old[a->src]], name[e->old[b->src]]);
	c = c ? c : as_slice_cmp(name[e->old[a->dst]], name[e->old[b->dst]]);
	return c ? c : i < j ? -1 : 1;
}

/* Where the edges of each node are to stand, by how many it has. Those that are gone have none. */
static void place_lists(struct as_pg *pg)
{
	uint32_t in = 0, out = 0;

	for (size_t i = 0; i < pg->edge.n; i++) {
		const struct as_pg_edge *e = &pg->edge.p[i];

		if (e->dst < pg->node.n)
			pg->node.p[e->dst].n_in++;
		if (e->src < pg->node.n)
			pg->node.p[e->src].n_out++;
	}
	for (size_t i = 0; i < pg->node.n; i++) {
		struct as_pg_node *n = &pg->node.p[i];

		n->in = in;
		n->out = out;
		in += n->n_in;
		out += n->n_out;
		n->n_in = n->n_out = 0;
	}
}

static void fill_lists(struct as_pg *pg, const uint32_t *order)
{
	place_lists(pg);
	for (size_t i = 0; i < pg->edge.n; i++) {
		const struct as_pg_edge *e = &pg->edge.p[order[i]];

		if (e->dst < pg->node.n) {
			struct as_pg_node *dst = &pg->node.p[e->dst];

			pg->in.p[dst->in + dst->n_in++] = order[i];
		}
		if (e->src < pg->node.n) {
			struct as_pg_node *src = &pg->node.p[e->src];

			pg->out.p[src->out + src->n_out++] = order[i];
		}
	}
	pg->in.n = pg->out.n = pg->edge.n;
}

bool as_pg_finish_edges(struct as_pg_maker *mk, const uint32_t *old, const uint32_t *fresh)
{
	struct as_pg *pg = mk->pg;
	size_t n = pg->edge.n;
	struct ends ends = {mk, old};
	uint32_t *order;

	for (size_t i = 0; i < n; i++) {
		pg->edge.p[i].src = fresh[pg->edge.p[i].src];
		pg->edge.p[i].dst = fresh[pg->edge.p[i].dst];
	}
	order = as_sorted_rows(pg->al, n, pg_edges_cmp_edge, &ends);
	if (!order || !as_vec_reserve(pg->al, &pg->in, n) || !as_vec_reserve(pg->al, &pg->out, n))
		return false;
	fill_lists(pg, order);
	return true;
}
