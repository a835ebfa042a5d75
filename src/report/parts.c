/* SPDX-License-Identifier: Apache-2.0 */
#include "report/parts.h"

#include "report/kit/csv.h"
#include "report/kit/grid.h"
#include "report/kit/head_json.h"
#include "report/kit/show.h"
#include "report/kit/unit.h"

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

/* Formats that have labels make a part for the samples without any, before they know whether there
 * are such: it is no row if it has no cost. */
static bool is_idle(const struct as_parts *p, uint32_t row)
{
	if (p->opts.how.by != AS_BY_LABEL || p->table.row[row].n_labels || p->table.n == 1)
		return false;
	for (size_t k = 0; k < n_events(p); k++)
		if (self_of(p, row)[k])
			return false;
	return true;
}

static void drop_idle(struct as_parts *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_all; i++)
		if (!is_idle(p, p->row[i]))
			p->row[n++] = p->row[i];
	p->n_all = n;
}

enum as_code as_parts_make(struct as_parts *p, const struct as_profile *prof,
	const struct as_parts_opts *opts, struct as_err *err)
{
	size_t e = as_n_events(prof);

	*p = (struct as_parts){.prof = prof, .opts = *opts};
	AS_TRY(as_part_table_make(&p->table, prof, &opts->how, err));
	p->n_all = p->table.n;
	p->row = as_arena_get(&p->table.arena, (p->n_all + 1) * sizeof(*p->row));
	p->rest = as_arena_get(&p->table.arena, (e + 1) * sizeof(*p->rest));
	if (!p->row || !p->rest || !as_part_table_sort(&p->table, prof, opts->sort_event, p->row))
		return as_err_no_memory(err);
	drop_idle(p);
	p->n_rows = opts->limit && opts->limit < p->n_all ? opts->limit : p->n_all;
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

enum field { NUMBER, PID, TID, THREAD, COMMAND, INPUT, LABEL, PARTS, FIELDS };

static const char *const field_name[FIELDS] = {
	"part", "pid", "tid", "thread", "command", "input", "label", "parts"};

/* Whether F is one of what a row is. */
static bool belongs(const struct as_parts *p, enum field f)
{
	switch (p->opts.how.by) {
	case AS_BY_PART:
		return f != PARTS;
	case AS_BY_THREAD:
		return f != NUMBER && f != LABEL;
	case AS_BY_LABEL:
		break;
	}
	return f == LABEL;
}

static bool is_text(enum field f)
{
	return f == THREAD || f == COMMAND || f == INPUT || f == LABEL;
}

/* The label number I of a row; NULL: there are no more. */
static const struct as_label *label_of(const struct as_parts *p, uint32_t row, uint32_t i)
{
	const struct as_part_row *r = &p->table.row[row];

	return i < r->n_labels ? &p->prof->label.p[p->table.label[r->first_label + i]] : NULL;
}

static struct as_slice text_of(
	const struct as_parts *p, struct as_arena *ar, uint32_t row, enum field f)
{
	const struct as_part *part = &p->prof->part.p[p->table.row[row].part];

	if (f == LABEL)
		return as_part_labels_text(&p->table, p->prof, &p->opts.how, ar, row);
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
		return true;
	case PID:
		*out = part->pid;
		return part->has_pid;
	case TID:
		*out = part->tid;
		return part->has_tid;
	default:
		*out = r->n;
		return true;
	}
}

/* Whether F tells anything of the shown rows. */
static bool is_shown(const struct as_parts *p, enum field f)
{
	uint64_t v;

	if (!belongs(p, f) || (p->opts.how.by == AS_BY_THREAD && f == INPUT))
		return false;
	for (size_t i = 0; i < p->n_rows; i++)
		if (f == LABEL       ? label_of(p, p->row[i], 0) != NULL
			: is_text(f) ? text_of(p, NULL, p->row[i], f).len > 0
				     : number_of(p, p->row[i], f, &v))
			return true;
	return p->opts.how.by == AS_BY_LABEL;
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
	as_grid_column(&v->grid, s.p ? s.p : "", false, AS_FIT_WHOLE);
}

/* A column of one key's labels has that name. */
static void field_column(struct view *v, enum field f)
{
	struct as_slice key = v->p->opts.how.key;
	struct as_slice name = f == LABEL && key.p ? as_show_clean(&v->grid.arena, key)
						   : as_slice_of(field_name[f]);

	v->grid.oom |= !name.p;
	name = as_arena_printf(&v->grid.arena, "%.*s", AS_SLICE_FMT(name));
	as_grid_column(&v->grid, name.p ? name.p : "", is_text(f), is_text(f));
}

static void columns(struct view *v)
{
	const struct as_parts *p = v->p;

	for (uint32_t i = 0; i < p->opts.n_events; i++) {
		head(v, "self", as_str_get(p->prof, p->prof->event.p[p->opts.event[i]].name));
		if (i == 0)
			as_grid_column(&v->grid, "%", false, AS_FIT_WHOLE);
	}
	for (uint32_t k = 0; k < p->opts.n_metrics; k++)
		head(v, "self", p->opts.metric[k].name);
	for (int f = 0; f < FIELDS; f++)
		if (v->shown[f])
			field_column(v, (enum field)f);
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

/* What a row without a text has instead. */
static struct as_slice nothing(enum field f)
{
	return as_slice_of(f == LABEL ? "[no label]" : "");
}

static void row(struct view *v, uint32_t r)
{
	struct as_arena *ar = &v->grid.arena;
	struct as_slice text;
	uint64_t n;

	costs(v, self_of(v->p, r));
	for (int f = 0; f < FIELDS; f++) {
		if (!v->shown[f])
			continue;
		if (is_text((enum field)f)) {
			text = text_of(v->p, ar, r, (enum field)f);
			v->grid.oom |= !text.p && f == LABEL;
			as_grid_cell(&v->grid,
				text.len ? as_show_clean(ar, text) : nothing((enum field)f));
		} else if (number_of(v->p, r, (enum field)f, &n)) {
			as_grid_cell(&v->grid, as_arena_printf(ar, "%" PRIu64, n));
		} else {
			as_grid_cell(&v->grid, as_slice_of("-"));
		}
	}
}

/* A row of sums, its name in the first of the fields. */
static void sum_row(struct view *v, const as_val *self, struct as_slice name)
{
	costs(v, self);
	for (int f = 0; f < FIELDS; f++) {
		if (!v->shown[f])
			continue;
		as_grid_cell(&v->grid, name);
		name = as_slice_of("");
	}
}

/* The rows that are not shown, and what filters left out. */
static void last_rows(struct view *v)
{
	const struct as_parts *p = v->p;
	size_t n = p->n_all - p->n_rows, e = n_events(p);
	struct as_arena *ar = &v->grid.arena;
	bool any = false;
	as_val *out;

	if (n)
		sum_row(v, p->rest,
			as_arena_printf(ar, "[%zu more %s]", n, n == 1 ? "row" : "rows"));
	if (!p->prof->whole)
		return;
	out = as_arena_get(ar, (e + 1) * sizeof(*out));
	v->grid.oom |= !out;
	for (size_t k = 0; out && k < e; k++) {
		out[k] = p->prof->whole[k] - p->prof->total[k];
		any |= out[k] != 0;
	}
	if (any)
		sum_row(v, out, as_slice_of("[filtered out]"));
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
	if (!v.grid.oom)
		last_rows(&v);
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

static void json_labels(const struct as_parts *p, struct as_json *j, uint32_t r)
{
	const struct as_label *l;

	as_json_array(j, "labels");
	for (uint32_t i = 0; (l = label_of(p, r, i)) != NULL; i++) {
		as_json_object(j, NULL);
		as_json_text(j, "key", as_str_get(p->prof, l->key));
		if (l->text.i)
			as_json_text(j, "value", as_str_get(p->prof, l->text));
		else
			as_json_val(j, "value", l->number);
		as_json_text_or_null(j, "unit", as_str_get(p->prof, l->unit));
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void json_row(const struct as_parts *p, struct as_json *j, uint32_t r)
{
	uint64_t n;

	as_json_object(j, NULL);
	for (int f = 0; f < FIELDS; f++) {
		if (f == LABEL && belongs(p, LABEL))
			json_labels(p, j, r);
		else if (f == LABEL || p->opts.how.by == AS_BY_LABEL)
			continue;
		else if (is_text((enum field)f))
			as_json_text_or_null(j, field_name[f], text_of(p, NULL, r, (enum field)f));
		else if (belongs(p, (enum field)f) && number_of(p, r, (enum field)f, &n))
			as_json_u64(j, field_name[f], n);
		else
			as_json_null(j, field_name[f]);
	}
	json_costs(p, j, self_of(p, r));
	as_json_object_end(j);
}

static const char *const by_name[] = {"part", "thread", "label"};

void as_parts_json(const struct as_parts *p, struct as_out *out)
{
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.parts/1"));
	as_json_profile(&j, p->prof, p->opts.files, p->opts.n_files);
	as_json_text(&j, "by", as_slice_of(by_name[p->opts.how.by]));
	if (p->opts.how.by == AS_BY_LABEL)
		as_json_text_or_null(&j, "key", p->opts.how.key);
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

/* Of the rows that JSON has, too. */
static bool in_csv(const struct as_parts *p, enum field f)
{
	return p->opts.how.by == AS_BY_LABEL || f == LABEL ? belongs(p, f) : true;
}

static bool csv_row(const struct as_parts *p, struct as_csv *c, struct as_arena *ar, uint32_t r)
{
	struct as_slice text;
	bool fine = true;
	uint64_t n;

	for (int f = 0; f < FIELDS; f++) {
		if (!in_csv(p, (enum field)f))
			continue;
		if (is_text((enum field)f)) {
			text = text_of(p, ar, r, (enum field)f);
			fine &= text.p || f != LABEL;
			as_csv_text(c, text);
		} else if (belongs(p, (enum field)f) && number_of(p, r, (enum field)f, &n)) {
			as_csv_val(c, (as_val)n);
		} else {
			as_csv_empty(c);
		}
	}
	csv_costs(p, c, self_of(p, r));
	return fine;
}

static void csv_head(const struct as_parts *p, struct as_csv *c)
{
	for (int f = 0; f < FIELDS; f++)
		if (in_csv(p, (enum field)f))
			as_csv_text(c, as_slice_of(field_name[f]));
	for (uint32_t i = 0; i < p->opts.n_events; i++)
		as_csv_text2(
			c, "self", as_str_get(p->prof, p->prof->event.p[p->opts.event[i]].name));
	for (uint32_t k = 0; k < p->opts.n_metrics; k++)
		as_csv_text2(c, "self", p->opts.metric[k].name);
	as_csv_end(c);
}

enum as_code as_parts_csv(const struct as_parts *p, struct as_out *out)
{
	struct as_arena ar;
	bool fine = true;
	struct as_csv c;

	as_arena_init(&ar, p->prof->al);
	as_csv_init(&c, out);
	csv_head(p, &c);
	for (size_t i = 0; i < p->n_rows; i++)
		fine &= csv_row(p, &c, &ar, p->row[i]);
	as_arena_release(&ar);
	return fine ? AS_OK : AS_E_NOMEM;
}
