/* SPDX-License-Identifier: Apache-2.0 */
#include "report/parts.h"

#include "report/csv.h"
#include "report/grid.h"
#include "report/head_json.h"
#include "report/show.h"
#include "report/unit.h"

static size_t n_events(const struct as_parts *p)
{
	return as_n_events(p->prof);
}

static const as_val *self_of(const struct as_parts *p, uint32_t row)
{
	return p->table.self + (size_t)row * n_events(p);
}

static struct as_number metric(const struct as_parts *p, uint32_t k, const as_val *self)
{
	return as_metric_value(
		&p->opts.metric[k], &(struct as_metric_row){self, p->prof->total, NULL});
}

enum as_code as_parts_make(struct as_parts *p, const struct as_profile *prof,
	const struct as_parts_opts *opts, struct as_err *err)
{
	size_t e = as_n_events(prof);

	*p = (struct as_parts){.prof = prof, .opts = *opts};
	AS_TRY(as_part_table_make(&p->table, prof, opts->threads, err));
	p->n_all = p->table.n;
	p->n_rows = opts->limit && opts->limit < p->n_all ? opts->limit : p->n_all;
	p->row = as_arena_get(&p->table.arena, (p->n_all + 1) * sizeof(*p->row));
	p->rest = as_arena_get(&p->table.arena, (e + 1) * sizeof(*p->rest));
	if (!p->row || !p->rest || !as_part_table_sort(&p->table, prof, opts->sort_event, p->row))
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	memset(p->rest, 0, (e + 1) * sizeof(*p->rest));
	for (size_t i = p->n_rows; i < p->n_all; i++)
		for (size_t k = 0; k < e; k++)
			p->rest[k] += self_of(p, p->row[i])[k];
	return AS_OK;
}

void as_parts_release(struct as_parts *p)
{
	as_part_table_release(&p->table);
}

/* ---- what is known of a row ---- */

enum field { NUMBER, PID, TID, THREAD, COMMAND, INPUT, PARTS, FIELDS };

static const char *const field_name[FIELDS] = {
	"part", "pid", "tid", "thread", "command", "input", "parts"};

static bool is_text(enum field f)
{
	return f == THREAD || f == COMMAND || f == INPUT;
}

static struct as_slice text_of(const struct as_parts *p, uint32_t row, enum field f)
{
	const struct as_part *part = &p->prof->part.p[p->table.row[row].part];

	return as_str_get(p->prof, f == THREAD    ? part->thread
				   : f == COMMAND ? part->command
						  : part->name);
}

/* False: not known, or not one for all parts of a thread. */
static bool number_of(const struct as_parts *p, uint32_t row, enum field f, uint64_t *out)
{
	const struct as_part_row *r = &p->table.row[row];
	const struct as_part *part = &p->prof->part.p[r->part];

	switch (f) {
	case NUMBER:
		*out = part->has_number ? part->number : r->part + 1;
		return !p->opts.threads;
	case PID:
		*out = part->pid;
		return part->has_pid;
	case TID:
		*out = part->tid;
		return part->has_tid;
	default:
		*out = r->n;
		return p->opts.threads;
	}
}

/* Whether F tells anything of the shown rows. */
static bool is_shown(const struct as_parts *p, enum field f)
{
	uint64_t v;

	for (size_t i = 0; i < p->n_rows; i++)
		if (is_text(f) ? text_of(p, p->row[i], f).len > 0 &&
					 !(p->opts.threads && f == INPUT)
			       : number_of(p, p->row[i], f, &v))
			return true;
	return false;
}

/* ---- text ---- */

struct view {
	const struct as_parts *p;
	const struct as_style *style;
	struct as_grid grid;
	struct as_unit *unit; /* of each shown event */
	bool shown[FIELDS];
};

static void head(struct view *v, const char *prefix, struct as_slice name)
{
	struct as_slice s = as_show_clean(&v->grid.arena, name);

	s = as_arena_printf(&v->grid.arena, "%s %.*s", prefix, AS_SLICE_FMT(s));
	v->grid.oom |= !s.p;
	as_grid_column(&v->grid, s.p ? s.p : "", false, false);
}

static void columns(struct view *v)
{
	const struct as_parts *p = v->p;

	for (uint32_t i = 0; i < p->opts.n_events; i++) {
		head(v, "self", as_str_get(p->prof, p->prof->event.p[p->opts.event[i]].name));
		if (i == 0)
			as_grid_column(&v->grid, "%", false, false);
	}
	for (uint32_t k = 0; k < p->opts.n_metrics; k++)
		head(v, "self", p->opts.metric[k].name);
	for (int f = 0; f < FIELDS; f++)
		if (v->shown[f])
			as_grid_column(&v->grid, field_name[f], is_text((enum field)f),
				is_text((enum field)f));
}

static void costs(struct view *v, const as_val *self)
{
	const struct as_parts *p = v->p;
	struct as_arena *ar = &v->grid.arena;

	for (uint32_t i = 0; i < p->opts.n_events; i++) {
		uint32_t ev = p->opts.event[i];

		as_grid_cell(&v->grid, as_show_in(ar, self[ev], &v->unit[i], v->style));
		if (i == 0)
			as_grid_cell(
				&v->grid, as_show_percent(ar, self[ev], as_whole(p->prof)[ev]));
	}
	for (uint32_t k = 0; k < p->opts.n_metrics; k++)
		as_grid_cell(&v->grid, as_show_number(ar, metric(p, k, self), v->style));
}

static void row(struct view *v, uint32_t r)
{
	struct as_arena *ar = &v->grid.arena;
	uint64_t n;

	costs(v, self_of(v->p, r));
	for (int f = 0; f < FIELDS; f++) {
		if (!v->shown[f])
			continue;
		if (is_text((enum field)f))
			as_grid_cell(&v->grid, as_show_clean(ar, text_of(v->p, r, (enum field)f)));
		else if (number_of(v->p, r, (enum field)f, &n))
			as_grid_cell(&v->grid, as_arena_printf(ar, "%" PRIu64, n));
		else
			as_grid_cell(&v->grid, as_slice_of("-"));
	}
}

/* The rows that are not shown: in the first of the fields. */
static void rest(struct view *v)
{
	const struct as_parts *p = v->p;
	size_t n = p->n_all - p->n_rows;
	bool said = false;

	costs(v, p->rest);
	for (int f = 0; f < FIELDS; f++) {
		if (!v->shown[f])
			continue;
		as_grid_cell(&v->grid, said ? as_slice_of("")
					    : as_arena_printf(&v->grid.arena, "[%zu more %s]", n,
						      n == 1 ? "row" : "rows"));
		said = true;
	}
}

enum as_code as_parts_text(
	const struct as_parts *p, struct as_out *out, const struct as_style *style)
{
	struct view v = {.p = p, .style = style};
	enum as_code rc;

	as_grid_init(&v.grid, p->prof->al);
	v.unit = as_arena_get(&v.grid.arena, (p->opts.n_events + 1) * sizeof(*v.unit));
	for (uint32_t i = 0; v.unit && i < p->opts.n_events; i++)
		v.unit[i] = as_unit_of(p->prof, p->opts.event[i],
			p->opts.unit ? p->opts.unit : "count", p->prof->total[p->opts.event[i]]);
	for (int f = 0; f < FIELDS; f++)
		v.shown[f] = is_shown(p, (enum field)f);
	columns(&v);
	v.grid.oom |= !v.unit;
	for (size_t i = 0; !v.grid.oom && i < p->n_rows; i++)
		row(&v, p->row[i]);
	if (!v.grid.oom && p->n_rows < p->n_all)
		rest(&v);
	rc = as_grid_print(&v.grid, out, style);
	as_grid_release(&v.grid);
	return rc;
}

/* ---- JSON and CSV ---- */

static void json_costs(const struct as_parts *p, struct as_json *j, const as_val *self)
{
	as_json_array(j, "self");
	for (uint32_t i = 0; i < p->opts.n_events; i++)
		as_json_val(j, NULL, self[p->opts.event[i]]);
	as_json_array_end(j);
	if (!p->opts.n_metrics)
		return;
	as_json_array(j, "metrics");
	for (uint32_t k = 0; k < p->opts.n_metrics; k++)
		as_json_number(j, NULL, metric(p, k, self));
	as_json_array_end(j);
}

static void json_row(const struct as_parts *p, struct as_json *j, uint32_t r)
{
	uint64_t n;

	as_json_object(j, NULL);
	for (int f = 0; f < FIELDS; f++) {
		if (is_text((enum field)f))
			as_json_text_or_null(j, field_name[f], text_of(p, r, (enum field)f));
		else if (number_of(p, r, (enum field)f, &n))
			as_json_u64(j, field_name[f], n);
		else
			as_json_null(j, field_name[f]);
	}
	json_costs(p, j, self_of(p, r));
	as_json_object_end(j);
}

void as_parts_json(const struct as_parts *p, struct as_out *out)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.parts/1"));
	as_json_profile(&j, p->prof, p->opts.files, p->opts.n_files);
	as_json_text(&j, "by", as_slice_of(p->opts.threads ? "thread" : "part"));
	as_json_events(&j, p->prof, p->opts.event, p->opts.n_events);
	as_json_metrics(&j, p->opts.metric, p->opts.n_metrics, false);
	as_json_array(&j, "rows");
	for (size_t i = 0; i < p->n_rows; i++)
		json_row(p, &j, p->row[i]);
	as_json_array_end(&j);
	as_json_object(&j, "rest");
	as_json_u64(&j, "rows", p->n_all - p->n_rows);
	json_costs(p, &j, p->rest);
	as_json_object_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

static void csv_costs(const struct as_parts *p, struct as_csv *c, const as_val *self)
{
	for (uint32_t i = 0; i < p->opts.n_events; i++)
		as_csv_val(c, self[p->opts.event[i]]);
	for (uint32_t k = 0; k < p->opts.n_metrics; k++)
		as_csv_number(c, metric(p, k, self));
	as_csv_end(c);
}

static void csv_row(const struct as_parts *p, struct as_csv *c, uint32_t r)
{
	uint64_t n;

	for (int f = 0; f < FIELDS; f++) {
		if (is_text((enum field)f))
			as_csv_text(c, text_of(p, r, (enum field)f));
		else if (number_of(p, r, (enum field)f, &n))
			as_csv_val(c, (as_val)n);
		else
			as_csv_empty(c);
	}
	csv_costs(p, c, self_of(p, r));
}

void as_parts_csv(const struct as_parts *p, struct as_out *out)
{
	size_t n = p->n_all - p->n_rows;
	struct as_csv c;
	char text[64];

	as_csv_init(&c, out);
	for (int f = 0; f < FIELDS; f++)
		as_csv_text(&c, as_slice_of(field_name[f]));
	for (uint32_t i = 0; i < p->opts.n_events; i++)
		as_csv_text2(
			&c, "self", as_str_get(p->prof, p->prof->event.p[p->opts.event[i]].name));
	for (uint32_t k = 0; k < p->opts.n_metrics; k++)
		as_csv_text2(&c, "self", p->opts.metric[k].name);
	as_csv_end(&c);
	for (size_t i = 0; i < p->n_rows; i++)
		csv_row(p, &c, p->row[i]);
	if (!n)
		return;
	snprintf(text, sizeof(text), "[%zu more rows]", n);
	as_csv_text(&c, as_slice_of(text));
	for (int f = 1; f < FIELDS; f++)
		as_csv_empty(&c);
	csv_costs(p, &c, p->rest);
}
