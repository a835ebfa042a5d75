/* SPDX-License-Identifier: Apache-2.0 */
/* The compared tree of call paths for people. */
#include "report/diff/diff_print.h"
#include "report/kit/show.h"
#include "report/views.h"

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
		as_grid_column(g, as_diff_sign(t, "self \u0394", "self diff"), false, AS_FIT_WHOLE);
	as_grid_column(g, "", true, AS_FIT_WHOLE);
	as_grid_column(g, "function", true, AS_FIT_NAME);
	as_grid_column(g, "where", true, AS_FIT_PLACE);
}

static void name_cell(struct as_diff_print *t, uint32_t depth, struct as_slice name)
{
	as_grid_marked(
		&t->grid, (struct as_grid_cell){.text = name, .indent = as_view_indent(depth)});
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
static struct as_slice path_text(struct as_diff_print *t, uint32_t row)
{
	const struct as_diff_place *p = &t->v->sub->place.p[row];
	struct as_slice name = as_diff_listed_name(t, as_diff_place_name(t->ar, t->d, p)), up;

	if (!p->up || !name.p)
		return name;
	up = as_diff_listed_name(
		t, as_diff_place_name(t->ar, t->d, &t->v->sub->place.p[p->up - 1]));
	return as_arena_printf(t->ar, "%.*s %s %.*s", AS_SLICE_FMT(name),
		goes_up(t) ? "above" : "below", AS_SLICE_FMT(up));
}

static void one_sided(struct as_diff_print *t, enum as_side lacks, const char *word)
{
	const struct as_diff_event *ev = &t->d->event[t->event];
	size_t n = t->v->tree->one_sided[lacks].n;
	struct as_diff_named list;
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
	text = as_arena_printf(t->ar, "%zu call path%s with all %s, %.*s %.*s:", n,
		n == 1 ? "" : "s", goes_up(t) ? "above" : "below", AS_SLICE_FMT(text),
		AS_SLICE_FMT(as_show_clean(t->ar, as_diff_unit(t->d, ev))));
	as_diff_list_begin(t, &list, word, text, n);
	for (size_t i = 0; i < n; i++)
		if (!as_diff_list_put(t, &list, path_text(t, t->v->tree->one_sided[lacks].p[i])))
			break;
	as_diff_list_end(t, &list);
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
