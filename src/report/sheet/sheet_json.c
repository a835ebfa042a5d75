/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sheet/sheet_impl.h"

static void json_number(struct as_json *j, const char *key, struct as_number n)
{
	if (!n.known)
		as_json_null(j, key);
	else if (n.whole)
		as_json_val(j, key, n.n);
	else
		as_json_double(j, key, n.x);
}

static void json_array(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell)
{
	as_json_array(&s->json, c->key);
	if (c->kind == AS_COL_LIST)
		cell->list(cell->ctx, &s->json, cell->n);
	for (uint32_t i = 0; c->kind == AS_COL_COSTS && i < s->opts->n_events; i++)
		as_json_val(&s->json, NULL, cell->costs[s->opts->event[i]]);
	for (uint32_t k = 0; c->kind == AS_COL_METRICS && k < s->n_metrics; k++)
		json_number(&s->json, NULL, cell->metrics[k]);
	as_json_array_end(&s->json);
}

void as_sheet_json_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell)
{
	static const char *const func[] = {"function", "file", "object", "address"};
	struct as_json *j = &s->json;

	if (c->kind == AS_COL_FUNC && cell->known)
		as_view_json_func(j, cell->func);
	else if (c->kind == AS_COL_FUNC)
		for (size_t i = 0; i < AS_ARRAY_LEN(func); i++)
			as_json_null(j, func[i]);
	else if (c->kind == AS_COL_FIGURES)
		as_figures_json(s, cell);
	else if (!cell->known)
		as_json_null(j, c->key);
	else if (c->kind == AS_COL_COUNT || c->kind == AS_COL_ID)
		as_json_val(j, c->key, cell->n);
	else if (c->kind == AS_COL_NUMBER)
		json_number(j, c->key, cell->number);
	else if (as_column_is_text(c->kind))
		as_json_text(j, c->key, cell->text);
	else if (c->kind == AS_COL_ADDR)
		as_json_addr(j, c->key, (uint64_t)cell->n);
	else if (c->kind == AS_COL_BOOL)
		as_json_bool(j, c->key, cell->n != 0);
	else
		json_array(s, c, cell);
}
