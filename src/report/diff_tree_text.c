/* SPDX-License-Identifier: Apache-2.0 */
/* The compared tree of call paths for people. */
#include "report/diff_print.h"
#include "report/show.h"

enum { COSTS_WIDTH = 60, INTERVAL_WIDTH = 20, WHERE_WIDTH = 18, NAME_MIN = 16 };

static const struct as_diff *figures(const struct as_diff_print *t)
{
	return &t->v->sub->fig;
}

/* Ways up: a row is the self cost that came through it. */
static bool goes_up(const struct as_diff_print *t)
{
	return t->v->sub->way != AS_TREE_CALLEES;
}

static void columns(struct as_diff_print *t)
{
	struct as_grid *g = &t->grid;

	as_diff_columns(t, goes_up(t) ? "" : " incl", t->event);
	if (!goes_up(t))
		as_grid_column(g, as_diff_sign(t, "self \u0394", "self diff"), false, false);
	as_grid_column(g, "", true, false);
	as_grid_column(g, "function", true, false);
	as_grid_column(g, "where", true, true);
}

/* Names are shortened before they are indented, so that what is left stays where it belongs. */
static unsigned name_width(const struct as_diff_print *t, uint32_t depth)
{
	size_t others = COSTS_WIDTH + WHERE_WIDTH + 2 * (size_t)depth;

	others += t->has_noise ? INTERVAL_WIDTH : 0;
	return t->style->width > others + NAME_MIN ? t->style->width - (unsigned)others
						   : (unsigned)NAME_MIN;
}

static void name_cell(struct as_diff_print *t, uint32_t depth, struct as_slice name)
{
	if (name.p && t->style->width)
		name = as_show_short(t->ar, name, name_width(t, depth), t->style);
	if (name.p)
		name = as_arena_printf(t->ar, "%*s%.*s", (int)(2 * depth), "", AS_SLICE_FMT(name));
	as_grid_cell(&t->grid, name);
}

static void self_cell(struct as_diff_print *t, uint32_t row)
{
	const struct as_diff_event *ev = &t->d->event[t->event];
	struct as_diff_fig self = as_diff_figure(figures(t), row, t->event, false);

	as_grid_cell(&t->grid, as_diff_number(t->ar, self.value[AS_NEW] - self.value[AS_BASE],
				       ev->decimals, as_diff_digits(ev), true, t->style));
}

static void func_row(struct as_diff_print *t, const struct as_diff_tree_row *r)
{
	const struct as_diff_place *p = &t->v->sub->place.p[r->row];
	struct as_diff_fig fig = as_diff_figure(figures(t), r->row, t->event, true);

	as_grid_paint_row(&t->grid, as_diff_paint(t, &fig));
	as_diff_cells(t, &fig, t->event);
	if (!goes_up(t))
		self_cell(t, r->row);
	as_grid_cell(&t->grid, as_diff_verdict_text(t, as_diff_in(figures(t), r->row), &fig));
	name_cell(t, r->depth, as_diff_place_name(t->ar, t->d, p));
	as_grid_cell(&t->grid,
		p->func == AS_DIFF_NO_CALLER
			? as_slice_of("")
			: as_show_where(t->ar, as_diff_str(t->d, t->d->key.p[p->func].path), 0));
}

static void rest_row(struct as_diff_print *t, const struct as_diff_tree_row *r)
{
	const as_val *v = as_diff_tree_rest(t->v->tree, r, t->event);

	as_grid_paint_row(&t->grid, AS_PAINT_DIM);
	as_diff_rest_cells(t, t->event, v[AS_BASE], v[AS_NEW]);
	if (!goes_up(t))
		as_grid_cell(&t->grid, as_slice_of(""));
	as_grid_cell(&t->grid, as_slice_of(""));
	name_cell(t, r->depth, as_arena_printf(t->ar, "[%" PRIu64 " more]", r->n));
	as_grid_cell(&t->grid, as_slice_of(""));
}

/* "g below f": where a subtree stands. */
static void put_path(struct as_diff_print *t, uint32_t row)
{
	const struct as_diff_place *p = &t->v->sub->place.p[row];
	uint32_t up = p->up;

	as_out_slice(t->out, as_diff_place_name(t->ar, t->d, p));
	if (up)
		as_out_printf(t->out, " %s %.*s", goes_up(t) ? "above" : "below",
			AS_SLICE_FMT(as_diff_place_name(t->ar, t->d, &t->v->sub->place.p[up - 1])));
}

static void one_sided(struct as_diff_print *t, enum as_side lacks, const char *word)
{
	const struct as_diff_event *ev = &t->d->event[t->event];
	size_t n = t->v->tree->one_sided[lacks].n;
	as_val sum = 0;
	struct as_slice text;

	if (!n)
		return;
	for (size_t i = 0; i < n; i++) {
		as_val v[AS_SIDES];

		as_diff_values(figures(t), t->v->tree->one_sided[lacks].p[i], t->event, true, v);
		sum += v[lacks == AS_BASE ? AS_NEW : AS_BASE];
	}
	text = as_diff_number(t->ar, sum, ev->decimals, as_diff_digits(ev), false, t->style);
	as_diff_label(t, word);
	as_out_printf(t->out, "%zu call path%s with all %s, %.*s %.*s:", n, n == 1 ? "" : "s",
		goes_up(t) ? "above" : "below", AS_SLICE_FMT(text),
		AS_SLICE_FMT(as_show_clean(t->ar, as_diff_unit(t->d, ev))));
	for (size_t i = 0; i < n && i < AS_DIFF_LISTED; i++) {
		as_out_text(t->out, i ? ", " : " ");
		put_path(t, t->v->tree->one_sided[lacks].p[i]);
	}
	if (n > AS_DIFF_LISTED)
		as_out_printf(t->out, " and %zu more", n - AS_DIFF_LISTED);
	as_out_char(t->out, '\n');
}

enum as_code as_diff_tree_text(struct as_diff_print *t)
{
	const struct as_diff_tree_view *tree = t->v->tree;
	enum as_code rc;

	columns(t);
	for (size_t i = 0; !t->grid.oom && i < tree->row.n; i++) {
		if (tree->row.p[i].row == AS_DIFF_REST)
			rest_row(t, &tree->row.p[i]);
		else
			func_row(t, &tree->row.p[i]);
	}
	rc = as_grid_print(&t->grid, t->out, t->style);
	if (tree->one_sided[AS_BASE].n + tree->one_sided[AS_NEW].n)
		as_out_char(t->out, '\n');
	one_sided(t, AS_NEW, "gone");
	one_sided(t, AS_BASE, "added");
	return rc;
}
