/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison: its sheet, and in what order it is printed. */
#include "report/diff/diff_print.h"

static const struct as_column columns[DIFF_COLUMNS] = {
	{AS_COL_COUNT, AS_IN_DATA, DIFF_DEPTH, "depth"},
	{AS_COL_TEXT, AS_IN_JSON, DIFF_KIND, "kind"},
	{AS_COL_COUNT, AS_IN_JSON, DIFF_ROWS, "rows"},
	{AS_COL_COUNT, AS_IN_JSON, DIFF_GROUP, "group"},
	{AS_COL_TEXT, AS_IN_DATA, DIFF_ROLE, "role"},
	{AS_COL_TEXT, AS_IN_DATA, DIFF_FUNCTION, "function"},
	{AS_COL_TEXT, AS_IN_DATA, DIFF_FILE, "file"},
	{AS_COL_ID, AS_IN_DATA, DIFF_LINE, "line"},
	{AS_COL_TEXT, AS_IN_DATA, DIFF_OBJECT, "object"},
	{AS_COL_TEXT, AS_IN_JSON, DIFF_TEXT, "text"},
	{AS_COL_TEXT, AS_IN_DATA, DIFF_IN, "in"},
	{AS_COL_FIGURES, AS_IN_ALL, DIFF_FIGURES, ""},
	{AS_COL_CHANGE, AS_IN_TEXT, DIFF_OTHERS, ""},
	{AS_COL_WORD, AS_IN_PAGE, DIFF_VERDICT, ""},
	{AS_COL_ID, AS_IN_TEXT, DIFF_LINE, "line"},
	{AS_COL_WORD, AS_IN_TEXT, DIFF_SOURCE, ""},
	{AS_COL_NAME, AS_IN_PAGE, DIFF_NAME, "function"},
	{AS_COL_PLACE, AS_IN_TEXT, DIFF_WHERE, "where"},
	{AS_COL_TEXT, AS_IN_JSON, DIFF_EVIDENCE, "evidence"},
};

static bool print_by_place(const struct as_diff *d)
{
	return d->opts.by == AS_BY_FILE || d->opts.by == AS_BY_OBJECT;
}

static const char *print_name_head(const struct as_diff_print *p)
{
	static const char *const md[] = {
		[AS_DIFF_TREE] = "call path",
		[AS_DIFF_LIST] = "line",
		[AS_DIFF_PEEK] = "caller, function, callee",
	};
	bool text = as_sheet_is(&p->sheet, AS_FORM_TEXT);

	if (p->v->kind != AS_DIFF_TABLE)
		return text ? "function" : md[p->v->kind];
	return text && !print_by_place(p->d) ? "function" : as_view_by(p->d->opts.by);
}

static void print_choose_columns(struct as_diff_print *p)
{
	enum as_diff_kind kind = p->v->kind;
	bool incl = p->sheet.incl, list = kind == AS_DIFF_LIST;
	struct as_sheet *s = &p->sheet;

	memcpy(p->column, columns, sizeof(columns));
	for (struct as_column *c = p->column; c->kind; c++) {
		if (c->kind == AS_COL_FIGURES)
			c->key = incl && !as_diff_is_up(p->v) ? "incl" : "";
		else if (c->kind == AS_COL_CHANGE)
			c->key = incl ? "self" : "incl";
		else if (c->slot == DIFF_NAME)
			c->key = print_name_head(p);
		if (c->slot == DIFF_NAME && print_by_place(p->d))
			c->kind = AS_COL_PLACE;
	}
	as_sheet_hide(s, AS_IN_CSV, DIFF_DEPTH, kind != AS_DIFF_TREE);
	as_sheet_hide(s, AS_IN_CSV, DIFF_ROLE, kind != AS_DIFF_PEEK);
	as_sheet_hide(
		s, AS_IN_PAGE, DIFF_OTHERS, !list && (kind != AS_DIFF_TREE || as_diff_is_up(p->v)));
	as_sheet_hide(s, AS_IN_TEXT, DIFF_LINE, !list);
	as_sheet_hide(s, AS_IN_TEXT, DIFF_SOURCE, !list);
	as_sheet_hide(s, AS_IN_TEXT, DIFF_NAME, list);
	as_sheet_hide(s, AS_IN_TEXT, DIFF_WHERE, list || print_by_place(p->d));
}

/* People get the event of the rows' order, a table as text those that were asked for. */
static void print_choose_events(struct as_diff_print *p)
{
	const struct as_diff_view *v = p->v;
	bool one = as_sheet_is(&p->sheet, AS_FORM_MARKDOWN) ||
		   (as_sheet_is(&p->sheet, AS_FORM_TEXT) && v->kind != AS_DIFF_TABLE);
	uint32_t *event = as_arena_get(&p->arena, (v->n_events + 1) * sizeof(*event));

	p->opts = (struct as_view_opts){.event = event, .sort_event = p->event};
	for (uint32_t i = 0; event && !one && i < v->n_events; i++)
		if (p->d->event[v->event[i]].is_fine)
			event[p->opts.n_events++] = v->event[i];
	if (event && one)
		event[p->opts.n_events++] = p->event;
	p->self = as_arena_get(&p->arena, (p->opts.n_events + 1) * sizeof(*p->self));
	p->incl = as_arena_get(&p->arena, (p->opts.n_events + 1) * sizeof(*p->incl));
}

static void print_init(
	struct as_diff_print *p, const struct as_diff_view *v, const struct as_sheet_to *to)
{
	as_assert(v->kind == AS_DIFF_TABLE || v->sub);
	as_assert(v->kind < AS_DIFF_LIST || v->lists);
	as_assert(v->d->order && (v->kind != AS_DIFF_TREE || v->tree));
	*p = (struct as_diff_print){.v = v, .d = v->d, .out = to->out, .event = v->d->sort_event};
	as_arena_init(&p->arena, v->d->al);
	as_sheet_init_plain(&p->sheet, to, v->d->al, p->column);
	p->style = p->sheet.to.style;
	print_choose_events(p);
	as_sheet_compare(&p->sheet, v->d, &p->opts,
		v->kind == AS_DIFF_TABLE ? v->d->sort_inclusive : v->kind != AS_DIFF_LIST);
	print_choose_columns(p);
}

static void print_all(struct as_diff_print *p)
{
	if (as_sheet_is_page(&p->sheet) && p->v->n_gates) {
		p->arena.failed |= as_gate_print(p->v, &p->sheet.to) != AS_OK;
		as_out_char(p->out, '\n');
	}
	if (as_sheet_is(&p->sheet, AS_FORM_JSON))
		as_diff_json_begin(p);
	else if (as_sheet_is(&p->sheet, AS_FORM_TEXT))
		as_diff_text_head(p);
	as_diff_rows(p);
	if (as_sheet_is(&p->sheet, AS_FORM_JSON))
		as_diff_json_end(p);
	else if (as_sheet_is(&p->sheet, AS_FORM_TEXT))
		as_diff_text_one_sided(p);
	else if (as_sheet_is(&p->sheet, AS_FORM_MARKDOWN))
		as_diff_md_end(p);
}

enum as_code as_diff_print(const struct as_diff_view *v, const struct as_sheet_to *to)
{
	struct as_sheet_to how = *to;
	struct as_diff_print p;
	enum as_code rc;

	if (to->form == AS_FORM_MARKDOWN)
		how.style = &as_grid_markdown;
	print_init(&p, v, &how);
	if (!p.arena.failed)
		print_all(&p);
	rc = as_sheet_finish(&p.sheet);
	rc = rc == AS_OK ? as_arena_code(&p.arena) : rc;
	as_arena_release(&p.arena);
	return rc;
}
