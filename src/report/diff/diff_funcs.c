/* SPDX-License-Identifier: Apache-2.0 */
/* Compared functions for people: what stands above them, and their source. */
#include "report/diff/diff_print.h"

#include "report/kit/show.h"
#include "report/listing/list_print_impl.h"

/* ---- a function ---- */

static void funcs_change(struct as_diff_print *p, const char *what, const struct as_diff_fig *fig)
{
	const struct as_diff_event *ev = &p->d->event[p->event];
	as_val base = fig->value[AS_BASE], new_ = fig->value[AS_NEW];

	if (!fig->known) {
		as_out_printf(p->out, "%s not known", what);
		return;
	}
	as_out_printf(p->out, "%s %.*s, %.*s, %.*s%s", what,
		AS_SLICE_FMT(as_diff_pair(&p->arena, ev, fig->value, p->style)),
		AS_SLICE_FMT(as_diff_number(&p->arena, ev, new_ - base, true, p->style)),
		AS_SLICE_FMT(as_diff_percent(&p->arena, base, new_)), base ? " %" : "");
}

void as_diff_func_head(struct as_diff_print *p, uint32_t func, bool first)
{
	const struct as_diff_key *k = &p->d->key.p[func];
	struct as_slice path = as_diff_str(p->d, k->path), object = as_diff_str(p->d, k->latest);
	struct as_diff_fig self = as_diff_figure(p->d, func, p->event, false);
	struct as_diff_fig incl = as_diff_figure(p->d, func, p->event, true);
	struct as_arena *ar = &p->arena;

	as_assert(func < p->d->key.n);
	if (!first)
		as_out_char(p->out, '\n');
	as_out_printf(p->out, "%s%.*s%s", as_paint_begin(p->style, AS_PAINT_HEAD),
		AS_SLICE_FMT(as_diff_row_name(ar, p->d, func)),
		as_paint_end(p->style, AS_PAINT_HEAD));
	if (path.len && !k->path_is_object)
		as_out_printf(p->out, "  %.*s", AS_SLICE_FMT(as_show_clean(ar, path)));
	if (object.len)
		as_out_printf(p->out, "  [%.*s]", AS_SLICE_FMT(as_show_clean(ar, object)));
	as_out_printf(p->out, "\n%.*s: ",
		AS_SLICE_FMT(as_show_clean(ar, as_diff_unit(p->d, &p->d->event[p->event]))));
	funcs_change(p, "self", &self);
	if (incl.known)
		funcs_change(p, "; inclusive", &incl);
	as_out_text(p->out, "\n\n");
}

/* ---- lines ---- */

static void funcs_put_line(struct as_diff_print *p, uint64_t line)
{
	as_sheet_count(&p->sheet, DIFF_LINE, true, (as_val)line);
	if (!line)
		as_sheet_title(&p->sheet, DIFF_LINE, as_slice_of("?"));
}

/* Lines FROM up to, not including, TO have no cost. */
static void funcs_free_lines(
	struct as_diff_print *p, struct as_slice path, uint64_t from, uint64_t to)
{
	const struct as_diff_source *source = p->v->source;
	struct as_sheet *s = &p->sheet;
	struct as_slice text;

	for (uint64_t line = from; line < to && !s->grid.arena.failed; line++) {
		if (!source->line(source->ctx, path, line, &text))
			return;
		as_sheet_paint(s, AS_PAINT_DIM);
		funcs_put_line(p, line);
		as_sheet_text(s, DIFF_SOURCE, as_list_source_text(&s->grid.arena, text));
		as_sheet_row(s, NULL);
	}
}

/* What stands between LAST and LINE, which have costs; LAST 0: before the first; LINE 0: after
 * the last. */
static void funcs_between(
	struct as_diff_print *p, struct as_slice path, uint64_t last, uint64_t line)
{
	uint64_t around = p->v->context;

	if (!last) {
		funcs_free_lines(p, path, line > around ? line - around : 1, line);
	} else if (!line) {
		funcs_free_lines(p, path, last + 1, last + 1 + around);
	} else if (line - last - 1 <= 2 * around + 1) {
		funcs_free_lines(p, path, last + 1, line);
	} else {
		funcs_free_lines(p, path, last + 1, last + 1 + around);
		as_sheet_title(&p->sheet, DIFF_LINE, as_slice_of("..."));
		as_sheet_row(&p->sheet, NULL);
		funcs_free_lines(p, path, line - around, line);
	}
}

static void funcs_row(struct as_diff_print *p, struct as_slice path, uint32_t row)
{
	const struct as_diff_source *source = p->v->source;
	uint64_t line = p->v->sub->place.p[row].line;
	struct as_sheet *s = &p->sheet;
	struct as_slice text = as_slice_of("");

	as_diff_put_figures(p, &p->v->sub->fig, row, true);
	funcs_put_line(p, line);
	if (!line)
		text = as_slice_of("[line not known]");
	else if (source->line(source->ctx, path, line, &text))
		text = as_list_source_text(&s->grid.arena, text);
	else
		text = as_slice_of("");
	as_sheet_text(s, DIFF_SOURCE, text);
	as_sheet_row(s, NULL);
}

/* That of NEW, if it has any of the lines. */
static struct as_slice funcs_path(const struct as_diff_sub *sub, const uint32_t *row, size_t n)
{
	const struct as_diff_place *p = &sub->place.p[row[0]];

	for (size_t i = 0; i < n; i++)
		if (as_diff_has(&sub->fig, row[i], AS_NEW)) {
			p = &sub->place.p[row[i]];
			break;
		}
	return as_diff_str(sub->of, p->path);
}

/* The heading of the source: where it is. What is to be said of the file stands above the table. */
static void funcs_heading(struct as_diff_print *p, struct as_slice path)
{
	const struct as_diff_source *source = p->v->source;
	struct as_slice note = as_slice_of(""), where = source->where(source->ctx, path, &note);

	where = as_show_clean(&p->arena, where.len ? where : path);
	where = as_arena_printf(&p->arena, "%.*s", AS_SLICE_FMT(where));
	for (struct as_column *c = p->column; where.p && c->kind; c++)
		if (c->slot == DIFF_SOURCE)
			c->key = path.len ? where.p : "[source file not known]";
	if (note.len && path.len)
		as_out_printf(p->out, "[%.*s]\n", AS_SLICE_FMT(as_show_clean(&p->arena, note)));
}

/* Lines of one file, at ROW. */
static void funcs_block(struct as_diff_print *p, const uint32_t *row, size_t n)
{
	const struct as_diff_sub *sub = p->v->sub;
	struct as_slice path = funcs_path(sub, row, n);
	uint64_t last = 0;

	funcs_heading(p, path);
	as_sheet_table(&p->sheet);
	for (size_t i = 0; i < n; i++) {
		uint64_t line = sub->place.p[row[i]].line;

		if (line)
			funcs_between(p, path, last, line);
		funcs_row(p, path, row[i]);
		last = line;
	}
	if (last)
		funcs_between(p, path, last, 0);
	as_sheet_table_end(&p->sheet);
}

void as_diff_func_source(struct as_diff_print *p, uint32_t func)
{
	const struct as_diff_place *place = p->v->sub->place.p;
	struct as_diff_list list;

	as_assert(p->v->source && func < p->d->key.n);
	if (!as_diff_lists_lines(p->v->lists, func, &list)) {
		p->arena.failed = true;
		return;
	}
	for (size_t at = 0, end; at < list.n && !p->arena.failed; at = end) {
		for (end = at; end < list.n; end++)
			if (place[list.row[end]].base.i != place[list.row[at]].base.i)
				break;
		if (at)
			as_out_char(p->out, '\n');
		funcs_block(p, list.row + at, end - at);
	}
	if (!list.n)
		as_out_text(p->out, "[nothing is known of its lines]\n");
}
