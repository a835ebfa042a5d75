/* SPDX-License-Identifier: Apache-2.0 */
/* `assay top` as CSV: all events, as counts. */
#include "report/csv.h"
#include "report/top.h"

static void csv_head(const struct as_top *top, struct as_csv *c)
{
	static const char *const key[] = {"function", "file", "line", "object", "address"};

	for (size_t i = 0; i < AS_ARRAY_LEN(key); i++)
		as_csv_text(c, as_slice_of(key[i]));
	for (uint32_t i = 0; i < top->n_events; i++)
		as_csv_text2(c, "self", as_event_name(top->prof, top->event[i]));
	for (uint32_t i = 0; i < top->n_events; i++)
		as_csv_text2(c, "inclusive", as_event_name(top->prof, top->event[i]));
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		as_csv_text2(
			c, top->opts.metric_incl ? "inclusive" : "self", top->opts.metric[k].name);
	as_csv_text(c, as_slice_of("calls"));
	as_csv_end(c);
}

static void csv_row(const struct as_top *top, struct as_csv *c, uint32_t row)
{
	const struct as_table *table = top->table;
	struct as_row_key rk = as_top_key(top, row);

	as_csv_text(c, rk.function);
	as_csv_text(c, rk.file);
	if (rk.line)
		as_csv_val(c, (as_val)rk.line);
	else
		as_csv_empty(c);
	as_csv_text(c, rk.object);
	if (rk.has_addr)
		as_csv_addr(c, rk.addr);
	else
		as_csv_empty(c);
	for (uint32_t i = 0; i < top->n_events; i++)
		as_csv_val(c, as_top_self(top, row, top->event[i]));
	for (uint32_t i = 0; i < top->n_events; i++) {
		if (table->has_incl[row])
			as_csv_val(c, as_top_incl(top, row, top->event[i]));
		else
			as_csv_empty(c);
	}
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		as_csv_number(c, as_top_metric(top, row, k));
	if (table->has_calls[row])
		as_csv_val(c, table->calls[row]);
	else
		as_csv_empty(c);
	as_csv_end(c);
}

static void csv_rest(const struct as_top *top, struct as_csv *c)
{
	char text[64];

	snprintf(text, sizeof(text), "[%" PRIu64 " more rows]", top->n_rest);
	as_csv_text(c, as_slice_of(text));
	for (int i = 0; i < 4; i++)
		as_csv_empty(c);
	for (uint32_t i = 0; i < top->n_events; i++)
		as_csv_val(c, top->rest_self[i]);
	for (uint32_t i = 0; i < top->n_events; i++)
		as_csv_empty(c);
	for (uint32_t k = 0; k < top->opts.n_metrics; k++)
		as_csv_number(c, as_top_rest_metric(top, k));
	as_csv_empty(c);
	as_csv_end(c);
}

void as_top_csv(const struct as_top *top, struct as_out *out)
{
	struct as_csv c;

	as_csv_init(&c, out);
	csv_head(top, &c);
	for (size_t i = 0; i < top->n_rows; i++)
		csv_row(top, &c, top->row[i]);
	if (top->n_rest)
		csv_rest(top, &c);
}
