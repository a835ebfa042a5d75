/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "daemon/daemon.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "daemon/daemon_impl.h"

enum { NS_PER_S = 1000000000, NS_PER_MS = 1000000, DAY_S = 86400, HOUR_S = 3600 };
enum { PRIORITY = -10, LAST_PUSH_MS = 10000 };
enum { WAIT_MS = 1000, WAIT_FLAT_MS = 4000 };

int64_t as_daemon_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

int64_t as_daemon_mono(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

const char *as_daemon_why(const struct as_daemon *d, char text[AS_DAEMON_WHY])
{
	as_err_text(&d->err, text, AS_DAEMON_WHY);
	return text;
}

/* ---- the beginning ---- */

/* Signals are read with all else that happens: no handler, no moment between. */
static bool daemon_open_signals(struct as_daemon *d)
{
	struct epoll_event ev = {.events = EPOLLIN};
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	d->signals = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	d->events = epoll_create1(EPOLL_CLOEXEC);
	ev.data.fd = d->signals;
	return d->signals >= 0 && d->events >= 0 &&
	       epoll_ctl(d->events, EPOLL_CTL_ADD, d->signals, &ev) == 0;
}

static void daemon_say(void *ctx, const char *text)
{
	const struct as_daemon *d = ctx;

	as_say_warning(d->ses, "%s", text);
}

static enum as_exit daemon_failed(struct as_daemon *d)
{
	bool rights = d->err.sys_errno == EACCES || d->err.sys_errno == EPERM;
	const char *hint =
		d->err.name[0] ? "another database: --db DIR" : "what works here: assay doctor";
	char why[AS_DAEMON_WHY];

	as_say_error(d->ses, as_daemon_why(d, why), rights ? hint : NULL);
	return rights ? AS_EXIT_RIGHTS : as_exit_of(&d->err);
}

static enum as_exit daemon_open(struct as_daemon *d)
{
	struct as_store_opts store = {.dir = d->opts->db,
		.host = d->opts->host,
		.now_ns = as_daemon_clock(),
		.keep_hours_ns = DAY_S * (int64_t)NS_PER_S,
		.say = daemon_say,
		.say_ctx = d};

	if (!daemon_open_signals(d))
		return as_say_end(
			d->ses, AS_EXIT_UNSUPPORTED, "no signals can be waited for here", NULL);
	if (as_store_open(d->ses->al, &store, &d->store, &d->err) != AS_OK)
		return daemon_failed(d);
	if (!as_daemon_listen(d))
		return AS_EXIT_OUTPUT;
	if (!as_daemon_push_open(d))
		return daemon_failed(d);
	if (as_perf_machine_open(d->ses->al, &d->opts->perf, &d->machine, &d->err) != AS_OK)
		return daemon_failed(d);
	/* Where everybody wants the processor we need it soon: the rings hold a second or so. */
	(void)setpriority(PRIO_PROCESS, 0, PRIORITY);
	as_daemon_machine_time(&d->busy_ns, &d->steal_ns);
	d->began = d->segment_began = d->heeded = as_daemon_clock();
	d->began_mono = d->jumped_mono = as_daemon_mono();
	as_say_note(d->ses, "%s, %" PRIu32 " a second, stacks by %s: %s/%s",
		as_perf_machine_event(d->machine), d->opts->perf.hz,
		as_perf_machine_stacks(d->machine), d->opts->db, d->opts->host);
	if (as_perf_machine_is_own(d->machine))
		as_say_note(d->ses,
			"all processes may not be recorded here: those of this user are, and their "
			"time in user code; all: assay doctor");
	return AS_EXIT_OK;
}

/* ---- the loop ---- */

static bool daemon_crossed(int64_t from, int64_t to, int64_t seconds)
{
	return from / NS_PER_S / seconds != to / NS_PER_S / seconds;
}

static void daemon_begin_epoch(struct as_daemon *d, int64_t now)
{
	char why[AS_DAEMON_WHY];

	if (as_store_epoch(d->store, now, &d->err) != AS_OK)
		as_say_warning(d->ses, "%s", as_daemon_why(d, why));
}

/*
 * A segment ends at a multiple of its length by the clock on the wall, the first one that is at
 * least half a length away; but it lasts no longer than one and a half, whatever that clock does.
 */
static void daemon_begin_segment(struct as_daemon *d)
{
	int64_t length = (int64_t)d->opts->segment_s * NS_PER_S;
	int64_t half = as_daemon_clock() + length / 2;

	d->due = half - half % length + length + (int64_t)AS_PERF_LATE_NS;
	d->due_mono = as_daemon_mono() + length + length / 2;
}

/* Nanoseconds until the segment ends; 0 or less if it is over. */
static int64_t daemon_left(const struct as_daemon *d)
{
	int64_t wall = d->due - as_daemon_clock(), mono = d->due_mono - as_daemon_mono();

	return wall < mono ? wall : mono;
}

static bool daemon_cut(struct as_daemon *d)
{
	int64_t before = d->heeded, now;

	if (!as_daemon_segment(d))
		return false;
	daemon_begin_segment(d);
	d->heeded = now = d->segment_began; /* as segments are called */
	if (d->opts->daily && daemon_crossed(before, now, DAY_S))
		daemon_begin_epoch(d, now);
	as_daemon_keep_up(d, daemon_crossed(before, now, HOUR_S));
	return true;
}

static void daemon_heed(struct as_daemon *d)
{
	struct signalfd_siginfo info;
	struct epoll_event ev[AS_DAEMON_CLIENTS];
	int n = epoll_wait(d->events, ev, AS_DAEMON_CLIENTS, 0);

	for (int i = 0; i < n; i++) {
		if (ev[i].data.fd != d->signals) {
			as_daemon_heed_socket(d, ev[i].data.fd);
			continue;
		}
		while (read(d->signals, &info, sizeof(info)) == sizeof(info)) {
			d->over |= info.ssi_signo != SIGHUP;
			d->flush |= info.ssi_signo == SIGHUP;
		}
	}
}

/*
 * Full rings wake us whenever that is. Else who makes code has to be looked at while he runs, and a
 * user's new processes have to be found; addresses alone, of all processes, need nothing soon.
 */
static int daemon_wait_ms(struct as_daemon *d, int64_t left)
{
	bool soon = !d->opts->flat || as_perf_machine_is_own(d->machine);
	int most = soon ? WAIT_MS : WAIT_FLAT_MS;
	double end = d->opts->seconds * 1e9 - (double)(as_daemon_mono() - d->began_mono);

	if (d->opts->seconds > 0 && end < (double)left)
		left = end > 0 ? (int64_t)end : 0;
	left = left > 0 ? left / NS_PER_MS + 1 : 0;
	return left > most ? most : (int)left;
}

/* Who makes code is looked at while he runs: so his names are found when he is gone. */
static void daemon_look_at_made(struct as_daemon *d)
{
	uint32_t pid[AS_PERF_MADE_MAX];
	size_t n = as_perf_machine_made(d->machine, pid);

	for (size_t i = 0; i < n && d->n_made < AS_PERF_MADE_MAX; i++) {
		struct as_made_by by;
		size_t k = 0;

		while (k < d->n_made && d->made[k].pid != pid[i])
			k++;
		if (!as_made_look(pid[i], &by))
			continue;
		d->made[k] = by;
		d->n_made += k == d->n_made;
	}
}

static bool daemon_step(struct as_daemon *d)
{
	int64_t left = daemon_left(d);

	if (as_perf_machine_wait(d->machine, d->events, daemon_wait_ms(d, left)) != AS_OK)
		return false;
	if (!d->opts->flat)
		daemon_look_at_made(d);
	daemon_heed(d);
	if (d->err.code == AS_E_NOMEM) /* in an answer: what was being made is gone */
		return false;
	d->over |= d->opts->seconds > 0 &&
		   (double)(as_daemon_mono() - d->began_mono) >= d->opts->seconds * 1e9;
	if (daemon_left(d) > 0 && !d->flush && !d->over)
		return true;
	d->flush = false;
	return daemon_cut(d);
}

static enum as_exit daemon_loop(struct as_daemon *d)
{
	daemon_begin_segment(d);
	while (!d->over)
		if (!daemon_step(d))
			return daemon_failed(d);
	as_say_note(d->ses,
		"%" PRIu64 " sample%s in %" PRIu64 " segment%s; %" PRIu64 " lost, %" PRIu64
		" of unknown code, %" PRIu64 " not stored",
		d->sums.all.taken, d->sums.all.taken == 1 ? "" : "s", d->sums.segments,
		d->sums.segments == 1 ? "" : "s", d->sums.all.lost, d->sums.all.unknown,
		d->sums.pending + d->sums.dropped);
	return d->sums.pending + d->sums.dropped ? AS_EXIT_OUTPUT : AS_EXIT_OK;
}

/* What RC says of the end is told to who has asked for it, once others may record here. */
static void daemon_close(struct as_daemon *d, enum as_exit rc)
{
	as_daemon_end_upkeep(d);
	if (d->mark[0] && !d->push_fails && d->machine)
		(void)as_daemon_push(
			d, LAST_PUSH_MS, as_daemon_mono() + (int64_t)LAST_PUSH_MS * NS_PER_MS);
	as_perf_machine_close(d->machine);
	as_daemon_release_slices(d);
	as_profile_free(d->pending.prof);
	as_kept_names_free(d->names);
	if (d->listener >= 0) {
		unlink(d->socket);
		close(d->listener);
	}
	as_store_close(d->store);
	as_daemon_hang_up(d, rc == AS_EXIT_OK);
	if (d->signals >= 0)
		close(d->signals);
	if (d->events >= 0)
		close(d->events);
}

enum as_exit as_daemon_run(const struct as_session *ses, const struct as_daemon_opts *opts)
{
	struct as_daemon d = {
		.ses = ses, .opts = opts, .events = -1, .signals = -1, .listener = -1};
	enum as_exit rc;

	as_err_clear(&d.err);
	rc = daemon_open(&d);
	AS_THEN(rc, daemon_loop(&d));
	daemon_close(&d, rc);
	return rc;
}
