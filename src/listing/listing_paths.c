/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call chains to rows of a listing. Each node of the tree that is a frame of the function, or was
 * inlined below one, belongs to a row; one that is called from such a frame to a call.
 */
#include "base/pool.h"
#include "change/kit/tree.h"
#include "listing/listing_impl.h"

struct walk {
	struct as_lister *l;
	size_t n;
	as_val *cost;   /* of each node, with what is below: n_events values */
	uint32_t *row;  /* of each node: row + 1; 0 = not ours */
	uint32_t *call; /* of each node: call + 1 */
	uint8_t *outer;
};

/* The row of a frame of the function (PARENT 0) or of one that was inlined below row PARENT - 1. */
static enum as_code frame_row(struct walk *w, as_place place, uint32_t parent, uint32_t *row)
{
	struct as_lister *l = w->l;
	struct as_pos pos = as_place_pos(l->prof, place);
	struct as_list_row key = {.parent = parent,
		.func = as_lister_func(l, pos.func),
		.file = pos.file,
		.line = pos.line};
	struct as_list_row *have;

	as_assert(parent <= l->out->row.n);
	if (!l->out->by_addr) {
		key.depth = parent ? l->out->row.p[parent - 1].depth + 1 : 0;
		return as_lister_row(l, &key, row);
	}
	key.parent = 0;
	key.addr = as_lister_addr(l, pos.addr ? pos.addr : l->prof->func.addr.p[pos.func.i]);
	AS_TRY(as_lister_row(l, &key, row));
	have = &l->out->row.p[*row];
	/* The innermost function's line is the instruction's, even if it is not known. */
	if (parent || (!have->line && have->func.i == l->group)) {
		have->func = key.func;
		have->file = key.file;
		have->line = key.line;
	}
	return AS_OK;
}

static enum as_code list_paths_visit(struct walk *w, uint32_t node)
{
	struct as_lister *l = w->l;
	const struct as_profile *prof = l->prof;
	as_place place = prof->node.place.p[node];
	uint32_t above = w->row[prof->node.parent.p[node].i], row, call;
	bool ours = as_lister_is_ours(l, prof->place.func.p[place.i], prof->place.addr.p[place.i]);
	bool inlined = prof->place.inlined.p[place.i] && above;

	if (above && !inlined) {
		AS_TRY(as_lister_call(l, above - 1, prof->place.func.p[place.i], &call));
		w->call[node] = call + 1;
		l->out->call.p[call].inner |= ours;
	}
	if (!ours && !inlined)
		return AS_OK;
	AS_TRY(frame_row(w, place, ours ? 0 : above, &row));
	w->row[node] = row + 1;
	return AS_OK;
}

/* What was sampled in each node and below it; self cost goes to the rows on the way. */
static void sum_nodes(struct walk *w)
{
	struct as_lister *l = w->l;
	const struct as_profile *prof = l->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t node = prof->sample.node.p[i].i;
		const as_val *v = as_at(prof->sample.cost.p, i * l->e);

		as_vals_add(w->cost + (size_t)node * l->e, v, l->e);
		if (w->row[node])
			as_vals_add(as_at(l->out->row_self.p, (size_t)(w->row[node] - 1) * l->e), v,
				l->e);
	}
	for (size_t i = w->n; i-- > 1;)
		as_vals_add(w->cost + (size_t)prof->node.parent.p[i].i * l->e, w->cost + i * l->e,
			l->e);
}

/* Add each node's cost to what KEY leads to, where no node above it leads to the same. */
static bool add_outermost(struct walk *w, const uint32_t *key, size_t n_keys, as_val *sum)
{
	struct as_lister *l = w->l;

	memset(w->outer, 0, w->n);
	if (!as_tree_outermost(l->prof, l->ls->live, key, n_keys, w->outer))
		return false;
	for (size_t i = 1; i < w->n; i++)
		if (w->outer[i] && key[i])
			as_vals_add(
				as_at(sum, (size_t)(key[i] - 1) * l->e), w->cost + i * l->e, l->e);
	return true;
}

static enum as_code list_paths_walk(struct walk *w, const struct as_alloc *al)
{
	struct as_lister *l = w->l;

	if (!as_alloc_array(al, &w->cost, w->n * l->e) || !as_alloc_array(al, &w->row, w->n) ||
		!as_alloc_array(al, &w->call, w->n) || !as_alloc_array(al, &w->outer, w->n))
		return AS_E_NOMEM;
	for (uint32_t node = 1; node < w->n; node++)
		if (l->ls->live[node])
			AS_TRY(list_paths_visit(w, node));
	sum_nodes(w);
	if (!add_outermost(w, w->row, l->out->row.n + 1, l->out->row_incl.p) ||
		!add_outermost(w, w->call, l->out->call.n + 1, l->out->call_cost.p))
		return AS_E_NOMEM;
	return AS_OK;
}

enum as_code as_lister_paths(struct as_lister *l)
{
	struct walk w = {.l = l, .n = l->ls->live ? l->prof->node.parent.n : 0};
	struct as_pool pool;
	enum as_code rc;

	if (!w.n)
		return AS_OK;
	as_pool_init(&pool, l->al);
	rc = list_paths_walk(&w, &pool.al);
	as_pool_release(&pool);
	return rc;
}
