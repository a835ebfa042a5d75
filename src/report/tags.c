/* SPDX-License-Identifier: Apache-2.0 */
#include "report/tags.h"

enum { LABEL, VALUE, NUMBER, UNIT, MORE, KIND, SELF };

static const struct as_column columns[] = {
	{AS_COL_COSTS, AS_IN_TEXT, SELF, ""},
	{AS_COL_TEXT, AS_IN_ALL, LABEL, "label"},
	{AS_COL_TEXT, AS_IN_ALL, VALUE, "value"},
	{AS_COL_COUNT, AS_IN_JSON, NUMBER, "number"},
	{AS_COL_TEXT, AS_IN_JSON, UNIT, "unit"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "values"},
	{AS_COL_TEXT, AS_IN_CSV, KIND, "kind"},
	{AS_COL_COSTS, AS_IN_DATA, SELF, "self"},
	{0},
};

static void put_value(struct as_sheet *s, const struct as_tag_table *t, uint32_t i)
{
	const struct as_tag_row *row = &t->row.p[i];
	const struct as_label *l = &t->prof->label.p[row->first];
	bool is_number = row->n == 1 && !l->text.i;

	as_sheet_text(s, VALUE, as_tag_text(t, &s->grid.arena, row));
	as_sheet_count(s, NUMBER, is_number, l->number);
	as_sheet_text_or_null(s, UNIT, is_number ? as_str_get(t->prof, l->unit) : as_slice_of(""));
	as_sheet_text(s, KIND, as_slice_of("value"));
	as_sheet_costs(s, SELF, t->cost.p + (size_t)i * as_n_events(t->prof));
	as_sheet_row(s, NULL);
}

/* What is no value: the rest and what has no such label, which JSON always has. NAME is text's. */
static void put_other(
	struct as_sheet *s, const char *kind, struct as_slice name, const as_val *cost, bool any)
{
	if (!as_sheet_is(s, AS_FORM_JSON) && !any)
		return;
	if (as_sheet_is(s, AS_FORM_TEXT))
		as_sheet_text(s, VALUE, name);
	as_sheet_text(s, KIND, as_slice_of(kind));
	as_sheet_costs(s, SELF, cost);
	as_sheet_row(s, kind);
}

/* Text has only the costs of one event. */
static bool has_cost(const struct as_sheet *s, const as_val *cost)
{
	if (as_sheet_is(s, AS_FORM_TEXT))
		return cost[s->event] != 0;
	for (uint32_t k = 0; k < as_n_events(s->prof); k++)
		if (cost[k])
			return true;
	return false;
}

static void put_filtered_out(struct as_sheet *s)
{
	as_val *left = as_sheet_filtered_out(s);

	if (left && left[s->event] && as_sheet_is(s, AS_FORM_TEXT)) {
		as_sheet_text(s, VALUE, as_slice_of("[filtered out]"));
		as_sheet_costs(s, SELF, left);
		as_sheet_row(s, NULL);
	}
}

static void put_key(
	struct as_sheet *s, const struct as_tags_report *r, const struct as_tag_key *key)
{
	const struct as_tag_table *t = r->table;
	const uint32_t *row = t->order.p + key->first;
	uint32_t shown = (uint32_t)as_sheet_limit(r->limit, key->n), more = key->n - shown;
	const as_val *none = t->cost.p + key->none;
	as_val *rest = as_sheet_sum(s);

	as_sheet_text(s, LABEL, as_str_get(r->prof, key->name));
	as_sheet_group(s);
	as_sheet_list(s, "values");
	for (uint32_t i = 0; i < shown; i++)
		put_value(s, t, row[i]);
	as_sheet_list_end(s);
	for (uint32_t i = shown; i < key->n; i++)
		as_sheet_add(s, rest, t->cost.p + (size_t)row[i] * as_n_events(r->prof));
	as_sheet_count(s, MORE, true, more);
	put_other(s, "rest", as_arena_printf(&s->grid.arena, "[%" PRIu32 " more]", more), rest,
		more > 0);
	put_other(s, "none", as_slice_of("[none]"), none, has_cost(s, none));
	put_filtered_out(s);
	as_sheet_group_end(s);
}

enum as_code as_tags_print(const struct as_tags_report *r, const struct as_sheet_to *to)
{
	struct as_sheet s;

	if (to->form == AS_FORM_TEXT && (!r->opts->n_events || !r->table->key.n))
		return AS_OK;
	as_sheet_init(&s, to, r->prof, r->opts, columns);
	as_sheet_begin(&s, "assay.tags/1", NULL);
	as_sheet_rows(&s, "labels");
	for (size_t i = 0; i < r->table->key.n; i++)
		put_key(&s, r, &r->table->key.p[i]);
	as_sheet_list_end(&s);
	return as_sheet_finish(&s);
}
