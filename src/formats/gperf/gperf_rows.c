/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of code without names, each a path of one frame. Addresses are planned for a profile that
 * has the first and the last of each object alone: those between them lie as they did. Records
 * come in the order of addresses, as those of paths do.
 */
#include "base/sort.h"
#include "formats/gperf/gperf_write.h"
#include "formats/map_line.h"

/* The used addresses of an object. */
struct gp_range {
	as_func func; /* some function of it; 0: none is used */
	uint64_t low, high;
	uint64_t shift; /* from them to those that are written, modulo 2^64 */
};

struct as_gp_rows {
	struct as_gp_write *w;
	const struct as_profile *prof; /* with all rows */
	struct as_profile ends;        /* what is planned */
	struct gp_range *range;        /* of each object */

	as_val *v;     /* scratch: a row's values */
	uint64_t last; /* address that was looked at; 0 before the first, as none is written so */
	bool unordered;
	AS_VEC(uint64_t) addr;
	AS_VEC(as_val) cost;
	AS_VEC(uint32_t) order;
};

/* Takes a row, or several, of which those at FIRST and LAST have cost. */
typedef void gp_rows_look(struct as_gp_rows *r, as_func func, uint64_t first, uint64_t last);
typedef enum as_code gp_rows_take(struct as_gp_rows *r, uint64_t addr, as_val cost);

/* Code of an object that has addresses of its own, none of which is where it was in memory. */
static bool gp_rows_takes_func(const struct as_profile *prof, as_func f)
{
	struct as_func_row row = as_func_get(prof, f);
	struct as_slice path = as_map_path_read(as_object_path(prof, row.object));

	return row.object.i && !row.name.i && !row.addr && !row.whole &&
	       !gp_is_null(prof, row.object) && !as_map_is_memory(path);
}

/* Costs below 0 could leave nothing at the first or the last address of an object, and address 0
 * is none. */
static bool gp_rows_takes_run(const struct as_profile *prof, const struct as_run *run, as_val *v)
{
	struct as_rows_view view;
	struct as_rows_cur cur;

	as_rows_begin(&cur, &prof->self, run, v);
	while (as_rows_next_view(&cur, &view)) {
		if (!(view.n ? view.addr : cur.addr))
			return false;
		for (uint32_t k = 0; !view.n && k < cur.n; k++)
			if (v[k] < 0)
				return false;
	}
	return gp_rows_takes_func(prof, run->func);
}

bool as_gp_takes_rows(const struct as_profile *prof)
{
	size_t n = prof->event.n;
	as_val *v;
	bool takes;

	if (prof->map.n || as_profile_is_from(prof, "gperf"))
		return false;
	takes = as_alloc_array(prof->al, &v, n);
	for (size_t i = 0; takes && i < prof->self.run.n; i++)
		takes = gp_rows_takes_run(prof, &prof->self.run.p[i], v);
	as_alloc_free(prof->al, v, n * sizeof(*v) + 1);
	return takes;
}

static struct gp_range *gp_rows_range(const struct as_gp_rows *r, as_func func)
{
	return &r->range[r->prof->func.object.p[func.i].i];
}

static void gp_rows_walk(struct as_gp_rows *r, gp_rows_look *look)
{
	const struct as_rows *rows = &r->prof->self;
	uint32_t event = r->w->event;
	struct as_rows_view view;
	struct as_rows_cur cur;

	for (size_t i = 0; i < rows->run.n; i++) {
		as_func func = rows->run.p[i].func;

		as_rows_begin(&cur, rows, &rows->run.p[i], r->v);
		while (as_rows_next_view(&cur, &view)) {
			uint64_t first = view.addr;

			if (!view.n && r->v[event])
				look(r, func, cur.addr, cur.addr);
			if (!view.n || event) /* a stretch holds the first event only */
				continue;
			for (uint32_t k = 0; !as_view_value(&view, k); k++)
				first += view.stride;
			look(r, func, first, cur.addr);
		}
	}
}

static enum as_code gp_rows_each(struct as_gp_rows *r, gp_rows_take *take)
{
	const struct as_rows *rows = &r->prof->self;
	uint32_t event = r->w->event;
	struct as_rows_view view;
	struct as_rows_cur cur;

	for (size_t i = 0; i < rows->run.n; i++) {
		uint64_t shift = gp_rows_range(r, rows->run.p[i].func)->shift;

		as_rows_begin(&cur, rows, &rows->run.p[i], r->v);
		while (as_rows_next_view(&cur, &view)) {
			if (!view.n && r->v[event])
				AS_TRY(take(r, cur.addr + shift, r->v[event]));
			for (uint32_t k = 0; k < view.n && !event; k++)
				if (as_view_value(&view, k))
					AS_TRY(take(r, view.addr + k * view.stride + shift,
						as_view_value(&view, k)));
		}
	}
	return AS_OK;
}

static void gp_rows_measure(struct as_gp_rows *r, as_func func, uint64_t first, uint64_t last)
{
	struct gp_range *range = gp_rows_range(r, func);

	if (first < range->low || !range->func.i)
		range->low = first;
	if (last > range->high)
		range->high = last;
	range->func = func;
}

/* Two places, paths and samples of each object that is used. */
static bool gp_rows_make_ends(struct as_gp_rows *r)
{
	const struct as_alloc *al = r->w->al;
	struct as_profile *p = &r->ends;
	size_t n = 2 * r->prof->object.n + 1, k = 1;

	*p = *r->prof;
	if (!as_alloc_array(al, &p->place.func.p, n) || !as_alloc_array(al, &p->place.file.p, n) ||
		!as_alloc_array(al, &p->place.line.p, n) ||
		!as_alloc_array(al, &p->place.addr.p, n) ||
		!as_alloc_array(al, &p->place.inlined.p, n) ||
		!as_alloc_array(al, &p->node.parent.p, n) ||
		!as_alloc_array(al, &p->node.place.p, n) ||
		!as_alloc_array(al, &p->sample.node.p, n) ||
		!as_alloc_array(al, &p->sample.cost.p, n * p->event.n))
		return false;
	for (size_t i = 0; i < r->prof->object.n; i++) {
		const struct gp_range *range = &r->range[i];

		for (int end = 0; range->func.i && end < 2; end++, k++) {
			p->place.func.p[k] = range->func;
			p->place.addr.p[k] = end ? range->high : range->low;
			p->node.place.p[k].i = p->sample.node.p[k - 1].i = (uint32_t)k;
			p->sample.cost.p[(k - 1) * p->event.n + r->w->event] = 1;
		}
	}
	p->place.func.n = p->place.file.n = p->place.line.n = p->place.addr.n = k;
	p->place.inlined.n = p->node.parent.n = p->node.place.n = k;
	p->sample.node.n = k - 1;
	p->sample.cost.n = (k - 1) * p->event.n;
	return true;
}

enum as_code as_gp_rows_begin(struct as_gp_write *w, const struct as_profile *prof)
{
	struct as_gp_rows *r = as_alloc_new(w->al, sizeof(*r));

	if (!as_gp_takes_rows(prof))
		return as_err_set(w->wr->err, AS_E_ARG, "only call paths can be written");
	if (!r || !as_alloc_array(w->al, &r->range, prof->object.n) ||
		!as_alloc_array(w->al, &r->v, prof->event.n))
		return as_err_no_memory(w->wr->err);
	r->w = w;
	r->prof = prof;
	gp_rows_walk(r, gp_rows_measure);
	AS_TRY(as_err_memory(w->wr->err, gp_rows_make_ends(r)));
	w->rows = r;
	w->prof = &r->ends;
	return AS_OK;
}

/* ---- records ---- */

static void gp_rows_compare(struct as_gp_rows *r, as_func func, uint64_t first, uint64_t last)
{
	uint64_t shift = gp_rows_range(r, func)->shift;

	r->unordered |= first + shift <= r->last || last < first;
	r->last = last + shift;
}

static enum as_code gp_rows_put(struct as_gp_rows *r, uint64_t addr, as_val cost)
{
	return as_gp_put_one(r->w, addr, cost);
}

static enum as_code gp_rows_gather(struct as_gp_rows *r, uint64_t addr, as_val cost)
{
	const struct as_alloc *al = r->w->al;

	if (r->addr.n >= UINT32_MAX - 1)
		return as_err_set(r->w->wr->err, AS_E_LIMIT, "more than 2^32 addresses");
	return as_err_memory(r->w->wr->err, as_vec_push(al, &r->order, (uint32_t)r->addr.n) &&
						    as_vec_push(al, &r->addr, addr) &&
						    as_vec_push(al, &r->cost, cost));
}

static enum as_code gp_rows_put_sorted(struct as_gp_rows *r)
{
	size_t n;

	AS_TRY(gp_rows_each(r, gp_rows_gather));
	n = r->addr.n;
	AS_TRY(as_err_memory(r->w->wr->err, as_sort_keys(r->w->al, r->addr.p, r->order.p, n)));
	for (size_t i = 0; i < n;) {
		uint64_t addr = r->addr.p[i];
		as_val sum = 0;

		for (; i < n && r->addr.p[i] == addr; i++)
			sum += r->cost.p[r->order.p[i]];
		AS_TRY(as_gp_put_one(r->w, addr, sum));
	}
	return AS_OK;
}

enum as_code as_gp_rows_put(struct as_gp_rows *r)
{
	const struct as_profile *ends = &r->ends;

	for (size_t k = 1; k < ends->place.func.n; k++)
		gp_rows_range(r, ends->place.func.p[k])->shift =
			r->w->pc[k] - ends->place.addr.p[k];
	gp_rows_walk(r, gp_rows_compare);
	return r->unordered ? gp_rows_put_sorted(r) : gp_rows_each(r, gp_rows_put);
}
