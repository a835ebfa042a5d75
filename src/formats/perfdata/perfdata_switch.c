/* SPDX-License-Identifier: Apache-2.0 */
/* When threads did not run. docs/formats/perfdata.md §14. */
#include "formats/perfdata/perfdata.h"

enum { TYPE_SOFTWARE = 1, TYPE_TRACEPOINT = 2, SOFTWARE_SWITCHES = 3 };
enum { FORMATS_MAX = 1 << 20 }; /* bytes of them that are looked at: the kernel's symbols follow */

/* ---- events ---- */

enum pd_role as_pd_role(const struct pd_event *ev)
{
	if (ev->type == TYPE_SOFTWARE && ev->config == SOFTWARE_SWITCHES)
		return PD_LEAVES;
	if (ev->type == TYPE_TRACEPOINT && as_slice_is(ev->name, "sched:sched_switch"))
		return PD_SWITCHES;
	if (ev->type == TYPE_TRACEPOINT && as_slice_is(ev->name, "sched:sched_wakeup"))
		return PD_WAKES;
	return ev->type == TYPE_SOFTWARE && as_slice_is(ev->name, "offcpu-time") ? PD_OFF
										 : PD_COUNTS;
}

/* Whether there is a sample each time. */
static bool switch_is_whole(const struct pd_event *ev)
{
	return ev->period == 1;
}

/* Whether samples of EV, of which there are some, tell when threads do not run. */
static bool switch_tells(struct as_pd *pd, const struct pd_event *ev)
{
	if (ev->role == PD_SWITCHES && !switch_is_whole(ev))
		pd->off_sampled = true;
	return ev->role == PD_OFF || (ev->role == PD_SWITCHES && switch_is_whole(ev));
}

/* ---- fields of tracepoints ---- */

/* The number behind KEY in TEXT. */
static bool switch_number(struct as_slice text, const char *key, uint32_t *number)
{
	size_t at = as_slice_find_text(text, key);
	struct as_slice digits;
	uint64_t v;

	if (at == text.len)
		return false;
	digits = as_slice_skip(text, at + strlen(key));
	digits.len = as_slice_find(digits, ';');
	if (!as_slice_dec(digits, &v) || v > UINT16_MAX)
		return false;
	*number = (uint32_t)v;
	return true;
}

/* Field KEY in FORMAT, "field:pid_t prev_pid;\toffset:24;\tsize:4;\tsigned:1;". */
static void switch_field(struct as_slice format, const char *key, struct pd_field *field)
{
	struct as_slice line = as_slice_skip(format, as_slice_find_text(format, key));
	struct pd_field found;

	line.len = as_slice_find(line, '\n');
	if (switch_number(line, "offset:", &found.at) && switch_number(line, "size:", &found.size))
		*field = found;
}

/* What is said of tracepoint NAME. */
static struct as_slice switch_format(struct as_slice formats, const char *name)
{
	struct as_slice at = as_slice_skip(formats, as_slice_find_text(formats, name));

	at.len = as_slice_find_text(at, "print fmt:");
	return at;
}

/* Where the file says nothing they are where they have been since 2009, with words of 64 bits. */
static enum as_code switch_fields(struct as_pd *pd)
{
	struct pd_fields *f = &pd->fields;
	struct as_slice all, one;
	uint64_t n = pd->formats_size < FORMATS_MAX ? pd->formats_size : FORMATS_MAX;

	*f = (struct pd_fields){{24, 4}, {32, 8}, {56, 4}, {24, 4}};
	AS_TRY(as_pd_bytes(pd, pd->formats_off, n, &all));
	one = switch_format(all, "name: sched_switch\n");
	switch_field(one, " prev_pid;", &f->prev);
	switch_field(one, " prev_state;", &f->state);
	switch_field(one, " next_pid;", &f->next);
	switch_field(switch_format(all, "name: sched_wakeup\n"), " pid;", &f->woken);
	return AS_OK;
}

static bool switch_value(
	const struct as_pd *pd, struct as_slice raw, struct pd_field field, uint64_t *value)
{
	if (raw.len < (uint64_t)field.at + field.size || (field.size != 4 && field.size != 8))
		return false;
	*value = field.size == 4 ? pd_u32(pd, raw.p + field.at) : pd_u64(pd, raw.p + field.at);
	return true;
}

enum as_code as_pd_off_column(struct as_pd *pd)
{
	struct pd_event off = {.name = {AS_OFF_CPU, sizeof(AS_OFF_CPU) - 1}, .samples = PD_NONE};
	bool some = pd->n_switches != 0, trace = false;

	for (size_t i = 0; i < pd->event.n; i++) {
		const struct pd_event *ev = &pd->event.p[i];

		some |= ev->n_samples && switch_tells(pd, ev);
		trace |= ev->n_samples && (ev->role == PD_SWITCHES || ev->role == PD_WAKES);
	}
	if (!some)
		return AS_OK;
	if (trace)
		AS_TRY(switch_fields(pd));
	AS_TRY(as_build_event(
		pd->rd->out, as_slice_of(AS_OFF_CPU), as_slice_of("nanoseconds"), &off.weight));
	pd->off_event = (uint32_t)pd->event.n;
	return as_err_memory(pd->rd->err, as_vec_push(pd->al, &pd->event, off));
}

/* ---- stretches ---- */

/* The profile goes as far as what it has. */
static void switch_span(struct as_pd *pd, uint64_t from, uint64_t to)
{
	if (!pd->has_time || from < pd->first_time)
		pd->first_time = from;
	if (!pd->has_time || to > pd->end_time)
		pd->end_time = to;
	pd->has_time = true;
}

static enum as_code perfdata_switch_add(struct as_pd *pd, const struct as_off_stretch *s)
{
	struct pd_proc *proc = &pd->proc.p[pd->thread.p[s->who].proc];
	uint32_t part, path = s->stack;

	AS_TRY(as_pd_state_part(pd, s->who, s->state, &part));
	if (path == AS_OFF_NO_STACK) {
		if (pd->off_unknown == PD_NONE)
			AS_TRY(as_pd_unknown_path(pd, proc, &pd->off_unknown));
		path = pd->off_unknown;
	}
	switch_span(pd, s->since, s->since + s->length);
	return as_pd_add_off(pd, path, part, &s->since, s->length);
}

static enum as_code perfdata_switch_come(struct as_pd *pd, uint32_t tid, uint64_t time)
{
	struct as_off_stretch stretch;

	return as_off_come(&pd->off, tid, time, &stretch) ? perfdata_switch_add(pd, &stretch)
							  : AS_OK;
}

enum as_code as_pd_take_switch(struct as_pd *pd, const struct as_perf_rec *rec)
{
	struct as_off_leave leave = {.tid = rec->tid,
		.stack = AS_OFF_NO_STACK,
		.time = rec->time,
		.state = rec->misc & AS_PERF_MISC_PREEMPT ? AS_OFF_RUNNABLE : AS_OFF_WAITING,
		.source = AS_OFF_RECORD};

	if (!rec->has_time || as_off_is_nobody(rec->tid) || pd->off_event == PD_NONE)
		return AS_OK;
	if (!(rec->misc & AS_PERF_MISC_OUT))
		return perfdata_switch_come(pd, rec->tid, rec->time);
	AS_TRY(as_pd_need_thread(pd, rec->pid, rec->tid, &leave.who));
	return as_err_memory(pd->rd->err, as_off_leave(&pd->off, &leave));
}

/* What sched:sched_switch says; where it says nothing that is known, the thread that it is of
 * leaves. */
static enum as_code perfdata_switch_trace(
	struct as_pd *pd, const struct as_perf_rec *rec, uint32_t thread, uint32_t path)
{
	struct as_off_leave leave = {.tid = rec->tid,
		.who = thread,
		.stack = path,
		.time = rec->time,
		.state = AS_OFF_WAITING,
		.source = AS_OFF_TRACE};
	uint64_t prev, state, next;
	bool told = switch_value(pd, rec->raw, pd->fields.prev, &prev) &&
		    switch_value(pd, rec->raw, pd->fields.state, &state) &&
		    switch_value(pd, rec->raw, pd->fields.next, &next) &&
		    (as_off_is_nobody(rec->tid) || (uint32_t)prev == rec->tid);

	if (told) {
		leave.tid = (uint32_t)prev; /* one that ends has no number any more */
		leave.state = as_off_state_of_bits(state);
		AS_TRY(as_err_memory(pd->rd->err,
			as_off_chain(&pd->off, rec->cpu, (uint32_t)prev, (uint32_t)next)));
	}
	AS_TRY(as_err_memory(pd->rd->err, as_off_leave(&pd->off, &leave)));
	return told ? perfdata_switch_come(pd, (uint32_t)next, rec->time) : AS_OK;
}

static enum as_code perfdata_switch_woken(struct as_pd *pd, const struct as_perf_rec *rec)
{
	struct as_off_stretch stretch;
	uint64_t tid;

	if (!switch_value(pd, rec->raw, pd->fields.woken, &tid) ||
		!as_off_wake(&pd->off, (uint32_t)tid, rec->time, &stretch))
		return AS_OK;
	return perfdata_switch_add(pd, &stretch);
}

/* What perf counted at its end has no time, and says by one that is beyond all others; else it is
 * the end of the stretch. */
static enum as_code perfdata_switch_counted(
	struct as_pd *pd, const struct as_perf_rec *rec, uint32_t thread, uint32_t path)
{
	bool timed = rec->has_time && rec->time <= INT64_MAX && rec->time >= rec->count;
	uint64_t since = rec->time - rec->count;
	uint32_t part;

	AS_TRY(as_pd_state_part(pd, thread, AS_OFF_WAITING, &part));
	if (timed)
		switch_span(pd, since, rec->time);
	return as_pd_add_off(pd, path, part, timed ? &since : NULL, rec->count);
}

enum as_code as_pd_off_sample(struct as_pd *pd, uint32_t event, const struct as_perf_rec *rec,
	uint32_t thread, uint32_t path)
{
	const struct pd_event *ev = &pd->event.p[event];

	as_assert(event < pd->event.n);
	if (pd->off_event == PD_NONE)
		return AS_OK;
	if (ev->role == PD_OFF)
		return perfdata_switch_counted(pd, rec, thread, path);
	if (!rec->has_time)
		return AS_OK;
	if (ev->role == PD_LEAVES || (ev->role == PD_SWITCHES && !switch_is_whole(ev)))
		return as_err_memory(pd->rd->err, as_off_stack(&pd->off, rec->tid, path));
	if (!switch_is_whole(ev))
		return AS_OK;
	return ev->role == PD_SWITCHES ? perfdata_switch_trace(pd, rec, thread, path)
				       : perfdata_switch_woken(pd, rec);
}

enum as_code as_pd_off_end(struct as_pd *pd, uint32_t tid, bool again)
{
	if (pd->off_event == PD_NONE)
		return AS_OK;
	return as_err_memory(pd->rd->err, as_off_end(&pd->off, tid, again));
}
