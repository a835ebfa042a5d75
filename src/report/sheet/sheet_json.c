/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sheet/sheet_impl.h"

static void json_no_func(struct as_json *j)
{
	static const char *const key[] = {"function", "file", "object", "address"};

	for (size_t i = 0; i < AS_ARRAY_LEN(key); i++)
		as_json_null(j, key[i]);
}

void as_sheet_json_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell)
{
	struct as_json *j = &s->json;

	if (c->kind == AS_COL_FUNC && cell->known)
		as_view_json_func(j, cell->func);
	else if (c->kind == AS_COL_FUNC)
		json_no_func(j);
	else if (!cell->known)
		as_json_null(j, c->key);
	else if (c->kind == AS_COL_COUNT)
		as_json_val(j, c->key, cell->n);
	else if (c->kind == AS_COL_TEXT)
		as_json_text(j, c->key, cell->text);
	else if (c->kind == AS_COL_BOOL)
		as_json_bool(j, c->key, cell->n != 0);
	else if (c->kind == AS_COL_COSTS)
		as_view_json_vals(j, c->key, s->opts, cell->costs);
}
