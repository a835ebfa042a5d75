/* SPDX-License-Identifier: Apache-2.0 */
/* From the beginning of a profile to its end. */
#include "preload/sampler.h"

#include <stdlib.h>
#include <sys/utsname.h>

#include "preload/real.h"
#include "preload/wait.h"

enum { MAP_MAX = 1 << 28, MAP_MIN = 1 << 20, SPACE_SHARE = 32, TEXT_MORE = 65536 };

struct as_sampler as_sampler;

/* Libraries that the program is linked with are never unloaded. */
void as_sampler_ready(void)
{
	struct as_sampler *s = &as_sampler;

	if (s->ready)
		return;
	s->ready = true;
	as_real_ready();
	as_fork_ready();
	as_threads_ready();
	s->pid = s->first_pid = as_raw_pid();
	s->objects.self = (uint64_t)(uintptr_t)&as_sampler_ready;
	s->unwinder.objects = &s->objects;
	s->unwinder.missed = as_handler_look_again;
	s->unwinder.ctx = s;
	atomic_store(&s->seed, (as_raw_clock(CLOCK_MONOTONIC) ^ (uint64_t)s->pid << 32) | 1);
}

bool as_sampler_is_here(void)
{
	return atomic_load(&as_sampler.sandboxed) || as_sampler.pid == as_raw_pid();
}

/* As large as a file may be, and no more than a little of the address space that there is. */
static uint64_t map_limit(void)
{
	uint64_t most = MAP_MAX, files = as_limit(RLIMIT_FSIZE);
	uint64_t space = as_limit(RLIMIT_AS) / SPACE_SHARE;

	if (as_sampler.max_bytes && as_sampler.max_bytes < most)
		most = as_sampler.max_bytes;
	if (files < most)
		most = files;
	if (space < most)
		most = space > MAP_MIN ? space : MAP_MIN;
	return most / 4096 * 4096;
}

bool as_sampler_open(void)
{
	struct as_sampler *s = &as_sampler;
	bool moved;

	if (s->child)
		as_exec_name(s->path, sizeof(s->path));
	s->spool.timed = s->timed;
	s->spool.marked = s->timed || s->threads;
	if (!as_spool_open(&s->spool, s->path, s->period, map_limit())) {
		as_complain("no profile: this file can't be made: ", s->path);
		atomic_store(&s->file, AS_FILE_NONE);
		atomic_store(&s->active, 0);
		return false;
	}
	as_lines_begin(&s->lines, &s->spool);
	as_report_begin();
	if (!as_lines_refresh(&s->lines, &s->objects, &moved))
		as_complain(
			"/proc/self/maps can't be read: there will be no names of functions", "");
	atomic_store(&s->file, AS_FILE_OPEN);
	return true;
}

void as_sampler_reset(void)
{
	struct as_sampler *s = &as_sampler;

	as_raw_clear(s->spool.index, sizeof(s->spool.index));
	for (unsigned i = 0; i < AS_BENCHES; i++)
		s->bench[i].pen.left = 0;
	atomic_store(&s->samples, 0);
	atomic_store(&s->signals, 0);
	atomic_store(&s->squares, 0);
	atomic_store(&s->deep, 0);
	atomic_store(&s->broken, 0);
	atomic_store(&s->early, 0);
	atomic_store(&s->unsampled, 0);
	atomic_store(&s->no_timer, 0);
	atomic_store(&s->by_tick, 0);
	atomic_store(&s->next_look, 0);
	s->n_tallies = 0;
	s->started = as_raw_clock(CLOCK_MONOTONIC);
	s->started_at = as_raw_clock(CLOCK_REALTIME);
	s->started_cpu = as_raw_clock(CLOCK_PROCESS_CPUTIME_ID);
	atomic_store(&s->begun, s->begin <= s->started);
	if (s->begin > s->started) {
		s->started_at += s->begin - s->started;
		s->started = s->begin;
	}
}

static bool begin_file(struct as_sampler *s)
{
	uint64_t mask;
	bool ok = true;

	as_lock(&s->busy, &mask);
	atomic_store(&s->file, AS_FILE_WANTED);
	if (!s->child)
		ok = as_sampler_open();
	as_unlock(&s->busy, &mask);
	return ok;
}

/*
 * Since Linux 5.10 the signal of a timer for CPU time comes when a thread is about to leave the
 * kernel. Before, it could come within a call, and end it.
 */
static bool signals_end_calls(void)
{
	struct utsname name;
	char *end;
	unsigned long major;

	if (as_raw3(SYS_uname, (long)&name, 0, 0) < 0)
		return true;
	major = strtoul(name.release, &end, 10);
	return major < 5 || (major == 5 && *end == '.' && strtoul(end + 1, NULL, 10) < 10);
}

static uint64_t usable_rate(uint64_t hz)
{
	return hz >= 1 && hz <= AS_HZ_MAX ? hz : AS_HZ_DEFAULT;
}

bool as_sampler_start(const struct as_start *start)
{
	struct as_sampler *s = &as_sampler;
	size_t n = strlen(start->path);

	as_sampler_ready();
	if (atomic_load(&s->active) || atomic_load(&s->sandboxed) || n == 0 || n >= sizeof(s->path))
		return false;
	memcpy(s->path, start->path, n + 1);
	memcpy(s->base, start->path, n + 1);
	s->period = 1000000 / usable_rate(start->hz);
	s->wall = start->wall;
	s->child = start->child;
	s->timed = start->timed;
	s->threads = start->threads;
	s->begin = start->begin;
	s->max_bytes = start->max_bytes;
	s->filter = start->filter;
	s->filter_arg = start->filter_arg;
	if (s->installed && s->signal != start->signal)
		s->installed = false;
	s->signal = start->signal;
	as_sampler_reset();
	if (!begin_file(s))
		return false;
	if (!s->installed && !as_handler_install()) {
		as_complain("no profile: the signal handler can't be installed", "");
		as_spool_close(&s->spool, true);
		return false;
	}
	s->installed = true;
	if (s->wall)
		as_wait_look();
	s->epoch++;
	atomic_store(&s->active, 1);
	as_threads_begin_all();
	atomic_store(&s->waits, s->wall || signals_end_calls());
	as_threads_unblock();
	return true;
}

static void finish_file(struct as_sampler *s)
{
	size_t room;
	struct as_words w = {0};
	bool moved;

	as_spool_add_lost(&s->spool, atomic_load(&s->early));
	as_lines_refresh(&s->lines, &s->objects, &moved);
	room = s->spool.n_text + TEXT_MORE;
	w.p = as_raw_memory(room);
	w.max = room;
	if (w.p) {
		as_report_end(&w);
		if (!as_spool_finish(&s->spool, w.p, w.n))
			as_complain(s->spool.pour >= 0
					    ? "the profile is lost, it can't be written to: "
					    : "the profile is complete, but larger than it "
					      "should be: ",
				s->path);
		as_raw_unmap(w.p, room);
	} else {
		as_complain(
			"the profile lacks what is told at the end, there is no memory: ", s->path);
	}
	as_spool_close(&s->spool, s->child && atomic_load(&s->samples) == 0);
}

/*
 * What the process used and no thread's clock has told of: threads before the sampler knew of them
 * and after their end, and those that it never saw.
 */
static void count_rest(struct as_sampler *s)
{
	uint64_t used = as_raw_clock(CLOCK_PROCESS_CPUTIME_ID) - s->started_cpu;
	uint64_t due = used / (s->period * 1000);
	uint64_t have = atomic_load(&s->samples) + atomic_load(&s->early);

	if (s->wall || s->filter || !atomic_load(&s->begun) || due <= have)
		return;
	s->slot[0].routine = 0; /* it is no thread's any more */
	as_handler_missed(&s->slot[0], due - have);
}

void as_sampler_stop(void)
{
	struct as_sampler *s = &as_sampler;
	uint64_t mask;

	if (atomic_load(&s->sandboxed)) {
		as_threads_count_rest();
		atomic_store(&s->active, 0); /* the file is as it should be: no call may be made */
		return;
	}
	if (!as_sampler_is_here() || atomic_exchange(&s->stopping, 1))
		return;
	if (!atomic_load(&s->active)) {
		atomic_store(&s->stopping, 0);
		return;
	}
	as_threads_end_all();
	count_rest(s);
	atomic_store(&s->waits, 0);
	atomic_store(&s->active, 0);
	as_handler_wait();
	s->usurped = !as_handler_is_ours();
	as_lock(&s->busy, &mask);
	if (atomic_load(&s->file) == AS_FILE_OPEN)
		finish_file(s);
	atomic_store(&s->file, AS_FILE_NONE);
	as_unlock(&s->busy, &mask);
	atomic_store(&s->stopping, 0);
	if (s->usurped)
		as_complain("the program took the profiling signal for itself: samples are missing",
			"");
	if (atomic_load(&s->no_timer))
		as_complain("some threads could not be sampled: the limit of pending signals "
			    "(ulimit -i) is too low",
			"");
}

/* There is a file of this process, and something can be done to it. */
static bool can_work(void)
{
	return atomic_load(&as_sampler.active) && !atomic_load(&as_sampler.sandboxed) &&
	       as_sampler_is_here();
}

void as_sampler_flush(void)
{
	struct as_sampler *s = &as_sampler;
	uint64_t mask;
	bool moved = false;

	if (!can_work())
		return;
	as_lock(&s->busy, &mask);
	atomic_store(&s->missed, 0);
	if (atomic_load(&s->file) == AS_FILE_OPEN &&
		!as_lines_refresh(&s->lines, &s->objects, &moved))
		atomic_store(&s->missed, 1);
	if (moved)
		as_unwind_forget(&s->unwinder);
	as_unlock(&s->busy, &mask);
}

void as_sampler_shrink(void)
{
	struct as_sampler *s = &as_sampler;
	uint64_t mask;

	if (!can_work())
		return;
	as_lock(&s->busy, &mask);
	if (atomic_load(&s->file) == AS_FILE_OPEN)
		as_spool_shrink(&s->spool);
	as_unlock(&s->busy, &mask);
}

void as_sampler_sandbox(void)
{
	struct as_sampler *s = &as_sampler;
	uint64_t mask;

	if (!can_work())
		return;
	as_lock(&s->busy, &mask);
	if (atomic_load(&s->file) == AS_FILE_WANTED)
		as_sampler_open();
	if (atomic_load(&s->file) == AS_FILE_OPEN)
		as_spool_grow(&s->spool, 512);
	as_unlock(&s->busy, &mask);
	as_threads_sandbox();
}
