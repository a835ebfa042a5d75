/* SPDX-License-Identifier: Apache-2.0 */
#include "report/parts.h"

#include "model/whose.h"

/* Whether the row is of what says nothing of itself. */
static bool parts_is_nobody(const struct as_parts *p, uint32_t row)
{
	struct as_whose w = as_part_whose(p->prof, p->table.row.p[row].part);

	switch (p->how.by) {
	case AS_BY_PART:
		return false;
	case AS_BY_THREAD:
		return !w.has_pid && !w.has_tid && !w.thread.len;
	case AS_BY_PROCESS:
		return !w.has_pid && !w.process.len;
	default:
		return !p->table.row.p[row].n_labels;
	}
}

/* Formats that have labels make a part for the samples without any, before they know whether there
 * are such: it is no row if it has no cost. */
static bool parts_is_idle(const struct as_parts *p, uint32_t row)
{
	if (!parts_is_nobody(p, row) || p->table.row.n == 1)
		return false;
	for (size_t k = 0; k < as_n_events(p->prof); k++)
		if (as_label_self(&p->table, row)[k])
			return false;
	return true;
}

enum as_code as_parts_make(struct as_parts *p, const struct as_profile *prof,
	const struct as_label_how *how, const struct as_top_opts *opts, struct as_err *err)
{
	size_t n;

	*p = (struct as_parts){.prof = prof, .how = *how, .opts = *opts};
	AS_TRY(as_label_table_make(&p->table, prof, how, err));
	n = p->table.row.n;
	if (!as_arena_array(&p->table.labels, &p->row, n) ||
		!as_label_table_sort(&p->table, opts->view.sort_event, p->row))
		return as_err_no_memory(err);
	for (size_t i = 0; i < n; i++)
		if (!parts_is_idle(p, p->row[i]))
			p->row[p->n_all++] = p->row[i];
	p->n_rows = as_sheet_limit(opts->limit, p->n_all);
	return AS_OK;
}

void as_parts_release(struct as_parts *p)
{
	as_label_table_release(&p->table);
}

enum as_code as_parts_over(
	struct as_parts *p, uint64_t width, bool clock, struct as_over *over, struct as_err *err)
{
	size_t n = p->prof->part.n;
	struct as_over_ask ask = {.event = p->opts.view.event[0],
		.width = width,
		.clock = clock,
		.n_rows = (uint32_t)p->n_rows};
	uint32_t *of_part, *of_row;

	if (!as_arena_array(&p->table.labels, &of_part, n) ||
		!as_arena_array(&p->table.labels, &of_row, p->table.row.n))
		return as_err_no_memory(err);
	for (size_t i = 0; i < p->table.row.n; i++)
		of_row[i] = ask.n_rows;
	for (uint32_t i = 0; i < p->n_rows; i++)
		of_row[p->row[i]] = i;
	for (size_t i = 0; i < n; i++)
		of_part[i] = of_row[p->table.row_of[i]];
	ask.of_part = of_part;
	p->over = over;
	return as_over_make(over, p->prof, &ask, err);
}

/* ---- what is known of a row ---- */

/* Slots: what is known of a row, and what it costs. */
enum field { NUMBER, PID, TID, THREAD, COMMAND, INPUT, LABEL, PROCESS, PARTS, FIELDS };
enum { LABELS = FIELDS, MORE, SELF, METRICS, OVER_LINE, OVER, TIMELESS };

enum { KEY_COLUMN = 11 };

static const struct as_over_slots over_slots = {OVER_LINE, METRICS, OVER, TIMELESS};

/* In text a column of one key's labels has that name. */
static const struct as_column columns[] = {
	{AS_COL_COSTS, AS_IN_TEXT, SELF, "self"},
	{AS_COL_OTHERS, AS_IN_TEXT, SELF, "self"},
	{AS_COL_WORD, AS_IN_TEXT, OVER_LINE, "over time"},
	{AS_COL_METRICS, AS_IN_TEXT, METRICS, "self"},
	{AS_COL_ID, AS_IN_ALL, NUMBER, "part"},
	{AS_COL_ID, AS_IN_ALL, PID, "pid"},
	{AS_COL_ID, AS_IN_ALL, TID, "tid"},
	{AS_COL_NAME, AS_IN_ALL, THREAD, "thread"},
	{AS_COL_NAME, AS_IN_ALL, COMMAND, "command"},
	{AS_COL_NAME, AS_IN_ALL, INPUT, "input"},
	{AS_COL_LIST, AS_IN_JSON, LABELS, "labels"},
	[KEY_COLUMN] = {AS_COL_NAME, AS_IN_TEXT, LABEL, "label"},
	{AS_COL_NAME, AS_IN_CSV, LABEL, "label"},
	{AS_COL_NAME, AS_IN_ALL, PROCESS, "process"},
	{AS_COL_ID, AS_IN_ALL, PARTS, "parts"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "rows"},
	{AS_COL_COSTS, AS_IN_DATA, SELF, "self"},
	{AS_COL_METRICS, AS_IN_CSV, METRICS, "self"},
	{AS_COL_METRICS, AS_IN_JSON, METRICS, "metrics"},
	{AS_COL_LIST, AS_IN_JSON, OVER, "over"},
	{AS_COL_COUNT, AS_IN_JSON, TIMELESS, "no_time"},
	{0},
};

/* Whether F is one of what a row is. */
static bool parts_belongs(const struct as_parts *p, enum field f)
{
	switch (p->how.by) {
	case AS_BY_PART:
		return f != PARTS && f != PROCESS;
	case AS_BY_THREAD:
		return f != NUMBER && f != LABEL && f != PROCESS;
	case AS_BY_PROCESS:
		return f == PROCESS || f == PARTS;
	case AS_BY_LABEL:
	case AS_BY_VALUE:
		break;
	}
	return f == LABEL;
}

static bool parts_is_text(enum field f)
{
	return f == THREAD || f == COMMAND || f == INPUT || f == LABEL || f == PROCESS;
}

/* The label number I of a row; NULL: there are no more. */
static const struct as_label *parts_label_of(const struct as_parts *p, uint32_t row, uint32_t i)
{
	const struct as_label_row *r = &p->table.row.p[row];

	return i < r->n_labels ? &r->label[i] : NULL;
}

static struct as_slice parts_text_of(
	const struct as_parts *p, struct as_arena *ar, uint32_t row, enum field f)
{
	const struct as_part *part = &p->prof->part.p[p->table.row.p[row].part];
	const struct as_whose whose = as_part_whose(p->prof, p->table.row.p[row].part);

	if (f == LABEL)
		return as_label_row_text(&p->table, ar, row);
	if (f == THREAD)
		return whose.thread;
	if (f == PROCESS && (whose.process.len || !whose.has_pid || !ar))
		return whose.process;
	if (f == PROCESS)
		return as_arena_printf(ar, "%" PRIu64, whose.pid);
	return as_str_get(p->prof, f == COMMAND ? part->command : part->name);
}

/* False: not known, or not one for all parts of a thread. */
static bool parts_number_of(const struct as_parts *p, uint32_t row, enum field f, uint64_t *out)
{
	const struct as_label_row *r = &p->table.row.p[row];
	const struct as_part *part = &p->prof->part.p[r->part];
	const struct as_whose whose = as_part_whose(p->prof, r->part);

	const struct {
		uint64_t n;
		bool known;
	} number[] = {[NUMBER] = {part->has_number ? part->number : r->part + 1, true},
		[PID] = {whose.pid, whose.has_pid},
		[TID] = {whose.tid, whose.has_tid},
		[PARTS] = {r->n_parts, true}};

	*out = number[f].n;
	return number[f].known;
}

/* Whether F tells anything of the shown rows. */
static bool parts_tells(const struct as_parts *p, enum field f)
{
	uint64_t v;

	if (!parts_belongs(p, f) || (p->how.by == AS_BY_THREAD && f == INPUT))
		return false;
	for (size_t i = 0; i < p->n_rows; i++)
		if (f == LABEL             ? parts_label_of(p, p->row[i], 0) != NULL
			: parts_is_text(f) ? parts_text_of(p, NULL, p->row[i], f).len > 0
					   : parts_number_of(p, p->row[i], f, &v))
			return true;
	return p->how.by == AS_BY_LABEL || (p->how.by == AS_BY_PROCESS && f == PROCESS);
}

/* ---- the sheet ---- */

struct printer {
	struct as_sheet sheet;
	const struct as_parts *p;
	bool shown[FIELDS];
	struct as_number *metric; /* of the row */
	struct as_over_view over;
};

/* Text has what tells anything; JSON and CSV what a row by this may have. */
static bool parts_is_shown(const struct printer *x, enum field f)
{
	if (as_sheet_is(&x->sheet, AS_FORM_TEXT))
		return parts_tells(x->p, f);
	return x->p->how.by >= AS_BY_LABEL || f == LABEL || f == PROCESS ? parts_belongs(x->p, f)
									 : true;
}

static void parts_put_labels(const void *ctx, struct as_json *j, as_val row)
{
	const struct as_parts *p = ctx;
	const struct as_label *l;

	for (uint32_t i = 0; (l = parts_label_of(p, (uint32_t)row, i)) != NULL; i++) {
		as_json_object(j, NULL);
		as_json_text(j, "key", as_str_get(p->prof, l->key));
		if (l->text.i)
			as_json_text(j, "value", as_str_get(p->prof, l->text));
		else
			as_json_val(j, "value", l->number);
		as_json_text_or_null(j, "unit", as_str_get(p->prof, l->unit));
		as_json_object_end(j);
	}
}

static void parts_fill_costs(struct printer *x, const as_val *self)
{
	const struct as_parts *p = x->p;

	for (uint32_t k = 0; self && x->metric && k < p->opts.n_metrics; k++)
		x->metric[k] = as_metric_value(
			&p->opts.metric[k], &(struct as_metric_row){self, p->prof->total, NULL});
	as_sheet_costs(&x->sheet, SELF, self);
	if (!p->over)
		as_sheet_metrics(&x->sheet, METRICS, x->metric);
}

static void parts_fill_label(struct printer *x, uint32_t row)
{
	struct as_sheet *s = &x->sheet;

	if (as_sheet_is(s, AS_FORM_JSON))
		as_sheet_list_of(s, LABELS, parts_put_labels, x->p, row);
	else if (as_sheet_is(s, AS_FORM_TEXT) && !parts_label_of(x->p, row, 0))
		as_sheet_text(s, LABEL, as_slice_of("[no label]"));
	else
		as_sheet_text(s, LABEL, parts_text_of(x->p, &s->grid.arena, row, LABEL));
}

static void parts_put_row(struct printer *x, size_t i)
{
	uint32_t row = x->p->row[i];
	struct as_sheet *s = &x->sheet;
	uint64_t n = 0;
	bool known;

	for (enum field f = 0; f < FIELDS; f++) {
		if (!x->shown[f])
			continue;
		if (f == LABEL) {
			parts_fill_label(x, row);
		} else if (f == PROCESS && as_sheet_is(s, AS_FORM_TEXT) &&
			   parts_is_nobody(x->p, row)) {
			as_sheet_text(s, f, as_slice_of("[no process]"));
		} else if (parts_is_text(f)) {
			as_sheet_text_or_null(s, f, parts_text_of(x->p, &s->grid.arena, row, f));
		} else {
			known = parts_belongs(x->p, f) && parts_number_of(x->p, row, f, &n);
			as_sheet_count(s, f, known, (as_val)n);
		}
	}
	parts_fill_costs(x, as_label_self(&x->p->table, row));
	as_over_view_row(&x->over, s, &over_slots, (uint32_t)i);
	as_sheet_row(s, NULL);
}

/* The rows that are not shown, and what filters left out. */
static void parts_put_last(struct printer *x)
{
	const struct as_parts *p = x->p;
	struct as_sheet *s = &x->sheet;
	size_t n = p->n_all - p->n_rows;
	as_val *rest = as_sheet_sum(s);
	bool text = as_sheet_is(s, AS_FORM_TEXT), any = false;
	unsigned name = 0; /* of sums text has it in the first of the fields */
	const as_val *out = text ? as_sheet_filtered_out(s) : NULL;

	as_assert(p->n_rows <= p->n_all);
	if (as_sheet_is(s, AS_FORM_CSV))
		return;
	for (size_t i = p->n_rows; i < p->n_all; i++)
		as_sheet_add(s, rest, as_label_self(&p->table, p->row[i]));
	while (name < FIELDS - 1 && !x->shown[name])
		name++;
	if (!text || n) {
		as_over_view_row(&x->over, s, &over_slots, (uint32_t)p->n_rows);
		parts_fill_costs(x, rest);
	}
	as_sheet_rest(s, (struct as_sheet_rest){MORE, SELF, name}, n, " row{|s}", rest);
	for (size_t k = 0; out && k < as_n_events(p->prof); k++)
		any |= out[k] != 0;
	if (any) {
		as_sheet_title(s, name, as_slice_of("[filtered out]"));
		parts_fill_costs(x, out);
		as_sheet_row(s, NULL);
	}
}

static void parts_put_sheet(struct printer *x, const struct as_parts *p)
{
	static const char *const by[] = {[AS_BY_PART] = "part",
		[AS_BY_THREAD] = "thread",
		[AS_BY_LABEL] = "label",
		[AS_BY_PROCESS] = "process"};
	struct as_sheet *s = &x->sheet;

	as_assert((size_t)p->how.by < AS_ARRAY_LEN(by) && by[p->how.by]);
	for (enum field f = 0; f < FIELDS; f++) {
		x->shown[f] = parts_is_shown(x, f);
		as_sheet_hide(s, AS_IN_ALL, f, !x->shown[f]);
	}
	as_sheet_hide(s, AS_IN_TEXT, OVER_LINE, !p->over);
	as_sheet_begin(s, "assay.parts/1", NULL);
	as_sheet_word(s, "by", as_slice_of(by[p->how.by]));
	if (p->how.by == AS_BY_LABEL)
		as_sheet_word(s, "key", p->how.key);
	as_over_view_json(&x->over, s);
	as_sheet_rows(s, "rows");
	for (size_t i = 0; i < p->n_rows; i++)
		parts_put_row(x, i);
	as_sheet_list_end(s);
	parts_put_last(x);
}

enum as_code as_parts_print(const struct as_parts *p, const struct as_sheet_to *to)
{
	struct as_view_opts view = p->opts.view;
	struct as_column column[AS_ARRAY_LEN(columns)];
	struct printer x = {.p = p};
	enum as_code rc;

	memcpy(column, columns, sizeof(columns));
	view.sort_event = view.n_events ? view.event[0] : 0;
	as_sheet_init(&x.sheet, to, p->prof, &view, column);
	as_sheet_units(&x.sheet, p->opts.unit);
	x.metric = as_sheet_with_metrics(&x.sheet, p->opts.metric, p->opts.n_metrics, false);
	as_over_view_begin(&x.over, &x.sheet, p->over);
	if (p->how.key.p)
		column[KEY_COLUMN].key = as_sheet_heading(&x.sheet, p->how.key);
	parts_put_sheet(&x, p);
	rc = as_sheet_finish(&x.sheet);
	AS_THEN(rc, as_over_view_note(&x.over, to));
	return rc;
}
