/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof's graph is made anew from the samples whenever nodes are dropped: what was around them is
 * joined then, so no figure of the rest can be taken from the graph before.
 */
#include "compat/pprof/pprof_graph.h"

#include "base/sort.h"
#include "compat/pprof/pprof_graph_impl.h"

/* ---- samples ---- */

/* Put the frames of NODE into mk->path, the leaf first. */
static bool take_path(struct as_pg_maker *mk, as_node node)
{
	const struct as_profile *prof = mk->prof;

	mk->path.n = 0;
	for (; node.i; node = prof->node.parent.p[node.i]) {
		uint32_t place = prof->node.place.p[node.i].i;

		if (!as_pg_skips(mk, place) && !as_vec_push(mk->pg->al, &mk->path, place))
			return false;
	}
	return true;
}

struct step {
	uint32_t parent; /* AS_PG_NONE: none yet */
	bool residual;   /* nodes between the parent and what comes next were dropped */
	as_val v;
	uint64_t sample; /* number, + 1 */
};

static bool pg_add_edge(struct as_pg_maker *mk, const struct step *st, uint32_t to, bool inlined)
{
	struct as_pg *pg = mk->pg;
	struct as_pg_edge *edge;
	uint64_t hash = as_hash_mix(st->parent, to), pos = AS_INDEX_START;
	bool found = false;
	uint32_t e;

	while (!found && as_index_find(&mk->edges, hash, &pos, &e))
		found = pg->edge.p[e].src == st->parent && pg->edge.p[e].dst == to;
	if (!found) {
		struct as_pg_edge fresh = {.src = st->parent, .dst = to, .inlined = inlined};

		e = (uint32_t)pg->edge.n;
		if (!as_vec_push(pg->al, &pg->edge, fresh) ||
			!as_vec_push(pg->al, &mk->seen_edge, 0) ||
			!as_index_add(&mk->edges, hash, e))
			return false;
	}
	if (mk->seen_edge.p[e] == st->sample)
		return true;
	mk->seen_edge.p[e] = st->sample;
	edge = &pg->edge.p[e];
	edge->weight += st->v;
	edge->residual |= st->residual;
	edge->inlined &= inlined;
	return true;
}

/* From the root to the leaf: a node and an edge count once in a sample. */
static bool pg_add_sample(struct as_pg_maker *mk, size_t i)
{
	const struct as_profile *prof = mk->prof;
	struct step st = {.parent = AS_PG_NONE, .sample = i + 1};

	st.v = as_pg_value(mk, i);
	if (!st.v)
		return true;
	if (!take_path(mk, prof->sample.node.p[i]))
		return false;
	for (size_t k = mk->path.n; k-- > 0;) {
		uint32_t place = mk->path.p[k], n = mk->of_place[place] - 1;

		if (!mk->keep[n]) {
			st.residual = true;
			continue;
		}
		if (mk->seen[n] != st.sample)
			mk->all.p[n].cum += st.v;
		mk->seen[n] = st.sample;
		if (st.parent != AS_PG_NONE && st.parent != n &&
			!pg_add_edge(mk, &st, n, prof->place.inlined.p[place]))
			return false;
		st.parent = n;
		st.residual = false;
	}
	if (st.parent != AS_PG_NONE && !st.residual)
		mk->all.p[st.parent].flat += st.v;
	return true;
}

static bool is_node(const struct as_pg_maker *mk, size_t i)
{
	return mk->all.p[i].flat || mk->all.p[i].cum;
}

/* Figures and edges of the nodes that are kept. Those whose samples cancel out are not. */
static bool pg_build(struct as_pg_maker *mk)
{
	bool ok = true;

	mk->pg->edge.n = mk->seen_edge.n = 0;
	as_index_release(&mk->edges);
	as_index_init(&mk->edges, mk->pg->al);
	memset(mk->seen, 0, mk->all.n * sizeof(*mk->seen));
	for (size_t i = 0; i < mk->all.n; i++)
		mk->all.p[i].flat = mk->all.p[i].cum = 0;
	for (size_t i = 0; ok && i < mk->prof->sample.node.n; i++)
		ok = pg_add_sample(mk, i);
	for (size_t i = 0; i < mk->all.n; i++)
		mk->keep[i] = mk->keep[i] && is_node(mk, i);
	return ok;
}

/* ---- order, and what is kept ---- */

/* pprof compares what else tells nodes of one name apart as a text that ends in "}". */
static int pg_cmp_text(struct as_slice a, struct as_slice b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	if (c || a.len == b.len)
		return c;
	if (a.len < b.len)
		return (unsigned char)b.p[n] <= '}' ? 1 : -1;
	return (unsigned char)a.p[n] <= '}' ? -1 : 1;
}

static int cmp_start(uint64_t a, uint64_t b)
{
	char x[24], y[24];

	if (a == b)
		return 0;
	snprintf(x, sizeof(x), "%" PRIu64, a);
	snprintf(y, sizeof(y), "%" PRIu64, b);
	return strcmp(x, y);
}

static int pg_cmp_node(const void *ctx, uint32_t i, uint32_t j)
{
	const struct as_pg_maker *mk = ctx;
	const struct as_pg_node *a = &mk->all.p[i], *b = &mk->all.p[j];
	bool cum = mk->opts->by_cum;
	int c = cum ? as_pg_cmp_val(a->cum, b->cum) : as_pg_cmp_val(a->flat, b->flat);

	c = c ? c : as_slice_cmp(mk->name.p[i], mk->name.p[j]);
	c = c ? c : as_pg_cmp_val(cum ? a->flat : a->cum, cum ? b->flat : b->cum);
	c = c ? c : cmp_start(a->start, b->start);
	c = c ? c : pg_cmp_text(a->object, b->object);
	return c ? c : i < j ? -1 : 1;
}

/* mk->order becomes the kept nodes in order. */
static bool sort_nodes(struct as_pg_maker *mk)
{
	mk->order.n = 0;
	for (uint32_t i = 0; i < mk->all.n; i++)
		if (mk->keep[i] && !as_vec_push(mk->pg->al, &mk->order, i))
			return false;
	return as_sort_rows(mk->pg->al, mk->order.p, mk->order.n, pg_cmp_node, mk);
}

/* What passes through a dropped node goes on between those around it. */
static bool drop_light_nodes(struct as_pg_maker *mk)
{
	struct as_pg *pg = mk->pg;

	for (size_t i = 0; i < mk->all.n; i++) {
		bool is = is_node(mk, i);

		mk->keep[i] = is && as_pg_absolute(mk->all.p[i].cum) >= pg->node_cutoff;
		pg->dropped_nodes += is && !mk->keep[i];
	}
	return !pg->dropped_nodes || pg_build(mk);
}

static bool keep_first(struct as_pg_maker *mk)
{
	size_t most = mk->opts->node_count > SIZE_MAX ? SIZE_MAX : (size_t)mk->opts->node_count;

	if (!sort_nodes(mk))
		return false;
	mk->pg->n_before = mk->order.n;
	if (!most)
		return true;
	(void)as_pg_drop_edges(mk);
	if (mk->order.n <= most)
		return true;
	for (size_t i = most; i < mk->order.n; i++)
		mk->keep[mk->order.p[i]] = 0;
	return pg_build(mk) && sort_nodes(mk);
}

/* ---- the finished graph ---- */

/* Number the ends of edges that are no nodes behind those that are. */
static bool number_gone(struct as_pg_maker *mk, uint32_t *fresh)
{
	struct as_pg *pg = mk->pg;

	for (size_t i = 0; i < 2 * pg->edge.n; i++) {
		uint32_t end = i % 2 ? pg->edge.p[i / 2].dst : pg->edge.p[i / 2].src;

		if (mk->keep[end] || fresh[end] != AS_PG_NONE)
			continue;
		fresh[end] = (uint32_t)mk->order.n;
		if (!as_vec_push(pg->al, &mk->order, end) ||
			!as_vec_push(pg->al, &pg->gone, mk->all.p[end]))
			return false;
	}
	return true;
}

static bool pg_finish(struct as_pg_maker *mk)
{
	struct as_pg *pg = mk->pg;
	size_t n = mk->order.n;
	uint32_t *fresh;

	pg->dropped_edges = as_pg_drop_edges(mk);
	if (!as_alloc_array(pg->al, &fresh, mk->all.n))
		return false;
	memset(fresh, 0xff, mk->all.n * sizeof(*fresh));
	for (uint32_t i = 0; i < n; i++) {
		fresh[mk->order.p[i]] = i;
		if (!as_vec_push(pg->al, &pg->node, mk->all.p[mk->order.p[i]]))
			return false;
	}
	return number_gone(mk, fresh) && as_pg_finish_edges(mk, mk->order.p, fresh);
}

static bool build_graph(struct as_pg_maker *mk)
{
	as_val flat = 0;

	if (!as_alloc_array(mk->pg->al, &mk->keep, mk->all.n) ||
		!as_alloc_array(mk->pg->al, &mk->seen, mk->all.n))
		return false;
	memset(mk->keep, 1, mk->all.n);
	if (!pg_build(mk))
		return false;
	for (size_t i = 0; i < mk->all.n; i++)
		flat += mk->keep[i] ? mk->all.p[i].flat : 0;
	as_pg_set_cutoffs(mk, flat);
	return drop_light_nodes(mk);
}

void as_pg_init(struct as_pg *pg, const struct as_alloc *al)
{
	*pg = (struct as_pg){.al = &pg->pool.al};
	as_pool_init(&pg->pool, al);
	as_arena_init(&pg->arena, pg->al);
}

void as_pg_release(struct as_pg *pg)
{
	as_pool_release(&pg->pool);
}

enum as_code as_pg_make(struct as_pg *pg, const struct as_profile *prof,
	const struct as_pg_opts *opts, struct as_err *err)
{
	struct as_pg_maker mk = {.pg = pg, .prof = prof, .opts = opts};

	as_assert(!prof->sample.node.n || opts->event < as_n_events(prof));
	as_pg_init(pg, prof->al);
	as_index_init(&mk.nodes, pg->al);
	as_index_init(&mk.edges, pg->al);
	as_index_init(&mk.funcs, pg->al);
	if (as_alloc_array(pg->al, &mk.of_place, prof->place.func.n) &&
		as_alloc_array(pg->al, &mk.file, prof->file.n) && as_pg_find_nodes(&mk) &&
		build_graph(&mk) && keep_first(&mk) && pg_finish(&mk))
		return AS_OK;
	return as_err_no_memory(err);
}
