/* SPDX-License-Identifier: Apache-2.0 */
/* A trace of a profile that says when. docs/formats/traceevent.md, "What we write". */
#include "formats/traceevent/traceevent_write.h"

#include "formats/json_out.h"
#include "formats/nameless.h"

/* ---- values ---- */

void as_te_write_text(struct te_write *w, const char *key, struct as_slice s)
{
	as_out_text(w->wr->out, key);
	w->n_changed += !as_json_out_text(w->wr->out, s);
}

enum as_code as_te_write_func(struct te_write *w, const char *key, as_node node)
{
	struct as_pos pos = as_place_pos(w->prof, w->prof->node.place.p[node.i]);
	struct as_slice *name = &w->name[pos.func.i];

	if (!name->len)
		*name = as_func_name(w->prof, pos.func);
	if (!name->len)
		*name = as_nameless(w->prof, &w->arena, pos.func, pos.addr);
	AS_TRY(as_err_memory(w->wr->err, name->p));
	as_te_write_text(w, key, *name);
	return AS_OK;
}

void as_te_write_time(struct te_write *w, const char *key, int64_t time)
{
	uint64_t n = time < 0 ? 0 - (uint64_t)time : (uint64_t)time;

	as_out_printf(w->wr->out, "%s%s%" PRIu64, key, time < 0 ? "-" : "", n / 1000);
	if (n % 1000)
		as_out_printf(w->wr->out, ".%03u", (unsigned)(n % 1000));
}

void as_te_write_row(struct te_write *w, const char *phase, uint32_t thread)
{
	const struct te_write_thread *t = &w->thread.p[thread];

	as_assert(thread < w->thread.n);
	as_out_printf(w->wr->out, "%s{\"ph\":\"%s\",\"pid\":%" PRIu64 ",\"tid\":%" PRIu64,
		w->before, phase, t->pid, t->tid);
	w->before = ",\n";
}

/* ---- samples ---- */

static enum as_code traceevent_write_frames(struct te_write *w)
{
	const struct as_profile *prof = w->prof;
	struct as_moments_cur cur;
	bool *used;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &used, prof->node.parent.n)));
	as_moments_begin(&cur, &prof->moments);
	while (as_moments_next(&cur))
		used[cur.at.node.i] |= cur.at.event == w->samples;
	for (size_t i = prof->node.parent.n; i-- > 1;)
		used[prof->node.parent.p[i].i] |= used[i];
	as_out_text(w->wr->out, "],\n\"stackFrames\":{");
	w->before = "\n";
	for (uint32_t i = 1; i < prof->node.parent.n; i++) {
		if (!used[i])
			continue;
		as_out_printf(w->wr->out, "%s\"%" PRIu32 "\":", w->before, i);
		AS_TRY(as_te_write_func(w, "{\"category\":\"\",\"name\":", (as_node){i}));
		if (prof->node.parent.p[i].i)
			as_out_printf(w->wr->out, ",\"parent\":%" PRIu32, prof->node.parent.p[i].i);
		as_out_char(w->wr->out, '}');
		w->before = ",\n";
	}
	as_out_text(w->wr->out, "},\n\"samples\":[");
	return AS_OK;
}

/* The next moment of EVENT. */
static bool traceevent_write_next(struct as_moments_cur *cur, uint32_t event)
{
	while (as_moments_next(cur))
		if (cur->at.event == event)
			return true;
	return false;
}

/* Whether each sample has a weight. */
static bool traceevent_write_weighs(const struct te_write *w, uint32_t weight)
{
	struct as_moments_cur a, b;
	bool more, also;

	as_moments_begin(&a, &w->prof->moments);
	as_moments_begin(&b, &w->prof->moments);
	do {
		more = traceevent_write_next(&a, w->samples);
		also = traceevent_write_next(&b, weight);
		if (more && (a.at.value != 1 || !also || a.at.time != b.at.time ||
				    a.at.part != b.at.part || a.at.node.i != b.at.node.i))
			return false;
	} while (more);
	return !also;
}

static enum as_code traceevent_write_samples(struct te_write *w)
{
	uint32_t event = w->weight == AS_TE_NONE ? w->samples : w->weight;
	struct as_out *out = w->wr->out;
	struct as_moments_cur cur;

	AS_TRY(traceevent_write_frames(w));
	w->before = "\n";
	as_moments_begin(&cur, &w->prof->moments);
	while (traceevent_write_next(&cur, event)) {
		const struct te_write_thread *t = &w->thread.p[w->of_part[cur.at.part]];

		as_out_printf(out,
			"%s{\"cpu\":0,\"pid\":%" PRIu64 ",\"tid\":%" PRIu64 ",\"name\":\"sample\"",
			w->before, t->pid, t->tid);
		as_te_write_time(w, ",\"ts\":", cur.at.time);
		as_out_printf(out, ",\"weight\":%" PRId64, cur.at.value);
		if (cur.at.node.i)
			as_out_printf(out, ",\"sf\":%" PRIu32, cur.at.node.i);
		as_out_char(out, '}');
		w->before = ",\n";
	}
	return AS_OK;
}

/* ---- which events ---- */

/* How many moments an event has, how many of them have a duration, and how many are 1. */
struct traceevent_write_event {
	uint64_t n, lasting, ones;
};

/* Perf's samples stand behind the event that they count. */
static void traceevent_write_choose_samples(
	struct te_write *w, const struct traceevent_write_event *has)
{
	const struct as_profile *prof = w->prof;
	uint32_t e = as_n_events(prof), event;

	if (as_profile_event(prof, as_slice_of("samples"), &event) && has[event].n)
		w->samples = event;
	for (uint32_t i = 0; i < e && w->samples == AS_TE_NONE && w->calls == AS_TE_NONE; i++)
		if (has[i].n && !has[i].lasting && has[i].ones == has[i].n)
			w->samples = i;
	for (uint32_t i = 0; i < e && w->samples == AS_TE_NONE && w->calls == AS_TE_NONE; i++)
		if (has[i].n && !has[i].lasting)
			w->samples = i;
}

static void traceevent_write_choose_weight(struct te_write *w)
{
	uint32_t event;

	if (w->samples == AS_TE_NONE)
		return;
	if (!as_profile_event(w->prof, as_slice_of("weight"), &event))
		event = w->samples - 1;
	if (event < as_n_events(w->prof) && event != w->samples && event != w->time &&
		event != w->calls && traceevent_write_weighs(w, event))
		w->weight = event;
}

static enum as_code traceevent_write_choose(struct te_write *w)
{
	const char *name = as_opts_get(&w->wr->opts, "event");
	const struct as_profile *prof = w->prof;
	uint32_t event;
	struct traceevent_write_event *has;
	struct as_moments_cur cur;

	AS_TRY(as_err_memory(w->wr->err, as_alloc_array(w->al, &has, as_n_events(prof) + 1)));
	as_moments_begin(&cur, &prof->moments);
	while (as_moments_next(&cur)) {
		has[cur.at.event].n++;
		has[cur.at.event].lasting += cur.at.duration != 0;
		has[cur.at.event].ones += cur.at.value == 1;
	}
	w->calls = w->time = w->samples = w->weight = w->markers = AS_TE_NONE;
	if (as_has_markers(prof, &event)) {
		w->markers = event;
		has[event].n = 0; /* they are no samples */
	}
	if (as_profile_event(prof, as_slice_of("calls"), &event) && has[event].n)
		w->calls = event;
	if (as_profile_event(prof, as_slice_of("time"), &event) && has[event].lasting) {
		w->nanos = (int64_t)as_unit_nanos(as_str_get(prof, prof->event.p[event].unit));
		w->time = w->nanos ? event : AS_TE_NONE;
	}
	if (!name)
		traceevent_write_choose_samples(w, has);
	else if (!as_profile_event(prof, as_slice_of(name), &w->samples))
		return as_err_set(w->wr->err, AS_E_ARG, "the profile has no event '%s'", name);
	traceevent_write_choose_weight(w);
	return AS_OK;
}

/* ---- what is lost ---- */

static void traceevent_write_tell_time(struct te_write *w)
{
	struct as_losses *l = w->wr->losses;
	struct as_slice name =
		w->time == AS_TE_NONE ? as_slice_of("time") : as_event_name(w->prof, w->time);
	as_val kept = w->time == AS_TE_NONE
			      ? 0
			      : (w->prof->total[w->time] - w->no_duration - w->no_stack) * w->nanos;

	as_losses_add_cost(l, "moments", name, w->no_duration, "that did not last as long");
	as_losses_add_cost(l, "no-stack", name, w->no_stack, "without a stack");
	if (w->span > kept)
		as_losses_add_cost(l, "made-time", as_slice_of("nanoseconds"), w->span - kept,
			"in calls, of which the profile does not say where they passed, added");
	as_losses_add(l, "made-calls", w->n_made,
		"stretch{|es} of time written as {a call|calls}: how often {it was|they were} "
		"called is not known");
	as_losses_add(l, "nesting", w->n_cut,
		"call{ that is|s that are} not within what {it was|they were} called by, cut");
	as_losses_add(l, "markers", w->n_markers_repeated, "marker{|s} at the time of another one");
	as_losses_add(l, "calls", w->n_repeated, "call{|s} at the time of another one");
}

/* It is read as the time from the first moment to the end of the last one. */
static bool traceevent_write_keeps_duration(const struct te_write *w)
{
	struct as_moments_cur cur;
	as_val first = INT64_MAX, last = INT64_MIN;

	as_moments_begin(&cur, &w->prof->moments);
	while (as_moments_next(&cur)) {
		as_val end = cur.at.time + (as_val)cur.at.duration;

		if (cur.at.event == w->samples || cur.at.event == w->calls ||
			cur.at.event == w->time) {
			first = cur.at.time < first ? cur.at.time : first;
			last = end > last ? end : last;
		}
	}
	return !w->prof->duration || w->prof->duration == last - first;
}

static enum as_code traceevent_write_tell(struct te_write *w)
{
	const struct as_profile *prof = w->prof;
	static const unsigned bits[] = {AS_CAPBIT_FILES, AS_CAPBIT_LINES, AS_CAPBIT_STARTS};
	struct as_losses *l = w->wr->losses;
	uint64_t amount[AS_CAP_COUNT];
	uint32_t used[] = {w->calls, w->time, w->samples, w->weight, w->markers},
		 events = as_n_events(prof);

	if (!as_profile_uses(prof, AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(STARTS), amount))
		return as_err_no_memory(w->wr->err);
	for (size_t i = 0; i < AS_ARRAY_LEN(bits); i++)
		as_losses_add_cap(l, bits[i], amount[bits[i]]);
	for (size_t i = 0; i < AS_ARRAY_LEN(used); i++)
		events -= used[i] != AS_TE_NONE;
	as_losses_add(l, "events", events, "event{|s}");
	as_losses_add_cap(l, AS_CAPBIT_LABELS, w->n_labels);
	as_losses_add_cap(l, AS_CAPBIT_PARTS, w->n_merged);
	as_losses_add_cap(l, AS_CAPBIT_DURATION, !traceevent_write_keeps_duration(w));
	as_losses_add(l, "threads", w->n_numbers,
		"thread{|s} without a number, which {was|were} given one");
	as_losses_add(l, "names", w->n_changed,
		"name{|s} that would not be read as {it is|they are}, written otherwise");
	traceevent_write_tell_time(w);
	return AS_OK;
}

/* ---- all of it ---- */

static enum as_code traceevent_write_all(struct te_write *w)
{
	const struct as_profile *prof = w->prof;

	if (!prof->moments.n)
		return as_err_set(w->wr->err, AS_E_UNSUPPORTED,
			"the profile does not say when its samples were counted, of which a trace "
			"is made; a .cpuprofile or speedscope's file needs no times");
	AS_TRY(traceevent_write_choose(w));
	AS_TRY(as_err_memory(
		w->wr->err, as_alloc_array(w->al, &w->depth, prof->node.parent.n) &&
				    as_alloc_array(w->al, &w->name, prof->func.name.n)));
	for (size_t i = 1; i < prof->node.parent.n; i++)
		w->depth[i] = w->depth[prof->node.parent.p[i].i] + 1;
	as_out_text(w->wr->out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	w->before = "\n";
	AS_TRY(as_te_write_threads(w));
	AS_TRY(as_te_write_slices(w));
	if (w->markers != AS_TE_NONE)
		AS_TRY(as_te_write_markers(w));
	if (w->samples != AS_TE_NONE)
		AS_TRY(traceevent_write_samples(w));
	as_out_text(w->wr->out, "]}\n");
	return traceevent_write_tell(w);
}

enum as_code as_te_write(struct as_wr *wr, const struct as_profile *prof)
{
	struct te_write w = {.wr = wr, .prof = prof, .al = wr->al};

	as_arena_init(&w.arena, w.al);
	return traceevent_write_all(&w);
}
