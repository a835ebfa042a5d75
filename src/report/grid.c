/* SPDX-License-Identifier: Apache-2.0 */
#include "report/grid.h"

#include "report/show.h"
#include "report/utf8.h"

enum { GAP = 2, SHRUNK_MIN = 14, OVERHANG_MIN = 20 };

void as_grid_init(struct as_grid *g, const struct as_alloc *al)
{
	*g = (struct as_grid){0};
	as_arena_init(&g->arena, al);
}

void as_grid_release(struct as_grid *g)
{
	as_vec_free(g->arena.al, &g->cell);
	as_vec_free(g->arena.al, &g->paint);
	as_arena_release(&g->arena);
}

void as_grid_column(struct as_grid *g, const char *head, bool left, bool shrinks)
{
	if (g->n_columns < AS_GRID_COLUMNS_MAX)
		g->column[g->n_columns++] = (struct as_grid_column){head, left, shrinks};
}

void as_grid_cell(struct as_grid *g, struct as_slice s)
{
	if (!s.p || !as_vec_push(g->arena.al, &g->cell, s))
		g->oom = true;
}

void as_grid_paint_row(struct as_grid *g, enum as_paint paint)
{
	size_t row = g->n_columns ? g->cell.n / g->n_columns : 0;

	while (!g->oom && g->paint.n <= row)
		if (!as_vec_push(g->arena.al, &g->paint, AS_PAINT_NONE))
			g->oom = true;
	if (!g->oom)
		g->paint.p[row] = (uint8_t)paint;
}

static void measure(const struct as_grid *g, size_t *width)
{
	for (size_t c = 0; c < g->n_columns; c++)
		width[c] = as_utf8_columns(as_slice_of(g->column[c].head));
	for (size_t i = 0; i < g->cell.n; i++) {
		size_t w = as_utf8_columns(g->cell.p[i]);

		if (w > width[i % g->n_columns])
			width[i % g->n_columns] = w;
	}
}

/* What still does not fit are texts that may not be shortened, such as names deep down in a tree:
 * only the rows that have them become longer than a line. */
static void overhang(
	const struct as_grid *g, const struct as_style *style, size_t *width, size_t total)
{
	for (size_t c = g->n_columns; style->width && c > 0 && total > style->width; c--) {
		size_t excess = total - style->width, *w = &width[c - 1];
		size_t spare = *w > OVERHANG_MIN ? *w - OVERHANG_MIN : 0;
		size_t cut = spare < excess ? spare : excess;

		if (!g->column[c - 1].left || g->column[c - 1].shrinks)
			continue;
		*w -= cut;
		total -= cut;
	}
}

/* Make room where it hurts least: from the last shrinking column ("where") to the first. */
static void fit(const struct as_grid *g, const struct as_style *style, size_t *width)
{
	size_t total = GAP * (g->n_columns - 1);

	for (size_t c = 0; c < g->n_columns; c++)
		total += width[c];
	for (size_t c = g->n_columns; style->width && c > 0 && total > style->width; c--) {
		size_t excess = total - style->width, *w = &width[c - 1];
		size_t spare = *w > SHRUNK_MIN ? *w - SHRUNK_MIN : 0;
		size_t cut = spare < excess ? spare : excess;

		if (!g->column[c - 1].shrinks)
			continue;
		*w -= cut;
		total -= cut;
	}
	overhang(g, style, width, total);
}

static void shorten(struct as_grid *g, const struct as_style *style, const size_t *width)
{
	for (size_t i = 0; i < g->cell.n; i++) {
		size_t c = i % g->n_columns;

		if (!style->width || !g->column[c].shrinks)
			continue;
		g->cell.p[i] = as_show_short(&g->arena, g->cell.p[i], (unsigned)width[c], style);
		g->oom |= !g->cell.p[i].p;
	}
}

static void blanks(struct as_out *out, size_t n)
{
	while (n--)
		as_out_char(out, ' ');
}

static void print_row(const struct as_grid *g, struct as_out *out, const struct as_slice *cell,
	const size_t *width)
{
	size_t owed = 0; /* blanks; printed only before more text, so that no line ends in one */

	for (size_t c = 0; c < g->n_columns; c++) {
		size_t w = as_utf8_columns(cell[c]);
		size_t pad = width[c] > w ? width[c] - w : 0;

		owed += c ? GAP : 0;
		owed += g->column[c].left ? 0 : pad;
		if (cell[c].len) {
			blanks(out, owed);
			as_out_slice(out, cell[c]);
			owed = 0;
		} else {
			owed += w;
		}
		owed += g->column[c].left ? pad : 0;
	}
	as_out_char(out, '\n');
}

static void print_head(const struct as_grid *g, struct as_out *out, const struct as_style *style,
	const size_t *width)
{
	struct as_slice head[AS_GRID_COLUMNS_MAX];
	bool any = false;

	for (size_t c = 0; c < g->n_columns; c++) {
		head[c] = as_slice_of(g->column[c].head);
		any |= head[c].len > 0;
	}
	if (!any)
		return;
	as_out_text(out, as_paint_begin(style, AS_PAINT_HEAD));
	print_row(g, out, head, width);
	as_out_text(out, as_paint_end(style, AS_PAINT_HEAD));
}

enum as_code as_grid_print(struct as_grid *g, struct as_out *out, const struct as_style *style)
{
	size_t width[AS_GRID_COLUMNS_MAX] = {0};

	if (g->oom)
		return AS_E_NOMEM;
	if (!g->n_columns)
		return AS_OK;
	measure(g, width);
	fit(g, style, width);
	shorten(g, style, width);
	if (g->oom)
		return AS_E_NOMEM;
	print_head(g, out, style, width);
	for (size_t i = 0; i + g->n_columns <= g->cell.n; i += g->n_columns) {
		size_t row = i / g->n_columns;
		enum as_paint paint = row < g->paint.n ? g->paint.p[row] : AS_PAINT_NONE;

		as_out_text(out, as_paint_begin(style, paint));
		print_row(g, out, g->cell.p + i, width);
		as_out_text(out, as_paint_end(style, paint));
	}
	return AS_OK;
}
