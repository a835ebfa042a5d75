/* SPDX-License-Identifier: Apache-2.0 */
#include "compat/pprof/pprof_report.h"

#include "formats/format.h"
#include "model/library.h"

enum { FILTER_SHOWN = 80 }; /* bytes of a filter that are printed */

/* Nodes and edges that cost less of the total are left out. */
#define NODE_FRACTION 0.005
#define EDGE_FRACTION 0.001

static bool has_graph(enum as_pprof_kind kind)
{
	return kind != AS_PPROF_TRACES && kind != AS_PPROF_TAGS && kind != AS_PPROF_COMMENTS;
}

static bool is_trimmed(const struct as_pprof_opts *o)
{
	return o->kind != AS_PPROF_PEEK;
}

static uint64_t node_count(const struct as_pprof_opts *o)
{
	enum { USUAL = 80 };

	if (!is_trimmed(o))
		return 0;
	return o->has_node_count ? o->node_count : o->kind == AS_PPROF_TEXT ? 0 : USUAL;
}

/* ---- the total and the unit ---- */

static struct as_slice fitting_unit(const struct as_pprof *pp, as_val v)
{
	struct as_slice unit;

	(void)as_pprof_scale(v, pp->opts->column.unit, as_slice_of("minimum"), &unit);
	return unit;
}

/* That of the smallest value; of a hundred times as much, where the total is so much larger that it
 * has another. */
static void choose_unit(struct as_pprof *pp)
{
	as_val low = 0, total = pp->total;

	pp->unit = as_slice_of(pp->opts->unit ? pp->opts->unit : "minimum");
	if (!as_slice_is(pp->unit, "minimum") || !pp->graph.node.n)
		return;
	for (size_t i = 0; i < pp->graph.node.n; i++) {
		const struct as_pg_node *n = &pp->graph.node.p[i];
		as_val v = n->flat ? n->flat : n->cum;

		v = v < 0 ? -v : v;
		if (v && (!low || v < low))
			low = v;
	}
	low = low ? low : total;
	pp->unit = fitting_unit(pp, low);
	if (!as_slice_eq(pp->unit, fitting_unit(pp, total)) && low * 100 < total)
		pp->unit = fitting_unit(pp, low * 100);
	if (!pp->unit.len)
		pp->unit = pp->opts->column.unit;
}

void as_pprof_text_of(const struct as_pprof *pp, struct as_pprof_value *text, as_val v)
{
	as_pprof_format(text, v, pp->opts->column.unit, pp->unit);
}

enum as_code as_pprof_begin(struct as_pprof *pp, const struct as_profile *prof,
	const struct as_pprof_opts *o, struct as_err *err)
{
	struct as_pg_opts opts = {.by = o->by,
		.no_inlines = o->no_inlines,
		.event = o->column.event,
		.each = o->column.each,
		.node_count = node_count(o),
		.by_cum = o->by_cum};

	as_assert(o->n_filters <= AS_PPROF_FILTERS);
	*pp = (struct as_pprof){.prof = prof, .opts = o, .arena = &pp->graph.arena};
	as_pg_init(&pp->graph, prof->al);
	pp->al = pp->graph.al;
	if (is_trimmed(o)) {
		pp->node_fraction = opts.node_fraction = NODE_FRACTION;
		opts.edge_fraction = EDGE_FRACTION;
	}
	pp->total = o->total;
	if (!o->total)
		(void)as_pprof_sum(prof, &o->column, &pp->total);
	if (has_graph(o->kind))
		AS_TRY(as_pg_make(&pp->graph, prof, &opts, err));
	choose_unit(pp);
	return AS_OK;
}

void as_pprof_end(struct as_pprof *pp)
{
	as_pg_release(&pp->graph);
}

/* ---- the lines above ---- */

/* A line, which if it could not be made is known by its arena. */
static void pp_report_add(struct as_pprof *pp, struct as_slice line)
{
	pp->arena->failed |= !as_vec_push(pp->al, &pp->label, line);
}

struct as_slice as_pprof_words_of(const struct as_pprof *pp, as_val v)
{
	struct as_pprof_value text;

	as_pprof_text_of(pp, &text, v);
	return as_arena_printf(pp->arena, "%s%.*s", text.number, AS_SLICE_FMT(text.unit));
}

static const char *pp_report_trimmed(const char *text)
{
	while (*text == ' ')
		text++;
	return text;
}

static void duration_label(struct as_pprof *pp)
{
	struct as_slice unit, nanos = as_slice_of("nanoseconds"), share = {"", 0}, total;
	struct as_pprof_value text;
	char number[AS_PPROF_NUMBER];
	double v;

	if (!pp->prof->duration)
		return;
	as_pprof_format(&text, pp->prof->duration, nanos, as_slice_of("auto"));
	v = as_pprof_scale(pp->total, pp->opts->column.unit, nanos, &unit);
	if (as_slice_is(unit, "ns") && v != 0)
		share = as_arena_printf(
			pp->arena, "(%s)", as_pprof_percent((as_val)v, pp->prof->duration, number));
	total = as_pprof_words_of(pp, pp->total);
	pp_report_add(pp, as_arena_printf(pp->arena, "Duration: %s%.*s, Total samples = %.*s %.*s",
				  text.number, AS_SLICE_FMT(text.unit), AS_SLICE_FMT(total),
				  AS_SLICE_FMT(share)));
}

/* The one that pprof has first; of gperftools' that is the program's, by its name. */
static const struct as_map *first_mapping(const struct as_profile *prof)
{
	for (size_t i = 0; as_format_of(prof)->legacy && i < prof->map.n; i++) {
		struct as_slice path = as_object_path(prof, prof->map.p[i].object);

		if (prof->map.p[i].exec && path.len && path.p[0] != '[' &&
			!as_path_is_library(path))
			return &prof->map.p[i];
	}
	return &prof->map.p[0];
}

static void mapping_labels(struct as_pprof *pp)
{
	const struct as_profile *prof = pp->prof;
	struct as_slice file, id = {NULL, 0};
	const struct as_map *map;

	if (!prof->map.n)
		return;
	map = first_mapping(prof);
	file = as_base_name(as_object_path(prof, map->object));
	if (!as_format_of(prof)->legacy)
		id = as_str_get(prof, prof->object.p[map->object.i].id);
	if (file.len)
		pp_report_add(pp, as_arena_printf(pp->arena, "File: %.*s", AS_SLICE_FMT(file)));
	if (id.len)
		pp_report_add(pp, as_arena_printf(pp->arena, "Build ID: %.*s", AS_SLICE_FMT(id)));
}

/* What our writer has put into comments. */
static void run_labels(struct as_pprof *pp)
{
	struct as_run_lines run;

	pp->arena->failed |= !as_pprof_run_lines(&run, pp->prof);
	for (size_t i = 0; i < run.line.n; i++)
		pp_report_add(pp, as_arena_dup(pp->arena, run.line.p[i]));
	as_run_lines_release(&run, pp->prof->al);
}

/* Those that begin with # are not shown. */
static void comment_labels(struct as_pprof *pp)
{
	const struct as_profile *prof = pp->prof;

	for (size_t i = 0; i < prof->meta.n; i++) {
		struct as_slice text = as_str_get(prof, prof->meta.p[i].text);

		if (as_slice_is(as_str_get(prof, prof->meta.p[i].key), "comment") &&
			!as_slice_starts(text, "#"))
			pp_report_add(pp, text);
	}
}

enum as_code as_pprof_profile_labels(struct as_pprof *pp, struct as_err *err)
{
	struct as_slice type = pp->opts->column.type;

	mapping_labels(pp);
	run_labels(pp);
	comment_labels(pp);
	if (type.len)
		pp_report_add(pp, as_arena_printf(pp->arena, "Type: %.*s", AS_SLICE_FMT(type)));
	if (!as_format_of(pp->prof)->legacy) {
		if (pp->opts->time[0])
			pp_report_add(pp, as_arena_printf(pp->arena, "Time: %s", pp->opts->time));
		duration_label(pp);
	}
	return as_err_memory(err, !pp->arena->failed);
}

static void filter_labels(struct as_pprof *pp)
{
	if (pp->opts->n_filters)
		pp_report_add(pp, as_slice_of("Active filters:"));
	for (size_t i = 0; i < pp->opts->n_filters; i++) {
		const struct as_pprof_filter *f = &pp->opts->filter[i];
		struct as_slice line = as_arena_printf(pp->arena, "   %s=%s", f->key, f->text);

		if (line.len > 3 + FILTER_SHOWN)
			line = as_arena_printf(
				pp->arena, "%.*s\xe2\x80\xa6", 3 + FILTER_SHOWN, line.p);
		pp_report_add(pp, line);
	}
}

static void dropped_label(struct as_pprof *pp, size_t n)
{
	as_val cut = (as_val)((double)pp->total * pp->node_fraction);
	struct as_slice text = as_pprof_words_of(pp, cut < 0 ? -cut : cut);

	if (n)
		pp_report_add(pp, as_arena_printf(pp->arena, "Dropped %zu node%s (cum <= %.*s)", n,
					  n > 1 ? "s" : "", AS_SLICE_FMT(text)));
}

static void showing_labels(struct as_pprof *pp)
{
	const struct as_pg *pg = &pp->graph;
	struct as_slice sum, total = as_pprof_words_of(pp, pp->total);
	char share[AS_PPROF_NUMBER];
	as_val flat = 0;

	for (size_t i = 0; i < pg->node.n; i++)
		flat += pg->node.p[i].flat;
	sum = as_pprof_words_of(pp, flat);
	pp_report_add(pp,
		as_arena_printf(pp->arena, "Showing nodes accounting for %.*s, %s of %.*s total",
			AS_SLICE_FMT(sum),
			pp_report_trimmed(as_pprof_percent(flat, pp->total, share)),
			AS_SLICE_FMT(total)));
	if (!pp->total)
		return;
	dropped_label(pp, pg->dropped_nodes);
	if (pg->node.n && pg->node.n < pg->n_before)
		pp_report_add(pp, as_arena_printf(pp->arena, "Showing top %zu nodes out of %zu",
					  pg->node.n, pg->n_before));
}

enum as_code as_pprof_report_labels(struct as_pprof *pp, struct as_err *err)
{
	as_assert(has_graph(pp->opts->kind));
	pp->label.n = 0;
	AS_TRY(as_pprof_profile_labels(pp, err));
	filter_labels(pp);
	showing_labels(pp);
	return as_err_memory(err, !pp->arena->failed);
}
