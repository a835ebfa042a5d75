/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which rows the tables have, and in what order: stacks level by level, siblings by what their
 * places say; all else by where a stack first asks for it.
 */
#include "formats/firefox/firefox_write.h"

#include "model/labels.h"

/* ---- places, by what they say ---- */

static int plan_cmp_func(const struct as_profile *prof, as_func x, as_func y)
{
	struct as_func_row a = as_func_get(prof, x), b = as_func_get(prof, y);
	int c = as_str_cmp(prof, a.name, b.name);

	c = c ? c : as_object_cmp(prof, a.object.i, b.object.i);
	c = c ? c : as_file_cmp(prof, a.file.i, b.file.i);
	c = c ? c : as_cmp_u64(a.line, b.line);
	c = c ? c : as_cmp_u64(a.addr, b.addr);
	return c ? c : as_str_cmp(prof, a.system, b.system);
}

static int plan_cmp_place(const void *ctx, uint32_t x, uint32_t y)
{
	const struct as_profile *prof = ctx;
	struct as_pos a = as_place_pos(prof, (as_place){x}), b = as_place_pos(prof, (as_place){y});
	int c = a.func.i == b.func.i ? 0 : plan_cmp_func(prof, a.func, b.func);

	c = c ? c : as_file_cmp(prof, a.file.i, b.file.i);
	c = c ? c : as_cmp_u64(a.line, b.line);
	c = c ? c : as_cmp_u64(a.addr, b.addr);
	c = c ? c : as_cmp_u64(a.inlined, b.inlined);
	return c ? c
		 : as_cmp_u64(as_place_get_more(prof, (as_place){x}).column,
			   as_place_get_more(prof, (as_place){y}).column);
}

/* ---- stacks ---- */

struct plan_order {
	const struct fx_write *w;
	const uint32_t *rank; /* of places */
};

static int plan_cmp_node(const void *ctx, uint32_t x, uint32_t y)
{
	const struct plan_order *o = ctx;
	const struct as_profile *prof = o->w->prof;
	uint32_t a = o->w->row[prof->node.parent.p[x].i], b = o->w->row[prof->node.parent.p[y].i];
	int c = as_cmp_u64(a, b);

	return c ? c
		 : as_cmp_u64(o->rank[prof->node.place.p[x].i], o->rank[prof->node.place.p[y].i]);
}

/* Something but markers was counted there. */
static bool plan_is_stack(const struct fx_write *w, size_t sample)
{
	size_t e = w->prof->event.n;
	const as_val *cost = w->prof->sample.cost.p + sample * e;

	for (size_t k = 0; k < e; k++)
		if (cost[k] && k != w->markers)
			return true;
	return w->markers == FX_NO_ROW;
}

/* The nodes that samples need by their depth: those of depth D from first[D] on, in LIST. */
static enum as_code plan_levels(
	struct fx_write *w, uint32_t **list, uint32_t **first, uint32_t *n_levels)
{
	const struct as_profile *prof = w->prof;
	uint32_t n = (uint32_t)prof->node.parent.n, *depth, deepest = 0, *next;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &depth, n)));
	for (size_t i = 0; i < prof->sample.node.n; i++)
		if (plan_is_stack(w, i))
			w->row[prof->sample.node.p[i].i] = 1;
	for (uint32_t i = n; i-- > 1;)
		if (w->row[i])
			w->row[prof->node.parent.p[i].i] = 1;
	for (uint32_t i = 1; i < n; i++) {
		depth[i] = depth[prof->node.parent.p[i].i] + 1;
		deepest = depth[i] > deepest ? depth[i] : deepest;
	}
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, list, n) &&
						 as_alloc_array(w->al, first, deepest + 2) &&
						 as_alloc_array(w->al, &next, deepest + 2)));
	for (uint32_t i = 1; i < n; i++)
		if (w->row[i])
			(*first)[depth[i] + 1]++;
	for (uint32_t d = 1; d <= deepest + 1; d++)
		(*first)[d] += (*first)[d - 1];
	memcpy(next, *first, (deepest + 2) * sizeof(*next));
	for (uint32_t i = 1; i < n; i++)
		if (w->row[i])
			(*list)[next[depth[i]]++] = i;
	*n_levels = deepest + 1;
	return AS_OK;
}

static enum as_code plan_stacks(struct fx_write *w)
{
	struct plan_order o = {.w = w};
	uint32_t *list = NULL, *first = NULL, levels;
	struct as_order places;

	AS_TRY(as_err_memory(w->wr->err,
		as_order_init(&places, w->al, w->prof->place.func.n, plan_cmp_place, w->prof)));
	o.rank = places.rank;
	AS_TRY(plan_levels(w, &list, &first, &levels));
	w->row[0] = 0;
	for (uint32_t d = 1; d < levels; d++) {
		uint32_t *level = list + first[d], n = first[d + 1] - first[d];

		AS_TRY(as_err_memory(w->wr->err, as_sort_rows(w->al, level, n, plan_cmp_node, &o)));
		for (uint32_t i = 0; i < n; i++) {
			as_node node = {level[i]};

			AS_TRY(as_err_memory(w->wr->err, as_vec_push(w->al, &w->stack, node)));
			w->row[node.i] = (uint32_t)w->stack.n;
		}
	}
	return AS_OK;
}

/* ---- what they ask for ---- */

/* A row for THING in LIST, unless it has one. */
#define PLAN_ROW(w, list, row, thing)                                      \
	((row)[(thing).i] || (as_vec_push((w)->al, &(w)->list, (thing)) && \
				     ((row)[(thing).i] = (uint32_t)(w)->list.n) > 0))

static enum as_code plan_func(struct fx_write *w, as_func func)
{
	struct as_func_row row = as_func_get(w->prof, func);

	return as_err_memory(w->wr->err,
		PLAN_ROW(w, func, w->func_row, func) &&
			(!row.object.i || PLAN_ROW(w, object, w->object_row, row.object)) &&
			(!row.file.i || PLAN_ROW(w, file, w->file_row, row.file)));
}

static enum as_code plan_frame(struct fx_write *w, const struct fx_frame *f, uint32_t *row)
{
	uint64_t hash = as_hash_mix((uint64_t)f->place.i << 32 | f->base.i, f->depth);
	uint64_t at = AS_INDEX_START;

	while (as_index_find(&w->frames, hash, &at, row)) {
		const struct fx_frame *g = &w->frame.p[*row];

		if (g->place.i == f->place.i && g->base.i == f->base.i && g->depth == f->depth)
			return AS_OK;
	}
	*row = (uint32_t)w->frame.n;
	AS_TRY(as_err_memory(w->wr->err,
		as_vec_push(w->al, &w->frame, *f) && as_index_add(&w->frames, hash, *row)));
	return plan_func(w, w->prof->place.func.p[f->place.i]);
}

static enum as_code plan_frames(struct fx_write *w)
{
	const struct as_profile *prof = w->prof;

	for (size_t i = 0; i < w->stack.n; i++) {
		as_node node = w->stack.p[i], up = prof->node.parent.p[node.i];
		as_place place = prof->node.place.p[node.i];
		struct fx_frame f = {place, place, 0};

		if (up.i && prof->place.inlined.p[place.i]) {
			const struct fx_frame *below = &w->frame.p[w->frame_row[w->row[up.i] - 1]];

			f.base = below->base;
			f.depth = below->depth + 1;
		}
		AS_TRY(plan_frame(w, &f, &w->frame_row[i]));
	}
	return AS_OK;
}

enum as_code as_fx_plan(struct fx_write *w)
{
	const struct as_profile *prof = w->prof;

	as_index_init(&w->frames, w->al);
	AS_TRY(as_err_memory(
		w->wr->err, as_alloc_array(w->al, &w->row, prof->node.parent.n + 1) &&
				    as_alloc_array(w->al, &w->func_row, prof->func.name.n) &&
				    as_alloc_array(w->al, &w->object_row, prof->object.n) &&
				    as_alloc_array(w->al, &w->file_row, prof->file.n)));
	AS_TRY(plan_stacks(w));
	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &w->frame_row, w->stack.n)));
	AS_TRY(plan_frames(w));
	return as_fx_plan_moments(w);
}
