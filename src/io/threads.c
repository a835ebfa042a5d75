/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "io/threads.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { THREADS_MAX = 256 };

struct team {
	void (*task)(void *arg, unsigned i);
	void *arg;
	unsigned n;
	atomic_uint next;
};

static void *team_work(void *arg)
{
	struct team *team = arg;
	unsigned i;

	while ((i = atomic_fetch_add(&team->next, 1)) < team->n)
		team->task(team->arg, i);
	return NULL;
}

void as_threads_run(unsigned jobs, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	struct team team = {.task = task, .arg = arg, .n = n};
	pthread_t thread[THREADS_MAX];
	unsigned n_threads = 0, want = jobs < n ? jobs : n;

	as_assert(task);
	if (want > THREADS_MAX)
		want = THREADS_MAX;
	while (n_threads + 1 < want &&
		pthread_create(&thread[n_threads], NULL, team_work, &team) == 0)
		n_threads++;
	team_work(&team);
	while (n_threads)
		pthread_join(thread[--n_threads], NULL);
}

unsigned as_cpu_count(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;

	return n > 0 ? (unsigned)n : 1;
}
