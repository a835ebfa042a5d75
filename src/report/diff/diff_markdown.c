/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison as Markdown, for reviews. */
#include "report/diff/diff_report.h"
#include "report/kit/show.h"

static const struct as_style plain = {.group = true, .utf8 = true};

/* In a cell '|' would end it, and '`' the code. */
static void code(struct as_out *out, struct as_arena *ar, struct as_slice s)
{
	struct as_slice clean = as_show_clean(ar, s);

	as_out_char(out, '`');
	for (size_t i = 0; clean.p && i < clean.len; i++) {
		if (clean.p[i] == '|')
			as_out_text(out, "\\|");
		else
			as_out_char(out, clean.p[i] == '`' ? '\'' : clean.p[i]);
	}
	as_out_char(out, '`');
}

static void number(struct as_out *out, struct as_arena *ar, const struct as_diff_event *ev,
	as_val v, bool sign)
{
	struct as_slice s = as_diff_number(ar, v, ev->decimals, as_diff_digits(ev), sign, &plain);

	as_out_printf(out, " %.*s |", AS_SLICE_FMT(s));
}

static void figures(struct as_out *out, struct as_arena *ar, const struct as_diff_event *ev,
	as_val base, as_val new_)
{
	struct as_slice percent = as_diff_percent(ar, base, new_);

	number(out, ar, ev, base, false);
	number(out, ar, ev, new_, false);
	number(out, ar, ev, new_ - base, true);
	as_out_printf(out, " %.*s%s |", AS_SLICE_FMT(percent), base ? " %" : "");
}

/* ---- gates ---- */

static void gate_row(const struct as_diff_view *v, struct as_out *out, struct as_arena *ar,
	const char *mark, const struct as_gate_check *c)
{
	struct as_slice why = as_gate_why(ar, v->d, c);

	as_out_text(out, "| ");
	code(out, ar, c->node->text);
	as_out_printf(out, " | %.*s | %s |\n", AS_SLICE_FMT(why), mark);
}

enum as_code as_gate_markdown(const struct as_diff_view *v, struct as_out *out)
{
	static const char *const mark[] = {
		"\u2713 pass", "\u2248 noise", "\u2717 trip", "! incomparable"};
	struct as_watch watch;
	struct as_arena ar;

	as_watch_init(&watch, v->d->al);
	as_arena_init(&ar, &watch.al);
	as_out_text(out, "| fail if | base \u2192 new | verdict |\n| --- | --- | --- |\n");
	for (size_t i = 0; i < v->n_gates; i++) {
		const struct as_gate_result *r = &v->gate[i];

		if (r->n > 1) {
			as_out_text(out, "| ");
			code(out, &ar, r->gate->text);
			as_out_printf(out, " | | **%s** |\n", mark[r->verdict]);
		}
		for (size_t k = 0; k < r->n; k++)
			gate_row(v, out, &ar, mark[r->check[k].verdict], &r->check[k]);
	}
	as_out_char(out, '\n');
	as_arena_release(&ar);
	return as_watch_code(&watch);
}

/* ---- rows ---- */

/* A row of the table, and what the views show as one. */
struct row {
	const struct as_diff *of; /* whose figures */
	uint32_t row, func;       /* FUNC: of the comparison */
	bool inclusive;
	unsigned indent;
	const char *mark;     /* before the name */
	struct as_slice text; /* instead of the name, if it has any */
};

static void table_row(
	const struct as_diff_view *v, struct as_out *out, struct as_arena *ar, const struct row *r)
{
	static const char *const mark[] = {"=", "\u2248", "?", ""};
	const struct as_diff *d = v->d;
	const struct as_diff_event *ev = &d->event[d->sort_event];
	struct as_diff_fig fig = as_diff_figure(r->of, r->row, d->sort_event, r->inclusive);
	const char *word = as_diff_word(ev, fig.value[AS_BASE], fig.value[AS_NEW]);

	if (!as_diff_has(r->of, r->row, AS_BASE))
		word = "appeared";
	else if (!as_diff_has(r->of, r->row, AS_NEW))
		word = "vanished";
	else if (fig.verdict == AS_DIFF_NOISE || !fig.known)
		word = "";
	as_out_char(out, '|');
	if (fig.known)
		figures(out, ar, ev, fig.value[AS_BASE], fig.value[AS_NEW]);
	else
		as_out_text(out, " - | - | - | - |");
	as_out_printf(out, " %s%s%s | %s", mark[fig.verdict],
		mark[fig.verdict][0] && word[0] ? " " : "", word, r->mark ? r->mark : "");
	for (unsigned i = 0; i < r->indent; i++)
		as_out_text(out, "&nbsp;&nbsp;");
	if (r->func == AS_DIFF_NO_CALLER)
		as_out_text(out, "[no caller]");
	else
		code(out, ar, r->text.len ? r->text : as_diff_row_name(ar, d, r->func));
	as_out_text(out, " |\n");
}

static void table_head(const struct as_diff_view *v, struct as_out *out, struct as_arena *ar,
	bool inclusive, const char *what)
{
	struct as_slice unit =
		as_show_clean(ar, as_diff_unit(v->d, &v->d->event[v->d->sort_event]));
	const char *incl = inclusive ? " incl" : "";

	as_out_printf(out,
		"| base%s %.*s | new%s %.*s | \u0394 | \u0394 %% | | %s |\n"
		"| ---: | ---: | ---: | ---: | --- | --- |\n",
		incl, AS_SLICE_FMT(unit), incl, AS_SLICE_FMT(unit), what);
}

static void table(const struct as_diff_view *v, struct as_out *out, struct as_arena *ar)
{
	const struct as_diff *d = v->d;
	const struct as_diff_event *ev = &d->event[d->sort_event];
	struct as_diff_rest rest = as_diff_rest(v, d->sort_event);
	struct as_diff_fig total = as_diff_total(d, d->sort_event);

	table_head(v, out, ar, d->sort_inclusive, as_diff_by(d));
	for (size_t i = 0; i < as_diff_shown(v); i++) {
		struct row r = {.of = d,
			.row = d->order[i],
			.func = d->order[i],
			.inclusive = d->sort_inclusive};

		table_row(v, out, ar, &r);
	}
	if (rest.n && !d->sort_inclusive) {
		as_out_char(out, '|');
		figures(out, ar, ev, rest.value[AS_BASE], rest.value[AS_NEW]);
		as_out_printf(out, " | %zu more |\n", rest.n);
	}
	if (d->sort_inclusive)
		return;
	as_out_char(out, '|');
	figures(out, ar, ev, total.value[AS_BASE], total.value[AS_NEW]);
	as_out_text(out, " | **total** |\n");
}

/* ---- the other views ---- */

static void tree(const struct as_diff_view *v, struct as_out *out, struct as_arena *ar)
{
	const struct as_diff_event *ev = &v->d->event[v->d->sort_event];

	table_head(v, out, ar, v->sub->way == AS_TREE_CALLEES, "call path");
	for (size_t i = 0; i < v->tree->row.n; i++) {
		const struct as_diff_tree_row *t = &v->tree->row.p[i];
		struct row r = {
			.of = &v->sub->fig, .row = t->row, .inclusive = true, .indent = t->depth};
		const as_val *rest;

		if (t->row != AS_DIFF_REST) {
			r.func = v->sub->place.p[t->row].func;
			table_row(v, out, ar, &r);
			continue;
		}
		rest = as_diff_tree_rest(v->tree, t, v->d->sort_event);
		as_out_char(out, '|');
		figures(out, ar, ev, rest[AS_BASE], rest[AS_NEW]);
		as_out_text(out, " | ");
		for (unsigned k = 0; k < t->depth; k++)
			as_out_text(out, "&nbsp;&nbsp;");
		as_out_printf(out, "%" PRIu64 " more |\n", t->n);
	}
}

static enum as_code lines(
	const struct as_diff_view *v, struct as_out *out, struct as_arena *ar, uint32_t func)
{
	const struct as_diff_source *s = v->source;
	struct as_diff_list list;

	if (!as_diff_lists_lines(v->lists, func, &list))
		return AS_E_NOMEM;
	table_head(v, out, ar, false, "line");
	for (size_t i = 0; i < list.n; i++) {
		const struct as_diff_place *p = &v->sub->place.p[list.row[i]];
		struct as_slice text = as_slice_of(""), path = as_diff_str(v->d, p->path);
		struct row r = {.of = &v->sub->fig, .row = list.row[i], .func = func};

		if (!s->line(s->ctx, path, p->line, &text))
			text = as_slice_of("");
		while (text.len && (text.p[0] == ' ' || text.p[0] == '\t'))
			text = as_slice_skip(text, 1);
		r.text = as_arena_printf(ar, "%.*s:%" PRIu64 "%s%.*s",
			AS_SLICE_FMT(as_diff_str(v->d, p->base)), p->line, text.len ? "  " : "",
			AS_SLICE_FMT(text));
		table_row(v, out, ar, &r);
	}
	return AS_OK;
}

static enum as_code calls(
	const struct as_diff_view *v, struct as_out *out, struct as_arena *ar, uint32_t func)
{
	struct as_diff_list from, to;
	struct row r = {.of = &v->sub->fig, .inclusive = true};

	if (!as_diff_lists_callers(v->lists, func, &from) ||
		!as_diff_lists_callees(v->lists, func, &to))
		return AS_E_NOMEM;
	table_head(v, out, ar, true, "caller, function, callee");
	for (size_t i = 0; i < from.n; i++) {
		r.row = from.row[i];
		r.func = v->sub->place.p[r.row].up;
		r.mark = "&lt; ";
		table_row(v, out, ar, &r);
	}
	table_row(v, out, ar, &(struct row){v->d, func, func, true, 0, "", as_slice_of("")});
	for (size_t i = 0; i < to.n; i++) {
		r.row = to.row[i];
		r.func = v->sub->place.p[r.row].func;
		r.mark = "&gt; ";
		table_row(v, out, ar, &r);
	}
	return AS_OK;
}

static enum as_code rows(const struct as_diff_view *v, struct as_out *out, struct as_arena *ar)
{
	enum as_code rc = AS_OK;

	if (v->kind == AS_DIFF_TABLE)
		table(v, out, ar);
	else if (v->kind == AS_DIFF_TREE)
		tree(v, out, ar);
	for (size_t i = 0; i < v->n_funcs && rc == AS_OK; i++) {
		as_out_printf(out, "%s#### ", i ? "\n" : "");
		code(out, ar, as_diff_row_name(ar, v->d, v->func[i]));
		as_out_text(out, "\n\n");
		rc = v->kind == AS_DIFF_LIST ? lines(v, out, ar, v->func[i])
					     : calls(v, out, ar, v->func[i]);
	}
	return rc;
}

enum as_code as_diff_markdown(const struct as_diff_view *v, struct as_out *out)
{
	struct as_watch watch;
	struct as_arena ar;
	struct as_slice rule, noise, part, odd, moved;
	enum as_code rc;

	if (v->n_gates)
		AS_TRY(as_gate_markdown(v, out));
	as_watch_init(&watch, v->d->al);
	as_arena_init(&ar, &watch.al);
	rc = rows(v, out, &ar);
	rule = as_diff_rule(&ar, v->d, v->d->sort_event);
	noise = as_diff_noise_line(&ar, v->sub ? &v->sub->fig : v->d);
	as_out_printf(out, "\nScale: %.*s.\n", AS_SLICE_FMT(rule));
	part = as_diff_filter_line(&ar, v->d, v->d->sort_event);
	if (part.len)
		as_out_printf(out, "Filter: %.*s.\n", AS_SLICE_FMT(part));
	moved = as_diff_moved_line(&ar, v->d, "\xe2\x86\x92");
	if (moved.len)
		as_out_printf(out, "Object: %.*s.\n", AS_SLICE_FMT(moved));
	odd = as_diff_totals_line(&ar, v->d, v->d->sort_event);
	if (odd.len)
		as_out_printf(out, "Note: %.*s.\n", AS_SLICE_FMT(odd));
	if (v->d->is_estimated)
		as_out_text(out, "Estimated: which way cost took was made out of calls.\n");
	if (noise.len)
		as_out_printf(out, "Noise: %.*s.\n", AS_SLICE_FMT(noise));
	as_arena_release(&ar);
	return rc == AS_OK ? as_watch_code(&watch) : rc;
}
