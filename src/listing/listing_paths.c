/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call chains to rows of a listing. Each node of the tree that is a frame of the function, or was
 * inlined below one, belongs to a row; one that is called from such a frame to a call. No other
 * node is looked at, so what all functions take is what the tree has.
 */
#include "base/sort.h"
#include "listing/listing_impl.h"

struct walk {
	struct as_lister *l;
	struct as_list_nodes *t;
	AS_VEC(uint32_t) node; /* those that have a row or a call, in ascending order */
};

/* The start of the instruction that ADDR lies in, or ADDR. */
static uint64_t paths_addr(const struct as_lister *l, uint64_t addr)
{
	const struct as_list_span *span = l->ls->span;
	size_t n = as_rows_up_to(span, l->ls->n_span, start, addr);

	return n && addr < span[n - 1].limit ? span[n - 1].start : addr;
}

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
	key.addr = paths_addr(l, pos.addr ? pos.addr : l->prof->func.addr.p[pos.func.i]);
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

static bool paths_is_ours(const struct as_lister *l, uint32_t node)
{
	as_place place = l->ls->nodes.place[node];

	return as_lister_is_ours(l, l->prof->place.func.p[place.i], l->prof->place.addr.p[place.i]);
}

static enum as_code list_paths_visit(struct walk *w, uint32_t node)
{
	struct as_lister *l = w->l;
	const struct as_profile *prof = l->prof;
	as_place place = w->t->place[node];
	uint32_t above = w->t->row[w->t->parent[node].i], row, call;
	bool ours = paths_is_ours(l, node);
	bool inlined = prof->place.inlined.p[place.i] && above;

	if (above && !inlined) {
		AS_TRY(as_lister_call(l, above - 1, prof->place.func.p[place.i], &call));
		w->t->call[node] = call + 1;
		l->out->call.p[call].inner |= ours;
	}
	if (!ours && !inlined)
		return AS_OK;
	AS_TRY(frame_row(w, place, ours ? 0 : above, &row));
	w->t->row[node] = row + 1;
	return AS_OK;
}

/* ---- which nodes ---- */

/* The function's own; those of a stretch are of many groups. */
static bool paths_own(struct walk *w)
{
	struct as_list_nodes *t = w->t;

	if (!w->l->out->stretch.addr) {
		for (uint32_t i = t->first[w->l->group]; i; i = t->next[i])
			if (!as_vec_push(w->l->al, &w->node, i))
				return false;
		return true;
	}
	for (uint32_t i = 1; i < t->n; i++)
		if (t->live[i] && paths_is_ours(w->l, i))
			if (!as_vec_push(w->l->al, &w->node, i))
				return false;
	return true;
}

/* And what is called from them, with what was inlined on the way. */
static bool paths_called(struct walk *w)
{
	const struct as_profile *prof = w->l->prof;
	const struct as_list_nodes *t = w->t;
	size_t own = w->node.n;

	for (size_t i = 0; i < w->node.n; i++) {
		uint32_t node = w->node.p[i];

		if (i >= own && !prof->place.inlined.p[t->place[node].i])
			continue;
		for (uint32_t at = t->pre[node] + 1; at < t->end[node]; at = t->end[t->at[at]])
			if (!paths_is_ours(w->l, t->at[at]) &&
				!as_vec_push(w->l->al, &w->node, t->at[at]))
				return false;
	}
	return true;
}

static int paths_cmp_node(const void *ctx, uint32_t a, uint32_t b)
{
	(void)ctx;
	return as_cmp_u64(a, b);
}

static int paths_cmp_place(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_list_nodes *t = ctx;

	return as_cmp_u64(t->pre[a], t->pre[b]);
}

/* ---- what they cost ---- */

/* What was sampled in nodes with a row, and not below them, goes to the row. */
static void paths_add_self(struct walk *w)
{
	struct as_lister *l = w->l;
	const struct as_list_nodes *t = w->t;

	for (size_t i = 0; i < w->node.n; i++) {
		uint32_t node = w->node.p[i];
		as_val *self = l->scratch, *to;

		if (!t->row[node])
			continue;
		memcpy(self, t->cost + (size_t)node * l->e, l->e * sizeof(as_val));
		for (uint32_t at = t->pre[node] + 1; at < t->end[node]; at = t->end[t->at[at]])
			for (uint32_t k = 0; k < l->e; k++)
				self[k] -= t->cost[(size_t)t->at[at] * l->e + k];
		to = as_at(l->out->row_self.p, (size_t)(t->row[node] - 1) * l->e);
		as_vals_add(to, self, l->e);
	}
}

/* Add each node's cost to what KEY (of N_KEYS) leads to, where no node above it leads to the same.
 * The nodes are in the order of their places. */
static bool paths_add_outermost(struct walk *w, const uint32_t *key, size_t n_keys, as_val *sum)
{
	struct as_lister *l = w->l;
	const struct as_list_nodes *t = w->t;
	uint32_t *on_path; /* of each key: how many of the nodes above have it */
	AS_VEC(uint32_t) above = {0};
	bool ok = as_alloc_array(l->al, &on_path, n_keys);

	for (size_t i = 0; ok && i < w->node.n; i++) {
		uint32_t node = w->node.p[i];

		if (!key[node])
			continue;
		while (above.n && t->end[above.p[above.n - 1]] <= t->pre[node])
			on_path[key[above.p[--above.n]]]--;
		if (on_path[key[node]]++ == 0)
			as_vals_add(as_at(sum, (size_t)(key[node] - 1) * l->e),
				t->cost + (size_t)node * l->e, l->e);
		ok = as_vec_push(l->al, &above, node);
	}
	as_vec_free(l->al, &above);
	as_alloc_free(l->al, on_path, n_keys * sizeof(*on_path) + 1);
	return ok;
}

static enum as_code list_paths_walk(struct walk *w)
{
	struct as_lister *l = w->l;
	struct as_list_nodes *t = w->t;

	AS_TRY(as_memory(paths_own(w) && paths_called(w) &&
			 as_sort_rows(l->al, w->node.p, w->node.n, paths_cmp_node, NULL)));
	for (size_t i = 0; i < w->node.n; i++)
		AS_TRY(list_paths_visit(w, w->node.p[i]));
	paths_add_self(w);
	return as_memory(as_sort_rows(l->al, w->node.p, w->node.n, paths_cmp_place, t) &&
			 paths_add_outermost(w, t->row, l->out->row.n + 1, l->out->row_incl.p) &&
			 paths_add_outermost(w, t->call, l->out->call.n + 1, l->out->call_cost.p));
}

enum as_code as_lister_paths(struct as_lister *l)
{
	struct walk w = {.l = l, .t = &l->ls->nodes};
	enum as_code rc;

	if (!l->ls->live)
		return AS_OK;
	AS_TRY(as_memory(as_list_nodes_make(l->ls)));
	rc = list_paths_walk(&w);
	for (size_t i = 0; i < w.node.n; i++)
		w.t->row[w.node.p[i]] = w.t->call[w.node.p[i]] = 0;
	as_vec_free(l->al, &w.node);
	return rc;
}
