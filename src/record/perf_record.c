/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "record/perf.h"
#include "record/perf_cpus.h"
#include "record/perf_merge.h"
#include "record/perf_proc.h"
#include "record/perf_setup.h"
#include "record/perf_start.h"
#include "record/perf_weigh.h"
#include "record/perf_when.h"
#include "record/perf_why.h"

enum { NS_PER_S = 1000000000, NS_PER_MS = 1000000, ROUNDS_MAX = 100, WAIT_MS = 100, TELL_MS = 500 };

struct session {
	const struct as_perf_opts *opts;
	const volatile sig_atomic_t *stop;
	struct as_build *out;
	struct as_perf_told *told;
	struct as_err *err;
	struct as_perf_set set;
	struct as_perf_track track;
	struct as_start start;
	pid_t pid;
	int pidfd; /* readable when the process has ended; -1: this kernel has none */
	bool gone;
	uint64_t began;
};

/* ---- what is recorded, and how ---- */

/* A process that runs or a program to start; or the machine, perhaps while a program runs. */
static bool is_one_subject(const struct as_perf_opts *o)
{
	bool program = o->argv && o->argv[0];

	if (o->scope == AS_PERF_MACHINE)
		return !o->pid && !o->children;
	return o->pid >= 0 && (!o->pid || o->children) == program;
}

static enum as_code perf_record_check_opts(const struct as_perf_opts *o, struct as_err *err)
{
	if (o->hz < 1 || o->hz > AS_PERF_HZ_MAX)
		return as_err_set(err, AS_E_ARG,
			"%" PRIu32 " samples in a second: expected 1 to %d", o->hz, AS_PERF_HZ_MAX);
	if (o->stack_bytes > AS_PERF_STACK_MAX)
		return as_err_set(err, AS_E_ARG,
			"%" PRIu32 " bytes of each stack: expected up to %d", o->stack_bytes,
			AS_PERF_STACK_MAX);
	if (o->events && o->scope != AS_PERF_MACHINE)
		return as_err_set(err, AS_E_ARG, "several events are counted of a machine");
	if (o->events)
		AS_TRY(as_perf_events_are_here(o->events, err));
	if (o->off_cpu && o->scope == AS_PERF_MACHINE)
		return as_err_set(err, AS_E_ARG, "switches are those of programs");
	if (!(o->seconds >= 0) || !is_one_subject(o))
		return as_err_set(err, AS_E_ARG, "expected a process or a program to record");
	if (o->stacks == AS_PERF_COPIES && !as_perf_can_copy())
		return as_err_set(err, AS_E_UNSUPPORTED,
			"copies of stacks can't be unwound: assay was built without elfutils, or "
			"for another machine than x86-64");
	return AS_OK;
}

/* ---- threads of a process that runs ---- */

/* Events of a thread that is to be followed, if they are not of processors. */
static enum as_code perf_record_follow(struct session *s, uint32_t tid)
{
	enum as_code rc;

	rc = s->set.whole ? as_perf_set_open_counter(&s->set, (pid_t)tid)
			  : as_perf_set_open(&s->set, s->pid, (pid_t)tid);
	AS_THEN(rc, as_perf_set_open_switches(&s->set, (pid_t)tid));
	return rc == AS_END && s->set.whole && !s->set.counter.n
		       ? as_perf_why(s->err, ESRCH, s->pid)
		       : rc;
}

/* Opens an event per processor, if allowed, so that short threads and processes are sampled. */
static enum as_code open_whole(struct session *s)
{
	enum as_code rc;

	if (s->opts->scope == AS_PERF_THREADS || s->set.clock != AS_PERF_CPU_CLOCK)
		return AS_OK;
	rc = as_perf_set_open_cpus(&s->set);
	s->track.whole = s->set.whole;
	if (rc != AS_END)
		return rc;
	return s->opts->scope == AS_PERF_BEST_SCOPE ? AS_OK : as_perf_why(s->err, EACCES, s->pid);
}

/*
 * Whether TID, of a later list than the first, has events since its creator has: the kernel tells
 * of it. It may be in the list a moment before that.
 */
static bool is_inherited(struct session *s, uint32_t tid, bool *waited)
{
	const struct timespec moment = {0, NS_PER_MS};

	if (!*waited)
		nanosleep(&moment, NULL);
	*waited = true;
	as_perf_set_fetch(&s->set);
	return as_perf_rings_tell(&s->set, tid);
}

static enum as_code attach_new(struct session *s, const struct as_proc_ids *all, bool *found)
{
	const struct as_slice none = {NULL, 0};
	bool first = s->track.thread.n == 0, waited = false;
	enum as_code rc;

	*found = false;
	for (size_t i = 0; i < all->id.n; i++) {
		uint32_t tid = all->id.p[i];

		if (as_perf_track_knows(&s->track, tid) ||
			(!first && is_inherited(s, tid, &waited)))
			continue;
		rc = perf_record_follow(s, tid);
		if (rc == AS_END)
			continue;
		AS_TRY(rc);
		AS_TRY(as_perf_track_thread(&s->track, (uint32_t)s->pid, tid, none));
		*found = true;
	}
	return AS_OK;
}

/* Until all threads that there are have events: new ones come while the list is read. */
static enum as_code attach_all(struct session *s)
{
	struct as_proc_ids all = {.al = s->out->prof->al};
	enum as_code rc = open_whole(s);
	bool found = true;

	for (int i = 0; i < ROUNDS_MAX && found && rc == AS_OK; i++) {
		if (!as_proc_list((uint32_t)s->pid, &all) && i == 0)
			rc = as_perf_why(s->err, ESRCH, s->pid);
		else if (all.full)
			rc = as_err_no_memory(s->err);
		else
			rc = attach_new(s, &all, &found);
	}
	as_vec_free(all.al, &all.id);
	AS_TRY(rc);
	return as_perf_track_process(&s->track, (uint32_t)s->pid);
}

/* ---- all processes ---- */

/* Events first: of what changes while the list is read there are records. */
static enum as_code attach_machine(struct session *s)
{
	enum as_code rc = as_perf_set_open_cpus(&s->set);

	if (rc == AS_END)
		return as_perf_why(s->err, EACCES, 0);
	AS_TRY(rc);
	AS_TRY(as_perf_track_cgroups(&s->track));
	return as_perf_track_all(&s->track);
}

/* ---- the program that is started ---- */

static struct as_slice perf_record_join(struct as_arena *arena, char *const *argv)
{
	struct as_slice all = as_arena_printf(arena, "%s", argv[0]);

	for (size_t i = 1; argv[i] && all.p && all.len < AS_PROC_TEXT_MAX; i++)
		all = as_arena_printf(arena, "%s %s", all.p, argv[i]);
	return all;
}

/* A busy machine lets us wait for our turn; what runs until then is not recorded. */
static void begin_interval(struct session *s)
{
	s->track.from = as_perf_now();
	if (s->opts->seconds > 0)
		s->track.until = s->track.from + (uint64_t)(s->opts->seconds * NS_PER_S);
}

/* Its fork and what it executes are told by records, as those of all others are. */
static enum as_code start_in_machine(struct session *s)
{
	AS_TRY(attach_machine(s));
	begin_interval(s);
	if (!s->opts->argv || !s->opts->argv[0])
		return AS_OK;
	AS_TRY(as_start_prepare(&s->start, s->opts->argv, s->opts->no_sigpipe, s->err));
	begin_interval(s);
	s->pid = s->start.pid;
	s->track.ends = (uint32_t)s->pid;
	return as_start_go(&s->start, s->opts->argv[0], s->err);
}

static enum as_code start_program(struct session *s)
{
	struct as_slice command = perf_record_join(&s->track.arena, s->opts->argv);
	enum as_code rc;

	AS_TRY(as_start_prepare(&s->start, s->opts->argv, s->opts->no_sigpipe, s->err));
	s->pid = s->start.pid;
	rc = command.p ? open_whole(s) : as_err_no_memory(s->err);
	AS_THEN(rc, perf_record_follow(s, (uint32_t)s->pid));
	AS_THEN(rc, as_perf_track_start(&s->track, (uint32_t)s->pid, command));
	if (rc == AS_OK)
		return as_start_go(&s->start, s->opts->argv[0], s->err);
	as_start_cancel(&s->start);
	return rc;
}

/* The caller has no samples itself: it stays a process that will execute ARGV. */
static enum as_code attach_children(struct session *s)
{
	struct as_slice command = perf_record_join(&s->track.arena, s->opts->argv);

	AS_TRY(as_err_memory(s->err, command.p));
	s->track.unsampled = true;
	AS_TRY(open_whole(s));
	AS_TRY(perf_record_follow(s, (uint32_t)s->pid));
	return as_perf_track_start(&s->track, (uint32_t)s->pid, command);
}

/* ---- while it runs ---- */

static void perf_record_pass_on(const struct session *s)
{
	volatile sig_atomic_t *number = s->opts->pass;

	if (!number || !*number || s->opts->pid || s->pid <= 0)
		return;
	(void)kill(s->pid, *number);
	*number = 0;
}

static bool is_over(struct session *s)
{
	int status;

	perf_record_pass_on(s);
	if (s->opts->pid) {
		struct pollfd p = {.fd = s->pidfd, .events = POLLIN};

		s->gone = s->pidfd >= 0 ? poll(&p, 1, 0) > 0 : kill(s->pid, 0) && errno == ESRCH;
	} else if (s->pid > 0 && waitpid(s->pid, &status, WNOHANG) == s->pid) {
		s->gone = s->told->ended = true;
		s->told->status = status;
	}
	if (s->gone || (s->stop && *s->stop))
		return true;
	return s->opts->seconds > 0 &&
	       (double)(as_perf_now() - s->began) >= s->opts->seconds * (double)NS_PER_S;
}

static int how_long(const struct session *s)
{
	double left = s->opts->seconds * 1e3 - (double)(as_perf_now() - s->began) / NS_PER_MS;

	if (s->opts->seconds > 0 && left < WAIT_MS)
		return left > 0 ? (int)left + 1 : 0;
	return WAIT_MS;
}

static void tell_so_far(struct session *s, uint64_t *next)
{
	uint64_t passed = as_perf_now() - s->began;
	struct as_perf_so_far at = {.seconds = passed / NS_PER_S,
		.samples = s->track.n_samples,
		.lost = s->track.lost,
		.threads = s->track.thread.n};

	if (!s->opts->so_far || passed < *next)
		return;
	*next = passed + TELL_MS * NS_PER_MS;
	s->opts->so_far(s->opts->so_far_ctx, &at);
}

static enum as_code perf_record_run(struct session *s)
{
	uint64_t next = TELL_MS * NS_PER_MS;

	while (!is_over(s)) {
		uint64_t until;

		as_perf_set_wait(&s->set, s->pidfd, how_long(s));
		as_perf_set_vary(&s->set);
		until = as_perf_now() - AS_PERF_LATE_NS;
		AS_TRY(as_perf_drain(&s->set, &s->track, until));
		if (as_perf_cpus_look(&s->set, until) && s->set.machine)
			s->track.look_again = true;
		if (s->track.look_again)
			AS_TRY(as_perf_track_all(&s->track));
		tell_so_far(s, &next);
	}
	as_perf_set_enable(&s->set, false);
	return as_perf_drain(&s->set, &s->track, UINT64_MAX);
}

/* ---- afterwards ---- */

static uint64_t how_long_it_was(const struct session *s)
{
	uint64_t now = as_perf_now(), end = now < s->track.until ? now : s->track.until;

	return end - (s->track.from ? s->track.from : s->began);
}

static void perf_record_tell(struct session *s, const struct as_perf_weighed *w)
{
	struct as_perf_told *told = s->told;
	const struct as_perf_set *set = &s->set;

	told->kernel = set->kernel;
	told->counted = set->clock;
	told->stacks_by = set->copies ? AS_PERF_COPIES : AS_PERF_FRAMES;
	told->period_us = (uint32_t)(set->period / 1000);
	told->whole = set->whole;
	told->living = as_perf_track_living(&s->track, (uint32_t)s->pid);
	snprintf(told->clock, sizeof(told->clock), "%s%s, %s",
		set->whole                     ? "cpu-clock of all processors"
		: set->clock == AS_PERF_CYCLES ? "hardware cycles"
					       : "cpu-clock",
		s->opts->clock == set->clock ? "" : " (this machine has no cycle counter)",
		set->kernel          ? "user and kernel time"
		: s->opts->user_only ? "user time"
				     : "user time (the kernel's may not be sampled here)");
	if (set->columns.n) {
		char what[100];

		as_perf_columns_text(&set->columns, what, sizeof(what));
		snprintf(told->clock, sizeof(told->clock), "%s of all processors, %s", what,
			set->kernel ? "user and kernel" : "user code");
	}
	if (set->copies)
		snprintf(told->stacks, sizeof(told->stacks),
			"unwind tables, over copies of %" PRIu32 " bytes", set->stack_bytes);
	else
		snprintf(told->stacks, sizeof(told->stacks), "frame pointers");
	told->samples = w->samples;
	told->unsampled = w->unsampled;
	told->spread = w->spread;
	told->lost = w->lost;
	told->untold = s->track.untold;
	told->cut = s->track.cut;
	told->broken = s->track.broken;
	told->throttled = s->track.throttled;
	told->pid = s->pid;
	told->damaged = s->track.damaged;
	told->unseen_ns = set->unseen_ns;
	told->off_stretches = set->switches.n;
	told->off_no_stack = set->switches.off.no_stack;
	told->off_unknown = set->switches.off.unknown;
	told->off_away = as_off_away(&set->switches.off);
	for (size_t i = 0; i < set->cpu.n; i++)
		told->damaged += set->cpu.p[i].ring.damaged;
}

/* Nothing is scaled: how much of the time it was is said. */
static void perf_record_active(struct session *s)
{
	struct as_perf_times times[AS_PERF_EVENTS_MAX] = {{0}};

	as_perf_columns_look(&s->set.columns, times);
	as_perf_put_active(&s->track, times);
	as_perf_put_lost(&s->track, times);
	s->told->n_events = s->set.columns.n;
	for (uint32_t i = 0; i < s->told->n_events; i++)
		s->told->active[i] = as_perf_active(&times[i]);
}

static enum as_code perf_record_finish(struct session *s)
{
	struct as_perf_counted counted = {.total_ns = as_perf_set_count(&s->set)};
	struct as_perf_weighed weighed;

	if (s->set.columns.n) {
		perf_record_active(s);
	} else if (s->set.clock == AS_PERF_CPU_CLOCK) {
		counted.period_ns = s->set.period;
		s->told->cpu_ns = counted.total_ns;
		counted.spread = s->set.kernel;
		counted.thin = s->set.whole;
		if (s->opts->user_only) /* the clock counts the kernel's time all the same */
			counted.total_ns = 0;
	}
	if (s->opts->children) {
		s->track.lost = 0; /* whose they were can't be told, nor whose time has no sample */
		counted.total_ns = s->track.n_samples ? counted.total_ns : 0;
	}
	AS_TRY(as_perf_weigh(&s->track, &counted, &weighed));
	AS_TRY(as_perf_put_switches(&s->track));
	AS_TRY(as_perf_put_times(&s->track, how_long_it_was(s)));
	as_perf_when_begin(&s->track, s->track.from ? s->track.from : s->began);
	perf_record_tell(s, &weighed);
	return AS_OK;
}

static enum as_code perf_record_record(struct session *s)
{
	s->track.machine = s->track.whole = s->set.machine;
	s->track.kernel_frames = s->set.kernel_frames;
	AS_TRY(s->set.machine       ? start_in_machine(s)
		: s->opts->children ? attach_children(s)
		: s->opts->pid      ? attach_all(s)
				    : start_program(s));
	s->track.copies = s->set.copies;
	AS_TRY(as_perf_add_event(&s->track, &s->set));
	s->pidfd = s->opts->children ? fcntl(s->opts->until, F_DUPFD_CLOEXEC, 0)
		   : s->pid > 0      ? (int)syscall(SYS_pidfd_open, s->pid, 0)
				     : -1;
	s->began = as_perf_now();
	if (s->opts->ready)
		s->opts->ready(s->opts->ctx);
	AS_TRY(perf_record_run(s));
	return perf_record_finish(s);
}

enum as_code as_perf_record(const struct as_perf_opts *opts, const volatile sig_atomic_t *stop,
	struct as_build *out, struct as_perf_told *told, struct as_err *err)
{
	struct session s = {.opts = opts,
		.stop = stop,
		.out = out,
		.told = told,
		.err = err,
		.pid = opts->pid,
		.pidfd = -1};
	enum as_code rc;

	as_assert(!out->prof->event.n && !out->prof->part.n);
	memset(told, 0, sizeof(*told));
	AS_TRY(perf_record_check_opts(opts, err));
	as_perf_describe(opts, &s.set, out->prof->al, err);
	rc = as_perf_track_init(&s.track, out, &s.set.layout);
	AS_THEN(rc, perf_record_record(&s));
	if (s.pidfd >= 0)
		close(s.pidfd);
	as_perf_set_close(&s.set);
	as_perf_track_release(&s.track);
	return rc;
}
