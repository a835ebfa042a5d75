/* SPDX-License-Identifier: Apache-2.0 */
/* What the views of a comparison as text have in common: what stands above them, and cells. */
#include "report/diff/diff_print.h"

#include "report/kit/name_fit.h"
#include "report/kit/show.h"
#include "report/kit/utf8.h"

const char *as_diff_sign(const struct as_diff_print *t, const char *utf8, const char *ascii)
{
	return t->style->utf8 ? utf8 : ascii;
}

/* ---- above the table ---- */

void as_diff_label(struct as_diff_print *t, const char *word)
{
	as_out_printf(t->out, "%s%-6s%s  ", as_paint_begin(t->style, AS_PAINT_HEAD), word,
		as_paint_end(t->style, AS_PAINT_HEAD));
}

enum { LABEL = 8, LISTED_NAME = 40, AND_MORE = 14 };

struct as_slice as_diff_listed_name(struct as_diff_print *t, struct as_slice name)
{
	return as_name_fit(t->ar, name, t->style->width ? LISTED_NAME : 0, t->style->utf8);
}

void as_diff_list_begin(struct as_diff_print *t, struct as_diff_named *list, const char *label,
	struct as_slice text, size_t n)
{
	*list = (struct as_diff_named){.n = n, .used = LABEL + as_utf8_columns(text)};
	as_diff_label(t, label);
	as_out_slice(t->out, text);
}

bool as_diff_list_put(struct as_diff_print *t, struct as_diff_named *list, struct as_slice text)
{
	size_t width = t->style->width, used = list->used + 2 + as_utf8_columns(text);
	bool last = list->listed + 1 == list->n;

	if (list->listed == AS_DIFF_LISTED ||
		(list->listed && width && used + (last ? 0 : AND_MORE) > width))
		return false;
	as_out_printf(t->out, "%s %.*s", list->listed ? "," : "", AS_SLICE_FMT(text));
	list->used = used;
	list->listed++;
	return true;
}

void as_diff_list_end(struct as_diff_print *t, const struct as_diff_named *list)
{
	if (list->n > list->listed)
		as_out_printf(t->out, " and %zu more", list->n - list->listed);
	as_out_char(t->out, '\n');
}

static void say(struct as_diff_print *t, const char *word, struct as_slice s)
{
	as_diff_label(t, word);
	as_out_slice(t->out, s);
	as_out_char(t->out, '\n');
}

static void side_line(struct as_diff_print *t, enum as_side side)
{
	size_t n = 0;

	as_diff_label(t, side == AS_BASE ? "base" : "new");
	for (size_t i = 0; i < t->d->run.n; i++) {
		const struct as_diff_run *run = &t->d->run.p[i];

		if (run->side != side)
			continue;
		if (n < 3)
			as_out_printf(t->out, "%s%.*s", n ? ", " : "",
				AS_SLICE_FMT(as_show_clean(t->ar, as_diff_str(t->d, run->file))));
		n++;
	}
	if (n > 3)
		as_out_printf(t->out, " and %zu more", n - 3);
	if (n > 1)
		as_out_printf(t->out, "  (%zu runs, their mean)", n);
	as_out_char(t->out, '\n');
}

/* "≈" where a difference may be noise. */
const char *as_diff_doubt(const struct as_diff_print *t, enum as_verdict verdict)
{
	if (verdict == AS_DIFF_NOISE)
		return as_diff_sign(t, "\u2248 ", "~ ");
	return verdict == AS_DIFF_CHANCE ? "? " : "";
}

static void total_line(struct as_diff_print *t, uint32_t e)
{
	const struct as_diff_event *ev = &t->d->event[e];
	struct as_diff_fig fig = as_diff_total(t->d, e);
	as_val base = fig.value[AS_BASE], new_ = fig.value[AS_NEW];
	unsigned show = as_diff_digits(ev);
	struct as_slice unit = as_show_clean(t->ar, as_diff_unit(t->d, ev));
	struct as_slice a = as_diff_number(t->ar, base, ev->decimals, show, false, t->style);
	struct as_slice b = as_diff_number(t->ar, new_, ev->decimals, show, false, t->style);
	struct as_slice delta =
		as_diff_number(t->ar, new_ - base, ev->decimals, show, true, t->style);
	struct as_slice percent = as_diff_percent(t->ar, base, new_);

	as_diff_label(t, "total");
	as_out_printf(t->out, "%.*s %s %.*s %.*s", AS_SLICE_FMT(a), as_diff_sign(t, "\u2192", "->"),
		AS_SLICE_FMT(b), AS_SLICE_FMT(unit));
	if (ev->norm == AS_NORM_TOTAL && !t->d->is_filtered)
		as_out_text(t->out, ", the same by the rule");
	else
		as_out_printf(t->out, ", %.*s, %.*s %%: %s%s", AS_SLICE_FMT(delta),
			AS_SLICE_FMT(percent), as_diff_doubt(t, fig.verdict),
			as_diff_word(ev, base, new_));
	as_out_char(t->out, '\n');
}

static void not_compared(struct as_diff_print *t)
{
	for (uint32_t e = 0; e < t->d->n_events; e++) {
		const struct as_diff_event *ev = &t->d->event[e];

		if (ev->lack)
			say(t, "note",
				as_arena_printf(t->ar, "only %s has the event %.*s",
					ev->lack & 1u << AS_BASE ? "NEW" : "BASE",
					AS_SLICE_FMT(as_diff_str(t->d, ev->name))));
	}
	for (uint32_t e = 0; e < t->d->n_events; e++)
		if (t->d->event[e].other_caches)
			say(t, "note",
				as_arena_printf(t->ar, "%.*s: the runs simulated other caches",
					AS_SLICE_FMT(as_diff_str(t->d, t->d->event[e].name))));
	for (size_t i = 0; i < t->d->extra.n; i++)
		say(t, "note",
			as_arena_printf(t->ar, "not every run has the event %.*s",
				AS_SLICE_FMT(as_diff_str(t->d, t->d->extra.p[i]))));
}

void as_diff_head(struct as_diff_print *t, const struct as_diff *judged)
{
	struct as_slice noise = as_diff_noise_line(t->ar, judged);
	struct as_slice part = as_diff_filter_line(t->ar, t->d, t->event);
	struct as_slice odd = as_diff_totals_line(t->ar, t->d, t->event);
	struct as_slice moved = as_diff_moved_line(t->ar, t->d, as_diff_sign(t, "\u2192", "->"));

	side_line(t, AS_BASE);
	side_line(t, AS_NEW);
	for (uint32_t i = 0; i < t->v->n_events; i++)
		if (t->d->event[t->v->event[i]].is_fine)
			total_line(t, t->v->event[i]);
	say(t, "scale", as_diff_rule(t->ar, t->d, t->event));
	if (part.len)
		say(t, "filter", part);
	if (noise.len)
		say(t, "noise", noise);
	if (moved.len)
		say(t, "object", moved);
	if (t->d->n_clones)
		say(t, "names",
			as_arena_printf(t->ar,
				"%" PRIu64 " with .isra, .part, .constprop, .cold, .llvm or a "
				"hash are those of their functions",
				t->d->n_clones));
	if (t->d->is_estimated)
		say(t, "note", as_slice_of("estimated: which way cost took was made out of calls"));
	if (odd.len)
		say(t, "note", odd);
	not_compared(t);
}

/* ---- cells ---- */

static const char *heading(struct as_diff_print *t, const char *word, const char *what, uint32_t e)
{
	struct as_slice unit = as_diff_unit(t->d, &t->d->event[e]);
	struct as_slice s = as_show_clean(t->ar, unit);

	s = as_arena_printf(t->ar, "%s%s %.*s", word, what, AS_SLICE_FMT(s));
	t->grid.oom |= !s.p;
	return s.p ? s.p : "";
}

void as_diff_columns(struct as_diff_print *t, const char *what, uint32_t e)
{
	struct as_grid *g = &t->grid;

	as_grid_column(g, heading(t, "base", what, e), false, AS_FIT_WHOLE);
	as_grid_column(g, heading(t, "new", what, e), false, AS_FIT_WHOLE);
	as_grid_column(g, as_diff_sign(t, "\u0394", "diff"), false, AS_FIT_WHOLE);
	as_grid_column(g, "%", false, AS_FIT_WHOLE);
	if (e == t->event && t->has_noise)
		as_grid_column(g, "95 % interval", false, AS_FIT_WHOLE);
}

static struct as_slice interval_text(
	struct as_diff_print *t, const struct as_diff_fig *fig, uint32_t e)
{
	const struct as_diff_event *ev = &t->d->event[e];
	unsigned show = as_diff_digits(ev);
	struct as_slice lo, hi;

	lo = as_diff_number(t->ar, fig->lo, ev->decimals, show, true, t->style);
	hi = as_diff_number(t->ar, fig->hi, ev->decimals, show, true, t->style);
	if (!lo.p || !hi.p)
		return (struct as_slice){0};
	return as_arena_printf(t->ar, "%.*s .. %.*s", AS_SLICE_FMT(lo), AS_SLICE_FMT(hi));
}

static void nothing(struct as_diff_print *t, unsigned n)
{
	while (n--)
		as_grid_cell(&t->grid, as_slice_of("-"));
}

static void pair(struct as_diff_print *t, uint32_t e, as_val base, as_val new_)
{
	const struct as_diff_event *ev = &t->d->event[e];
	unsigned show = as_diff_digits(ev);
	struct as_grid *g = &t->grid;

	as_grid_cell(g, as_diff_number(t->ar, base, ev->decimals, show, false, t->style));
	as_grid_cell(g, as_diff_number(t->ar, new_, ev->decimals, show, false, t->style));
	as_grid_cell(g, as_diff_number(t->ar, new_ - base, ev->decimals, show, true, t->style));
	as_grid_cell(g, as_diff_percent(t->ar, base, new_));
}

void as_diff_cells(struct as_diff_print *t, const struct as_diff_fig *fig, uint32_t e)
{
	if (!fig->known) {
		nothing(t, e == t->event && t->has_noise ? 5 : 4);
		return;
	}
	pair(t, e, fig->value[AS_BASE], fig->value[AS_NEW]);
	if (e == t->event && t->has_noise)
		as_grid_cell(&t->grid, interval_text(t, fig, e));
}

void as_diff_rest_cells(struct as_diff_print *t, uint32_t e, as_val base, as_val new_)
{
	pair(t, e, base, new_);
	if (e == t->event && t->has_noise)
		as_grid_cell(&t->grid, as_slice_of(""));
}

unsigned as_diff_in(const struct as_diff *d, uint32_t row)
{
	return (as_diff_has(d, row, AS_BASE) ? 1u << AS_BASE : 0) |
	       (as_diff_has(d, row, AS_NEW) ? 1u << AS_NEW : 0);
}

const char *as_diff_row_word(
	const struct as_diff_event *ev, unsigned in, const struct as_diff_fig *fig)
{
	if (in == 1u << AS_NEW)
		return "appeared";
	if (in == 1u << AS_BASE)
		return "vanished";
	return fig->known ? as_diff_word(ev, fig->value[AS_BASE], fig->value[AS_NEW]) : "";
}

struct as_slice as_diff_verdict_text(
	struct as_diff_print *t, unsigned in, const struct as_diff_fig *fig)
{
	const char *word = as_diff_row_word(&t->d->event[t->event], in, fig);

	if (in == (1u << AS_BASE | 1u << AS_NEW) && fig->known && fig->verdict == AS_DIFF_NOISE)
		return as_slice_of(as_diff_sign(t, "\u2248", "~"));
	return as_arena_printf(t->ar, "%s%s", as_diff_doubt(t, fig->verdict), word);
}

enum as_paint as_diff_paint(const struct as_diff_print *t, const struct as_diff_fig *fig)
{
	as_val delta = fig->value[AS_NEW] - fig->value[AS_BASE];

	if (fig->verdict != AS_DIFF_SURE || !delta)
		return AS_PAINT_DIM;
	if (!t->d->event[t->event].is_work)
		return AS_PAINT_NONE;
	return delta > 0 ? AS_PAINT_WARM : AS_PAINT_GOOD;
}
