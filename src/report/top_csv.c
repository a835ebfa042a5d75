/* SPDX-License-Identifier: Apache-2.0 */
/* `assay top` as CSV: all events, as counts. */
#include "report/kit/csv.h"
#include "report/kit/show.h"
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

static bool csv_row(const struct as_top *top, struct as_csv *c, uint32_t row, struct as_arena *ar)
{
	const struct as_table *table = top->table;
	struct as_row_key rk = as_top_key(top, row);
	struct as_slice name = name_of(top, row, rk, ar);

	as_csv_text(c, name);
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
	return name.p != NULL;
}

enum as_code as_top_csv(const struct as_top *top, struct as_out *out)
{
	struct as_csv c;
	struct as_arena ar;
	bool fine = true;

	as_arena_init(&ar, top->prof->al);
	as_csv_init(&c, out);
	csv_head(top, &c);
	for (size_t i = 0; i < top->n_rows; i++)
		fine &= csv_row(top, &c, top->row[i], &ar);
	as_arena_release(&ar);
	return fine ? AS_OK : AS_E_NOMEM;
}
