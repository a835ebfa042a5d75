/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/timeline_svg.h"

#include "formats/format.h"
#include "model/whose.h"
#include "picture/time_axis.h"
#include "picture/xml.h"
#include "report/kit/name_fit.h"
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

struct lanes {
	const struct as_timeline_report *r;
	const struct as_timeline *t;
	struct as_timeline_off off;
	struct as_out *out;
	struct as_arena ar;
	size_t n; /* lanes */
};

static struct as_slice lanes_cost(struct lanes *l, as_val v)
{
	return as_picture_cost(&l->ar, l->r->opts, l->t->prof, l->t->event, v);
}

/* ---- around the lanes ---- */

static struct as_slice lanes_note(struct lanes *l)
{
	const struct as_timeline *t = l->t;
	struct as_slice rest = as_slice_of("");
	as_val left = 0;

	for (size_t i = l->n; i < t->row.n; i++)
		left += t->row.p[i].total;
	if (l->n < t->row.n)
		rest = as_arena_printf(&l->ar, "; %zu more %.*s with %.*s left out",
			t->row.n - l->n,
			AS_SLICE_FMT(as_arena_plural(&l->ar, "thread{|s}", t->row.n - l->n)),
			AS_SLICE_FMT(lanes_cost(l, left)));
	return as_arena_printf(&l->ar,
		"%sthreads over time, of one scale: the highest bar is %.*s in %.*s%s%.*s",
		t->prof->partial ? "not whole: of what could be read; " : "",
		AS_SLICE_FMT(lanes_cost(l, t->most)),
		AS_SLICE_FMT(as_time_text(&l->ar, (as_val)t->width)),
		l->off.bucket ? "; " AS_TIME_OFF_NOTE : "", AS_SLICE_FMT(rest));
}

static void lanes_head(struct lanes *l)
{
	const struct as_timeline *t = l->t;
	struct as_slice title =
		as_picture_title(&l->ar, l->r->opts, t->prof, t->event, t->prof->total[t->event]);

	as_picture_begin(
		l->out, &(struct as_picture){.width = NAMES + AS_TIMELINE_PIXELS + 2 * EDGE,
				.height = HEAD + (uint64_t)APART * l->n + EDGE,
				.title = title,
				.class = "",
				.defs = ""});
	as_picture_line(l->out, "title", EDGE, 22, title);
	as_picture_line(l->out, "quiet", EDGE, 40, lanes_note(l));
}

/* ---- lanes ---- */

/* Thousandths of pixels. */
static uint64_t lanes_x(const struct as_timeline *t, uint32_t bucket)
{
	return (uint64_t)bucket * (AS_TIMELINE_PIXELS * 1000) / t->n_buckets;
}

static uint64_t lanes_high(const struct as_timeline *t, as_val v)
{
	uint64_t high = v > 0 ? as_picture_scale(v, t->most, LANE * 1000) : 0;

	return high < LOWEST ? LOWEST : high;
}

static void lanes_bar(struct lanes *l, size_t row, uint32_t i)
{
	const struct as_timeline *t = l->t;
	as_val v = as_timeline_buckets(t, row)[i], from = (as_val)t->width * i;
	uint64_t x = lanes_x(t, i), high = lanes_high(t, v);
	char text[AS_VAL_TEXT];

	as_out_printf(l->out, "<rect class=\"c2\" data-from=\"%s\"", as_val_text(from, text));
	as_out_printf(l->out, " data-cost=\"%s\"", as_val_text(v, text));
	as_picture_rect(l->out, (uint64_t)(EDGE + NAMES) * 1000 + x,
		(HEAD + (uint64_t)APART * row + LANE) * 1000 - high, lanes_x(t, i + 1) - x, high);
	as_out_text(l->out, "><title>");
	as_xml_text(l->out, lanes_cost(l, v));
	as_out_text(l->out, "; ");
	as_xml_text(l->out, as_time_stretch(&l->ar, t->start + from, t->width));
	as_out_text(l->out, "</title></rect>\n");
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
	as_picture_line(l->out, "name", EDGE, y + 12, as_text_fit(&l->ar, name, COLUMNS, true));
	as_picture_line(l->out, "quiet", EDGE, y + 28,
		as_arena_printf(&l->ar, "%.*s%.*s %%", AS_SLICE_FMT(numbers), AS_SLICE_FMT(share)));
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
		as_time_off(l->out, &l->ar, &l->off, row, lanes_span(l->t),
			(struct as_time_axis_at){
				EDGE + NAMES, (unsigned)y + LANE + 1, AS_TIMELINE_PIXELS, BAND});
	as_out_printf(l->out,
		"<path class=\"hatch\" stroke-width=\".5\" d=\"M%d,%" PRIu64 "h%d\"/></g>\n",
		EDGE + NAMES, y + LANE, AS_TIMELINE_PIXELS);
	as_arena_reset(&l->ar);
}

enum as_code as_timeline_svg(const struct as_timeline_report *r, struct as_out *out)
{
	const struct as_timeline *t = r->timeline;
	struct lanes l = {.r = r, .t = t, .out = out, .n = as_sheet_limit(r->limit, t->row.n)};

	as_arena_init(&l.ar, t->prof->al);
	l.ar.failed |= !as_timeline_off_make(&l.off, t);
	lanes_head(&l);
	as_time_axis(out, &l.ar, lanes_span(t),
		(struct as_time_axis_at){
			EDGE + NAMES, HEAD, AS_TIMELINE_PIXELS, (uint64_t)APART * l.n});
	as_out_text(out, "</g>\n");
	for (size_t i = 0; i < l.n; i++)
		lanes_lane(&l, i);
	as_out_text(out, "</svg>\n");
	as_picture_end(out, false);
	as_timeline_off_release(&l.off);
	return as_arena_end(&l.ar);
}
