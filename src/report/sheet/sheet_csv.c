/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sheet/sheet_impl.h"

void as_sheet_csv_head(struct as_sheet *s, const struct as_column *c)
{
	if (c->kind == AS_COL_FUNC)
		as_view_csv_func_head(&s->csv);
	else if (c->kind == AS_COL_COSTS)
		as_view_csv_heads(&s->csv, s->prof, s->opts, c->key);
	else if (c->kind != AS_COL_METRICS)
		as_csv_text(&s->csv, as_slice_of(c->key));
	for (uint32_t k = 0; c->kind == AS_COL_METRICS && k < s->n_metrics; k++)
		as_csv_text2(&s->csv, s->metric_incl ? "inclusive" : "self", s->metric[k].name);
}

static void csv_func(struct as_csv *c, const struct as_sheet_cell *cell)
{
	if (cell && cell->known) {
		as_view_csv_func(c, cell->func);
		return;
	}
	as_csv_text(c, cell ? cell->text : as_slice_of(""));
	for (int i = 0; i < 3; i++)
		as_csv_empty(c);
}

static void csv_metrics(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	for (uint32_t k = 0; k < s->n_metrics; k++)
		as_csv_number(
			&s->csv, cell && cell->metrics ? cell->metrics[k] : (struct as_number){0});
}

void as_sheet_csv_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell)
{
	struct as_csv *csv = &s->csv;
	bool known = cell && cell->known;

	switch (c->kind) {
	case AS_COL_COSTS:
		as_view_csv_vals(csv, s->opts, cell ? cell->costs : NULL);
		break;
	case AS_COL_FUNC:
		csv_func(csv, cell);
		break;
	case AS_COL_METRICS:
		csv_metrics(s, cell);
		break;
	case AS_COL_TEXT:
	case AS_COL_NAME:
		as_csv_text(csv, known ? cell->text : as_slice_of(""));
		break;
	default:
		if (!known)
			as_csv_empty(csv);
		else if (c->kind == AS_COL_ADDR)
			as_csv_addr(csv, (uint64_t)cell->n);
		else
			as_csv_val(csv, cell->n);
		break;
	}
}
