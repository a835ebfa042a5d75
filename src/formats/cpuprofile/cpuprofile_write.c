/* SPDX-License-Identifier: Apache-2.0 */
/* A .cpuprofile of one event. docs/formats/cpuprofile.md, "What we write". */
#include "formats/cpuprofile/cpuprofile.h"
#include "formats/json_out.h"

enum { REPEATED_MAX = 1000000 }; /* samples that are written one by one without times */

/* A node of the file: a path by functions. Rows; 0 = none. */
struct hit_node {
	uint32_t parent, child, last, next;
	uint32_t first; /* node of the profile that it stands for, the last one first */
	as_func func;
	as_val hits;
};

struct hit_writer {
	struct as_wr *wr;
	const struct as_profile *prof;
	const struct as_alloc *al;
	struct as_arena arena;
	uint32_t event;
	bool timed, counted; /* the event's moments are samples; its unit is a count */
	uint64_t nanos;      /* of the event's unit, 0 = it is no time */
	AS_VEC(struct hit_node) node;
	struct as_index nodes;
	uint32_t *to;   /* node of ours of each node of the profile */
	uint32_t *also; /* of each node of the profile the next one of the same node of ours */
	as_val *cost;   /* of each node of the profile */
	uint64_t n_changed, n_rounded, n_made, n_columns;
};

/* ---- the tree ---- */

static enum as_code write_hit_child(
	struct hit_writer *w, uint32_t parent, as_func func, uint32_t *row)
{
	uint64_t hash = as_hash_mix(parent, func.i), at = AS_INDEX_START;
	struct hit_node one = {.parent = parent, .func = func};
	struct hit_node *above;

	while (as_index_find(&w->nodes, hash, &at, row))
		if (w->node.p[*row].parent == parent && w->node.p[*row].func.i == func.i)
			return AS_OK;
	*row = (uint32_t)w->node.n;
	if (!as_vec_push(w->al, &w->node, one) || !as_index_add(&w->nodes, hash, *row))
		return as_err_no_memory(w->wr->err);
	above = &w->node.p[parent];
	*(above->last ? &w->node.p[above->last].next : &above->child) = *row;
	above->last = *row;
	return AS_OK;
}

static enum as_code write_hit_tree(struct hit_writer *w)
{
	const struct as_profile *prof = w->prof;
	size_t n = prof->node.parent.n, e = prof->event.n;
	struct hit_node root = {.parent = 0};

	AS_TRY(as_err_memory(w->wr->err, as_vec_push(w->al, &w->node, root) &&
						 as_alloc_array(w->al, &w->to, n + 1) &&
						 as_alloc_array(w->al, &w->also, n + 1) &&
						 as_alloc_array(w->al, &w->cost, n + 1)));
	for (size_t i = 1; i < n; i++) {
		as_func func = prof->place.func.p[prof->node.place.p[i].i];

		AS_TRY(write_hit_child(w, w->to[prof->node.parent.p[i].i], func, &w->to[i]));
		w->also[i] = w->node.p[w->to[i]].first;
		w->node.p[w->to[i]].first = (uint32_t)i;
	}
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		uint32_t node = prof->sample.node.p[i].i;
		as_val cost = prof->sample.cost.p[i * e + w->event];

		if (cost < 0)
			return as_err_set(w->wr->err, AS_E_UNSUPPORTED,
				"costs below zero cannot be written: samples are counted");
		if (cost > INT64_MAX / 2000)
			return as_err_set(w->wr->err, AS_E_LIMIT, "a cost is beyond 64 bits");
		w->cost[node] += cost;
		w->node.p[w->to[node]].hits += cost;
	}
	return AS_OK;
}

/* ---- nodes ---- */

static void write_hit_text(struct hit_writer *w, const char *key, struct as_slice s)
{
	as_out_text(w->wr->out, key);
	w->n_changed += !as_json_out_text(w->wr->out, s);
}

/* Code without a name, as tables show it. */
static struct as_slice write_hit_nameless(struct hit_writer *w, as_func func)
{
	struct as_slice path =
		as_base_name(as_object_path(w->prof, w->prof->func.object.p[func.i]));

	if (as_path_is_gap(path) || (path.len && !w->prof->func.addr.p[func.i]))
		return path;
	if (!w->prof->func.addr.p[func.i])
		return as_slice_of("[unknown]");
	return as_arena_printf(&w->arena, "[%.*s%s0x%" PRIx64 "]", AS_SLICE_FMT(path),
		path.len ? "+" : "", w->prof->func.addr.p[func.i]);
}

static enum as_code write_hit_frame(struct hit_writer *w, as_func func)
{
	struct as_func_row row = as_func_get(w->prof, func);
	struct as_slice name = as_str_get(w->prof, row.name);

	if (!name.len)
		name = write_hit_nameless(w, func);
	AS_TRY(as_err_memory(w->wr->err, name.p));
	if (as_slice_is(name, "(anonymous)"))
		name = as_slice_of("");
	write_hit_text(w, "\"callFrame\":{\"functionName\":", name);
	write_hit_text(w, ",\"scriptId\":\"0\",\"url\":", as_file_path(w->prof, row.file));
	as_out_printf(w->wr->out, ",\"lineNumber\":%" PRId64 ",\"columnNumber\":-1}",
		row.line && row.line <= INT64_MAX ? (int64_t)row.line - 1 : -1);
	return AS_OK;
}

static void write_hit_lists(struct hit_writer *w, const struct hit_node *n)
{
	struct as_out *out = w->wr->out;
	const char *before = ",\"children\":[";

	for (uint32_t c = n->child; c; c = w->node.p[c].next, before = ",")
		as_out_printf(out, "%s%" PRIu32, before, c + 1);
	if (n->child)
		as_out_char(out, ']');
	before = ",\"positionTicks\":[";
	for (uint32_t i = n->first; i && w->counted; i = w->also[i]) {
		uint64_t line = w->prof->place.line.p[w->prof->node.place.p[i].i];

		if (!line || !w->cost[i])
			continue;
		as_out_printf(out, "%s{\"line\":%" PRIu64 ",\"ticks\":", before, line);
		as_out_val(out, w->cost[i]);
		as_out_char(out, '}');
		before = ",";
	}
	if (*before == ',' && !before[1])
		as_out_char(out, ']');
}

static enum as_code write_hit_nodes(struct hit_writer *w)
{
	struct as_out *out = w->wr->out;

	for (size_t i = 0; i < w->node.n; i++) {
		as_out_printf(out, "%s{\"id\":%zu,", i ? ",\n" : "{\"nodes\":[\n", i + 1);
		if (i)
			AS_TRY(write_hit_frame(w, w->node.p[i].func));
		else
			as_out_text(out,
				"\"callFrame\":{\"functionName\":\"(root)\",\"scriptId\":\"0\","
				"\"url\":\"\",\"lineNumber\":-1,\"columnNumber\":-1}");
		as_out_text(out, ",\"hitCount\":");
		as_out_val(out, w->counted ? w->node.p[i].hits : w->node.p[i].hits != 0);
		write_hit_lists(w, &w->node.p[i]);
		as_out_char(out, '}');
	}
	as_out_text(out, "],\n");
	return AS_OK;
}

/* ---- samples in order of time ---- */

/* Whether each moment of the event is one sample. */
static bool write_hit_is_timed(const struct hit_writer *w)
{
	struct as_moments_cur cur;
	bool some = false;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur)) {
		if (cur.at.event != w->event)
			continue;
		some = true;
		if (cur.at.value != 1)
			return false;
	}
	return some;
}

static void write_hit_timed(struct hit_writer *w, bool times)
{
	struct as_moments_cur cur;
	const char *before = "";
	int64_t last = 0;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur)) {
		if (cur.at.event != w->event)
			continue;
		as_out_text(w->wr->out, before);
		before = ",";
		if (times)
			as_out_val(w->wr->out, cur.at.time / 1000 - last);
		else
			as_out_u64(w->wr->out, w->to[cur.at.node.i] + 1);
		last = cur.at.time / 1000;
		w->n_rounded += times && cur.at.time % 1000;
	}
}

/* ---- samples without a time ---- */

/* Microseconds that the cost of a node is shown as; samples of one each are 1. */
static as_val write_hit_micros(const struct hit_writer *w, as_val cost)
{
	return w->nanos ? cost * (as_val)w->nanos / 1000 : cost;
}

/* Each node as often as it was counted, or once, with what it costs as the time behind it. */
static void write_hit_made(struct hit_writer *w, bool repeat, bool times)
{
	as_val passed = 0;
	const char *before = "";

	for (size_t i = 0; i < w->node.n; i++) {
		as_val hits = w->node.p[i].hits, n = repeat ? hits : hits != 0;

		for (as_val k = 0; k < n; k++) {
			as_out_text(w->wr->out, before);
			before = ",";
			as_out_val(w->wr->out, times ? passed : (as_val)i + 1);
			passed = repeat ? 1 : write_hit_micros(w, hits);
			w->n_made += times;
			w->n_rounded += times && w->nanos && hits * (as_val)w->nanos % 1000;
		}
	}
}

static as_val write_hit_end(const struct hit_writer *w, bool repeat)
{
	as_val end = 0;

	if (w->timed)
		return (w->prof->moments.last + 999) / 1000;
	for (size_t i = 0; i < w->node.n; i++)
		end += repeat ? w->node.p[i].hits : write_hit_micros(w, w->node.p[i].hits);
	return end;
}

static void write_hit_samples(struct hit_writer *w)
{
	struct as_out *out = w->wr->out;
	bool repeat = w->counted && w->prof->total[w->event] <= REPEATED_MAX;

	as_out_text(out, "\"startTime\":0,\"endTime\":");
	as_out_val(out, write_hit_end(w, repeat));
	as_out_text(out, ",\n\"samples\":[");
	if (w->timed)
		write_hit_timed(w, false);
	else
		write_hit_made(w, repeat, false);
	as_out_text(out, "],\n\"timeDeltas\":[");
	if (w->timed)
		write_hit_timed(w, true);
	else
		write_hit_made(w, repeat, true);
	as_out_text(out, "]}\n");
}

/* ---- all of it ---- */

static enum as_code write_hit_choose(struct hit_writer *w)
{
	const char *name = as_opts_get(&w->wr->opts, "event");
	const struct as_profile *prof = w->prof;
	struct as_slice unit;

	if (!as_n_events(prof))
		return as_err_set(w->wr->err, AS_E_UNSUPPORTED, "the profile has no events");
	if (name && !as_profile_event(prof, as_slice_of(name), &w->event))
		return as_err_set(w->wr->err, AS_E_ARG, "the profile has no event '%s'", name);
	if (!name)
		(void)as_profile_event(prof, as_slice_of("samples"), &w->event);
	unit = as_str_get(prof, prof->event.p[w->event].unit);
	w->nanos = as_unit_nanos(unit);
	w->counted = !w->nanos && !as_slice_is(unit, "bytes");
	w->timed = write_hit_is_timed(w);
	return AS_OK;
}

static void write_hit_losses(struct hit_writer *w)
{
	struct as_losses *l = w->wr->losses;
	uint32_t time = UINT32_MAX;

	(void)as_profile_event(w->prof, as_slice_of("time"), &time);
	as_losses_add(l, "events", as_n_events(w->prof) - 1 - (w->timed && time != UINT32_MAX),
		"event{|s}");
	as_losses_add(l, "objects", w->prof->object.n - 1, "object{|s}");
	as_losses_add(l, "names", w->n_changed,
		"name{|s} that would not be read as {it is|they are}, written otherwise");
	as_losses_add(
		l, "times", w->n_rounded, "time{|s} with digits below a microsecond, rounded");
	as_losses_add(l, "made-times", w->timed ? 0 : w->n_made,
		"sample{|s} without a time, written one behind the other");
}

enum as_code as_cpuprofile_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct hit_writer w = {.wr = wr, .prof = prof, .al = wr->al};
	enum as_code rc;

	as_arena_init(&w.arena, w.al);
	as_index_init(&w.nodes, w.al);
	rc = write_hit_choose(&w);
	rc = rc ? rc : write_hit_tree(&w);
	rc = rc ? rc : write_hit_nodes(&w);
	if (rc == AS_OK) {
		write_hit_samples(&w);
		write_hit_losses(&w);
	}
	return rc;
}
