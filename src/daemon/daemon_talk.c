/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a daemon is asked: one line, which "ok" or "error WHY" and perhaps more lines answer.
 *
 *	status		what is recorded, and the numbers that must add up
 *	flush		ends the segment: all samples so far are in the database
 *	epoch		the same, and the next one is the first of another epoch
 *	live [NS]	the samples since NS of the monotonic clock, as a pprof profile in a
 *			file whose descriptor comes with the answer; without NS from when on they
 *			can be asked for. The segment goes on (daemon_slice.c)
 *	label PID NAME	the process and what it will start have the label NAME; of root's and of
 *			the asker's own
 *	quit		flush, and end
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/date.h"
#include "daemon/daemon_impl.h"

static double talk_seconds(uint64_t ns)
{
	return (double)ns * 1e-9;
}

static void talk_put_times(struct as_daemon *d, uint64_t unwatched, struct as_out *out)
{
	const struct as_daemon_sums *s = &d->sums;
	uint64_t busy = d->busy_ns, steal = d->steal_ns, busy_now, steal_now;

	as_daemon_machine_time(&busy_now, &steal_now);
	busy = s->busy_ns + (busy_now - busy);
	steal = s->steal_ns + (steal_now - steal);
	as_out_printf(out, "busy %.2f s\nstolen %.2f s\nunwatched %.2f s\n", talk_seconds(busy),
		talk_seconds(steal), talk_seconds(s->all.unseen_ns + unwatched));
}

static void talk_put_own(struct as_out *out)
{
	struct rusage own, below;

	getrusage(RUSAGE_SELF, &own);
	getrusage(RUSAGE_CHILDREN, &below);
	as_out_printf(out, "own cpu %.2f s\nown memory %ld KiB at most\n",
		(double)(own.ru_utime.tv_sec + own.ru_stime.tv_sec + below.ru_utime.tv_sec +
			 below.ru_stime.tv_sec) +
			(double)(own.ru_utime.tv_usec + own.ru_stime.tv_usec +
				 below.ru_utime.tv_usec + below.ru_stime.tv_usec) *
				1e-6,
		own.ru_maxrss);
}

/* CPU time that samples stand for. */
static uint64_t talk_sampled_ns(const struct as_daemon *d, const struct as_perf_interval *now)
{
	enum { NS_PER_US = 1000 };

	for (uint32_t i = 0; i < now->n_of; i++) {
		const struct as_perf_column *column = as_perf_machine_column(d->machine, i);

		if (column->kind->time)
			return (d->sums.all.of[i].taken + now->of[i].taken) * column->period *
			       NS_PER_US;
	}
	return (d->sums.all.taken + now->taken) * now->period_ns;
}

/* Of several events each adds up for itself. */
static void talk_put_events(
	const struct as_daemon *d, const struct as_perf_interval *now, struct as_out *out)
{
	for (uint32_t i = 0; i < now->n_of; i++) {
		const struct as_daemon_sums_of *s = &d->sums.of[i];
		const struct as_perf_interval_of *all = &d->sums.all.of[i], *of = &now->of[i];
		const char *name = as_perf_machine_column(d->machine, i)->kind->name;
		uint32_t active = as_perf_active(
			&(struct as_perf_times){.enabled = all->enabled_ns + of->enabled_ns,
				.running = all->running_ns + of->running_ns});

		as_out_printf(out,
			"counted of %s %" PRIu64 "\nstored of %s %" PRIu64
			"\npending of %s %" PRIu64 "\nnot stored of %s %" PRIu64
			"\nlost of %s %" PRIu64 "\nunknown of %s %" PRIu64 "\nactive of %s %" PRIu32
			".%02" PRIu32 " %%\n",
			name, all->taken + of->taken, name, s->stored, name, s->pending + of->taken,
			name, s->dropped, name, all->lost + of->lost, name,
			all->unknown + of->unknown, name, active / 100, active % 100);
	}
}

/* The open segment counts: counted = stored + pending + not stored, of which some are lost or of
 * unknown code. */
static void talk_status(struct as_daemon *d, struct as_out *out)
{
	const struct as_daemon_sums *s = &d->sums;
	struct as_perf_interval now;
	char since[AS_DATE_NANOS];

	as_daemon_so_far(d, &now);
	as_out_printf(out, "database %s/%s\nepoch %s\n", d->opts->db, d->opts->host,
		as_store_epoch_name(d->store));
	as_out_printf(out, "since %s\n", as_date_nanos_text(d->began, "T", "Z", since));
	as_out_printf(out, "event %s, %" PRIu32 " a second, stacks by %s\n",
		as_perf_machine_event(d->machine), d->opts->perf.hz,
		as_perf_machine_stacks(d->machine));
	as_out_printf(out,
		"counted %" PRIu64 "\nstored %" PRIu64 "\npending %" PRIu64 "\nnot stored %" PRIu64
		"\n",
		s->all.taken + now.taken, s->stored, s->pending + now.taken, s->dropped);
	as_out_printf(out, "lost %" PRIu64 "\nunknown %" PRIu64 "\n", s->all.lost + now.lost,
		s->all.unknown + now.unknown);
	as_out_printf(out,
		"throttled %" PRIu64 "\nrecords of processes lost %" PRIu64 "\ndamaged %" PRIu64
		"\n",
		s->all.throttled + now.throttled, s->all.untold + now.untold,
		s->all.damaged + now.damaged);
	talk_put_events(d, &now, out);
	as_out_printf(out, "sampled %.2f s\n", talk_seconds(talk_sampled_ns(d, &now)));
	talk_put_times(d, now.unseen_ns, out);
	as_out_printf(out, "segments %" PRIu64 "\nfailed writes %" PRIu64 "\nprocesses %zu\n",
		s->segments, s->failed, now.processes);
	as_daemon_push_status(d, out);
	talk_put_own(out);
}

static bool talk_may(uid_t who, uint32_t pid)
{
	char path[32];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%" PRIu32, pid);
	return who == 0 || (stat(path, &st) == 0 && st.st_uid == who);
}

static void talk_label(struct as_daemon *d, struct as_slice args, uid_t who, struct as_out *out)
{
	char name[AS_DAEMON_REQUEST];
	struct as_slice number;
	uint64_t pid = 0;

	if (!as_slice_word(&args, &number) || !as_slice_dec(number, &pid) || pid > INT32_MAX ||
		!as_slice_trim(args).len) {
		as_out_printf(out, "error expected: label PID NAME\n");
		return;
	}
	snprintf(name, sizeof(name), "%.*s", AS_SLICE_FMT(as_slice_skip(args, 1)));
	if (!talk_may(who, (uint32_t)pid))
		as_out_printf(out, "error process %" PRIu64 " is not yours\n", pid);
	else if (!as_perf_machine_label(d->machine, (pid_t)pid, name))
		as_out_printf(out, "error there is no process %" PRIu64 "\n", pid);
	else
		as_out_printf(out, "ok\n");
}

static void talk_refuse(const struct as_daemon *d, struct as_out *out)
{
	char why[AS_DAEMON_WHY];

	as_out_printf(out, "error %s\n", as_daemon_why(d, why));
}

/* All samples so far are in the database, or the answer says why not. */
static bool talk_flush(struct as_daemon *d, struct as_out *out)
{
	uint64_t failed = d->sums.failed;

	if (as_daemon_segment(d) && d->sums.failed == failed)
		return true;
	talk_refuse(d, out);
	return false;
}

static void talk_epoch(struct as_daemon *d, struct as_out *out)
{
	if (!talk_flush(d, out))
		return;
	if (as_store_epoch(d->store, d->segment_began, &d->err) != AS_OK)
		talk_refuse(d, out);
	else
		as_out_printf(out, "ok\n%s\n", as_store_epoch_name(d->store));
}

/* What came since NS; FD is of the file that it is in. */
static void talk_live(struct as_daemon *d, struct as_slice args, struct as_out *out, int *fd)
{
	struct as_perf_interval at;
	uint64_t since = AS_DAEMON_NOW;

	args = as_slice_trim(args);
	if (args.len && !as_slice_dec(args, &since)) {
		as_out_printf(out, "error expected: live NANOSECONDS\n");
		return;
	}
	if (!as_daemon_news(d, since, &at, fd)) {
		talk_refuse(d, out);
		return;
	}
	as_out_printf(out,
		"ok\nfrom %" PRIu64 "\nuntil %" PRIu64 "\nperiod %" PRIu64 "\ntaken %" PRIu64
		"\nlost %" PRIu64 "\nrate %" PRIu32 "\nown %d\n",
		at.from, at.until, at.period_ns, at.taken, at.lost, d->opts->perf.hz,
		(int)as_perf_machine_is_own(d->machine));
}

/* One word, and nothing behind it. */
static bool talk_is(struct as_slice ask, const char *word)
{
	return as_slice_is(as_slice_trim(ask), word);
}

bool as_daemon_talk(
	struct as_daemon *d, struct as_slice ask, uid_t who, struct as_out *out, int *fd)
{
	struct as_slice rest = ask, word = {NULL, 0};

	(void)as_slice_word(&rest, &word);
	if (talk_is(ask, "status")) {
		as_out_printf(out, "ok\n");
		talk_status(d, out);
	} else if (talk_is(ask, "flush")) {
		if (talk_flush(d, out))
			as_out_printf(out, "ok\n");
	} else if (talk_is(ask, "epoch")) {
		talk_epoch(d, out);
	} else if (as_slice_is(word, "live")) {
		talk_live(d, rest, out, fd);
	} else if (as_slice_is(word, "label")) {
		talk_label(d, rest, who, out);
	} else if (talk_is(ask, "quit")) {
		d->over = true;
		return false;
	} else {
		as_out_printf(out, "error '%.*s' is no request\n", AS_SLICE_FMT(ask));
	}
	return true;
}
