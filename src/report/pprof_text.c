/* SPDX-License-Identifier: Apache-2.0 */
#include "report/pprof_text.h"

#include "formats/format.h"

enum { LABEL = 64 };

struct pprof {
	const struct as_profile *prof;
	const struct as_pprof_opts *opts;
	struct as_pg graph;
	struct as_out *out;
	const struct scale *scale; /* that values are printed in; NULL: as they are */
};

/* ---- values ---- */

enum kind { NONE, TIME, SIZE };

/* In ascending order within a kind. */
static const struct scale {
	enum kind kind;
	double factor;
	const char *suffix;
} scales[] = {
	{TIME, 1, "ns"},
	{TIME, 1e3, "us"},
	{TIME, 1e6, "ms"},
	{TIME, 1e9, "s"},
	{TIME, 3600e9, "hrs"},
	{SIZE, 1, "B"},
	{SIZE, 1024, "kB"},
	{SIZE, 1048576, "MB"},
	{SIZE, 1073741824, "GB"},
	{SIZE, 1099511627776, "TB"},
	{SIZE, 1125899906842624, "PB"},
};

/* What profiles call their units, and how much of the smallest one is. */
static const struct unit {
	const char *name;
	enum kind kind;
	uint64_t each;
} units[] = {
	{"nanoseconds", TIME, 1},
	{"microseconds", TIME, 1000},
	{"milliseconds", TIME, 1000000},
	{"seconds", TIME, 1000000000},
	{"bytes", SIZE, 1},
};

static const struct unit *unit_of(const struct as_profile *prof, as_str name)
{
	for (size_t i = 0; i < AS_ARRAY_LEN(units); i++)
		if (as_slice_is(as_str_get(prof, name), units[i].name))
			return &units[i];
	return NULL;
}

/* What the event's values are: their own unit, or of samples the time between them. */
static enum kind kind_of(const struct as_profile *prof, uint32_t event, uint64_t *each)
{
	const struct as_event *ev = &prof->event.p[event];
	const struct unit *u = unit_of(prof, ev->unit);

	*each = u ? u->each : 1;
	if (!u && ev->period && (u = unit_of(prof, ev->period_unit)) != NULL)
		*each = ev->period * u->each;
	return u ? u->kind : NONE;
}

/* The largest unit that V has one of. */
static const struct scale *fitting(enum kind kind, double v)
{
	const struct scale *best = NULL;

	for (size_t i = 0; i < AS_ARRAY_LEN(scales); i++)
		if (scales[i].kind == kind && (!best || v >= scales[i].factor))
			best = &scales[i];
	return best;
}

static double number(as_val v)
{
	return v < 0 ? -(double)v : (double)v;
}

/* That of the smallest value; of a hundred times as much, where the total is so much larger that it
 * has another. */
static void choose_scale(struct pprof *pp, enum kind kind)
{
	double low = 0, high = number(pp->graph.total);

	for (size_t i = 0; i < pp->graph.node.n; i++) {
		const struct as_pg_node *n = &pp->graph.node.p[i];
		double v = n->flat ? number(n->flat) : number(n->cum);

		if (v > 0 && (low == 0 || v < low))
			low = v;
	}
	if (low == 0)
		low = high;
	pp->scale = fitting(kind, low);
	if (pp->scale != fitting(kind, high) && low * 100 < high)
		pp->scale = fitting(kind, low * 100);
}

static const char *value(const struct pprof *pp, as_val v, char *text)
{
	size_t n;

	snprintf(text, LABEL, "%.2f", (double)v / (pp->scale ? pp->scale->factor : 1));
	n = strlen(text);
	if (n > 3 && strcmp(text + n - 3, ".00") == 0)
		text[n -= 3] = '\0';
	if (strcmp(text, "0") == 0 || strcmp(text, "-0") == 0)
		return "0";
	if (pp->scale)
		snprintf(text + n, LABEL - n, "%s", pp->scale->suffix);
	return text;
}

static const char *percent(as_val part, as_val whole, char *text)
{
	double ratio = whole ? 100 * number(part) / number(whole) : 0;

	if (ratio >= 99.95 && ratio <= 100.05)
		return "  100%";
	snprintf(text, LABEL, ratio >= 1 ? "%5.2f%%" : "%5.2g%%", ratio);
	return text;
}

static const char *trimmed(const char *text)
{
	while (*text == ' ')
		text++;
	return text;
}

/* ---- what stands above ---- */

static void profile_labels(const struct pprof *pp)
{
	const struct as_profile *prof = pp->prof;
	const struct as_event *ev = &prof->event.p[pp->opts->event];
	struct as_slice name = as_str_get(prof, ev->name), file = {"", 0}, id = file;

	if (prof->map.n) {
		file = as_base_name(as_object_path(prof, prof->map.p[0].object));
		id = as_str_get(prof, prof->object.p[prof->map.p[0].object.i].id);
	}
	if (file.len)
		as_out_printf(pp->out, "File: %.*s\n", AS_SLICE_FMT(file));
	if (id.len)
		as_out_printf(pp->out, "Build ID: %.*s\n", AS_SLICE_FMT(id));
	if (as_slice_is(as_str_get(prof, prof->format), "gperf"))
		name = as_slice_of("cpu");
	as_out_printf(pp->out, "Type: %.*s\n", AS_SLICE_FMT(name));
}

static void report_labels(const struct pprof *pp)
{
	const struct as_pg *pg = &pp->graph;
	char sum[LABEL], total[LABEL], cut[LABEL], share[LABEL];
	as_val flat = 0;

	for (size_t i = 0; i < pg->node.n; i++)
		flat += pg->node.p[i].flat;
	as_out_printf(pp->out, "Showing nodes accounting for %s, %s of %s total\n",
		value(pp, flat, sum), trimmed(percent(flat, pg->total, share)),
		value(pp, pg->total, total));
	if (!pg->total)
		return;
	if (pg->dropped_nodes)
		as_out_printf(pp->out, "Dropped %zu node%s (cum <= %s)\n", pg->dropped_nodes,
			pg->dropped_nodes == 1 ? "" : "s", value(pp, pg->node_cutoff, cut));
	if (pg->node.n < pg->n_before)
		as_out_printf(
			pp->out, "Showing top %zu nodes out of %zu\n", pg->node.n, pg->n_before);
}

/* ---- the table ---- */

static const char *inline_mark(const struct as_pg *pg, const struct as_pg_node *n)
{
	bool inlined = false, called = false;

	for (uint32_t i = 0; i < n->n_in; i++) {
		bool is = pg->edge.p[pg->in.p[n->in + i]].inlined;

		inlined |= is;
		called |= !is;
	}
	return !inlined ? "" : called ? " (partial-inline)" : " (inline)";
}

static void row(struct pprof *pp, const struct as_pg_node *n, as_val sum)
{
	char flat[LABEL], cum[LABEL], p[3][LABEL];
	struct as_slice name = as_pg_name(&pp->graph.arena, n);
	as_val total = pp->graph.total;

	as_out_printf(pp->out, "%10s %s %s %10s %s  ", value(pp, n->flat, flat),
		percent(n->flat, total, p[0]), percent(sum, total, p[1]), value(pp, n->cum, cum),
		percent(n->cum, total, p[2]));
	as_out_slice(pp->out, name);
	as_out_text(pp->out, inline_mark(&pp->graph, n));
	as_out_char(pp->out, '\n');
}

static enum as_code begin(struct pprof *pp, struct as_err *err)
{
	const struct as_pprof_opts *o = pp->opts;
	struct as_pg_opts opts = {.by = o->by,
		.no_inlines = o->no_inlines,
		.event = o->event,
		.node_fraction = o->node_fraction,
		.edge_fraction = o->edge_fraction,
		.node_count = o->node_count,
		.by_cum = o->by_cum};
	enum kind kind = kind_of(pp->prof, o->event, &opts.each);

	AS_TRY(as_pg_make(&pp->graph, pp->prof, &opts, err));
	if (kind != NONE)
		choose_scale(pp, kind);
	return AS_OK;
}

enum as_code as_pprof_text(const struct as_profile *prof, const struct as_pprof_opts *opts,
	struct as_out *out, struct as_err *err)
{
	struct pprof pp = {.prof = prof, .opts = opts, .out = out};
	enum as_code rc = begin(&pp, err);
	as_val sum = 0;

	if (rc == AS_OK && !opts->compact)
		profile_labels(&pp);
	if (rc == AS_OK) {
		report_labels(&pp);
		as_out_text(out, "      flat  flat%   sum%        cum   cum%\n");
	}
	for (size_t i = 0; rc == AS_OK && i < pp.graph.node.n; i++) {
		sum += pp.graph.node.p[i].flat;
		row(&pp, &pp.graph.node.p[i], sum);
	}
	as_pg_release(&pp.graph);
	return rc;
}
