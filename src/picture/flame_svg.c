/* SPDX-License-Identifier: Apache-2.0 */
/* A flame graph as SVG, with the script that zooms and searches in it. */
#include "formats/format.h"
#include "picture/flame_impl.h"
#include "picture/picture_assets.h"
#include "picture/xml.h"
#include "report/show.h"
#include "report/top.h"

enum { CHANGES = 3 }; /* entries of the legend of a comparison */

enum {
	EDGE = 10,  /* pixels around everything */
	LEVEL = 17, /* from one row of boxes to the next */
	BOX = 16,
	HEAD = 50,           /* above the legend: title, notes, buttons */
	LINE = 18,           /* of the legend, and of the details */
	CHAR = 67,           /* tenths of pixels of a letter */
	LEGEND_COLUMN = 200, /* pixels */
	BLOCK = 1 << 16,     /* bytes of the arena after which it is emptied */
};

struct svg {
	const struct as_flame *f;
	const struct as_flame_style *how;
	struct as_out *out;
	struct as_arena ar;
	unsigned inner; /* width of the boxes, pixels */
	bool no_memory;
};

static void text(struct svg *s, struct as_slice t)
{
	s->no_memory |= !t.p;
	as_xml_text(s->out, t);
}

/* Thousandths of pixels. */
static uint64_t pixels(const struct svg *s, as_val v)
{
	as_val whole = s->f->width;

	/* A product of more than 127 bits would not fit; so far up the lost bits do not show. */
	while (whole >> 96) {
		whole >>= 1;
		v >>= 1;
	}
	return whole ? (uint64_t)(v * (s->inner * 1000) / whole) : 0;
}

/* Where nothing was counted, the box of all of it is drawn nevertheless. */
static uint64_t right_of(const struct svg *s, const struct as_flame_box *b)
{
	return s->f->width ? pixels(s, b->at + b->width) : (uint64_t)s->inner * 1000;
}

static uint64_t top_of(const struct svg *s, uint32_t depth)
{
	return (uint64_t)LEVEL * (s->how->icicle ? depth : s->f->depth - depth);
}

/* ---- the legend ---- */

static unsigned legend_columns(const struct svg *s)
{
	return s->inner < LEGEND_COLUMN ? 1 : s->inner / LEGEND_COLUMN;
}

static unsigned legend_height(const struct svg *s)
{
	unsigned columns = legend_columns(s);
	size_t n = s->f->by == AS_FLAME_BY_CHANGE ? CHANGES : s->f->group.n;

	return LINE * (unsigned)((n + columns - 1) / columns);
}

static void legend_entry(struct svg *s, size_t i, const char *class, struct as_slice name)
{
	unsigned columns = legend_columns(s);
	uint64_t x = EDGE + i % columns * LEGEND_COLUMN, below = HEAD + i / columns * LINE;

	as_out_printf(s->out,
		"<rect class=\"%s\" x=\"%" PRIu64 "\" y=\"%" PRIu64
		"\" width=\"12\" height=\"12\"/><text x=\"%" PRIu64 "\" y=\"%" PRIu64 "\">",
		class, x, below, x + 17, below + 10);
	text(s, as_picture_fit(&s->ar, name, (LEGEND_COLUMN - 25) * 10 / CHAR, true));
	as_out_text(s->out, "</text>\n");
}

static void legend(struct svg *s)
{
	static const char *const change[CHANGES][2] = {
		{"m3", "more than in the base"}, {"l3", "less"}, {"c0", "the same, or noise"}};
	char class[16];

	if (s->f->by == AS_FLAME_BY_CHANGE)
		for (size_t i = 0; i < AS_ARRAY_LEN(change); i++)
			legend_entry(s, i, change[i][0], as_slice_of(change[i][1]));
	for (size_t i = 0; i < s->f->group.n; i++) {
		const struct as_flame_group *g = &s->f->group.p[i];

		snprintf(class, sizeof(class), "c%u", g->colour);
		legend_entry(s, i, class, as_show_clean(&s->ar, as_base_name(g->name)));
	}
}

/* ---- boxes ---- */

static void classes(struct svg *s, const struct as_flame_box *b)
{
	if (b->kind == AS_FLAME_REST)
		as_out_text(s->out, b->estimated ? " class=\"r e\"" : " class=\"r\"");
	else if (b->estimated)
		as_out_text(s->out, " class=\"e\"");
}

static void colour(struct svg *s, const struct as_flame_box *b)
{
	if (b->kind == AS_FLAME_REST)
		as_out_text(s->out, "\" fill=\"url(#small)\"/>");
	else if (s->f->by == AS_FLAME_BY_SELF && b->colour)
		as_out_printf(s->out, "\" class=\"h%u\"/>", b->colour);
	else if (s->f->by == AS_FLAME_BY_CHANGE && b->colour > AS_FLAME_STEPS)
		as_out_printf(s->out, "\" class=\"l%u\"/>", b->colour - AS_FLAME_STEPS);
	else if (s->f->by == AS_FLAME_BY_CHANGE && b->colour)
		as_out_printf(s->out, "\" class=\"m%u\"/>", b->colour);
	else
		as_out_printf(s->out, "\" class=\"c%u\"/>", b->colour);
}

static void box(struct svg *s, size_t i)
{
	const struct as_flame_words *words = s->f->words;
	const struct as_flame_box *b = &s->f->box.p[i];
	uint64_t x = pixels(s, b->at), w = right_of(s, b) - x;
	uint64_t y = top_of(s, b->depth);
	size_t columns = (size_t)(w < 4000 ? 0 : (w - 4000) / (CHAR * 100));
	struct as_slice name = as_flame_name(s->f, &s->ar, i);
	struct as_slice where = as_flame_place(s->f, &s->ar, i);
	struct as_slice label = as_picture_fit(&s->ar, name, columns, true);

	as_out_text(s->out, "<g");
	classes(s, b);
	as_out_text(s->out, "><title>");
	text(s, name);
	as_out_char(s->out, '\n');
	text(s, words->facts(s->f, &s->ar, i));
	if (where.len) {
		as_out_char(s->out, '\n');
		text(s, where);
	}
	as_out_text(s->out, "</title><rect x=\"");
	as_xml_fixed(s->out, x);
	as_out_printf(s->out, "\" y=\"%" PRIu64 "\" width=\"", y);
	as_xml_fixed(s->out, w);
	as_out_printf(s->out, "\" height=\"%d", BOX);
	colour(s, b);
	s->no_memory |= !label.p;
	if (label.len) {
		as_out_text(s->out, "<text x=\"");
		as_xml_fixed(s->out, x + 3000);
		as_out_printf(s->out, "\" y=\"%" PRIu64 "\">", y + 11);
		text(s, label);
		as_out_text(s->out, "</text>");
	}
	as_out_text(s->out, "</g>\n");
}

static void boxes(struct svg *s)
{
	as_out_printf(s->out, "<g class=\"frames\" transform=\"translate(%d,%u)\">\n", EDGE,
		HEAD + legend_height(s));
	for (size_t i = 0; i < s->f->box.n; i++) {
		box(s, i);
		if (s->ar.allocated >= BLOCK) {
			as_arena_release(&s->ar);
			as_arena_init(&s->ar, s->f->al);
		}
	}
	as_out_text(s->out, "</g>\n");
}

/* ---- around them ---- */

static void line(struct svg *s, const char *class, uint64_t y, struct as_slice words)
{
	as_out_printf(s->out, "<text class=\"%s\" x=\"%d\" y=\"%" PRIu64 "\">", class, EDGE, y);
	text(s, as_picture_fit(&s->ar, words, s->inner * 10 / CHAR, true));
	as_out_text(s->out, "</text>\n");
}

static void button(struct svg *s, const char *class, unsigned right, const char *words)
{
	as_out_printf(s->out,
		"<text class=\"%s button\" x=\"%u\" y=\"20\" text-anchor=\"end\" "
		"style=\"display:none\">%s</text>\n",
		class, s->how->width - EDGE - right, words);
}

static void head(struct svg *s, uint64_t height)
{
	struct as_slice title = s->f->words->title(s->f, &s->ar);

	as_out_printf(s->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"assay\" width=\"%u\" "
		"height=\"%" PRIu64 "\" viewBox=\"0 0 %u %" PRIu64
		"\" role=\"group\" aria-label=\"",
		s->how->width, height, s->how->width, height);
	text(s, title);
	as_out_text(s->out, "\">\n<style>\n");
	as_out_bytes(s->out, as_flame_css, sizeof(as_flame_css));
	as_out_text(s->out, "</style>\n" AS_XML_HATCH
			    "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
	line(s, "title", 22, title);
	line(s, "quiet", 40, as_flame_notes(s->f, s->how, &s->ar));
	button(s, "search", 0, "search");
	button(s, "all", 70, "\xe2\x80\xb9 all");
}

/* What is pointed at; the script keeps it in sight. */
static void bar(struct svg *s, uint64_t y)
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

static void svg(struct svg *s)
{
	uint64_t frames = (uint64_t)LEVEL * ((uint64_t)s->f->depth + 1);
	uint64_t y = HEAD + legend_height(s) + frames;

	head(s, y + LINE);
	legend(s);
	boxes(s);
	bar(s, y);
	as_out_text(s->out, "<script>//<![CDATA[\n");
	as_out_bytes(s->out, as_flame_js, sizeof(as_flame_js));
	as_out_text(s->out, "//]]></script>\n</svg>\n");
}

static void page_head(struct svg *s)
{
	as_out_text(s->out,
		"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
		"script-src 'unsafe-inline'; style-src 'unsafe-inline'\">\n"
		"<meta name=\"viewport\" content=\"width=device-width\">\n"
		"<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
	text(s, s->f->words->title(s->f, &s->ar));
	as_out_text(s->out, "</title>\n</head>\n<body>\n");
}

enum as_code as_flame_svg(
	const struct as_flame *f, const struct as_flame_style *how, struct as_out *out)
{
	struct svg s = {.f = f, .how = how, .out = out, .inner = how->width - 2 * EDGE};

	as_arena_init(&s.ar, f->al);
	if (how->html)
		page_head(&s);
	else
		as_out_text(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	svg(&s);
	if (how->html)
		as_out_text(out, "</body>\n</html>\n");
	as_arena_release(&s.ar);
	return s.no_memory ? AS_E_NOMEM : AS_OK;
}
