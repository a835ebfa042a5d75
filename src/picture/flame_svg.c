/* SPDX-License-Identifier: Apache-2.0 */
/* A flame graph as SVG, with the script that zooms and searches in it. */
#include <stdio.h>

#include "base/utf8_len.h"
#include "formats/format.h"
#include "picture/flame_impl.h"
#include "picture/picture_assets.h"
#include "picture/xml.h"
#include "report/kit/name_fit.h"
#include "report/kit/show.h"
#include "report/top.h"

enum {
	EDGE = 10,  /* pixels around everything */
	LEVEL = 17, /* from one row of boxes to the next */
	BOX = 16,
	AXIS = 18,     /* of a chart: from the root to the first strip */
	STRIPS = 8,    /* and from one to the next */
	VISIBLE = 500, /* thousandths of a pixel, of a chart: what is shorter can be seen as well */
	TITLE = 32,    /* above the notes: title, buttons */
	LINE = 18,     /* of the notes, the legend and the details */
	CHAR = 67,     /* tenths of pixels of a letter */
	TITLE_CHAR = 85, /* of the title */
	BUTTONS = 130,   /* pixels, beside the title */
	LEGEND_MAX = AS_FLAME_GROUPS + 1,
};

struct entry {
	const char *class;
	struct as_slice words;
};

struct svg {
	const struct as_flame *f;
	const struct as_flame_style *how;
	struct as_out *out;
	struct as_arena ar;
	unsigned inner;        /* width of the boxes, pixels */
	struct as_slice notes; /* what is said below the title */
	unsigned head;         /* from the top to the boxes, pixels */
	uint64_t strip_top;    /* of a chart's strip, from the first box on */
	struct entry legend[LEGEND_MAX];
	unsigned n_legend;
};

/* Thousandths of pixels. */
static uint64_t flame_svg_pixels(const struct svg *s, as_val v)
{
	return as_picture_scale(v, s->f->width, s->inner * 1000);
}

/* Where nothing was counted, the box of all of it is drawn nevertheless. */
static uint64_t right_of(const struct svg *s, const struct as_flame_box *b)
{
	return s->f->width ? flame_svg_pixels(s, b->at + b->width) : (uint64_t)s->inner * 1000;
}

static uint64_t top_of(const struct svg *s, uint32_t depth)
{
	if (s->f->strip.n)
		return depth ? s->strip_top + (uint64_t)LEVEL * (depth - 1) : 0;
	return (uint64_t)LEVEL * (s->how->icicle ? depth : s->f->depth - depth);
}

/* ---- the legend ---- */

static void flame_svg_add(struct svg *s, const char *class, struct as_slice words)
{
	s->legend[s->n_legend++] = (struct entry){class, words};
}

/* Which sides of a comparison lack the box: then it is new, or gone. */
static bool flame_svg_lacks(const struct as_flame *f, size_t i, enum as_side side)
{
	struct as_flame_sides sides;

	if (!f->words->sides)
		return false;
	f->words->sides(f, i, &sides);
	return sides.known && !sides.has[side];
}

static bool any_lacks(const struct as_flame *f, enum as_side side)
{
	for (size_t i = 0; i < f->box.n; i++)
		if (flame_svg_lacks(f, i, side))
			return true;
	return false;
}

static bool any_other(const struct as_flame *f)
{
	for (size_t i = 0; i < f->box.n; i++)
		if (!f->box.p[i].colour && f->box.p[i].kind == AS_FLAME_FUNC)
			return true;
	return false;
}

static void legend_of_change(struct svg *s)
{
	static const char *const change[][2] = {{"m4", "more than before"}, {"m1", "a little more"},
		{"c0", "the same, or noise"}, {"l1", "a little less"}, {"l4", "less"}};

	for (size_t i = 0; i < AS_ARRAY_LEN(change); i++)
		flame_svg_add(s, change[i][0], as_slice_of(change[i][1]));
	if (any_lacks(s->f, AS_BASE))
		flame_svg_add(s, "c0 new", as_slice_of("new"));
	if (any_lacks(s->f, AS_NEW))
		flame_svg_add(s, "c0 gone", as_slice_of("gone"));
}

static void legend_of_groups(struct svg *s)
{
	static const char *const class[] = {
		"c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12"};

	for (size_t i = 0; i < s->f->group.n; i++) {
		const struct as_flame_group *g = &s->f->group.p[i];

		flame_svg_add(s, class[g->colour], as_show_clean(&s->ar, as_base_name(g->name)));
	}
	if (any_other(s->f))
		flame_svg_add(s, class[0], as_slice_of("other"));
}

/* Colours of functions have no meaning but that they differ. */
static void make_legend(struct svg *s)
{
	switch (s->f->by) {
	case AS_FLAME_BY_CHANGE:
		legend_of_change(s);
		break;
	case AS_FLAME_BY_SELF:
		flame_svg_add(s, "c0", as_slice_of("no self cost"));
		flame_svg_add(s, "h1", as_slice_of("little"));
		flame_svg_add(s, "h8", as_slice_of("the most self cost"));
		break;
	case AS_FLAME_BY_FUNC:
		break;
	default:
		legend_of_groups(s);
	}
}

static unsigned legend_column(const struct svg *s)
{
	return s->f->by == AS_FLAME_BY_CHANGE ? 160 : 200;
}

static unsigned legend_columns(const struct svg *s)
{
	unsigned n = s->inner / legend_column(s);

	return n ? n : 1;
}

static void flame_svg_legend(struct svg *s, unsigned y)
{
	unsigned columns = legend_columns(s), width = legend_column(s);

	for (unsigned i = 0; i < s->n_legend; i++) {
		unsigned x = EDGE + i % columns * width, below = y + i / columns * LINE;

		as_out_printf(s->out,
			"<rect class=\"%s\" x=\"%u\" y=\"%u\" width=\"12\" height=\"12\"/>"
			"<text x=\"%u\" y=\"%u\">",
			s->legend[i].class, x, below, x + 17, below + 10);
		as_xml_text(s->out,
			as_picture_fit(&s->ar, s->legend[i].words, (width - 25) * 10 / CHAR, true));
		as_out_text(s->out, "</text>\n");
	}
}

/* ---- boxes ---- */

static void flame_svg_classes(struct svg *s, size_t i)
{
	const struct as_flame_box *b = &s->f->box.p[i];
	const char *class[] = {b->kind == AS_FLAME_REST ? " r" : "", b->estimated ? " e" : "",
		flame_svg_lacks(s->f, i, AS_BASE)  ? " new"
		: flame_svg_lacks(s->f, i, AS_NEW) ? " gone"
						   : ""};
	char all[16];

	snprintf(all, sizeof(all), "%s%s%s", class[0], class[1], class[2]);
	if (*all)
		as_out_printf(s->out, " class=\"%s\"", all + 1);
}

static void flame_svg_colour(struct svg *s, const struct as_flame_box *b)
{
	if (b->kind == AS_FLAME_REST)
		as_out_text(s->out, " fill=\"url(#small)\"/>");
	else if (s->f->by == AS_FLAME_BY_SELF && b->colour)
		as_out_printf(s->out, " class=\"h%u\"/>", b->colour);
	else if (s->f->by == AS_FLAME_BY_CHANGE && b->colour > AS_FLAME_STEPS)
		as_out_printf(s->out, " class=\"l%u\"/>", b->colour - AS_FLAME_STEPS);
	else if (s->f->by == AS_FLAME_BY_CHANGE && b->colour)
		as_out_printf(s->out, " class=\"m%u\"/>", b->colour);
	else
		as_out_printf(s->out, " class=\"c%u\"/>", b->colour);
}

/* Of a chart, for its script and for programs: nanoseconds, and the cost. */
static void flame_svg_data(struct svg *s, const struct as_flame_box *b)
{
	char at[AS_VAL_TEXT], width[AS_VAL_TEXT], cost[AS_VAL_TEXT];

	if (s->f->strip.n)
		as_out_printf(s->out,
			" data-level=\"%" PRIu32
			"\" data-from=\"%s\" data-ns=\"%s\" data-cost=\"%s\"",
			b->depth, as_val_text(b->at, at), as_val_text(b->width, width),
			as_val_text(b->cost, cost));
}

static void flame_svg_box(struct svg *s, size_t i)
{
	const struct as_flame_box *b = &s->f->box.p[i];
	uint64_t x = flame_svg_pixels(s, b->at), w = right_of(s, b) - x;
	uint64_t y = top_of(s, b->depth);
	size_t columns = (size_t)(w < 4000 ? 0 : (w - 4000) / (CHAR * 100));
	struct as_slice name = as_flame_name(s->f, &s->ar, i);
	struct as_slice where = as_flame_place(s->f, &s->ar, i);
	struct as_slice label = as_picture_fit(&s->ar, name, columns, true);

	w = s->f->strip.n && w < VISIBLE ? VISIBLE : w;
	as_out_text(s->out, "<g");
	flame_svg_classes(s, i);
	flame_svg_data(s, b);
	as_out_text(s->out, "><title>");
	as_xml_text(s->out, name);
	as_out_char(s->out, '\n');
	as_xml_text(s->out, s->f->words->facts(s->f, &s->ar, i));
	if (where.len) {
		as_out_char(s->out, '\n');
		as_xml_text(s->out, where);
	}
	as_out_text(s->out, "</title><rect");
	as_picture_rect(s->out, x, y * 1000, w, BOX * 1000);
	flame_svg_colour(s, b);
	if (label.len) {
		as_out_text(s->out, "<text x=\"");
		as_xml_fixed(s->out, x + 3000);
		as_out_printf(s->out, "\" y=\"%" PRIu64 "\">", y + 11);
		as_xml_text(s->out, label);
		as_out_text(s->out, "</text>");
	}
	as_out_text(s->out, "</g>\n");
}

static void flame_svg_boxes(struct svg *s)
{
	uint64_t top = LEVEL + AXIS;
	size_t strip = 0;

	as_out_printf(
		s->out, "<g class=\"frames\" transform=\"translate(%d,%u)\">\n", EDGE, s->head);
	for (size_t i = 0; i < s->f->box.n; i++) {
		if (strip < s->f->strip.n && i == s->f->strip.p[strip].box) {
			s->strip_top = top;
			top += (uint64_t)LEVEL * s->f->strip.p[strip++].levels + STRIPS;
		}
		flame_svg_box(s, i);
		as_picture_tidy(&s->ar);
	}
	as_out_text(s->out, "</g>\n");
}

/* ---- around them ---- */

/* The words of REST that have room beside each other; the others are left in it. */
static struct as_slice flame_svg_cut_line(const struct svg *s, struct as_slice *rest)
{
	struct as_slice line = *rest;
	size_t columns = s->inner * 10 / CHAR, i = 0, end = 0;

	for (; columns && i < rest->len; columns--) {
		size_t len = as_utf8_len(rest->p + i, rest->len - i);

		if (rest->p[i] == ' ')
			end = i;
		i += len ? len : 1;
	}
	if (i < rest->len)
		line.len = end ? end : i;
	rest->p += line.len;
	rest->len -= line.len;
	if (rest->len && rest->p[0] == ' ')
		*rest = (struct as_slice){rest->p + 1, rest->len - 1};
	return line;
}

static unsigned lines_of(const struct svg *s, struct as_slice words)
{
	unsigned n = 0;

	for (; words.len; n++)
		(void)flame_svg_cut_line(s, &words);
	return n;
}

static void flame_svg_button(struct svg *s, const char *class, unsigned right, const char *words)
{
	as_out_printf(s->out,
		"<text class=\"%s button\" x=\"%u\" y=\"20\" text-anchor=\"end\" "
		"display=\"none\">%s</text>\n",
		class, s->how->width - EDGE - right, words);
}

/* The title; the script keeps it in sight. */
static void flame_svg_head(struct svg *s, struct as_slice title)
{
	unsigned beside = s->inner > 3 * BUTTONS ? s->inner - BUTTONS : s->inner, y = TITLE + 8;
	struct as_slice rest = s->notes;

	as_out_printf(s->out,
		"<g class=\"head\"><rect class=\"page\" width=\"%u\" height=\"%u\"/>\n",
		s->how->width, s->head - 1);
	as_picture_line(s->out, "title", EDGE, 22,
		as_text_fit(&s->ar, title, beside * 10 / TITLE_CHAR, true));
	for (; rest.len; y += LINE)
		as_picture_line(s->out, "quiet", EDGE, y, flame_svg_cut_line(s, &rest));
	flame_svg_button(s, "search", 0, "search");
	flame_svg_button(s, "all", 70, "\xe2\x80\xb9 all");
	flame_svg_legend(s, y - 8);
	as_out_text(s->out, "</g>\n");
}

/* The details of the box under the pointer; the script keeps them in sight. */
static void flame_svg_bar(struct svg *s, uint64_t y)
{
	as_out_printf(s->out,
		"<g class=\"bar\"><rect class=\"page\" y=\"%" PRIu64
		"\" width=\"%u\" height=\"%d\"/>",
		y, s->how->width, LINE);
	as_out_printf(s->out,
		"<text class=\"detail\" x=\"%d\" y=\"%" PRIu64
		"\"></text><text class=\"status\" x=\"%u\" y=\"%" PRIu64
		"\" text-anchor=\"end\"></text></g>\n",
		EDGE, y + 12, s->how->width - EDGE, y + 12);
}

static uint64_t flame_svg_height(const struct as_flame *f)
{
	uint64_t height = LEVEL + AXIS;

	for (size_t i = 0; i < f->strip.n; i++)
		height += (uint64_t)LEVEL * f->strip.p[i].levels + STRIPS;
	return f->strip.n ? height : (uint64_t)LEVEL * ((uint64_t)f->depth + 1);
}

/* Between the strips of a chart: why their threads did not run. */
static void flame_svg_off(struct svg *s, const struct as_timeline_off *off)
{
	uint64_t y = s->head + LEVEL + AXIS;

	for (size_t i = 0; i < s->f->strip.n; i++) {
		uint32_t row = off->of->row_of[s->f->box.p[s->f->strip.p[i].box].row];

		y += (uint64_t)LEVEL * s->f->strip.p[i].levels + STRIPS;
		if (row)
			as_time_off(s->out, &s->ar, off, row - 1, s->f->axis,
				(struct as_time_axis_at){
					EDGE, (unsigned)y - STRIPS, s->inner, STRIPS / 2});
	}
}

/* Times, and what else is of no use where a box is zoomed to. */
static void flame_svg_axis(struct svg *s, uint64_t frames)
{
	struct as_timeline_off off = {0};
	struct as_timeline t;
	struct as_err err;
	uint32_t event;

	as_time_axis(s->out, &s->ar, s->f->axis,
		(struct as_time_axis_at){
			EDGE, s->head + LEVEL + AXIS, s->inner, frames - LEVEL - AXIS});
	if (as_profile_event(s->f->prof, as_slice_of(AS_OFF_CPU), &event)) {
		if (as_timeline_make(&t, s->f->prof, s->f->event, s->inner, &err) == AS_OK &&
			as_timeline_off_make(&off, &t))
			flame_svg_off(s, &off);
		else
			s->ar.failed = true;
		as_timeline_off_release(&off);
		as_timeline_release(&t);
	}
	as_out_text(s->out, "</g>\n");
}

static void flame_svg_all(struct svg *s)
{
	uint64_t frames = flame_svg_height(s->f);
	unsigned columns = legend_columns(s);
	struct as_slice title = s->f->words->title(s->f, &s->ar);

	s->notes = as_flame_notes(s->f, s->how, &s->ar);
	make_legend(s);
	s->head = TITLE + LINE * (lines_of(s, s->notes) + (s->n_legend + columns - 1) / columns);
	as_picture_begin(s->out,
		&(struct as_picture){s->how->width, s->head + frames + LINE, title,
			s->how->fits ? " fits" : "", AS_XML_HATCH, s->how->html, AS_FLAME_JS_HASH});
	flame_svg_head(s, title);
	if (s->f->strip.n)
		flame_svg_axis(s, frames);
	flame_svg_boxes(s);
	flame_svg_bar(s, s->head + frames);
	as_picture_script(s->out, as_flame_js, sizeof(as_flame_js));
	as_out_text(s->out, "</svg>\n");
	as_picture_end(s->out, s->how->html);
}

enum as_code as_flame_svg(
	const struct as_flame *f, const struct as_flame_style *how, struct as_out *out)
{
	struct svg s = {.f = f, .how = how, .out = out, .inner = how->width - 2 * EDGE};

	as_arena_init(&s.ar, f->al);
	flame_svg_all(&s);
	return as_arena_end(&s.ar);
}
