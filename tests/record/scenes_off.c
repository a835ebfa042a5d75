/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do not run, each in a function of its own, and how long by clocks of their own. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>

#include "scenes.h"

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static int pipe_end[2];

static APART void off_naps(void)
{
	for (int i = 0; i < 20; i++) {
		usleep(5000);
		burn(.2);
	}
}

static APART void off_reads(void)
{
	char c;

	while (read(pipe_end[0], &c, 1) == 1)
		burn(.2);
}

static APART void off_locks(void)
{
	pthread_mutex_lock(&held);
	pthread_mutex_unlock(&held);
}

static APART void off_spins(void)
{
	double until = seconds(CLOCK_THREAD_CPUTIME_ID) + .1;

	while (seconds(CLOCK_THREAD_CPUTIME_ID) < until)
		;
}

/* How long the calling thread has waited for a processor, by the scheduler. */
static double off_delay(void)
{
	unsigned long long ran, waited;
	FILE *f = fopen("/proc/thread-self/schedstat", "r");

	if (!f || fscanf(f, "%llu %llu", &ran, &waited) != 2)
		die("schedstat");
	fclose(f);
	return (double)waited * 1e-9;
}

/* "NAME asleep AWAY DELAY": seconds that it did not run, and of these without a processor. */
static void off_measured(const char *name, void (*what)(void))
{
	double delay = off_delay(), passed = seconds(CLOCK_MONOTONIC);
	double used = seconds(CLOCK_THREAD_CPUTIME_ID);

	what();
	used = seconds(CLOCK_THREAD_CPUTIME_ID) - used;
	passed = seconds(CLOCK_MONOTONIC) - passed;
	delay = off_delay() - delay;
	printf("%s %.9f %.9f\n", name, passed - used, delay);
	fflush(stdout);
}

static void *off_reader(void *arg)
{
	(void)arg;
	off_measured("off_reads", off_reads);
	return NULL;
}

static void *off_locker(void *arg)
{
	(void)arg;
	off_measured("off_locks", off_locks);
	return NULL;
}

static void *off_spinner(void *arg)
{
	cpu_set_t one;

	(void)arg;
	CPU_ZERO(&one);
	CPU_SET(0, &one);
	sched_setaffinity(0, sizeof(one), &one);
	off_measured("off_spins", off_spins);
	return NULL;
}

void scene_off_cpu(const char *arg)
{
	pthread_t reader, locker, spinner[2];

	(void)arg;
	if (pipe(pipe_end))
		die("pipe");
	pthread_mutex_lock(&held);
	pthread_create(&reader, NULL, off_reader, NULL);
	pthread_create(&locker, NULL, off_locker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&spinner[i], NULL, off_spinner, NULL);
	off_measured("off_naps", off_naps);
	for (int i = 0; i < 5; i++) {
		if (write(pipe_end[1], "", 1) != 1)
			die("write");
		usleep(8000);
	}
	close(pipe_end[1]);
	pthread_mutex_unlock(&held);
	pthread_join(reader, NULL);
	pthread_join(locker, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(spinner[i], NULL);
}
