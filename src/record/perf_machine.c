/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "record/perf_machine.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "record/perf_cpus.h"
#include "record/perf_setup.h"
#include "record/perf_weigh.h"
#include "record/perf_why.h"

#define LOOK_NS UINT64_C(1000000000) /* between looks for processes that nobody told of */

enum { CARRIED = 16 }; /* periods, of what chance may make too many in an interval */

struct as_perf_machine {
	const struct as_alloc *al;
	struct as_err *err;
	struct as_build build;
	struct as_perf_set set;
	struct as_perf_track track;
	uint64_t from, until; /* of the interval; of what was taken */
	uint64_t damaged;     /* in the rings, in intervals before */
	bool own;             /* it may watch processes of its user only; */
	uint64_t looked;      /* for which it looked then, */
	uint64_t counted;     /* and whose CPU time was that: samples so far stand for it */
	struct as_perf_times times[AS_PERF_EVENTS_MAX]; /* of several events, in the interval */
	char what[512];                                 /* they, in words */
};

/* ---- the beginning ---- */

/* The rings are those of our own events, which do not end before we do. */
static enum as_code perf_machine_begin_own(
	struct as_perf_machine *m, const struct as_perf_opts *opts)
{
	size_t n;

	as_perf_set_close(&m->set);
	as_perf_describe(opts, &m->set, m->al, m->err);
	m->set.machine = m->set.on_exec = m->set.read = false;
	m->track.whole = false;
	m->own = true;
	AS_TRY(as_perf_set_open(&m->set, getpid(), getpid()));
	AS_TRY(as_perf_track_process(&m->track, (uint32_t)getpid()));
	AS_TRY(as_perf_track_thread(
		&m->track, (uint32_t)getpid(), (uint32_t)getpid(), (struct as_slice){NULL, 0}));
	return as_perf_own_find(&m->set, &m->track, &n);
}

/* Events first: of what changes while processes are listed there are records. */
static enum as_code perf_machine_begin(struct as_perf_machine *m, const struct as_perf_opts *opts)
{
	enum as_code rc = as_perf_set_open_cpus(&m->set);

	if (rc == AS_END && opts->clock == AS_PERF_CPU_CLOCK && opts->or_own && !opts->events)
		rc = perf_machine_begin_own(m, opts);
	else if (rc == AS_OK)
		rc = as_perf_track_all(&m->track);
	if (rc == AS_END)
		return as_perf_why(m->err, EACCES, 0);
	AS_TRY(rc);
	AS_TRY(as_perf_track_cgroups(&m->track));
	m->track.copies = m->set.copies;
	m->from = m->until = m->track.from = as_perf_now();
	return as_perf_add_event(&m->track, &m->set);
}

enum as_code as_perf_machine_open(const struct as_alloc *al, const struct as_perf_opts *opts,
	struct as_perf_machine **out, struct as_err *err)
{
	struct as_perf_machine *m = as_alloc_new(al, sizeof(*m));
	enum as_code rc;

	as_assert(opts->scope == AS_PERF_MACHINE && !opts->pid);
	*out = NULL;
	AS_TRY(as_err_memory(err, m));
	rc = opts->events ? as_perf_events_are_here(opts->events, err) : AS_OK;
	if (rc != AS_OK) {
		as_alloc_free(al, m, sizeof(*m));
		return rc;
	}
	m->al = al;
	m->err = err;
	as_perf_describe(opts, &m->set, al, err);
	as_perf_columns_text(&m->set.columns, m->what, sizeof(m->what));
	rc = as_build_init(&m->build, al, err);
	AS_THEN(rc, as_perf_track_init(&m->track, &m->build, &m->set.layout));
	m->track.machine = m->track.whole = m->track.no_commands = true;
	AS_THEN(rc, perf_machine_begin(m, opts));
	if (rc != AS_OK) {
		as_perf_machine_close(m);
		return rc;
	}
	if (opts->ready)
		opts->ready(opts->ctx);
	*out = m;
	return AS_OK;
}

void as_perf_machine_close(struct as_perf_machine *m)
{
	if (!m)
		return;
	as_perf_set_close(&m->set);
	as_perf_track_release(&m->track);
	as_build_free(&m->build);
	as_alloc_free(m->al, m, sizeof(*m));
}

/* ---- while it runs ---- */

static enum as_code perf_machine_drain(struct as_perf_machine *m)
{
	uint64_t until = as_perf_now() - AS_PERF_LATE_NS;

	if (until < m->until)
		until = m->until;
	AS_TRY(as_perf_drain(&m->set, &m->track, until));
	m->until = until;
	if (as_perf_cpus_look(&m->set, until))
		m->track.look_again = m->track.kernel_changed = true;
	if (m->own && until - m->looked > LOOK_NS) {
		size_t n;

		m->looked = until;
		return as_perf_own_find(&m->set, &m->track, &n);
	}
	return m->track.look_again && !m->own ? as_perf_track_all(&m->track) : AS_OK;
}

enum as_code as_perf_machine_wait(struct as_perf_machine *m, int other, int ms)
{
	as_perf_set_wait(&m->set, other, ms);
	return perf_machine_drain(m);
}

static void perf_machine_columns(struct as_perf_machine *m, struct as_perf_interval *at)
{
	as_perf_columns_look(&m->set.columns, m->times);
	as_perf_put_lost(&m->track, m->times);
	at->n_of = m->set.columns.n;
	for (uint32_t i = 0; i < at->n_of; i++)
		at->of[i] = (struct as_perf_interval_of){
			.taken = m->track.tally[i].samples + m->track.tally[i].lost,
			.unknown = m->track.tally[i].unknown,
			.lost = m->track.tally[i].lost,
			.enabled_ns = m->times[i].enabled,
			.running_ns = m->times[i].running};
}

void as_perf_machine_so_far(struct as_perf_machine *m, struct as_perf_interval *at)
{
	const struct as_perf_track *t = &m->track;

	*at = (struct as_perf_interval){.from = m->from,
		.until = m->until,
		.period_ns =
			m->set.clock == AS_PERF_CPU_CLOCK && !m->set.columns.n ? m->set.period : 0,
		.taken = t->n_samples + t->lost,
		.unknown = t->unknown,
		.lost = t->lost,
		.untold = t->untold,
		.throttled = t->throttled,
		.cut = t->cut,
		.broken = t->broken,
		.damaged = t->damaged,
		.unseen_ns = m->set.unseen_ns,
		.processes = t->proc.n,
		.kernel_changed = t->kernel_changed || m->own || !m->set.build_ids};
	for (size_t i = 0; i < m->set.cpu.n; i++)
		at->damaged += m->set.cpu.p[i].ring.damaged;
	at->damaged -= m->damaged;
	perf_machine_columns(m, at);
}

/* Lost samples that no record has told of yet are of the next interval. */
static void perf_machine_turn_times(struct as_perf_machine *m)
{
	for (uint32_t i = 0; i < m->set.columns.n; i++) {
		uint64_t told = m->track.tally[i].lost, *lost = &m->times[i].lost;

		m->times[i].enabled = m->times[i].running = 0;
		*lost = *lost > told ? *lost - told : 0;
	}
}

/* The next interval is a new profile of the same processes. */
static enum as_code perf_machine_turn(struct as_perf_machine *m)
{
	perf_machine_turn_times(m);
	AS_TRY(as_build_init(&m->build, m->al, m->err));
	as_perf_track_turn(&m->track, &m->build);
	m->from = m->until;
	m->set.unseen_ns = 0;
	m->damaged = 0;
	for (size_t i = 0; i < m->set.cpu.n; i++)
		m->damaged += m->set.cpu.p[i].ring.damaged;
	return as_perf_add_event(&m->track, &m->set);
}

enum as_code as_perf_machine_weigh(
	struct as_perf_track *t, uint64_t period_ns, uint64_t total_ns, struct as_perf_weighed *out)
{
	struct as_perf_counted counted = {.period_ns = period_ns, .total_ns = total_ns};

	return as_perf_weigh(t, &counted, out);
}

/* What N samples stand for beside the time until NOW is made up for in the next interval, so that
 * it does not matter how many there are; but not what is more than chance. */
static void perf_machine_carry(struct as_perf_machine *m, uint64_t now, uint64_t n)
{
	uint64_t most = CARRIED * m->set.period;

	m->counted += n * m->set.period;
	if (m->counted > now + most || m->counted + most < now)
		m->counted = now;
}

enum as_code as_perf_machine_cut(
	struct as_perf_machine *m, struct as_profile **out, struct as_perf_interval *interval)
{
	struct as_perf_weighed weighed;
	uint64_t now = 0, total = 0;
	bool exact;

	*out = NULL;
	AS_TRY(perf_machine_drain(m));
	as_perf_machine_so_far(m, interval);
	if (m->own) {
		now = as_perf_set_count(&m->set);
		total = now > m->counted ? now - m->counted : 0;
	}
	AS_TRY(as_perf_machine_weigh(&m->track, interval->period_ns, total, &weighed));
	exact = interval->period_ns || (m->set.columns.n && !as_perf_columns_vary(&m->set.columns));
	as_assert(m->own || !exact || weighed.samples == interval->taken);
	if (m->own) {
		interval->taken = weighed.samples;
		perf_machine_carry(m, now, weighed.samples);
	}
	as_perf_put_active(&m->track, m->times);
	AS_TRY(as_perf_put_times(&m->track, m->until - m->from));
	AS_TRY(as_build_finish(&m->build, out));
	return perf_machine_turn(m);
}

size_t as_perf_machine_made(struct as_perf_machine *m, uint32_t pid[AS_PERF_MADE_MAX])
{
	size_t n = m->track.n_made;

	memcpy(pid, m->track.made, n * sizeof(*pid));
	m->track.n_made = 0;
	return n;
}

/* Of one that has just begun the records may not have been taken yet. */
bool as_perf_machine_label(struct as_perf_machine *m, pid_t pid, const char *name)
{
	const struct timespec late = {0, 2 * (long)AS_PERF_LATE_NS};
	struct as_slice label = as_slice_of(name);

	if (as_perf_track_label(&m->track, (uint32_t)pid, label))
		return true;
	nanosleep(&late, NULL);
	return perf_machine_drain(m) == AS_OK &&
	       as_perf_track_label(&m->track, (uint32_t)pid, label);
}

bool as_perf_machine_is_own(const struct as_perf_machine *m)
{
	return m->own;
}

const char *as_perf_machine_event(const struct as_perf_machine *m)
{
	if (m->set.columns.n)
		return m->what;
	return m->set.clock == AS_PERF_CYCLES ? "cycles" : "cpu-clock";
}

const struct as_perf_column *as_perf_machine_column(const struct as_perf_machine *m, uint32_t i)
{
	return i < m->set.columns.n ? &m->set.columns.row[i] : NULL;
}

const char *as_perf_machine_stacks(const struct as_perf_machine *m)
{
	return m->set.flat ? "none" : m->set.copies ? "unwind tables" : "frame pointers";
}
