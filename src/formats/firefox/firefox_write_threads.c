/* SPDX-License-Identifier: Apache-2.0 */
/* A thread for each part and event: its samples in order of time, or their sums. */
#include "formats/firefox/firefox_write.h"

void as_fx_put_millis(struct as_out *out, int64_t nanos)
{
	uint64_t left = nanos < 0 ? 0 - (uint64_t)nanos : (uint64_t)nanos;
	uint32_t rest = (uint32_t)(left % 1000000);
	char digits[8];
	size_t n = 6;

	if (nanos < 0)
		as_out_char(out, '-');
	as_out_u64(out, left / 1000000);
	if (!rest)
		return;
	for (size_t i = n; i-- > 0; rest /= 10)
		digits[i] = (char)('0' + rest % 10);
	while (digits[n - 1] == '0')
		n--;
	as_out_char(out, '.');
	as_out_bytes(out, digits, n);
}

/* ---- moments, by part and event ---- */

/* What a marker is called. */
static struct as_slice threads_marker(const struct fx_write *w, as_node node)
{
	return as_func_name(w->prof, as_place_pos(w->prof, w->prof->node.place.p[node.i]).func);
}

enum as_code as_fx_plan_moments(struct fx_write *w)
{
	const struct as_profile *prof = w->prof;
	size_t e = prof->event.n, n = prof->part.n * e, *next = NULL;
	struct as_moments_cur cur;
	uint32_t string;

	if (!prof->moments.n)
		return AS_OK;
	AS_TRY(as_err_memory(w->wr->err,
		as_alloc_array(w->al, &w->first, n + 1) && as_alloc_array(w->al, &next, n + 1) &&
			as_alloc_array(w->al, &w->moment, prof->moments.n)));
	as_moments_begin(&cur, &prof->moments);
	while (as_moments_next(&cur)) {
		w->first[cur.at.part * e + cur.at.event + 1]++;
		w->n_durations += cur.at.duration != 0 && cur.at.event != w->markers;
	}
	for (size_t i = 0; i < n; i++)
		w->first[i + 1] += w->first[i];
	memcpy(next, w->first, (n + 1) * sizeof(*next));
	as_moments_begin(&cur, &prof->moments);
	while (as_moments_next(&cur)) {
		struct fx_row row = {cur.at.time, cur.at.duration, cur.at.value, cur.at.node};

		if (cur.at.event == w->markers)
			AS_TRY(as_fx_string_row(w, threads_marker(w, cur.at.node), &string));
		w->moment[next[cur.at.part * e + cur.at.event]++] = row;
	}
	return AS_OK;
}

/* ---- the rows of one thread ---- */

static int threads_cmp_row(const void *ctx, uint32_t a, uint32_t b)
{
	const struct fx_write *w = ctx;
	const struct fx_row *x = &w->rows.p[a], *y = &w->rows.p[b];
	int c = (x->time > y->time) - (x->time < y->time);

	return c ? c : as_cmp_u64(w->row[x->node.i], w->row[y->node.i]);
}

/* Of sums, in the order of the stacks, a millisecond each: there has to be a time. */
static enum as_code threads_sums(struct fx_write *w, uint32_t part, uint32_t event)
{
	const struct as_profile *prof = w->prof;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		struct fx_row row = {0, 0, prof->sample.cost.p[i * prof->event.n + event],
			prof->sample.node.p[i]};

		if (prof->sample.part.p[i] == part && row.value)
			AS_TRY(as_err_memory(w->wr->err, as_vec_push(w->al, &w->rows, row)));
	}
	return AS_OK;
}

static enum as_code threads_rows(struct fx_write *w, uint32_t part, uint32_t event)
{
	size_t slot = (size_t)part * w->prof->event.n + event, n;

	w->rows.n = 0;
	if (!w->first)
		AS_TRY(threads_sums(w, part, event));
	else
		AS_TRY(as_err_memory(
			w->wr->err, as_vec_append(w->al, &w->rows, w->moment + w->first[slot],
					    w->first[slot + 1] - w->first[slot])));
	n = w->rows.n;
	if (n < 2)
		return AS_OK;
	AS_TRY(as_err_memory(w->wr->err, as_sort_array(w->al, w->rows.p, n, threads_cmp_row, w)));
	for (size_t i = 0; !w->first && i < n; i++)
		w->rows.p[i].time = (int64_t)i * 1000000;
	return AS_OK;
}

/* ---- who ---- */

static struct as_slice threads_process(const struct fx_write *w, uint32_t part)
{
	const struct as_part *p = &w->prof->part.p[part];
	uint32_t n;
	const struct as_label *label = as_part_labels(w->prof, part, &n);

	as_assert(part < w->prof->part.n);
	for (uint32_t i = 0; i < n; i++)
		if (as_slice_is(as_str_get(w->prof, label[i].key), "process") && label[i].text.i)
			return as_str_get(w->prof, label[i].text);
	return as_str_get(w->prof, p->command);
}

/* Threads of one number are told apart: "12", "12.1" ... */
static enum as_code threads_tid(struct fx_write *w, const struct as_part *p)
{
	uint32_t tid = p->has_tid ? (uint32_t)p->tid : UINT32_MAX, row, same = 0;
	uint64_t at = AS_INDEX_START, hash = as_hash_mix(tid, 1);

	while (as_index_find(&w->tids, hash, &at, &row))
		same += w->tid.p[row] == tid;
	AS_TRY(as_err_memory(w->wr->err, as_index_add(&w->tids, hash, (uint32_t)w->tid.n) &&
						 as_vec_push(w->al, &w->tid, tid)));
	if (!p->has_tid)
		as_out_printf(w->wr->out, ",\"tid\":\"unknown %" PRIu32 "\"", same + 1);
	else if (same)
		as_out_printf(w->wr->out, ",\"tid\":\"%" PRIu64 ".%" PRIu32 "\"", p->tid, same);
	else
		as_out_printf(w->wr->out, ",\"tid\":\"%" PRIu64 "\"", p->tid);
	return AS_OK;
}

static enum as_code threads_who(struct fx_write *w, uint32_t part, uint32_t event)
{
	const struct as_part *p = &w->prof->part.p[part];
	struct as_out *out = w->wr->out;
	struct as_slice name = as_str_get(w->prof, p->thread);
	struct as_slice of = as_slice_of(""), unit = of;

	as_assert(part < w->prof->part.n);
	if (event != FX_NO_ROW) {
		of = as_event_name(w->prof, event);
		unit = as_str_get(w->prof, w->prof->event.p[event].unit);
	}
	name = as_arena_printf(&w->arena, "%.*s · %.*s%s", AS_SLICE_FMT(name), AS_SLICE_FMT(of),
		w->first ? "" : FX_AGGREGATED);
	AS_TRY(as_err_memory(w->wr->err, name.p));
	as_out_text(out, "{\"processType\":\"default\",\"processName\":");
	as_fx_put_text(w, threads_process(w, part));
	as_out_text(out, ",\"processStartupTime\":0,\"processShutdownTime\":null,\"registerTime\":"
			 "0,\"unregisterTime\":null,\"pausedRanges\":[],\"name\":");
	as_fx_put_text(w, name);
	as_out_text(out, ",\"assayEvent\":{\"name\":");
	as_fx_put_text(w, of);
	as_out_text(out, ",\"unit\":");
	as_fx_put_text(w, unit);
	as_out_printf(out, ",\"aggregated\":%s},\"isMainThread\":%s", w->first ? "false" : "true",
		p->has_pid && p->has_tid && p->pid == p->tid ? "true" : "false");
	if (p->has_pid)
		as_out_printf(out, ",\"pid\":\"%" PRIu64 "\"", p->pid);
	else
		as_out_printf(out, ",\"pid\":\"unknown\"");
	return threads_tid(w, p);
}

/* ---- samples ---- */

static enum as_code threads_weight(struct fx_write *w, as_val v, uint64_t nanos)
{
	as_val all = nanos ? v * (as_val)nanos : v, size = v < 0 ? -v : v;
	char text[AS_VAL_TEXT];

	if (all > INT64_MAX || all < -INT64_MAX)
		return as_err_set(w->wr->err, AS_E_LIMIT,
			"a stack has the cost %s; the format holds numbers of 64 bits, times as "
			"nanoseconds",
			as_val_text(v, text));
	w->n_beyond += size > FX_JS_MAX;
	if (nanos)
		as_fx_put_millis(w->wr->out, (int64_t)all);
	else
		as_out_val(w->wr->out, v);
	return AS_OK;
}

static enum as_code threads_samples(struct fx_write *w, uint32_t event)
{
	struct as_slice unit = as_slice_of("");
	uint64_t nanos;
	struct as_out *out = w->wr->out;
	size_t n = w->rows.n;

	if (event != FX_NO_ROW)
		unit = as_str_get(w->prof, w->prof->event.p[event].unit);
	nanos = as_unit_nanos(unit);
	as_out_printf(out, ",\"samples\":{\"length\":%zu,\"stack\":[", n);
	for (size_t i = 0; i < n; i++) {
		uint32_t row = w->row[w->rows.p[i].node.i];

		as_out_text(out, i ? "," : "");
		if (row)
			as_out_u64(out, row - 1);
		else
			as_out_text(out, "null");
	}
	as_out_text(out, "],\"time\":[");
	for (size_t i = 0; i < n; i++) {
		as_out_text(out, i ? "," : "");
		as_fx_put_millis(out, w->rows.p[i].time);
	}
	as_out_text(out, "],\"weight\":[");
	for (size_t i = 0; i < n; i++) {
		as_out_text(out, i ? "," : "");
		AS_TRY(threads_weight(w, w->rows.p[i].value, nanos));
	}
	as_out_printf(out, "],\"weightType\":\"%s\"}",
		nanos                        ? "tracing-ms"
		: as_slice_is(unit, "bytes") ? "bytes"
					     : "samples");
	return AS_OK;
}

/* ---- markers ---- */

/* A column: ROW says what stands in it for marker M. */
static enum as_code threads_marker_column(struct fx_write *w, const char *name, uint32_t part,
	enum as_code (*row)(struct fx_write *w, const struct fx_row *m))
{
	size_t slot = (size_t)part * w->prof->event.n + w->markers;

	as_out_printf(w->wr->out, ",\"%s\":[", name);
	for (size_t i = w->first[slot]; i < w->first[slot + 1]; i++) {
		as_out_text(w->wr->out, i > w->first[slot] ? "," : "");
		AS_TRY(row(w, &w->moment[i]));
	}
	as_out_char(w->wr->out, ']');
	return AS_OK;
}

static enum as_code threads_marker_nothing(struct fx_write *w, const struct fx_row *m)
{
	w->n_repeated += m->value > 1 ? (uint64_t)m->value - 1 : 0;
	as_out_text(w->wr->out, "null");
	return AS_OK;
}

static enum as_code threads_marker_name(struct fx_write *w, const struct fx_row *m)
{
	uint32_t row;

	AS_TRY(as_fx_string_row(w, threads_marker(w, m->node), &row)); /* it was planned */
	as_out_u64(w->wr->out, row);
	return AS_OK;
}

static enum as_code threads_marker_start(struct fx_write *w, const struct fx_row *m)
{
	as_fx_put_millis(w->wr->out, m->time);
	return AS_OK;
}

static enum as_code threads_marker_end(struct fx_write *w, const struct fx_row *m)
{
	if (m->duration)
		as_fx_put_millis(w->wr->out, m->time + (int64_t)m->duration);
	else
		as_out_text(w->wr->out, "null");
	return AS_OK;
}

/* An instant, or an interval. */
static enum as_code threads_marker_phase(struct fx_write *w, const struct fx_row *m)
{
	as_out_char(w->wr->out, m->duration ? '1' : '0');
	return AS_OK;
}

static enum as_code threads_marker_category(struct fx_write *w, const struct fx_row *m)
{
	(void)m;
	as_out_char(w->wr->out, '0');
	return AS_OK;
}

/* Those of PART stand with its first thread. */
static enum as_code threads_markers(struct fx_write *w, uint32_t part, bool first)
{
	size_t slot = (size_t)part * w->prof->event.n + w->markers;

	if (!first || w->markers == FX_NO_ROW) {
		as_out_text(w->wr->out,
			",\"markers\":{\"length\":0,\"data\":[],\"name\":[],"
			"\"startTime\":[],\"endTime\":[],\"phase\":[],\"category\":[]}}");
		return AS_OK;
	}
	as_out_printf(
		w->wr->out, ",\"markers\":{\"length\":%zu", w->first[slot + 1] - w->first[slot]);
	AS_TRY(threads_marker_column(w, "data", part, threads_marker_nothing));
	AS_TRY(threads_marker_column(w, "name", part, threads_marker_name));
	AS_TRY(threads_marker_column(w, "startTime", part, threads_marker_start));
	AS_TRY(threads_marker_column(w, "endTime", part, threads_marker_end));
	AS_TRY(threads_marker_column(w, "phase", part, threads_marker_phase));
	AS_TRY(threads_marker_column(w, "category", part, threads_marker_category));
	as_out_text(w->wr->out, "}}");
	return AS_OK;
}

static enum as_code threads_put(struct fx_write *w, uint32_t part, uint32_t event, bool first)
{
	if (w->some)
		as_out_char(w->wr->out, ',');
	w->some = true;
	AS_TRY(threads_who(w, part, event));
	AS_TRY(threads_samples(w, event));
	return threads_markers(w, part, first);
}

/* A part without samples has a thread, too: without any the file would not be shown. */
static enum as_code threads_of_part(struct fx_write *w, uint32_t part)
{
	static const struct fx_row nothing = {.time = 0};
	bool some = false;

	w->rows.n = 0;
	for (uint32_t k = 0; k < w->prof->event.n; k++) {
		uint32_t event = as_event_in_column(w->prof, k);

		if (event == w->markers)
			continue;
		AS_TRY(threads_rows(w, part, event));
		if (!w->rows.n)
			continue;
		AS_TRY(threads_put(w, part, event, !some));
		some = true;
	}
	if (some)
		return AS_OK;
	w->rows.n = 0;
	AS_TRY(as_err_memory(w->wr->err, as_vec_push(w->al, &w->rows, nothing)));
	return threads_put(w, part, FX_NO_ROW, true);
}

enum as_code as_fx_put_threads(struct fx_write *w)
{
	as_index_init(&w->tids, w->al);
	as_out_text(w->wr->out, "\"threads\":[");
	for (uint32_t p = 0; p < w->prof->part.n; p++)
		AS_TRY(threads_of_part(w, p));
	as_out_text(w->wr->out, "]}\n");
	return AS_OK;
}
