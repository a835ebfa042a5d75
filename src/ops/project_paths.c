/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call chains. A path counts for a row once, at the outermost of its frames that belong to the
 * row; the same goes for pairs of rows.
 */
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

/* Scratch, all in one block. */
struct paths {
	as_val *sum;   /* of each node: cost of its subtree, e values */
	uint32_t *key; /* of each node */
	uint8_t *outer;
	size_t size;
};

static bool paths_init(struct as_proj *p, struct paths *t)
{
	size_t n = p->prof->node.parent.n;
	size_t each = p->e * sizeof(as_val) + sizeof(uint32_t) + 1;

	if (n > SIZE_MAX / 2 / each)
		return false;
	t->size = n * each;
	t->sum = as_alloc_new(p->al, t->size);
	if (!t->sum)
		return false;
	t->key = (uint32_t *)(t->sum + n * p->e);
	t->outer = (uint8_t *)(t->key + n);
	return true;
}

/* Own costs, then those of the subtrees: children come after their parents. */
static void sum_subtrees(struct as_proj *p, struct paths *t)
{
	const struct as_profile *prof = p->prof;
	uint32_t e = p->e;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t node = prof->sample.node.p[i].i;
		const as_val *cost = e ? prof->sample.cost.p + i * e : p->row;

		as_proj_add(t->sum + (size_t)node * e, cost, e);
		as_proj_add(as_proj_at(p, AS_COL_SELF, row_of(p, node)), cost, e);
		if (!node) /* without a stack: a path of one unknown frame */
			as_proj_add(as_proj_at(p, AS_COL_INCL, row_of(p, 0)), cost, e);
	}
	for (size_t i = prof->node.parent.n; i-- > 1;) {
		size_t parent = prof->node.parent.p[i].i;

		if (parent)
			as_proj_add(t->sum + parent * e, t->sum + i * e, e);
	}
}

static bool add_rows(struct as_proj *p, struct paths *t)
{
	size_t n = p->prof->node.parent.n;

	for (size_t i = 1; i < n; i++)
		t->key[i] = p->live[i] ? row_of(p, i) : 0;
	if (!as_tree_outermost(p->prof, p->live, t->key, p->key.n, t->outer))
		return false;
	for (size_t i = 1; i < n; i++)
		if (t->outer[i])
			as_proj_add(as_proj_at(p, AS_COL_INCL, t->key[i]), t->sum + i * p->e, p->e);
		else if (p->live[i])
			p->state.p[t->key[i]].has_in |= AS_IN_SELF;
	return true;
}

/* The first frame of a path is nobody's callee: it gets a key that is no edge. */
static bool add_edges(struct as_proj *p, struct paths *t)
{
	const struct as_profile *prof = p->prof;
	size_t n = prof->node.parent.n;

	for (size_t i = 1; i < n; i++) {
		uint32_t parent = prof->node.parent.p[i].i;

		t->key[i] = (uint32_t)p->graph.m;
		if (parent && p->live[i])
			t->key[i] = (uint32_t)(as_proj_edge(p, row_of(p, parent), row_of(p, i)) -
					       p->edge);
	}
	if (!as_tree_outermost(prof, p->live, t->key, p->graph.m + 1, t->outer))
		return false;
	for (size_t i = 1; i < n; i++)
		if (t->outer[i] && t->key[i] < p->graph.m)
			as_proj_add(p->edge[t->key[i]].cost, t->sum + i * p->e, p->e);
	return true;
}

enum as_code as_proj_paths_sums(struct as_proj *p)
{
	struct paths t;
	bool ok;

	if (!p->prof->sample.node.n)
		return AS_OK;
	if (!paths_init(p, &t))
		return AS_E_NOMEM;
	sum_subtrees(p, &t);
	ok = add_rows(p, &t) && (!p->edge || add_edges(p, &t));
	as_alloc_free(p->al, t.sum, t.size);
	return ok ? AS_OK : AS_E_NOMEM;
}
