/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pprof's graph is made anew from the samples whenever nodes are dropped: what was around them is
 * joined then, so no figure of the rest can be taken from the graph before.
 */
#include "ops/pprof_graph.h"

#include "base/index.h"
#include "base/sort.h"
#include "formats/format.h"

enum { NONE = UINT32_MAX };

struct maker {
	struct as_pg *pg;
	const struct as_profile *prof;
	const struct as_pg_opts *opts;
	AS_VEC(struct as_pg_node) all; /* nodes, also those that are dropped */
	AS_VEC(struct as_slice) name;  /* of each of them, as it is printed */
	struct as_index nodes, edges;
	uint32_t *of_place; /* row + 1 in ALL */
	uint8_t *keep;      /* of each of ALL */
	uint64_t *seen;     /* of each of ALL: the last sample that it was in, + 1 */
	AS_VEC(uint64_t) seen_edge;
	AS_VEC(uint32_t) path; /* places of a sample, the leaf first */
};

static as_val absolute(as_val v)
{
	return v < 0 ? -v : v;
}

struct as_slice as_pg_name(struct as_arena *ar, const struct as_pg_node *n)
{
	struct as_slice base = as_base_name(n->object), place = n->file;
	char addr[20] = "";

	if (n->addr)
		snprintf(addr, sizeof(addr), "%016" PRIx64 "%s", n->addr, " ");
	if (n->line)
		place = as_arena_printf(ar, "%.*s:%" PRIu64, AS_SLICE_FMT(n->file), n->line);
	if (!place.p)
		return place;
	if (place.len || n->name.len)
		return as_arena_printf(ar, "%s%.*s%s%.*s", addr, AS_SLICE_FMT(n->name),
			n->name.len && place.len ? " " : "", AS_SLICE_FMT(place));
	if (base.len)
		return as_arena_printf(ar, "%s[%.*s]", addr, AS_SLICE_FMT(base));
	return as_arena_printf(ar, "%s<unknown>", addr);
}

/* ---- which node a place is ---- */

/* The run-time address of code at ADDR of an object, by the first mapping that has it. */
static uint64_t run_time(const struct as_profile *prof, as_object object, uint64_t addr)
{
	for (size_t i = 0; i < prof->map.n; i++) {
		const struct as_map *m = &prof->map.p[i];

		if (m->object.i == object.i && m->exec && addr >= m->offset &&
			addr - m->offset < m->limit - m->start)
			return m->start + (addr - m->offset);
	}
	return addr;
}

static struct as_pg_node key_of(const struct maker *mk, uint32_t place)
{
	const struct as_profile *prof = mk->prof;
	struct as_pos pos = as_place_pos(prof, (as_place){place});
	as_object object = prof->func.object.p[pos.func.i];
	enum as_pg_by by = mk->opts->by;
	struct as_pg_node n = {
		.name = as_func_name(prof, pos.func), .file = {"", 0}, .object = {"", 0}};
	bool known = n.name.len > 0;

	if (known && by != AS_PG_FUNCS)
		n.file = as_file_path(prof, prof->func.file.p[pos.func.i]);
	if (known && (by == AS_PG_LINES || by == AS_PG_ADDRS))
		n.line = pos.line;
	/* Those of Java are numbers of locations. */
	if (by == AS_PG_ADDRS && !as_slice_starts(as_str_get(prof, prof->version), "1 java"))
		n.addr =
			run_time(prof, object, pos.addr ? pos.addr : prof->func.addr.p[pos.func.i]);
	if (by == AS_PG_FILES)
		n.name.len = 0;
	if (!n.name.len)
		n.object = as_object_path(prof, object);
	return n;
}

static bool same_node(const struct as_pg_node *a, const struct as_pg_node *b)
{
	return a->line == b->line && a->addr == b->addr && as_slice_eq(a->name, b->name) &&
	       as_slice_eq(a->file, b->file) && as_slice_eq(a->object, b->object);
}

static uint64_t hash_node(const struct as_pg_node *n)
{
	uint64_t h = as_hash_mix(
		as_hash_bytes(n->name.p, n->name.len), as_hash_bytes(n->file.p, n->file.len));

	return as_hash_mix(as_hash_mix(h, as_hash_bytes(n->object.p, n->object.len)),
		as_hash_mix(n->line, n->addr));
}

/* The row of PLACE's node in mk->all. False if out of memory. */
static bool node_of(struct maker *mk, uint32_t place, uint32_t *out)
{
	struct as_pg_node n;
	struct as_slice name;
	uint64_t hash, pos = AS_INDEX_START;

	*out = mk->of_place[place] - 1;
	if (mk->of_place[place])
		return true;
	n = key_of(mk, place);
	hash = hash_node(&n);
	while (as_index_find(&mk->nodes, hash, &pos, out))
		if (same_node(&mk->all.p[*out], &n)) {
			mk->of_place[place] = *out + 1;
			return true;
		}
	*out = (uint32_t)mk->all.n;
	mk->of_place[place] = *out + 1;
	name = as_pg_name(&mk->pg->arena, &n);
	return name.p && as_vec_push(mk->pg->al, &mk->all, n) &&
	       as_vec_push(mk->pg->al, &mk->name, name) && as_index_add(&mk->nodes, hash, *out);
}

/* ---- samples ---- */

/* Put the frames of NODE into mk->path, the leaf first. */
static bool take_path(struct maker *mk, as_node node)
{
	const struct as_profile *prof = mk->prof;

	mk->path.n = 0;
	for (; node.i; node = prof->node.parent.p[node.i]) {
		uint32_t place = prof->node.place.p[node.i].i;

		if (mk->opts->no_inlines && prof->place.inlined.p[place])
			continue;
		if (!as_vec_push(mk->pg->al, &mk->path, place))
			return false;
	}
	return true;
}

struct step {
	uint32_t parent; /* NONE: none yet */
	bool residual;   /* nodes between the parent and what comes next were dropped */
	as_val v;
	uint64_t sample; /* number, + 1 */
};

static bool add_edge(struct maker *mk, const struct step *st, uint32_t to, bool inlined)
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

static as_val value_of(const struct maker *mk, size_t sample)
{
	const struct as_profile *prof = mk->prof;

	return prof->sample.cost.p[sample * prof->event.n + mk->opts->event] *
	       (as_val)mk->opts->each;
}

/* From the root to the leaf: a node and an edge count once in a sample. */
static bool add_sample(struct maker *mk, size_t i)
{
	const struct as_profile *prof = mk->prof;
	struct step st = {.parent = NONE, .sample = i + 1};

	st.v = value_of(mk, i);
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
		if (st.parent != NONE && st.parent != n &&
			!add_edge(mk, &st, n, prof->place.inlined.p[place]))
			return false;
		st.parent = n;
		st.residual = false;
	}
	if (st.parent != NONE && !st.residual)
		mk->all.p[st.parent].flat += st.v;
	return true;
}

/* All nodes that samples have, and the total. */
static bool find_nodes(struct maker *mk)
{
	const struct as_profile *prof = mk->prof;
	uint32_t n;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		as_val v = value_of(mk, i);

		mk->pg->total += absolute(v);
		if (!v)
			continue;
		if (!take_path(mk, prof->sample.node.p[i]))
			return false;
		for (size_t k = 0; k < mk->path.n; k++)
			if (!node_of(mk, mk->path.p[k], &n))
				return false;
	}
	if (mk->opts->total)
		mk->pg->total = mk->opts->total;
	return true;
}

/* Figures and edges of the nodes that are kept. */
static bool build(struct maker *mk)
{
	bool fine = true;

	mk->pg->edge.n = mk->seen_edge.n = 0;
	as_index_release(&mk->edges);
	as_index_init(&mk->edges, mk->pg->al);
	memset(mk->seen, 0, mk->all.n * sizeof(*mk->seen));
	for (size_t i = 0; i < mk->all.n; i++)
		mk->all.p[i].flat = mk->all.p[i].cum = 0;
	for (size_t i = 0; fine && i < mk->prof->sample.node.n; i++)
		fine = add_sample(mk, i);
	return fine;
}

/* ---- order, and what is kept ---- */

static int cmp_val(as_val a, as_val b)
{
	a = absolute(a);
	b = absolute(b);
	return a > b ? -1 : a < b;
}

static int cmp_node(const void *ctx, uint32_t i, uint32_t j)
{
	const struct maker *mk = ctx;
	const struct as_pg_node *a = &mk->all.p[i], *b = &mk->all.p[j];
	bool cum = mk->opts->by_cum;
	int c = cum ? cmp_val(a->cum, b->cum) : cmp_val(a->flat, b->flat);

	if (!c)
		c = as_slice_cmp(mk->name.p[i], mk->name.p[j]);
	if (!c)
		c = cum ? cmp_val(a->flat, b->flat) : cmp_val(a->cum, b->cum);
	if (!c)
		c = as_slice_cmp(a->object, b->object);
	return c ? c : i < j ? -1 : 1;
}

/* The kept nodes in order; N gets how many. NULL if out of memory; as large as mk->all. */
static uint32_t *sorted(struct maker *mk, size_t *n)
{
	size_t size = mk->all.n * sizeof(uint32_t) + 1;
	uint32_t *order = as_alloc_new(mk->pg->al, size);

	*n = 0;
	for (uint32_t i = 0; order && i < mk->all.n; i++)
		if (mk->keep[i])
			order[(*n)++] = i;
	if (order && !as_sort_rows(mk->pg->al, order, *n, cmp_node, mk)) {
		as_alloc_free(mk->pg->al, order, size);
		return NULL;
	}
	return order;
}

/* What passes through a dropped node goes on between those around it. */
static bool drop_light_nodes(struct maker *mk)
{
	struct as_pg *pg = mk->pg;

	for (size_t i = 0; i < mk->all.n; i++) {
		mk->keep[i] = absolute(mk->all.p[i].cum) >= pg->node_cutoff;
		pg->dropped_nodes += !mk->keep[i];
	}
	return !pg->dropped_nodes || build(mk);
}

static bool keep_first(struct maker *mk)
{
	size_t n, most = mk->opts->node_count > SIZE_MAX ? SIZE_MAX : (size_t)mk->opts->node_count;
	uint32_t *order = sorted(mk, &n);

	if (!order)
		return false;
	mk->pg->n_before = n;
	for (size_t i = most; most && i < n; i++)
		mk->keep[order[i]] = 0;
	as_alloc_free(mk->pg->al, order, mk->all.n * sizeof(*order) + 1);
	return !most || n <= most || build(mk);
}

/* ---- the finished graph ---- */

struct ends {
	const struct maker *mk;
	const uint32_t *old; /* number of a node in mk->all */
};

static int cmp_edge(const void *ctx, uint32_t i, uint32_t j)
{
	const struct ends *e = ctx;
	const struct as_pg_edge *a = &e->mk->pg->edge.p[i], *b = &e->mk->pg->edge.p[j];
	const struct as_slice *name = e->mk->name.p;
	int c = cmp_val(a->weight, b->weight);

	if (!c)
		c = as_slice_cmp(name[e->old[a->src]], name[e->old[b->src]]);
	if (!c)
		c = as_slice_cmp(name[e->old[a->dst]], name[e->old[b->dst]]);
	return c ? c : i < j ? -1 : 1;
}

/* Drop light edges, and give each node its own in order. */
static bool finish_edges(struct maker *mk, const uint32_t *old, const uint32_t *fresh)
{
	struct as_pg *pg = mk->pg;
	struct ends ends = {mk, old};
	uint32_t *order;
	size_t n = 0, size;
	bool fine;

	for (size_t i = 0; i < pg->edge.n; i++) {
		struct as_pg_edge e = pg->edge.p[i];

		e.src = fresh[e.src];
		e.dst = fresh[e.dst];
		if (absolute(e.weight) >= pg->edge_cutoff)
			pg->edge.p[n++] = e;
	}
	pg->dropped_edges = pg->edge.n - n;
	pg->edge.n = n;
	size = n * sizeof(*order) + 1;
	order = as_alloc_new(pg->al, size);
	fine = order && as_vec_reserve(pg->al, &pg->in, n + 1) &&
	       as_vec_reserve(pg->al, &pg->out, n + 1);
	for (uint32_t i = 0; fine && i < n; i++)
		order[i] = i;
	fine = fine && as_sort_rows(pg->al, order, n, cmp_edge, &ends);
	for (size_t i = 0; fine && i < n; i++) {
		pg->node.p[pg->edge.p[i].dst].n_in++;
		pg->node.p[pg->edge.p[i].src].n_out++;
	}
	for (size_t i = 1; fine && i < pg->node.n; i++) {
		pg->node.p[i].in = pg->node.p[i - 1].in + pg->node.p[i - 1].n_in;
		pg->node.p[i].out = pg->node.p[i - 1].out + pg->node.p[i - 1].n_out;
		pg->node.p[i - 1].n_in = pg->node.p[i - 1].n_out = 0;
	}
	if (fine && pg->node.n)
		pg->node.p[pg->node.n - 1].n_in = pg->node.p[pg->node.n - 1].n_out = 0;
	for (size_t i = 0; fine && i < n; i++) {
		const struct as_pg_edge *e = &pg->edge.p[order[i]];
		struct as_pg_node *src = &pg->node.p[e->src], *dst = &pg->node.p[e->dst];

		pg->in.p[dst->in + dst->n_in++] = order[i];
		pg->out.p[src->out + src->n_out++] = order[i];
	}
	pg->in.n = pg->out.n = fine ? n : 0;
	as_alloc_free(pg->al, order, size);
	return fine;
}

static bool finish(struct maker *mk)
{
	struct as_pg *pg = mk->pg;
	size_t n, size = mk->all.n * sizeof(uint32_t) + 1;
	uint32_t *old = sorted(mk, &n), *fresh = as_alloc_new(pg->al, size);
	bool fine = old && fresh && as_vec_reserve(pg->al, &pg->node, n + 1);

	for (uint32_t i = 0; fine && i < n; i++) {
		fresh[old[i]] = i;
		pg->node.p[pg->node.n++] = mk->all.p[old[i]];
	}
	fine = fine && finish_edges(mk, old, fresh);
	as_alloc_free(pg->al, fresh, size);
	as_alloc_free(pg->al, old, size);
	return fine;
}

static as_val fraction(as_val total, double f)
{
	return absolute((as_val)((double)total * f));
}

static bool make(struct maker *mk)
{
	struct as_pg *pg = mk->pg;
	size_t places = mk->prof->place.func.n * sizeof(*mk->of_place);
	as_val cum = 0;
	bool fine;

	mk->of_place = as_arena_get(&pg->arena, places + 1);
	if (!mk->of_place)
		return false;
	memset(mk->of_place, 0, places);
	if (!find_nodes(mk))
		return false;
	mk->keep = as_arena_get(&pg->arena, mk->all.n + 1);
	mk->seen = as_arena_get(&pg->arena, (mk->all.n + 1) * sizeof(*mk->seen));
	if (!mk->keep || !mk->seen)
		return false;
	memset(mk->keep, 1, mk->all.n);
	fine = build(mk);
	for (size_t i = 0; i < mk->all.n; i++)
		cum += mk->all.p[i].flat;
	pg->node_cutoff = fraction(cum, mk->opts->node_fraction);
	pg->edge_cutoff = fraction(cum, mk->opts->edge_fraction);
	return fine && (!pg->node_cutoff || drop_light_nodes(mk)) && keep_first(mk) && finish(mk);
}

enum as_code as_pg_make(struct as_pg *pg, const struct as_profile *prof,
	const struct as_pg_opts *opts, struct as_err *err)
{
	struct maker mk = {.pg = pg, .prof = prof, .opts = opts};
	bool fine;

	*pg = (struct as_pg){.al = prof->al};
	as_arena_init(&pg->arena, prof->al);
	as_index_init(&mk.nodes, prof->al);
	as_index_init(&mk.edges, prof->al);
	fine = make(&mk);
	as_index_release(&mk.nodes);
	as_index_release(&mk.edges);
	as_vec_free(prof->al, &mk.all);
	as_vec_free(prof->al, &mk.name);
	as_vec_free(prof->al, &mk.seen_edge);
	as_vec_free(prof->al, &mk.path);
	return fine ? AS_OK : as_err_set(err, AS_E_NOMEM, "out of memory");
}

void as_pg_release(struct as_pg *pg)
{
	as_vec_free(pg->al, &pg->node);
	as_vec_free(pg->al, &pg->edge);
	as_vec_free(pg->al, &pg->in);
	as_vec_free(pg->al, &pg->out);
	as_arena_release(&pg->arena);
}
