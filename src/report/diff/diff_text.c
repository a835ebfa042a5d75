/* SPDX-License-Identifier: Apache-2.0 */
/* `assay diff` for people. */
#include "report/diff/diff_print.h"
#include "report/kit/show.h"

/* ---- the table ---- */

static void columns(struct as_diff_print *t)
{
	struct as_grid *g = &t->grid;
	enum as_by by = t->d->opts.by;

	for (uint32_t i = 0; i < t->v->n_events; i++)
		if (t->d->event[t->v->event[i]].is_fine)
			as_diff_columns(t, t->d->sort_inclusive ? " incl" : "", t->v->event[i]);
	as_grid_column(g, "", true, AS_FIT_WHOLE);
	as_grid_column(g,
		by == AS_BY_FILE     ? "file"
		: by == AS_BY_OBJECT ? "object"
				     : "function",
		true, by == AS_BY_FILE || by == AS_BY_OBJECT ? AS_FIT_PLACE : AS_FIT_NAME);
	if (t->has_where)
		as_grid_column(g, "where", true, AS_FIT_PLACE);
}

static void row_cells(struct as_diff_print *t, uint32_t row)
{
	bool inclusive = t->d->sort_inclusive;
	struct as_diff_fig fig = as_diff_figure(t->d, row, t->event, inclusive), one;
	const struct as_diff_key *k = &t->d->key.p[row];

	as_grid_paint_row(&t->grid, as_diff_paint(t, &fig));
	for (uint32_t i = 0; i < t->v->n_events; i++) {
		if (!t->d->event[t->v->event[i]].is_fine)
			continue;
		one = as_diff_figure(t->d, row, t->v->event[i], inclusive);
		as_diff_cells(t, &one, t->v->event[i]);
	}
	as_grid_cell(&t->grid, as_diff_verdict_text(t, as_diff_in(t->d, row), &fig));
	as_grid_cell(&t->grid, as_diff_row_name(t->ar, t->d, row));
	if (t->has_where)
		as_grid_cell(&t->grid, as_show_where(t->ar, as_diff_str(t->d, k->path), k->line));
}

/* Inclusive costs are no sum, so they have no rest. */
static void rest_cells(struct as_diff_print *t)
{
	size_t n = t->d->key.n - as_diff_shown(t->v);

	for (uint32_t i = 0; i < t->v->n_events; i++) {
		uint32_t e = t->v->event[i];
		struct as_diff_rest rest;

		if (!t->d->event[e].is_fine)
			continue;
		rest = as_diff_rest(t->v, e);
		as_diff_rest_cells(t, e, rest.value[AS_BASE], rest.value[AS_NEW]);
	}
	as_grid_cell(&t->grid, as_slice_of(""));
	as_grid_cell(&t->grid, as_arena_printf(t->ar, "[%zu more %s]", n, n == 1 ? "row" : "rows"));
	if (t->has_where)
		as_grid_cell(&t->grid, as_slice_of(""));
}

/* ---- below the table ---- */

static struct as_slice row_text(struct as_diff_print *t, uint32_t row)
{
	struct as_slice name = as_diff_listed_name(t, as_diff_row_name(t->ar, t->d, row));

	if (!name.p || !t->d->key.p[row].line)
		return name;
	return as_arena_printf(t->ar, "%.*s:%" PRIu64, AS_SLICE_FMT(name), t->d->key.p[row].line);
}

/* What is on one side only, by cost: always said, wherever the table ends. */
static void one_sided(struct as_diff_print *t, enum as_side lacks, const char *word, size_t n)
{
	const struct as_diff_event *ev = &t->d->event[t->event];
	enum as_side side = lacks == AS_BASE ? AS_NEW : AS_BASE;
	struct as_diff_named list;
	as_val sum = 0;
	struct as_slice text;

	if (!n)
		return;
	for (uint32_t r = 0; r < t->d->key.n; r++)
		if (!as_diff_has(t->d, r, lacks))
			sum += as_diff_figure(t->d, r, t->event, false).value[side];
	text = as_diff_number(t->ar, sum, ev->decimals, as_diff_digits(ev), false, t->style);
	text = as_arena_printf(t->ar, "%zu, %.*s %.*s:", n, AS_SLICE_FMT(text),
		AS_SLICE_FMT(as_show_clean(t->ar, as_diff_unit(t->d, ev))));
	as_diff_list_begin(t, &list, word, text, n);
	for (size_t i = 0; i < t->d->key.n; i++) {
		uint32_t row = t->d->order[i];

		if (!as_diff_has(t->d, row, lacks) && !as_diff_list_put(t, &list, row_text(t, row)))
			break;
	}
	as_diff_list_end(t, &list);
}

static enum as_code table(struct as_diff_print *t)
{
	const struct as_diff_view *v = t->v;
	const struct as_diff *d = v->d;
	enum as_by by = d->opts.by;
	enum as_code rc;

	t->has_where = by != AS_BY_FILE && by != AS_BY_OBJECT;
	columns(t);
	for (size_t i = 0; !t->grid.oom && i < as_diff_shown(v); i++)
		row_cells(t, v->d->order[i]);
	if (!v->d->sort_inclusive && as_diff_shown(v) < v->d->key.n)
		rest_cells(t);
	rc = as_grid_print(&t->grid, t->out, t->style);
	if (d->n_vanished + d->n_appeared)
		as_out_char(t->out, '\n');
	one_sided(t, AS_NEW, "gone", d->n_vanished);
	one_sided(t, AS_BASE, "added", d->n_appeared);
	return rc;
}

enum as_code as_diff_text(
	const struct as_diff_view *v, struct as_out *out, const struct as_style *style)
{
	struct as_diff_print t = {
		.v = v, .d = v->d, .style = style, .out = out, .event = v->d->sort_event};
	struct as_watch watch;
	enum as_code rc;

	as_watch_init(&watch, v->d->al);
	t.has_noise = t.d->event[t.event].noise != AS_NOISE_NONE;
	as_grid_init(&t.grid, &watch.al);
	t.ar = &t.grid.arena;
	as_diff_head(&t, v->sub ? &v->sub->fig : v->d);
	as_out_char(out, '\n');
	rc = v->kind == AS_DIFF_TABLE  ? table(&t)
	     : v->kind == AS_DIFF_TREE ? as_diff_tree_text(&t)
				       : as_diff_funcs_text(&t);
	as_grid_release(&t.grid);
	return rc == AS_OK ? as_watch_code(&watch) : rc;
}
