/* SPDX-License-Identifier: Apache-2.0 */
/* Upkeep of the database, in a child: the recorder goes on. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "daemon/daemon_impl.h"

enum { PRIORITY = 10, HOUR_S = 3600, NOT_PUSHED = 3, PUSH_MS = 60000, TENTHS_TO_END = 100 };

#define NS_PER_S INT64_C(1000000000)
#define LATER (70 * NS_PER_S) /* what has become part of another segment stays for a minute */

/* ---- when ---- */

bool as_daemon_upkeep_begins(struct as_daemon_upkeep *u, bool hour, bool runs, int64_t mono)
{
	if (hour) {
		u->left = AS_DAEMON_UPKEEP_TIMES;
		u->due = mono;
	}
	if (runs)
		return false;
	if (u->began && u->left < AS_DAEMON_UPKEEP_TIMES)
		u->due = mono + LATER;
	u->began = false;
	if (!u->left || mono < u->due)
		return false;
	u->left--;
	u->began = true;
	return true;
}

/* ---- what ---- */

static void upkeep_say(struct as_daemon *d)
{
	char why[AS_DAEMON_WHY];

	as_say_warning(d->ses, "%s", as_daemon_why(d, why));
	as_err_clear(&d->err);
}

/* What is too old goes by a clock that has been right for a while: one that was set to another year
 * by mistake is set back soon. Where there is no room for what is rolled up, removing makes it. */
static void upkeep_roll(struct as_daemon *d, int64_t now)
{
	int64_t steady = as_daemon_mono() - d->jumped_mono;
	int64_t keep_ns = steady < HOUR_S * NS_PER_S ? 0 : d->opts->keep_ns;

	if (as_store_roll(d->store, now, &d->err) != AS_OK)
		upkeep_say(d);
	if (as_store_gc(d->store, now, keep_ns, d->opts->keep_bytes, &d->err) != AS_OK)
		upkeep_say(d);
}

/* What is pushed goes as it was written, so that comes first. */
static int upkeep_run(struct as_daemon *d, int64_t now, bool roll)
{
	bool pushed = !d->mark[0] || as_daemon_push(d, PUSH_MS, INT64_MAX);

	if (roll)
		upkeep_roll(d, now);
	return pushed ? 0 : NOT_PUSHED;
}

/* The child has the lock of the database as well: it must not outlive us. */
static void upkeep_begin(struct as_daemon *d, bool roll)
{
	int64_t now = as_daemon_clock();
	pid_t own = getpid(), child = fork();

	d->upkeep.child = child;
	if (child < 0)
		as_say_warning(d->ses, "the database is not rolled up: %s", strerror(errno));
	if (child != 0)
		return;
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != own)
		_Exit(1);
	as_daemon_leave_socket(d);
	(void)setpriority(PRIO_PROCESS, 0, PRIORITY);
	_Exit(upkeep_run(d, now, roll));
}

/* Whether a child is at it. */
static bool upkeep_runs(struct as_daemon *d)
{
	int status = 0;
	pid_t ended = d->upkeep.child > 0 ? waitpid(d->upkeep.child, &status, WNOHANG) : 0;
	bool fails = WIFEXITED(status) && WEXITSTATUS(status) == NOT_PUSHED;

	if (d->upkeep.child > 0 && ended == 0)
		return true;
	if (ended > 0 && d->mark[0]) {
		if (d->push_fails && !fails)
			as_say_note(d->ses, "it is pushed again");
		d->push_fails = fails;
	}
	d->upkeep.child = 0;
	return false;
}

void as_daemon_end_upkeep(struct as_daemon *d)
{
	const struct timespec moment = {0, NS_PER_S / 10};
	pid_t child = d->upkeep.child;

	/* a store that does not answer is no reason to stay; what the child was at is done anew */
	for (int i = 0; child > 0 && d->mark[0] && i < TENTHS_TO_END; i++) {
		if (waitpid(child, NULL, WNOHANG) != 0)
			child = 0;
		else
			(void)nanosleep(&moment, NULL);
	}
	if (child > 0 && d->mark[0])
		kill(child, SIGKILL);
	if (child > 0)
		waitpid(child, NULL, 0);
	d->upkeep.child = 0;
}

void as_daemon_keep_up(struct as_daemon *d, bool hour)
{
	bool runs = upkeep_runs(d);
	bool roll = as_daemon_upkeep_begins(&d->upkeep, hour, runs, as_daemon_mono());

	if (roll || (d->mark[0] && !runs))
		upkeep_begin(d, roll);
}
