/* SPDX-License-Identifier: Apache-2.0 */
#include "table/callgraph.h"

#include "base/sort.h"

enum { EDGE_SHARE = 5 }; /* edges are drawn from this part of the least cost of a function on */

struct maker {
	struct as_callgraph *g;
	const struct as_table *t;
	const struct as_callgraph_opts *opts;
	as_val *weight;  /* of each row: what it is chosen by */
	uint32_t *rank;  /* of each row: its place by inclusive cost and name */
	uint32_t *level; /* of each row: calls from where paths begin, from 1; 0 = not known */
	uint32_t *best;  /* of each row: the heaviest drawn edge from elsewhere + 1 */
	uint32_t *start; /* n + 1: the first edge of each row */
	uint32_t *queue; /* scratch, n */
	size_t size;     /* of all but WEIGHT, one block */
};

static as_val callgraph_absolute(as_val v)
{
	return v < 0 ? -v : v;
}

static as_val callgraph_cost_of(const struct maker *mk, const struct as_edge *e)
{
	return mk->t->n_events ? e->cost[mk->opts->event] : 0;
}

/* ---- cycles ---- */

static enum as_code callgraph_find_cycles(struct maker *mk, struct as_err *err)
{
	struct as_cycles_opts opts = {
		.event = mk->opts->event, .keep_contexts = mk->opts->keep_contexts};
	struct as_cycles *c = &mk->g->cycles;

	*c = (struct as_cycles){.al = mk->g->al, .table = mk->t};
	if (mk->opts->no_cycles)
		return AS_OK;
	AS_TRY(as_cycles_make(c, mk->t, &opts, err));
	for (size_t i = 0; i < c->cycle.n; i++)
		for (uint32_t k = 0; c->cycle.p[i].number && k < c->cycle.p[i].n_members; k++)
			mk->g->comp[c->member.p[c->cycle.p[i].member + k]] = (uint32_t)i + 1;
	return AS_OK;
}

/* ---- what functions are chosen by ---- */

static void callgraph_weigh(struct maker *mk)
{
	const struct as_table *t = mk->t;

	for (size_t i = 0; i < t->n && t->n_events; i++) {
		size_t at = i * t->n_events + mk->opts->event;

		mk->weight[i] = callgraph_absolute(t->has_incl[i] ? t->incl[at] : t->self[at]);
	}
	/* What comes into each function of a cycle. */
	for (size_t i = 0; i < t->n_edges; i++) {
		const struct as_edge *e = &t->edge[i];

		if (mk->g->comp[e->to] && !as_callgraph_is_inner(mk->g, e) &&
			callgraph_absolute(callgraph_cost_of(mk, e)) > mk->weight[e->to])
			mk->weight[e->to] = callgraph_absolute(callgraph_cost_of(mk, e));
	}
}

static void rank_rows(struct maker *mk)
{
	as_table_sort(mk->t, mk->t->prof, mk->opts->event, true, mk->queue);
	for (uint32_t i = 0; i < mk->t->n; i++)
		mk->rank[mk->queue[i]] = i;
}

/* ---- how far they are from where paths begin ---- */

static void find_starts(struct maker *mk)
{
	const struct as_table *t = mk->t;
	uint32_t row = 0;

	for (uint32_t i = 0; i < t->n_edges; i++)
		while (row < t->edge[i].from)
			mk->start[++row] = i;
	as_assert(row < t->n || !t->n);
	while (row < t->n)
		mk->start[++row] = (uint32_t)t->n_edges;
}

/* Paths begin in what nobody calls from elsewhere; of such a cycle, in each of its functions. */
static uint32_t find_roots(struct maker *mk)
{
	const struct as_table *t = mk->t;
	uint8_t *called = (uint8_t *)mk->best; /* scratch by now: of each row, then of each cycle */
	uint32_t n = 0;

	as_assert(t->n + mk->g->cycles.cycle.n < (t->n + 1) * sizeof(*mk->best));
	for (size_t i = 0; i < t->n_edges; i++) {
		const struct as_edge *e = &t->edge[i];

		if (!as_callgraph_is_inner(mk->g, e))
			called[mk->g->comp[e->to] ? t->n + mk->g->comp[e->to] : e->to] = 1;
	}
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->key[i].is_cycle || called[mk->g->comp[i] ? t->n + mk->g->comp[i] : i])
			continue;
		mk->level[i] = 1;
		mk->queue[n++] = i;
	}
	memset(mk->best, 0, t->n * sizeof(*mk->best));
	return n;
}

static void find_levels(struct maker *mk)
{
	uint32_t n;

	find_starts(mk);
	n = find_roots(mk);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t row = mk->queue[i];

		for (uint32_t k = mk->start[row]; k < mk->start[row + 1]; k++) {
			uint32_t to = mk->t->edge[k].to;

			if (mk->level[to])
				continue;
			mk->level[to] = mk->level[row] + 1;
			mk->queue[n++] = to;
		}
	}
	as_assert(n <= mk->t->n);
}

/* ---- functions ---- */

static int callgraph_cmp_node(const void *ctx, uint32_t a, uint32_t b)
{
	const struct maker *mk = ctx;

	if (mk->weight[a] != mk->weight[b])
		return mk->weight[a] > mk->weight[b] ? -1 : 1;
	return mk->rank[a] < mk->rank[b] ? -1 : 1;
}

static bool is_drawn(const struct maker *mk, uint32_t row)
{
	return mk->weight[row] >= mk->opts->min &&
	       (!mk->opts->depth || mk->level[row] <= mk->opts->depth);
}

static bool choose_nodes(struct maker *mk)
{
	struct as_callgraph *g = mk->g;
	const struct as_table *t = mk->t;
	uint64_t limit = mk->opts->limit;
	size_t rows = 0;

	for (uint32_t i = 0; i < t->n; i++) {
		rows += !t->key[i].is_cycle;
		if (!t->key[i].is_cycle && is_drawn(mk, i) && !as_vec_push(g->al, &g->node, i))
			return false;
	}
	if (!as_sort_rows(g->al, g->node.p, g->node.n, callgraph_cmp_node, mk))
		return false;
	if (limit && g->node.n > limit)
		g->node.n = (size_t)limit;
	g->more_nodes = rows - g->node.n;
	for (uint32_t i = 0; i < g->node.n; i++)
		g->place[g->node.p[i]] = i + 1;
	for (size_t i = 0; i < t->n; i++)
		for (uint32_t k = 0; !t->key[i].is_cycle && !g->place[i] && k < t->n_events; k++)
			g->rest[k] += t->self[i * t->n_events + k];
	return true;
}

/* ---- calls ---- */

static int callgraph_cmp_edge(const void *ctx, uint32_t a, uint32_t b)
{
	const struct maker *mk = ctx;
	const struct as_edge *x = &mk->t->edge[a], *y = &mk->t->edge[b];
	as_val cx = callgraph_absolute(callgraph_cost_of(mk, x)),
	       cy = callgraph_absolute(callgraph_cost_of(mk, y));
	const uint32_t *place = mk->g->place;

	if (cx != cy)
		return cx > cy ? -1 : 1;
	if (place[x->from] != place[y->from])
		return place[x->from] < place[y->from] ? -1 : 1;
	return place[x->to] < place[y->to] ? -1 : place[x->to] > place[y->to];
}

static bool choose_edges(struct maker *mk)
{
	struct as_callgraph *g = mk->g;
	const struct as_edge *edge = mk->t->edge;
	size_t n = 0;

	for (uint32_t i = 0; i < mk->t->n_edges; i++)
		if (g->place[edge[i].from] && g->place[edge[i].to] &&
			!as_vec_push(g->al, &g->edge, i))
			return false;
	if (!as_sort_rows(g->al, g->edge.p, g->edge.n, callgraph_cmp_edge, mk))
		return false;
	for (size_t i = 0; i < g->edge.n; i++) {
		const struct as_edge *e = &edge[g->edge.p[i]];
		bool self = e->from == e->to, first = !self && !mk->best[e->to];

		mk->best[e->to] |= !self;
		if (self || first ||
			callgraph_absolute(callgraph_cost_of(mk, e)) >= mk->opts->min / EDGE_SHARE)
			g->edge.p[n++] = g->edge.p[i];
	}
	g->more_edges = g->edge.n - n;
	g->edge.n = n;
	return true;
}

/* ---- all of it ---- */

/* BEST has room for a byte of each row and of each cycle of two rows or more. */
static bool get_memory(struct maker *mk)
{
	const struct as_alloc *al = mk->g->al;
	size_t n = mk->t->n + 1;

	mk->g->place = as_alloc_new(al, n * sizeof(uint32_t));
	mk->g->comp = as_alloc_new(al, n * sizeof(uint32_t));
	mk->g->rest = as_alloc_new(al, mk->t->n_events * sizeof(as_val) + 1);
	mk->weight = as_alloc_new(al, n * sizeof(*mk->weight));
	mk->size = 5 * n * sizeof(uint32_t);
	mk->rank = as_alloc_new(al, mk->size);
	if (!mk->g->place || !mk->g->comp || !mk->g->rest || !mk->weight || !mk->rank)
		return false;
	mk->level = mk->rank + n;
	mk->best = mk->level + n;
	mk->start = mk->best + n;
	mk->queue = mk->start + n;
	return true;
}

static enum as_code callgraph_make(struct maker *mk, struct as_err *err)
{
	AS_TRY(as_err_memory(err, get_memory(mk)));
	AS_TRY(callgraph_find_cycles(mk, err));
	callgraph_weigh(mk);
	rank_rows(mk);
	find_levels(mk);
	return as_err_memory(err, choose_nodes(mk) && choose_edges(mk));
}

enum as_code as_callgraph_make(struct as_callgraph *g, const struct as_table *table,
	const struct as_callgraph_opts *opts, struct as_err *err)
{
	struct maker mk = {.g = g, .t = table, .opts = opts};
	size_t n = table->n + 1;
	enum as_code rc;

	as_assert(!table->n_events || opts->event < table->n_events);
	*g = (struct as_callgraph){.al = table->prof->al, .table = table, .event = opts->event};
	g->cycles.al = g->al;
	rc = callgraph_make(&mk, err);
	as_alloc_free(g->al, mk.weight, n * sizeof(*mk.weight));
	as_alloc_free(g->al, mk.rank, mk.size);
	return rc;
}

void as_callgraph_release(struct as_callgraph *g)
{
	size_t n = g->table->n + 1;

	as_vec_free(g->al, &g->node);
	as_vec_free(g->al, &g->edge);
	as_alloc_free(g->al, g->place, n * sizeof(uint32_t));
	as_alloc_free(g->al, g->comp, n * sizeof(uint32_t));
	as_alloc_free(g->al, g->rest, g->table->n_events * sizeof(as_val) + 1);
	as_cycles_release(&g->cycles);
}
