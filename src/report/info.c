/* SPDX-License-Identifier: Apache-2.0 */
#include "report/answers.h"

#include "formats/format.h"
#include "formats/run_lines.h"
#include "report/kit/figure.h"
#include "report/kit/grid.h"
#include "report/kit/json.h"
#include "report/kit/show.h"
#include "table/metric.h"

/* What is counted, in the order of info_count(). */
static const struct {
	const char *key, *words;
} count_field[] = {
	{"functions", "function{|s}"},
	{"files", "source file{|s}"},
	{"objects", "object{|s}"},
	{"places", "place{|s}"},
	{"cost_rows", "cost row{|s}"},
	{"call_edges", "call edge{|s}"},
	{"paths", "path{|s}"},
	{"nodes", "path node{|s}"},
	{"jumps", "jump{|s}"},
	{"parts", "part{|s}"},
	{"mappings", "mapping{|s}"},
};

static uint64_t info_count(const struct as_profile *prof, size_t i)
{
	/* Row 0 of a table stands for "unknown". */
	const uint64_t n[AS_ARRAY_LEN(count_field)] = {prof->func.name.n - 1, prof->file.n - 1,
		prof->object.n - 1, prof->place.func.n - 1, prof->self.n, prof->call.n,
		prof->sample.node.n, prof->node.parent.n - 1, prof->jump.n, prof->part.n,
		prof->map.n};

	return n[i];
}

/* The first part that says which program wrote it. */
static struct as_slice producer_of(const struct as_profile *prof)
{
	for (size_t i = 0; i < prof->part.n; i++)
		if (prof->part.p[i].creator.i)
			return as_str_get(prof, prof->part.p[i].creator);
	return (struct as_slice){0};
}

/* The process id if all parts agree on it. */
static const struct as_part *process_of(const struct as_profile *prof)
{
	const struct as_part *found = NULL;

	for (size_t i = 0; i < prof->part.n; i++) {
		const struct as_part *p = &prof->part.p[i];

		if (!p->has_pid)
			continue;
		if (found && found->pid != p->pid)
			return NULL;
		found = p;
	}
	return found;
}

/* ---- JSON ---- */

static void json_events(const struct as_profile *prof, struct as_json *j)
{
	as_json_array(j, "events");
	for (uint32_t i = 0; i < as_n_events(prof); i++) {
		const struct as_event *ev = &prof->event.p[i];

		as_json_object(j, NULL);
		as_json_text(j, "name", as_str_get(prof, ev->name));
		as_json_text_or_null(j, "unit", as_str_get(prof, ev->unit));
		as_json_text_or_null(j, "title", as_str_get(prof, ev->title));
		as_json_val_or_null(j, "period", ev->period != 0, (as_val)ev->period);
		as_json_text_or_null(j, "period_unit", as_str_get(prof, ev->period_unit));
		if (ev->active)
			as_json_val(j, "active", ev->active);
		if (ev->estimated)
			as_json_bool(j, "estimated", true);
		as_json_val(j, "total", prof->total[i]);
		as_json_object_end(j);
	}
	as_json_array_end(j);
	as_json_array(j, "derived");
	for (size_t i = 0; i < prof->derived.n; i++) {
		const struct as_derived *d = &prof->derived.p[i];
		as_val total = 0;
		bool known;

		as_json_object(j, NULL);
		as_json_text(j, "name", as_str_get(prof, d->name));
		as_json_text_or_null(j, "formula", as_str_get(prof, d->formula));
		as_json_text_or_null(j, "title", as_str_get(prof, d->title));
		known = as_derived_total(prof, d, &total);
		as_json_val_or_null(j, "total", known, total);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void json_declared(struct as_json *j, const char *key, const as_val *v, uint32_t n)
{
	if (v)
		as_json_vals(j, key, v, n);
	else
		as_json_null(j, key);
}

static void json_parts(const struct as_profile *prof, struct as_json *j)
{
	as_json_array(j, "parts");
	for (size_t i = 0; i < prof->part.n; i++) {
		const struct as_part *p = &prof->part.p[i];

		as_json_object(j, NULL);
		as_json_text_or_null(j, "name", as_str_get(prof, p->name));
		as_json_val_or_null(j, "pid", p->has_pid, (as_val)p->pid);
		as_json_val_or_null(j, "tid", p->has_tid, (as_val)p->tid);
		as_json_text_or_null(j, "thread", as_str_get(prof, p->thread));
		as_json_val_or_null(j, "number", p->has_number, (as_val)p->number);
		as_json_text_or_null(j, "command", as_str_get(prof, p->command));
		as_json_text_or_null(j, "producer", as_str_get(prof, p->creator));
		as_json_array(j, "events");
		for (uint32_t k = 0; k < p->n_events; k++)
			as_json_text(j, NULL, as_event_name(prof, p->event[k]));
		as_json_array_end(j);
		json_declared(j, "summary", p->summary, p->n_summary);
		json_declared(j, "totals", p->totals, p->n_totals);
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

static void json_metadata(const struct as_profile *prof, struct as_json *j)
{
	as_json_array(j, "metadata");
	for (size_t i = 0; i < prof->meta.n; i++) {
		const struct as_meta *m = &prof->meta.p[i];

		as_json_object(j, NULL);
		as_json_val(j, "part", m->part);
		as_json_text_or_null(j, "key", as_str_get(prof, m->key));
		as_json_text(j, "text", as_str_get(prof, m->text));
		as_json_object_end(j);
	}
	as_json_array_end(j);
}

/* Words of docs/json.md; and why an object's code has no names, in few. */
static const struct {
	const char *word, *reason;
} states[] = {
	[AS_OBJECT_NAMED] = {"named", "addresses outside of its functions"},
	[AS_OBJECT_MISSING] = {"missing", "not found"},
	[AS_OBJECT_CHANGED] = {"changed", "another file"},
	[AS_OBJECT_DAMAGED] = {"damaged", "damaged"},
	[AS_OBJECT_NO_NAMES] = {"no-names", "no names in it"},
	[AS_OBJECT_NOT_A_FILE] = {"not-a-file", "no file"},
};

static void json_name_share(
	const struct as_name_share *row, const struct as_profile *prof, struct as_json *j)
{
	const struct as_object_report *r = row->report;
	struct as_slice none = as_slice_of("");

	as_json_object(j, NULL);
	as_json_text_or_null(j, "object", as_object_path(prof, row->object));
	as_json_text_or_null(j, "id", as_str_get(prof, prof->object.p[row->object.i].id));
	as_json_text_or_null(j, "state", r ? as_slice_of(states[r->state].word) : none);
	as_json_text_or_null(j, "file", r ? r->file : none);
	as_json_text_or_null(j, "note", r ? r->note : none);
	as_json_val(j, "addresses", r ? r->n_addrs : 0);
	as_json_val(j, "addresses_named", r ? r->n_named : 0);
	as_json_val(j, "addresses_in_functions", r ? r->n_begun : 0);
	as_json_val(j, "self", row->self);
	as_json_val(j, "self_nameless", row->nameless);
	as_json_val(j, "self_nameless_functions", row->begun);
	if (r && r->n_named)
		as_json_bool(j, "identified", !r->unproven);
	else
		as_json_null(j, "identified");
	as_json_object_end(j);
}

/* The member "symbols". */
static void json_names(const struct as_name_shares *s, struct as_json *j)
{
	as_json_object(j, "symbols");
	as_json_val(j, "self", s->whole);
	as_json_val(j, "self_nameless", s->nameless);
	as_json_val(j, "self_nameless_functions", s->begun);
	as_json_array(j, "objects");
	for (size_t i = 0; i < s->n; i++)
		json_name_share(&s->row[i], s->prof, j);
	as_json_array_end(j);
	as_json_object_end(j);
}

enum as_code as_info_json(const struct as_info *info, struct as_out *out)
{
	const struct as_profile *prof = info->prof;
	const struct as_part *process = process_of(prof);
	struct as_arena ar;
	struct as_json j;

	as_arena_init(&ar, prof->al);
	as_json_init(&j, out);
	as_json_object(&j, NULL);
	as_json_text(&j, "schema", as_slice_of("assay.info/1"));
	as_json_text(&j, "file", as_slice_of(info->name));
	as_json_text_or_null(&j, "format", as_str_get(prof, prof->format));
	as_json_text_or_null(&j, "version", as_str_get(prof, prof->version));
	as_json_text_or_null(&j, "producer", producer_of(prof));
	as_json_text_or_null(&j, "command", as_run_command(prof, &ar));
	as_json_val_or_null(&j, "pid", process != NULL, process ? process->pid : 0);
	as_json_text_or_null(&j, "epoch", as_str_get(prof, prof->epoch));
	as_json_val_or_null(&j, "duration", prof->duration != 0, prof->duration);
	as_json_text(&j, "shape", as_slice_of(as_shape_text(prof)));
	as_json_bool(&j, "estimated", prof->estimated);
	as_json_bool(&j, "partial", prof->partial);
	json_events(prof, &j);
	as_json_object(&j, "counts");
	for (size_t i = 0; i < AS_ARRAY_LEN(count_field); i++)
		as_json_val(&j, count_field[i].key, info_count(prof, i));
	as_json_object_end(&j);
	json_parts(prof, &j);
	json_metadata(prof, &j);
	json_names(info->names, &j);
	as_json_object_end(&j);
	as_json_finish(&j);
	return as_arena_end(&ar);
}

/* ---- text ---- */

struct text {
	const struct as_info *info;
	const struct as_profile *prof;
	const struct as_style *style;
	struct as_grid grid;
};

static void info_line(struct text *t, const char *key, struct as_slice value)
{
	as_grid_cell(&t->grid, as_slice_of(key));
	as_grid_cell(&t->grid, value);
}

static void known_line(struct text *t, const char *key, struct as_slice value)
{
	if (value.len)
		info_line(t, key, as_show_clean(&t->grid.arena, value));
}

static struct as_slice event_line(struct text *t, const struct as_event *ev, as_val sum)
{
	struct as_arena *ar = &t->grid.arena;
	struct as_slice name = as_show_clean(ar, as_str_get(t->prof, ev->name));
	struct as_slice title = as_show_clean(ar, as_str_get(t->prof, ev->title));
	struct as_slice unit = as_show_clean(ar, as_str_get(t->prof, ev->period_unit));
	struct as_slice total = as_show_val(ar, sum, t->style), period = as_slice_of("");
	struct as_slice active = as_slice_of("");

	if (ev->active)
		active = as_arena_printf(ar, ", counted %" PRIu32 ".%02" PRIu32 " %% of the time",
			ev->active / 100, ev->active % 100);
	if (ev->period)
		period = as_arena_printf(
			ar, ", one every %" PRIu64 " %.*s", ev->period, AS_SLICE_FMT(unit));
	if (title.len)
		title = as_arena_printf(ar, " (%.*s)", AS_SLICE_FMT(title));
	return as_arena_printf(ar, "%.*s %.*s%.*s%.*s%s%.*s", AS_SLICE_FMT(total),
		AS_SLICE_FMT(name), AS_SLICE_FMT(period), AS_SLICE_FMT(active),
		ev->estimated ? ", estimated" : "", AS_SLICE_FMT(title));
}

static void text_counts(struct text *t)
{
	struct as_arena *ar = &t->grid.arena;
	bool first = true;

	for (size_t i = 0; i < AS_ARRAY_LEN(count_field); i++) {
		uint64_t n = info_count(t->prof, i);
		struct as_slice v = as_show_val(ar, (as_val)n, t->style);
		struct as_slice words = as_arena_plural(ar, count_field[i].words, n);

		if (!n)
			continue;
		info_line(t, first ? "holds" : "",
			as_arena_printf(ar, "%.*s %.*s", AS_SLICE_FMT(v), AS_SLICE_FMT(words)));
		first = false;
	}
}

static struct as_slice info_declared(struct text *t, const char *what, const as_val *v, uint32_t n)
{
	struct as_slice s;

	if (!v || !n)
		return as_slice_of("");
	s = as_show_val(&t->grid.arena, v[0], t->style);
	return as_arena_printf(
		&t->grid.arena, ", %s %.*s%s", what, AS_SLICE_FMT(s), n > 1 ? " ..." : "");
}

enum { PARTS_MAX = 20 }; /* lines of parts; JSON has all */

/* "NAME, part 1, pid 2, thread 3, summary 4, totals 5"; empty: nothing is known of the part. */
static struct as_slice info_part(struct text *t, const struct as_part *p)
{
	struct as_arena *ar = &t->grid.arena;
	struct as_slice name = as_show_clean(ar, as_str_get(t->prof, p->name));
	struct as_slice summary = info_declared(t, "summary", p->summary, p->n_summary);
	struct as_slice totals = info_declared(t, "totals", p->totals, p->n_totals);
	char ids[128] = "";
	int n = 0;

	if (p->has_number)
		n = snprintf(ids, sizeof(ids), ", part %" PRIu64, p->number);
	if (p->has_pid)
		n += snprintf(ids + n, sizeof(ids) - (size_t)n, ", pid %" PRIu64, p->pid);
	if (p->has_tid)
		snprintf(ids + n, sizeof(ids) - (size_t)n, ", thread %" PRIu64, p->tid);
	return as_arena_printf(ar, "%.*s%s%.*s%.*s", AS_SLICE_FMT(name), ids, AS_SLICE_FMT(summary),
		AS_SLICE_FMT(totals));
}

/* Parts that follow one another and of which the same is known, as labels tell them apart, are one
 * line; a recording of a machine has thousands. */
static void text_parts(struct text *t)
{
	struct as_arena *ar = &t->grid.arena;
	size_t n_lines = 0, n_left = 0, n_parts = t->prof->part.n;

	for (size_t i = 0, n; i < n_parts; i += n) {
		struct as_slice line = info_part(t, &t->prof->part.p[i]);

		for (n = 1; i + n < n_parts; n++)
			if (!as_slice_eq(line, info_part(t, &t->prof->part.p[i + n])))
				break;
		if (!line.len)
			continue;
		if (n_lines == PARTS_MAX) {
			n_left += n;
			continue;
		}
		if (n > 1)
			line = as_arena_printf(ar, "%.*s, %zu parts", AS_SLICE_FMT(line), n);
		info_line(t, n_lines++ ? "" : "parts", line);
	}
	if (n_left)
		info_line(t, "", as_arena_printf(ar, "%zu more; -f json has all", n_left));
}

/* "3 194 search_g", a tally of the recorder's: threads, their samples, their name. */
static struct as_slice info_tally(struct as_arena *ar, struct as_slice text)
{
	struct as_slice rest = text, threads, samples;

	if (!as_slice_word(&rest, &threads) || !as_slice_word(&rest, &samples))
		return text;
	return as_arena_printf(ar, "%.*s with %.*s samples: %.*s", AS_SLICE_FMT(threads),
		AS_SLICE_FMT(samples), AS_SLICE_FMT(as_slice_trim(rest)));
}

/* A line of metadata, without the "assay: " that the recorder puts before its own. */
static void text_meta(struct text *t, const struct as_meta *m, bool first)
{
	struct as_arena *ar = &t->grid.arena;
	struct as_slice key = as_show_clean(ar, as_str_get(t->prof, m->key));
	struct as_slice text = as_show_clean(ar, as_str_get(t->prof, m->text));

	if (as_slice_starts(key, "assay: "))
		key = as_slice_skip(key, strlen("assay: "));
	if (as_slice_is(as_str_get(t->prof, m->key), "assay: threads"))
		text = info_tally(ar, text);
	info_line(t, first ? "also" : "",
		as_arena_printf(ar, "%.*s%s%.*s", AS_SLICE_FMT(key), key.len ? ": " : "",
			AS_SLICE_FMT(text)));
}

/* "not found": why an object's code has no names, in few words. */
static const char *names_reason(const struct as_profile *prof, const struct as_name_share *row)
{
	const struct as_object_report *r = row->report;

	if (as_path_is_gap(as_object_path(prof, row->object)))
		return "no code";
	if (row->begun && row->begun == row->nameless)
		return "functions without symbols";
	return r ? states[r->state].reason : "not looked for";
}

enum { TOLD_MAX = 5 }; /* objects in a line; JSON has all */

/* "78.6 % of the cost has names; without: libc.so.6 21.4 % (not found)", and how much of
 * that is known by the function that it is in. */
static struct as_slice names_text(const struct as_name_shares *s, struct as_arena *ar)
{
	struct as_slice text = as_slice_of(""), percent;
	const char *sep = "; without: ";
	size_t n_told = 0, n_more = 0;

	for (size_t i = 0; i < s->n; i++) {
		const struct as_name_share *row = &s->row[i];
		struct as_slice name = as_base_name(as_object_path(s->prof, row->object));

		if (row->nameless <= 0)
			continue;
		if (n_told == TOLD_MAX) {
			n_more++;
			continue;
		}
		n_told++;
		name = as_show_clean(ar, name);
		percent = as_show_percent(ar, row->nameless, s->whole);
		text = as_arena_printf(ar, "%.*s%s%.*s %.*s %% (%s)", AS_SLICE_FMT(text), sep,
			AS_SLICE_FMT(name.len ? name : as_slice_of("[unknown]")),
			AS_SLICE_FMT(percent), names_reason(s->prof, row));
		sep = ", ";
	}
	if (n_more)
		text = as_arena_printf(ar, "%.*s and %zu more", AS_SLICE_FMT(text), n_more);
	percent = as_show_percent(ar, s->begun, s->whole);
	if (s->begun > 0 && s->begun < s->nameless)
		text = as_arena_printf(ar, "%.*s; %.*s %% in functions without symbols",
			AS_SLICE_FMT(text), AS_SLICE_FMT(percent));
	percent = as_show_percent(ar, s->whole - s->nameless, s->whole);
	return as_arena_printf(
		ar, "%.*s %% of the cost has names%.*s", AS_SLICE_FMT(percent), AS_SLICE_FMT(text));
}

static void text_lines(struct text *t)
{
	const struct as_profile *prof = t->prof;
	const struct as_part *process = process_of(prof);
	struct as_arena *ar = &t->grid.arena;
	struct as_slice format = as_show_clean(ar, as_str_get(prof, prof->format));
	struct as_slice version = as_show_clean(ar, as_str_get(prof, prof->version));

	known_line(t, "file", as_slice_of(t->info->name));
	if (!format.len)
		format = as_slice_of("several");
	info_line(t, "format",
		as_arena_printf(ar, "%.*s%s%.*s", AS_SLICE_FMT(format), version.len ? " " : "",
			AS_SLICE_FMT(version)));
	known_line(t, "producer", producer_of(prof));
	known_line(t, "command", as_run_command(prof, ar));
	if (process)
		info_line(t, "pid", as_arena_printf(ar, "%" PRIu64, process->pid));
	/* DCPI's word for when its samples begin. */
	known_line(
		t, as_format_of(prof)->epochs ? "epoch" : "started", as_str_get(prof, prof->epoch));
	if (prof->duration)
		info_line(t, "duration",
			as_arena_printf(ar, "%.*s s",
				AS_SLICE_FMT(as_diff_decimal(
					ar, prof->duration, 9, 9, false, &(struct as_style){0}))));
	info_line(t, "shape",
		as_arena_printf(ar, "%s%s%s", as_shape_text(prof),
			prof->estimated ? ", estimated" : "",
			prof->partial ? ", partial: not all of it could be read" : ""));
	for (uint32_t i = 0; i < as_n_events(prof); i++)
		info_line(t, i ? "" : "events", event_line(t, &prof->event.p[i], prof->total[i]));
	if (t->info->names->asked)
		info_line(t, "names", names_text(t->info->names, ar));
	text_counts(t);
	text_parts(t);
	for (size_t i = 0; i < prof->meta.n; i++)
		text_meta(t, &prof->meta.p[i], !i);
}

enum as_code as_info_text(
	const struct as_info *info, struct as_out *out, const struct as_style *style)
{
	struct text t = {.info = info, .prof = info->prof, .style = style};
	struct as_style whole = *style;
	enum as_code rc;

	whole.width = 0; /* facts are never shortened */
	as_grid_init(&t.grid, info->prof->al);
	as_grid_column(&t.grid, "", true, AS_FIT_WHOLE);
	as_grid_column(&t.grid, "", true, AS_FIT_TEXT);
	text_lines(&t);
	rc = as_grid_print(&t.grid, out, &whole);
	as_grid_release(&t.grid);
	return rc;
}
