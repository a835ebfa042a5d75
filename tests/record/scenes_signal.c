/* SPDX-License-Identifier: Apache-2.0 */
/* Signals, the program's own and the profiler's. */
#define _GNU_SOURCE
#include "scenes.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/time.h>

static volatile sig_atomic_t ticks;

static void on_tick(int number)
{
	(void)number;
	ticks++;
}

/* The program's own profiling timer. */
void scene_own_timer(const char *arg)
{
	struct sigaction act = {.sa_handler = on_tick};
	struct itimerval every = {{0, 10000}, {0, 10000}};

	if (arg && !ProfilerStart(arg))
		die("ProfilerStart");
	sigaction(SIGPROF, &act, NULL);
	setitimer(ITIMER_PROF, &every, NULL);
	burn(500);
	memset(&every, 0, sizeof(every));
	setitimer(ITIMER_PROF, &every, NULL);
	if (arg)
		ProfilerStop();
	printf("ticks %d\n", (int)ticks);
}

/* A handler that was there before the profile. */
void scene_own_handler_first(const char *path)
{
	struct sigaction act = {.sa_handler = on_tick};
	int started;

	sigaction(SIGPROF, &act, NULL);
	started = ProfilerStart(path);
	burn(400);
	ProfilerStop();
	printf("started %d ticks %d\n", started, (int)ticks);
}

static sigjmp_buf back;

static void on_overflow(int number)
{
	(void)number;
	burn(100);
	siglongjmp(back, 1);
}

APART static int overflow(volatile char *above)
{
	volatile char here[4096];

	here[0] = above[0];
	return overflow(here) + here[1];
}

/* The stack ends; the handler burns on a stack of its own. */
void scene_stack_end(const char *arg)
{
	static char stack[65536];
	stack_t alt = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction act = {.sa_handler = on_overflow, .sa_flags = SA_ONSTACK | SA_NODEFER};
	char first = 0;

	(void)arg;
	sigaltstack(&alt, NULL);
	sigaction(SIGSEGV, &act, NULL);
	if (sigsetjmp(back, 1) == 0)
		overflow(&first);
	burn(100);
}

static void on_usr1(int number)
{
	(void)number;
	third(300);
	sink++;
}

APART static void raise_here(void)
{
	raise(SIGUSR1);
	sink++;
}

/* A frame below a signal's. */
void scene_handler(const char *arg)
{
	struct sigaction act = {.sa_handler = on_usr1};

	(void)arg;
	sigaction(SIGUSR1, &act, NULL);
	raise_here();
}

static void *storm_thread(void *arg)
{
	for (int i = 0; i < 200000; i++)
		pthread_kill(*(pthread_t *)arg, SIGUSR1);
	return NULL;
}

static void on_storm(int number)
{
	(void)number;
	sink++;
}

/* Signals by the hundred thousand, of another kind and of ours. */
void scene_storm(const char *arg)
{
	struct sigaction act = {.sa_handler = on_storm, .sa_flags = SA_RESTART};
	pthread_t self = pthread_self(), t;

	(void)arg;
	sigaction(SIGUSR1, &act, NULL);
	if (pthread_create(&t, NULL, storm_thread, &self))
		die("pthread_create");
	for (int i = 0; i < 20000; i++)
		kill(getpid(), SIGPROF);
	burn(500);
	pthread_join(t, NULL);
}

/* Sleeps that signals must not shorten: how long they took. */
void scene_sleeper(const char *arg)
{
	double start = seconds(CLOCK_MONOTONIC);
	unsigned left;

	(void)arg;
	usleep(300000);
	left = sleep(1);
	printf("slept %.3f left %u\n", seconds(CLOCK_MONOTONIC) - start, left);
}
