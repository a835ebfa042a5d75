/* SPDX-License-Identifier: Apache-2.0 */
/* Threads, and what the program does with the profiler itself. */
#define _GNU_SOURCE
#include "scenes.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static void *short_thread(void *arg)
{
	(void)arg;
	burn(1);
	return NULL;
}

static void *steps_thread(void *arg)
{
	for (unsigned i = 0; i < 500000; i++)
		sink += i;
	return arg;
}

static double wall_ms(void)
{
	return seconds(CLOCK_REALTIME) * 1e3;
}

struct late {
	pthread_barrier_t begin;
	double ms;
};

static void *late_thread(void *arg)
{
	struct late *l = arg;

	pthread_setname_np(pthread_self(), "late");
	pthread_barrier_wait(&l->begin);
	seventh(l->ms);
	return NULL;
}

/* First one function, then another, while a second thread that has waited so far runs a third. Says
 * when each began, and when all ended. */
void scene_phases(const char *arg)
{
	struct late l = {.ms = arg ? atof(arg) : 1000};
	double first = wall_ms(), second;
	pthread_t t;

	pthread_barrier_init(&l.begin, NULL, 2);
	if (pthread_create(&t, NULL, late_thread, &l))
		die("pthread_create");
	half(l.ms);
	second = wall_ms();
	pthread_barrier_wait(&l.begin);
	third(l.ms);
	pthread_join(t, NULL);
	printf("first %.3f second %.3f end %.3f\n", first, second, wall_ms());
}

static void make_threads(int n, void *(*routine)(void *))
{
	pthread_t t[8];

	for (int i = 0; i < n; i += 8) {
		for (int k = 0; k < 8; k++)
			if (pthread_create(&t[k], NULL, routine, NULL))
				die("pthread_create");
		for (int k = 0; k < 8; k++)
			pthread_join(t[k], NULL);
	}
}

/* Thousands of threads that live for a millisecond. */
void scene_many_threads(const char *arg)
{
	make_threads(arg ? atoi(arg) : 2000, short_thread);
}

/* ARG threads that all do the same. */
void scene_many_steps(const char *arg)
{
	make_threads(atoi(arg), steps_thread);
	printf("cpu %.3f\n", seconds(CLOCK_PROCESS_CPUTIME_ID));
}

/* The same, and sched_yield() ends the program; the sampler is not told. */
void scene_unyielding(const char *arg)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_sched_yield, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof(code) / sizeof(*code), code};
	long answer;

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	__asm__ volatile("syscall"
			 : "=a"(answer)
			 : "a"(SYS_seccomp), "D"(SECCOMP_SET_MODE_FILTER), "S"(0), "d"(&filter)
			 : "rcx", "r11", "memory");
	if (answer)
		die("seccomp");
	scene_many_threads(arg);
	printf("through\n");
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
