/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

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

static void tags_put_value(struct as_sheet *s, const struct as_label_table *t, uint32_t i)
{
	const struct as_label_row *row = &t->row.p[i];
	const struct as_label *l = row->label;
	bool is_number = row->n_labels == 1 && !l->text.i;

	as_sheet_text(s, VALUE, as_label_row_text(t, &s->grid.arena, i));
	as_sheet_count(s, NUMBER, is_number, l->number);
	as_sheet_text_or_null(s, UNIT, is_number ? as_str_get(t->prof, l->unit) : as_slice_of(""));
	as_sheet_text(s, KIND, as_slice_of("value"));
	as_sheet_costs(s, SELF, as_label_self(t, i));
	as_sheet_row(s, NULL);
}

/* What is no value: the rest and what has no such label, which JSON always has. NAME is text's. */
static void tags_put_other(
	struct as_sheet *s, const char *kind, struct as_slice name, const as_val *cost, bool any)
{
	if (!as_sheet_is(s, AS_FORM_JSON) && !any)
		return;
	if (as_sheet_is(s, AS_FORM_TEXT))
		as_sheet_title(s, VALUE, name);
	as_sheet_text(s, KIND, as_slice_of(kind));
	as_sheet_costs(s, SELF, cost);
	as_sheet_row(s, kind);
}

/* Text has only the costs of one event. */
static bool tags_has_cost(const struct as_sheet *s, const as_val *cost)
{
	if (as_sheet_is(s, AS_FORM_TEXT))
		return cost[s->event] != 0;
	for (uint32_t k = 0; k < as_n_events(s->prof); k++)
		if (cost[k])
			return true;
	return false;
}

static void tags_put_filtered_out(struct as_sheet *s)
{
	as_val *left = as_sheet_filtered_out(s);

	if (left && left[s->event] && as_sheet_is(s, AS_FORM_TEXT)) {
		as_sheet_title(s, VALUE, as_slice_of("[filtered out]"));
		as_sheet_costs(s, SELF, left);
		as_sheet_row(s, NULL);
	}
}

/* The rows of one key: N of ROW. What has no such label is what they leave of the total. */
static void tags_put_key(struct as_sheet *s, const struct as_label_table *t, uint64_t limit,
	const uint32_t *row, size_t n)
{
	size_t shown = as_sheet_limit(limit, n);
	as_val *rest = as_sheet_sum(s), *none = as_sheet_sum(s);

	for (size_t i = 0; i < n; i++)
		as_sheet_add(s, i < shown ? none : rest, as_label_self(t, row[i]));
	for (uint32_t k = 0; rest && none && k < as_n_events(t->prof); k++)
		none[k] = t->prof->total[k] - none[k] - rest[k];
	as_sheet_text(s, LABEL, as_str_get(t->prof, t->row.p[row[0]].label->key));
	as_sheet_group(s);
	as_sheet_list(s, "values");
	for (size_t i = 0; i < shown; i++)
		tags_put_value(s, t, row[i]);
	as_sheet_list_end(s);
	as_sheet_count(s, MORE, true, (as_val)(n - shown));
	tags_put_other(s, "rest", as_arena_printf(&s->grid.arena, "[%zu more]", n - shown), rest,
		n > shown);
	tags_put_other(s, "none", as_slice_of("[none]"), none, none && tags_has_cost(s, none));
	tags_put_filtered_out(s);
	as_sheet_group_end(s);
}

enum as_code as_tags_print(const struct as_label_table *t, const struct as_view_opts *opts,
	uint64_t limit, const struct as_sheet_to *to)
{
	struct as_sheet s;
	uint32_t *order;
	bool sorted;

	as_assert(t->how.by == AS_BY_VALUE); /* a row has a label */
	if (to->form == AS_FORM_TEXT && (!opts->n_events || !t->row.n))
		return AS_OK;
	as_sheet_init(&s, to, t->prof, opts, columns);
	order = as_arena_get(&s.grid.arena, (t->row.n + 1) * sizeof(*order));
	sorted = order && as_label_table_sort(t, opts->sort_event, order);
	s.grid.arena.failed |= !sorted;
	as_sheet_begin(&s, "assay.tags/1", NULL);
	as_sheet_rows(&s, "labels");
	for (size_t i = 0, end; sorted && i < t->row.n; i = end) {
		const as_str key = t->row.p[order[i]].label->key;

		for (end = i; end < t->row.n && t->row.p[order[end]].label->key.i == key.i;)
			end++;
		tags_put_key(&s, t, limit, order + i, end - i);
	}
	as_sheet_list_end(&s);
	return as_sheet_finish(&s);
}
