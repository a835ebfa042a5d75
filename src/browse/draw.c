/* SPDX-License-Identifier: Apache-2.0 */
/* The screen around a view, and lists of rows. */
#include "browse/browse_impl.h"

#include "base/path.h"
#include "base/utf8_len.h"
#include "report/kit/name_fit.h"
#include "report/kit/show.h"

enum { HEAD_LINES = 3, NAME_MIN = 20, WHERE_MAX = 28, LINES_MAX = 512 };

/* ---- title, tabs and status ---- */

static struct as_slice draw_filters(struct as_browse *b)
{
	struct as_slice text = as_slice_of("");

	for (const struct as_browse_word *w = b->st.words; w; w = w->next)
		text = as_arena_printf(&b->scratch, "  %s %s%.*s", as_word_text(w->kind), w->text,
			AS_SLICE_FMT(text));
	return text;
}

/* Without its folders, where they would take the room of all else. */
static struct as_slice draw_file(struct as_browse *b, const struct as_canvas *f, const char *path)
{
	struct as_slice name = as_slice_of(path);

	if (name.len > f->columns / 4 && as_base_name(name).len)
		name = as_base_name(name);
	return as_show_clean(&b->scratch, name);
}

static void draw_title(struct as_browse *b, struct as_canvas *f)
{
	struct as_slice name = draw_file(b, f, b->ask.file[0]), base, text;
	struct as_slice event = as_slice_of("no events");

	if (b->prof && as_n_events(b->prof))
		event = as_show_clean(&b->scratch, as_event_name(b->prof, b->st.event));
	if (b->ask.base) {
		base = draw_file(b, f, b->ask.base);
		name = as_arena_printf(
			&b->scratch, "%.*s : %.*s", AS_SLICE_FMT(base), AS_SLICE_FMT(name));
	}
	text = as_arena_printf(&b->scratch, " %.*s  %.*s, %s first%s%.*s", AS_SLICE_FMT(name),
		AS_SLICE_FMT(event), b->st.inclusive ? "inclusive cost" : "self cost",
		b->st.bottom_up ? ", bottom up" : "", AS_SLICE_FMT(draw_filters(b)));
	if (b->st.search[0] && !b->typing)
		text = as_arena_printf(&b->scratch, "%.*s  /%s", AS_SLICE_FMT(text), b->st.search);
	as_canvas_fill(f, 0, 0, f->columns, ' ', AS_TINT_BAR);
	as_canvas_put(f, 0, 0, f->columns, text, AS_TINT_BAR);
}

static void draw_tabs(struct as_browse *b, struct as_canvas *f)
{
	static const char *const names[AS_BROWSE_VIEWS] = {
		"Functions", "Callers", "Tree", "Flame", "Source", "Asm", "Threads", "Events"};
	unsigned x = 0, wide = 0;

	for (size_t i = 0; i < AS_BROWSE_VIEWS; i++)
		wide += (unsigned)strlen(names[i]) + 4;
	for (unsigned i = 0; i < AS_BROWSE_VIEWS; i++) {
		bool on = i == (unsigned)b->st.view;
		const char *name = i == 0 && b->ask.base ? "Differ" : names[i];
		struct as_slice text = as_arena_printf(&b->scratch, " %u %.*s ", i + 1,
			wide <= f->columns ? 16
			: on               ? 9
					   : 1,
			name);

		if (wide > f->columns && !on)
			text = as_arena_printf(&b->scratch, " %u", i + 1);
		b->tab_x[i] = x;
		x += as_canvas_put(f, x, 1, f->columns, text, on ? AS_TINT_TAB : AS_TINT_DIM);
	}
	b->tab_x[AS_BROWSE_VIEWS] = x;
}

static void draw_status(struct as_browse *b, struct as_canvas *f)
{
	unsigned y = f->lines - 1;
	size_t n = as_browse_rows(b);
	struct as_slice text;

	as_canvas_fill(f, 0, y, f->columns, ' ', AS_TINT_BAR);
	if (b->typing) {
		text = as_arena_printf(&b->scratch, "%s%s_  %s",
			b->typing == '/' ? "/" : "filter: ", b->typed, b->said);
	} else if (b->said[0]) {
		text = as_slice_of(b->said);
	} else {
		text = as_arena_printf(&b->scratch, " %zu of %zu  %s", n ? b->st.at + 1 : 0, n,
			"? keys  / search  Enter closer  z undo  q quit");
	}
	as_canvas_put(f, 0, y, f->columns, text, AS_TINT_BAR);
}

/* ---- rows ---- */

struct draw_list {
	struct as_browse_column column[AS_BROWSE_COLUMNS];
	struct as_browse_line *line;
	size_t n_columns, n_lines, name;
	unsigned width[AS_BROWSE_COLUMNS]; /* 0: not shown */
};

/* What the columns take, the name without. */
static unsigned draw_others(const struct draw_list *l)
{
	unsigned all = 0;

	for (size_t k = 0; k < l->n_columns; k++)
		if (k != l->name && l->width[k])
			all += l->width[k] + 2;
	return all;
}

/* Columns go until names have room. */
static void draw_choose(struct draw_list *l, unsigned columns)
{
	while (draw_others(l) + NAME_MIN > columns) {
		size_t worst = l->name;

		for (size_t k = 0; k < l->n_columns; k++)
			if (k != l->name && l->width[k] && l->column[k].rank &&
				(worst == l->name || l->column[k].rank > l->column[worst].rank))
				worst = k;
		if (worst == l->name)
			return;
		l->width[worst] = 0;
	}
}

static void draw_measure(struct draw_list *l, unsigned columns)
{
	for (size_t k = 0; k < l->n_columns; k++) {
		size_t most = 0;

		for (size_t i = 0; i < l->n_lines; i++) {
			size_t n = as_utf8_columns(l->line[i].cell[k]);

			most = n > most ? n : most;
		}
		if (most && as_utf8_columns(as_slice_of(l->column[k].head)) > most)
			most = as_utf8_columns(as_slice_of(l->column[k].head));
		if (l->column[k].left && k > l->name && most > WHERE_MAX)
			most = WHERE_MAX;
		l->width[k] = (unsigned)most;
	}
	draw_choose(l, columns);
	l->width[l->name] = columns > draw_others(l) ? columns - draw_others(l) : 1;
}

static void draw_name(struct as_browse *b, struct as_canvas *f, const struct draw_list *l,
	const struct as_browse_line *line, unsigned x, unsigned y)
{
	struct as_slice name = line->cell[l->name];
	unsigned width = l->width[l->name];
	unsigned indent = line->indent < width / 2 ? line->indent : width / 2;
	unsigned used = indent;

	if (line->lead)
		used += as_canvas_put(
			f, x + used, y, width - used, as_slice_of(line->lead), line->tint);
	if (used < width)
		as_canvas_put(f, x + used, y, width - used,
			as_name_fit(&b->scratch, name, width - used, b->style.utf8), line->tint);
}

static void draw_cells(struct as_browse *b, struct as_canvas *f, const struct draw_list *l,
	const struct as_browse_line *line, unsigned y)
{
	unsigned x = 0;

	for (size_t k = 0; k < l->n_columns; k++) {
		struct as_slice cell = line->cell[k];
		unsigned width = l->width[k], n = (unsigned)as_utf8_columns(cell);

		if (!width)
			continue;
		if (k == l->name)
			draw_name(b, f, l, line, x, y);
		else if (l->column[k].left)
			as_canvas_put(f, x, y, width,
				as_text_fit(&b->scratch, cell, width, b->style.utf8), AS_TINT_DIM);
		else
			as_canvas_put(
				f, x + (n < width ? width - n : 0), y, width, cell, line->tint);
		x += width + 2;
	}
}

static void draw_heads(struct as_canvas *f, const struct draw_list *l, unsigned y)
{
	unsigned x = 0;

	for (size_t k = 0; k < l->n_columns; k++) {
		struct as_slice head = as_slice_of(l->column[k].head);
		unsigned width = l->width[k], n = (unsigned)as_utf8_columns(head);

		if (!width)
			continue;
		as_canvas_put(f, x + (!l->column[k].left && n < width ? width - n : 0), y, width,
			head, AS_TINT_HEAD);
		x += width + 2;
	}
}

/* Text with its own colours, from column b->st.left on. */
static void draw_whole(
	struct as_browse *b, struct as_canvas *f, const struct as_browse_line *line, unsigned y)
{
	struct as_slice text = line->cell[0];
	bool found = b->re && as_browse_matches(b, text);
	enum as_tint tint = AS_TINT_PLAIN;
	unsigned x = 0;
	size_t left = b->st.left, at = 0;

	for (size_t k = 0; k <= line->n_spans; k++) {
		size_t end = k < line->n_spans ? line->span[k].begin : text.len;
		struct as_slice piece = {text.p + at, end - at};

		while (left && piece.len) {
			size_t n = as_utf8_len(piece.p, piece.len);

			piece = as_slice_skip(piece, n ? n : 1);
			left--;
		}
		x += as_canvas_put(f, x, y, f->columns, piece, found ? AS_TINT_FOUND : tint);
		at = end;
		if (k < line->n_spans)
			tint = line->span[k].tint;
	}
}

static void draw_rows(struct as_browse *b, struct as_canvas *f, unsigned y, unsigned lines)
{
	const struct as_browse_view_ops *ops = as_browse_ops(b);
	struct as_browse_line line[LINES_MAX];
	struct draw_list l = {.line = line, .name = 0};
	size_t n = as_browse_rows(b);

	lines = lines < LINES_MAX ? lines : LINES_MAX;
	if (b->st.at < b->st.top)
		b->st.top = b->st.at;
	if (b->st.at >= b->st.top + lines)
		b->st.top = b->st.at - lines + 1;
	l.n_columns = ops->columns(b, l.column);
	for (size_t k = 0; k < l.n_columns; k++)
		l.name = l.column[k].name ? k : l.name;
	for (; l.n_lines < lines && b->st.top + l.n_lines < n; l.n_lines++) {
		line[l.n_lines] = (struct as_browse_line){.tint = AS_TINT_PLAIN};
		ops->row(b, as_browse_row(b, b->st.top + l.n_lines), &line[l.n_lines]);
	}
	draw_measure(&l, f->columns);
	draw_heads(f, &l, y - 1);
	for (unsigned i = 0; i < l.n_lines; i++) {
		bool found = b->re && !b->narrowed && !line[i].whole &&
			     as_browse_matches(b, line[i].cell[l.name]);

		if (found)
			line[i].tint = AS_TINT_FOUND;
		if (line[i].whole)
			draw_whole(b, f, &line[i], y + i);
		else
			draw_cells(b, f, &l, &line[i], y + i);
		if (b->st.top + i == b->st.at)
			as_canvas_mark(f, 0, y + i, f->columns);
	}
	if (!n)
		as_canvas_put(f, 2, y, f->columns,
			as_slice_of(b->re ? "[nothing matches]" : "[nothing]"), AS_TINT_DIM);
}

/* ---- the keys ---- */

static void draw_help(struct as_browse *b, struct as_canvas *f, unsigned y, unsigned lines)
{
	size_t n = 0, most;

	while (as_browse_keys[n].name)
		n++;
	most = n > lines ? n - lines : 0;
	b->help_top = b->help_top < most ? b->help_top : most;
	as_canvas_put(f, 0, y - 1, f->columns, as_slice_of(" keys; ? or Esc ends, Down shows more"),
		AS_TINT_HEAD);
	for (unsigned i = 0; i < lines && b->help_top + i < n; i++) {
		const struct as_browse_key *k = &as_browse_keys[b->help_top + i];

		as_canvas_put(f, 1, y + i, f->columns, as_slice_of(k->name), AS_TINT_WARM);
		as_canvas_put(f, 11, y + i, f->columns, as_slice_of(k->what), AS_TINT_PLAIN);
	}
}

bool as_browse_draw(struct as_browse *b, struct as_canvas *f)
{
	unsigned lines = f->lines > HEAD_LINES + 1 ? f->lines - HEAD_LINES - 1 : 0;

	as_arena_release(&b->scratch);
	as_arena_init(&b->scratch, b->al);
	f->utf8 = b->style.utf8;
	b->columns = f->columns;
	b->rows_shown = lines;
	b->rows_y = HEAD_LINES;
	draw_title(b, f);
	if (f->lines > 1)
		draw_tabs(b, f);
	if (b->help)
		draw_help(b, f, HEAD_LINES, lines);
	else if (lines && as_browse_ops(b)->draw)
		as_browse_ops(b)->draw(b, f, HEAD_LINES - 1, lines + 1);
	else if (lines)
		draw_rows(b, f, HEAD_LINES, lines);
	if (f->lines)
		draw_status(b, f);
	return !b->scratch.failed;
}
