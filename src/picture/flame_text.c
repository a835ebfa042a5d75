/* SPDX-License-Identifier: Apache-2.0 */
/* A flame graph for a terminal: a line per level, boxes as stretches of colour. */
#include "base/utf8_len.h"
#include "picture/flame_impl.h"
#include "picture/xml.h"
#include "report/diff/diff_report.h"

struct lines {
	const struct as_flame *f;
	const struct as_flame_style *how;
	struct as_out *out;
	const struct as_style *style;
	struct as_arena ar; /* texts of one line */
	uint32_t *box;      /* by depth, from left to right */
	size_t *start;      /* of each depth in BOX, and the end */
};

static void sort_by_depth(struct lines *l)
{
	const struct as_flame *f = l->f;

	for (size_t i = 0; i < f->box.n; i++)
		l->start[f->box.p[i].depth + 1]++;
	for (size_t d = 0; d <= f->depth; d++)
		l->start[d + 1] += l->start[d];
	for (size_t i = f->box.n; i-- > 0;)
		l->box[--l->start[f->box.p[i].depth + 1]] = (uint32_t)i;
	/* Each start has moved to where its depth begins: one place to the right. */
	for (size_t d = 0; d <= f->depth; d++)
		l->start[d] = l->start[d + 1];
	l->start[f->depth + 1] = f->box.n;
}

/* The nearest border between columns. */
static unsigned flame_text_column_of(const struct lines *l, as_val at)
{
	return ((unsigned)as_picture_scale(at, l->f->width, 2 * l->how->width) + 1) / 2;
}

/* From the 256-colour palette; all are bright enough for black text. */
static unsigned flame_text_colour_of(const struct lines *l, const struct as_flame_box *b)
{
	static const uint8_t group[] = {
		250, 216, 153, 151, 218, 222, 183, 116, 180, 219, 192, 217, 152};
	static const uint8_t heat[] = {250, 230, 229, 228, 222, 221, 215, 209, 203};
	static const uint8_t change[] = {250, 230, 223, 216, 208, 195, 153, 117, 75};

	if (b->kind == AS_FLAME_REST)
		return 245;
	if (l->f->by == AS_FLAME_BY_SELF)
		return heat[b->colour];
	return l->f->by == AS_FLAME_BY_CHANGE ? change[b->colour] : group[b->colour];
}

static void flame_text_fill(struct lines *l, char c, size_t n)
{
	while (n--)
		as_out_char(l->out, c);
}

static bool tells_change(const struct lines *l)
{
	return l->f->by == AS_FLAME_BY_CHANGE && !l->style->color;
}

/* The change of a box as text, where there is no colour: "+12.3 %", "new"; BRIEF: "+". */
static struct as_slice change_of(struct lines *l, size_t i, bool brief)
{
	const struct as_flame_box *b = &l->f->box.p[i];
	struct as_slice percent;
	struct as_flame_sides s;

	if (!tells_change(l) || !b->colour)
		return as_slice_of("");
	if (brief)
		return as_slice_of(b->colour > AS_FLAME_STEPS ? "-" : "+");
	l->f->words->sides(l->f, i, &s);
	if (!s.has[AS_BASE])
		return as_slice_of(" new");
	if (!s.has[AS_NEW])
		return as_slice_of(" gone");
	if (!s.value[AS_BASE])
		return as_slice_of("");
	percent = as_diff_percent(&l->ar, s.value[AS_BASE], s.value[AS_NEW]);
	return as_arena_printf(&l->ar, " %.*s %%", AS_SLICE_FMT(percent));
}

/* Its name, and what has changed: in figures, or where there is no room for them by a sign. */
static struct as_slice flame_text_words_of(struct lines *l, size_t i, size_t room)
{
	struct as_slice name = as_flame_name(l->f, &l->ar, i);
	struct as_slice change = change_of(l, i, false), sign = change_of(l, i, true);

	if (change.len && as_utf8_columns(name) + as_utf8_columns(change) <= room)
		return as_arena_printf(
			&l->ar, "%.*s%.*s", AS_SLICE_FMT(name), AS_SLICE_FMT(change));
	if (!sign.len || !room)
		return as_picture_fit(&l->ar, name, room, l->style->utf8);
	name = as_picture_fit(&l->ar, name, room - sign.len, l->style->utf8);
	return as_arena_printf(&l->ar, "%.*s%.*s", AS_SLICE_FMT(sign), AS_SLICE_FMT(name));
}

/* Where there is no colour, boxes begin with a line. */
static void flame_text_put_box(struct lines *l, size_t i, unsigned columns)
{
	const struct as_flame_box *b = &l->f->box.p[i];
	bool colour = l->style->color;
	size_t room = columns - !colour - (b->estimated && columns > 4);
	struct as_slice name = flame_text_words_of(l, i, room);

	if (colour)
		as_out_printf(l->out, "\033[38;5;16;48;5;%um", flame_text_colour_of(l, b));
	else
		as_out_char(l->out, '|');
	if (b->estimated && columns > 4)
		as_out_char(l->out, '~');
	as_out_slice(l->out, name);
	flame_text_fill(l, b->kind == AS_FLAME_REST ? ':' : ' ', room - as_utf8_columns(name));
	if (colour)
		as_out_text(l->out, "\033[0m");
}

static void put_level(struct lines *l, uint32_t depth)
{
	unsigned at = 0;

	for (size_t k = l->start[depth]; k < l->start[depth + 1]; k++) {
		const struct as_flame_box *b = &l->f->box.p[l->box[k]];
		unsigned from = flame_text_column_of(l, b->at),
			 to = flame_text_column_of(l, b->at + b->width);

		if (to <= from || from < at)
			continue;
		flame_text_fill(l, ' ', from - at);
		flame_text_put_box(l, l->box[k], to - from);
		at = to;
	}
	as_out_char(l->out, '\n');
	as_arena_reset(&l->ar);
}

static void flame_text_put_words(struct lines *l)
{
	struct as_slice title = l->f->words->title(l->f, &l->ar);
	struct as_slice notes = as_flame_notes(l->f, l->how, &l->ar);

	as_out_printf(l->out, "%s%.*s%s\n%s%.*s%s%s\n", as_paint_begin(l->style, AS_PAINT_HEAD),
		AS_SLICE_FMT(title), as_paint_end(l->style, AS_PAINT_HEAD),
		as_paint_begin(l->style, AS_PAINT_DIM), AS_SLICE_FMT(notes),
		tells_change(l) ? "; +: more, -: less than before; % of that" : "",
		as_paint_end(l->style, AS_PAINT_DIM));
}

enum as_code as_flame_text(const struct as_flame *f, const struct as_flame_style *how,
	struct as_out *out, const struct as_style *style)
{
	size_t boxes = f->box.n * sizeof(uint32_t),
	       starts = ((size_t)f->depth + 2) * sizeof(size_t);
	struct lines l = {.f = f,
		.how = how,
		.out = out,
		.style = style,
		.box = as_alloc_new(f->al, boxes),
		.start = as_alloc_new(f->al, starts)};
	enum as_code rc = AS_E_NOMEM;

	as_arena_init(&l.ar, f->al);
	if (l.box && l.start) {
		sort_by_depth(&l);
		flame_text_put_words(&l);
		for (uint32_t d = 0; d <= f->depth; d++)
			put_level(&l, how->icicle ? d : f->depth - d);
		rc = as_arena_code(&l.ar);
	}
	as_arena_release(&l.ar);
	as_alloc_free(f->al, l.box, boxes);
	as_alloc_free(f->al, l.start, starts);
	return rc;
}
