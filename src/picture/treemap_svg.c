/* SPDX-License-Identifier: Apache-2.0 */
/* A tree map as SVG. */
#include "formats/format.h"
#include "picture/picture_assets.h"
#include "picture/treemap.h"
#include "picture/xml.h"
#include "report/kit/show.h"
#include "report/top.h"

enum { EDGE = 10, LINE = 18, CHAR = 67 };

struct svg {
	const struct as_treemap *map;
	const struct as_table *t;
	struct as_out *out;
	struct as_arena ar;
};

/* Thousandths of pixels, rounded to hundredths. */
static uint64_t treemap_svg_pixels(double v)
{
	return (uint64_t)(v * 100 + 0.5) * 10;
}

static struct as_slice treemap_svg_name_of(struct svg *s, const struct as_treemap_box *b)
{
	const struct as_profile *prof = s->t->prof;
	struct as_slice path;

	if (b->kind == AS_TREEMAP_SMALL)
		return as_arena_printf(&s->ar, "+%" PRIu64 " small", b->row);
	if (b->kind == AS_TREEMAP_FUNC)
		return as_view_name(&s->ar, as_view_row(s->t, (uint32_t)b->row));
	path = b->kind == AS_TREEMAP_OBJECT ? as_object_path(prof, s->t->key[b->row].object)
					    : as_file_path(prof, s->t->key[b->row].file);
	return path.len ? as_show_clean(&s->ar, as_base_name(path)) : as_slice_of("[unknown]");
}

/* "1,234 Ir, 5.6 %" */
static void treemap_svg_facts(struct svg *s, as_val cost)
{
	const struct as_treemap_opts *o = &s->map->opts;

	as_xml_text(s->out, as_picture_cost(&s->ar, o->view, s->t->prof, o->event, cost));
	as_out_printf(s->out, ", %.*s %%",
		AS_SLICE_FMT(as_show_percent(&s->ar, cost, as_whole(s->t->prof)[o->event])));
}

/* The name of a group stands at its top, that of a function in its middle. */
static void treemap_svg_label(struct svg *s, const struct as_treemap_box *b, struct as_slice name)
{
	bool group = b->kind == AS_TREEMAP_OBJECT || b->kind == AS_TREEMAP_FILE;
	double y = group ? b->y + 13 : b->y + b->h / 2 + 4;
	struct as_slice fits;

	if (b->h < (group ? 17 : 14) || b->w < 20)
		return;
	fits = as_picture_fit(&s->ar, name, (size_t)((b->w - 4) * 10 / CHAR), true);
	if (!fits.len)
		return;
	as_out_text(s->out, "<text x=\"");
	as_xml_fixed(s->out, treemap_svg_pixels(b->x + 3));
	as_out_text(s->out, "\" y=\"");
	as_xml_fixed(s->out, treemap_svg_pixels(y));
	as_out_text(s->out, "\">");
	as_xml_text(s->out, fits);
	as_out_text(s->out, "</text>");
}

static void treemap_svg_box(struct svg *s, const struct as_treemap_box *b)
{
	struct as_slice name = treemap_svg_name_of(s, b);

	as_out_text(s->out, b->kind == AS_TREEMAP_SMALL ? "<g class=\"r\"><title>" : "<g><title>");
	as_xml_text(s->out, name);
	as_out_char(s->out, '\n');
	treemap_svg_facts(s, b->cost);
	as_out_text(s->out, "</title><rect");
	as_picture_rect(s->out, treemap_svg_pixels(b->x), treemap_svg_pixels(b->y),
		treemap_svg_pixels(b->w), treemap_svg_pixels(b->h));
	if (b->kind == AS_TREEMAP_SMALL)
		as_out_text(s->out, " fill=\"url(#small)\"/>");
	else
		as_out_printf(s->out, " class=\"c%u\"/>", b->colour);
	treemap_svg_label(s, b, name);
	as_out_text(s->out, "</g>\n");
}

static void treemap_svg_head(struct svg *s, bool html)
{
	const struct as_treemap_opts *o = &s->map->opts;
	struct as_slice title =
		as_picture_title(&s->ar, o->view, s->t->prof, o->event, s->map->total);

	as_picture_begin(s->out,
		&(struct as_picture){o->width + 2 * EDGE, o->height + AS_TREEMAP_HEAD + LINE, title,
			"", AS_XML_HATCH, html, AS_TREEMAP_JS_HASH});
	as_picture_line(s->out, "title", EDGE, 22, title);
	as_out_printf(s->out,
		"<text class=\"quiet\" x=\"%d\" y=\"40\">%sobjects, in them files, in "
		"those functions, as large as their own cost",
		EDGE, s->t->prof->partial ? "not whole: of what could be read; " : "");
	if (s->map->n_small)
		as_out_printf(s->out, "; +n: %" PRIu64 " too small to draw alone", s->map->n_small);
	as_out_text(s->out, "</text>\n");
}

enum as_code as_treemap_svg(const struct as_treemap *map, bool html, struct as_out *out)
{
	struct svg s = {.map = map, .t = map->opts.table, .out = out};

	as_arena_init(&s.ar, map->al);
	treemap_svg_head(&s, html);
	as_out_printf(out, "<g class=\"frames\" transform=\"translate(%d,%d)\">\n", EDGE,
		AS_TREEMAP_HEAD);
	for (size_t i = 0; i < map->box.n; i++) {
		treemap_svg_box(&s, &map->box.p[i]);
		as_picture_tidy(&s.ar);
	}
	as_out_printf(out, "</g>\n<text class=\"detail\" x=\"%d\" y=\"%u\"></text>\n", EDGE,
		map->opts.height + AS_TREEMAP_HEAD + LINE - 4);
	as_picture_script(out, as_treemap_js, sizeof(as_treemap_js));
	as_out_text(out, "</svg>\n");
	as_picture_end(out, html);
	return as_arena_end(&s.ar);
}
