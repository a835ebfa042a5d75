/* SPDX-License-Identifier: Apache-2.0 */
/* `assay graph` for programs. Functions are numbered from 1, as they are in DOT. */
#include "report/answers.h"

/* Slots: what a row is; its costs; what is left out. */
enum { KIND, ID, FROM, TO, FUNC, NUMBER, CYCLE, MEMBERS, COSTS };
enum { SELF = COSTS, INCL, MOST, CALLS, AGAIN, INNER, MORE_NODES, MORE_MEMBERS, MORE_EDGES };

static const struct as_column columns[] = {
	{AS_COL_TEXT, AS_IN_CSV, KIND, "kind"},
	{AS_COL_ID, AS_IN_JSON, ID, "id"},
	{AS_COL_ID, AS_IN_DATA, FROM, "from"},
	{AS_COL_ID, AS_IN_DATA, TO, "to"},
	{AS_COL_FUNC, AS_IN_DATA, FUNC, ""},
	{AS_COL_COUNT, AS_IN_JSON, MORE_NODES, "nodes"},
	{AS_COL_ID, AS_IN_JSON, NUMBER, "cycle"},
	{AS_COL_ID, AS_IN_CSV, CYCLE, "cycle"},
	{AS_COL_COSTS, AS_IN_DATA, SELF, "self"},
	{AS_COL_COSTS, AS_IN_DATA, INCL, "inclusive"},
	{AS_COL_COSTS, AS_IN_JSON, MOST, "inclusive_at_most"},
	{AS_COL_COUNT, AS_IN_DATA, CALLS, "calls"},
	{AS_COL_BOOL, AS_IN_JSON, AGAIN, "recursive"},
	{AS_COL_BOOL, AS_IN_JSON, INNER, "inner"},
	{AS_COL_ID, AS_IN_JSON, CYCLE, "cycle"},
	{AS_COL_LIST, AS_IN_JSON, MEMBERS, "members"},
	{AS_COL_COUNT, AS_IN_JSON, MORE_MEMBERS, "more_members"},
	{AS_COL_COUNT, AS_IN_JSON, MORE_EDGES, "edges"},
	{0},
};

static void graph_put_node(struct as_sheet *s, const struct as_callgraph *g, size_t i)
{
	const struct as_table *t = g->table;
	uint32_t row = g->node.p[i], comp = g->comp[row];
	uint32_t cycle = comp ? g->cycles.cycle.p[comp - 1].number : 0;
	size_t at = (size_t)row * t->n_events;

	as_sheet_text(s, KIND, as_slice_of("node"));
	as_sheet_count(s, as_sheet_is(s, AS_FORM_CSV) ? FROM : ID, true, (as_val)i + 1);
	as_sheet_func(s, FUNC, as_view_row(t, row));
	as_sheet_costs(s, SELF, t->self + at);
	as_sheet_costs(s, INCL, t->has_incl[row] ? t->incl + at : NULL);
	if (as_table_most(t, row))
		as_sheet_costs(s, MOST, as_table_most(t, row));
	as_sheet_count(s, CALLS, t->has_calls[row], t->calls[row]);
	as_sheet_count(s, AGAIN, true, t->recursive[row]);
	as_sheet_count(s, CYCLE, cycle != 0, cycle);
	as_sheet_row(s, NULL);
}

static void graph_put_edge(
	struct as_sheet *s, const struct as_callgraph *g, const struct as_edge *e)
{
	as_assert(g->place[e->from] && g->place[e->to]); /* both are drawn */
	as_sheet_text(s, KIND, as_slice_of("edge"));
	as_sheet_count(s, FROM, true, g->place[e->from]);
	as_sheet_count(s, TO, true, g->place[e->to]);
	as_sheet_costs(s, INCL, e->cost);
	as_sheet_count(s, CALLS, s->prof->call.n != 0, e->count);
	as_sheet_count(s, INNER, true, as_callgraph_is_inner(g, e));
	as_sheet_row(s, NULL);
}

/* How many members of the cycle number I are drawn; their numbers as elements of J, if any. */
static uint32_t graph_members(const struct as_callgraph *g, size_t i, struct as_json *j)
{
	const struct as_cycle *c = &g->cycles.cycle.p[i];
	uint32_t drawn = 0;

	for (uint32_t k = 0; k < c->n_members; k++) {
		uint32_t place = g->place[g->cycles.member.p[c->member + k]];

		if (place && j)
			as_json_val(j, NULL, place);
		drawn += place != 0;
	}
	return drawn;
}

static void graph_put_members(const void *ctx, struct as_json *j, as_val i)
{
	graph_members(ctx, (size_t)i, j);
}

static void graph_put_cycle(struct as_sheet *s, const struct as_callgraph *g, size_t i)
{
	const struct as_cycle *c = &g->cycles.cycle.p[i];
	const as_val *self = g->cycles.value.p + c->cost;
	uint32_t drawn = graph_members(g, i, NULL);

	if (!drawn || !c->number)
		return;
	as_sheet_count(s, NUMBER, true, c->number);
	as_sheet_costs(s, SELF, self);
	as_sheet_costs(s, INCL, g->cycles.has_incl ? self + g->table->n_events : NULL);
	as_sheet_count(s, CALLS, c->has_calls, c->calls);
	as_sheet_list_of(s, MEMBERS, graph_put_members, g, (as_val)i);
	as_sheet_count(s, MORE_MEMBERS, true, c->n_members - drawn);
	as_sheet_row(s, NULL);
}

static void graph_put_rest(struct as_sheet *s, const struct as_callgraph *g)
{
	if (as_sheet_is(s, AS_FORM_CSV) && !g->more_nodes)
		return;
	as_sheet_text(s, KIND, as_slice_of("rest"));
	if (as_sheet_is(s, AS_FORM_CSV))
		as_sheet_title(s, FUNC,
			as_arena_printf(&s->grid.arena, "[%" PRIu64 " more]", g->more_nodes));
	as_sheet_count(s, MORE_NODES, true, (as_val)g->more_nodes);
	as_sheet_costs(s, SELF, g->rest);
	as_sheet_count(s, MORE_EDGES, true, (as_val)g->more_edges);
	as_sheet_row(s, "rest");
}

enum as_code as_graph_data(
	const struct as_callgraph *g, const struct as_view_opts *opts, const struct as_sheet_to *to)
{
	struct as_sheet s;

	as_sheet_init(&s, to, g->table->prof, opts, columns);
	as_sheet_begin(&s, "assay.graph/1", NULL);
	as_sheet_rows(&s, "nodes");
	for (size_t i = 0; i < g->node.n; i++)
		graph_put_node(&s, g, i);
	as_sheet_list_end(&s);
	as_sheet_list(&s, "edges");
	for (size_t i = 0; i < g->edge.n; i++)
		graph_put_edge(&s, g, &g->table->edge[g->edge.p[i]]);
	as_sheet_list_end(&s);
	as_sheet_list(&s, "cycles");
	for (size_t i = 0; as_sheet_is(&s, AS_FORM_JSON) && i < g->cycles.cycle.n; i++)
		graph_put_cycle(&s, g, i);
	as_sheet_list_end(&s);
	graph_put_rest(&s, g);
	return as_sheet_finish(&s);
}
