/* SPDX-License-Identifier: Apache-2.0 */
/* A library that is loaded and unloaded; NAME is its function. */
#define _GNU_SOURCE
#include <stdint.h>
#include <time.h>

static volatile uint64_t sink;

__attribute__((noinline, noclone)) void NAME(double ms);

__attribute__((noinline, noclone)) void NAME(double ms)
{
	struct timespec t;
	double end, now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	end = (double)t.tv_sec + (double)t.tv_nsec * 1e-9 + ms * 1e-3;
	do {
		for (unsigned i = 0; i < 20000; i++)
			sink = sink * 6364136223846793005u + 1;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
		now = (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
	} while (now < end);
}

void plugin_work(double ms);

void plugin_work(double ms)
{
	NAME(ms);
	sink++;
}

/* N steps of the calibrated work; see scenes_shares.c. */
void plugin_steps(unsigned long n);

void plugin_steps(unsigned long n)
{
	uint64_t x = sink | 1;

	for (unsigned long i = 0; i < n; i++)
		x = x * 6364136223846793005u + 11;
	sink = x;
}
