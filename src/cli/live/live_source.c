/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "cli/live/live_source.h"

#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "change/transform.h"
#include "daemon/daemon.h"
#include "session/read.h"

/* The daemon forgets: it is asked so often, however long a screen stays. */
#define ASK_NS UINT64_C(4000000000)
#define NS_PER_MS UINT64_C(1000000)

static uint64_t live_source_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* ---- events of ours ---- */

static enum as_code live_source_open_own(struct as_live_source *s)
{
	struct as_perf_opts opts = {.scope = AS_PERF_MACHINE, .hz = s->ask.hz, .or_own = true};

	AS_TRY(as_perf_machine_open(s->al, &opts, &s->machine, s->err));
	s->hz = s->ask.hz;
	s->own = as_perf_machine_is_own(s->machine);
	return AS_OK;
}

/* The daemon has no answer: it has ended, or is one that is not ours to ask. */
static enum as_code live_source_fall_back(struct as_live_source *s, enum as_code rc)
{
	if (s->ask.only || rc == AS_E_NOMEM)
		return rc;
	as_err_clear(s->err);
	as_profile_free(s->held);
	s->held = NULL;
	return live_source_open_own(s);
}

/* ---- the daemon's ---- */

/* FD is closed. */
static enum as_code live_source_read(struct as_live_source *s, int fd, struct as_profile **out)
{
	struct as_read_opts opts = {
		.fmt = as_format_by_name(as_slice_of("pprof")), .detail = AS_DETAIL_FULL};
	struct as_read_result got;
	char path[64];
	struct as_src *src;
	enum as_code rc;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	rc = as_file_open(s->al, path, NULL, &src, s->err);
	if (rc == AS_OK) {
		rc = as_read(s->al, src, &opts, NULL, &got, s->err);
		*out = got.prof;
		as_file_close(src);
	}
	close(fd);
	return rc;
}

static enum as_code live_source_add(struct as_live_source *s, struct as_profile *prof)
{
	struct as_merge_opts opts = {.keep_parts = false};
	struct as_profile *sum = NULL;
	struct as_merge *m;
	enum as_code rc;

	AS_TRY(as_merge_new(s->al, &opts, &m, s->err));
	rc = as_merge_add(m, s->held, NULL);
	AS_THEN(rc, as_merge_add(m, prof, NULL));
	if (rc != AS_OK) {
		as_merge_free(m);
		return rc;
	}
	AS_TRY(as_merge_finish(m, &sum));
	as_profile_replace(&s->held, sum);
	return AS_OK;
}

static enum as_code live_source_hold(
	struct as_live_source *s, const struct as_daemon_live *news, struct as_profile *prof)
{
	enum as_code rc;

	if (s->held && s->at.period_ns != news->at.period_ns) { /* it is another daemon */
		as_profile_free(s->held);
		s->held = NULL;
	}
	if (!s->held) {
		s->held = prof;
		s->at = news->at;
		return AS_OK;
	}
	rc = live_source_add(s, prof);
	as_profile_free(prof);
	s->at.until = news->at.until;
	s->at.taken += news->at.taken;
	s->at.lost += news->at.lost;
	return rc;
}

static enum as_code live_source_ask(struct as_live_source *s)
{
	struct as_daemon_live news;
	struct as_profile *prof;
	enum as_code rc;

	rc = as_daemon_ask_live(s->al, s->ask.db, s->ask.host, s->since, &news, s->err);
	if (rc != AS_OK)
		return live_source_fall_back(s, rc);
	s->since = news.at.until;
	s->hz = news.hz;
	s->own = news.own;
	if (news.fd < 0)
		return AS_OK;
	AS_TRY(live_source_read(s, news.fd, &prof));
	return live_source_hold(s, &news, prof);
}

static int live_source_ms(const struct as_live_source *s, int ms)
{
	uint64_t now = live_source_now(), due = s->since + ASK_NS;
	uint64_t left = due > now ? (due - now) / NS_PER_MS + 1 : 0;

	return left < (uint64_t)ms ? (int)left : ms;
}

static enum as_code live_source_wait_for_daemon(struct as_live_source *s, int fd, int ms)
{
	struct pollfd other = {.fd = fd, .events = POLLIN};

	(void)poll(&other, 1, live_source_ms(s, ms)); /* a signal ends it, too */
	return live_source_now() >= s->since + ASK_NS ? live_source_ask(s) : AS_OK;
}

/* ---- either ---- */

enum as_code as_live_source_open(struct as_live_source *s, const struct as_alloc *al,
	const struct as_live_ask *ask, struct as_err *err)
{
	*s = (struct as_live_source){.al = al, .ask = *ask, .err = err, .since = AS_DAEMON_NOW};
	return ask->db ? live_source_ask(s) : live_source_open_own(s);
}

void as_live_source_close(struct as_live_source *s)
{
	as_perf_machine_close(s->machine);
	as_profile_free(s->held);
}

enum as_code as_live_source_wait(struct as_live_source *s, int fd, int ms)
{
	return s->machine ? as_perf_machine_wait(s->machine, fd, ms)
			  : live_source_wait_for_daemon(s, fd, ms);
}

enum as_code as_live_source_cut(
	struct as_live_source *s, struct as_profile **out, struct as_perf_interval *at)
{
	if (!s->machine)
		AS_TRY(live_source_ask(s));
	if (s->machine)
		return as_perf_machine_cut(s->machine, out, at);
	*out = s->held;
	*at = s->at;
	s->held = NULL;
	return AS_OK;
}
