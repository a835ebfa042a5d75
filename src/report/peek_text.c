/* SPDX-License-Identifier: Apache-2.0 */
/* `assay peek` for people. '<' is a caller, '*' the function, '>' a callee, as
 * callgrind_annotate marks them. */
#include "report/kit/show.h"
#include "report/peek.h"

struct block {
	const struct as_peek_view *v;
	const struct as_neighbours *nb;
	const struct as_style *style;
	struct as_grid grid;
	uint32_t event; /* that is shown */
	as_val total;
	bool has_calls;
};

static void nothing(struct block *b, size_t n)
{
	while (n--)
		as_grid_cell(&b->grid, as_slice_of(""));
}

static void unknown(struct block *b, size_t n)
{
	while (n--)
		as_grid_cell(&b->grid, as_slice_of("-"));
}

static void name_cells(struct block *b, const char *lead, uint32_t row, bool again)
{
	struct as_arena *ar = &b->grid.arena;
	struct as_view_func f = as_view_row(b->nb->table, row);

	as_grid_marked(&b->grid, (struct as_grid_cell){.text = as_view_name(ar, f),
					 .lead = lead,
					 .trail = again ? as_view_again(b->style) : NULL});
	as_grid_cell(&b->grid, as_view_where(ar, f));
}

/* Calls inside of a recursion cost again what their callers cost: that is no share of anything. */
static void neighbour(struct block *b, const char *lead, const struct as_neighbour *n)
{
	as_val cost = n->cost[b->event];

	if (n->inner && b->v->prof->call.n) {
		as_grid_cell(
			&b->grid, as_show_in(&b->grid.arena, cost, &b->v->opts->unit, b->style));
		unknown(b, 1);
	} else {
		as_view_pair(&b->grid, cost, b->total, b->v->opts, b->style);
	}
	nothing(b, 2);
	if (b->has_calls)
		as_grid_cell(&b->grid, as_show_val(&b->grid.arena, n->count, b->style));
	name_cells(b, lead, n->row, n->inner);
}

static void sum_cells(struct block *b, as_val cost, as_val count, struct as_slice name)
{
	as_view_pair(&b->grid, cost, b->total, b->v->opts, b->style);
	nothing(b, 2);
	if (b->has_calls && count >= 0)
		as_grid_cell(&b->grid, as_show_val(&b->grid.arena, count, b->style));
	else
		nothing(b, b->has_calls);
	as_grid_cell(&b->grid, name);
	nothing(b, 1);
}

static void side(struct block *b, const char *lead, const struct as_neighbour *nb, size_t n)
{
	size_t limit = b->v->rows && n > b->v->rows ? b->v->rows : n;
	as_val cost = 0, count = 0;

	for (size_t i = 0; i < limit; i++)
		neighbour(b, lead, &nb[i]);
	for (size_t i = limit; i < n; i++) {
		cost += nb[i].cost[b->event];
		count += nb[i].count;
	}
	if (limit < n)
		sum_cells(b, cost, count,
			as_arena_printf(&b->grid.arena, "%s[%zu more %s%s]", lead, n - limit,
				*lead == '<' ? "caller" : "callee", n - limit == 1 ? "" : "s"));
}

static void function_cells(struct block *b)
{
	const struct as_table *t = b->nb->table;
	size_t at = (size_t)b->nb->row * t->n_events + b->event;
	const as_val *most = as_table_most(t, b->nb->row);

	if (most && most[b->event] > t->incl[at])
		as_view_at_most(&b->grid, most[b->event], b->total, &b->v->opts->unit, b->style);
	else if (t->has_incl[b->nb->row])
		as_view_pair(&b->grid, t->incl[at], b->total, b->v->opts, b->style);
	else
		unknown(b, 2);
	as_view_pair(&b->grid, t->self[at], b->total, b->v->opts, b->style);
	if (b->has_calls && t->has_calls[b->nb->row])
		as_grid_cell(&b->grid, as_show_val(&b->grid.arena, t->calls[b->nb->row], b->style));
	else
		unknown(b, b->has_calls);
	name_cells(b, "* ", b->nb->row, t->recursive[b->nb->row]);
}

static void columns(struct block *b)
{
	struct as_slice name = as_str_get(b->v->prof, b->v->prof->event.p[b->event].name);
	struct as_grid *g = &b->grid;

	as_grid_column(g, as_view_head(g, "incl", name), false, AS_FIT_WHOLE);
	as_grid_column(g, "%", false, AS_FIT_WHOLE);
	as_grid_column(g, as_view_head(g, "self", name), false, AS_FIT_WHOLE);
	as_grid_column(g, "%", false, AS_FIT_WHOLE);
	if (b->has_calls)
		as_grid_column(g, "calls", false, AS_FIT_WHOLE);
	as_grid_column(g, "  function", true, AS_FIT_NAME);
	as_grid_column(g, "where", true, AS_FIT_PLACE);
}

static bool any_inner(const struct as_neighbour *nb, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (nb[i].inner)
			return true;
	return false;
}

/* Whether the costs of one side, and OWN, add up to the inclusive cost. */
static bool adds_up(const struct block *b, const struct as_neighbour *nb, size_t n, as_val own)
{
	const struct as_table *t = b->nb->table;
	as_val sum = own;

	for (size_t i = 0; i < n; i++)
		sum += nb[i].cost[b->event];
	return sum == t->incl[(size_t)b->nb->row * t->n_events + b->event];
}

/* Why the rows do not add up, where they do not. */
static void notes(const struct block *b, struct as_out *out)
{
	const struct as_neighbours *nb = b->nb;
	const struct as_table *t = nb->table;
	as_val self = t->self[(size_t)nb->row * t->n_events + b->event];
	const char *why = NULL;

	if (!nb->known)
		why = "callers and callees are not known: the profile says where, not who called";
	else if (t->key[nb->row].cycle)
		why = "part of a cycle: at the most what its calls cost passes through it, "
		      "for sure its self cost and its calls that leave the cycle "
		      "(assay cycles)";
	else if (any_inner(nb->caller.p, nb->caller.n))
		why = "it calls itself: that is no part of the sums of the other rows";
	else if (t->recursive[nb->row] || !adds_up(b, nb->callee.p, nb->callee.n, self) ||
		 (nb->has_entry && !adds_up(b, nb->caller.p, nb->caller.n, nb->entry[b->event])))
		why = nb->has_entry && b->v->prof->sample.node.n
			      ? "recursion: a path counts for each pair of functions on it once, "
				"so "
				"the rows add up to more"
			      : "the calls do not add up to the inclusive cost: so it was recorded";
	if (!why)
		return;
	as_out_text(out, as_paint_begin(b->style, AS_PAINT_DIM));
	as_out_text(out, why);
	as_out_text(out, as_paint_end(b->style, AS_PAINT_DIM));
	as_out_char(out, '\n');
}

static enum as_code print_block(struct block *b, struct as_out *out)
{
	const struct as_neighbours *nb = b->nb;
	enum as_code rc;

	as_grid_init(&b->grid, b->v->prof->al);
	columns(b);
	if (nb->has_entry && nb->entry[b->event] && nb->caller.n)
		sum_cells(b, nb->entry[b->event], -1, as_slice_of("< [no caller]"));
	side(b, "< ", nb->caller.p, nb->caller.n);
	function_cells(b);
	side(b, "> ", nb->callee.p, nb->callee.n);
	rc = as_grid_print(&b->grid, out, b->style);
	as_grid_release(&b->grid);
	if (rc == AS_OK)
		notes(b, out);
	return rc;
}

enum as_code as_peek_text(
	const struct as_peek_view *v, struct as_out *out, const struct as_style *style)
{
	for (size_t i = 0; i < v->n_funcs; i++) {
		struct block b = {.v = v, .nb = &v->func[i], .style = style};

		if (!v->opts->n_events)
			return AS_OK;
		b.event = v->opts->event[as_view_first(v->opts)];
		b.total = as_whole(v->prof)[b.event];
		b.has_calls = v->prof->call.n != 0;
		if (i)
			as_out_char(out, '\n');
		AS_TRY(print_block(&b, out));
	}
	return AS_OK;
}
