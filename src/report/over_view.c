/* SPDX-License-Identifier: Apache-2.0 */
#include "report/over_view.h"

#include "base/date.h"
#include "base/duration.h"
#include "report/kit/show.h"

enum {
	LINE_NARROW = 30, /* columns of a line on a terminal, and elsewhere */
	LINE_WIDE = 60,
	NUMBERS_MAX = 100,  /* in text */
	OTHER_COLUMNS = 46, /* of a terminal: costs, their share, and names */
};

#define MINUTE INT64_C(60000000000)
#define DAY (24 * 60 * MINUTE)

/* ---- times as words ---- */

/* "10:45", "10:45:07.5"; with a day, "11-23 10:45"; of whole days nothing but that. */
static struct as_slice over_view_clock(struct as_arena *ar, int64_t ns, int64_t width, bool day)
{
	char text[AS_DATE_NANOS];

	as_date_nanos_text(ns, " ", "", text);
	if (width % DAY == 0)
		return as_arena_printf(ar, "%.10s", text);
	return as_arena_printf(
		ar, "%.*s%.*s", day ? 6 : 0, text + 5, width % MINUTE ? 32 : 5, text + 11);
}

/* What column K, of those from FIRST on, is called in the form of S. */
static struct as_slice over_view_name(
	struct as_sheet *s, const struct as_over *o, uint32_t first, uint32_t k)
{
	int64_t width = (int64_t)o->ask.width, begin = o->start + width * k;
	struct as_arena *ar = &s->grid.arena;
	char text[AS_DATE_NANOS];

	if (k == o->n)
		return as_slice_of("no time");
	if (!o->ask.clock)
		return as_duration_text_by(ar, begin, width);
	if (as_sheet_is(s, AS_FORM_CSV))
		return as_arena_dup(ar, as_slice_of(as_date_nanos_text(begin, "T", "Z", text)));
	return over_view_clock(
		ar, begin, width, k == first || (begin - width) / DAY != begin / DAY);
}

/* ---- columns ---- */

/* Those that have room, the last ones; a number is as wide as the widest. */
static void over_view_fit(struct as_over_view *v, struct as_sheet *s)
{
	const struct as_over *o = v->over;
	uint32_t width = s->to.style->width, line = o->n < LINE_NARROW ? o->n : LINE_NARROW;
	uint32_t used = OTHER_COLUMNS + line, cell = 6, room = NUMBERS_MAX;
	as_val most = 0;

	for (size_t i = 0; i < o->size; i++)
		most = o->cost[i] > most ? o->cost[i] : most;
	if (width) {
		struct as_slice text = as_show_in(&s->grid.arena, most,
			s->unit ? &s->unit[s->first] : &s->opts->unit, s->to.style);

		cell += text.len > 6 ? (uint32_t)text.len - 4 : 2;
		room = width > used ? (width - used) / cell : 0;
	}
	room = room > (uint32_t)o->timeless ? room - o->timeless : 1;
	room = room < NUMBERS_MAX ? room : NUMBERS_MAX;
	v->n = room < o->n ? room : o->n;
	v->first = o->n - v->n;
}

void as_over_view_begin(struct as_over_view *v, struct as_sheet *s, const struct as_over *over)
{
	uint32_t n;
	struct as_metric *column;

	*v = (struct as_over_view){.over = AS_SHEET_JSON_ALONE ? NULL : over};
	if (!v->over || as_sheet_is(s, AS_FORM_JSON))
		return;
	v->n = over->n;
	if (as_sheet_is_page(s))
		over_view_fit(v, s);
	n = v->n + over->timeless;
	if (!as_arena_array(&s->grid.arena, &column, n))
		return;
	for (uint32_t k = 0; k < n; k++)
		column[k].name = over_view_name(s, over, v->first, v->first + k);
	v->value = as_sheet_with_metrics(s, column, n, false);
}

/* ---- rows ---- */

static void over_view_put_list(const void *ctx, struct as_json *j, as_val row)
{
	const struct as_over *o = ctx;
	const as_val *cost = as_over_costs(o, (uint32_t)row);

	for (uint32_t k = 0; k < o->n; k++)
		as_json_val(j, NULL, cost[k]);
}

/* Of more columns than a line has, several that follow one another are one. */
static struct as_slice over_view_line(
	const struct as_over_view *v, struct as_sheet *s, const as_val *cost)
{
	uint32_t max = s->to.style->width ? LINE_NARROW : LINE_WIDE, n = v->over->n;
	uint32_t each = (n + max - 1) / max;
	as_val value[LINE_WIDE] = {0}, most = 0;

	as_assert(n > 0);
	for (uint32_t k = 0; k < n; k++)
		value[k / each] += cost[k];
	n = (n + each - 1) / each;
	for (uint32_t k = 0; k < n; k++)
		most = value[k] > most ? value[k] : most;
	return as_spark_line(&s->grid.arena, value, n, most, s->to.style);
}

void as_over_view_row(
	struct as_over_view *v, struct as_sheet *s, const struct as_over_slots *slots, uint32_t row)
{
	const struct as_over *o = v->over;
	const as_val *cost;

	if (AS_SHEET_JSON_ALONE || !o)
		return;
	cost = as_over_costs(o, row);
	if (as_sheet_is(s, AS_FORM_JSON)) {
		as_sheet_list_of(s, slots->list, over_view_put_list, o, row);
		if (o->timeless)
			as_sheet_count(s, slots->timeless, true, cost[o->n]);
		return;
	}
	if (as_sheet_is_page(s))
		as_sheet_text(s, slots->line, over_view_line(v, s, cost));
	for (uint32_t k = 0; v->value && k < v->n + o->timeless; k++)
		v->value[k] = (struct as_number){true, true, cost[v->first + k], 0};
	as_sheet_metrics(s, slots->columns, v->value);
}

void as_over_view_json(const struct as_over_view *v, struct as_sheet *s)
{
	const struct as_over *o = v->over;

	if (AS_SHEET_JSON_ALONE || !o || !as_sheet_is(s, AS_FORM_JSON))
		return;
	as_json_object(&s->json, "over");
	as_json_bool(&s->json, "clock", o->ask.clock);
	as_json_val(&s->json, "start", o->start);
	as_json_val(&s->json, "width", (as_val)o->ask.width);
	as_json_val(&s->json, "columns", o->n);
	as_json_text(&s->json, "of", as_slice_of(o->ask.inclusive ? "inclusive" : "self"));
	as_json_object_end(&s->json);
}

enum as_code as_over_view_note(const struct as_over_view *v, const struct as_sheet_to *to)
{
	const struct as_over *o = v->over;
	struct as_slice width, from;
	struct as_arena ar;
	char text[AS_DATE_NANOS];

	if (!o || to->form != AS_FORM_TEXT)
		return AS_OK;
	as_arena_init(&ar, o->prof->al);
	width = as_duration_text_by(&ar, (int64_t)o->ask.width, (int64_t)o->ask.width);
	from = as_duration_text_by(&ar, o->start, (int64_t)o->ask.width);
	if (o->ask.clock)
		from = as_slice_of(as_date_nanos_text(o->start, " ", "Z", text));
	as_out_printf(to->out,
		"%s%" PRIu32 " column%s of %.*s from %.*s on: %s cost; each line has its "
		"own scale\n",
		as_sheet_gap(to), o->n, o->n == 1 ? "" : "s", AS_SLICE_FMT(width),
		AS_SLICE_FMT(from), o->ask.inclusive ? "inclusive" : "self");
	if (v->n < o->n)
		as_out_printf(to->out, "%snumbers of the last %" PRIu32 "; -f csv has all\n",
			as_sheet_gap(to), v->n);
	return as_arena_end(&ar);
}
