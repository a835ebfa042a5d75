/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/perf_setup.h"

#include <linux/perf_event.h>
#include <time.h>

#include "base/date.h"
#include "record/perf_merge.h"
#include "record/perf_regs.h"

enum { NS_PER_S = 1000000000, US_PER_S = 1000000 };

uint64_t as_perf_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/*
 * Nanoseconds. The period of a machine's samples stays the same: nothing corrects their number
 * afterwards. So it is a little shorter than a round one, and drifts past whatever comes at round
 * times.
 */
static uint64_t perf_setup_period(const struct as_perf_opts *o)
{
	uint32_t us = o->period_us ? o->period_us : (1000000 + o->hz / 2) / o->hz;

	if (o->scope == AS_PERF_MACHINE && !o->period_us)
		us -= (us * 62 + 5000) / 10000;
	return UINT64_C(1000) * us;
}

static uint64_t perf_setup_sample_type(const struct as_perf_set *set)
{
	uint64_t type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;

	if (set->clock == AS_PERF_CYCLES || as_perf_columns_vary(&set->columns))
		type |= PERF_SAMPLE_PERIOD;
	if (set->columns.n > 1 || set->off_cpu)
		type |= PERF_SAMPLE_IDENTIFIER;
	if (set->copies)
		type |= PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
	if (set->flat)
		type |= PERF_SAMPLE_IP;
	else if (!set->copies || set->machine || set->kernel_frames)
		type |= PERF_SAMPLE_CALLCHAIN;
	if (set->machine)
		type |= PERF_SAMPLE_CGROUP;
	return type;
}

bool as_perf_can_copy(void)
{
	return AS_PERF_HAVE_REGS && as_unwind_possible();
}

void as_perf_describe(const struct as_perf_opts *o, struct as_perf_set *set,
	const struct as_alloc *al, struct as_err *err)
{
	as_perf_set_init(set, al, err);
	set->hz = o->hz;
	set->period = perf_setup_period(o);
	set->clock = o->clock;
	set->flat = o->stacks == AS_PERF_FLAT;
	set->copies = !set->flat && o->stacks != AS_PERF_FRAMES && as_perf_can_copy();
	set->stack_bytes = (o->stack_bytes ? o->stack_bytes : AS_PERF_STACK_BYTES) / 8 * 8;
	set->random = as_perf_now();
	set->kernel = !o->user_only;
	set->on_exec = !o->pid;
	set->machine = o->scope == AS_PERF_MACHINE;
	set->off_cpu = o->off_cpu;
	set->kernel_frames = (o->kernel_frames || o->off_cpu) && !o->user_only;
	if (set->machine && set->clock == AS_PERF_CYCLES &&
		!as_perf_kind_is_here(as_perf_kind_of(as_slice_of("cycles"))))
		set->clock = AS_PERF_CPU_CLOCK;
	if (o->events)
		as_perf_columns_plan(&set->columns, o->events, o->hz, set->flat);
	set->layout.sample_type = perf_setup_sample_type(set);
	if (set->copies)
		set->layout.regs = AS_PERF_REGS;
}

void as_perf_opts_events(struct as_perf_opts *o, const struct as_perf_events *events)
{
	const struct as_perf_asked *one = &events->row[0];
	bool is_clock = strcmp(one->kind->name, "cpu-clock") == 0;

	as_assert(events->n > 0);
	o->clock = AS_PERF_CPU_CLOCK;
	o->events = NULL;
	if (events->n == 1 && is_clock && one->period) {
		o->period_us = (uint32_t)one->period;
		o->hz = (uint32_t)((US_PER_S + one->period / 2) / one->period);
		o->hz = o->hz ? o->hz : 1;
	} else if (events->n == 1 && strcmp(one->kind->name, "cycles") == 0 && !one->period) {
		o->clock = AS_PERF_CYCLES;
	} else if (events->n > 1 || !is_clock) {
		o->events = events;
	}
}

static enum as_code perf_setup_columns(
	struct as_perf_track *t, const struct as_perf_columns *columns)
{
	t->columns = columns;
	for (uint32_t i = 0; i < columns->n; i++) {
		const struct as_perf_column *row = &columns->row[i];
		struct as_event *ev;
		uint32_t at;

		AS_TRY(as_build_event(
			t->out, as_slice_of(row->kind->name), as_slice_of("count"), &at));
		t->event = i ? t->event : at;
		as_assert(at == t->event + i);
		ev = &t->out->prof->event.p[at];
		ev->period = row->period;
		if (row->period)
			AS_TRY(as_build_str(t->out,
				as_slice_of(row->kind->time ? "microseconds" : "events"),
				&ev->period_unit));
	}
	return AS_OK;
}

static enum as_code perf_setup_clock(struct as_perf_track *t, const struct as_perf_set *set)
{
	const char *name = set->clock == AS_PERF_CYCLES ? "cycles" : "samples";
	struct as_event *ev;

	AS_TRY(as_build_event(t->out, as_slice_of(name), as_slice_of("count"), &t->event));
	if (set->clock == AS_PERF_CYCLES)
		return AS_OK;
	ev = &t->out->prof->event.p[t->event];
	ev->period = set->period / 1000;
	return as_build_str(t->out, as_slice_of("microseconds"), &ev->period_unit);
}

enum as_code as_perf_add_event(struct as_perf_track *t, struct as_perf_set *set)
{
	if (set->columns.n)
		AS_TRY(perf_setup_columns(t, &set->columns));
	else
		AS_TRY(perf_setup_clock(t, set));
	if (!set->off_cpu)
		return AS_OK;
	t->switches = &set->switches;
	return as_build_event(
		t->out, as_slice_of(AS_OFF_CPU), as_slice_of("nanoseconds"), &t->off_event);
}

enum as_code as_perf_put_times(struct as_perf_track *t, uint64_t duration)
{
	struct timespec real;
	char text[AS_DATE_NANOS];
	int64_t nanos;

	t->out->prof->duration = (int64_t)duration;
	clock_gettime(CLOCK_REALTIME, &real);
	nanos = (int64_t)real.tv_sec * NS_PER_S + real.tv_nsec - (int64_t)duration;
	return as_build_str(t->out, as_slice_of(as_date_nanos_text(nanos, "T", "Z", text)),
		&t->out->prof->epoch);
}

void as_perf_put_active(struct as_perf_track *t, const struct as_perf_times times[])
{
	for (uint32_t i = 0; t->columns && i < t->columns->n; i++) {
		uint32_t active = as_perf_active(&times[i]);

		if (active < AS_PERF_ACTIVE_ALL)
			t->out->prof->event.p[t->event + i].active = active;
	}
}

void as_perf_put_lost(struct as_perf_track *t, const struct as_perf_times times[])
{
	uint64_t lost[AS_PERF_EVENTS_MAX];

	if (!t->columns || !as_perf_columns_lost(t->columns, times, t->lost, lost))
		return;
	for (uint32_t i = 0; i < t->columns->n; i++)
		t->tally[i].lost = lost[i];
}

static enum as_code perf_setup_take(void *ctx, const struct as_perf_rec *rec)
{
	return as_perf_track_record(ctx, rec);
}

enum as_code as_perf_drain(struct as_perf_set *set, struct as_perf_track *t, uint64_t until)
{
	enum as_code rc;

	as_perf_set_fetch(set);
	rc = as_perf_rings_merge(set, until, perf_setup_take, t);
	as_perf_set_release(set);
	return rc;
}
