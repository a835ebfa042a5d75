/* SPDX-License-Identifier: Apache-2.0 */
#include "report/sheet/sheet_impl.h"

#include "report/kit/show.h"

/* Besides the first event, so many are shown at the most; --event picks others, CSV shows all. */
enum { OTHERS_MAX = 40, OTHER_COLUMNS = 12, FIRST_COLUMNS = 90 };

/* Columns of "self NAME", event I of those shown; a short name leaves room for its numbers. */
static size_t sheet_text_width(const struct as_sheet *s, uint32_t i)
{
	size_t n = as_event_name(s->prof, s->opts->event[i]).len + 7;

	return n > OTHER_COLUMNS ? n : OTHER_COLUMNS;
}

void as_sheet_fit_events(struct as_sheet *s)
{
	size_t width = s->to.style->width, used = FIRST_COLUMNS;

	s->n_others = width ? 0 : OTHERS_MAX;
	if (!width || !s->opts->n_events)
		return;
	used += 2 * (sheet_text_width(s, s->first) - OTHER_COLUMNS);
	for (uint32_t i = 0; i < s->opts->n_events && s->n_others < OTHERS_MAX; i++) {
		used += i != s->first ? sheet_text_width(s, i) : 0;
		if (used > width)
			break;
		s->n_others += i != s->first;
	}
}

void as_sheet_fit_column(struct as_sheet *s, unsigned slot, const char *word, unsigned width)
{
	if (!s->to.style->width || s->to.style->width >= width)
		return;
	as_sheet_hide(s, AS_IN_TEXT, slot, true);
	if (s->no_room)
		word = as_arena_printf(&s->grid.arena, "%s %s", s->no_room, word).p;
	s->no_room = word;
}

/* Whether the event shown number I is one of the others that are. */
static bool sheet_text_is_other(const struct as_sheet *s, uint32_t i)
{
	return i != s->first && (i < s->first ? i : i - 1) < s->n_others;
}

/* ---- heads ---- */

const char *as_sheet_heading(struct as_sheet *s, struct as_slice text)
{
	struct as_slice head = as_show_clean(&s->grid.arena, text);

	head = head.p ? as_arena_dup(&s->grid.arena, head) : head;
	return head.p ? head.p : "";
}

/* "self Ir"; an empty WORD: "Ir". */
static void cost_head(struct as_sheet *s, const char *word, struct as_slice name)
{
	struct as_arena *ar = &s->grid.arena;

	name = as_arena_printf(ar, "%s%s%.*s", word, *word ? " " : "", AS_SLICE_FMT(name));
	as_grid_column(&s->grid, as_sheet_heading(s, name), false, AS_FIT_WHOLE);
}

void as_sheet_text_head(struct as_sheet *s, const struct as_column *c)
{
	static const enum as_fit fit[] = {AS_FIT_TEXT, AS_FIT_WHOLE, AS_FIT_NAME, AS_FIT_PLACE};
	struct as_grid *g = &s->grid;

	switch (c->kind) {
	case AS_COL_COSTS:
		if (!s->opts->n_events)
			break;
		cost_head(s, c->key, as_event_name(s->prof, s->event));
		as_grid_column(g, "%", false, AS_FIT_WHOLE);
		break;
	case AS_COL_OTHERS:
		for (uint32_t i = 0; i < s->opts->n_events; i++)
			if (sheet_text_is_other(s, i))
				cost_head(s, c->key, as_event_name(s->prof, s->opts->event[i]));
		break;
	case AS_COL_METRICS:
		for (uint32_t k = 0; k < s->n_metrics; k++)
			cost_head(s,
				!s->metric[k].formula.p ? ""
				: s->metric_incl        ? "incl"
							: "self",
				s->metric[k].name);
		break;
	case AS_COL_FUNC:
		as_grid_column(g, c->key, true, AS_FIT_NAME);
		as_grid_column(g, "where", true, AS_FIT_PLACE);
		break;
	case AS_COL_FIGURES:
		as_figures_text_head(s, c);
		break;
	case AS_COL_CHANGE:
		cost_head(s, c->key, as_slice_of(as_diff_delta(s->to.style)));
		break;
	case AS_COL_TEXT:
	case AS_COL_WORD:
	case AS_COL_NAME:
	case AS_COL_PLACE:
		as_grid_column(g, c->key, true, fit[c->kind - AS_COL_TEXT]);
		break;
	default:
		as_grid_column(g, c->key, false, AS_FIT_WHOLE);
		break;
	}
}

/* ---- cells ---- */

static void sheet_text_put(struct as_sheet *s, struct as_slice text)
{
	as_grid_cell(&s->grid, text);
}

/* TEXT as an upper bound: no more is known. */
static void put_at_most(struct as_sheet *s, struct as_slice text)
{
	sheet_text_put(s, as_arena_printf(&s->grid.arena, "%s%.*s",
				  s->to.style->utf8 ? "\u2264" : "<=", AS_SLICE_FMT(text)));
}

static void sheet_text_put_costs(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	struct as_arena *ar = &s->grid.arena;
	const struct as_unit *unit = s->unit ? &s->unit[s->first] : &s->opts->unit;
	struct as_slice text;
	as_val whole, v;

	if (!s->opts->n_events)
		return;
	if (!cell || !cell->costs) {
		sheet_text_put(s, as_slice_of(cell ? "-" : ""));
		sheet_text_put(s, as_slice_of(cell ? "-" : ""));
		return;
	}
	whole = as_whole(s->prof)[s->event];
	v = cell->costs[s->event];
	text = as_show_in(ar, v, unit, s->to.style);
	if (cell->mark == AS_COST_AT_MOST) {
		put_at_most(s, text);
		put_at_most(s, as_show_percent(ar, v, whole));
		return;
	}
	if (cell->mark == AS_COST_ESTIMATED || (v && s->prof->event.p[s->event].estimated))
		text = as_arena_printf(ar, "~%.*s", AS_SLICE_FMT(text));
	sheet_text_put(s, text);
	sheet_text_put(s,
		cell->mark == AS_COST_NO_SHARE ? as_slice_of("-") : as_show_percent(ar, v, whole));
}

/* Of the event that is the sheet's number I. */
static struct as_slice other_text(struct as_sheet *s, const struct as_sheet_cell *cell, uint32_t i)
{
	uint32_t event = s->opts->event[i];
	struct as_slice text =
		as_show_in(&s->grid.arena, cell->costs[event], &s->unit[i], s->to.style);

	if (!cell->costs[event] || !s->prof->event.p[event].estimated)
		return text;
	return as_arena_printf(&s->grid.arena, "~%.*s", AS_SLICE_FMT(text));
}

static void put_others(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	for (uint32_t i = 0; i < s->opts->n_events; i++)
		if (sheet_text_is_other(s, i))
			sheet_text_put(
				s, !cell || !s->unit ? as_slice_of("") : other_text(s, cell, i));
}

/* Costs are told in the unit of the first event. */
static struct as_slice metric_text(struct as_sheet *s, struct as_number n, uint32_t k)
{
	if (s->metric[k].formula.p || !s->unit)
		return as_show_number(&s->grid.arena, n, s->to.style);
	return as_show_in(&s->grid.arena, n.n, &s->unit[s->first], s->to.style);
}

static void put_metrics(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	for (uint32_t k = 0; k < s->n_metrics; k++)
		sheet_text_put(s, cell && cell->known ? metric_text(s, cell->metrics[k], k)
						      : as_slice_of(""));
}

static void sheet_text_put_name(struct as_sheet *s, struct as_slice name, bool known)
{
	s->name.text = name;
	s->name.plain = !known;
	as_grid_marked(&s->grid, s->name);
}

static void sheet_text_put_func(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	struct as_arena *ar = &s->grid.arena;
	bool known = cell && cell->known;

	sheet_text_put_name(s,
		known  ? as_view_name(ar, cell->func)
		: cell ? cell->text
		       : as_slice_of(""),
		known);
	sheet_text_put(s, known ? as_view_where(ar, cell->func) : as_slice_of(""));
}

void as_sheet_text_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell)
{
	if (c->kind == AS_COL_COSTS)
		sheet_text_put_costs(s, cell);
	else if (c->kind == AS_COL_FUNC)
		sheet_text_put_func(s, cell);
	else if (c->kind == AS_COL_OTHERS)
		put_others(s, cell);
	else if (c->kind == AS_COL_METRICS)
		put_metrics(s, cell);
	else if (c->kind == AS_COL_FIGURES)
		as_figures_text(s, cell);
	else if (c->kind == AS_COL_CHANGE)
		as_figures_change(s, cell);
	else if (c->kind == AS_COL_NAME && cell && cell->text.p)
		sheet_text_put_name(s, as_show_clean(&s->grid.arena, cell->text), cell->known);
	else if (!cell || !cell->known)
		as_grid_marked(&s->grid,
			(struct as_grid_cell){.text = cell && cell->text.p
							      ? cell->text
							      : as_slice_of(cell ? "-" : ""),
				.plain = true});
	else if (c->kind == AS_COL_SHARE)
		sheet_text_put(
			s, as_show_percent(&s->grid.arena, cell->n, as_whole(s->prof)[s->event]));
	else if (as_column_is_text(c->kind))
		sheet_text_put(s, as_show_clean(&s->grid.arena, cell->text));
	else if (c->kind == AS_COL_NUMBER)
		sheet_text_put(s, as_show_decimal(&s->grid.arena, cell->number, s->to.style));
	else
		sheet_text_put(
			s, as_show_val(&s->grid.arena, cell->n,
				   c->kind == AS_COL_ID ? &(struct as_style){0} : s->to.style));
}

/* ---- the table ---- */

/* What a wider terminal would show. */
static void put_no_room(struct as_sheet *s)
{
	struct as_out *out = s->to.out;
	bool events = s->n_others + 1 < s->opts->n_events;

	if (!events && !s->no_room)
		return;
	as_out_printf(out, "%s%sno room for:", as_sheet_gap(&s->to),
		as_paint_begin(s->to.style, AS_PAINT_DIM));
	if (s->no_room)
		as_out_printf(out, " %s", s->no_room);
	for (uint32_t i = 0; i < s->opts->n_events; i++)
		if (i != s->first && !sheet_text_is_other(s, i))
			as_out_printf(out, " %.*s",
				AS_SLICE_FMT(as_show_clean(&s->grid.arena,
					as_event_name(s->prof, s->opts->event[i]))));
	as_out_printf(out, " (%s-f csv has all)%s\n", events ? "-e EVENT chooses, " : "",
		as_paint_end(s->to.style, AS_PAINT_DIM));
}

enum as_code as_sheet_text_print(struct as_sheet *s)
{
	AS_TRY(as_grid_print(&s->grid, s->to.out,
		as_sheet_is(s, AS_FORM_MARKDOWN) ? &as_grid_markdown : s->to.style));
	if (s->prof)
		put_no_room(s);
	return AS_OK;
}
