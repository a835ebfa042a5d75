/* SPDX-License-Identifier: Apache-2.0 */
/* Threads, and what the program does with the profiler itself. */
#define _GNU_SOURCE
#include "scenes.h"

#include <pthread.h>
#include <signal.h>

static void *short_thread(void *arg)
{
	(void)arg;
	burn(1);
	return NULL;
}

/* Thousands of threads that live for a millisecond. */
void scene_many_threads(const char *arg)
{
	int n = arg ? atoi(arg) : 2000;
	pthread_t t[8];

	for (int i = 0; i < n; i += 8) {
		for (int k = 0; k < 8; k++)
			if (pthread_create(&t[k], NULL, short_thread, NULL))
				die("pthread_create");
		for (int k = 0; k < 8; k++)
			pthread_join(t[k], NULL);
	}
}

static void *blocked_thread(void *arg)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	burn(*(double *)arg);
	return NULL;
}

/* A worker that blocks all signals, as many libraries' do. */
void scene_blocked(const char *arg)
{
	double ms = 400;
	pthread_t t;

	(void)arg;
	if (pthread_create(&t, NULL, blocked_thread, &ms))
		die("pthread_create");
	pthread_join(t, NULL);
}

void scene_api(const char *path)
{
	struct ProfilerState state;
	int first, second;

	first = ProfilerStart(path);
	second = ProfilerStart(path);
	burn(200);
	ProfilerFlush();
	burn(200);
	ProfilerGetCurrentState(&state);
	ProfilerStop();
	printf("first %d second %d enabled %d samples %d name %s\n", first, second, state.enabled,
		state.samples_gathered, state.profile_name);
	printf("bad %d\n", ProfilerStart("/proc/self/none/x.prof"));
}

/* Flushed once, and killed with as much again to tell. */
void scene_flushed(const char *path)
{
	if (!ProfilerStart(path))
		die("ProfilerStart");
	burn(300);
	ProfilerFlush();
	burn(300);
	kill(getpid(), SIGKILL);
}

static int only_main(void *arg)
{
	return pthread_equal(*(pthread_t *)arg, pthread_self());
}

void scene_filtered(const char *path)
{
	pthread_t self = pthread_self(), t;
	struct ProfilerOptions options = {only_main, &self};
	double ms = 400;

	if (!ProfilerStartWithOptions(path, &options))
		die("ProfilerStart");
	if (pthread_create(&t, NULL, thread_shares, &ms))
		die("pthread_create");
	burn(200);
	pthread_join(t, NULL);
	ProfilerStop();
}

/* Threads that are older than the profile. */
void scene_late_start(const char *path)
{
	double ms = 400;
	pthread_t t;

	if (pthread_create(&t, NULL, thread_shares, &ms))
		die("pthread_create");
	usleep(10000);
	if (!ProfilerStart(path))
		die("ProfilerStart");
	pthread_join(t, NULL);
	ProfilerStop();
}

void scene_start_stop(const char *path)
{
	for (int i = 0; i < 200; i++) {
		if (!ProfilerStart(path))
			die("ProfilerStart");
		burn(2);
		ProfilerStop();
	}
}
