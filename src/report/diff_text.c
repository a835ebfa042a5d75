/* SPDX-License-Identifier: Apache-2.0 */
/* `assay diff` for people. */
#include "report/diff_report.h"
#include "report/show.h"

enum { LISTED_MAX = 8 };

struct text {
	const struct as_diff_view *v;
	const struct as_diff *d;
	const struct as_style *style;
	struct as_arena *ar;
	struct as_out *out;
	struct as_grid grid;
	bool has_incl, has_where, has_noise;
	uint32_t event; /* the one of the rows' order */
};

static const char *sign_of(const struct text *t, const char *utf8, const char *ascii)
{
	return t->style->utf8 ? utf8 : ascii;
}

/* ---- above the table ---- */

static void label(struct text *t, const char *word)
{
	as_out_printf(t->out, "%s%-6s%s  ", as_paint_begin(t->style, AS_PAINT_HEAD), word,
		as_paint_end(t->style, AS_PAINT_HEAD));
}

static void say(struct text *t, const char *word, struct as_slice s)
{
	label(t, word);
	as_out_slice(t->out, s);
	as_out_char(t->out, '\n');
}

static void side_line(struct text *t, enum as_side side)
{
	size_t n = 0;

	label(t, side == AS_BASE ? "base" : "new");
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
static const char *doubt(const struct text *t, enum as_verdict verdict)
{
	if (verdict == AS_DIFF_NOISE)
		return sign_of(t, "\u2248 ", "~ ");
	return verdict == AS_DIFF_CHANCE ? "? " : "";
}

static void total_line(struct text *t, uint32_t e)
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

	label(t, "total");
	as_out_printf(t->out, "%.*s %s %.*s %.*s", AS_SLICE_FMT(a), sign_of(t, "\u2192", "->"),
		AS_SLICE_FMT(b), AS_SLICE_FMT(unit));
	if (ev->norm == AS_NORM_TOTAL && !t->d->is_filtered)
		as_out_text(t->out, ", the same by the rule");
	else
		as_out_printf(t->out, ", %.*s, %.*s %%: %s%s", AS_SLICE_FMT(delta),
			AS_SLICE_FMT(percent), doubt(t, fig.verdict), as_diff_word(ev, base, new_));
	as_out_char(t->out, '\n');
}

static void not_compared(struct text *t)
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

static void head(struct text *t)
{
	struct as_slice noise = as_diff_noise_line(t->ar, t->d);
	struct as_slice part = as_diff_filter_line(t->ar, t->d, t->event);
	struct as_slice odd = as_diff_totals_line(t->ar, t->d, t->event);

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

/* ---- the table ---- */

static const char *heading(struct text *t, const char *word, uint32_t e)
{
	struct as_slice unit = as_diff_unit(t->d, &t->d->event[e]);
	struct as_slice s = as_show_clean(t->ar, unit);

	s = as_arena_printf(
		t->ar, "%s%s %.*s", word, t->d->sort_inclusive ? " incl" : "", AS_SLICE_FMT(s));
	t->grid.oom |= !s.p;
	return s.p ? s.p : "";
}

static void columns(struct text *t)
{
	struct as_grid *g = &t->grid;
	enum as_by by = t->d->opts.by;

	for (uint32_t i = 0; i < t->v->n_events; i++) {
		uint32_t e = t->v->event[i];

		if (!t->d->event[e].is_fine)
			continue;
		as_grid_column(g, heading(t, "base", e), false, false);
		as_grid_column(g, heading(t, "new", e), false, false);
		as_grid_column(g, sign_of(t, "\u0394", "diff"), false, false);
		as_grid_column(g, "%", false, false);
		if (e == t->event && t->has_noise)
			as_grid_column(g, "95 % interval", false, false);
	}
	as_grid_column(g, "", true, false);
	as_grid_column(g,
		by == AS_BY_FILE     ? "file"
		: by == AS_BY_OBJECT ? "object"
				     : "function",
		true, true);
	if (t->has_where)
		as_grid_column(g, "where", true, true);
}

static struct as_slice interval_text(struct text *t, const struct as_diff_fig *fig, uint32_t e)
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

static void nothing(struct text *t, unsigned n)
{
	while (n--)
		as_grid_cell(&t->grid, as_slice_of("-"));
}

static void figure_cells(struct text *t, uint32_t row, uint32_t e)
{
	const struct as_diff_event *ev = &t->d->event[e];
	bool inclusive = t->d->sort_inclusive;
	struct as_diff_fig fig = as_diff_figure(t->d, row, e, inclusive);
	as_val base = fig.value[AS_BASE], new_ = fig.value[AS_NEW];
	unsigned show = as_diff_digits(ev);
	struct as_grid *g = &t->grid;

	if (!fig.known) {
		nothing(t, e == t->event && t->has_noise ? 5 : 4);
		return;
	}
	as_grid_cell(g, as_diff_number(t->ar, base, ev->decimals, show, false, t->style));
	as_grid_cell(g, as_diff_number(t->ar, new_, ev->decimals, show, false, t->style));
	as_grid_cell(g, as_diff_number(t->ar, new_ - base, ev->decimals, show, true, t->style));
	as_grid_cell(g, as_diff_percent(t->ar, base, new_));
	if (e == t->event && t->has_noise)
		as_grid_cell(g, interval_text(t, &fig, e));
}

static struct as_slice verdict_text(struct text *t, uint32_t row, const struct as_diff_fig *fig)
{
	const struct as_diff_event *ev = &t->d->event[t->event];
	const char *word = as_diff_word(ev, fig->value[AS_BASE], fig->value[AS_NEW]);

	if (!as_diff_has(t->d, row, AS_BASE))
		word = "appeared";
	else if (!as_diff_has(t->d, row, AS_NEW))
		word = "vanished";
	else if (!fig->known)
		word = "";
	else if (fig->verdict == AS_DIFF_NOISE)
		return as_slice_of(sign_of(t, "\u2248", "~"));
	return as_arena_printf(t->ar, "%s%s", doubt(t, fig->verdict), word);
}

static enum as_paint paint_of(const struct text *t, const struct as_diff_fig *fig)
{
	as_val delta = fig->value[AS_NEW] - fig->value[AS_BASE];

	if (fig->verdict != AS_DIFF_SURE || !delta)
		return AS_PAINT_DIM;
	if (!t->d->event[t->event].is_work)
		return AS_PAINT_NONE;
	return delta > 0 ? AS_PAINT_WARM : AS_PAINT_GOOD;
}

static void row_cells(struct text *t, uint32_t row)
{
	struct as_diff_fig fig = as_diff_figure(t->d, row, t->event, t->d->sort_inclusive);
	const struct as_diff_key *k = &t->d->key.p[row];

	as_grid_paint_row(&t->grid, paint_of(t, &fig));
	for (uint32_t i = 0; i < t->v->n_events; i++)
		if (t->d->event[t->v->event[i]].is_fine)
			figure_cells(t, row, t->v->event[i]);
	as_grid_cell(&t->grid, verdict_text(t, row, &fig));
	as_grid_cell(&t->grid, as_diff_row_name(t->ar, t->d, row));
	if (t->has_where)
		as_grid_cell(&t->grid, as_show_where(t->ar, as_diff_str(t->d, k->path), k->line));
}

/* Inclusive costs are no sum, so they have no rest. */
static void rest_cells(struct text *t)
{
	size_t n = t->d->key.n - as_diff_shown(t->v);

	for (uint32_t i = 0; i < t->v->n_events; i++) {
		uint32_t e = t->v->event[i];
		const struct as_diff_event *ev = &t->d->event[e];
		struct as_diff_rest rest;
		unsigned show = as_diff_digits(ev);
		as_val a, b;

		if (!ev->is_fine)
			continue;
		rest = as_diff_rest(t->v, e);
		a = rest.value[AS_BASE];
		b = rest.value[AS_NEW];
		as_grid_cell(
			&t->grid, as_diff_number(t->ar, a, ev->decimals, show, false, t->style));
		as_grid_cell(
			&t->grid, as_diff_number(t->ar, b, ev->decimals, show, false, t->style));
		as_grid_cell(
			&t->grid, as_diff_number(t->ar, b - a, ev->decimals, show, true, t->style));
		as_grid_cell(&t->grid, as_diff_percent(t->ar, a, b));
		if (e == t->event && t->has_noise)
			as_grid_cell(&t->grid, as_slice_of(""));
	}
	as_grid_cell(&t->grid, as_slice_of(""));
	as_grid_cell(&t->grid, as_arena_printf(t->ar, "[%zu more %s]", n, n == 1 ? "row" : "rows"));
	if (t->has_where)
		as_grid_cell(&t->grid, as_slice_of(""));
}

/* ---- below the table ---- */

/* What is on one side only, by cost: always said, wherever the table ends. */
static void one_sided(struct text *t, enum as_side lacks, const char *word, size_t n)
{
	const struct as_diff_event *ev = &t->d->event[t->event];
	enum as_side side = lacks == AS_BASE ? AS_NEW : AS_BASE;
	size_t listed = 0;
	as_val sum = 0;
	struct as_slice text;

	if (!n)
		return;
	for (uint32_t r = 0; r < t->d->key.n; r++)
		if (!as_diff_has(t->d, r, lacks))
			sum += as_diff_figure(t->d, r, t->event, false).value[side];
	text = as_diff_number(t->ar, sum, ev->decimals, as_diff_digits(ev), false, t->style);
	label(t, word);
	as_out_printf(t->out, "%zu, %.*s %.*s:", n, AS_SLICE_FMT(text),
		AS_SLICE_FMT(as_show_clean(t->ar, as_diff_unit(t->d, ev))));
	for (size_t i = 0; i < t->d->key.n && listed < LISTED_MAX; i++) {
		uint32_t row = t->d->order[i];

		if (as_diff_has(t->d, row, lacks))
			continue;
		as_out_printf(t->out, "%s %.*s", listed ? "," : "",
			AS_SLICE_FMT(as_diff_row_name(t->ar, t->d, row)));
		if (t->d->key.p[row].line)
			as_out_printf(t->out, ":%" PRIu64, t->d->key.p[row].line);
		listed++;
	}
	if (n > listed)
		as_out_printf(t->out, " and %zu more", n - listed);
	as_out_char(t->out, '\n');
}

enum as_code as_diff_text(
	const struct as_diff_view *v, struct as_out *out, const struct as_style *style)
{
	enum as_by by = v->d->opts.by;
	struct text t = {.v = v, .d = v->d, .style = style, .out = out, .event = v->d->sort_event};
	struct as_watch watch;
	enum as_code rc;

	as_watch_init(&watch, v->d->al);
	t.has_where = by != AS_BY_FILE && by != AS_BY_OBJECT;
	t.has_noise = t.d->event[t.event].noise != AS_NOISE_NONE;
	as_grid_init(&t.grid, &watch.al);
	t.ar = &t.grid.arena;
	head(&t);
	as_out_char(out, '\n');
	columns(&t);
	for (size_t i = 0; !t.grid.oom && i < as_diff_shown(v); i++)
		row_cells(&t, v->d->order[i]);
	if (!v->d->sort_inclusive && as_diff_shown(v) < v->d->key.n)
		rest_cells(&t);
	rc = as_grid_print(&t.grid, out, style);
	if (v->d->n_vanished + v->d->n_appeared)
		as_out_char(out, '\n');
	one_sided(&t, AS_NEW, "gone", v->d->n_vanished);
	one_sided(&t, AS_BASE, "added", v->d->n_appeared);
	as_grid_release(&t.grid);
	return rc == AS_OK ? as_watch_code(&watch) : rc;
}
