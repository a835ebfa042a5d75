/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

enum { NUMBER, MORE, KIND, ROW, FUNC, SELF, INCL, CALLS };

static const struct as_column columns[] = {
	{AS_COL_COUNT, AS_IN_JSON, NUMBER, "cycle"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "cycles"},
	{AS_COL_TEXT, AS_IN_CSV, KIND, "kind"},
	{AS_COL_COUNT, AS_IN_CSV, ROW, "row"},
	{AS_COL_FUNC, AS_IN_DATA, FUNC, ""},
	{AS_COL_COSTS, AS_IN_TEXT, INCL, "incl"},
	{AS_COL_COSTS, AS_IN_ALL, SELF, "self"},
	{AS_COL_COSTS, AS_IN_DATA, INCL, "inclusive"},
	{AS_COL_COUNT, AS_IN_ALL, CALLS, "calls"},
	{AS_COL_FUNC, AS_IN_TEXT, FUNC, "cycle"},
	{0},
};

static void put_member(struct as_sheet *s, const struct as_table *t, uint32_t row, size_t number)
{
	size_t at = (size_t)row * t->n_events;

	as_sheet_text(s, KIND, as_slice_of("member"));
	as_sheet_count(s, ROW, true, (as_val)number);
	as_sheet_func(s, FUNC, as_view_row(t, row));
	as_sheet_costs(s, SELF, t->self + at);
	as_sheet_costs(s, INCL, t->has_incl[row] ? t->incl + at : NULL);
	as_sheet_count(s, CALLS, t->has_calls[row], t->calls[row]);
	s->name.indent = 2;
	as_sheet_row(s, NULL);
}

/* In text a function that calls itself is one row. */
static void put_cycle(
	struct as_sheet *s, const struct as_cycles *all, const struct as_cycle *c, size_t number)
{
	const uint32_t *member = all->member.p + c->member;
	const as_val *self = all->value.p + c->cost;
	bool text = as_sheet_is(s, AS_FORM_TEXT);

	as_assert(c->n_members && c->member + c->n_members <= all->member.n);
	as_sheet_count(s, NUMBER, c->number != 0, c->number);
	as_sheet_text(s, KIND, as_slice_of("cycle"));
	as_sheet_count(s, ROW, true, (as_val)number);
	as_sheet_costs(s, SELF, self);
	as_sheet_costs(s, INCL, all->has_incl ? self + all->table->n_events : NULL);
	as_sheet_count(s, CALLS, c->has_calls, c->calls);
	if (text && c->number) {
		as_sheet_title(s, FUNC,
			as_arena_printf(&s->grid.arena,
				"<cycle %" PRIu32 "> of %" PRIu32 " functions", c->number,
				c->n_members));
	} else if (text) {
		as_sheet_func(s, FUNC, as_view_row(all->table, member[0]));
		s->name.trail = as_view_again(s->to.style);
	}
	as_sheet_row_begin(s, NULL);
	as_sheet_list(s, "members");
	for (size_t i = 0; i < c->n_members && (c->number || !text); i++)
		put_member(s, all->table, member[i], number);
	as_sheet_list_end(s);
	as_sheet_row_end(s);
}

enum as_code as_cycles_print(const struct as_cycles *c, const struct as_view_opts *opts,
	uint64_t limit, const struct as_sheet_to *to)
{
	const struct as_profile *prof = c->table->prof;
	size_t shown = as_sheet_limit(limit, c->cycle.n);
	struct as_sheet s;
	as_val *rest;

	if (to->form == AS_FORM_TEXT && !c->cycle.n)
		as_out_text(to->out, "no function calls itself, directly or round a circle\n");
	if (to->form == AS_FORM_TEXT && (!c->cycle.n || !opts->n_events))
		return AS_OK;
	as_sheet_init(&s, to, prof, opts, columns);
	as_sheet_hide(&s, AS_IN_TEXT, CALLS, !prof->call.n);
	as_sheet_begin(&s, "assay.cycles/1", NULL);
	as_sheet_rows(&s, "cycles");
	for (size_t i = 0; i < shown; i++)
		put_cycle(&s, c, &c->cycle.p[i], i + 1);
	as_sheet_list_end(&s);
	rest = as_sheet_sum(&s);
	for (size_t i = shown; i < c->cycle.n; i++)
		as_sheet_add(&s, rest, c->value.p + c->cycle.p[i].cost);
	as_sheet_rest(&s, (struct as_sheet_rest){MORE, SELF, FUNC}, c->cycle.n - shown, "", rest);
	return as_sheet_finish(&s);
}
