/* SPDX-License-Identifier: Apache-2.0 */
/* What pprof does to a graph that is drawn: the order of its nodes, and edges that say nothing. */
#include "ops/pprof_graph_impl.h"
#include "ops/stat.h"

/* ---- order ---- */

/* The entropy of the edges on one side of a node. */
struct side {
	double sum, total;
	bool any;
};

static void add_weight(struct side *s, as_val weight)
{
	s->any = true;
	if (weight > 0)
		s->total += (double)weight;
}

static void add_entropy(struct side *s, as_val weight)
{
	double part = s->total > 0 ? (double)as_pg_absolute(weight) / s->total : 0;

	if (part > 0)
		s->sum -= part * as_log(part) / as_log(2);
}

/* In and out sides of all nodes; what a node costs itself goes out of it, too. */
static void fill_sides(const struct as_pg_maker *mk, struct side *in, struct side *out)
{
	const struct as_pg *pg = mk->pg;

	for (size_t i = 0; i < mk->all.n; i++)
		out[i].total = (double)mk->all.p[i].flat;
	for (size_t i = 0; i < pg->edge.n; i++) {
		add_weight(&out[pg->edge.p[i].src], pg->edge.p[i].weight);
		add_weight(&in[pg->edge.p[i].dst], pg->edge.p[i].weight);
	}
	for (size_t i = 0; i < pg->edge.n; i++) {
		add_entropy(&out[pg->edge.p[i].src], pg->edge.p[i].weight);
		add_entropy(&in[pg->edge.p[i].dst], pg->edge.p[i].weight);
	}
	for (size_t i = 0; i < mk->all.n; i++)
		if (out[i].any && mk->all.p[i].flat > 0)
			add_entropy(&out[i], mk->all.p[i].flat);
}

/* Nodes where ways begin, end, part and meet come first. */
bool as_pg_score(struct as_pg_maker *mk, as_val *score)
{
	size_t n = mk->all.n, size = 2 * n * sizeof(struct side) + 1;
	struct side *in = as_alloc_new(mk->pg->al, size), *out;

	if (!in)
		return false;
	out = in + n;
	for (size_t i = 0; i < 2 * n; i++)
		in[i] = (struct side){0, 0, false};
	fill_sides(mk, in, out);
	for (size_t i = 0; i < n; i++) {
		double x = (in[i].any ? in[i].sum : 1) + (out[i].any ? out[i].sum : 1);

		score[i] = (as_val)(x * (double)mk->all.p[i].cum) + mk->all.p[i].flat;
	}
	as_alloc_free(mk->pg->al, in, size);
	return true;
}

/* ---- edges over nodes that were dropped, where there is another way ---- */

struct search {
	struct as_pg *pg;
	uint32_t *seen;  /* of each node: the last search that came there */
	uint32_t *queue; /* as many as there are nodes */
	uint32_t number;
};

static bool is_redundant(struct search *s, uint32_t edge)
{
	const struct as_pg *pg = s->pg;
	uint32_t src = pg->edge.p[edge].src, head = 0, tail = 0;

	s->number++;
	s->queue[tail++] = pg->edge.p[edge].dst;
	s->seen[pg->edge.p[edge].dst] = s->number;
	while (head < tail) {
		const struct as_pg_node *n = &pg->node.p[s->queue[head++]];

		for (uint32_t k = 0; k < n->n_in; k++) {
			uint32_t e = pg->in.p[n->in + k], from = pg->edge.p[e].src;

			if (e == edge || s->seen[from] == s->number)
				continue;
			if (from == src)
				return true;
			s->seen[from] = s->number;
			s->queue[tail++] = from;
		}
	}
	return false;
}

static void take_out(uint32_t *list, uint32_t *n, uint32_t edge)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < *n; i++)
		if (list[i] != edge)
			list[kept++] = list[i];
	*n = kept;
}

/* From the lightest edge up, as long as they are residual. */
static void clean_node(struct search *s, struct as_pg_node *n)
{
	struct as_pg *pg = s->pg;

	for (uint32_t k = n->n_in; k-- > 0;) {
		uint32_t edge = pg->in.p[n->in + k];
		struct as_pg_node *src = &pg->node.p[pg->edge.p[edge].src];

		if (!pg->edge.p[edge].residual)
			break;
		if (!is_redundant(s, edge))
			continue;
		take_out(pg->in.p + n->in, &n->n_in, edge);
		take_out(pg->out.p + src->out, &src->n_out, edge);
	}
}

bool as_pg_drop_redundant(struct as_pg_maker *mk)
{
	struct as_pg *pg = mk->pg;
	size_t n = pg->node.n, size = 2 * n * sizeof(uint32_t) + 1;
	struct search s = {.pg = pg, .seen = as_alloc_new(pg->al, size)};

	if (!s.seen)
		return false;
	s.queue = s.seen + n;
	memset(s.seen, 0, n * sizeof(*s.seen));
	for (size_t i = n; i-- > 0;)
		clean_node(&s, &pg->node.p[i]);
	as_alloc_free(pg->al, s.seen, size);
	return true;
}
