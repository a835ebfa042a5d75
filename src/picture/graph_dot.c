/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A call graph in DOT. Functions are boxes, the larger their letters the more they cost
 * themselves, the redder the more they cost with all they call. Calls of a recursion are dashed
 * and have no share: what they cost is part of the calls around them.
 */
#include "picture/graph_dot.h"

#include "base/utf8_len.h"
#include "diff/stat.h"
#include "formats/format.h"
#include "picture/xml.h"
#include "report/kit/name_fit.h"
#include "report/kit/show.h"
#include "report/top.h"

enum {
	NAME_COLUMNS = 48,
	FONT_MIN = 10,
	FONT_MAX = 24,
	PEN_MAX = 6,
	WEIGHT_MAX = 99,
};

static const struct as_style style = {.group = true, .utf8 = true};

struct dot {
	const struct as_view_opts *opts;
	const struct as_profile *prof;
	const struct as_callgraph *g;
	const struct as_table *t;
	struct as_out *out;
	struct as_arena arena; /* texts of one line */
	uint32_t event;
	as_val total;
	as_val most; /* self cost of a function that is drawn */
};

/* ---- texts ---- */

/* Whether the '&' at the front of S begins what Graphviz takes for an entity. */
static bool is_entity(struct as_slice s)
{
	size_t i = 1;

	while (i < s.len &&
		(s.p[i] == '#' || (s.p[i] >= '0' && s.p[i] <= '9') ||
			(s.p[i] >= 'A' && s.p[i] <= 'Z') || (s.p[i] >= 'a' && s.p[i] <= 'z')))
		i++;
	return i > 1 && i < s.len && s.p[i] == ';';
}

void as_dot_text(struct as_out *out, struct as_slice s)
{
	while (s.len) {
		size_t len = as_utf8_len(s.p, s.len);
		unsigned char c = (unsigned char)s.p[0];

		if (!len || c < 0x20 || c == 0x7f) {
			as_out_printf(out, "\\\\x%02x", c);
			len = 1;
		} else if (c == '"' || c == '\\') {
			as_out_char(out, '\\');
			as_out_char(out, (char)c);
		} else if (c == '&' && is_entity(s)) {
			as_out_text(out, "&amp;");
		} else {
			as_out_bytes(out, s.p, len);
		}
		s = as_slice_skip(s, len);
	}
}

/* "1,234 (5.6 %)"; without a share where it is none of the total. */
static void graph_dot_cost(struct dot *d, as_val v, bool share)
{
	as_dot_text(d->out, as_show_in(&d->arena, v, &d->opts->unit, &style));
	if (share)
		as_out_printf(d->out, " (%.*s %%)",
			AS_SLICE_FMT(as_show_percent(&d->arena, v, d->total)));
}

static double part_of(as_val v, as_val whole)
{
	double x = whole ? (double)v / (double)whole : 0;

	x = x < 0 ? -x : x;
	return x > 1 ? 1 : x;
}

/* ---- what stands above ---- */

static void left_out(struct dot *d, const char *end)
{
	const struct as_callgraph *g = d->g;

	if (g->more_nodes) {
		as_out_printf(d->out, "left out: %" PRIu64 " function%s with ", g->more_nodes,
			g->more_nodes == 1 ? "" : "s");
		graph_dot_cost(d, g->rest[d->event], true);
		as_out_printf(d->out, " of self cost, and their calls%s", end);
	}
	if (g->more_edges)
		as_out_printf(d->out,
			"left out: light calls, between %" PRIu64 " pair%s of functions%s",
			g->more_edges, g->more_edges == 1 ? "" : "s", end);
}

static void graph_dot_title(struct dot *d)
{
	const struct as_view_opts *opts = d->opts;

	as_dot_text(d->out, as_base_name(as_slice_of(opts->n_files ? opts->files[0] : "")));
	if (opts->n_files > 1)
		as_out_printf(d->out, " and %zu more", opts->n_files - 1);
}

static void graph_dot_head(struct dot *d)
{
	as_out_text(d->out, "digraph \"");
	graph_dot_title(d);
	as_out_text(
		d->out, "\" {\n\tgraph [labelloc=t labeljust=l fontname=\"sans-serif\" label=\"");
	graph_dot_title(d);
	as_out_text(d->out, ": ");
	graph_dot_cost(d, d->prof->total[d->event], true);
	as_out_char(d->out, ' ');
	as_dot_text(d->out, as_event_name(d->prof, d->event));
	as_out_text(d->out, "\\l");
	left_out(d, "\\l");
	if (d->prof->estimated)
		as_out_text(d->out, "estimated: which calls the cost came by\\l");
	as_out_text(d->out,
		"\"]\n"
		"\tnode [shape=box style=filled fillcolor=\"#f8f8f8\" fontname=\"sans-serif\"]\n"
		"\tedge [fontname=\"sans-serif\" fontsize=10]\n");
}

/* ---- functions ---- */

static void graph_dot_colour(struct dot *d, const char *key, double share)
{
	double hue = 0.15 * (1 - share), saturation = 0.04 + 0.56 * share;

	as_out_printf(d->out, " %s=\"%.3f %.3f 1.000\"", key, hue, saturation);
}

static unsigned font_of(const struct dot *d, as_val self)
{
	double share = as_sqrt(part_of(self, d->most));

	return FONT_MIN + (unsigned)((FONT_MAX - FONT_MIN) * share + 0.5);
}

static void node_costs(struct dot *d, uint32_t row)
{
	size_t at = (size_t)row * d->t->n_events + d->event;
	const as_val *most = as_table_most(d->t, row);
	bool known = d->t->has_incl[row];

	as_out_text(d->out, "self ");
	graph_dot_cost(d, d->t->self[at], true);
	if (most && most[d->event] > d->t->incl[at]) {
		as_out_text(d->out, "\\nincl \u2264 ");
		graph_dot_cost(d, most[d->event], true);
		return;
	}
	if (known && d->t->incl[at] == d->t->self[at])
		return;
	as_out_text(d->out, "\\nincl ");
	if (known)
		graph_dot_cost(d, d->t->incl[at], true);
	else
		as_out_text(d->out, "not known");
}

/* The whole name, and where it is. */
static void graph_dot_full_name(struct dot *d, uint32_t row)
{
	struct as_view_func f = as_view_row(d->t, row);
	struct as_slice file = as_file_path(f.prof, f.key->file);
	struct as_slice object = as_object_path(f.prof, f.key->object);

	as_dot_text(d->out, as_view_name(&d->arena, f));
	if (file.len) {
		as_out_char(d->out, ' ');
		as_dot_text(d->out, file);
	}
	if (object.len) {
		as_out_char(d->out, ' ');
		as_dot_text(d->out, object);
	}
}

static void graph_dot_node(struct dot *d, size_t i, const char *indent)
{
	uint32_t row = d->g->node.p[i];
	size_t at = (size_t)row * d->t->n_events + d->event;
	struct as_view_func f = as_view_row(d->t, row);
	struct as_slice name = as_view_name(&d->arena, f), where = as_view_where(&d->arena, f);
	bool known = d->t->has_incl[row];

	as_out_printf(d->out, "%sn%zu [label=\"", indent, i + 1);
	as_dot_text(d->out, as_name_fit(&d->arena, name, NAME_COLUMNS, true));
	if (where.len) {
		as_out_text(d->out, "\\n");
		as_dot_text(d->out, where);
	}
	as_out_text(d->out, "\\n");
	node_costs(d, row);
	as_out_text(d->out, "\" tooltip=\"");
	graph_dot_full_name(d, row);
	as_out_printf(d->out, "\" fontsize=%u", font_of(d, d->t->self[at]));
	graph_dot_colour(
		d, "fillcolor", part_of(known ? d->t->incl[at] : d->t->self[at], d->total));
	as_out_text(d->out, "]\n");
	as_picture_tidy(&d->arena);
}

/* ---- cycles ---- */

static void graph_dot_cluster(struct dot *d, size_t i)
{
	const struct as_cycles *cycles = &d->g->cycles;
	const struct as_cycle *c = &cycles->cycle.p[i];
	uint32_t drawn = 0;

	for (uint32_t k = 0; k < c->n_members; k++)
		drawn += d->g->place[cycles->member.p[c->member + k]] != 0;
	if (!c->number || !drawn)
		return;
	as_out_printf(d->out,
		"\tsubgraph cluster_%" PRIu32 " {\n\t\tgraph [style=dashed label=\"cycle %" PRIu32
		": %" PRIu32 " functions",
		c->number, c->number, c->n_members);
	if (drawn < c->n_members)
		as_out_printf(d->out, ", %" PRIu32 " of them left out", c->n_members - drawn);
	as_out_text(d->out, "\\nself ");
	graph_dot_cost(d, cycles->value.p[c->cost + d->event], true);
	if (cycles->has_incl) {
		as_out_text(d->out, "\\nincl ");
		graph_dot_cost(d, cycles->value.p[c->cost + d->t->n_events + d->event], true);
	}
	as_out_text(d->out, "\"]\n");
	for (uint32_t k = 0; k < c->n_members; k++) {
		uint32_t place = d->g->place[cycles->member.p[c->member + k]];

		if (place)
			graph_dot_node(d, place - 1, "\t\t");
	}
	as_out_text(d->out, "\t}\n");
}

static void graph_dot_nodes(struct dot *d)
{
	for (size_t i = 0; i < d->g->node.n; i++) {
		as_val self = d->t->self[(size_t)d->g->node.p[i] * d->t->n_events + d->event];

		self = self < 0 ? -self : self;
		d->most = self > d->most ? self : d->most;
	}
	for (size_t i = 0; i < d->g->cycles.cycle.n; i++)
		graph_dot_cluster(d, i);
	for (size_t i = 0; i < d->g->node.n; i++)
		if (!d->g->comp[d->g->node.p[i]])
			graph_dot_node(d, i, "\t");
}

/* ---- calls ---- */

static void edge_label(struct dot *d, const struct as_edge *e, bool share, const char *end)
{
	graph_dot_cost(d, e->cost[d->event], share);
	if (d->prof->call.n) {
		as_out_text(d->out, end);
		as_dot_text(d->out, as_show_val(&d->arena, e->count, &style));
		as_out_text(d->out, e->count == 1 ? " call" : " calls");
	}
}

static void graph_dot_edge(struct dot *d, const struct as_edge *e)
{
	const uint32_t *place = d->g->place;
	bool inner = as_callgraph_is_inner(d->g, e), share = !inner || !d->prof->call.n;
	double part = share ? part_of(e->cost[d->event], d->total) : 0;

	as_assert(place[e->from] && place[e->to]);
	as_out_printf(
		d->out, "\tn%" PRIu32 " -> n%" PRIu32 " [label=\" ", place[e->from], place[e->to]);
	edge_label(d, e, share, "\\n ");
	as_out_text(d->out, "\" tooltip=\"");
	as_dot_text(d->out, as_view_name(&d->arena, as_view_row(d->t, e->from)));
	as_out_text(d->out, " -> ");
	as_dot_text(d->out, as_view_name(&d->arena, as_view_row(d->t, e->to)));
	as_out_text(d->out, ": ");
	edge_label(d, e, share, ", ");
	as_out_printf(d->out, "\" weight=%u penwidth=%.1f", 1 + (unsigned)(WEIGHT_MAX * part),
		1 + (PEN_MAX - 1) * part);
	as_out_text(d->out, inner ? " style=dashed]\n" : "]\n");
	as_picture_tidy(&d->arena);
}

enum as_code as_graph_dot(
	const struct as_callgraph *g, const struct as_view_opts *opts, struct as_out *out)
{
	struct dot d = {.opts = opts,
		.prof = g->table->prof,
		.g = g,
		.t = g->table,
		.out = out,
		.event = g->event};

	if (!opts->n_events) {
		as_out_text(out, "digraph \"empty\" {\n}\n");
		return AS_OK;
	}
	as_assert(d.event < d.t->n_events);
	d.total = as_whole(d.prof)[d.event];
	as_arena_init(&d.arena, d.prof->al);
	graph_dot_head(&d);
	graph_dot_nodes(&d);
	for (size_t i = 0; i < g->edge.n; i++)
		graph_dot_edge(&d, &d.t->edge[g->edge.p[i]]);
	as_out_text(out, "}\n");
	return as_arena_end(&d.arena);
}
