/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a comparison, for all forms; diff_funcs.c has lines of source as text. */
#include "report/diff/diff_print.h"

#include "report/kit/show.h"

/* ---- figures ---- */

static const struct as_diff_fig *rows_figures(const struct as_diff_print *p,
	const struct as_diff *of, uint32_t row, bool inclusive, struct as_diff_fig *fig)
{
	for (uint32_t i = 0; i < p->opts.n_events; i++)
		fig[i] = as_diff_figure(of, row, p->opts.event[i], inclusive);
	return fig;
}

/* "slower", "≈", "vanished" ... */
static struct as_slice rows_verdict(struct as_diff_print *p, const struct as_diff *of, uint32_t row,
	const struct as_diff_fig *fig)
{
	const char *doubt = as_diff_doubt(p->style, fig->verdict), *word = "";
	bool both = as_diff_has(of, row, AS_BASE) && as_diff_has(of, row, AS_NEW);

	if (!both)
		word = as_diff_has(of, row, AS_NEW) ? "appeared" : "vanished";
	else if (fig->known && fig->verdict == AS_DIFF_NOISE)
		return (struct as_slice){doubt, strlen(doubt) - 1};
	else if (fig->known)
		word = as_diff_word(
			&p->d->event[p->event], fig->value[AS_BASE], fig->value[AS_NEW]);
	if (as_sheet_is(&p->sheet, AS_FORM_MARKDOWN) && fig->verdict == AS_DIFF_SAME)
		doubt = *word ? "= " : "=";
	return as_arena_printf(&p->sheet.grid.arena, "%s%s", doubt, word);
}

static enum as_paint rows_paint(const struct as_diff_print *p, const struct as_diff_fig *fig)
{
	as_val delta = fig->value[AS_NEW] - fig->value[AS_BASE];

	if (fig->verdict != AS_DIFF_SURE || !delta)
		return AS_PAINT_DIM;
	if (!p->d->event[p->event].is_work)
		return AS_PAINT_NONE;
	return delta > 0 ? AS_PAINT_WARM : AS_PAINT_GOOD;
}

/* What people are told of the event of the order, be it shown or not. */
static void rows_put_verdict(struct as_diff_print *p, const struct as_diff *of, uint32_t row)
{
	uint32_t first = as_view_first(&p->opts);
	struct as_diff_fig fig;

	if (p->opts.n_events && p->opts.event[first] == p->event)
		fig = (p->sheet.incl ? p->incl : p->self)[first];
	else
		fig = as_diff_figure(of, row, p->event, p->sheet.incl);
	as_sheet_paint(&p->sheet, rows_paint(p, &fig));
	as_sheet_text(&p->sheet, DIFF_VERDICT, rows_verdict(p, of, row, &fig));
}

void as_diff_put_figures(
	struct as_diff_print *p, const struct as_diff *of, uint32_t row, bool has_self)
{
	struct as_sheet *s = &p->sheet;
	bool page = as_sheet_is_page(&p->sheet), both = !page || !(s->hidden >> DIFF_OTHERS & 1);
	struct as_sheet_figures figures = {NULL, NULL};

	if (has_self && (both || !s->incl))
		figures.self = rows_figures(p, of, row, false, p->self);
	if (both || s->incl)
		figures.incl = rows_figures(p, of, row, true, p->incl);
	as_sheet_figures(s, DIFF_FIGURES, figures);
	as_sheet_figures(s, DIFF_OTHERS, figures);
	if (page)
		rows_put_verdict(p, of, row);
	else
		as_sheet_text(s, DIFF_IN,
			as_slice_of(!as_diff_has(of, row, AS_BASE)  ? "new"
				    : !as_diff_has(of, row, AS_NEW) ? "base"
								    : "both"));
}

/* ---- functions ---- */

static void rows_put_key(struct as_diff_print *p, struct as_diff_row_key key, uint64_t line)
{
	as_sheet_text_or_null(&p->sheet, DIFF_FUNCTION, key.function);
	as_sheet_text_or_null(&p->sheet, DIFF_FILE, key.file);
	as_sheet_count(&p->sheet, DIFF_LINE, line != 0, (as_val)line);
	as_sheet_text_or_null(&p->sheet, DIFF_OBJECT, key.object);
}

static void rows_put_func(struct as_diff_print *p, uint32_t func, uint64_t line)
{
	struct as_sheet *s = &p->sheet;
	struct as_arena *ar = &s->grid.arena;

	as_assert(func < p->d->key.n);
	if (!as_sheet_is_page(&p->sheet)) {
		rows_put_key(p, as_diff_key_of(p->d, func), line);
		return;
	}
	as_sheet_text(s, DIFF_NAME, as_diff_row_name(ar, p->d, func));
	as_sheet_text(
		s, DIFF_WHERE, as_show_where(ar, as_diff_str(p->d, p->d->key.p[func].path), line));
}

/* What is no function. */
static void rows_put_title(struct as_diff_print *p, struct as_slice title)
{
	rows_put_key(p, (struct as_diff_row_key){.object = {0}}, 0);
	as_sheet_title(&p->sheet, as_sheet_is_page(&p->sheet) ? DIFF_NAME : DIFF_FUNCTION, title);
}

static void rows_put_place(struct as_diff_print *p, uint32_t func)
{
	if (func == AS_DIFF_NO_CALLER)
		rows_put_title(p, as_slice_of("[no caller]"));
	else
		rows_put_func(p, func, 0);
}

/* "[3 more rows]"; Markdown has no brackets. */
static void rows_put_more(struct as_diff_print *p, uint64_t n, const char *what)
{
	struct as_arena *ar = &p->sheet.grid.arena;

	if (as_sheet_is(&p->sheet, AS_FORM_MARKDOWN))
		rows_put_title(p, as_arena_printf(ar, "%" PRIu64 " more", n));
	else
		rows_put_title(p, as_arena_printf(ar, "[%" PRIu64 " more%s]", n, what));
}

/* Costs that are no row's: all that is known is how much. */
static void rows_put_sum(struct as_diff_print *p, uint32_t i, const as_val *value)
{
	struct as_sheet *s = &p->sheet;
	struct as_diff_fig *fig = s->incl ? p->incl : p->self;

	fig[i] = (struct as_diff_fig){.known = true, .value = {value[AS_BASE], value[AS_NEW]}};
	as_sheet_figures(s, DIFF_FIGURES,
		(struct as_sheet_figures){s->incl ? NULL : p->self, s->incl ? p->incl : NULL});
	as_sheet_mark(s, DIFF_FIGURES, AS_COST_NO_NOISE);
}

/* ---- the table ---- */

/* Inclusive costs are no sum, so they have no rest. */
static void rows_table_rest(struct as_diff_print *p)
{
	size_t n = p->d->key.n - as_diff_shown(p->v);
	as_val rest[AS_SIDES];

	as_assert(as_diff_shown(p->v) <= p->d->key.n);
	for (uint32_t i = 0; i < p->opts.n_events; i++) {
		as_diff_rest(p->v, p->opts.event[i], rest);
		rows_put_sum(p, i, rest);
	}
	rows_put_more(p, n, n == 1 ? " row" : " rows");
	as_sheet_row(&p->sheet, NULL);
}

static void rows_table(struct as_diff_print *p)
{
	bool is_sum = as_sheet_is_page(&p->sheet) && !p->sheet.incl;
	struct as_diff_fig total;

	for (size_t i = 0; i < as_diff_shown(p->v); i++) {
		uint32_t row = as_diff_shown_row(p->v, i);

		rows_put_func(p, row, p->d->key.p[row].line);
		as_diff_put_figures(p, p->d, row, true);
		as_sheet_row(&p->sheet, NULL);
	}
	if (is_sum && as_diff_shown(p->v) < p->d->key.n)
		rows_table_rest(p);
	if (is_sum && as_sheet_is(&p->sheet, AS_FORM_MARKDOWN)) {
		total = as_diff_total(p->d, p->event);
		rows_put_sum(p, 0, total.value);
		rows_put_title(p, as_slice_of("**total**"));
		as_sheet_row(&p->sheet, NULL);
	}
}

/* ---- the tree ---- */

static bool rows_is_exact(const struct as_diff_print *p, const struct as_diff_tree_row *r)
{
	if (r->row == AS_DIFF_REST)
		return !p->d->is_estimated || (!r->depth && p->v->sub->way == AS_TREE_BOTTOM_UP);
	return as_diff_sub_is_exact(p->v->sub, r->row);
}

static void rows_put_rest(struct as_diff_print *p, const struct as_diff_tree_row *r)
{
	for (uint32_t i = 0; i < p->opts.n_events; i++)
		rows_put_sum(p, i, as_diff_tree_rest(p->v->tree, r, p->opts.event[i]));
	rows_put_more(p, r->n, "");
	as_sheet_text_or_null(&p->sheet, DIFF_IN, as_slice_of(""));
	as_sheet_paint(&p->sheet, AS_PAINT_DIM);
}

/* Ways up have no self costs. CSV has rows, and nothing else. */
static void rows_tree_row(struct as_diff_print *p, const struct as_diff_tree_row *r)
{
	const struct as_diff_sub *sub = p->v->sub;
	struct as_sheet *s = &p->sheet;
	const char *kind = "rest";

	if (as_sheet_is(s, AS_FORM_CSV) && r->row == AS_DIFF_REST)
		return;
	as_assert(r->row == AS_DIFF_REST || r->row < sub->place.n);
	if (r->row == AS_DIFF_REST) {
		rows_put_rest(p, r);
	} else {
		uint32_t func = sub->place.p[r->row].func;

		kind = func == AS_DIFF_NO_CALLER ? "no_caller" : "function";
		rows_put_place(p, func);
		as_diff_put_figures(p, &sub->fig, r->row, sub->way == AS_TREE_CALLEES);
	}
	s->name.indent =
		as_sheet_is(s, AS_FORM_TEXT) ? as_view_indent(r->depth) : 2 * (size_t)r->depth;
	as_sheet_count(s, DIFF_DEPTH, true, r->depth);
	as_sheet_text(s, DIFF_KIND, as_slice_of(kind));
	as_sheet_count(s, DIFF_ROWS, true, (as_val)r->n);
	as_sheet_text(s, DIFF_EVIDENCE, as_slice_of(rows_is_exact(p, r) ? "exact" : "estimated"));
	as_sheet_row(s, NULL);
}

/* ---- lines ---- */

static struct as_slice rows_md_line(
	struct as_diff_print *p, const struct as_diff_place *place, struct as_slice text)
{
	while (text.len && (text.p[0] == ' ' || text.p[0] == '\t'))
		text = as_slice_skip(text, 1);
	return as_arena_printf(&p->sheet.grid.arena, "%.*s:%" PRIu64 "%s%.*s",
		AS_SLICE_FMT(as_diff_str(p->d, place->base)), place->line, text.len ? "  " : "",
		AS_SLICE_FMT(text));
}

static void rows_line(struct as_diff_print *p, uint32_t func, uint32_t row)
{
	const struct as_diff_place *place = &p->v->sub->place.p[row];
	const struct as_diff_source *source = p->v->source;
	struct as_slice path = as_diff_str(p->d, place->path), text = as_slice_of("");
	struct as_diff_row_key key = as_diff_key_of(p->d, func);
	struct as_sheet *s = &p->sheet;
	bool known = source && !as_sheet_is(s, AS_FORM_CSV) &&
		     source->line(source->ctx, path, place->line, &text);

	key.file = path;
	rows_put_key(p, key, place->line);
	if (known)
		as_sheet_text(s, DIFF_TEXT, text);
	else
		as_sheet_text_or_null(s, DIFF_TEXT, as_slice_of(""));
	if (as_sheet_is_page(&p->sheet))
		as_sheet_text(s, DIFF_NAME, rows_md_line(p, place, known ? text : as_slice_of("")));
	as_diff_put_figures(p, &p->v->sub->fig, row, true);
}

static void rows_lines(struct as_diff_print *p, size_t group)
{
	struct as_diff_list list;

	p->arena.failed |= !as_diff_lists_lines(p->v->lists, p->v->func[group], &list);
	for (size_t i = 0; !p->arena.failed && i < list.n; i++) {
		as_sheet_count(&p->sheet, DIFF_GROUP, true, (as_val)group);
		rows_line(p, p->v->func[group], list.row[i]);
		as_sheet_row(&p->sheet, NULL);
	}
	as_sheet_table_end(&p->sheet);
}

/* ---- callers and callees ---- */

enum rows_role { ROWS_CALLER, ROWS_FUNCTION, ROWS_CALLEE };

static void rows_call(struct as_diff_print *p, size_t group, enum rows_role role, uint32_t row)
{
	static const char *const word[] = {"caller", "function", "callee"};
	static const char *const text[] = {"  < ", NULL, "  > "};
	static const char *const md[] = {"&lt; ", NULL, "&gt; "};
	const struct as_diff_place *place = &p->v->sub->place.p[row];
	struct as_sheet *s = &p->sheet;

	as_sheet_count(s, DIFF_GROUP, true, (as_val)group);
	as_sheet_text(s, DIFF_ROLE, as_slice_of(word[role]));
	s->name.lead = (as_sheet_is(s, AS_FORM_TEXT) ? text : md)[role];
	if (role == ROWS_FUNCTION) {
		rows_put_func(p, row, 0);
		as_diff_put_figures(p, p->d, row, true);
		as_sheet_paint(s, AS_PAINT_HEAD);
	} else {
		rows_put_place(p, role == ROWS_CALLER ? place->up : place->func);
		as_diff_put_figures(p, &p->v->sub->fig, row, false);
	}
	as_sheet_row(s, NULL);
}

static void rows_calls(struct as_diff_print *p, size_t group)
{
	uint32_t func = p->v->func[group];
	struct as_diff_list from, to;

	if (!as_diff_lists_callers(p->v->lists, func, &from) ||
		!as_diff_lists_callees(p->v->lists, func, &to)) {
		p->arena.failed = true;
		return;
	}
	for (size_t i = 0; i < from.n; i++)
		rows_call(p, group, ROWS_CALLER, from.row[i]);
	/* Of a function whose inclusive cost is not known text has the self cost. */
	if (as_sheet_is(&p->sheet, AS_FORM_TEXT))
		p->sheet.incl = as_diff_figure(p->d, func, p->event, true).known;
	rows_call(p, group, ROWS_FUNCTION, func);
	p->sheet.incl = true;
	for (size_t i = 0; i < to.n; i++)
		rows_call(p, group, ROWS_CALLEE, to.row[i]);
	as_sheet_table_end(&p->sheet);
}

/* ---- all of them ---- */

static void rows_func_head(struct as_diff_print *p, size_t i)
{
	struct as_sheet *s = &p->sheet;

	if (as_sheet_is(s, AS_FORM_TEXT)) {
		as_diff_func_head(p, p->v->func[i], !i);
	} else if (as_sheet_is(s, AS_FORM_MARKDOWN)) {
		as_out_printf(p->out, "%s#### ", i ? "\n" : "");
		as_grid_code(p->out, &p->arena, as_diff_row_name(&p->arena, p->d, p->v->func[i]));
		as_out_text(p->out, "\n\n");
	}
}

static void rows_func(struct as_diff_print *p, size_t i)
{
	bool list = p->v->kind == AS_DIFF_LIST;

	rows_func_head(p, i);
	if (list && as_sheet_is(&p->sheet, AS_FORM_TEXT)) {
		as_diff_func_source(p, p->v->func[i]);
		return;
	}
	if (as_sheet_is_page(&p->sheet))
		as_sheet_table(&p->sheet);
	if (list)
		rows_lines(p, i);
	else
		rows_calls(p, i);
}

void as_diff_rows(struct as_diff_print *p)
{
	enum as_diff_kind kind = p->v->kind;
	struct as_sheet *s = &p->sheet;

	if (kind == AS_DIFF_TABLE || kind == AS_DIFF_TREE || !as_sheet_is_page(&p->sheet))
		as_sheet_rows(s, "rows");
	if (kind == AS_DIFF_TABLE)
		rows_table(p);
	for (size_t i = 0; kind == AS_DIFF_TREE && i < p->v->tree->row.n; i++)
		rows_tree_row(p, &p->v->tree->row.p[i]);
	for (size_t i = 0; i < p->v->n_funcs && !p->arena.failed; i++)
		rows_func(p, i);
	as_sheet_list_end(s);
	if (kind == AS_DIFF_TABLE || kind == AS_DIFF_TREE)
		as_sheet_table_end(s);
	else if (!p->v->n_funcs && as_sheet_is(s, AS_FORM_TEXT))
		as_out_text(p->out, "[no function differs]\n");
}
