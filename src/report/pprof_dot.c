/* SPDX-License-Identifier: Apache-2.0 */
#include "report/pprof_dot.h"

#include "base/sort.h"
#include "formats/format.h"
#include "ops/stat.h"
#include "report/dot_text.h"

struct dot {
	struct as_pprof pp;
	struct as_out *out;
	struct as_slice *name;           /* of each node */
	as_val most;                     /* that a node costs itself */
	struct as_pprof_nodelet *number; /* as many as a node has tags */
	struct as_pprof_nodelet *label;  /* likewise */
	uint8_t *has_nodelets;           /* of each node */
	bool no_memory;
};

static as_val absolute(as_val v)
{
	return v < 0 ? -v : v;
}

/* ---- texts ---- */

/* A line of S ends with END. */
static void put_lines(struct dot *d, struct as_slice s, const char *end)
{
	d->no_memory |= !s.p;
	for (size_t i = 0, from = 0; s.p && i <= s.len; i++) {
		if (i < s.len && s.p[i] != '\n')
			continue;
		as_dot_text(d->out, (struct as_slice){s.p + from, i - from});
		if (i < s.len)
			as_out_text(d->out, end);
		from = i + 1;
	}
}

/* Lines are left-justified. */
static void put(struct dot *d, struct as_slice s)
{
	put_lines(d, s, "\\l");
}

static void put_value(struct dot *d, as_val v)
{
	struct as_pprof_value text;

	as_pprof_text_of(&d->pp, &text, v);
	as_out_text(d->out, text.number);
	put(d, text.unit);
}

static void put_share(struct dot *d, as_val v)
{
	char text[AS_PPROF_NUMBER];
	const char *share = as_pprof_percent(v, d->pp.total, text);

	as_out_printf(d->out, " (%s)", share + strspn(share, " "));
}

/* ---- colours ---- */

/* From grey at 0 to red at 1 and green at -1; PALE for what stands behind a text. */
static void put_colour(struct dot *d, as_val v, bool pale)
{
	double score = d->pp.total ? (double)v / (double)absolute(d->pp.total) : 0;
	double size = score < 0 ? -score : score, value = pale ? 0.93 : 0.7;
	double saturation = pale ? 0.1 : 1, far, near;

	size = size > 1 ? 1 : size;
	if (size < 0.2)
		saturation *= size / 0.2;
	/* Small shares are told apart better by this power. */
	size = size <= 0 || size >= 1 ? size : as_exp((1 - 0.7) * as_log(size));
	far = value * (1 - saturation * size);
	near = value * (1 - saturation);
	as_out_printf(d->out, "#%02x%02x%02x", (unsigned)((score < 0 ? far : value) * 255),
		(unsigned)((score < 0 ? value : far) * 255), (unsigned)(near * 255));
}

/* ---- what stands above ---- */

static void put_head(struct dot *d)
{
	const struct as_profile *prof = d->pp.prof;
	const struct as_slice *label = d->pp.label.p;
	struct as_slice title = {"", 0};

	if (prof->map.n)
		title = as_base_name(as_object_path(prof, prof->map.p[0].object));
	as_out_text(d->out, "digraph \"");
	put(d, title.len ? title : as_slice_of("unnamed"));
	as_out_text(d->out, "\" {\nnode [style=filled fillcolor=\"#f8f8f8\"]\n"
			    "subgraph cluster_L { \"");
	if (label)
		put(d, label[0]);
	as_out_text(d->out, "\" [shape=box fontsize=16 label=\"");
	for (size_t i = 0; label && i < d->pp.label.n; i++) {
		put(d, label[i]);
		as_out_text(d->out, "\\l");
	}
	as_out_char(d->out, '"');
	if (title.len) {
		as_out_text(d->out, " tooltip=\"");
		put(d, title);
		as_out_char(d->out, '"');
	}
	as_out_text(d->out, "] }\n");
}

/* ---- nodes ---- */

/* A line for each part of a name. "[...]" is how Go has parameters of types. */
static void put_parts(struct dot *d, struct as_slice s)
{
	static const char ellipsis[] = "[...]";

	while (s.len) {
		size_t n = 0, skip = 1;
		const char *text = "\\n";

		while (n < s.len && s.p[n] != '.' && s.p[n] != '[' &&
			!(s.p[n] == ':' && n + 1 < s.len && s.p[n + 1] == ':'))
			n++;
		put(d, (struct as_slice){s.p, n});
		s = as_slice_skip(s, n);
		if (!s.len)
			break;
		if (as_slice_starts(s, ellipsis)) {
			text = "[\xe2\x80\xa6]";
			skip = strlen(ellipsis);
		} else if (s.p[0] == '[') {
			text = "[";
		} else if (s.p[0] == ':') {
			skip = 2;
		}
		as_out_text(d->out, text);
		s = as_slice_skip(s, skip);
	}
}

/* The name, each of its parts on a line. */
static void put_label_name(struct dot *d, const struct as_pg_node *n)
{
	struct as_slice name = as_pprof_short_name(&d->pp.arena, n->name);
	struct as_slice file = as_base_name(n->file), object = as_base_name(n->object);

	if (n->addr)
		as_out_printf(d->out, "%016" PRIx64 "\\n", n->addr);
	d->no_memory |= !name.p;
	if (name.p && name.len) {
		put_parts(d, name);
		as_out_text(d->out, "\\n");
	}
	if (n->line || n->file.len) {
		put(d, file);
		if (n->line)
			as_out_printf(d->out, ":%" PRIu64, n->line);
		as_out_text(d->out, "\\n");
	} else if (!n->name.len && object.len) {
		as_out_char(d->out, '[');
		put(d, object);
		as_out_text(d->out, "]\\n");
	} else if (!n->name.len) {
		as_out_text(d->out, "<unknown>\\n");
	}
}

/* The least size whose square has the share that the node costs itself. */
static unsigned font_of(const struct dot *d, as_val flat)
{
	enum { MIN = 8, GROWTH = 16 };
	unsigned more = 0;

	flat = absolute(flat);
	while (more < GROWTH && (as_val)(more * more) * d->most < (as_val)(GROWTH * GROWTH) * flat)
		more++;
	return MIN + more;
}

static void put_node(struct dot *d, size_t i)
{
	const struct as_pg_node *n = &d->pp.graph.node.p[i];

	as_out_printf(d->out, "N%zu [label=\"", i + 1);
	put_label_name(d, n);
	if (n->flat) {
		put_value(d, n->flat);
		put_share(d, n->flat);
	} else {
		as_out_char(d->out, '0');
	}
	if (n->cum != n->flat) {
		as_out_text(d->out, n->flat ? "\\nof " : " of ");
		put_value(d, n->cum);
		put_share(d, n->cum);
	}
	as_out_printf(d->out, "\" id=\"node%zu\" fontsize=%u shape=box tooltip=\"", i + 1,
		font_of(d, n->flat));
	put(d, d->name[i]);
	as_out_text(d->out, " (");
	put_value(d, n->cum);
	as_out_text(d->out, ")\" color=\"");
	put_colour(d, n->cum, false);
	as_out_text(d->out, "\" fillcolor=\"");
	put_colour(d, n->cum, true);
	as_out_text(d->out, "\"]\n");
}

/* ---- nodelets: tags of a node ---- */

/* SOURCE is what it hangs on, ID its own number there. */
static void put_nodelet(
	struct dot *d, const char *source, const char *id, struct as_slice text, as_val v)
{
	as_out_printf(d->out, "%s [label = \"", id);
	put_lines(d, text, "\\n");
	as_out_printf(d->out, "\" id=\"%s\" fontsize=8 shape=box3d tooltip=\"", id);
	put_value(d, v);
	as_out_printf(d->out, "\"]\n%s -> %s [label=\" ", source, id);
	put_value(d, v);
	as_out_text(d->out, "\" weight=100 tooltip=\"");
	put_value(d, v);
	as_out_text(d->out, "\" labeltooltip=\"");
	put_value(d, v);
	as_out_char(d->out, '"');
}

/* Numbers of samples with the labels of GROUP. */
static bool put_numbers(
	struct dot *d, const struct as_pg_node *n, uint32_t group, const char *source)
{
	const struct as_pprof_drawn_tag *tags = d->pp.tags.tag.p;
	bool flat = n->n_out > 0, any = false;
	size_t k = 0;

	for (uint32_t i = 0; i < n->n_tags; i++) {
		const struct as_pg_tagged *t = &d->pp.graph.tagged.p[n->tag + i];
		const struct as_pprof_drawn_tag *tag = &tags[t->tag];

		if (tag->is_number && tag->group == group)
			d->number[k++] = (struct as_pprof_nodelet){tag->text, group, t->flat,
				t->cum, t->flat_div, t->cum_div, tag->value};
	}
	k = as_pprof_ranges(&d->pp.arena, d->number, k, flat, d->pp.tags.unit);
	for (size_t i = 0; i < k; i++) {
		as_val self = as_pg_mean(d->number[i].flat, d->number[i].flat_div);
		as_val all = as_pg_mean(d->number[i].cum, d->number[i].cum_div);
		bool own = flat || self == all;
		as_val v = own ? self : all;
		char id[96];

		if (!v)
			continue;
		d->no_memory |= !d->number[i].text.p;
		snprintf(id, sizeof(id), "N%s_%zu", source, i);
		put_nodelet(d, source, id, d->number[i].text, v);
		as_out_text(d->out, own ? "]\n" : " style=\"dotted\"]\n");
		any = true;
	}
	return any;
}

/* What a node that calls others costs itself; of a leaf also what was below it and is not shown. */
static bool put_nodelets(struct dot *d, size_t at)
{
	const struct as_pg_node *n = &d->pp.graph.node.p[at];
	bool flat = n->n_out > 0, any = false;
	char source[32], id[64];
	size_t k = 0;

	snprintf(source, sizeof(source), "N%zu", at + 1);
	for (uint32_t i = 0; i < n->n_tags; i++) {
		const struct as_pg_tagged *t = &d->pp.graph.tagged.p[n->tag + i];
		const struct as_pprof_drawn_tag *tag = &d->pp.tags.tag.p[t->tag];

		if (!tag->is_number)
			d->label[k++] = (struct as_pprof_nodelet){
				tag->text, tag->group, t->flat, t->cum, t->flat_div, t->cum_div, 0};
	}
	k = as_pprof_first_nodelets(d->label, k, flat);
	for (size_t i = 0; i < k; i++) {
		const struct as_pprof_nodelet *l = &d->label[i];
		as_val v = flat ? as_pg_mean(l->flat, l->flat_div) : as_pg_mean(l->cum, l->cum_div);

		if (!v)
			continue;
		snprintf(id, sizeof(id), "%s_%zu", source, i);
		put_nodelet(d, source, id, d->label[i].text, v);
		as_out_text(d->out, "]\n");
		(void)put_numbers(d, n, d->label[i].group, id);
		any = true;
	}
	return put_numbers(d, n, 0, source) || any;
}

/* ---- edges ---- */

static int cmp_edge(const void *ctx, uint32_t i, uint32_t j)
{
	const struct dot *d = ctx;
	const struct as_pg_edge *a = &d->pp.graph.edge.p[i], *b = &d->pp.graph.edge.p[j];
	as_val x = absolute(a->weight), y = absolute(b->weight);
	int c = x > y ? -1 : x < y;

	if (!c)
		c = as_slice_cmp(d->name[a->src], d->name[b->src]);
	return c ? c : as_slice_cmp(d->name[a->dst], d->name[b->dst]);
}

/* A share of the total in steps, from 1 to 1 + STEPS. */
static unsigned steps_of(const struct dot *d, as_val weight, unsigned steps)
{
	as_val n = absolute(weight * (as_val)steps / d->pp.total);

	return 1 + (n > (as_val)steps ? steps : (unsigned)n);
}

static void put_edge_tip(struct dot *d, const struct as_pg_edge *e, const char *key)
{
	as_out_printf(d->out, " %s=\"", key);
	put(d, d->name[e->src]);
	as_out_text(d->out, e->residual ? " ... " : " -> ");
	put(d, d->name[e->dst]);
	as_out_text(d->out, " (");
	put_value(d, as_pg_mean(e->weight, e->div));
	as_out_text(d->out, ")\"");
}

static void put_edge(struct dot *d, const struct as_pg_edge *e)
{
	as_val v = as_pg_mean(e->weight, e->div);

	as_out_printf(d->out, "N%" PRIu32 " -> N%" PRIu32 " [label=\" ", e->src + 1, e->dst + 1);
	put_value(d, v);
	as_out_text(d->out, e->inlined ? "\\n (inline)\"" : "\"");
	if (d->pp.total) {
		unsigned weight = steps_of(d, v, 100), width = steps_of(d, v, 5);

		if (weight > 1)
			as_out_printf(d->out, " weight=%u", weight);
		if (width > 1)
			as_out_printf(d->out, " penwidth=%u", width);
		as_out_text(d->out, " color=\"");
		put_colour(d, v, false);
		as_out_char(d->out, '"');
	}
	put_edge_tip(d, e, "tooltip");
	put_edge_tip(d, e, "labeltooltip");
	if (e->residual)
		as_out_text(d->out, " style=\"dotted\"");
	as_out_text(d->out, d->has_nodelets[e->src] ? " minlen=2]\n" : "]\n");
}

/* The heaviest first. */
static void put_edges(struct dot *d)
{
	const struct as_pg *pg = &d->pp.graph;
	uint32_t *order = as_arena_get(&d->pp.arena, (pg->edge.n + 1) * sizeof(*order));
	size_t n = 0;

	for (size_t i = 0; order && i < pg->node.n; i++)
		for (uint32_t k = 0; k < pg->node.p[i].n_out; k++)
			order[n++] = pg->out.p[pg->node.p[i].out + k];
	if (!order || !as_sort_rows(d->pp.prof->al, order, n, cmp_edge, d)) {
		d->no_memory = true;
		return;
	}
	for (size_t i = 0; i < n; i++)
		put_edge(d, &pg->edge.p[order[i]]);
}

/* ---- the whole ---- */

static bool prepare(struct dot *d)
{
	const struct as_pg *pg = &d->pp.graph;
	struct as_arena *ar = &d->pp.arena;
	size_t tags = 1;

	for (size_t i = 0; i < pg->node.n; i++) {
		as_val flat = absolute(pg->node.p[i].flat);

		d->most = flat > d->most ? flat : d->most;
		tags = pg->node.p[i].n_tags > tags ? pg->node.p[i].n_tags : tags;
	}
	d->name = as_arena_get(ar, (pg->node.n + 1) * sizeof(*d->name));
	d->has_nodelets = as_arena_get(ar, pg->node.n + 1);
	d->number = as_arena_get(ar, tags * sizeof(*d->number));
	d->label = as_arena_get(ar, tags * sizeof(*d->label));
	for (size_t i = 0; d->name && i < pg->node.n; i++)
		d->name[i] = as_pg_name(ar, &pg->node.p[i]);
	return d->name && d->has_nodelets && d->number && d->label;
}

static enum as_code print(struct dot *d, struct as_err *err)
{
	AS_TRY(as_pprof_report_labels(&d->pp, true, err));
	d->no_memory = !prepare(d);
	if (!d->no_memory) {
		put_head(d);
		for (size_t i = 0; i < d->pp.graph.node.n; i++) {
			put_node(d, i);
			d->has_nodelets[i] = put_nodelets(d, i);
		}
		put_edges(d);
		as_out_text(d->out, "}\n");
	}
	return d->no_memory ? as_err_set(err, AS_E_NOMEM, "out of memory") : AS_OK;
}

enum as_code as_pprof_dot(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err)
{
	struct dot d = {.out = out};
	enum as_code rc = as_pprof_begin(&d.pp, prof, opts, err);

	if (rc == AS_OK)
		rc = print(&d, err);
	as_pprof_end(&d.pp);
	return rc;
}
