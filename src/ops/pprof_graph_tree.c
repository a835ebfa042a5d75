/* SPDX-License-Identifier: Apache-2.0 */
/* pprof's call tree: a node is a path of frames from the root. */
#include "ops/pprof_graph_impl.h"

/* All paths, in columns. Row 0 stands above the roots. */
struct tree {
	struct as_pg_maker *mk;
	AS_VEC(uint32_t) parent; /* < the row itself */
	AS_VEC(uint32_t) key;    /* in mk->all, which has each frame once */
	AS_VEC(uint32_t) func;   /* rows of one function, on one path to it, have the same */
	AS_VEC(as_val) flat, cum, flat_div, cum_div;
	AS_VEC(uint8_t) inlined; /* all frames that it is are */
	uint32_t *row_of;        /* of each node of the profile */
	struct as_index rows, funcs;
};

static bool add_row(struct tree *t, uint32_t parent, uint32_t key, uint32_t func)
{
	const struct as_alloc *al = t->mk->pg->al;

	return as_vec_push(al, &t->parent, parent) && as_vec_push(al, &t->key, key) &&
	       as_vec_push(al, &t->func, func) && as_vec_push(al, &t->flat, 0) &&
	       as_vec_push(al, &t->cum, 0) && as_vec_push(al, &t->flat_div, 0) &&
	       as_vec_push(al, &t->cum_div, 0) && as_vec_push(al, &t->inlined, 1);
}

/* The first row below PARENT that is of the function of KEY: the next one, if there is none. */
static bool find_func(struct tree *t, uint32_t parent, uint32_t key, uint32_t *func)
{
	uint32_t of = t->mk->all.p[key].func;
	uint64_t hash = as_hash_mix(parent, of), pos = AS_INDEX_START;

	while (as_index_find(&t->funcs, hash, &pos, func))
		if (t->parent.p[*func] == parent && t->mk->all.p[t->key.p[*func]].func == of)
			return true;
	*func = (uint32_t)t->parent.n;
	return as_index_add(&t->funcs, hash, *func);
}

static bool find_row(struct tree *t, uint32_t parent, uint32_t key, uint32_t *row)
{
	uint64_t hash = as_hash_mix(parent, key), pos = AS_INDEX_START;
	uint32_t func;

	while (as_index_find(&t->rows, hash, &pos, row))
		if (t->parent.p[*row] == parent && t->key.p[*row] == key)
			return true;
	*row = (uint32_t)t->parent.n;
	return *row < UINT32_MAX - 1 && find_func(t, parent, key, &func) &&
	       as_index_add(&t->rows, hash, *row) && add_row(t, parent, key, func);
}

/* What is used: a node that a sample which is not 0 goes through. */
static void mark_used(const struct as_pg_maker *mk, uint8_t *used)
{
	const struct as_profile *prof = mk->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++)
		if (as_pg_value(mk, i) || as_pg_div(mk, i))
			used[prof->sample.node.p[i].i] = 1;
	for (size_t i = prof->node.parent.n; i-- > 1;)
		used[prof->node.parent.p[i].i] |= used[i];
}

/* Find the row of each node; parents come before their children in both. */
static bool find_rows(struct tree *t, const uint8_t *used)
{
	uint32_t *row_of = t->row_of;
	const struct as_profile *prof = t->mk->prof;

	row_of[0] = 0;
	for (uint32_t i = 1; i < prof->node.parent.n; i++) {
		uint32_t place = prof->node.place.p[i].i, up = row_of[prof->node.parent.p[i].i];

		row_of[i] = up;
		if (!used[i] || as_pg_skips(t->mk, place))
			continue;
		if (!find_row(t, up, t->mk->of_place[place] - 1, &row_of[i]))
			return false;
		t->inlined.p[row_of[i]] &= prof->place.inlined.p[place];
	}
	return true;
}

static void add_costs(struct tree *t)
{
	const struct as_profile *prof = t->mk->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t row = t->row_of[prof->sample.node.p[i].i];

		t->flat.p[row] += as_pg_value(t->mk, i);
		t->flat_div.p[row] += as_pg_div(t->mk, i);
	}
	for (size_t i = t->parent.n; i-- > 1;) {
		t->cum.p[i] += t->flat.p[i];
		t->cum.p[t->parent.p[i]] += t->cum.p[i];
		t->cum_div.p[i] += t->flat_div.p[i];
		t->cum_div.p[t->parent.p[i]] += t->cum_div.p[i];
	}
}

static bool fill(struct tree *t)
{
	size_t n = t->mk->prof->node.parent.n;
	uint8_t *used = as_alloc_new(t->mk->pg->al, n + 1);
	bool fine = used && add_row(t, 0, 0, 0);

	t->row_of = as_alloc_new(t->mk->pg->al, n * sizeof(*t->row_of) + 1);
	fine = fine && t->row_of;
	if (fine) {
		memset(used, 0, n);
		mark_used(t->mk, used);
		fine = find_rows(t, used);
	}
	if (fine)
		add_costs(t);
	as_alloc_free(t->mk->pg->al, used, used ? n + 1 : 0);
	return fine;
}

/* ---- from the tree to nodes and edges ---- */

/* Rows without any cost are no nodes. */
static bool is_node(const struct tree *t, uint32_t row)
{
	return as_pg_is_node(t->mk, t->flat.p[row], t->cum.p[row]);
}

static bool is_kept(const struct tree *t, uint32_t row)
{
	return is_node(t, row) && as_pg_absolute(t->cum.p[row]) >= t->mk->pg->node_cutoff;
}

struct emit {
	AS_VEC(struct as_pg_node) node;
	AS_VEC(struct as_slice) name;
	uint32_t *fresh;  /* of each row: the number of its node; of a row that is dropped, that of
			    the nearest above which is not. AS_PG_NONE: none */
	uint8_t *inlined; /* of a row that is dropped: so is all up to that one */
};

static bool emit_row(struct tree *t, struct emit *e, uint32_t row)
{
	const struct as_alloc *al = t->mk->pg->al;
	uint32_t up = t->parent.p[row], key = t->key.p[row];
	bool direct = !up || is_kept(t, up);
	struct as_pg_edge edge = {.src = e->fresh[up],
		.dst = (uint32_t)e->node.n,
		.weight = t->cum.p[row],
		.div = t->cum_div.p[row],
		.residual = !direct,
		.inlined = t->inlined.p[row] && (direct || e->inlined[up])};
	struct as_pg_node n = t->mk->all.p[key];

	n.flat = t->flat.p[row];
	n.cum = t->cum.p[row];
	n.flat_div = t->flat_div.p[row];
	n.cum_div = t->cum_div.p[row];
	n.func = t->func.p[row];
	e->fresh[row] = edge.dst;
	return as_vec_push(al, &e->node, n) && as_vec_push(al, &e->name, t->mk->name.p[key]) &&
	       (edge.src == AS_PG_NONE || as_vec_push(al, &t->mk->pg->edge, edge));
}

static bool emit_all(struct tree *t, struct emit *e)
{
	e->fresh[0] = AS_PG_NONE;
	for (uint32_t i = 1; i < t->parent.n; i++) {
		uint32_t up = t->parent.p[i];
		bool direct = !up || is_kept(t, up);

		if (is_kept(t, i)) {
			if (!emit_row(t, e, i))
				return false;
			continue;
		}
		t->mk->pg->dropped_nodes += is_node(t, i);
		e->fresh[i] = e->fresh[up];
		e->inlined[i] = t->inlined.p[i] && (direct || e->inlined[up]);
	}
	return true;
}

/* A sample's tags cost at all that is on its path. */
static bool tag_sample(struct tree *t, const struct emit *e, size_t i)
{
	const struct as_profile *prof = t->mk->prof;
	uint32_t part = prof->sample.part.p[i], leaf = t->row_of[prof->sample.node.p[i].i];
	as_val v = as_pg_value(t->mk, i), div = as_pg_div(t->mk, i);

	for (uint32_t row = v || div ? leaf : 0; row; row = t->parent.p[row]) {
		struct as_pg_tagged what = {.node = e->fresh[row],
			.cum = v,
			.cum_div = div,
			.flat = row == leaf ? v : 0,
			.flat_div = row == leaf ? div : 0};

		if (is_kept(t, row) && !as_pg_add_tags(t->mk, part, &what))
			return false;
	}
	return true;
}

static bool tag_all(struct tree *t, const struct emit *e)
{
	for (size_t i = 0; t->mk->opts->tags && i < t->mk->prof->sample.node.n; i++)
		if (!tag_sample(t, e, i))
			return false;
	return true;
}

/* mk->all and mk->name, which had each frame once, become the nodes that are kept. */
static bool emit(struct tree *t)
{
	struct as_pg_maker *mk = t->mk;
	const struct as_alloc *al = mk->pg->al;
	size_t n = t->parent.n, size = n * (sizeof(uint32_t) + 1);
	struct emit e = {.fresh = as_alloc_new(al, size)};
	bool fine = e.fresh != NULL;

	e.inlined = (uint8_t *)(e.fresh + n);
	fine = fine && emit_all(t, &e) && tag_all(t, &e);
	as_alloc_free(al, e.fresh, e.fresh ? size : 0);
	if (!fine) {
		as_vec_free(al, &e.node);
		as_vec_free(al, &e.name);
		return false;
	}
	as_vec_free(al, &mk->all);
	as_vec_free(al, &mk->name);
	memcpy(&mk->all, &e.node, sizeof(mk->all));
	memcpy(&mk->name, &e.name, sizeof(mk->name));
	return true;
}

bool as_pg_build_tree(struct as_pg_maker *mk)
{
	struct tree t = {.mk = mk};
	const struct as_alloc *al = mk->pg->al;
	as_val flat = 0;
	bool fine;

	as_index_init(&t.rows, al);
	as_index_init(&t.funcs, al);
	fine = fill(&t);
	for (size_t i = 1; fine && i < t.parent.n; i++)
		flat += is_node(&t, (uint32_t)i) ? t.flat.p[i] : 0;
	as_pg_set_cutoffs(mk, flat);
	fine = fine && emit(&t);
	as_index_release(&t.rows);
	as_index_release(&t.funcs);
	as_alloc_free(al, t.row_of, t.row_of ? mk->prof->node.parent.n * sizeof(*t.row_of) + 1 : 0);
	as_vec_free(al, &t.parent);
	as_vec_free(al, &t.key);
	as_vec_free(al, &t.func);
	as_vec_free(al, &t.flat);
	as_vec_free(al, &t.cum);
	as_vec_free(al, &t.flat_div);
	as_vec_free(al, &t.cum_div);
	as_vec_free(al, &t.inlined);
	return fine;
}

/* ---- trimming ---- */

/* The edge into a node that stays comes from the nearest above that does. */
static void lift(struct as_pg_maker *mk, uint32_t *edge_to)
{
	struct as_pg *pg = mk->pg;

	for (size_t i = 0; i < pg->edge.n; i++) {
		struct as_pg_edge *e = &pg->edge.p[i];
		const struct as_pg_edge *above;

		if (mk->keep[e->src])
			continue;
		if (edge_to[e->src] == AS_PG_NONE) {
			edge_to[e->dst] = AS_PG_NONE;
			continue;
		}
		above = &pg->edge.p[edge_to[e->src]];
		e->src = above->src;
		e->residual = true;
		e->inlined &= above->inlined;
	}
}

bool as_pg_trim_tree(struct as_pg_maker *mk)
{
	struct as_pg *pg = mk->pg;
	size_t n = 0, size = mk->all.n * sizeof(uint32_t) + 1;
	uint32_t *edge_to = as_alloc_new(pg->al, size);

	if (!edge_to)
		return false;
	memset(edge_to, 0xff, mk->all.n * sizeof(uint32_t));
	for (uint32_t i = 0; i < pg->edge.n; i++)
		edge_to[pg->edge.p[i].dst] = i;
	lift(mk, edge_to);
	for (size_t i = 0; i < pg->edge.n; i++)
		if (mk->keep[pg->edge.p[i].dst] && edge_to[pg->edge.p[i].dst] != AS_PG_NONE)
			pg->edge.p[n++] = pg->edge.p[i];
	pg->edge.n = n;
	as_alloc_free(pg->al, edge_to, size);
	return true;
}
