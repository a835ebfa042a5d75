/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call chains. A path counts for a row once, at the outermost of its frames that belong to the
 * row; the same goes for pairs of rows.
 */
#include "base/sort.h"
#include "ops/project_impl.h"
#include "ops/tree.h"

static enum as_code place_row(struct as_proj *p, as_place place)
{
	struct as_pos pos = as_place_pos(p->prof, place);
	uint32_t row;

	if (p->of_place[place.i])
		return AS_OK;
	AS_TRY(as_proj_key(p, &pos, &row));
	p->of_place[place.i] = row + 1;
	return AS_OK;
}

static uint32_t row_of(const struct as_proj *p, size_t node)
{
	return p->of_place[p->prof->node.place.p[node].i] - 1;
}

enum as_code as_proj_paths_rows(struct as_proj *p)
{
	const struct as_profile *prof = p->prof;

	if (!prof->sample.node.n)
		return AS_OK;
	p->of_place = as_alloc_new(p->al, prof->place.func.n * sizeof(*p->of_place));
	p->live = as_alloc_new(p->al, prof->node.parent.n);
	if (!p->of_place || !p->live)
		return AS_E_NOMEM;
	as_tree_live(prof, p->live);
	for (size_t i = 0; i < prof->node.parent.n; i++) {
		uint32_t parent = prof->node.parent.p[i].i;

		if (!p->live[i])
			continue;
		AS_TRY(place_row(p, prof->node.place.p[i]));
		if (parent && p->opts->want_edges)
			AS_TRY(as_proj_pair(p, row_of(p, parent), row_of(p, i)));
	}
	return AS_OK;
}

#define NO_EDGE UINT32_MAX

/* A node on the path from the root to where the walk is. */
struct level {
	uint32_t node, row, edge;
	bool outer, edge_outer; /* no node above it is of the same row, of the same edge */
};

/*
 * The walk over the tree. Nodes stand depth first, so it is one pass over them, and all it
 * needs is the path it is on: a node's sum is complete when the walk leaves it.
 */
struct walk {
	struct as_proj *p;
	AS_VEC(struct level) path;
	AS_VEC(as_val) sum;     /* e values a level */
	uint32_t *rows, *edges; /* how many nodes of the path belong to each */
	uint32_t *order;        /* samples by node; NULL: they are in that order */
	size_t next;            /* sample */
};

static void leave(struct walk *w)
{
	struct as_proj *p = w->p;
	const struct level *l = &w->path.p[--w->path.n];
	as_val *sum = w->sum.p + w->path.n * p->e;

	if (l->outer)
		as_proj_add(as_proj_at(p, AS_COL_INCL, l->row), sum, p->e);
	else
		p->state.p[l->row].has_in |= AS_IN_SELF;
	w->rows[l->row]--;
	if (l->edge != NO_EDGE) {
		if (l->edge_outer)
			as_proj_add(p->edge[l->edge].cost, sum, p->e);
		w->edges[l->edge]--;
	}
	if (w->path.n)
		as_proj_add(sum - p->e, sum, p->e);
}

static bool enter(struct walk *w, uint32_t node)
{
	struct as_proj *p = w->p;
	struct level l = {.node = node, .row = row_of(p, node), .edge = NO_EDGE};
	size_t values = (w->path.n + 1) * p->e;

	l.outer = w->rows[l.row]++ == 0;
	if (w->edges && w->path.n) {
		l.edge = (uint32_t)(as_proj_edge(p, w->path.p[w->path.n - 1].row, l.row) - p->edge);
		l.edge_outer = w->edges[l.edge]++ == 0;
	}
	if (!as_vec_reserve(p->al, &w->sum, values + 1))
		return false;
	if (p->e)
		memset(w->sum.p + values - p->e, 0, p->e * sizeof(as_val));
	return as_vec_push(p->al, &w->path, l);
}

/* The samples of the node that was just entered. */
static void add_samples(struct walk *w, uint32_t node)
{
	struct as_proj *p = w->p;
	const struct as_profile *prof = p->prof;

	for (; w->next < prof->sample.node.n; w->next++) {
		size_t i = w->order ? w->order[w->next] : w->next;
		const as_val *cost = prof->sample.cost.p + i * p->e;

		if (prof->sample.node.p[i].i != node)
			return;
		if (!p->e)
			continue;
		as_proj_add(as_proj_at(p, AS_COL_SELF, row_of(p, node)), cost, p->e);
		if (!node) /* without a stack: a path of one unknown frame */
			as_proj_add(as_proj_at(p, AS_COL_INCL, row_of(p, 0)), cost, p->e);
		else
			as_proj_add(w->sum.p + (w->path.n - 1) * p->e, cost, p->e);
	}
}

static bool walk_all(struct walk *w)
{
	const struct as_profile *prof = w->p->prof;

	add_samples(w, 0);
	for (uint32_t i = 1; i < prof->node.parent.n; i++) {
		uint32_t parent = prof->node.parent.p[i].i;

		if (!w->p->live[i])
			continue;
		while (w->path.n && w->path.p[w->path.n - 1].node != parent)
			leave(w);
		if (!enter(w, i))
			return false;
		add_samples(w, i);
	}
	while (w->path.n)
		leave(w);
	return true;
}

static int cmp_sample(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ctx;
	uint32_t x = prof->sample.node.p[a].i, y = prof->sample.node.p[b].i;

	return x < y ? -1 : x > y;
}

/* Samples stand part by part; within a part they are in the order of nodes. */
static bool order_samples(struct walk *w)
{
	const struct as_profile *prof = w->p->prof;
	size_t n = prof->sample.node.n;

	if (prof->part.n < 2)
		return true;
	w->order = as_alloc_new(w->p->al, n * sizeof(*w->order));
	for (size_t i = 0; w->order && i < n; i++)
		w->order[i] = (uint32_t)i;
	return w->order && as_sort_rows(w->p->al, w->order, n, cmp_sample, prof);
}

enum as_code as_proj_paths_sums(struct as_proj *p)
{
	size_t n_rows = (p->key.n + 1) * sizeof(uint32_t), n_edges = 0;
	struct walk w = {.p = p};
	bool ok;

	if (!p->prof->sample.node.n)
		return AS_OK;
	w.rows = as_alloc_new(p->al, n_rows);
	if (p->edge) {
		n_edges = (p->graph.m + 1) * sizeof(uint32_t);
		w.edges = as_alloc_new(p->al, n_edges);
	}
	ok = w.rows && (w.edges || !p->edge) && order_samples(&w) && walk_all(&w);
	as_alloc_free(p->al, w.rows, n_rows);
	as_alloc_free(p->al, w.edges, n_edges);
	as_alloc_free(p->al, w.order, p->prof->sample.node.n * sizeof(*w.order));
	as_vec_free(p->al, &w.path);
	as_vec_free(p->al, &w.sum);
	return ok ? AS_OK : AS_E_NOMEM;
}
