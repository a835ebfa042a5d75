/* SPDX-License-Identifier: Apache-2.0 */
/* Compared functions for people: their source, or their callers and callees. */
#include "report/diff/diff_print.h"

#include "report/kit/show.h"
#include "report/listing/list_print_impl.h"

static const struct as_diff *figures(const struct as_diff_print *t)
{
	return &t->v->sub->fig;
}

/* ---- a function ---- */

static void change(struct as_diff_print *t, const char *what, const struct as_diff_fig *fig)
{
	const struct as_diff_event *ev = &t->d->event[t->event];
	as_val base = fig->value[AS_BASE], new_ = fig->value[AS_NEW];
	unsigned show = as_diff_digits(ev);

	if (!fig->known) {
		as_out_printf(t->out, "%s not known", what);
		return;
	}
	as_out_printf(t->out, "%s %.*s %s %.*s, %.*s, %.*s%s", what,
		AS_SLICE_FMT(as_diff_number(t->ar, base, ev->decimals, show, false, t->style)),
		as_diff_sign(t, "\u2192", "->"),
		AS_SLICE_FMT(as_diff_number(t->ar, new_, ev->decimals, show, false, t->style)),
		AS_SLICE_FMT(
			as_diff_number(t->ar, new_ - base, ev->decimals, show, true, t->style)),
		AS_SLICE_FMT(as_diff_percent(t->ar, base, new_)), base ? " %" : "");
}

static void func_head(struct as_diff_print *t, uint32_t func, bool first)
{
	const struct as_diff_key *k = &t->d->key.p[func];
	struct as_slice path = as_diff_str(t->d, k->path), object = as_diff_str(t->d, k->latest);
	struct as_diff_fig self = as_diff_figure(t->d, func, t->event, false);
	struct as_diff_fig incl = as_diff_figure(t->d, func, t->event, true);

	if (!first)
		as_out_char(t->out, '\n');
	as_out_printf(t->out, "%s%.*s%s", as_paint_begin(t->style, AS_PAINT_HEAD),
		AS_SLICE_FMT(as_diff_row_name(t->ar, t->d, func)),
		as_paint_end(t->style, AS_PAINT_HEAD));
	if (path.len && !k->path_is_object)
		as_out_printf(t->out, "  %.*s", AS_SLICE_FMT(as_show_clean(t->ar, path)));
	if (object.len)
		as_out_printf(t->out, "  [%.*s]", AS_SLICE_FMT(as_show_clean(t->ar, object)));
	as_out_printf(t->out, "\n%.*s: ",
		AS_SLICE_FMT(as_show_clean(t->ar, as_diff_unit(t->d, &t->d->event[t->event]))));
	change(t, "self", &self);
	if (incl.known)
		change(t, "; inclusive", &incl);
	as_out_text(t->out, "\n\n");
}

static enum as_code print_grid(struct as_diff_print *t)
{
	enum as_code rc = as_grid_print(&t->grid, t->out, t->style);
	const struct as_alloc *al = t->grid.arena.al;

	as_grid_release(&t->grid);
	as_grid_init(&t->grid, al);
	return rc;
}

/* ---- lines ---- */

static void line_columns(struct as_diff_print *t, const char *where)
{
	struct as_grid *g = &t->grid;

	as_diff_columns(t, "", t->event);
	as_grid_column(g, as_diff_sign(t, "incl \u0394", "incl diff"), false, AS_FIT_WHOLE);
	as_grid_column(g, "", true, AS_FIT_WHOLE);
	as_grid_column(g, "line", false, AS_FIT_WHOLE);
	as_grid_column(g, where, true, AS_FIT_WHOLE);
}

static struct as_slice number_text(struct as_diff_print *t, uint64_t line)
{
	return line ? as_arena_printf(t->ar, "%" PRIu64, line) : as_slice_of("?");
}

static struct as_slice source_text(struct as_diff_print *t, struct as_slice path, uint64_t line)
{
	const struct as_diff_source *s = t->v->source;
	struct as_slice text;

	if (!line)
		return as_slice_of("[line not known]");
	if (!s->line(s->ctx, path, line, &text))
		return as_slice_of("");
	return as_list_source_text(t->ar, text);
}

/* Lines FROM up to, not including, TO have no cost. */
static void free_lines(struct as_diff_print *t, struct as_slice path, uint64_t from, uint64_t to)
{
	const struct as_diff_source *s = t->v->source;
	unsigned cells = t->has_noise ? 7 : 6;
	struct as_slice text;

	for (uint64_t line = from; line < to && !t->grid.oom; line++) {
		if (!s->line(s->ctx, path, line, &text))
			return;
		as_grid_paint_row(&t->grid, AS_PAINT_DIM);
		for (unsigned i = 0; i < cells; i++)
			as_grid_cell(&t->grid, as_slice_of(""));
		as_grid_cell(&t->grid, number_text(t, line));
		as_grid_cell(&t->grid, as_list_source_text(t->ar, text));
	}
}

static void skip_mark(struct as_diff_print *t)
{
	unsigned cells = t->has_noise ? 8 : 7;

	for (unsigned i = 0; i < cells; i++)
		as_grid_cell(&t->grid, as_slice_of(i + 1 < cells ? "" : "..."));
	as_grid_cell(&t->grid, as_slice_of(""));
}

/* What stands between LAST and LINE, which have costs; LAST 0: before the first; LINE 0: after
 * the last. */
static void between(struct as_diff_print *t, struct as_slice path, uint64_t last, uint64_t line)
{
	uint64_t around = t->v->context;

	if (!last) {
		free_lines(t, path, line > around ? line - around : 1, line);
	} else if (!line) {
		free_lines(t, path, last + 1, last + 1 + around);
	} else if (line - last - 1 <= 2 * around + 1) {
		free_lines(t, path, last + 1, line);
	} else {
		free_lines(t, path, last + 1, last + 1 + around);
		skip_mark(t);
		free_lines(t, path, line - around, line);
	}
}

/* With what was called there: what a line's own cost does not show. */
static void incl_cell(struct as_diff_print *t, uint32_t row)
{
	const struct as_diff_event *ev = &t->d->event[t->event];
	struct as_diff_fig fig = as_diff_figure(figures(t), row, t->event, true);
	as_val delta = fig.value[AS_NEW] - fig.value[AS_BASE];

	as_grid_cell(&t->grid, fig.known ? as_diff_number(t->ar, delta, ev->decimals,
						   as_diff_digits(ev), true, t->style)
					 : as_slice_of("-"));
}

static void line_row(struct as_diff_print *t, struct as_slice path, uint32_t row)
{
	const struct as_diff_place *p = &t->v->sub->place.p[row];
	struct as_diff_fig fig = as_diff_figure(figures(t), row, t->event, false);

	as_grid_paint_row(&t->grid, as_diff_paint(t, &fig));
	as_diff_cells(t, &fig, t->event);
	incl_cell(t, row);
	as_grid_cell(&t->grid, as_diff_verdict_text(t, as_diff_in(figures(t), row), &fig));
	as_grid_cell(&t->grid, number_text(t, p->line));
	as_grid_cell(&t->grid, source_text(t, path, p->line));
}

/* That of NEW, if it has any of the lines. */
static struct as_slice path_of(const struct as_diff_sub *sub, const uint32_t *row, size_t n)
{
	const struct as_diff_place *first = &sub->place.p[row[0]], *p = first;

	for (size_t i = 0; i < n && sub->place.p[row[i]].base.i == first->base.i; i++)
		if (as_diff_has(&sub->fig, row[i], AS_NEW)) {
			p = &sub->place.p[row[i]];
			break;
		}
	return as_diff_str(sub->of, p->path);
}

/* Lines of one file: the first of the N at ROW that have its name. How many. */
static size_t block(struct as_diff_print *t, const uint32_t *row, size_t n, enum as_code *rc)
{
	const struct as_diff_sub *sub = t->v->sub;
	const struct as_diff_source *s = t->v->source;
	struct as_slice path = path_of(sub, row, n), note = as_slice_of(""), where;
	uint64_t last = 0;
	size_t i;

	where = s->where(s->ctx, path, &note);
	where = as_show_clean(t->ar, where.len ? where : path);
	where = as_arena_printf(t->ar, "%.*s", AS_SLICE_FMT(where));
	if (!where.p) {
		*rc = AS_E_NOMEM;
		return n;
	}
	line_columns(t, path.len ? where.p : "[source file not known]");
	for (i = 0; i < n; i++) {
		const struct as_diff_place *p = &sub->place.p[row[i]];

		if (p->base.i != sub->place.p[row[0]].base.i)
			break;
		if (p->line)
			between(t, path, last, p->line);
		line_row(t, path, row[i]);
		last = p->line;
	}
	if (last)
		between(t, path, last, 0);
	if (note.len && path.len)
		note = as_arena_printf(t->ar, "%.*s", AS_SLICE_FMT(as_show_clean(t->ar, note)));
	if (note.len && path.len)
		as_out_printf(t->out, "[%.*s]\n", AS_SLICE_FMT(note));
	*rc = print_grid(t);
	return i;
}

static enum as_code one_list(struct as_diff_print *t, uint32_t func)
{
	struct as_diff_list list;
	enum as_code rc = AS_OK;

	if (!as_diff_lists_lines(t->v->lists, func, &list))
		return AS_E_NOMEM;
	for (size_t at = 0; at < list.n && rc == AS_OK;) {
		if (at)
			as_out_char(t->out, '\n');
		at += block(t, list.row + at, list.n - at, &rc);
	}
	if (!list.n)
		as_out_text(t->out, "[nothing is known of its lines]\n");
	return rc;
}

/* ---- callers and callees ---- */

static void call_row(struct as_diff_print *t, uint32_t row, uint32_t other, const char *mark)
{
	struct as_diff_fig fig = as_diff_figure(figures(t), row, t->event, true);
	struct as_slice name = as_diff_row_name(t->ar, t->d, other);

	as_grid_paint_row(&t->grid, as_diff_paint(t, &fig));
	as_diff_cells(t, &fig, t->event);
	as_grid_cell(&t->grid, as_diff_verdict_text(t, as_diff_in(figures(t), row), &fig));
	as_grid_marked(&t->grid, (struct as_grid_cell){.text = name, .lead = mark});
	as_grid_cell(&t->grid, as_show_where(t->ar, as_diff_str(t->d, t->d->key.p[other].path), 0));
}

static void own_row(struct as_diff_print *t, uint32_t func)
{
	struct as_diff_fig fig = as_diff_figure(t->d, func, t->event, true);

	if (!fig.known)
		fig = as_diff_figure(t->d, func, t->event, false);
	as_grid_paint_row(&t->grid, AS_PAINT_HEAD);
	as_diff_cells(t, &fig, t->event);
	as_grid_cell(&t->grid, as_diff_verdict_text(t, as_diff_in(t->d, func), &fig));
	as_grid_cell(&t->grid, as_diff_row_name(t->ar, t->d, func));
	as_grid_cell(&t->grid, as_show_where(t->ar, as_diff_str(t->d, t->d->key.p[func].path), 0));
}

static enum as_code one_peek(struct as_diff_print *t, uint32_t func)
{
	const struct as_diff_sub *sub = t->v->sub;
	struct as_diff_list from, to;

	if (!as_diff_lists_callers(t->v->lists, func, &from) ||
		!as_diff_lists_callees(t->v->lists, func, &to))
		return AS_E_NOMEM;
	as_diff_columns(t, " incl", t->event);
	as_grid_column(&t->grid, "", true, AS_FIT_WHOLE);
	as_grid_column(&t->grid, "function", true, AS_FIT_NAME);
	as_grid_column(&t->grid, "where", true, AS_FIT_PLACE);
	for (size_t i = 0; i < from.n; i++)
		call_row(t, from.row[i], sub->place.p[from.row[i]].up, "  < ");
	own_row(t, func);
	for (size_t i = 0; i < to.n; i++)
		call_row(t, to.row[i], sub->place.p[to.row[i]].func, "  > ");
	return print_grid(t);
}

enum as_code as_diff_funcs_text(struct as_diff_print *t)
{
	enum as_code rc = AS_OK;

	for (size_t i = 0; i < t->v->n_funcs && rc == AS_OK; i++) {
		func_head(t, t->v->func[i], !i);
		rc = t->v->kind == AS_DIFF_LIST ? one_list(t, t->v->func[i])
						: one_peek(t, t->v->func[i]);
	}
	if (!t->v->n_funcs)
		as_out_text(t->out, "[no function differs]\n");
	return rc;
}
