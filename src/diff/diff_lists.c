/* SPDX-License-Identifier: Apache-2.0 */
/* Lines and calls of a comparison, function by function. */
#include "base/sort.h"
#include "diff/diff_impl.h"
#include "diff/diff_sub.h"
#include "formats/format.h"

enum { BY_FUNC, BY_UP };

static uint32_t diff_lists_key_of(const struct as_diff_place *p, unsigned kind)
{
	return kind == BY_FUNC ? p->func : p->up;
}

enum as_code as_diff_lists_make(
	struct as_diff_lists *l, const struct as_diff_sub *sub, struct as_err *err)
{
	const struct as_alloc *al = sub->fig.al;
	size_t n = sub->place.n;

	*l = (struct as_diff_lists){.sub = sub, .n_funcs = sub->of->key.n};
	for (unsigned kind = 0; kind < 2; kind++) {
		uint32_t *start = as_alloc_new(al, (l->n_funcs + 2) * sizeof(*start));
		uint32_t *row = as_alloc_new(al, (n + 1) * sizeof(*row));

		l->start[kind] = start;
		l->row[kind] = row;
		AS_TRY(as_err_memory(err, start && row));
		/* Counted two places further on, so that filling leaves the starts where they
		 * belong; nobody needs the end of the last. */
		for (size_t i = 0; i < n; i++)
			start[diff_lists_key_of(&sub->place.p[i], kind) + 2]++;
		for (size_t i = 1; i < l->n_funcs + 2; i++)
			start[i] += start[i - 1];
		for (uint32_t i = 0; i < n; i++)
			row[start[diff_lists_key_of(&sub->place.p[i], kind) + 1]++] = i;
		as_assert(start[l->n_funcs] == n);
	}
	return AS_OK;
}

void as_diff_lists_release(struct as_diff_lists *l)
{
	for (unsigned kind = 0; l->sub && kind < 2; kind++) {
		const struct as_alloc *al = l->sub->fig.al;

		as_alloc_free(al, l->start[kind],
			l->start[kind] ? (l->n_funcs + 2) * sizeof(uint32_t) : 0);
		as_alloc_free(al, l->row[kind],
			l->row[kind] ? (l->sub->place.n + 1) * sizeof(uint32_t) : 0);
	}
}

/* ---- order ---- */

struct order {
	const struct as_diff_sub *sub;
	struct as_slice own; /* base name of the function's file */
	bool to;             /* calls: named is who is called */
};

static int cmp_lines(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;
	const struct as_diff_place *x = &o->sub->place.p[a], *y = &o->sub->place.p[b];
	struct as_slice base_x = as_diff_str(o->sub->of, x->base);
	struct as_slice base_y = as_diff_str(o->sub->of, y->base);
	bool own_x = as_slice_eq(base_x, o->own), own_y = as_slice_eq(base_y, o->own);

	if (own_x != own_y)
		return own_x ? -1 : 1;
	if (x->base.i != y->base.i)
		return as_slice_cmp(base_x, base_y);
	return x->line < y->line ? -1 : x->line > y->line;
}

static as_val diff_lists_magnitude(as_val v)
{
	return v < 0 ? -v : v;
}

static int diff_lists_cmp_calls(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;
	const struct as_diff *d = &o->sub->fig, *of = o->sub->of;
	const struct as_diff_place *x = &o->sub->place.p[a], *y = &o->sub->place.p[b];
	as_val p[AS_SIDES], q[AS_SIDES], dp, dq;

	as_diff_values(d, a, d->sort_event, true, p);
	as_diff_values(d, b, d->sort_event, true, q);
	dp = diff_lists_magnitude(p[AS_NEW] - p[AS_BASE]);
	dq = diff_lists_magnitude(q[AS_NEW] - q[AS_BASE]);
	if (dp != dq)
		return dp < dq ? 1 : -1;
	if (p[AS_BASE] != q[AS_BASE])
		return p[AS_BASE] < q[AS_BASE] ? 1 : -1;
	return as_slice_cmp(as_diff_str(of, of->key.p[o->to ? x->func : x->up].name),
		as_diff_str(of, of->key.p[o->to ? y->func : y->up].name));
}

typedef int cmp_fn(const void *ctx, uint32_t a, uint32_t b);

static bool diff_lists_sorted(struct as_diff_lists *l, unsigned kind, uint32_t func, cmp_fn *cmp,
	struct as_diff_list *out)
{
	const struct as_diff *of = l->sub->of;
	struct order o = {.sub = l->sub, .to = kind == BY_UP};
	uint32_t *row = l->row[kind] + l->start[kind][func];

	as_assert(func < l->n_funcs && l->start[kind][func] <= l->start[kind][func + 1]);
	o.own = as_base_name(as_diff_str(of, of->key.p[func].path));
	*out = (struct as_diff_list){row, l->start[kind][func + 1] - l->start[kind][func]};
	return as_sort_rows(l->sub->fig.al, row, out->n, cmp, &o);
}

bool as_diff_lists_lines(struct as_diff_lists *l, uint32_t func, struct as_diff_list *out)
{
	return diff_lists_sorted(l, BY_FUNC, func, cmp_lines, out);
}

bool as_diff_lists_callers(struct as_diff_lists *l, uint32_t func, struct as_diff_list *out)
{
	return diff_lists_sorted(l, BY_FUNC, func, diff_lists_cmp_calls, out);
}

bool as_diff_lists_callees(struct as_diff_lists *l, uint32_t func, struct as_diff_list *out)
{
	return diff_lists_sorted(l, BY_UP, func, diff_lists_cmp_calls, out);
}
