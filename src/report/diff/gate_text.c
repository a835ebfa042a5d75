/* SPDX-License-Identifier: Apache-2.0 */
/* What became of the conditions of a gate. */
#include "report/diff/diff_print.h"
#include "report/kit/show.h"

const char *as_gate_word(enum as_gate_verdict verdict)
{
	static const char *const word[] = {"pass", "noise", "trip", "incomparable"};

	as_assert((size_t)verdict < AS_ARRAY_LEN(word));
	return word[verdict];
}

/* " (95 %: -3.1 .. +7.2 %)" of the change; empty where nothing is uncertain. */
static struct as_slice gate_interval(
	struct as_arena *ar, const struct as_diff_event *ev, const struct as_diff_fig *fig)
{
	static const struct as_style plain = {0};
	as_val base = fig->value[AS_BASE];
	struct as_slice lo, hi;

	if (ev->noise == AS_NOISE_NONE)
		return as_slice_of("");
	if (base > 0)
		return as_arena_printf(ar, " (95 %%: %.*s .. %.*s %%)",
			AS_SLICE_FMT(as_diff_percent(ar, base, base + fig->lo)),
			AS_SLICE_FMT(as_diff_percent(ar, base, base + fig->hi)));
	lo = as_diff_number(ar, ev, fig->lo, true, &plain);
	hi = as_diff_number(ar, ev, fig->hi, true, &plain);
	return as_arena_printf(ar, " (95 %%: %.*s .. %.*s)", AS_SLICE_FMT(lo), AS_SLICE_FMT(hi));
}

static struct as_slice gate_figures(
	struct as_arena *ar, const struct as_diff *d, const struct as_gate_check *c)
{
	static const struct as_style plain = {.group = true};
	const struct as_diff_event *ev = c->ev;
	as_val base = c->fig.value[AS_BASE], new_ = c->fig.value[AS_NEW];
	struct as_slice unit = as_show_clean(ar, as_diff_unit(d, ev));
	struct as_slice noise = gate_interval(ar, ev, &c->fig);

	if (!base)
		return as_arena_printf(ar, "0 -> %.*s %.*s%.*s",
			AS_SLICE_FMT(as_diff_number(ar, ev, new_, false, &plain)),
			AS_SLICE_FMT(unit), AS_SLICE_FMT(noise));
	return as_arena_printf(ar, "%.*s %.*s, %.*s %%%.*s",
		AS_SLICE_FMT(as_diff_pair(ar, ev, c->fig.value, &plain)), AS_SLICE_FMT(unit),
		AS_SLICE_FMT(as_diff_percent(ar, base, new_)), AS_SLICE_FMT(noise));
}

struct as_slice as_gate_why(
	struct as_arena *ar, const struct as_diff *d, const struct as_gate_check *c)
{
	if (c->why.len)
		return as_show_clean(ar, c->why);
	if (!c->fig.known)
		return as_slice_of("");
	if (c->verdict == AS_GATE_NOISE)
		return as_arena_printf(ar, "%.*s: the limit is within the noise",
			AS_SLICE_FMT(gate_figures(ar, d, c)));
	return gate_figures(ar, d, c);
}

/* ---- as text and Markdown ---- */

enum { GATE_MARK, GATE_TEXT, GATE_WHY };

static const struct as_column columns[] = {
	{AS_COL_WORD, AS_IN_TEXT, GATE_MARK, ""},
	{AS_COL_WORD, AS_IN_TEXT, GATE_TEXT, "fail if"},
	{AS_COL_WORD, AS_IN_TEXT, GATE_WHY, ""},
	{AS_COL_NAME, AS_IN_MARKDOWN, GATE_TEXT, "fail if"},
	{AS_COL_WORD, AS_IN_MARKDOWN, GATE_WHY, "base \u2192 new"},
	{AS_COL_WORD, AS_IN_MARKDOWN, GATE_MARK, "verdict"},
	{0},
};

static struct as_slice gate_mark(
	struct as_sheet *s, const char *around, enum as_gate_verdict verdict)
{
	static const char *const utf8[] = {
		"\u2713 pass", "\u2248 noise", "\u2717 trip", "! incomparable"};

	return as_arena_printf(&s->grid.arena, "%s%s%s", around,
		s->to.style->utf8 ? utf8[verdict] : as_gate_word(verdict),
		as_sheet_is(s, AS_FORM_MARKDOWN) ? around : "");
}

/* A gate, and its conditions if they are several; in Markdown they alone have reasons. */
static void gate_rows(struct as_sheet *s, const struct as_diff *d, const struct as_gate_result *r)
{
	static const enum as_paint paint[] = {
		AS_PAINT_GOOD, AS_PAINT_WARM, AS_PAINT_BAD, AS_PAINT_BAD};
	bool md = as_sheet_is(s, AS_FORM_MARKDOWN), several = r->n > 1;
	struct as_arena *ar = &s->grid.arena;

	as_assert(r->n);
	if (several || !md) {
		as_sheet_paint(s, paint[r->verdict]);
		as_sheet_text(s, GATE_MARK, gate_mark(s, md ? "**" : "", r->verdict));
		as_sheet_text(s, GATE_TEXT, as_show_clean(ar, r->gate->text));
		if (!several)
			as_sheet_text(s, GATE_WHY, as_gate_why(ar, d, &r->check[0]));
		as_sheet_row(s, NULL);
	}
	for (size_t k = 0; (several || md) && k < r->n; k++) {
		const struct as_gate_check *c = &r->check[k];
		struct as_slice text = as_show_clean(ar, c->node->text);

		as_sheet_text(s, GATE_MARK, gate_mark(s, md ? "" : "  ", c->verdict));
		as_sheet_text(s, GATE_TEXT,
			as_arena_printf(ar, "%s%.*s", md ? "" : "  ", AS_SLICE_FMT(text)));
		as_sheet_text(s, GATE_WHY, as_gate_why(ar, d, c));
		as_sheet_row(s, NULL);
	}
}

enum as_code as_gate_print(const struct as_diff_view *v, const struct as_sheet_to *to)
{
	struct as_sheet s;

	as_sheet_init_plain(&s, to, v->d->al, columns);
	as_sheet_rows(&s, NULL);
	for (size_t i = 0; i < v->n_gates; i++)
		gate_rows(&s, v->d, &v->gate[i]);
	return as_sheet_finish(&s);
}
