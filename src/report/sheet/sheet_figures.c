/* SPDX-License-Identifier: Apache-2.0 */
/* The figures of a comparison in a sheet: a column that is several. */
#include "report/sheet/sheet_impl.h"

static const struct as_diff_event *figures_event(const struct as_sheet *s, uint32_t i)
{
	return &s->diff->event[s->opts->event[i]];
}

/* In text the event that rows are sorted by has an interval beside its change. */
static bool figures_have_noise(const struct as_sheet *s, uint32_t i)
{
	return as_sheet_is(s, AS_FORM_TEXT) && s->opts->event[i] == s->diff->sort_event &&
	       figures_event(s, i)->noise != AS_NOISE_NONE;
}

static struct as_slice figures_number(struct as_sheet *s, uint32_t i, as_val v, bool sign)
{
	return as_diff_number(&s->grid.arena, figures_event(s, i), v, sign, s->to.style);
}

/* "base incl Ir" */
static const char *figures_head(
	struct as_sheet *s, const struct as_column *c, uint32_t i, enum as_side side)
{
	static const char *const word[2][AS_SIDES] = {{"base", "new"}, {"base incl", "new incl"}};

	struct as_slice unit = as_diff_unit(s->diff, figures_event(s, i));

	return as_sheet_heading(s, as_arena_printf(&s->grid.arena, "%s %.*s",
					   word[*c->key != 0][side], AS_SLICE_FMT(unit)));
}

static const struct as_diff_fig *figures_of(const struct as_sheet_cell *cell, bool inclusive)
{
	if (!cell)
		return NULL;
	return inclusive ? cell->figures.incl : cell->figures.self;
}

/* ---- text ---- */

void as_figures_text_head(struct as_sheet *s, const struct as_column *c)
{
	const char *delta = as_diff_delta(s->to.style);
	struct as_grid *g = &s->grid;

	for (uint32_t i = 0; i < s->opts->n_events; i++) {
		as_grid_column(g, figures_head(s, c, i, AS_BASE), false, AS_FIT_WHOLE);
		as_grid_column(g, figures_head(s, c, i, AS_NEW), false, AS_FIT_WHOLE);
		as_grid_column(g, delta, false, AS_FIT_WHOLE);
		as_grid_column(
			g, as_sheet_is(s, AS_FORM_TEXT) ? "%" : "\u0394 %", false, AS_FIT_WHOLE);
		if (figures_have_noise(s, i))
			as_grid_column(g, "95 % interval", false, AS_FIT_WHOLE);
	}
}

static void figures_pair(struct as_sheet *s, uint32_t i, const as_val *value)
{
	as_val base = value[AS_BASE], new_ = value[AS_NEW];
	struct as_slice percent;

	as_grid_cell(&s->grid, figures_number(s, i, base, false));
	as_grid_cell(&s->grid, figures_number(s, i, new_, false));
	as_grid_cell(&s->grid, figures_number(s, i, new_ - base, true));
	percent = as_diff_percent(&s->grid.arena, base, new_);
	if (base && as_sheet_is(s, AS_FORM_MARKDOWN))
		percent = as_arena_printf(&s->grid.arena, "%.*s %%", AS_SLICE_FMT(percent));
	as_grid_cell(&s->grid, percent);
}

static struct as_slice figures_interval(
	struct as_sheet *s, uint32_t i, const struct as_diff_fig *fig)
{
	return as_arena_printf(&s->grid.arena, "%.*s .. %.*s",
		AS_SLICE_FMT(figures_number(s, i, fig->lo, true)),
		AS_SLICE_FMT(figures_number(s, i, fig->hi, true)));
}

void as_figures_text(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	const struct as_diff_fig *fig = figures_of(cell, s->incl);

	for (uint32_t i = 0; i < s->opts->n_events; i++) {
		bool noise = figures_have_noise(s, i);

		if (fig && fig[i].known) {
			figures_pair(s, i, fig[i].value);
			if (noise)
				as_grid_cell(&s->grid, cell->mark == AS_COST_NO_NOISE
							       ? as_slice_of("")
							       : figures_interval(s, i, &fig[i]));
			continue;
		}
		for (unsigned k = noise ? 5 : 4; k; k--)
			as_grid_cell(&s->grid, as_slice_of(fig ? "-" : ""));
	}
}

void as_figures_change(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	const struct as_diff_fig *fig = figures_of(cell, !s->incl);

	if (!fig || !fig->known)
		as_grid_cell(&s->grid, as_slice_of(fig ? "-" : ""));
	else
		as_grid_cell(&s->grid,
			figures_number(s, 0, fig->value[AS_NEW] - fig->value[AS_BASE], true));
}

/* ---- JSON ---- */

static void figures_json(struct as_sheet *s, const char *key, const struct as_sheet_cell *cell,
	const struct as_diff_fig *fig)
{
	struct as_json *j = &s->json;

	if (!fig) {
		as_json_null(j, key);
		return;
	}
	as_json_array(j, key);
	for (uint32_t i = 0; i < s->opts->n_events; i++) {
		if (!fig[i].known) {
			as_json_null(j, NULL);
			continue;
		}
		as_json_object(j, NULL);
		if (cell->mark == AS_COST_NO_NOISE)
			as_diff_json_change(j, &s->grid.arena, figures_event(s, i), fig[i].value);
		else
			as_diff_json_figure(j, &s->grid.arena, figures_event(s, i), &fig[i]);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

void as_figures_json(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	figures_json(s, "self", cell, cell->figures.self);
	figures_json(s, "inclusive", cell, cell->figures.incl);
}

/* ---- CSV ---- */

void as_figures_csv_head(struct as_sheet *s)
{
	static const char *const word[] = {"base self", "new self", "interval low", "interval high",
		"significance", "base inclusive", "new inclusive"};

	for (uint32_t i = 0; i < s->opts->n_events; i++)
		for (size_t k = 0; k < AS_ARRAY_LEN(word); k++)
			as_sheet_csv_text2(s, word[k], as_diff_unit(s->diff, figures_event(s, i)));
}

/* Both of VALUE; NULL: they are not known. */
static void figures_csv(struct as_sheet *s, uint32_t i, const as_val *value)
{
	for (unsigned side = 0; side < AS_SIDES; side++) {
		if (value)
			as_sheet_csv_text(s, as_diff_exact(&s->grid.arena, value[side],
						     figures_event(s, i)->decimals));
		else
			as_sheet_csv_text(s, as_slice_of(""));
	}
}

void as_figures_csv(struct as_sheet *s, const struct as_sheet_cell *cell)
{
	const struct as_diff_fig *self = figures_of(cell, false);
	const struct as_diff_fig *incl = figures_of(cell, true);

	for (uint32_t i = 0; i < s->opts->n_events; i++) {
		bool noise = self && figures_event(s, i)->noise != AS_NOISE_NONE;

		figures_csv(s, i, self ? self[i].value : NULL);
		figures_csv(s, i, noise ? (as_val[]){self[i].lo, self[i].hi} : NULL);
		as_sheet_csv_text(
			s, as_slice_of(self ? as_diff_verdict_word(self[i].verdict) : ""));
		figures_csv(s, i, incl && incl[i].known ? incl[i].value : NULL);
	}
}
