/* SPDX-License-Identifier: Apache-2.0 */
/* `assay timeline`: a line of each thread, as high as it cost at a time. */
#include "model/whose.h"
#include "report/answers.h"
#include "report/kit/show.h"

enum { PID, TID, THREAD, LINE, SELF, START, COST, MORE, BUCKETS };

static const struct as_column columns[] = {
	{AS_COL_COSTS, AS_IN_PAGE, SELF, ""},
	{AS_COL_WORD, AS_IN_PAGE, LINE, "when"},
	{AS_COL_ID, AS_IN_ALL, PID, "pid"},
	{AS_COL_ID, AS_IN_ALL, TID, "tid"},
	{AS_COL_NAME, AS_IN_ALL, THREAD, "thread"},
	{AS_COL_ID, AS_IN_CSV, START, "start"},
	{AS_COL_COUNT, AS_IN_CSV, COST, "cost"},
	{AS_COL_COSTS, AS_IN_JSON, SELF, "self"},
	{AS_COL_LIST, AS_IN_JSON, BUCKETS, "buckets"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "rows"},
	{0},
};

static void timeline_put_buckets(const void *ctx, struct as_json *j, as_val row)
{
	const struct as_timeline *t = ctx;
	const as_val *bucket = as_timeline_buckets(t, (size_t)row);

	for (uint32_t i = 0; i < t->n_buckets; i++)
		as_json_val(j, NULL, bucket[i]);
}

static void timeline_fill_thread(struct as_sheet *s, uint32_t part)
{
	struct as_whose w = as_part_whose(s->prof, part);

	as_sheet_count(s, PID, w.has_pid, (as_val)w.pid);
	as_sheet_count(s, TID, w.has_tid, (as_val)w.tid);
	if (!w.thread.len && !w.has_tid && !w.has_pid)
		w.thread = as_str_get(s->prof, s->prof->part.p[part].name);
	as_sheet_text_or_null(s, THREAD, w.thread);
}

/* CSV has a row for each bucket. */
static void timeline_put_row(struct as_sheet *s, const struct as_timeline *t, size_t i)
{
	uint32_t part = t->row.p[i].part;
	const as_val *bucket = as_timeline_buckets(t, i);

	for (uint32_t k = 0; as_sheet_is(s, AS_FORM_CSV) && k < t->n_buckets; k++) {
		timeline_fill_thread(s, part);
		as_sheet_count(s, START, true, t->start + (as_val)t->width * k);
		as_sheet_count(s, COST, true, bucket[k]);
		as_sheet_row(s, NULL);
	}
	if (as_sheet_is(s, AS_FORM_CSV))
		return;
	timeline_fill_thread(s, part);
	as_sheet_costs(s, SELF, as_timeline_self(t, i));
	if (as_sheet_is_page(s))
		as_sheet_text(s, LINE,
			as_spark_line(&s->grid.arena, bucket, t->n_buckets, t->most, s->to.style));
	as_sheet_list_of(s, BUCKETS, timeline_put_buckets, t, (as_val)i);
	as_sheet_row(s, NULL);
}

/* What the columns of a line are. */
static enum as_code timeline_put_scale(const struct as_timeline *t, const struct as_sheet_to *to)
{
	static const struct as_unit none = {0};
	const struct as_profile *prof = t->prof;
	struct as_slice event = as_event_name(prof, t->event), from, width, most;
	struct as_unit unit = {.each = 1, .scale = 1000000, .suffix = "ms"};
	struct as_arena ar;

	as_arena_init(&ar, prof->al);
	from = as_show_in(&ar, t->start, &unit, to->style);
	width = as_show_in(&ar, (as_val)t->width, &unit, to->style);
	most = as_show_in(&ar, t->most, &none, to->style);
	as_out_printf(to->out,
		"%s%" PRIu32 " columns of %.*s from %.*s on; the highest is %.*s %.*s\n",
		as_sheet_gap(to), t->n_buckets, AS_SLICE_FMT(width), AS_SLICE_FMT(from),
		AS_SLICE_FMT(most), AS_SLICE_FMT(event));
	return as_arena_end(&ar);
}

enum as_code as_timeline_print(const struct as_timeline_report *r, const struct as_sheet_to *to)
{
	const struct as_timeline *t = r->timeline;
	size_t shown = as_sheet_limit(r->limit, t->row.n);
	enum as_code rc;
	struct as_sheet s;
	as_val *rest;

	as_sheet_init(&s, to, t->prof, r->opts, columns);
	as_sheet_begin(&s, "assay.timeline/1", NULL);
	if (as_sheet_is(&s, AS_FORM_JSON)) {
		as_json_text(&s.json, "event", as_event_name(t->prof, t->event));
		as_json_val(&s.json, "start", t->start);
		as_json_val(&s.json, "width", (as_val)t->width);
	}
	as_sheet_rows(&s, "rows");
	for (size_t i = 0; i < shown; i++)
		timeline_put_row(&s, t, i);
	as_sheet_list_end(&s);
	rest = as_sheet_sum(&s);
	for (size_t i = shown; i < t->row.n; i++)
		as_sheet_add(&s, rest, as_timeline_self(t, i));
	as_sheet_rest(&s, (struct as_sheet_rest){MORE, SELF, LINE}, t->row.n - shown, " thread{|s}",
		rest);
	rc = as_sheet_finish(&s);
	if (rc == AS_OK && to->form != AS_FORM_JSON && to->form != AS_FORM_CSV)
		rc = timeline_put_scale(t, to);
	return rc;
}
