/* SPDX-License-Identifier: Apache-2.0 */
/* Programs to be sampled: scenes NAME [ARGUMENT]. Each says on stdout what a test needs to know. */
#define _GNU_SOURCE
#include "scenes.h"

#include <pthread.h>

_Thread_local volatile uint64_t sink;

APART double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* CPU time of the calling thread. */
#define BURN(name, step)                                                   \
	APART void name(double ms)                                         \
	{                                                                  \
		double end = seconds(CLOCK_THREAD_CPUTIME_ID) + ms * 1e-3; \
		uint64_t x = sink | 1;                                     \
                                                                           \
		do {                                                       \
			for (unsigned i = 0; i < 20000; i++)               \
				x = x * 6364136223846793005u + step;       \
			sink = x;                                          \
		} while (seconds(CLOCK_THREAD_CPUTIME_ID) < end);          \
	}

BURN(burn, 1u)
BURN(half, 3u)
BURN(third, 5u)
BURN(seventh, 7u)
BURN(twentieth, 9u)

void die(const char *what)
{
	perror(what);
	exit(9);
}

/* 50, 30, 15 and 5 percent of the time, in pieces that no timer keeps step with. */
APART static void shares(double ms)
{
	for (double done = 0; done < ms; done += 6.18) {
		half(3.09);
		third(1.854);
		seventh(.927);
		twentieth(.309);
	}
}

void *thread_shares(void *arg)
{
	shares(*(double *)arg);
	return NULL;
}

static int compare(const void *a, const void *b)
{
	sink += *(const unsigned char *)a;
	return *(const unsigned char *)a - *(const unsigned char *)b;
}

APART static void callback(double ms)
{
	double end = seconds(CLOCK_THREAD_CPUTIME_ID) + ms * 1e-3;
	static unsigned char v[4096];

	while (seconds(CLOCK_THREAD_CPUTIME_ID) < end) {
		for (size_t i = 0; i < sizeof(v); i++)
			v[i] = (unsigned char)(i * 7919);
		qsort(v, sizeof(v), 1, compare);
	}
}

APART static uint64_t recurse(int n, double ms)
{
	uint64_t v = 0;

	if (n == 0)
		burn(ms);
	else
		v = recurse(n - 1, ms) + 1;
	__asm__ volatile("" : "+r"(v));
	return v;
}

void scene_calibrated(const char *arg)
{
	double ms = arg ? atof(arg) : 1000;
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		if (pthread_create(&t[i], NULL, thread_shares, &ms))
			die("pthread_create");
	shares(ms);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
}

void scene_loop(const char *arg)
{
	burn(arg ? atof(arg) : 500);
}

/* One path alone: some readers take a frame that all stacks have for a handler's, and cut it. */
APART static void single_leaf(void)
{
	for (unsigned i = 0; i < 300000000; i++)
		sink += i;
}

APART static void single_mid(void)
{
	single_leaf();
	__asm__ volatile("");
}

APART static void single_outer(void)
{
	single_mid();
	__asm__ volatile("");
}

void scene_single(const char *arg)
{
	(void)arg;
	single_outer();
	__asm__ volatile("");
}

/* The same work every time, some thirty calls deep: the CPU time shows what a sampler takes. */
APART static uint64_t fixed(int depth, unsigned rounds)
{
	uint64_t v = sink | 1;

	if (depth)
		v = fixed(depth - 1, rounds) + 1;
	else
		for (unsigned i = 0; i < rounds * 1000000u; i++)
			v = v * 6364136223846793005u + 11;
	__asm__ volatile("" : "+r"(v));
	return v;
}

void scene_work(const char *arg)
{
	sink = fixed(25, arg ? (unsigned)atoi(arg) : 1000);
}

/* What one stack costs. */
static void walk_here(const char *arg)
{
	enum { TIMES = 200000, FRAMES = 64 };
	void *pc[FRAMES];
	double start;
	int n = 0;

	(void)arg;
	for (int i = 0; i < 1000; i++)
		n = ProfilerGetStackTrace(pc, FRAMES, 0, NULL);
	start = seconds(CLOCK_THREAD_CPUTIME_ID);
	for (int i = 0; i < TIMES; i++)
		n = ProfilerGetStackTrace(pc, FRAMES, 0, NULL);
	printf("frames %d nanoseconds %.0f\n", n,
		(seconds(CLOCK_THREAD_CPUTIME_ID) - start) * 1e9 / TIMES);
}

APART static int walk_deep(int n)
{
	int v = 0;

	if (n)
		v = walk_deep(n - 1) + 1;
	else
		walk_here(NULL);
	__asm__ volatile("" : "+r"(v));
	return v;
}

void scene_walk(const char *arg)
{
	walk_deep(arg ? atoi(arg) : 25);
}

void scene_deep(const char *arg)
{
	recurse(arg ? atoi(arg) : 100, 300);
}

void scene_sorting(const char *arg)
{
	callback(arg ? atof(arg) : 400);
}

static const struct {
	const char *name;
	void (*run)(const char *arg);
} scenes[] = {
	{"abort", scene_abort_now},
	{"api", scene_api},
	{"beat", scene_beat},
	{"blocked", scene_blocked},
	{"calibrated", scene_calibrated},
	{"calls", scene_calls},
	{"chdir", scene_change_directory},
	{"chroot", scene_chroot},
	{"close", scene_close_all},
	{"confined", scene_confined},
	{"coroutines", scene_coroutines},
	{"daemon", scene_daemon},
	{"deep", scene_deep},
	{"edge", scene_edge_of_code},
	{"exec", scene_exec_scene},
	{"execchain", scene_exec_chain},
	{"execother", scene_exec_other},
	{"exit", scene_exit_now},
	{"filter", scene_filtered},
	{"flushed", scene_flushed},
	{"fork", scene_fork_scene},
	{"forkcrowd", scene_fork_crowd},
	{"forktree", scene_fork_tree},
	{"handler", scene_handler},
	{"held", scene_held},
	{"idle", scene_idle},
	{"instep", scene_in_step},
	{"jit", scene_jit},
	{"jitcrowd", scene_jit_crowd},
	{"jitnamed", scene_jit_named},
	{"kill", scene_kill_self},
	{"late", scene_late_start},
	{"limited", scene_limited},
	{"loop", scene_loop},
	{"mappings", scene_many_mappings},
	{"offcpu", scene_off_cpu},
	{"ownfirst", scene_own_handler_first},
	{"owntimer", scene_own_timer},
	{"phases", scene_phases},
	{"plugincrowd", scene_plugin_crowd},
	{"pluginloop", scene_plugin_loop},
	{"plugins", scene_plugins},
	{"rawfork", scene_raw_fork},
	{"rawthread", scene_raw_thread},
	{"sandbox", scene_sandbox},
	{"sandboxfilter", scene_sandbox_filter},
	{"shares", scene_shares},
	{"single", scene_single},
	{"sleep", scene_sleeper},
	{"sort", scene_sorting},
	{"spawn", scene_spawn_scene},
	{"stack", scene_stack},
	{"stackend", scene_stack_end},
	{"stackends", scene_stack_ends},
	{"startstop", scene_start_stop},
	{"steps", scene_many_steps},
	{"storm", scene_storm},
	{"threads", scene_many_threads},
	{"unyielding", scene_unyielding},
	{"waits", scene_waits},
	{"walk", scene_walk},
	{"work", scene_work},
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof(scenes) / sizeof(scenes[0]); i++)
		if (strcmp(scenes[i].name, argv[1]) == 0) {
			scenes[i].run(argc > 2 ? argv[2] : NULL);
			return 0;
		}
	fprintf(stderr, "scenes NAME [ARGUMENT]\n");
	return 2;
}
