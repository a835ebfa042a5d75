/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Views of the tree of paths. Only what is shown is unfolded, so the work is that of the shown
 * levels, not of all paths. From the callees' side a row is a node of the tree, from the
 * callers' a stretch of cursors, each a path on its way up to its root.
 */
#include "base/pool.h"
#include "base/sort.h"
#include "table/project_impl.h"
#include "tree/calltree.h"

struct cursor {
	uint32_t at;   /* where on its path it is */
	uint32_t from; /* where it started: there is its cost */
};

/* A row that is still to come, and what is below it. */
struct pending {
	struct as_tree_row row;
	size_t lo, hi; /* callees: lo is the node; else the cursors [lo, hi) */
};

struct viewer {
	struct as_tree_view *v;
	const struct as_calltree *ct;
	const struct as_alloc *al; /* for scratch */
	const struct as_tree_opts *opts;
	AS_VEC(struct pending) ahead; /* the next one last */
	AS_VEC(struct pending) level; /* children of one row */
	AS_VEC(uint32_t) order;       /* of LEVEL */
	uint32_t *on_chain;           /* of each key: rows above that are its */
	AS_VEC(uint32_t) chain;       /* their keys */

	uint32_t *start, *child; /* callees: children of each node */

	AS_VEC(struct cursor) cursor;
	struct cursor *scratch;
	uint32_t *group; /* of each key: its number in LEVEL + 1 */
	size_t cursors;  /* room in SCRATCH */
};

/* Room for N values of 0; SIZE_MAX if there is none. */
static size_t treeview_values(struct viewer *w, size_t n)
{
	size_t at = w->v->value.n;

	if (!as_vec_reserve(w->ct->al, &w->v->value, at + n + 1))
		return SIZE_MAX;
	memset(w->v->value.p + at, 0, n * sizeof(as_val));
	w->v->value.n = at + n;
	return at;
}

static const as_val *node_cost(const struct viewer *w, uint32_t node)
{
	return w->ct->cost.p + (size_t)node * w->ct->e;
}

/* ---- which rows of a level are shown ---- */

static bool treeview_is_small(const struct viewer *w, const struct pending *p)
{
	as_val cost = w->ct->e ? w->v->value.p[p->row.cost + w->opts->event] : 0;

	if (!p->row.depth && w->opts->keep_roots)
		return false;
	return (cost < 0 ? -cost : cost) < w->opts->min;
}

static int cmp_pending(const void *ctx, uint32_t a, uint32_t b)
{
	const struct viewer *w = ctx;
	const struct pending *x = &w->level.p[a], *y = &w->level.p[b];
	const as_val *cx = w->v->value.p + x->row.cost, *cy = w->v->value.p + y->row.cost;
	int cmp = as_costs_cmp(cx, cy, w->ct->e, w->opts->event);

	if (cmp)
		return cmp;
	if (x->row.kind != y->row.kind)
		return x->row.kind < y->row.kind ? -1 : 1;
	x = x->row.kind == AS_TREE_FUNC ? x : NULL;
	return !x ? 0 : as_calltree_cmp(w->ct, x->row.key, y->row.key);
}

/* One row for all of LEVEL that is not shown. */
static bool treeview_push_rest(struct viewer *w, uint32_t depth, bool too_deep)
{
	struct pending rest = {.row = {.depth = depth, .kind = AS_TREE_REST}};
	uint32_t e = w->ct->e, n = w->v->way == AS_TREE_CALLEES ? 2 * e : e;

	rest.row.cost = treeview_values(w, n);
	if (rest.row.cost == SIZE_MAX)
		return false;
	for (size_t i = 0; i < w->level.n; i++) {
		if (!too_deep && !treeview_is_small(w, &w->level.p[i]))
			continue;
		rest.row.n++;
		if (w->level.p[i].row.evidence == AS_TREE_ESTIMATED)
			rest.row.evidence = AS_TREE_ESTIMATED;
		/* All below is left out as well, so its inclusive cost is the rest's own. */
		for (uint32_t k = 0; k < n; k++)
			w->v->value.p[rest.row.cost + k] +=
				w->v->value.p[w->level.p[i].row.cost + k % e];
	}
	return !rest.row.n || as_vec_push(w->al, &w->ahead, rest);
}

/* LEVEL, at DEPTH, goes to what is to come. A path's beginning is no level deeper. */
static bool treeview_push_level(struct viewer *w, uint32_t depth)
{
	bool too_deep = w->opts->depth && depth >= w->opts->depth;
	uint32_t n = 0;

	if (!treeview_push_rest(w, depth, too_deep) ||
		!as_vec_reserve(w->al, &w->order, w->level.n + 1))
		return false;
	for (uint32_t i = 0; i < w->level.n; i++)
		if (!too_deep && !treeview_is_small(w, &w->level.p[i]))
			w->order.p[n++] = i;
	if (!as_sort_rows(w->al, w->order.p, n, cmp_pending, w))
		return false;
	while (n-- > 0)
		if (!as_vec_push(w->al, &w->ahead, w->level.p[w->order.p[n]]))
			return false;
	w->level.n = 0;
	return true;
}

/* ---- what is sure ---- */

static enum as_tree_evidence node_evidence(const struct as_calltree *ct, uint32_t node)
{
	unsigned bits = node < ct->exact.n ? ct->exact.p[node] : 0;

	if (!ct->estimated || (bits & AS_CALLTREE_SELF))
		return AS_TREE_EXACT;
	return bits & AS_CALLTREE_INCL ? AS_TREE_EXACT_INCL : AS_TREE_ESTIMATED;
}

/* Of ways up: all of BITS hold for where each of the cursors [LO, HI) is. */
static bool treeview_all_have(const struct viewer *w, size_t lo, size_t hi, unsigned bits)
{
	for (size_t i = lo; i < hi; i++) {
		uint32_t at = w->cursor.p[i].at;

		if (at >= w->ct->exact.n || (w->ct->exact.p[at] & bits) != bits)
			return false;
	}
	return true;
}

static void judge_level(struct viewer *w, bool exact)
{
	for (size_t i = 0; w->ct->estimated && !exact && i < w->level.n; i++)
		w->level.p[i].row.evidence = AS_TREE_ESTIMATED;
}

/* ---- callees ---- */

static bool treeview_link_children(struct viewer *w)
{
	const uint32_t *parent = w->ct->parent.p;
	size_t n = w->ct->parent.n;

	if (!as_alloc_array(w->al, &w->start, n + 2) || !as_alloc_array(w->al, &w->child, n))
		return false;
	/* Counted two places further on, so that filling leaves the starts where they belong. */
	for (size_t i = 1; i < n; i++)
		w->start[parent[i] + 2]++; /* a child's number is higher: <= n */
	for (size_t i = 1; i <= n; i++)
		w->start[i + 1] += w->start[i];
	as_assert(w->start[n + 1] + 1 == n);
	for (size_t i = 1; i < n; i++)
		w->child[w->start[parent[i] + 1]++] = (uint32_t)i;
	return true;
}

static bool callees_of(struct viewer *w, uint32_t node, uint32_t depth)
{
	uint32_t e = w->ct->e;

	for (uint32_t i = w->start[node]; i < w->start[node + 1]; i++) {
		uint32_t child = w->child[i];
		struct pending p = {.row = {.depth = depth,
					    .key = w->ct->key_of.p[child],
					    .evidence = node_evidence(w->ct, child),
					    .idle = child < w->ct->exact.n &&
						    (w->ct->exact.p[child] & AS_CALLTREE_IDLE)},
			.lo = child};
		as_val *v;

		if (w->ct->exact.n && !as_calltree_costs(w->ct, child))
			continue; /* what was estimated here is elsewhere, for sure */
		p.row.cost = treeview_values(w, 2 * (size_t)e);
		if (p.row.cost == SIZE_MAX)
			return false;
		v = w->v->value.p + p.row.cost;
		as_vals_add(v, node_cost(w, child), e);
		as_vals_add(v + e, node_cost(w, child), e);
		for (uint32_t k = w->start[child]; k < w->start[child + 1]; k++)
			as_proj_sub(v + e, node_cost(w, w->child[k]), e);
		if (!as_vec_push(w->al, &w->level, p))
			return false;
	}
	return treeview_push_level(w, depth);
}

/* ---- callers ---- */

/* The row of LEVEL that a cursor belongs to, at its place; made if it is new. NULL: no memory. */
static struct pending *treeview_group_of(
	struct viewer *w, uint32_t at, uint32_t depth, uint32_t *none)
{
	uint32_t *group = at ? &w->group[w->ct->key_of.p[at]] : none;
	struct pending p = {.row = {.depth = depth}};

	if (*group)
		return &w->level.p[*group - 1];
	p.row.kind = at ? AS_TREE_FUNC : AS_TREE_NO_CALLER;
	p.row.key = at ? w->ct->key_of.p[at] : 0;
	p.row.cost = treeview_values(w, w->ct->e);
	if (p.row.cost == SIZE_MAX || !as_vec_push(w->al, &w->level, p))
		return NULL;
	*group = (uint32_t)w->level.n;
	return &w->level.p[w->level.n - 1];
}

/* The cursors [LO, HI) become a level, those of one key side by side. */
static bool group_cursors(struct viewer *w, size_t lo, size_t hi, uint32_t depth)
{
	uint32_t none = 0;
	size_t at = lo;

	for (size_t i = lo; i < hi; i++) {
		struct pending *p = treeview_group_of(w, w->cursor.p[i].at, depth, &none);

		if (!p)
			return false;
		p->hi++;
		as_vals_add(
			w->v->value.p + p->row.cost, node_cost(w, w->cursor.p[i].from), w->ct->e);
	}
	for (size_t i = 0; i < w->level.n; i++) {
		size_t n = w->level.p[i].hi;

		w->level.p[i].lo = w->level.p[i].hi = at;
		at += n;
	}
	as_assert(at == hi && hi - lo <= w->cursors);
	if (hi > lo)
		memcpy(w->scratch, w->cursor.p + lo, (hi - lo) * sizeof(*w->scratch));
	for (size_t i = 0; i < hi - lo; i++) {
		struct pending *p = treeview_group_of(w, w->scratch[i].at, depth, &none);

		w->cursor.p[p->hi++] = w->scratch[i];
	}
	for (size_t i = 0; i < w->level.n; i++)
		if (w->level.p[i].row.kind == AS_TREE_FUNC)
			w->group[w->level.p[i].row.key] = 0;
	return true;
}

static bool callers_of(struct viewer *w, const struct pending *p)
{
	bool exact =
		!p->row.evidence && ((w->v->way == AS_TREE_CALLERS && !p->row.depth) ||
					    treeview_all_have(w, p->lo, p->hi, AS_CALLTREE_ONLY));

	for (size_t i = p->lo; i < p->hi; i++)
		w->cursor.p[i].at = w->ct->parent.p[w->cursor.p[i].at];
	if (!group_cursors(w, p->lo, p->hi, p->row.depth + 1))
		return false;
	judge_level(w, exact);
	if (w->level.n == 1 && w->level.p[0].row.kind == AS_TREE_NO_CALLER) {
		w->level.n = 0; /* it would repeat what the row above says */
		return true;
	}
	return treeview_push_level(w, p->row.depth + 1);
}

static bool treeview_is_wanted(const struct viewer *w, uint32_t node)
{
	return as_calltree_is(&w->ct->key.p[w->ct->key_of.p[node]], w->opts->of);
}

/* A function without the cost that is asked for is one row. */
static bool push_empty(struct viewer *w)
{
	uint32_t at = 1, none = 0;

	if (!w->opts->of)
		return true;
	while (at < w->ct->parent.n && !treeview_is_wanted(w, at))
		at++;
	if (at == w->ct->parent.n)
		return true;
	if (!treeview_group_of(w, at, 0, &none))
		return false;
	w->group[w->ct->key_of.p[at]] = 0;
	return true;
}

/* The paths that are followed up: for callers from the outermost node of each. Where it is known
 * what a function costs by all calls of it, so is what each call costs. */
static bool make_cursors(struct viewer *w)
{
	bool outermost = w->v->way == AS_TREE_CALLERS;
	uint32_t n = (uint32_t)w->ct->parent.n;
	uint8_t *inside;

	if (!as_alloc_array(w->al, &inside, n))
		return false;
	for (uint32_t i = 1; i < n; i++) {
		bool wanted = treeview_is_wanted(w, i), below = inside[w->ct->parent.p[i]];

		inside[i] = outermost && (below || wanted);
		if (wanted && !below && as_calltree_costs(w->ct, i) &&
			!as_vec_push(w->al, &w->cursor, ((struct cursor){i, i})))
			return false;
	}
	w->cursors = w->cursor.n;
	if (!as_alloc_array(w->al, &w->scratch, w->cursors) ||
		!as_alloc_array(w->al, &w->group, w->ct->key.n) ||
		!group_cursors(w, 0, w->cursor.n, 0) || (!w->level.n && !push_empty(w)))
		return false;
	judge_level(w, !outermost || treeview_all_have(w, 0, w->cursor.n,
					     AS_CALLTREE_SURE | AS_CALLTREE_APART));
	return treeview_push_level(w, 0);
}

/* ---- all rows ---- */

/* Put the row at the end of the chain of those above it. */
static bool note_chain(struct viewer *w, struct as_tree_row *row)
{
	while (w->chain.n > row->depth)
		w->on_chain[w->chain.p[--w->chain.n]]--;
	if (row->kind != AS_TREE_FUNC)
		return true;
	row->again = w->on_chain[row->key]++ != 0;
	row->again |= w->ct->recursive.n && w->ct->recursive.p[row->key];
	return as_vec_push(w->al, &w->chain, row->key);
}

static bool treeview_unfold(struct viewer *w)
{
	while (w->ahead.n) {
		struct pending p = w->ahead.p[--w->ahead.n];

		if (!note_chain(w, &p.row) || !as_vec_push(w->ct->al, &w->v->row, p.row))
			return false;
		if (p.row.kind != AS_TREE_FUNC)
			continue;
		if (w->v->way == AS_TREE_CALLEES ? !callees_of(w, (uint32_t)p.lo, p.row.depth + 1)
						 : !callers_of(w, &p))
			return false;
	}
	return true;
}

enum as_code as_tree_view_make(struct as_tree_view *v, struct as_calltree *ct,
	const struct as_tree_opts *opts, struct as_err *err)
{
	struct as_pool pool;
	struct viewer w = {.v = v, .ct = ct, .al = &pool.al, .opts = opts};
	bool ok;

	as_assert(!ct->e || opts->event < ct->e);
	*v = (struct as_tree_view){.ct = ct, .way = opts->way};
	if (opts->way == AS_TREE_BOTTOM_UP)
		as_calltree_to_self(ct);
	else
		as_calltree_to_inclusive(ct);
	as_pool_init(&pool, ct->al);
	ok = as_alloc_array(w.al, &w.on_chain, ct->key.n) &&
	     (v->way == AS_TREE_CALLEES ? treeview_link_children(&w) && callees_of(&w, 0, 0)
					: make_cursors(&w)) &&
	     treeview_unfold(&w);
	as_pool_release(&pool);
	return ok ? AS_OK : as_err_no_memory(err);
}

void as_tree_view_release(struct as_tree_view *v)
{
	as_vec_free(v->ct->al, &v->row);
	as_vec_free(v->ct->al, &v->value);
}
