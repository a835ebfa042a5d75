/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the sampler in the programs does not see (static programs, others' rights, an environment
 * without it) is recorded from outside beside it, where events of processors are allowed. A program
 * that the sampler was mapped into has no samples from outside: nothing is counted twice.
 */
#define _GNU_SOURCE
#include "recording/recording_beside.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "change/filter/filter.h"
#include "record/perf.h"
#include "record/perf_why.h"

struct as_beside {
	const struct as_recording *r;
	pthread_t thread;
	int end[2]; /* of a pipe: the recording ends with its other end */
	sem_t ready;
	bool told_ready;
	struct as_build build;
	struct as_err err;
	struct as_perf_opts opts;
	struct as_perf_told told;
	enum as_code rc;
};

static void on_ready(void *ctx)
{
	struct as_beside *b = ctx;

	b->told_ready = true;
	sem_post(&b->ready);
}

static void *rec_beside_record(void *ctx)
{
	struct as_beside *b = ctx;

	b->rc = as_perf_record(&b->opts, NULL, &b->build, &b->told, &b->err);
	if (!b->told_ready)
		sem_post(&b->ready);
	return NULL;
}

/* Signals are the first thread's: it passes them on to the program. */
static bool start_thread(struct as_beside *b)
{
	sigset_t all, mask;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &mask);
	started = pthread_create(&b->thread, NULL, rec_beside_record, b) == 0;
	pthread_sigmask(SIG_SETMASK, &mask, NULL);
	return started;
}

static void rec_beside_release(struct as_beside *b)
{
	const struct as_alloc *al = b->r->ses->al;

	for (size_t i = 0; i < AS_ARRAY_LEN(b->end); i++)
		if (b->end[i] >= 0)
			close(b->end[i]);
	sem_destroy(&b->ready);
	as_alloc_free(al, b, sizeof(*b));
}

struct as_beside *as_beside_start(const struct as_recording *r, char *const *argv)
{
	struct as_beside *b;

	if (r->wall || as_perf_try(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, true) != 0)
		return NULL;
	as_assert(r->hz);
	b = as_alloc_new(r->ses->al, sizeof(*b));
	if (!b)
		return NULL;
	*b = (struct as_beside){.r = r, .end = {-1, -1}};
	sem_init(&b->ready, 0, 0);
	as_err_clear(&b->err);
	if (pipe2(b->end, O_CLOEXEC) != 0 ||
		as_build_init(&b->build, r->ses->al, &b->err) != AS_OK) {
		rec_beside_release(b);
		return NULL;
	}
	b->build.keep_moments = r->args->timeline;
	b->opts = (struct as_perf_opts){.pid = getpid(),
		.argv = argv,
		.children = true,
		.until = b->end[0],
		.hz = (uint32_t)r->hz,
		.period_us = (uint32_t)(1000000 / r->hz),
		.scope = AS_PERF_PROCESSORS,
		.ready = on_ready,
		.ctx = b};
	if (!start_thread(b)) {
		as_build_free(&b->build);
		rec_beside_release(b);
		return NULL;
	}
	while (sem_wait(&b->ready) != 0 && errno == EINTR)
		;
	return b;
}

/* ---- what of it counts ---- */

/* The processes of PROF's parts that have samples; KEEP tells which parts these are. */
static size_t rec_beside_choose(const struct as_profile *prof, uint8_t *keep)
{
	size_t n = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++)
		keep[prof->sample.part.p[i]] = 1;
	for (size_t i = 0; i < prof->part.n; i++) {
		bool first = true;

		for (size_t k = i; k-- > 0 && keep[i] && first;)
			first = !keep[k] || prof->part.p[k].pid != prof->part.p[i].pid;
		n += keep[i] && first;
	}
	return n;
}

/* The parts of PROF that have samples, if any, into *OUT. */
static enum as_code keep_parts(struct as_beside *b, const struct as_profile *prof,
	struct as_profile **out, size_t *processes)
{
	const struct as_alloc *al = b->r->ses->al;
	uint8_t *keep = as_alloc_new(al, prof->part.n + 1);
	struct as_filter how = {.keep_part = keep};
	struct as_filtered got = {.prof = NULL};
	enum as_code rc = AS_OK;

	AS_TRY(as_memory(keep));
	*processes = rec_beside_choose(prof, keep);
	if (*processes)
		rc = as_filter(prof, &how, NULL, &got, NULL, &b->err);
	*out = got.prof;
	as_alloc_free(al, keep, prof->part.n + 1);
	return rc;
}

struct as_profile *as_beside_finish(struct as_beside *b, size_t *processes)
{
	struct as_profile *prof = NULL, *kept = NULL;

	*processes = 0;
	if (!b)
		return NULL;
	close(b->end[1]);
	b->end[1] = -1;
	pthread_join(b->thread, NULL);
	if (b->rc == AS_OK)
		b->rc = as_build_finish(&b->build, &prof);
	else
		as_build_free(&b->build);
	if (b->rc == AS_OK && prof)
		b->rc = keep_parts(b, prof, &kept, processes);
	if (b->rc != AS_OK)
		as_say_warning(b->r->ses, "what runs without the sampler was not recorded: %s",
			b->err.msg[0] ? b->err.msg : "out of memory");
	as_profile_free(prof);
	rec_beside_release(b);
	return kept;
}
