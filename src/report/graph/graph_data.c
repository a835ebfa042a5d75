/* SPDX-License-Identifier: Apache-2.0 */
/* `assay graph` for programs. Functions are numbered from 1, as they are in DOT. */
#include "report/graph/graph_print.h"
#include "report/kit/head_json.h"

static bool has_calls(const struct as_graph_report *r)
{
	return r->prof->call.n != 0;
}

static const as_val *self_of(const struct as_graph_report *r, uint32_t row)
{
	return r->graph->table->self + (size_t)row * r->graph->table->n_events;
}

static const as_val *incl_of(const struct as_graph_report *r, uint32_t row)
{
	const struct as_table *t = r->graph->table;

	return t->has_incl[row] ? t->incl + (size_t)row * t->n_events : NULL;
}

static uint32_t cycle_of(const struct as_graph_report *r, uint32_t row)
{
	uint32_t comp = r->graph->comp[row];

	return comp ? r->graph->cycles.cycle.p[comp - 1].number : 0;
}

/* ---- JSON ---- */

static void json_node(const struct as_graph_report *r, struct as_json *j, size_t i)
{
	const struct as_table *t = r->graph->table;
	uint32_t row = r->graph->node.p[i], cycle = cycle_of(r, row);

	as_json_object(j, NULL);
	as_json_u64(j, "id", i + 1);
	as_view_json_func(j, as_view_row(t, row));
	as_view_json_vals(j, "self", r->opts, self_of(r, row));
	as_view_json_vals(j, "inclusive", r->opts, incl_of(r, row));
	if (as_table_most(t, row))
		as_view_json_vals(j, "inclusive_at_most", r->opts, as_table_most(t, row));
	as_view_json_calls(j, t->has_calls[row], t->calls[row]);
	as_json_bool(j, "recursive", t->recursive[row]);
	if (cycle)
		as_json_u64(j, "cycle", cycle);
	else
		as_json_null(j, "cycle");
	as_json_object_end(j);
}

static void json_edge(const struct as_graph_report *r, struct as_json *j, const struct as_edge *e)
{
	as_json_object(j, NULL);
	as_json_u64(j, "from", r->graph->place[e->from]);
	as_json_u64(j, "to", r->graph->place[e->to]);
	as_view_json_vals(j, "inclusive", r->opts, e->cost);
	as_view_json_calls(j, has_calls(r), e->count);
	as_json_bool(j, "inner", as_callgraph_is_inner(r->graph, e));
	as_json_object_end(j);
}

static void json_cycle(const struct as_graph_report *r, struct as_json *j, const struct as_cycle *c)
{
	const struct as_cycles *cycles = &r->graph->cycles;
	uint32_t more = 0;

	as_json_object(j, NULL);
	as_json_u64(j, "cycle", c->number);
	as_view_json_vals(j, "self", r->opts, cycles->value.p + c->cost);
	as_view_json_vals(j, "inclusive", r->opts,
		cycles->has_incl ? cycles->value.p + c->cost + r->graph->table->n_events : NULL);
	as_view_json_calls(j, c->has_calls, c->calls);
	as_json_array(j, "members");
	for (uint32_t k = 0; k < c->n_members; k++) {
		uint32_t place = r->graph->place[cycles->member.p[c->member + k]];

		if (place)
			as_json_u64(j, NULL, place);
		more += !place;
	}
	as_json_array_end(j);
	as_json_u64(j, "more_members", more);
	as_json_object_end(j);
}

static bool is_drawn(const struct as_graph_report *r, const struct as_cycle *c)
{
	bool drawn = false;

	for (uint32_t k = 0; k < c->n_members; k++)
		drawn |= r->graph->place[r->graph->cycles.member.p[c->member + k]] != 0;
	return drawn && c->number;
}

void as_graph_json(const struct as_graph_report *r, struct as_out *out)
{
	const struct as_callgraph *g = r->graph;
	struct as_json j;

	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.graph/1"));
	as_json_profile(&j, r->prof, r->opts->files, r->opts->n_files);
	as_json_events(&j, r->prof, r->opts->event, r->opts->n_events);
	as_json_array(&j, "nodes");
	for (size_t i = 0; i < g->node.n; i++)
		json_node(r, &j, i);
	as_json_array_end(&j);
	as_json_array(&j, "edges");
	for (size_t i = 0; i < g->edge.n; i++)
		json_edge(r, &j, &g->table->edge[g->edge.p[i]]);
	as_json_array_end(&j);
	as_json_array(&j, "cycles");
	for (size_t i = 0; i < g->cycles.cycle.n; i++)
		if (is_drawn(r, &g->cycles.cycle.p[i]))
			json_cycle(r, &j, &g->cycles.cycle.p[i]);
	as_json_array_end(&j);
	as_json_object(&j, "rest");
	as_json_u64(&j, "nodes", g->more_nodes);
	as_view_json_vals(&j, "self", r->opts, g->rest);
	as_json_u64(&j, "edges", g->more_edges);
	as_json_object_end(&j);
	as_json_object_end(&j);
	as_json_finish(&j);
}

/* ---- CSV ---- */

static void csv_calls(struct as_csv *c, bool known, as_val n)
{
	if (known)
		as_csv_val(c, n);
	else
		as_csv_empty(c);
	as_csv_end(c);
}

static void csv_nothing(struct as_csv *c, int n)
{
	while (n--)
		as_csv_empty(c);
}

static void csv_head(const struct as_graph_report *r, struct as_csv *c)
{
	static const char *const key[] = {"kind", "from", "to"};

	for (size_t i = 0; i < AS_ARRAY_LEN(key); i++)
		as_csv_text(c, as_slice_of(key[i]));
	as_view_csv_func_head(c);
	as_csv_text(c, as_slice_of("cycle"));
	as_view_csv_heads(c, r->prof, r->opts, "self");
	as_view_csv_heads(c, r->prof, r->opts, "inclusive");
	as_csv_text(c, as_slice_of("calls"));
	as_csv_end(c);
}

static void csv_node(const struct as_graph_report *r, struct as_csv *c, size_t i)
{
	const struct as_table *t = r->graph->table;
	uint32_t row = r->graph->node.p[i], cycle = cycle_of(r, row);

	as_csv_text(c, as_slice_of("node"));
	as_csv_val(c, (as_val)i + 1);
	as_csv_empty(c);
	as_view_csv_func(c, as_view_row(t, row));
	if (cycle)
		as_csv_val(c, cycle);
	else
		as_csv_empty(c);
	as_view_csv_vals(c, r->opts, self_of(r, row));
	as_view_csv_vals(c, r->opts, incl_of(r, row));
	csv_calls(c, t->has_calls[row], t->calls[row]);
}

static void csv_edge(const struct as_graph_report *r, struct as_csv *c, const struct as_edge *e)
{
	as_csv_text(c, as_slice_of("edge"));
	as_csv_val(c, r->graph->place[e->from]);
	as_csv_val(c, r->graph->place[e->to]);
	csv_nothing(c, 5);
	as_view_csv_vals(c, r->opts, NULL);
	as_view_csv_vals(c, r->opts, e->cost);
	csv_calls(c, has_calls(r), e->count);
}

static void csv_rest(const struct as_graph_report *r, struct as_csv *c)
{
	char text[64];

	snprintf(text, sizeof(text), "[%" PRIu64 " more]", r->graph->more_nodes);
	as_csv_text(c, as_slice_of("rest"));
	csv_nothing(c, 2);
	as_csv_text(c, as_slice_of(text));
	csv_nothing(c, 4);
	as_view_csv_vals(c, r->opts, r->graph->rest);
	as_view_csv_vals(c, r->opts, NULL);
	csv_calls(c, false, 0);
}

void as_graph_csv(const struct as_graph_report *r, struct as_out *out)
{
	struct as_csv c;

	as_csv_init(&c, out);
	csv_head(r, &c);
	for (size_t i = 0; i < r->graph->node.n; i++)
		csv_node(r, &c, i);
	for (size_t i = 0; i < r->graph->edge.n; i++)
		csv_edge(r, &c, &r->graph->table->edge[r->graph->edge.p[i]]);
	if (r->graph->more_nodes)
		csv_rest(r, &c);
}
