/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/grid.h"

#include "base/utf8_len.h"
#include "report/kit/name_fit.h"
#include "report/kit/show.h"

enum { GAP = 2, OVERHANG_MIN = 20, DEEP_MIN = 16 };

/* In a file or a pipe no column is padded to more; what is longer stands out. */
enum { UNLIMITED_PAD = 60 };

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

void as_grid_column(struct as_grid *g, const char *head, bool left, enum as_fit fit)
{
	as_assert(!g->cell.n);
	if (g->n_columns == AS_GRID_COLUMNS_MAX) /* one left out would shift all cells */
		g->arena.failed = true;
	else
		g->column[g->n_columns++] = (struct as_grid_column){head, left, fit};
}

void as_grid_marked(struct as_grid *g, struct as_grid_cell cell)
{
	cell.lead = cell.lead ? cell.lead : "";
	cell.trail = cell.trail ? cell.trail : "";
	if (!cell.text.p || !as_vec_push(g->arena.al, &g->cell, cell))
		g->arena.failed = true;
}

void as_grid_cell(struct as_grid *g, struct as_slice s)
{
	as_grid_marked(g, (struct as_grid_cell){.text = s});
}

void as_grid_paint_row(struct as_grid *g, enum as_paint paint)
{
	size_t row = g->n_columns ? g->cell.n / g->n_columns : 0;

	while (!g->arena.failed && g->paint.n <= row)
		g->arena.failed = !as_vec_push(g->arena.al, &g->paint, AS_PAINT_NONE);
	if (!g->arena.failed)
		g->paint.p[row] = (uint8_t)paint;
}

/* ---- widths ---- */

/* Columns of what is not shortened. */
static size_t grid_kept(const struct as_grid_cell *cell)
{
	return cell->indent + as_utf8_columns(as_slice_of(cell->lead)) +
	       as_utf8_columns(as_slice_of(cell->trail));
}

static size_t cell_columns(const struct as_grid_cell *cell)
{
	return grid_kept(cell) + as_utf8_columns(cell->text);
}

static void grid_measure(const struct as_grid *g, size_t *width)
{
	for (size_t c = 0; c < g->n_columns; c++)
		width[c] = as_utf8_columns(as_slice_of(g->column[c].head));
	for (size_t i = 0; i < g->cell.n; i++) {
		size_t w = cell_columns(&g->cell.p[i]);

		if (w > width[i % g->n_columns])
			width[i % g->n_columns] = w;
	}
}

/* The widest column of the kind FIT that is wider than LEAST; n_columns: there is none. *NEXT: how
 * wide the others are at most. */
static size_t grid_widest(
	const struct as_grid *g, const size_t *width, enum as_fit fit, size_t least, size_t *next)
{
	size_t found = g->n_columns, w = least;

	*next = least;
	for (size_t c = 0; c < g->n_columns; c++) {
		if (!g->column[c].left || g->column[c].fit != fit || width[c] <= *next)
			continue;
		if (width[c] > w) {
			*next = w;
			w = width[c];
			found = c;
		} else {
			*next = width[c];
		}
	}
	return found;
}

/* Columns of the kind FIT become narrower, the widest first, but none than LEAST, until all columns
 * together have LIMIT. */
static void grid_narrow(
	const struct as_grid *g, size_t *width, size_t limit, enum as_fit fit, size_t least)
{
	size_t total = GAP * (g->n_columns - 1), next, c;

	for (c = 0; c < g->n_columns; c++)
		total += width[c];
	while (total > limit && (c = grid_widest(g, width, fit, least, &next)) < g->n_columns) {
		size_t excess = total - limit, cut = width[c] - next;

		cut = cut && cut < excess ? cut : !cut ? 1 : excess;
		width[c] -= cut;
		total -= cut;
	}
}

/* Names get the more room, the less there is. What still does not fit are texts that may not be
 * shortened: only the rows that have them become longer than a line. */
static void grid_fit(const struct as_grid *g, size_t limit, size_t *width)
{
	static const struct {
		enum as_fit fit;
		size_t least;
	} step[] = {{AS_FIT_NAME, 40}, {AS_FIT_TEXT, 24}, {AS_FIT_PLACE, 20}, {AS_FIT_NAME, 24},
		{AS_FIT_PLACE, 12}, {AS_FIT_NAME, 12}, {AS_FIT_WHOLE, OVERHANG_MIN}};

	for (size_t i = 0; i < AS_ARRAY_LEN(step); i++)
		grid_narrow(g, width, limit, step[i].fit, step[i].least);
}

/* Names that are deep down in a tree stand out rather than vanish. */
static size_t grid_room(const struct as_grid_cell *cell, size_t width)
{
	size_t others = grid_kept(cell);

	return cell->indent && width < others + DEEP_MIN ? DEEP_MIN
	       : width > others                          ? width - others
							 : 1;
}

static void grid_shorten(
	struct as_grid *g, const struct as_style *style, const size_t *width, enum as_fit how)
{
	for (size_t i = 0; i < g->cell.n; i++) {
		struct as_grid_cell *cell = &g->cell.p[i];
		size_t c = i % g->n_columns;

		if (g->column[c].fit == how)
			cell->text = (how == AS_FIT_NAME    ? as_name_fit
				      : how == AS_FIT_PLACE ? as_place_fit
							    : as_text_fit)(
				&g->arena, cell->text, grid_room(cell, width[c]), style->utf8);
	}
}

/* Shortened names leave room, which places get back. */
static void grid_lay_out(struct as_grid *g, const struct as_style *style, size_t *width)
{
	size_t whole[AS_GRID_COLUMNS_MAX] = {0}, limit = style->width;

	grid_measure(g, width);
	if (!limit) {
		for (size_t c = 0; c + 1 < g->n_columns; c++)
			if (g->column[c].fit != AS_FIT_WHOLE && width[c] > UNLIMITED_PAD)
				width[c] = UNLIMITED_PAD;
		return;
	}
	grid_fit(g, limit, width);
	grid_shorten(g, style, width, AS_FIT_NAME);
	grid_measure(g, whole);
	for (size_t c = 0; c < g->n_columns; c++)
		if (g->column[c].fit != AS_FIT_NAME || whole[c] < width[c])
			width[c] = whole[c];
	grid_narrow(g, width, limit, AS_FIT_TEXT, 24);
	grid_narrow(g, width, limit, AS_FIT_PLACE, 12);
	grid_narrow(g, width, limit, AS_FIT_WHOLE, OVERHANG_MIN);
	grid_shorten(g, style, width, AS_FIT_TEXT);
	grid_shorten(g, style, width, AS_FIT_PLACE);
}

/* ---- rows ---- */

static void grid_blanks(struct as_out *out, size_t n)
{
	while (n--)
		as_out_char(out, ' ');
}

static void print_row(const struct as_grid *g, struct as_out *out, const struct as_grid_cell *cell,
	const size_t *width)
{
	size_t owed = 0; /* blanks; printed only before more text, so that no line ends in one */

	for (size_t c = 0; c < g->n_columns; c++) {
		size_t w = cell_columns(&cell[c]);
		size_t pad = width[c] > w ? width[c] - w : 0;

		owed += c ? GAP : 0;
		owed += g->column[c].left ? 0 : pad;
		if (cell[c].text.len) {
			grid_blanks(out, owed + cell[c].indent);
			as_out_text(out, cell[c].lead);
			as_out_slice(out, cell[c].text);
			as_out_text(out, cell[c].trail);
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
	struct as_grid_cell head[AS_GRID_COLUMNS_MAX];
	bool any = false;

	for (size_t c = 0; c < g->n_columns; c++) {
		head[c] = (struct as_grid_cell){as_slice_of(g->column[c].head), 0, "", "", true};
		any |= head[c].text.len > 0;
	}
	if (!any)
		return;
	as_out_text(out, as_paint_begin(style, AS_PAINT_HEAD));
	print_row(g, out, head, width);
	as_out_text(out, as_paint_end(style, AS_PAINT_HEAD));
}

/* ---- Markdown ---- */

const struct as_style as_grid_markdown = {.group = true, .utf8 = true, .markdown = true};

/* In a cell '|' would end it, '<' begin a tag and '`' code. */
static void grid_md_text(struct as_out *out, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (text[i] == '|' || text[i] == '`')
			as_out_char(out, '\\');
		if (text[i] == '<')
			as_out_text(out, "&lt;");
		else
			as_out_char(out, text[i]);
	}
}

void as_grid_code(struct as_out *out, struct as_arena *ar, struct as_slice text)
{
	struct as_slice clean = as_show_clean(ar, text);

	as_out_char(out, '`');
	for (size_t i = 0; clean.p && i < clean.len; i++) {
		if (clean.p[i] == '|')
			as_out_text(out, "\\|");
		else
			as_out_char(out, (char)(clean.p[i] == '`' ? '\'' : clean.p[i]));
	}
	as_out_char(out, '`');
}

static void grid_md_cell(struct as_grid *g, struct as_out *out, const struct as_grid_column *column,
	const struct as_grid_cell *cell)
{
	if (cell->text.len) {
		as_out_char(out, ' ');
		grid_md_text(out, cell->lead, strlen(cell->lead));
		for (size_t i = 0; i < cell->indent; i++)
			as_out_text(out, "&nbsp;");
		if (column->left && column->fit != AS_FIT_WHOLE && !cell->plain)
			as_grid_code(out, &g->arena, cell->text);
		else
			grid_md_text(out, cell->text.p, cell->text.len);
		grid_md_text(out, cell->trail, strlen(cell->trail));
	}
	as_out_text(out, " |");
}

static enum as_code grid_print_md(struct as_grid *g, struct as_out *out)
{
	as_out_char(out, '|');
	for (size_t c = 0; c < g->n_columns; c++)
		grid_md_cell(g, out, &g->column[c],
			&(struct as_grid_cell){
				as_slice_trim(as_slice_of(g->column[c].head)), 0, "", "", true});
	as_out_text(out, "\n|");
	for (size_t c = 0; c < g->n_columns; c++)
		as_out_text(out, g->column[c].left ? " --- |" : " ---: |");
	as_out_char(out, '\n');
	for (size_t i = 0; i + g->n_columns <= g->cell.n; i += g->n_columns) {
		as_out_char(out, '|');
		for (size_t c = 0; c < g->n_columns; c++)
			grid_md_cell(g, out, &g->column[c], &g->cell.p[i + c]);
		as_out_char(out, '\n');
	}
	return g->arena.failed ? AS_E_NOMEM : AS_OK;
}

enum as_code as_grid_print(struct as_grid *g, struct as_out *out, const struct as_style *style)
{
	size_t width[AS_GRID_COLUMNS_MAX] = {0};

	if (g->arena.failed)
		return AS_E_NOMEM;
	if (!g->n_columns)
		return AS_OK;
	if (style->markdown)
		return grid_print_md(g, out);
	grid_lay_out(g, style, width);
	if (g->arena.failed)
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
