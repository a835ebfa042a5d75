/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call chains. A path counts for a row once, at the outermost of its frames that belong to the
 * row; the same goes for pairs of rows.
 */
#include "base/sort.h"
#include "change/kit/tree.h"
#include "table/project_impl.h"

static enum as_code new_place(struct as_proj *p, as_place place)
{
	struct as_pos pos = as_place_pos(p->prof, place);
	uint32_t row;

	p->depth_now = p->of_place_depth ? p->of_place_depth[place.i] : 1;
	AS_TRY(as_proj_key(p, &pos, &row));
	p->of_place[place.i] = row + 1;
	return AS_OK;
}

/* By address: how many frames of the same code are around each place, + 1. */
static bool find_depths(struct as_proj *p)
{
	const struct as_profile *prof = p->prof;
	size_t n = prof->node.parent.n;
	uint8_t *depth = as_alloc_new(p->al, n);

	p->of_place_depth = as_alloc_new(p->al, prof->place.func.n);
	for (size_t i = 0; depth && p->of_place_depth && i < n; i++) {
		uint32_t place = prof->node.place.p[i].i;
		uint8_t around = depth[prof->node.parent.p[i].i];

		depth[i] = !prof->place.inlined.p[place] ? 1
			   : around < UINT8_MAX          ? (uint8_t)(around + 1)
							 : around;
		if (p->of_place_depth[place] < depth[i])
			p->of_place_depth[place] = depth[i];
	}
	as_alloc_free(p->al, depth, n);
	return depth && p->of_place_depth;
}

static inline enum as_code place_row(struct as_proj *p, as_place place)
{
	return AS_LIKELY(p->of_place[place.i]) ? AS_OK : new_place(p, place);
}

static inline uint32_t proj_paths_row_of(const struct as_proj *p, size_t node)
{
	return p->of_place[p->prof->node.place.p[node].i] - 1;
}

/* A function that is inlined into itself is not called, nor is another frame at its address: glibc
 * has an inlined tolower() in its tolower(). */
static inline bool is_same_code(const struct as_proj *p, size_t node, uint32_t from, uint32_t to)
{
	return from == to && p->prof->place.inlined.p[p->prof->node.place.p[node].i];
}

/* Edges are made of all pairs at once, so they are noted before the walk, which needs them;
 * without edges the walk makes the rows as it meets them. */
enum as_code as_proj_paths_rows(struct as_proj *p)
{
	const struct as_profile *prof = p->prof;

	if (!prof->sample.node.n)
		return AS_OK;
	p->of_place = as_alloc_new(p->al, prof->place.func.n * sizeof(*p->of_place));
	if (!p->of_place || (p->opts->by == AS_BY_ADDR && !find_depths(p)))
		return AS_E_NOMEM;
	if (!p->opts->want_edges)
		return AS_OK;
	p->live = as_alloc_new(p->al, prof->node.parent.n);
	AS_TRY(as_memory(p->live));
	as_tree_live(prof, p->live);
	for (size_t i = 0; i < prof->node.parent.n; i++) {
		uint32_t parent = prof->node.parent.p[i].i;

		if (!p->live[i])
			continue;
		AS_TRY(place_row(p, prof->node.place.p[i]));
		if (parent &&
			!is_same_code(p, i, proj_paths_row_of(p, parent), proj_paths_row_of(p, i)))
			AS_TRY(as_proj_pair(
				p, proj_paths_row_of(p, parent), proj_paths_row_of(p, i)));
	}
	return AS_OK;
}

/* A node on the path from the root to where the walk is. */
struct level {
	uint64_t *tally; /* of its row */
	uint32_t node, row;
};

/* Nodes that are each the parent of the next one. */
struct chain {
	uint32_t first, last;
};

/*
 * The walk over the tree. Nodes stand depth first and samples in their order, so it goes from
 * sample to sample: up to a node that is on the path already, and down again from there. What
 * leads to no sample is never met.
 *
 * TOTAL is what the samples so far add up to. A row's inclusive cost is what that grows by while
 * the row is on the path: it is taken off when the row's first node is entered, and added when
 * that is left. A row's tally has all that this needs side by side.
 */
struct walk {
	struct as_proj *p;
	as_val *total;
	uint64_t *tally; /* of each row + 1: AT_COUNT, then two words for each event's as_val */
	size_t n_tally;
	AS_VEC(struct level) path;  /* the root first, which has no tally */
	AS_VEC(struct chain) ahead; /* still to be entered, the last one first */
	AS_VEC(uint32_t) edge;      /* of each level but the first two, if there are edges, + 1 */
	uint32_t *edges;            /* how often each is on the path */
	uint32_t *order;            /* samples by node; NULL: they are in that order */
};

enum { AT_COUNT, AT_COST, PER_VAL = sizeof(as_val) / sizeof(uint64_t) };

/* In AT_COUNT, beside how many nodes of the path belong to the row: it is its own ancestor. */
#define RECURSIVE (UINT64_C(1) << 63)

/* The walk is compiled for one event without edges, and for all else. */
#if defined(__GNUC__)
#define INLINE inline __attribute__((always_inline))
#else
#define INLINE inline
#endif

/* SUM += SIGN * V */
static INLINE void tally_add(uint64_t *sum, const as_val *v, as_val sign, uint32_t e)
{
	for (uint32_t k = 0; k < e; k++) {
		as_val one;

		memcpy(&one, sum + (size_t)PER_VAL * k, sizeof(one));
		one += sign * v[k];
		memcpy(sum + (size_t)PER_VAL * k, &one, sizeof(one));
	}
}

static INLINE uint64_t *tally_of(const struct walk *w, uint32_t row, uint32_t e)
{
	return w->tally + ((size_t)row + 1) * (AT_COST + (size_t)PER_VAL * e);
}

static void leave_edge(struct walk *w)
{
	uint32_t edge = w->edge.p[--w->edge.n];

	if (edge && --w->edges[edge - 1] == 0)
		as_vals_add(w->p->edge[edge - 1].cost, w->total, w->p->e);
}

static bool enter_edge(struct walk *w, uint32_t from, uint32_t to)
{
	struct as_edge *edge = as_proj_edge(w->p, from, to);
	uint32_t i = (uint32_t)(edge - w->p->edge);

	if (w->edges[i]++ == 0)
		for (uint32_t k = 0; k < w->p->e; k++)
			edge->cost[k] -= w->total[k];
	return as_vec_push(w->p->al, &w->edge, i + 1);
}

/* Leave what is below NODE. Returns the level of NODE. */
static INLINE struct level *leave_to(
	struct walk *w, struct level *top, uint32_t node, const as_val *total, uint32_t e)
{
	for (; top->node != node; top--) {
		if ((--top->tally[AT_COUNT] & ~RECURSIVE) == 0)
			tally_add(top->tally + AT_COST, total, 1, e);
		if (w->edge.n)
			leave_edge(w);
	}
	return top;
}

/* Fill LEVEL, which is below the one before it. */
static INLINE enum as_code proj_paths_enter(
	struct walk *w, struct level *level, uint32_t node, const as_val *total, uint32_t e)
{
	bool same;

	AS_TRY(place_row(w->p, w->p->prof->node.place.p[node]));
	level->node = node;
	level->row = proj_paths_row_of(w->p, node);
	level->tally = tally_of(w, level->row, e);
	same = level[-1].node && is_same_code(w->p, node, level[-1].row, level->row);
	if ((level->tally[AT_COUNT]++ & ~RECURSIVE) == 0)
		tally_add(level->tally + AT_COST, total, -1, e);
	else if (!same)
		level->tally[AT_COUNT] |= RECURSIVE;
	if (!w->edges || !level[-1].node)
		return AS_OK;
	if (same)
		return as_vec_push(w->p->al, &w->edge, 0) ? AS_OK : AS_E_NOMEM;
	return enter_edge(w, level[-1].row, level->row) ? AS_OK : AS_E_NOMEM;
}

/* What leads to NODE from a node on the path to BEFORE, which is returned. */
static INLINE bool look_ahead(
	struct walk *w, uint32_t before, uint32_t *node, uint32_t *n, uint32_t e)
{
	const as_node *parent = w->p->prof->node.parent.p;
	const as_place *place = w->p->prof->node.place.p;

	/* The first one up that is not behind BEFORE has both below it. */
	while (*node > before) {
		struct chain c = {*node, *node};

		while (parent[c.first].i == c.first - 1 && c.first - 1 > before)
			c.first--;
		for (uint32_t i = c.first; i <= c.last; i++) {
			size_t row1 = w->p->of_place[place[i].i];

			AS_PREFETCH(w->tally + row1 * (AT_COST + (size_t)PER_VAL * e));
		}
		*node = parent[c.first].i;
		*n += c.last - c.first + 1;
		if (!as_vec_push(w->p->al, &w->ahead, c))
			return false;
	}
	return true;
}

/* From the path to node BEFORE to the path to NODE, which stands behind it. */
static INLINE enum as_code go_to(
	struct walk *w, uint32_t before, uint32_t node, const as_val *total, uint32_t e)
{
	struct level *top = w->path.p + w->path.n - 1;
	uint32_t n = 0;

	AS_TRY(as_memory(look_ahead(w, before, &node, &n, e)));
	top = leave_to(w, top, node, total, e);
	w->path.n = (size_t)(top - w->path.p) + 1;
	AS_TRY(as_memory(as_vec_reserve(w->p->al, &w->path, w->path.n + n)));
	top = w->path.p + w->path.n;
	w->path.n += n;
	while (w->ahead.n) {
		struct chain c = w->ahead.p[--w->ahead.n];

		for (uint32_t i = c.first; i <= c.last; i++)
			AS_TRY(proj_paths_enter(w, top++, i, total, e));
	}
	return AS_OK;
}

/* TOTAL is apart from W so that the compiler sees that nothing else changes it. */
static INLINE enum as_code walk_all(struct walk *w, as_val *total, uint32_t e)
{
	struct as_proj *p = w->p;
	const struct as_profile *prof = p->prof;
	uint32_t before = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		size_t s = w->order ? w->order[i] : i;
		const as_val *cost = prof->sample.cost.p + s * e;
		uint32_t node = prof->sample.node.p[s].i, row;

		if (node > before)
			AS_TRY(go_to(w, before, node, total, e));
		else if (!node)
			AS_TRY(place_row(p, prof->node.place.p[0]));
		row = proj_paths_row_of(p, node);
		as_vals_add(p->col[AS_COL_SELF].p + (size_t)row * e, cost, e);
		if (!node) /* without a stack: a path of one unknown frame */
			tally_add(tally_of(w, row, e) + AT_COST, cost, 1, e);
		as_vals_add(total, cost, e);
		before = node;
	}
	leave_to(w, w->path.p + w->path.n - 1, 0, total, e);
	return AS_OK;
}

static enum as_code walk_one_event(struct walk *w)
{
	as_val total = 0;

	return walk_all(w, &total, 1);
}

/* The tallies to the table. */
static void proj_paths_settle(struct walk *w)
{
	struct as_proj *p = w->p;

	as_assert((p->key.n + 1) * (AT_COST + (size_t)PER_VAL * p->e) <= w->n_tally);
	for (uint32_t row = 0; row < p->key.n; row++) {
		const uint64_t *tally = tally_of(w, row, p->e);

		as_assert(!(tally[AT_COUNT] & ~RECURSIVE)); /* it was left as often as entered */
		if (tally[AT_COUNT] & RECURSIVE)
			p->state.p[row].has_in |= AS_IN_SELF;
		for (uint32_t k = 0; k < p->e; k++) {
			as_val one;

			memcpy(&one, tally + AT_COST + (size_t)PER_VAL * k, sizeof(one));
			as_proj_at(p, AS_COL_INCL, row)[k] += one;
		}
	}
}

static int proj_paths_cmp_sample(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ctx;
	uint32_t x = prof->sample.node.p[a].i, y = prof->sample.node.p[b].i;

	return x < y ? -1 : x > y;
}

/* Samples stand part by part; within a part they are in the order of nodes. */
static bool proj_paths_order_samples(struct walk *w)
{
	const struct as_profile *prof = w->p->prof;
	size_t n = prof->sample.node.n;

	if (prof->part.n < 2)
		return true;
	w->order = as_alloc_new(w->p->al, n * sizeof(*w->order));
	for (size_t i = 0; w->order && i < n; i++)
		w->order[i] = (uint32_t)i;
	return w->order && as_sort_rows(w->p->al, w->order, n, proj_paths_cmp_sample, prof);
}

/* Room for all rows that there are and that may be made. */
static bool proj_paths_begin(struct walk *w)
{
	struct as_proj *p = w->p;

	w->n_tally = (p->key.n + p->prof->place.func.n + 1) * (AT_COST + (size_t)PER_VAL * p->e);
	w->tally = as_alloc_new(p->al, w->n_tally * sizeof(*w->tally));
	w->total = as_alloc_new(p->al, p->e * sizeof(*w->total) + 1);
	if (p->edge)
		w->edges = as_alloc_new(p->al, (p->graph.m + 1) * sizeof(*w->edges));
	return w->tally && w->total && (w->edges || !p->edge) &&
	       as_vec_push(p->al, &w->path, (struct level){0}) && proj_paths_order_samples(w);
}

enum as_code as_proj_paths_sums(struct as_proj *p)
{
	struct walk w = {.p = p};
	enum as_code rc = AS_E_NOMEM;

	if (!p->prof->sample.node.n)
		return AS_OK;
	if (proj_paths_begin(&w))
		rc = p->e == 1 && !w.edges ? walk_one_event(&w) : walk_all(&w, w.total, p->e);
	if (rc == AS_OK)
		proj_paths_settle(&w);
	as_alloc_free(p->al, w.tally, w.n_tally * sizeof(*w.tally));
	as_alloc_free(p->al, w.total, p->e * sizeof(*w.total) + 1);
	as_alloc_free(p->al, w.edges, (p->graph.m + 1) * sizeof(*w.edges));
	as_alloc_free(p->al, w.order, p->prof->sample.node.n * sizeof(*w.order));
	as_vec_free(p->al, &w.path);
	as_vec_free(p->al, &w.ahead);
	as_vec_free(p->al, &w.edge);
	return rc;
}

enum as_code as_proj_read_sums(struct as_proj *p)
{
	const struct as_profile *prof = p->prof;
	const as_val *cost = prof->sums.cost.p;
	uint32_t row;

	for (size_t i = 0; i < prof->sums.func.n; i++, cost += 2 * p->e) {
		struct as_pos pos = {.func = prof->sums.func.p[i]};

		AS_TRY(as_proj_key(p, &pos, &row));
		as_vals_add(as_proj_at(p, AS_COL_SELF, row), cost, p->e);
		as_vals_add(as_proj_at(p, AS_COL_INCL, row), cost + p->e, p->e);
		if (prof->sums.recursive.p[i])
			p->state.p[row].has_in |= AS_IN_SELF;
	}
	return AS_OK;
}
