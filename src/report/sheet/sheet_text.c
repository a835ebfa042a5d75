/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sheet/sheet_impl.h"

#include "report/kit/show.h"

/* ---- heads ---- */

/* "self Ir"; an empty WORD: "Ir". */
static void cost_head(struct as_sheet *s, const char *word, struct as_slice name)
{
	const char *head = as_view_head(&s->grid, word, name);

	as_grid_column(&s->grid, *head == ' ' ? head + 1 : head, false, AS_FIT_WHOLE);
}

static struct as_slice event_name(const struct as_sheet *s, uint32_t event)
{
	return as_str_get(s->prof, s->prof->event.p[event].name);
}

void as_sheet_text_head(struct as_sheet *s, const struct as_column *c)
{
	struct as_grid *g = &s->grid;

	switch (c->kind) {
	case AS_COL_COSTS:
		if (!s->opts->n_events)
			break;
		cost_head(s, c->key, event_name(s, s->event));
		as_grid_column(g, "%", false, AS_FIT_WHOLE);
		break;
	case AS_COL_OTHERS:
		for (uint32_t i = 0; i < s->opts->n_events; i++)
			if (i != as_view_first(s->opts))
				cost_head(s, c->key, event_name(s, s->opts->event[i]));
		break;
	case AS_COL_METRICS:
		for (uint32_t k = 0; k < s->n_metrics; k++)
			cost_head(s, c->key, s->metric[k].name);
		break;
	case AS_COL_FUNC:
		as_grid_column(g, c->key, true, AS_FIT_NAME);
		as_grid_column(g, "where", true, AS_FIT_PLACE);
		break;
	case AS_COL_TEXT:
	case AS_COL_NAME:
		as_grid_column(g, c->key, true, c->kind == AS_COL_NAME ? AS_FIT_NAME : AS_FIT_TEXT);
		break;
	default:
		as_grid_column(g, c->key, false, AS_FIT_WHOLE);
		break;
	}
}

/* ---- cells ---- */

static void put(struct as_sheet *s, struct as_slice text)
{
	as_grid_cell(&s->grid, text);
}

static void put_costs(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	struct as_arena *ar = &s->grid.arena;
	const struct as_unit *unit = s->unit ? &s->unit[as_view_first(s->opts)] : &s->opts->unit;
	struct as_slice text;
	as_val whole, v;

	if (!s->opts->n_events)
		return;
	if (!cell || !cell->costs) {
		put(s, as_slice_of(cell ? "-" : ""));
		put(s, as_slice_of(cell ? "-" : ""));
		return;
	}
	whole = as_whole(s->prof)[s->event];
	v = cell->costs[s->event];
	if (cell->mark == AS_COST_AT_MOST) {
		as_view_at_most(&s->grid, v, whole, unit, s->to.style);
		return;
	}
	text = as_show_in(ar, v, unit, s->to.style);
	if (cell->mark == AS_COST_ESTIMATED)
		text = as_arena_printf(ar, "~%.*s", AS_SLICE_FMT(text));
	put(s, text);
	put(s, cell->mark == AS_COST_NO_SHARE ? as_slice_of("-") : as_show_percent(ar, v, whole));
}

static void put_others(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	for (uint32_t i = 0; i < s->opts->n_events; i++)
		if (i != as_view_first(s->opts))
			put(s, !cell || !s->unit
					? as_slice_of("")
					: as_show_in(&s->grid.arena, cell->costs[s->opts->event[i]],
						  &s->unit[i], s->to.style));
}

static void put_metrics(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	for (uint32_t k = 0; k < s->n_metrics; k++)
		put(s, cell && cell->known
				? as_show_number(&s->grid.arena, cell->metrics[k], s->to.style)
				: as_slice_of(""));
}

static void put_number(struct as_sheet *s, enum as_column_kind kind, as_val n)
{
	static const struct as_style plain = {.width = 0};

	put(s, as_show_val(&s->grid.arena, n, kind == AS_COL_ID ? &plain : s->to.style));
}

static void put_func(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	struct as_arena *ar = &s->grid.arena;
	bool known = cell && cell->known;

	s->name.text = known ? as_view_name(ar, cell->func) : cell ? cell->text : as_slice_of("");
	as_grid_marked(&s->grid, s->name);
	put(s, known ? as_view_where(ar, cell->func) : as_slice_of(""));
}

void as_sheet_text_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell)
{
	if (c->kind == AS_COL_COSTS)
		put_costs(s, cell);
	else if (c->kind == AS_COL_FUNC)
		put_func(s, cell);
	else if (c->kind == AS_COL_OTHERS)
		put_others(s, cell);
	else if (c->kind == AS_COL_METRICS)
		put_metrics(s, cell);
	else if (!cell || !cell->known)
		put(s, cell && cell->text.p ? cell->text : as_slice_of(cell ? "-" : ""));
	else if (c->kind == AS_COL_NAME)
		put(s, as_show_clean(&s->grid.arena, cell->text));
	else if (c->kind == AS_COL_TEXT)
		put(s, cell->text);
	else
		put_number(s, c->kind, cell->n);
}
