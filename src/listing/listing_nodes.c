/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tree of paths as listings need it, made once for all functions: the live nodes in an order in
 * which all that is below a node follows it, the nodes of each function, and what each node costs.
 */
#include "listing/listing_impl.h"

/* Places in the order: a node's own, then those of its children, in ascending order. */
static bool nodes_order(struct as_list_nodes *t, const struct as_listings *ls)
{
	const as_node *parent = ls->prof->node.parent.p;
	const uint8_t *live = ls->live;
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

		if (!ls->live[i])
			continue;
		group = ls->fold.group[prof->place.func.p[prof->node.place.p[i].i].i];
		t->next[i] = t->first[group];
		t->first[group] = i;
	}
}

static void nodes_cost(struct as_list_nodes *t, const struct as_profile *prof, uint32_t e)
{
	for (size_t i = 0; i < prof->sample.node.n; i++)
		as_vals_add(t->cost + (size_t)prof->sample.node.p[i].i * e,
			as_at(prof->sample.cost.p, i * e), e);
	for (size_t i = t->n; i-- > 1;)
		as_vals_add(t->cost + (size_t)prof->node.parent.p[i].i * e, t->cost + i * e, e);
}

bool as_list_nodes_make(struct as_listings *ls)
{
	struct as_list_nodes *t = &ls->nodes;
	uint32_t e = as_n_events(ls->prof);

	if (t->n || !ls->live)
		return true;
	as_pool_init(&t->pool, ls->al);
	t->n = ls->prof->node.parent.n;
	if (!as_alloc_array(&t->pool.al, &t->at, t->n) ||
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
