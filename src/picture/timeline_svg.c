/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/timeline_svg.h"

#include "formats/format.h"
#include "model/whose.h"
#include "picture/time_axis.h"
#include "picture/xml.h"
#include "report/kit/show.h"

enum {
	EDGE = 10,    /* pixels around everything */
	NAMES = 260,  /* on the left of the lanes */
	HEAD = 66,    /* above them: title, note, times */
	LANE = 32,    /* the highest bar */
	APART = 42,   /* from one lane to the next */
	COLUMNS = 36, /* letters of a name */
	BAND = 4,     /* below a lane: why it did not run */
	LOWEST = 500, /* thousandths of a pixel: what costs anything can be seen */
};

static const struct as_style style = {.group = true, .utf8 = true};

struct lanes {
	const struct as_timeline_report *r;
	const struct as_timeline *t;
	struct as_timeline_off off;
	struct as_out *out;
	struct as_arena ar;
	size_t n; /* lanes */
	bool no_memory;
};

static void lanes_text(struct lanes *l, struct as_slice text)
{
	l->no_memory |= !text.p;
	as_xml_text(l->out, text);
}

static struct as_slice lanes_cost(struct lanes *l, as_val v)
{
	struct as_slice cost = as_show_in(&l->ar, v, &l->r->opts->unit, &style);
	struct as_slice event = as_show_clean(&l->ar, as_event_name(l->t->prof, l->t->event));

	if (!cost.p || !event.p)
		return (struct as_slice){0};
	return as_arena_printf(&l->ar, "%.*s %.*s", AS_SLICE_FMT(cost), AS_SLICE_FMT(event));
}

/* ---- around the lanes ---- */

static struct as_slice lanes_title(struct lanes *l)
{
	const struct as_view_opts *opts = l->r->opts;
	struct as_slice file = as_show_clean(
		&l->ar, as_base_name(as_slice_of(opts->n_files ? opts->files[0] : "")));
	struct as_slice cost = lanes_cost(l, l->t->prof->total[l->t->event]);

	if (!file.p || !cost.p)
		return (struct as_slice){0};
	if (opts->n_files > 1)
		file = as_arena_printf(
			&l->ar, "%.*s and %zu more", AS_SLICE_FMT(file), opts->n_files - 1);
	return as_arena_printf(&l->ar, "%.*s: %.*s", AS_SLICE_FMT(file), AS_SLICE_FMT(cost));
}

static struct as_slice lanes_note(struct lanes *l)
{
	const struct as_timeline *t = l->t;
	struct as_slice most = lanes_cost(l, t->most), rest = as_slice_of(""), width;
	as_val left = 0;

	for (size_t i = l->n; i < t->row.n; i++)
		left += t->row.p[i].total;
	if (l->n < t->row.n) {
		struct as_slice threads = as_arena_plural(&l->ar, "thread{|s}", t->row.n - l->n);
		struct as_slice cost = lanes_cost(l, left);

		rest = threads.p && cost.p
			       ? as_arena_printf(&l->ar, "; %zu more %.*s with %.*s left out",
					 t->row.n - l->n, AS_SLICE_FMT(threads), AS_SLICE_FMT(cost))
			       : (struct as_slice){0};
	}
	width = as_time_text(&l->ar, (as_val)t->width);
	if (!most.p || !rest.p || !width.p)
		return (struct as_slice){0};
	return as_arena_printf(&l->ar,
		"%sthreads over time, of one scale: the highest bar is %.*s in %.*s%s%.*s",
		t->prof->partial ? "not whole: of what could be read; " : "", AS_SLICE_FMT(most),
		AS_SLICE_FMT(width), l->off.bucket ? "; " AS_TIME_OFF_NOTE : "",
		AS_SLICE_FMT(rest));
}

static void lanes_line(
	struct lanes *l, const char *class, unsigned x, uint64_t y, struct as_slice s)
{
	as_out_printf(l->out, "<text class=\"%s\" x=\"%u\" y=\"%" PRIu64 "\">", class, x, y);
	lanes_text(l, s);
	as_out_text(l->out, "</text>\n");
}

static void lanes_head(struct lanes *l)
{
	unsigned width = NAMES + AS_TIMELINE_PIXELS + 2 * EDGE;
	uint64_t height = HEAD + (uint64_t)APART * l->n + EDGE;

	as_out_printf(l->out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"assay\" width=\"%u\" "
		"height=\"%" PRIu64 "\" viewBox=\"0 0 %u %" PRIu64
		"\" role=\"group\" aria-label=\"",
		width, height, width, height);
	lanes_text(l, lanes_title(l));
	as_out_text(l->out, "\">\n");
	as_picture_style(l->out);
	as_out_text(l->out, "<rect class=\"page\" width=\"100%\" height=\"100%\"/>\n");
	lanes_line(l, "title", EDGE, 22, lanes_title(l));
	lanes_line(l, "quiet", EDGE, 40, lanes_note(l));
}

/* ---- lanes ---- */

/* Thousandths of pixels. */
static uint64_t lanes_x(const struct as_timeline *t, uint32_t bucket)
{
	return (uint64_t)bucket * (AS_TIMELINE_PIXELS * 1000) / t->n_buckets;
}

static uint64_t lanes_high(const struct as_timeline *t, as_val v)
{
	as_val most = t->most;

	while (most >> 96) { /* the lost bits do not show */
		most >>= 1;
		v >>= 1;
	}
	v = v > 0 && most > 0 ? v * (LANE * 1000) / most : 0;
	return v < LOWEST ? LOWEST : (uint64_t)v;
}

static void lanes_bar(struct lanes *l, size_t row, uint32_t i)
{
	const struct as_timeline *t = l->t;
	as_val v = as_timeline_buckets(t, row)[i], from = (as_val)t->width * i;
	uint64_t x = lanes_x(t, i), high = lanes_high(t, v);
	char text[AS_VAL_TEXT];

	as_out_printf(l->out, "<rect class=\"c2\" data-from=\"%s\"", as_val_text(from, text));
	as_out_printf(l->out, " data-cost=\"%s\" x=\"", as_val_text(v, text));
	as_xml_fixed(l->out, (uint64_t)(EDGE + NAMES) * 1000 + x);
	as_out_text(l->out, "\" y=\"");
	as_xml_fixed(l->out, (HEAD + (uint64_t)APART * row + LANE) * 1000 - high);
	as_out_text(l->out, "\" width=\"");
	as_xml_fixed(l->out, lanes_x(t, i + 1) - x);
	as_out_text(l->out, "\" height=\"");
	as_xml_fixed(l->out, high);
	as_out_text(l->out, "\"><title>");
	lanes_text(l, lanes_cost(l, v));
	as_out_text(l->out, "; ");
	lanes_text(l, as_time_text(&l->ar, (as_val)t->width));
	as_out_text(l->out, " from ");
	lanes_text(l, as_time_at(&l->ar, t->start + from, t->width));
	as_out_text(l->out, " on</title></rect>\n");
}

static struct as_slice lanes_numbers(struct lanes *l, const struct as_whose *p)
{
	if (p->has_tid && p->has_pid)
		return as_arena_printf(
			&l->ar, "thread %" PRIu64 ", process %" PRIu64 "; ", p->tid, p->pid);
	if (p->has_tid)
		return as_arena_printf(&l->ar, "thread %" PRIu64 "; ", p->tid);
	return p->has_pid ? as_arena_printf(&l->ar, "process %" PRIu64 "; ", p->pid)
			  : as_slice_of("");
}

static void lanes_name(struct lanes *l, size_t row, uint64_t y)
{
	const struct as_timeline_row *of = &l->t->row.p[row];
	const struct as_whose w = as_part_whose(l->t->prof, of->part);
	struct as_slice name = as_show_clean(&l->ar, w.thread);
	struct as_slice share =
		as_show_percent(&l->ar, of->total, as_whole(l->t->prof)[l->t->event]);
	struct as_slice numbers = lanes_numbers(l, &w);

	if (!name.len)
		name = as_show_clean(
			&l->ar, as_str_get(l->t->prof, l->t->prof->part.p[of->part].name));
	lanes_line(l, "name", EDGE, y + 12, as_picture_cut(&l->ar, name, COLUMNS, true));
	lanes_line(l, "quiet", EDGE, y + 28,
		numbers.p && share.p ? as_arena_printf(&l->ar, "%.*s%.*s %%", AS_SLICE_FMT(numbers),
					       AS_SLICE_FMT(share))
				     : (struct as_slice){0});
}

static struct as_time_span lanes_span(const struct as_timeline *t)
{
	return (struct as_time_span){t->start, t->width * t->n_buckets};
}

static void lanes_lane(struct lanes *l, size_t row)
{
	const as_val *bucket = as_timeline_buckets(l->t, row);
	uint64_t y = HEAD + (uint64_t)APART * row;
	char total[AS_VAL_TEXT];

	as_out_printf(l->out, "<g class=\"lane\" data-cost=\"%s\">\n",
		as_val_text(l->t->row.p[row].total, total));
	lanes_name(l, row, y);
	for (uint32_t i = 0; i < l->t->n_buckets; i++)
		if (bucket[i])
			lanes_bar(l, row, i);
	if (l->off.bucket)
		l->no_memory |= !as_time_off(l->out, &l->ar, &l->off, row, lanes_span(l->t),
			(struct as_time_axis_at){
				EDGE + NAMES, (unsigned)y + LANE + 1, AS_TIMELINE_PIXELS, BAND});
	as_out_printf(l->out,
		"<path class=\"hatch\" stroke-width=\".5\" d=\"M%d,%" PRIu64 "h%d\"/></g>\n",
		EDGE + NAMES, y + LANE, AS_TIMELINE_PIXELS);
	as_arena_release(&l->ar);
	as_arena_init(&l->ar, l->t->prof->al);
}

enum as_code as_timeline_svg(const struct as_timeline_report *r, struct as_out *out)
{
	const struct as_timeline *t = r->timeline;
	struct lanes l = {.r = r, .t = t, .out = out, .n = t->row.n};

	if (r->limit && r->limit < l.n)
		l.n = r->limit;
	as_arena_init(&l.ar, t->prof->al);
	l.no_memory |= !as_timeline_off_make(&l.off, t);
	as_picture_begin(out, false, lanes_title(&l), "");
	lanes_head(&l);
	l.no_memory |= !as_time_axis(out, &l.ar, lanes_span(t),
		(struct as_time_axis_at){
			EDGE + NAMES, HEAD, AS_TIMELINE_PIXELS, (uint64_t)APART * l.n});
	as_out_text(out, "</g>\n");
	for (size_t i = 0; i < l.n; i++)
		lanes_lane(&l, i);
	as_out_text(out, "</svg>\n");
	as_picture_end(out, false);
	as_timeline_off_release(&l.off);
	as_arena_release(&l.ar);
	return l.no_memory ? AS_E_NOMEM : AS_OK;
}
