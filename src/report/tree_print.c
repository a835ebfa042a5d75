/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

enum { DEPTH, KIND, FUNC, SELF, INCL, OWN, AGAIN, ROWS, EVIDENCE, MORE };

/* OWN is INCL of a tree from the bottom up, where that is self cost. */
static const struct as_column columns[] = {
	{AS_COL_COUNT, AS_IN_DATA, DEPTH, "depth"},
	{AS_COL_TEXT, AS_IN_JSON, KIND, "kind"},
	{AS_COL_FUNC, AS_IN_DATA, FUNC, ""},
	{AS_COL_COSTS, AS_IN_CSV, SELF, "self"},
	{AS_COL_COSTS, AS_IN_DATA, INCL, "inclusive"},
	{AS_COL_COSTS, AS_IN_TEXT, INCL, "incl"},
	{AS_COL_COSTS, AS_IN_TEXT, OWN, "self"},
	{AS_COL_COSTS, AS_IN_JSON | AS_IN_TEXT, SELF, "self"},
	{AS_COL_FUNC, AS_IN_TEXT, FUNC, "function"},
	{AS_COL_BOOL, AS_IN_JSON, AGAIN, "recursive"},
	{AS_COL_COUNT, AS_IN_JSON, ROWS, "rows"},
	{AS_COL_TEXT, AS_IN_DATA, EVIDENCE, "evidence"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "functions"},
	{0},
};

struct printer {
	struct as_sheet sheet;
	const struct as_tree_report *r;
	bool any_estimate; /* is shown */
	bool too_deep;     /* a row stands for what is not shown as it is too deep */
};

static void tree_print_put_name(
	struct as_sheet *s, const struct as_tree_view *v, const struct as_tree_row *row)
{
	if (row->kind == AS_TREE_FUNC)
		as_sheet_func(s, FUNC, as_calltree_func(v->ct, row->key));
	else if (row->kind == AS_TREE_REST)
		as_sheet_title(
			s, FUNC, as_arena_printf(&s->grid.arena, "[%" PRIu64 " more]", row->n));
	else
		as_sheet_title(s, FUNC, as_slice_of("[no caller]"));
	s->name.indent = as_view_indent(row->depth);
	s->name.trail = row->again ? as_view_again(s->to.style) : NULL;
}

/* In text an estimate has a mark. */
static void tree_print_put_costs(
	struct printer *p, const struct as_tree_view *v, const struct as_tree_row *row)
{
	bool idle = row->evidence == AS_TREE_EXACT || row->idle, down = v->way == AS_TREE_CALLEES;
	struct as_sheet *s = &p->sheet;

	as_sheet_costs(s, INCL, v->value.p + row->cost);
	as_sheet_costs(s, OWN, v->value.p + row->cost);
	as_sheet_costs(s, SELF, down ? v->value.p + row->cost + v->ct->e : NULL);
	if (row->evidence == AS_TREE_ESTIMATED) {
		as_sheet_mark(s, INCL, AS_COST_ESTIMATED);
		as_sheet_mark(s, OWN, AS_COST_ESTIMATED);
	}
	if (!idle)
		as_sheet_mark(s, SELF, AS_COST_ESTIMATED);
	p->any_estimate |= row->evidence == AS_TREE_ESTIMATED || (down && !idle);
}

static void tree_print_put_row(
	struct printer *p, const struct as_tree_view *v, const struct as_tree_row *row)
{
	static const char *const kind[] = {"function", "rest", "no caller"};
	static const char *const evidence[] = {"exact", "inclusive", "estimated"};
	struct as_sheet *s = &p->sheet;

	as_assert((size_t)row->kind < AS_ARRAY_LEN(kind));
	as_assert((size_t)row->evidence < AS_ARRAY_LEN(evidence));
	if (row->kind == AS_TREE_REST && as_sheet_is(s, AS_FORM_CSV))
		return; /* rows, and nothing else */
	p->too_deep |= p->r->bounded && row->kind == AS_TREE_REST && row->depth == AS_VIEW_LEVELS;
	as_sheet_count(s, DEPTH, true, row->depth);
	as_sheet_text(s, KIND, as_slice_of(kind[row->kind]));
	tree_print_put_name(s, v, row);
	tree_print_put_costs(p, v, row);
	as_sheet_count(s, AGAIN, true, row->again);
	as_sheet_count(s, ROWS, true, row->kind == AS_TREE_REST ? (as_val)row->n : 1);
	as_sheet_text(s, EVIDENCE, as_slice_of(evidence[row->evidence]));
	as_sheet_row(s, NULL);
}

static void put_notes(const struct printer *p, const struct as_sheet_to *to)
{
	char text[96];

	snprintf(text, sizeof(text),
		"what is deeper than %d levels is summed up: all of it by --depth 0",
		AS_VIEW_LEVELS);
	if (p->too_deep)
		as_sheet_note(to, text);
	if (p->any_estimate)
		as_sheet_note(to,
			"estimated, where ~ is: these call paths were made out of calls; exact: "
			"assay peek");
}

enum as_code as_tree_print(const struct as_tree_report *r, const struct as_sheet_to *to)
{
	static const char *const way[] = {"callees", "callers", "bottom-up"};
	enum as_tree_way first = r->view[0].way;
	struct printer p = {.r = r};
	struct as_sheet *s = &p.sheet;
	enum as_code rc;

	as_assert(r->n_views && (size_t)first < AS_ARRAY_LEN(way));
	if (to->form == AS_FORM_TEXT && !r->paths.opts->n_events)
		return AS_OK;
	as_sheet_init(s, to, r->paths.prof, r->paths.opts, columns);
	as_sheet_hide(s, AS_IN_TEXT, first == AS_TREE_BOTTOM_UP ? INCL : OWN, true);
	as_sheet_hide(s, AS_IN_TEXT, SELF, first != AS_TREE_CALLEES);
	as_sheet_begin(s, "assay.tree/1", r->paths.shape);
	as_sheet_word(s, "way", as_slice_of(way[first]));
	as_sheet_rows(s, "rows");
	for (size_t i = 0; i < r->n_views; i++) {
		if (i)
			as_sheet_table_end(s);
		for (size_t k = 0; k < r->view[i].row.n; k++)
			tree_print_put_row(&p, &r->view[i], &r->view[i].row.p[k]);
	}
	as_sheet_list_end(s);
	as_sheet_count(s, MORE, true, (as_val)r->n_more);
	if (to->form == AS_FORM_JSON)
		as_sheet_row(s, "rest");
	rc = as_sheet_finish(s);
	put_notes(&p, to);
	return rc;
}
