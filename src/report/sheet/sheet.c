/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sheet/sheet_impl.h"

#include "report/kit/json.h"

void as_sheet_init_plain(struct as_sheet *s, const struct as_sheet_to *to,
	const struct as_alloc *al, const struct as_column *column)
{
	static const struct as_style plain = {.width = 0};

	*s = (struct as_sheet){.to = *to, .column = column};
	if (!to->style)
		s->to.style = &plain;
	as_json_init(&s->json, to->out);
	as_grid_init(&s->grid, al);
}

void as_sheet_init(struct as_sheet *s, const struct as_sheet_to *to, const struct as_profile *prof,
	const struct as_view_opts *opts, const struct as_column *column)
{
	as_sheet_init_plain(s, to, prof->al, column);
	s->prof = prof;
	s->opts = opts;
	s->n_others = opts->n_events;
	s->first = as_view_first(opts);
	if (!opts->n_events)
		return;
	s->event = opts->event[s->first];
	as_assert(s->event < as_n_events(prof));
}

void as_sheet_compare(
	struct as_sheet *s, const struct as_diff *d, const struct as_view_opts *opts, bool incl)
{
	as_assert(!s->prof);
	s->diff = d;
	s->opts = opts;
	s->incl = incl;
}

static void choose_columns(struct as_sheet *s)
{
	as_assert(!s->n_shown);
	for (const struct as_column *c = s->column; c->kind; c++)
		if (c->forms >> s->to.form & 1 && !(s->hidden >> c->slot & 1)) {
			as_assert(s->n_shown < AS_SHEET_COLUMNS && c->slot < AS_SHEET_SLOTS);
			s->shown[s->n_shown++] = c;
		}
}

static void put_heads(struct as_sheet *s)
{
	for (size_t i = 0; i < s->n_shown; i++) {
		if (as_sheet_is(s, AS_FORM_CSV))
			as_sheet_csv_head(s, s->shown[i]);
		else if (as_sheet_is_page(s))
			as_sheet_text_head(s, s->shown[i]);
	}
	if (as_sheet_is(s, AS_FORM_CSV))
		as_sheet_csv_end(s);
	s->is_open = true;
}

static void put_cells(struct as_sheet *s)
{
	if (as_sheet_is_page(s) && !s->is_open) {
		as_out_char(s->to.out, '\n');
		put_heads(s);
	}
	for (size_t i = 0; i < s->n_shown; i++) {
		const struct as_column *c = s->shown[i];
		bool set = s->set >> c->slot & 1;
		const struct as_sheet_cell *cell = set ? &s->cell[c->slot] : NULL;

		if (as_sheet_is_page(s))
			as_sheet_text_cell(s, c, cell);
		else if (as_sheet_is(s, AS_FORM_CSV))
			as_sheet_csv_cell(s, c, cell);
		else if (set)
			as_sheet_json_cell(s, c, cell);
	}
	s->set = s->kept;
	s->name = (struct as_grid_cell){.indent = 0};
}

/* ---- the document ---- */

void as_sheet_begin(struct as_sheet *s, const char *schema, const char *shape)
{
	if (!as_sheet_is(s, AS_FORM_JSON))
		return;
	as_json_object(&s->json, NULL);
	as_json_text(&s->json, "schema", as_slice_of(schema));
	if (s->prof)
		as_json_profile(&s->json, s->prof, shape, s->opts->files, s->opts->n_files);
}

void as_sheet_word(struct as_sheet *s, const char *key, struct as_slice word)
{
	if (as_sheet_is(s, AS_FORM_JSON))
		as_json_text_or_null(&s->json, key, word);
}

/* What the metrics are, where there are any. */
static void sheet_put_metrics(struct as_sheet *s)
{
	if (!s->n_metrics)
		return;
	as_json_text(&s->json, "metrics_of", as_slice_of(s->metric_incl ? "inclusive" : "self"));
	as_json_array(&s->json, "metrics");
	for (uint32_t k = 0; k < s->n_metrics; k++) {
		as_json_object(&s->json, NULL);
		as_json_text(&s->json, "name", s->metric[k].name);
		as_json_text(&s->json, "formula", s->metric[k].formula);
		as_json_object_end(&s->json);
	}
	as_json_array_end(&s->json);
}

void as_sheet_rows(struct as_sheet *s, const char *key)
{
	choose_columns(s);
	if (!as_sheet_is(s, AS_FORM_JSON)) {
		put_heads(s);
		return;
	}
	if (s->prof)
		as_json_events(&s->json, s->prof, s->opts->event, s->opts->n_events);
	sheet_put_metrics(s);
	as_json_array(&s->json, key);
}

void as_sheet_only_row(struct as_sheet *s)
{
	choose_columns(s);
	if (!as_sheet_is(s, AS_FORM_JSON))
		put_heads(s);
	put_cells(s);
	if (as_sheet_is(s, AS_FORM_CSV))
		as_sheet_csv_end(s);
}

void as_sheet_units(struct as_sheet *s, const char *word)
{
	struct as_unit *unit =
		as_arena_get(&s->grid.arena, (s->opts->n_events + 1) * sizeof(*unit));

	for (uint32_t i = 0; unit && i < s->opts->n_events; i++)
		unit[i] = as_unit_of(s->prof, s->opts->event[i], word ? word : "count",
			s->prof->total[s->opts->event[i]]);
	s->unit = unit;
}

struct as_number *as_sheet_with_metrics(
	struct as_sheet *s, const struct as_metric *metric, uint32_t n, bool incl)
{
	struct as_number *value = as_arena_get(&s->grid.arena, (n + 1) * sizeof(*value));

	s->metric = metric;
	s->n_metrics = n;
	s->metric_incl = incl;
	return value;
}

void as_sheet_table(struct as_sheet *s)
{
	if (!s->n_shown)
		choose_columns(s);
	put_heads(s);
}

void as_sheet_table_end(struct as_sheet *s)
{
	const struct as_alloc *al = s->grid.arena.al;
	bool failed;

	if (!as_sheet_is_page(s))
		return;
	failed = as_sheet_text_print(s) != AS_OK;
	as_grid_release(&s->grid);
	as_grid_init(&s->grid, al);
	s->grid.arena.failed = failed;
	s->is_open = false;
}

void as_sheet_note(const struct as_sheet_to *to, const char *text)
{
	if (to->form == AS_FORM_TEXT)
		as_out_printf(to->out, "%s%s%s%s\n", as_sheet_gap(to),
			as_paint_begin(to->style, AS_PAINT_DIM), text,
			as_paint_end(to->style, AS_PAINT_DIM));
}

enum as_code as_sheet_finish(struct as_sheet *s)
{
	enum as_code rc = as_arena_code(&s->grid.arena);

	if (as_sheet_is(s, AS_FORM_JSON) && s->json.depth) {
		as_json_object_end(&s->json);
		as_assert(!s->json.depth);
		as_json_finish(&s->json);
	} else if (as_sheet_is_page(s) && s->is_open) {
		rc = as_sheet_text_print(s);
		if (s->prof && s->opts->n_events && s->prof->event.p[s->event].estimated)
			as_sheet_note(&s->to, "estimated: ~ is scaled up from samples");
	}
	as_grid_release(&s->grid);
	return rc;
}

as_val *as_sheet_sum(struct as_sheet *s)
{
	size_t size = as_n_events(s->prof) * sizeof(as_val);
	as_val *sum = as_arena_get(&s->grid.arena, size + 1);

	if (sum)
		memset(sum, 0, size);
	return sum;
}

void as_sheet_add(const struct as_sheet *s, as_val *sum, const as_val *costs)
{
	for (uint32_t k = 0; sum && k < as_n_events(s->prof); k++)
		sum[k] += costs[k];
}

as_val *as_sheet_filtered_out(struct as_sheet *s)
{
	as_val *left = s->prof->whole ? as_sheet_sum(s) : NULL;

	for (uint32_t k = 0; left && k < as_n_events(s->prof); k++)
		left[k] = s->prof->whole[k] - s->prof->total[k];
	return left;
}

/* ---- rows ---- */

void as_sheet_row_begin(struct as_sheet *s, const char *key)
{
	as_assert(s->n_shown);
	if (as_sheet_is(s, AS_FORM_JSON))
		as_json_object(&s->json, key);
	put_cells(s);
	if (as_sheet_is(s, AS_FORM_CSV))
		as_sheet_csv_end(s);
}

void as_sheet_row(struct as_sheet *s, const char *key)
{
	as_sheet_row_begin(s, key);
	as_sheet_row_end(s);
}

void as_sheet_rest(struct as_sheet *s, struct as_sheet_rest slot, uint64_t n, const char *what,
	const as_val *costs)
{
	struct as_arena *ar = &s->grid.arena;
	bool page = as_sheet_is_page(s);

	if (as_sheet_is(s, AS_FORM_CSV) || (page && !n))
		return;
	as_sheet_count(s, slot.n, true, (as_val)n);
	as_sheet_costs(s, slot.costs, costs);
	if (page)
		as_sheet_title(s, slot.name,
			as_arena_printf(ar, "[%" PRIu64 " more%.*s]", n,
				AS_SLICE_FMT(as_arena_plural(ar, what, n))));
	as_sheet_row(s, "rest");
}

void as_sheet_row_end(struct as_sheet *s)
{
	if (as_sheet_is(s, AS_FORM_JSON))
		as_json_object_end(&s->json);
}

void as_sheet_group(struct as_sheet *s)
{
	as_assert(!s->kept);
	if (as_sheet_is(s, AS_FORM_JSON))
		as_sheet_row_begin(s, NULL);
	s->kept = s->set;
}

void as_sheet_group_end(struct as_sheet *s)
{
	s->kept = s->set = 0;
	as_sheet_row_end(s);
}

void as_sheet_list(struct as_sheet *s, const char *key)
{
	if (as_sheet_is(s, AS_FORM_JSON))
		as_json_array(&s->json, key);
}

void as_sheet_list_end(struct as_sheet *s)
{
	if (as_sheet_is(s, AS_FORM_JSON))
		as_json_array_end(&s->json);
}

static struct as_sheet_cell *sheet_fill(struct as_sheet *s, unsigned slot, bool known)
{
	struct as_sheet_cell *cell = &s->cell[slot];

	as_assert(slot < AS_SHEET_SLOTS);
	s->set |= UINT32_C(1) << slot;
	cell->known = known;
	cell->mark = AS_COST_PLAIN;
	cell->costs = NULL;
	cell->text = (struct as_slice){0};
	return cell;
}

void as_sheet_count(struct as_sheet *s, unsigned slot, bool known, as_val n)
{
	sheet_fill(s, slot, known)->n = n;
}

void as_sheet_number(struct as_sheet *s, unsigned slot, struct as_number n)
{
	sheet_fill(s, slot, n.known)->number = n;
}

void as_sheet_text(struct as_sheet *s, unsigned slot, struct as_slice text)
{
	sheet_fill(s, slot, true)->text = text.p ? text : as_slice_of("");
}

void as_sheet_text_or_null(struct as_sheet *s, unsigned slot, struct as_slice text)
{
	sheet_fill(s, slot, text.len > 0)->text = text;
}

void as_sheet_costs(struct as_sheet *s, unsigned slot, const as_val *costs)
{
	sheet_fill(s, slot, costs != NULL)->costs = costs;
}

void as_sheet_mark(struct as_sheet *s, unsigned slot, enum as_cost_mark mark)
{
	as_assert(slot < AS_SHEET_SLOTS && (s->set >> slot & 1));
	s->cell[slot].mark = mark;
}

void as_sheet_metrics(struct as_sheet *s, unsigned slot, const struct as_number *metrics)
{
	if (s->n_metrics)
		sheet_fill(s, slot, metrics != NULL)->metrics = metrics;
}

void as_sheet_list_of(struct as_sheet *s, unsigned slot,
	void (*list)(const void *ctx, struct as_json *j, as_val n), const void *ctx, as_val n)
{
	struct as_sheet_cell *cell = sheet_fill(s, slot, true);

	cell->list = list;
	cell->ctx = ctx;
	cell->n = n;
}

void as_sheet_func(struct as_sheet *s, unsigned slot, struct as_view_func f)
{
	sheet_fill(s, slot, true)->func = f;
}

void as_sheet_figures(struct as_sheet *s, unsigned slot, struct as_sheet_figures figures)
{
	sheet_fill(s, slot, true)->figures = figures;
}

void as_sheet_paint(struct as_sheet *s, enum as_paint paint)
{
	if (as_sheet_is_page(s))
		as_grid_paint_row(&s->grid, paint);
}

void as_sheet_title(struct as_sheet *s, unsigned slot, struct as_slice text)
{
	sheet_fill(s, slot, false)->text = text.p ? text : as_slice_of("");
}
