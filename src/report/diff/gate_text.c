/* SPDX-License-Identifier: Apache-2.0 */
/* What became of the conditions of a gate. */
#include "report/diff/diff_report.h"
#include "report/kit/show.h"

const char *as_gate_word(enum as_gate_verdict verdict)
{
	static const char *const word[] = {"pass", "noise", "trip", "incomparable"};

	return word[verdict];
}

/* " (95 %: -3.1 .. +7.2 %)" of the change; empty where nothing is uncertain. */
static struct as_slice interval(
	struct as_arena *ar, const struct as_diff_event *ev, const struct as_diff_fig *fig)
{
	static const struct as_style plain = {0};
	as_val base = fig->value[AS_BASE];
	struct as_slice lo, hi;

	if (ev->noise == AS_NOISE_NONE)
		return as_slice_of("");
	lo = as_diff_percent(ar, base, base + fig->lo);
	hi = as_diff_percent(ar, base, base + fig->hi);
	if (base > 0 && lo.p && hi.p)
		return as_arena_printf(
			ar, " (95 %%: %.*s .. %.*s %%)", AS_SLICE_FMT(lo), AS_SLICE_FMT(hi));
	lo = as_diff_number(ar, fig->lo, ev->decimals, as_diff_digits(ev), true, &plain);
	hi = as_diff_number(ar, fig->hi, ev->decimals, as_diff_digits(ev), true, &plain);
	return as_arena_printf(ar, " (95 %%: %.*s .. %.*s)", AS_SLICE_FMT(lo), AS_SLICE_FMT(hi));
}

static struct as_slice figures(
	struct as_arena *ar, const struct as_diff *d, const struct as_gate_check *c)
{
	static const struct as_style plain = {.group = true};
	const struct as_diff_event *ev = &d->event[c->event];
	as_val base = c->fig.value[AS_BASE], new_ = c->fig.value[AS_NEW];
	unsigned show = as_diff_digits(ev);
	struct as_slice a = as_diff_number(ar, base, ev->decimals, show, false, &plain);
	struct as_slice b = as_diff_number(ar, new_, ev->decimals, show, false, &plain);
	struct as_slice change = as_diff_percent(ar, base, new_);
	struct as_slice unit = as_show_clean(ar, as_diff_unit(d, ev));
	struct as_slice noise = interval(ar, ev, &c->fig);

	if (base)
		return as_arena_printf(ar, "%.*s -> %.*s %.*s, %.*s %%%.*s", AS_SLICE_FMT(a),
			AS_SLICE_FMT(b), AS_SLICE_FMT(unit), AS_SLICE_FMT(change),
			AS_SLICE_FMT(noise));
	return as_arena_printf(
		ar, "0 -> %.*s %.*s%.*s", AS_SLICE_FMT(b), AS_SLICE_FMT(unit), AS_SLICE_FMT(noise));
}

struct as_slice as_gate_why(
	struct as_arena *ar, const struct as_diff *d, const struct as_gate_check *c)
{
	if (c->why.len)
		return as_show_clean(ar, c->why);
	if (!c->fig.known)
		return as_slice_of("");
	if (c->verdict == AS_GATE_NOISE)
		return as_arena_printf(
			ar, "%.*s: the limit is within the noise", AS_SLICE_FMT(figures(ar, d, c)));
	return figures(ar, d, c);
}

static const char *mark(const struct as_style *style, enum as_gate_verdict verdict)
{
	static const char *const utf8[] = {
		"\u2713 pass", "\u2248 noise", "\u2717 trip", "! incomparable"};

	return style->utf8 ? utf8[verdict] : as_gate_word(verdict);
}

static enum as_paint paint_of(enum as_gate_verdict verdict)
{
	static const enum as_paint paint[] = {
		AS_PAINT_GOOD, AS_PAINT_WARM, AS_PAINT_BAD, AS_PAINT_BAD};

	return paint[verdict];
}

static void result_rows(struct as_grid *g, const struct as_diff *d, const struct as_gate_result *r,
	const struct as_style *style)
{
	struct as_arena *ar = &g->arena;

	as_grid_paint_row(g, paint_of(r->verdict));
	as_grid_cell(g, as_slice_of(mark(style, r->verdict)));
	as_grid_cell(g, as_show_clean(ar, r->gate->text));
	as_grid_cell(g, r->n == 1 ? as_gate_why(ar, d, &r->check[0]) : as_slice_of(""));
	for (size_t k = 0; r->n > 1 && k < r->n; k++) {
		const struct as_gate_check *c = &r->check[k];
		struct as_slice text = as_show_clean(ar, c->node->text);

		as_grid_cell(g, as_arena_printf(ar, "  %s", mark(style, c->verdict)));
		as_grid_cell(g, as_arena_printf(ar, "  %.*s", AS_SLICE_FMT(text)));
		as_grid_cell(g, as_gate_why(ar, d, c));
	}
}

enum as_code as_gate_text(
	const struct as_diff_view *v, struct as_out *out, const struct as_style *style)
{
	struct as_watch watch;
	struct as_grid g;
	enum as_code rc;

	as_watch_init(&watch, v->d->al);
	as_grid_init(&g, &watch.al);
	as_grid_column(&g, "", true, AS_FIT_WHOLE);
	as_grid_column(&g, "fail if", true, AS_FIT_WHOLE);
	as_grid_column(&g, "", true, AS_FIT_WHOLE);
	for (size_t i = 0; i < v->n_gates; i++)
		result_rows(&g, v->d, &v->gate[i], style);
	rc = as_grid_print(&g, out, style);
	as_grid_release(&g);
	return rc == AS_OK ? as_watch_code(&watch) : rc;
}
