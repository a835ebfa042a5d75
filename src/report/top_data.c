/* SPDX-License-Identifier: Apache-2.0 */
/* `assay top` for programs: all events, as counts. */
#include "report/kit/show.h"
#include "report/sheet/sheet.h"
#include "report/top.h"

enum {
	FUNCTION,
	NAME,
	FILE_PATH,
	LINE,
	OBJECT,
	ADDRESS,
	SELF,
	INCL,
	MOST,
	METRICS,
	CALLS,
	AGAIN,
	MORE
};

static const struct as_column columns[] = {
	{AS_COL_NAME, AS_IN_JSON, FUNCTION, "function"},
	{AS_COL_NAME, AS_IN_CSV, NAME, "function"},
	{AS_COL_NAME, AS_IN_DATA, FILE_PATH, "file"},
	{AS_COL_ID, AS_IN_DATA, LINE, "line"},
	{AS_COL_NAME, AS_IN_DATA, OBJECT, "object"},
	{AS_COL_ADDR, AS_IN_DATA, ADDRESS, "address"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "rows"},
	{AS_COL_COSTS, AS_IN_DATA, SELF, "self"},
	{AS_COL_COSTS, AS_IN_DATA, INCL, "inclusive"},
	{AS_COL_COSTS, AS_IN_JSON, MOST, "inclusive_at_most"},
	{AS_COL_METRICS, AS_IN_JSON, METRICS, "metrics"},
	{AS_COL_METRICS, AS_IN_CSV, METRICS, NULL},
	{AS_COL_COUNT, AS_IN_DATA, CALLS, "calls"},
	{AS_COL_BOOL, AS_IN_JSON, AGAIN, "recursive"},
	{0},
};

/* Of code without a name its place, as text has it; "" by what has no functions. */
static struct as_slice name_of(
	const struct as_top *top, uint32_t row, struct as_row_key rk, struct as_arena *ar)
{
	const struct as_key *key = &top->table->key[row];
	enum as_by by = top->table->by;

	if (rk.function.len || by == AS_BY_FILE || by == AS_BY_OBJECT)
		return rk.function.p ? rk.function : as_slice_of("");
	return as_show_func(ar, top->prof, rk.function, key->object,
		by == AS_BY_LINE ? top->prof->func.addr.p[key->func.i] : key->addr);
}

static void put_row(
	struct as_sheet *s, const struct as_top *top, uint32_t row, struct as_number *metric)
{
	const struct as_table *t = top->table;
	struct as_row_key rk = as_top_key(top, row);
	size_t at = (size_t)row * t->n_events;

	if (as_sheet_is(s, AS_FORM_CSV))
		as_sheet_text(s, NAME, name_of(top, row, rk, &s->grid.arena));
	as_sheet_text_or_null(s, FUNCTION, rk.function);
	as_sheet_text_or_null(s, FILE_PATH, rk.file);
	as_sheet_count(s, LINE, rk.line != 0, (as_val)rk.line);
	as_sheet_text_or_null(s, OBJECT, rk.object);
	as_sheet_count(s, ADDRESS, rk.has_addr, (as_val)rk.addr);
	as_sheet_costs(s, SELF, t->self + at);
	as_sheet_costs(s, INCL, t->has_incl[row] ? t->incl + at : NULL);
	if (as_table_most(t, row))
		as_sheet_costs(s, MOST, as_table_most(t, row));
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		metric[k] = as_top_metric(top, row, k);
	as_sheet_metrics(s, METRICS, metric);
	as_sheet_count(s, CALLS, t->has_calls[row], t->calls[row]);
	as_sheet_count(s, AGAIN, true, t->recursive[row]);
	as_sheet_row(s, NULL);
}

/* What JSON has below its rows. */
static void put_last(struct as_sheet *s, struct as_top *top, struct as_number *metric)
{
	struct as_json *j = &s->json;

	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		metric[k] = as_top_rest_metric(top, k);
	as_sheet_count(s, MORE, true, (as_val)top->n_rest);
	as_sheet_costs(s, SELF, top->rest_all);
	as_sheet_metrics(s, METRICS, metric);
	as_sheet_row(s, "rest");
	if (!top->no_cycles)
		as_top_cycles_json(top, j);
	if (!top->found)
		return;
	as_json_u64(j, "found", top->found->n);
	as_json_u64(j, "all", top->found->all);
	as_json_vals(j, "found_self", top->found->self, top->n_events);
	as_json_u64(j, "above", top->found->above);
}

enum as_code as_top_data(struct as_top *top, const struct as_sheet_to *to)
{
	const struct as_view_opts opts = {.event = top->event,
		.n_events = top->n_events,
		.files = top->opts.files,
		.n_files = top->opts.n_files};
	const struct as_top_opts *o = &top->opts;
	struct as_number *metric;
	struct as_sheet s;

	as_sheet_init(&s, to, top->prof, &opts, columns);
	metric = as_sheet_with_metrics(&s, o->metric, o->n_metrics, o->metric_incl);
	as_sheet_begin(&s, "assay.top/1", NULL);
	as_sheet_word(&s, "by", as_slice_of(as_by_text(top->table->by)));
	as_sheet_rows(&s, "rows");
	for (size_t i = 0; metric && i < top->n_rows; i++)
		put_row(&s, top, top->row[i], metric);
	as_sheet_list_end(&s);
	if (metric && to->form == AS_FORM_JSON)
		put_last(&s, top, metric);
	return as_sheet_finish(&s);
}
