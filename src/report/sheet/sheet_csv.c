/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sheet/sheet_impl.h"

void as_sheet_csv_head(struct as_sheet *s, const struct as_column *c)
{
	static const char *const func[] = {"function", "file", "object", "address"};
	struct as_csv *csv = &s->csv;

	if (c->kind == AS_COL_FUNC)
		for (size_t i = 0; i < AS_ARRAY_LEN(func); i++)
			as_csv_text(csv, as_slice_of(func[i]));
	else if (c->kind == AS_COL_COSTS)
		for (uint32_t i = 0; i < s->opts->n_events; i++)
			as_csv_text2(csv, c->key, as_event_name(s->prof, s->opts->event[i]));
	else if (c->kind == AS_COL_FIGURES)
		as_figures_csv_head(s);
	else if (c->kind != AS_COL_METRICS)
		as_csv_text(csv, as_slice_of(c->key));
	for (uint32_t k = 0; c->kind == AS_COL_METRICS && k < s->n_metrics; k++)
		as_csv_text2(csv, s->metric_incl ? "inclusive" : "self", s->metric[k].name);
}

static void csv_func(struct as_csv *c, const struct as_sheet_cell *cell)
{
	bool known = cell && cell->known;
	const struct as_view_func *f = known ? &cell->func : NULL;
	struct as_slice none = as_slice_of("");

	as_csv_text(c, known ? f->name : cell ? cell->text : none);
	as_csv_text(c, known ? as_file_path(f->prof, f->key->file) : none);
	as_csv_text(c, known ? as_object_path(f->prof, f->key->object) : none);
	if (known && as_view_has_address(*f))
		as_csv_addr(c, f->key->addr);
	else
		as_csv_empty(c);
}

static void csv_costs(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	for (uint32_t i = 0; i < s->opts->n_events; i++) {
		if (cell && cell->costs)
			as_csv_val(&s->csv, cell->costs[s->opts->event[i]]);
		else
			as_csv_empty(&s->csv);
	}
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
		csv_costs(s, cell);
		break;
	case AS_COL_FUNC:
		csv_func(csv, cell);
		break;
	case AS_COL_METRICS:
		csv_metrics(s, cell);
		break;
	case AS_COL_FIGURES:
		as_figures_csv(s, cell);
		break;
	case AS_COL_BOOL:
		as_csv_text(csv, as_slice_of(!known ? "" : cell->n ? "yes" : "no"));
		break;
	case AS_COL_TEXT:
	case AS_COL_WORD:
	case AS_COL_NAME:
	case AS_COL_PLACE:
		as_csv_text(csv, cell ? cell->text : as_slice_of(""));
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
