/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Work of known shares: 50, 30, 15 and 5 of a hundred steps, all of them alike, in a recursion, a
 * callback of libc's, a plain function and a library that was loaded. What the kernel's clocks say
 * about each is told on stdout: the truth, in which no sampler has a part.
 */
#define _GNU_SOURCE
#include "scenes.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

enum { KINDS = 4, THREADS = 3, DEPTH = 12, LEAST = 1000, MOST = 10000 };

static const struct {
	const char *name;
	unsigned share;
} kind[KINDS] = {{"recursive", 50}, {"called_back", 30}, {"plain", 15}, {"plugin_steps", 5}};

/* What each kind did and took. */
struct account {
	uint64_t steps[KINDS];
	double cpu[KINDS], wall[KINDS];
};

struct task {
	struct account account;
	pthread_t thread;
	double ms;
	uint64_t seed;
};

static void (*plugin_steps)(unsigned long n);

/* The same code for every kind, so that a step takes the same time. */
static inline __attribute__((always_inline)) void steps(unsigned long n)
{
	uint64_t x = sink | 1;

	for (unsigned long i = 0; i < n; i++)
		x = x * 6364136223846793005u + 11;
	sink = x;
}

APART static uint64_t recursive(unsigned long n, unsigned depth)
{
	uint64_t v = depth;

	if (depth)
		v = recursive(n, depth - 1) + 1;
	else
		steps(n);
	__asm__ volatile("" : "+r"(v));
	return v;
}

APART static int called_back(const void *key, const void *entry)
{
	(void)entry;
	steps(*(const unsigned long *)key);
	return 0;
}

APART static void plain(unsigned long n)
{
	steps(n);
}

static void work(unsigned what, unsigned long n)
{
	char entry = 0;

	if (what == 0)
		recursive(n, DEPTH);
	else if (what == 1)
		bsearch(&n, &entry, 1, 1, called_back);
	else if (what == 2)
		plain(n);
	else
		plugin_steps(n);
}

/* A thread may lose its processor in the system call that tells its CPU time: not within WALL. */
static void account_for(struct account *a, unsigned what, unsigned long n)
{
	double cpu = seconds(CLOCK_THREAD_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);

	work(what, n);
	wall = seconds(CLOCK_MONOTONIC) - wall;
	a->cpu[what] += seconds(CLOCK_THREAD_CPUTIME_ID) - cpu;
	a->wall[what] += wall;
	a->steps[what] += n;
}

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* Rounds of random length in random order: there is nothing that a timer could keep step with. */
static void *rounds(void *arg)
{
	struct task *t = arg;
	double end = seconds(CLOCK_THREAD_CPUTIME_ID) + t->ms * 1e-3;

	while (seconds(CLOCK_THREAD_CPUTIME_ID) < end) {
		unsigned long length = LEAST + next_random(&t->seed) % (MOST - LEAST);
		unsigned first = (unsigned)(next_random(&t->seed) >> 32), turn = first & 4 ? 1 : 3;

		for (unsigned i = 0; i < KINDS; i++) {
			unsigned what = (first + i * turn) % KINDS;

			account_for(&t->account, what, length * kind[what].share);
		}
	}
	return NULL;
}

static void tell(const struct task *task)
{
	for (unsigned k = 0; k < KINDS; k++) {
		const struct account *a = &task->account;

		printf("%s %llu steps %.6f cpu %.6f wall\n", kind[k].name,
			(unsigned long long)a->steps[k], a->cpu[k], a->wall[k]);
	}
}

/* ARG: milliseconds of CPU time in each thread, a colon, the library. */
void scene_shares(const char *arg)
{
	const char *colon = arg ? strchr(arg, ':') : NULL;
	void *handle = colon ? dlopen(colon + 1, RTLD_NOW) : NULL, *p;
	static struct task task[THREADS];

	if (!handle || !(p = dlsym(handle, "plugin_steps"))) {
		fprintf(stderr, "shares MS:LIBRARY\n");
		exit(9);
	}
	memcpy(&plugin_steps, &p, sizeof(p));
	for (unsigned i = 0; i < THREADS; i++) {
		task[i].ms = atof(arg);
		task[i].seed = (uint64_t)(seconds(CLOCK_REALTIME) * 1e9) * 2 + 1 + 2 * i;
		if (i && pthread_create(&task[i].thread, NULL, rounds, &task[i]))
			die("pthread_create");
	}
	rounds(&task[0]);
	for (unsigned i = 1; i < THREADS; i++)
		pthread_join(task[i].thread, NULL);
	for (unsigned i = 0; i < THREADS; i++)
		tell(&task[i]);
}

/* --- in step with the tick ---------------------------------------------------------------- */

static void wait_until(double at)
{
	struct timespec t = {(time_t)at, (long)((at - (double)(time_t)at) * 1e9)};

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* What a piece of work took, in s. */
struct piece {
	double cpu, wall;
};

static void count_piece(struct piece *p, double sign)
{
	p->cpu += sign * seconds(CLOCK_THREAD_CPUTIME_ID);
	p->wall += sign * seconds(CLOCK_MONOTONIC);
}

APART static void before_tick(struct piece *p)
{
	count_piece(p, -1);
	burn(2.5);
	count_piece(p, 1);
}

APART static void across_tick(struct piece *p)
{
	sink++; /* or the two would be one function */
	count_piece(p, -1);
	burn(.5);
	count_piece(p, 1);
}

/* Every 20 ms some work that ends before a tick, and less that one finds. */
void scene_in_step(const char *arg)
{
	struct piece first = {0, 0}, second = {0, 0};
	long k = (long)(seconds(CLOCK_MONOTONIC) / .02) + 2, end = k + atoi(arg) / 20;

	for (; k < end; k++) {
		wait_until((double)k * .02 + .0004);
		before_tick(&first);
		wait_until((double)k * .02 + .00775);
		across_tick(&second);
	}
	printf("cpu %.6f %.6f wall %.6f %.6f\n", first.cpu, second.cpu, first.wall, second.wall);
}

/* ARG: microseconds, a colon, milliseconds: busy for a tenth of each so many microseconds, on one
 * processor, for so long. */
void scene_beat(const char *arg)
{
	const char *colon = arg ? strchr(arg, ':') : NULL;
	double period = arg ? atof(arg) * 1e-6 : 0, at = seconds(CLOCK_MONOTONIC), end;
	cpu_set_t one;

	if (!colon || !(period > 0))
		die("beat US:MS");
	CPU_ZERO(&one);
	CPU_SET((unsigned)sched_getcpu(), &one);
	sched_setaffinity(0, sizeof(one), &one);
	end = at + atof(colon + 1) * 1e-3;
	while (at < end) {
		double used = seconds(CLOCK_PROCESS_CPUTIME_ID);

		while (seconds(CLOCK_PROCESS_CPUTIME_ID) - used < period / 10)
			sink++;
		/* what was missed, as others had the processor, is missed */
		while (at <= seconds(CLOCK_MONOTONIC))
			at += period;
		wait_until(at);
	}
	printf("cpu %.6f\n", seconds(CLOCK_PROCESS_CPUTIME_ID));
}
