/* SPDX-License-Identifier: Apache-2.0 */
/* In text '<' is a caller, '*' the function, '>' a callee, as callgrind_annotate marks them. */
#include "report/answers.h"

enum { ROWS, ROLE, FUNC, SELF, INCL, MOST, CALLS, AGAIN, INNER, CYCLE, ENTRY, MORE };

static const struct as_column columns[] = {
	{AS_COL_COUNT, AS_IN_JSON, ROWS, "rows"},
	{AS_COL_TEXT, AS_IN_CSV, ROLE, "role"},
	{AS_COL_FUNC, AS_IN_DATA, FUNC, ""},
	{AS_COL_COSTS, AS_IN_TEXT, INCL, "incl"},
	{AS_COL_COSTS, AS_IN_ALL, SELF, "self"},
	{AS_COL_COSTS, AS_IN_DATA, INCL, "inclusive"},
	{AS_COL_COSTS, AS_IN_JSON, MOST, "inclusive_at_most"},
	{AS_COL_COUNT, AS_IN_ALL, CALLS, "calls"},
	{AS_COL_FUNC, AS_IN_TEXT, FUNC, "  function"},
	{AS_COL_BOOL, AS_IN_JSON, AGAIN, "recursive"},
	{AS_COL_BOOL, AS_IN_JSON, INNER, "inner"},
	{AS_COL_COUNT, AS_IN_JSON, CYCLE, "cycle"},
	{AS_COL_COSTS, AS_IN_JSON, ENTRY, "no_caller"},
	{AS_COL_COUNT, AS_IN_JSON, MORE, "functions"},
	{0},
};

/* The callers of a function, or its callees. */
struct side {
	const char *list, *rest, *role, *lead;
	const struct as_neighbour *nb;
	size_t n;
};

static bool has_calls(const struct as_sheet *s)
{
	return s->prof->call.n != 0;
}

/* Calls inside of a recursion cost again what their callers cost: that is no share of anything. */
static void put_neighbour(struct as_sheet *s, const struct side *side, const struct as_table *t,
	const struct as_neighbour *nb)
{
	as_sheet_text(s, ROLE, as_slice_of(side->role));
	as_sheet_func(s, FUNC, as_view_row(t, nb->row));
	as_sheet_costs(s, INCL, nb->cost);
	if (nb->inner && has_calls(s))
		as_sheet_mark(s, INCL, AS_COST_NO_SHARE);
	as_sheet_count(s, CALLS, has_calls(s), nb->count);
	as_sheet_count(s, INNER, true, nb->inner);
	s->name.lead = side->lead;
	s->name.trail = nb->inner ? as_view_again(s->to.style) : NULL;
	as_sheet_row(s, NULL);
}

static void peek_put_rest(struct as_sheet *s, const struct side *side, size_t shown)
{
	struct as_arena *ar = &s->grid.arena;
	as_val *sum = as_sheet_sum(s), count = 0;
	size_t n = side->n - shown;

	if (!as_sheet_is(s, AS_FORM_JSON) && !n)
		return;
	for (size_t i = shown; i < side->n; i++) {
		as_sheet_add(s, sum, side->nb[i].cost);
		count += side->nb[i].count;
	}
	if (as_sheet_is(s, AS_FORM_TEXT))
		as_sheet_title(s, FUNC,
			as_arena_printf(ar, "%s[%zu more %s%s]", side->lead, n, side->role,
				n == 1 ? "" : "s"));
	else if (as_sheet_is(s, AS_FORM_CSV))
		as_sheet_title(s, FUNC, as_arena_printf(ar, "[%zu more rows]", n));
	as_sheet_count(s, ROWS, true, (as_val)n);
	as_sheet_text(s, ROLE, as_slice_of(side->role));
	as_sheet_costs(s, INCL, sum);
	as_sheet_count(s, CALLS, has_calls(s), count);
	as_sheet_row(s, side->rest);
}

static void put_side(struct as_sheet *s, const struct as_peek_view *v,
	const struct as_neighbours *nb, const struct side *side)
{
	size_t shown = as_sheet_limit(v->rows, side->n);

	if (!nb->known) {
		as_sheet_word(s, side->list, as_slice_of(""));
		return;
	}
	as_sheet_list(s, side->list);
	for (size_t i = 0; i < shown; i++)
		put_neighbour(s, side, nb->table, &side->nb[i]);
	as_sheet_list_end(s);
	peek_put_rest(s, side, shown);
}

/* A row for cost that came by no caller; in text only if there is some of the event that is
 * shown. */
static void peek_put_entry(struct as_sheet *s, const struct as_neighbours *nb)
{
	bool any = false, text = as_sheet_is(s, AS_FORM_TEXT);

	for (uint32_t i = 0; nb->has_entry && nb->caller.n && i < s->opts->n_events; i++)
		any |= (!text || s->opts->event[i] == s->event) &&
		       nb->entry[s->opts->event[i]] != 0;
	if (!any)
		return;
	as_sheet_text(s, ROLE, as_slice_of("caller"));
	as_sheet_title(s, FUNC, as_slice_of(text ? "< [no caller]" : "[no caller]"));
	as_sheet_costs(s, INCL, nb->entry);
	as_sheet_row(s, NULL);
}

static void put_own(struct as_sheet *s, const struct as_neighbours *nb)
{
	const struct as_table *t = nb->table;
	const as_val *incl = t->incl + (size_t)nb->row * t->n_events;
	const as_val *most = as_table_most(t, nb->row);

	as_assert(nb->row < t->n);
	as_sheet_text(s, ROLE, as_slice_of("function"));
	as_sheet_func(s, FUNC, as_view_row(t, nb->row));
	as_sheet_costs(s, SELF, t->self + (size_t)nb->row * t->n_events);
	as_sheet_costs(s, INCL, t->has_incl[nb->row] ? incl : NULL);
	if (most)
		as_sheet_costs(s, MOST, most);
	if (as_sheet_is(s, AS_FORM_TEXT) && most && most[s->event] > incl[s->event]) {
		as_sheet_costs(s, INCL, most);
		as_sheet_mark(s, INCL, AS_COST_AT_MOST);
	}
	as_sheet_count(s, CALLS, t->has_calls[nb->row] && has_calls(s), t->calls[nb->row]);
	as_sheet_count(s, AGAIN, true, t->recursive[nb->row]);
	as_sheet_count(s, CYCLE, t->key[nb->row].cycle != 0, t->key[nb->row].cycle);
	as_sheet_costs(s, ENTRY, nb->has_entry ? nb->entry : NULL);
	s->name.lead = "* ";
	s->name.trail = t->recursive[nb->row] ? as_view_again(s->to.style) : NULL;
}

/* In JSON the callers are in the function, elsewhere above it. */
static void peek_put_func(
	struct as_sheet *s, const struct as_peek_view *v, const struct as_neighbours *nb)
{
	const struct side from = {
		"callers", "callers_rest", "caller", "< ", nb->caller.p, nb->caller.n};
	const struct side to = {
		"callees", "callees_rest", "callee", "> ", nb->callee.p, nb->callee.n};

	if (!as_sheet_is(s, AS_FORM_JSON)) {
		peek_put_entry(s, nb);
		put_side(s, v, nb, &from);
	}
	put_own(s, nb);
	as_sheet_row_begin(s, NULL);
	if (as_sheet_is(s, AS_FORM_JSON))
		put_side(s, v, nb, &from);
	put_side(s, v, nb, &to);
	as_sheet_row_end(s);
}

/* ---- text: why the rows do not add up, where they do not ---- */

/* Whether the costs of one side, and OWN, add up to the inclusive cost. */
static bool adds_up(const struct as_neighbours *all, uint32_t event, const struct as_neighbour *nb,
	size_t n, as_val own)
{
	const struct as_table *t = all->table;
	as_val sum = own;

	for (size_t i = 0; i < n; i++)
		sum += nb[i].cost[event];
	return sum == t->incl[(size_t)all->row * t->n_events + event];
}

static const char *peek_note(const struct as_neighbours *nb, uint32_t event)
{
	const struct as_table *t = nb->table;
	as_val self = t->self[(size_t)nb->row * t->n_events + event];
	bool inner = false;

	for (size_t i = 0; i < nb->caller.n; i++)
		inner |= nb->caller.p[i].inner;
	if (!nb->known)
		return "callers and callees are not known: the profile says where, not who called";
	if (t->key[nb->row].cycle)
		return "part of a cycle: at the most what its calls cost passes through it, "
		       "for sure its self cost and its calls that leave the cycle "
		       "(assay cycles)";
	if (inner)
		return "it calls itself: that is no part of the sums of the other rows";
	if (!t->recursive[nb->row] && adds_up(nb, event, nb->callee.p, nb->callee.n, self) &&
		(!nb->has_entry ||
			adds_up(nb, event, nb->caller.p, nb->caller.n, nb->entry[event])))
		return NULL;
	return nb->has_entry && t->prof->sample.node.n
		       ? "recursion: a path counts for each pair of functions on it once, so "
			 "the rows add up to more"
		       : "the calls do not add up to the inclusive cost: so it was recorded";
}

static void peek_put_block(
	struct as_sheet *s, const struct as_peek_view *v, const struct as_neighbours *nb)
{
	const char *why;

	peek_put_func(s, v, nb);
	if (!as_sheet_is(s, AS_FORM_TEXT))
		return;
	as_sheet_table_end(s);
	why = peek_note(nb, s->event);
	if (why)
		as_sheet_note(&s->to, why);
}

enum as_code as_peek_print(const struct as_peek_view *v, const struct as_sheet_to *to)
{
	struct as_sheet s;

	if (to->form == AS_FORM_TEXT && !v->opts->n_events)
		return AS_OK;
	as_sheet_init(&s, to, v->prof, v->opts, columns);
	as_sheet_hide(&s, AS_IN_TEXT, CALLS, !has_calls(&s));
	as_sheet_begin(&s, "assay.peek/1", NULL);
	as_sheet_rows(&s, "functions");
	for (size_t i = 0; i < v->n_funcs; i++)
		peek_put_block(&s, v, &v->func[i]);
	as_sheet_list_end(&s);
	as_sheet_count(&s, MORE, true, (as_val)v->n_more);
	if (to->form == AS_FORM_JSON)
		as_sheet_row(&s, "rest");
	return as_sheet_finish(&s);
}
