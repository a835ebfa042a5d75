/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mappings and addresses. The model has the place of code in its object, the file the address
 * that it had in memory. Where the profile's mappings lead from all of an object's addresses to
 * memory, they are used; any other object gets a mapping of ours, in which both are the same.
 */
#include "formats/paths_plan.h"

#define PAGE UINT64_C(0x1000)

static int paths_maps_cmp_map(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_map *x = &((const struct as_map *)ctx)[a];
	const struct as_map *y = &((const struct as_map *)ctx)[b];

	if (x->object.i != y->object.i)
		return x->object.i < y->object.i ? -1 : 1;
	return as_cmp_u64(x->offset, y->offset);
}

static uint64_t end_in_file(const struct as_map *m)
{
	uint64_t size = m->limit > m->start ? m->limit - m->start : 0;

	return m->offset > UINT64_MAX - size ? UINT64_MAX : m->offset + size;
}

/* The profile's mappings of code, by object. */
static bool order_maps(struct as_plan *w)
{
	struct as_plan_maps *ms = &w->maps;
	const struct as_profile *prof = w->prof;
	uint64_t end = 0;

	ms->map.n = ms->order.n = ms->end.n = 0;
	for (uint32_t i = 0; i < prof->map.n; i++)
		if (prof->map.p[i].exec && !as_vec_push(w->al, &ms->order, i))
			return false;
	if (!as_sort_rows(w->al, ms->order.p, ms->order.n, paths_maps_cmp_map, prof->map.p))
		return false;
	for (uint32_t i = 0; i < ms->order.n; i++) {
		const struct as_map *m = &prof->map.p[ms->order.p[i]];
		struct as_plan_object *o = &ms->object[m->object.i];

		if (!o->n++) {
			o->first = i;
			end = 0;
		}
		end = end_in_file(m) > end ? end_in_file(m) : end;
		if (!as_vec_push(w->al, &ms->end, end))
			return false;
	}
	return true;
}

/* The mapping of O in whose memory ADDR is; NULL if there is none. */
static const struct as_map *by_memory(
	const struct as_plan *w, const struct as_plan_object *o, uint64_t addr)
{
	for (uint32_t i = 0; i < o->n; i++) {
		const struct as_map *m = &w->prof->map.p[w->maps.order.p[o->first + i]];

		if (addr >= m->start && addr < m->limit)
			return m;
	}
	return NULL;
}

/* Likewise, that maps ADDR as a place in the file: the last one that starts before it, unless it
 * is too short; then one of those before, as long as any reaches so far. */
static const struct as_map *by_file(
	const struct as_plan *w, const struct as_plan_object *o, uint64_t addr)
{
	uint32_t low = 0, high = o->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (w->prof->map.p[w->maps.order.p[o->first + mid]].offset <= addr)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low > 0 && w->maps.end.p[o->first + low - 1] > addr; low--) {
		const struct as_map *m = &w->prof->map.p[w->maps.order.p[o->first + low - 1]];

		if (end_in_file(m) > addr)
			return m;
	}
	return NULL;
}

static void paths_maps_look_at(struct as_plan *w, as_func func, uint64_t addr)
{
	as_object object = w->prof->func.object.p[func.i];
	struct as_plan_object *o = &w->maps.object[object.i];

	o->used = true;
	if (!addr)
		return;
	o->low = addr < o->low ? addr : o->low;
	o->high = addr > o->high ? addr : o->high;
	o->memory = o->memory && by_memory(w, o, addr);
	o->file = o->file && by_file(w, o, addr);
}

/* Rows of self cost that no path was made of. */
static bool paths_maps_look_at_rows(struct as_plan *w)
{
	const struct as_rows *rows = &w->prof->self;
	struct as_rows_view view;
	struct as_rows_cur cur;
	as_val *v;

	if (!as_alloc_array(w->al, &v, rows->width))
		return false;
	for (size_t r = 0; r < rows->run.n; r++) {
		as_func func = rows->run.p[r].func;

		as_rows_begin(&cur, rows, &rows->run.p[r], v);
		while (as_rows_next_view(&cur, &view)) {
			/* Of a stretch in no mapping the first address and the last tell all. */
			bool ends = !w->prof->map.n && view.addr && view.addr < cur.addr;

			for (uint32_t k = 0; k + 1 < view.n; k++)
				if (as_view_value(&view, k)) {
					paths_maps_look_at(w, func, view.addr + k * view.stride);
					k = ends ? view.n : k;
				}
			paths_maps_look_at(w, func, cur.addr);
		}
	}
	return true;
}

static enum as_plan_way way_of(const struct as_plan_object *o, enum as_addr_kind kind)
{
	if (kind == AS_ADDR_ABSOLUTE)
		return o->n ? AS_PLAN_AS_IT_IS : AS_PLAN_MADE;
	if (kind == AS_ADDR_VIRTUAL && o->n && o->memory)
		return AS_PLAN_AS_IT_IS;
	return o->n && o->file ? AS_PLAN_BY_FILE : AS_PLAN_MADE;
}

static int cmp_object(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_profile *prof = ctx;
	int c = as_object_cmp(ctx, a, b);

	return c ? c : as_cmp_u64(prof->object.p[a].addr_kind, prof->object.p[b].addr_kind);
}

static bool make_map(struct as_plan *w, uint32_t object)
{
	struct as_plan_object *o = &w->maps.object[object];
	struct as_map map = {.object = {object}, .exec = true};

	if (o->low <= o->high) {
		map.start = map.offset = o->low / PAGE * PAGE;
		map.limit = o->high / PAGE * PAGE;
		map.limit = map.limit > UINT64_MAX - PAGE ? UINT64_MAX : map.limit + PAGE;
	}
	o->number = (uint32_t)w->maps.map.n + 1;
	return as_vec_push(w->al, &w->maps.map, map);
}

static bool make_maps(struct as_plan *w)
{
	struct as_order order;
	bool ok = as_order_init(&order, w->al, w->prof->object.n, cmp_object, w->prof);

	for (uint32_t i = 0; ok && i < order.n; i++) {
		const struct as_plan_object *o = &w->maps.object[order.at[i]];

		if (order.at[i] && o->used && o->way == AS_PLAN_MADE)
			ok = make_map(w, order.at[i]);
	}
	return ok;
}

/* Those of the profile that lead somewhere, of gaps or not of gaps. */
static bool keep_some(struct as_plan *w, bool gaps)
{
	for (uint32_t i = 0; i < w->prof->map.n; i++) {
		const struct as_map *m = &w->prof->map.p[i];
		struct as_plan_object *o = &w->maps.object[m->object.i];

		if (as_path_is_gap(as_object_path(w->prof, m->object)) != gaps)
			continue;
		if (o->used && o->way == AS_PLAN_MADE)
			continue;
		if (!m->exec) {
			w->maps.n_left_out++;
			continue;
		}
		if (!o->number)
			o->number = (uint32_t)w->maps.map.n + 1;
		if (!as_vec_push(w->al, &w->maps.map, *m))
			return false;
		/* Its id is its place in what is written. */
		w->maps.id[i] = (uint32_t)w->maps.map.n;
	}
	return true;
}

/* In their order, as the first is the program, which what says that something is missing is not. */
static bool keep_maps(struct as_plan *w)
{
	return keep_some(w, false) && keep_some(w, true);
}

enum as_code as_plan_maps_make(struct as_plan *w)
{
	const struct as_profile *prof = w->prof;
	struct as_plan_maps *ms = &w->maps;

	ms->object = as_arena_new(&w->arena, prof->object.n * sizeof(*ms->object));
	ms->id = as_arena_new(&w->arena, prof->map.n * sizeof(*ms->id) + 1);
	AS_TRY(as_err_memory(w->err, ms->object && ms->id && order_maps(w)));
	for (uint32_t i = 0; i < prof->object.n; i++) {
		ms->object[i].low = UINT64_MAX;
		ms->object[i].memory = ms->object[i].file = true;
	}
	for (uint32_t i = 1; i < prof->place.func.n; i++)
		paths_maps_look_at(w, prof->place.func.p[i], as_place_addr(prof, (as_place){i}));
	AS_TRY(as_err_memory(w->err, paths_maps_look_at_rows(w)));
	for (uint32_t i = 1; i < prof->object.n; i++)
		ms->object[i].way = way_of(&ms->object[i], prof->object.p[i].addr_kind);
	return as_err_memory(w->err, keep_maps(w) && make_maps(w));
}

bool as_plan_is_virtual(const struct as_plan *w, size_t i)
{
	const struct as_map *m = &w->maps.map.p[i];
	const struct as_plan_object *o = &w->maps.object[m->object.i];

	as_assert(i < w->maps.map.n);
	return w->prof->object.p[m->object.i].addr_kind == AS_ADDR_VIRTUAL && o->used &&
	       o->number == i + 1 && o->way != AS_PLAN_BY_FILE && m->start == m->offset;
}

uint32_t as_plan_locate(const struct as_plan *w, as_object object, uint64_t *addr)
{
	const struct as_plan_object *o = &w->maps.object[object.i];
	const struct as_map *m = NULL;

	if (!object.i)
		return 0;
	if (*addr && o->way == AS_PLAN_AS_IT_IS)
		m = by_memory(w, o, *addr);
	else if (*addr && o->way == AS_PLAN_BY_FILE)
		m = by_file(w, o, *addr);
	if (!m)
		return o->number;
	if (o->way == AS_PLAN_BY_FILE)
		*addr = *addr - m->offset + m->start;
	return w->maps.id[m - w->prof->map.p];
}
