/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of paths as listings need it, made once for all functions: the live nodes in an order in
 * which all that is below a node follows it, the nodes of each function, and what each node costs.
 * Where no more than rows is asked for, a place and what was inlined there stand in a small tree of
 * their own, once for all paths that they end.
 */
#include "base/index.h"
#include "listing/listing_impl.h"

/* ---- what was inlined where ---- */

struct chains {
	const struct as_alloc *al;
	AS_VEC(as_node) parent;
	AS_VEC(as_place) place;
	struct as_index inlined; /* of those that have a parent */
	uint32_t *outer;         /* of each place: the one without a parent; 0 = none yet */
};

/* The node of PLACE below PARENT, made if it is new; 0: out of memory. */
static uint32_t nodes_chain(struct chains *c, as_node parent, as_place place)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(parent.i, place.i);
	uint32_t at, new = (uint32_t)c->place.n;

	if (!parent.i && c->outer[place.i])
		return c->outer[place.i];
	while (parent.i && as_index_find(&c->inlined, hash, &pos, &at))
		if (c->parent.p[at].i == parent.i && c->place.p[at].i == place.i)
			return at;
	if (!as_vec_push(c->al, &c->parent, parent) || !as_vec_push(c->al, &c->place, place) ||
		(parent.i && !as_index_add(&c->inlined, hash, new)))
		return 0;
	if (!parent.i)
		c->outer[place.i] = new;
	return new;
}

/* OF becomes that of each node of the profile that is live. */
static bool nodes_chains(struct chains *c, const struct as_listings *ls, uint32_t *of)
{
	const struct as_profile *prof = ls->prof;

	if (!as_vec_push(c->al, &c->parent, (as_node){0}) ||
		!as_vec_push(c->al, &c->place, (as_place){0}) ||
		!as_alloc_array(c->al, &c->outer, prof->place.func.n))
		return false;
	for (size_t i = 1; i < prof->node.parent.n; i++) {
		as_place place = prof->node.place.p[i];
		bool inlined = prof->place.inlined.p[place.i];
		as_node above = {inlined ? of[prof->node.parent.p[i].i] : 0};

		if (ls->live[i] && !(of[i] = nodes_chain(c, above, place)))
			return false;
	}
	return true;
}

/* T becomes the tree of places and of what was inlined there, as large as the code. */
static bool nodes_of_chains(struct as_list_nodes *t, const struct as_listings *ls)
{
	struct chains c = {.al = &t->pool.al};
	uint8_t *live;
	bool ok;

	as_index_init(&c.inlined, c.al);
	ok = as_alloc_array(c.al, &t->of, t->n) && nodes_chains(&c, ls, t->of) &&
	     as_alloc_array(c.al, &live, c.place.n);
	if (!ok)
		return false;
	memset(live, 1, c.place.n);
	t->live = live;
	t->parent = c.parent.p;
	t->place = c.place.p;
	t->n = c.place.n;
	return true;
}

/* ---- the order ---- */

/* Places in the order: a node's own, then those of its children, in ascending order. */
static bool nodes_order(struct as_list_nodes *t, const struct as_listings *ls)
{
	const as_node *parent = t->parent;
	const uint8_t *live = t->live;
	uint32_t *room; /* of each node: where the next of its children goes */

	if (!as_alloc_array(ls->al, &room, t->n))
		return false;
	for (size_t i = t->n; i-- > 1;) { /* END is a size so far */
		t->end[i] += live[i];
		t->end[parent[i].i] += t->end[i];
	}
	t->end[0]++;
	room[0] = 1;
	for (uint32_t i = 1; i < t->n; i++) {
		if (!live[i])
			continue;
		t->pre[i] = room[parent[i].i];
		room[parent[i].i] += t->end[i];
		room[i] = t->pre[i] + 1;
		t->end[i] += t->pre[i];
		t->at[t->pre[i]] = i;
	}
	as_alloc_free(ls->al, room, t->n * sizeof(*room) + 1);
	return true;
}

/* The nodes of each group in ascending order. */
static void nodes_of_groups(struct as_list_nodes *t, const struct as_listings *ls)
{
	const struct as_profile *prof = ls->prof;

	for (uint32_t i = (uint32_t)t->n; i-- > 1;) {
		uint32_t group;

		if (!t->live[i])
			continue;
		group = ls->fold.group[prof->place.func.p[t->place[i].i].i];
		t->next[i] = t->first[group];
		t->first[group] = i;
	}
}

static void nodes_cost(struct as_list_nodes *t, const struct as_profile *prof, uint32_t e)
{
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t node = prof->sample.node.p[i].i;

		as_vals_add(t->cost + (size_t)(AS_HAS_ROWS && t->of ? t->of[node] : node) * e,
			as_at(prof->sample.cost.p, i * e), e);
	}
	for (size_t i = t->n; i-- > 1;)
		as_vals_add(t->cost + (size_t)t->parent[i].i * e, t->cost + i * e, e);
}

bool as_list_nodes_make(struct as_listings *ls)
{
	struct as_list_nodes *t = &ls->nodes;
	uint32_t e = as_n_events(ls->prof);

	if (t->n || !ls->live)
		return true;
	as_pool_init(&t->pool, ls->al);
	t->n = ls->prof->node.parent.n;
	t->parent = ls->prof->node.parent.p;
	t->place = ls->prof->node.place.p;
	t->live = ls->live;
	if ((AS_HAS_ROWS && ls->opts.rows && !nodes_of_chains(t, ls)) ||
		!as_alloc_array(&t->pool.al, &t->at, t->n) ||
		!as_alloc_array(&t->pool.al, &t->pre, t->n) ||
		!as_alloc_array(&t->pool.al, &t->end, t->n) ||
		!as_alloc_array(&t->pool.al, &t->next, t->n) ||
		!as_alloc_array(&t->pool.al, &t->first, ls->fold.n + 1) ||
		!as_alloc_array(&t->pool.al, &t->cost, t->n * e) ||
		!as_alloc_array(&t->pool.al, &t->row, t->n) ||
		!as_alloc_array(&t->pool.al, &t->call, t->n) || !nodes_order(t, ls)) {
		as_list_nodes_release(t);
		return false;
	}
	nodes_of_groups(t, ls);
	nodes_cost(t, ls->prof, e);
	return true;
}

void as_list_nodes_release(struct as_list_nodes *t)
{
	if (t->n)
		as_pool_release(&t->pool);
	*t = (struct as_list_nodes){0};
}
