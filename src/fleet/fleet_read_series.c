/* SPDX-License-Identifier: Apache-2.0 */
/* Series become events and parts, by the rules by which profiles are merged. */
#include "fleet/fleet_read_impl.h"

#include "base/sort.h"

enum { EVENTS_MAX = 1000 };

/* A row's event. */
struct series_row {
	struct as_slice type, unit, period_unit, title, service, host;
	uint64_t id, period;
	uint32_t idx, col, depth;
	unsigned flags;
};

/* ---- rows ---- */

static struct series_row series_take(struct as_fleet_cur *c, bool pushed)
{
	struct series_row row = {0};

	(void)as_fleet_take(c, pushed ? sizeof(uint16_t) : 0);
	row.id = as_fleet_number(c, sizeof(row.id));
	(void)as_fleet_number(c, sizeof(uint64_t)); /* svc */
	row.type = as_fleet_string(c);
	row.unit = as_fleet_string(c);
	row.period = as_fleet_number(c, sizeof(row.period));
	row.period_unit = as_fleet_string(c);
	row.title = as_fleet_string(c);
	row.idx = (uint32_t)as_fleet_number(c, sizeof(row.idx));
	row.col = (uint32_t)as_fleet_number(c, sizeof(row.col));
	row.depth = (uint32_t)as_fleet_number(c, sizeof(row.depth));
	row.flags = (unsigned)as_fleet_number(c, 1);
	row.service = as_fleet_string(c);
	row.host = as_fleet_string(c);
	return row;
}

static void series_skip_strings(struct as_fleet_cur *c)
{
	for (size_t n = as_fleet_length(c, 1); n > 0; n--)
		(void)as_fleet_string(c);
}

static void series_skip_labels(struct as_fleet_cur *c)
{
	series_skip_strings(c);
	series_skip_strings(c);
	(void)as_fleet_take(c, as_fleet_length(c, sizeof(int64_t)) * sizeof(int64_t));
	series_skip_strings(c);
}

/* ---- events ---- */

static enum as_code series_differ_unit(
	struct as_fleet_read *r, const struct as_fleet_event *ev, const struct series_row *row)
{
	return as_err_set(r->err, AS_E_ARG,
		"'%.*s' is counted in %.*s by '%.*s', but in %.*s by others: that cannot be added",
		AS_SLICE_FMT(row->type), AS_SLICE_FMT(row->unit), AS_SLICE_FMT(row->host),
		AS_SLICE_FMT(ev->unit));
}

static enum as_code series_differ_period(
	struct as_fleet_read *r, const struct as_fleet_event *ev, const struct series_row *row)
{
	return as_err_set(r->err, AS_E_ARG,
		"'%.*s' has a period of %" PRIu64 " %.*s on '%.*s' and of %" PRIu64
		" %.*s on '%.*s': samples of different weight cannot be added",
		AS_SLICE_FMT(row->type), ev->period, AS_SLICE_FMT(ev->period_unit),
		AS_SLICE_FMT(ev->host), row->period, AS_SLICE_FMT(row->period_unit),
		AS_SLICE_FMT(row->host));
}

static enum as_code series_join(
	struct as_fleet_read *r, struct as_fleet_event *ev, const struct series_row *row)
{
	if (row->unit.len && ev->unit.len && !as_slice_eq(row->unit, ev->unit))
		return series_differ_unit(r, ev, row);
	if (row->period && ev->period &&
		(row->period != ev->period || !as_slice_eq(row->period_unit, ev->period_unit)))
		return series_differ_period(r, ev, row);
	if (!ev->unit.len)
		ev->unit = row->unit;
	if (!ev->period) {
		ev->period = row->period;
		ev->period_unit = row->period_unit;
		ev->host = row->host;
	}
	/* of several titles, the one that any order of rows gives */
	if (!ev->title.len || (row->title.len && as_slice_cmp(row->title, ev->title) < 0))
		ev->title = row->title;
	ev->no_period |= !row->period;
	ev->first = row->idx < ev->first ? row->idx : ev->first;
	ev->last = row->idx > ev->last ? row->idx : ev->last;
	ev->col = row->col < ev->col ? row->col : ev->col;
	ev->estimated |= row->flags & AS_SERIES_ESTIMATED;
	return AS_OK;
}

static enum as_code series_event(
	struct as_fleet_read *r, const struct series_row *row, uint32_t *event)
{
	struct as_fleet_event fresh = {.type = row->type, .first = UINT32_MAX, .col = UINT32_MAX};
	uint32_t i = 0;

	while (i < r->event.n && !as_slice_eq(r->event.p[i].type, row->type))
		i++;
	*event = i;
	if (i == EVENTS_MAX)
		return as_err_set(r->err, AS_E_LIMIT,
			"the store has more than %d events: choose one, as by event=cycles",
			EVENTS_MAX);
	if (i == r->event.n)
		AS_TRY(as_err_memory(r->err, as_vec_push(&r->pool.al, &r->event, fresh)));
	return series_join(r, &r->event.p[i], row);
}

static bool series_known(const struct as_fleet_read *r, uint64_t id)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	while (as_index_find(&r->series_by_id, id, &pos, &i))
		if (r->series.p[i].id == id)
			return true;
	return false;
}

enum as_code as_fleet_read_series(struct as_fleet_read *r, struct as_slice answer)
{
	struct as_fleet_cur c = as_fleet_cur_of(answer);

	if (r->building)
		return as_err_set(r->err, AS_E_ARG, "series come before sums");
	while (as_fleet_more(&c)) {
		struct series_row row = series_take(&c, r->opts.pushed);
		struct as_fleet_serie s = {
			.id = row.id, .service = row.service, .host = row.host, .labels = c};

		series_skip_labels(&c);
		if (c.cut)
			break;
		AS_TRY(series_event(r, &row, &s.event));
		r->flags |= row.flags;
		r->depth = row.depth > r->depth ? row.depth : r->depth;
		if (series_known(r, row.id))
			continue;
		if (!as_index_add(&r->series_by_id, s.id, (uint32_t)r->series.n) ||
			!as_vec_push(&r->pool.al, &r->series, s))
			return as_err_no_memory(r->err);
	}
	return as_fleet_cut(r, &c);
}

/* As events of merged profiles stand. */
static int series_event_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_fleet_event *x = (const struct as_fleet_event *)ctx + a;
	const struct as_fleet_event *y = (const struct as_fleet_event *)ctx + b;
	int cmp = as_cmp_u64(x->first, y->first);

	cmp = cmp ? cmp : as_cmp_u64(x->last, y->last);
	return cmp ? cmp : as_slice_cmp(x->type, y->type);
}

static enum as_code series_add_event(struct as_fleet_read *r, const struct as_fleet_event *ev)
{
	struct as_event *row;
	uint32_t k;

	AS_TRY(as_build_event(&r->b, ev->type, ev->unit, &k));
	row = &r->b.prof->event.p[k];
	row->estimated = ev->estimated;
	AS_TRY(as_build_str(&r->b, ev->title, &row->title));
	if (ev->no_period || !ev->period)
		return AS_OK;
	row->period = ev->period;
	return as_build_str(&r->b, ev->period_unit, &row->period_unit);
}

enum as_code as_fleet_events(struct as_fleet_read *r)
{
	size_t n = r->event.n;
	uint32_t *order = as_sorted_rows(&r->pool.al, n, series_event_cmp, r->event.p);

	AS_TRY(as_err_memory(r->err, order && as_alloc_array(&r->pool.al, &r->event_at, n)));
	for (uint32_t i = 0; i < n; i++) {
		r->event_at[order[i]] = i;
		AS_TRY(series_add_event(r, &r->event.p[order[i]]));
	}
	if (n && r->event.p[order[0]].col < n)
		r->b.prof->first_column = r->event.p[order[0]].col;
	return AS_OK;
}

/* ---- parts ---- */

static enum as_code series_add_label(struct as_fleet_read *r, struct as_slice key,
	struct as_slice text, int64_t number, struct as_slice unit)
{
	struct as_label label = {.number = number};

	AS_TRY(as_build_str(&r->b, key, &label.key));
	AS_TRY(as_build_str(&r->b, text, &label.text));
	AS_TRY(as_build_str(&r->b, unit, &label.unit));
	return as_err_memory(r->err, as_vec_push(&r->pool.al, &r->label, label));
}

static bool series_has_label(const struct as_fleet_read *r, const char *key)
{
	for (size_t i = 0; i < r->label.n; i++)
		if (as_slice_is(as_str_get(r->b.prof, r->label.p[i].key), key))
			return true;
	return false;
}

/* Where an array of strings, numbers begins in the answer, and how many are left. */
struct series_array {
	struct as_fleet_cur at;
	size_t n;
};

static struct series_array series_array(struct as_fleet_cur *c, bool numbers)
{
	struct series_array a;

	a.n = as_fleet_length(c, numbers ? sizeof(int64_t) : 1);
	a.at = *c;
	for (size_t i = 0; i < a.n && !numbers; i++)
		(void)as_fleet_string(c);
	if (numbers)
		(void)as_fleet_take(c, a.n * sizeof(int64_t));
	return a;
}

static enum as_code series_read_labels(struct as_fleet_read *r, const struct as_fleet_serie *s)
{
	struct as_fleet_cur c = s->labels;
	struct series_array key = series_array(&c, false), text = series_array(&c, false);
	struct series_array number = series_array(&c, true), unit = series_array(&c, false);

	if (key.n != text.n || key.n != number.n || key.n != unit.n)
		return as_err_set(r->err, AS_E_FORMAT,
			"the store's answer is damaged: a series has more keys than labels");
	for (size_t i = 0; i < key.n; i++)
		AS_TRY(series_add_label(r, as_fleet_string(&key.at), as_fleet_string(&text.at),
			(int64_t)as_fleet_number(&number.at, sizeof(int64_t)),
			as_fleet_string(&unit.at)));
	return AS_OK;
}

enum as_code as_fleet_part(struct as_fleet_read *r, struct as_fleet_serie *s, uint32_t *part)
{
	struct as_slice none = {NULL, 0};

	*part = s->part ? s->part - 1 : 0;
	if (s->part || !r->opts.labels)
		return AS_OK;
	r->label.n = 0;
	AS_TRY(series_read_labels(r, s));
	if (s->service.len && !series_has_label(r, "service"))
		AS_TRY(series_add_label(r, as_slice_of("service"), s->service, 0, none));
	if (s->host.len && !series_has_label(r, "host"))
		AS_TRY(series_add_label(r, as_slice_of("host"), s->host, 0, none));
	AS_TRY(as_build_labelled(&r->b, r->label.p, (uint32_t)r->label.n, part));
	s->part = *part + 1;
	return AS_OK;
}
