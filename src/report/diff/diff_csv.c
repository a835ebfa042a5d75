/* SPDX-License-Identifier: Apache-2.0 */
/* `assay diff` as CSV. */
#include "report/diff/diff_report.h"
#include "report/kit/csv.h"

static void csv_head(const struct as_diff_view *v, struct as_csv *c)
{
	static const char *const key[] = {"function", "file", "line", "object", "in"};
	static const char *const column[] = {
		"base self", "new self", "interval low", "interval high", "significance"};

	for (size_t i = 0; i < AS_ARRAY_LEN(key); i++)
		as_csv_text(c, as_slice_of(key[i]));
	for (uint32_t i = 0; i < v->n_events; i++) {
		const struct as_diff_event *ev = &v->d->event[v->event[i]];

		for (size_t k = 0; ev->is_fine && k < AS_ARRAY_LEN(column); k++)
			as_csv_text2(c, column[k], as_diff_unit(v->d, ev));
		if (ev->is_fine) {
			as_csv_text2(c, "base inclusive", as_diff_unit(v->d, ev));
			as_csv_text2(c, "new inclusive", as_diff_unit(v->d, ev));
		}
	}
	as_csv_end(c);
}

static void csv_number(struct as_csv *c, struct as_arena *ar, as_val v, unsigned decimals)
{
	as_csv_text(c, as_diff_exact(ar, v, decimals));
}

struct cell {
	const struct as_diff *of; /* whose row it is */
	uint32_t row, event;
};

static void csv_event(
	const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar, struct cell cell)
{
	const struct as_diff_event *ev = &v->d->event[cell.event];
	struct as_diff_fig fig = as_diff_figure(cell.of, cell.row, cell.event, false);

	csv_number(c, ar, fig.value[AS_BASE], ev->decimals);
	csv_number(c, ar, fig.value[AS_NEW], ev->decimals);
	if (ev->noise != AS_NOISE_NONE) {
		csv_number(c, ar, fig.lo, ev->decimals);
		csv_number(c, ar, fig.hi, ev->decimals);
	} else {
		as_csv_empty(c);
		as_csv_empty(c);
	}
	as_csv_text(c, as_slice_of(as_diff_verdict_word(fig.verdict)));
	fig = as_diff_figure(cell.of, cell.row, cell.event, true);
	for (unsigned side = 0; side < AS_SIDES; side++) {
		if (fig.known)
			csv_number(c, ar, fig.value[side], ev->decimals);
		else
			as_csv_empty(c);
	}
}

static void csv_func(const struct as_diff_view *v, struct as_csv *c, uint32_t func,
	struct as_slice *path, uint64_t line)
{
	struct as_diff_row_key rk = as_diff_key_of(v->d, func);

	as_csv_text(c, rk.function);
	as_csv_text(c, path ? *path : rk.file);
	if (line)
		as_csv_val(c, (as_val)line);
	else
		as_csv_empty(c);
	as_csv_text(c, rk.object);
}

static void csv_values(const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar,
	const struct as_diff *of, uint32_t row)
{
	as_csv_text(c, as_slice_of(as_diff_in_text(of, row)));
	for (uint32_t i = 0; i < v->n_events; i++)
		if (v->d->event[v->event[i]].is_fine)
			csv_event(v, c, ar, (struct cell){of, row, v->event[i]});
	as_csv_end(c);
}

static void csv_table(const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar)
{
	for (size_t i = 0; i < as_diff_shown(v); i++) {
		uint32_t row = v->d->order[i];

		csv_func(v, c, row, NULL, v->d->key.p[row].line);
		csv_values(v, c, ar, v->d, row);
	}
}

/* ---- the other views ---- */

/* A row that has no self cost: it is empty, where csv_event() would have a 0. */
static void csv_inclusive(const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar,
	uint32_t func, uint32_t row)
{
	const struct as_diff *d = &v->sub->fig;

	if (func != AS_DIFF_NO_CALLER) {
		csv_func(v, c, func, NULL, 0);
	} else {
		as_csv_text(c, as_slice_of("[no caller]"));
		for (int i = 0; i < 3; i++)
			as_csv_empty(c);
	}
	as_csv_text(c, as_slice_of(as_diff_in_text(d, row)));
	for (uint32_t i = 0; i < v->n_events; i++) {
		const struct as_diff_event *ev = &v->d->event[v->event[i]];
		struct as_diff_fig fig = as_diff_figure(d, row, v->event[i], true);

		if (!ev->is_fine)
			continue;
		for (int k = 0; k < 5; k++)
			as_csv_empty(c);
		csv_number(c, ar, fig.value[AS_BASE], ev->decimals);
		csv_number(c, ar, fig.value[AS_NEW], ev->decimals);
	}
	as_csv_end(c);
}

static void csv_tree(const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar)
{
	for (size_t i = 0; i < v->tree->row.n; i++) {
		const struct as_diff_tree_row *r = &v->tree->row.p[i];
		uint32_t func;

		if (r->row == AS_DIFF_REST)
			continue;
		as_csv_val(c, (as_val)r->depth);
		func = v->sub->place.p[r->row].func;
		if (v->sub->way != AS_TREE_CALLEES) {
			csv_inclusive(v, c, ar, func, r->row);
			continue;
		}
		csv_func(v, c, func, NULL, 0);
		csv_values(v, c, ar, &v->sub->fig, r->row);
	}
}

static enum as_code csv_lines(
	const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar, uint32_t func)
{
	struct as_diff_list list;

	if (!as_diff_lists_lines(v->lists, func, &list))
		return AS_E_NOMEM;
	for (size_t i = 0; i < list.n; i++) {
		const struct as_diff_place *p = &v->sub->place.p[list.row[i]];
		struct as_slice path = as_diff_str(v->d, p->path);

		csv_func(v, c, func, &path, p->line);
		csv_values(v, c, ar, &v->sub->fig, list.row[i]);
	}
	return AS_OK;
}

static enum as_code csv_calls(
	const struct as_diff_view *v, struct as_csv *c, struct as_arena *ar, uint32_t func)
{
	struct as_diff_list from, to;

	if (!as_diff_lists_callers(v->lists, func, &from) ||
		!as_diff_lists_callees(v->lists, func, &to))
		return AS_E_NOMEM;
	for (size_t i = 0; i < from.n; i++) {
		as_csv_text(c, as_slice_of("caller"));
		csv_inclusive(v, c, ar, v->sub->place.p[from.row[i]].up, from.row[i]);
	}
	as_csv_text(c, as_slice_of("function"));
	csv_func(v, c, func, NULL, 0);
	csv_values(v, c, ar, v->d, func);
	for (size_t i = 0; i < to.n; i++) {
		as_csv_text(c, as_slice_of("callee"));
		csv_inclusive(v, c, ar, v->sub->place.p[to.row[i]].func, to.row[i]);
	}
	return AS_OK;
}

enum as_code as_diff_csv(const struct as_diff_view *v, struct as_out *out)
{
	struct as_watch watch;
	struct as_arena ar;
	struct as_csv c;
	enum as_code rc = AS_OK;

	as_watch_init(&watch, v->d->al);
	as_arena_init(&ar, &watch.al);
	as_csv_init(&c, out);
	if (v->kind == AS_DIFF_TREE)
		as_csv_text(&c, as_slice_of("depth"));
	if (v->kind == AS_DIFF_PEEK)
		as_csv_text(&c, as_slice_of("role"));
	csv_head(v, &c);
	if (v->kind == AS_DIFF_TABLE)
		csv_table(v, &c, &ar);
	else if (v->kind == AS_DIFF_TREE)
		csv_tree(v, &c, &ar);
	for (size_t i = 0; i < v->n_funcs && rc == AS_OK; i++)
		rc = v->kind == AS_DIFF_LIST ? csv_lines(v, &c, &ar, v->func[i])
					     : csv_calls(v, &c, &ar, v->func[i]);
	as_arena_release(&ar);
	return rc == AS_OK ? as_watch_code(&watch) : rc;
}
