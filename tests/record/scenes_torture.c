/* SPDX-License-Identifier: Apache-2.0 */
/* What programs do to themselves: limits, stacks, signals and processes of odd kinds. */
#define _GNU_SOURCE
#include "scenes.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

enum { CROWD = 4 };

APART static uint64_t left(unsigned path, unsigned depth, double ms);

APART static uint64_t right(unsigned path, unsigned depth, double ms)
{
	uint64_t v = 1;

	if (depth == 0)
		burn(ms);
	else
		v = (path & 1 ? left : right)(path >> 1, depth - 1, ms) + 2;
	__asm__ volatile("" : "+r"(v));
	return v;
}

APART static uint64_t left(unsigned path, unsigned depth, double ms)
{
	uint64_t v = right(path, depth ? depth - 1 : 0, ms) + 1;

	__asm__ volatile("" : "+r"(v));
	return v;
}

/* A stack of its own for every half millisecond: the file must grow. */
APART static void spread(double ms)
{
	unsigned path = 12345;

	for (double done = 0; done < ms; done += .5) {
		path = path * 1103515245u + 12345u;
		sink += right(path >> 8, 20, .5);
	}
}

/* Closes everything, and finds the numbers that a daemon counts on. */
void scene_daemon(const char *arg)
{
	int keep = dup(1), fd[3];

	(void)arg;
	burn(50);
	dup2(keep, 100);
	syscall(SYS_close_range, 0, 99, 0);
	syscall(SYS_close_range, 101, ~0u, 0);
	spread(700);
	for (int i = 0; i < 3; i++)
		fd[i] = open("/dev/null", O_RDWR);
	spread(100);
	dprintf(100, "descriptors %d %d %d\n", fd[0], fd[1], fd[2]);
}

static void lower(int what, rlim_t to)
{
	struct rlimit limit = {to, to};

	if (setrlimit(what, &limit))
		die("setrlimit");
}

/* Limits itself in the middle. ARG: in what. */
void scene_limited(const char *arg)
{
	void *p;

	spread(50);
	if (strcmp(arg, "fsize") == 0)
		lower(RLIMIT_FSIZE, 0);
	else if (strcmp(arg, "nofile") == 0)
		lower(RLIMIT_NOFILE, 0);
	else
		lower(RLIMIT_AS, 96 << 20);
	spread(700);
	p = malloc(16 << 20);
	printf("memory %d\n", p != NULL);
	free(p);
}

/* What its file was called is another file now. */
void scene_chroot(const char *arg)
{
	spread(50);
	if (chroot(arg) || chdir("/"))
		die("chroot");
	spread(700);
}

struct overflow {
	pthread_t thread;
	sigjmp_buf back;
};

static _Thread_local struct overflow *mine;

static void on_overflow(int number)
{
	(void)number;
	burn(60);
	siglongjmp(mine->back, 1);
}

APART static int overflow(volatile char *above)
{
	volatile char here[4096];

	here[0] = above[0];
	return overflow(here) + here[1];
}

/* The handler's stack is as small as may be, and what is below it is no memory. */
static void *overflow_thread(void *arg)
{
	size_t n = (size_t)sysconf(_SC_MINSIGSTKSZ) + 8192, page = 4096, all;
	char first = 0, *p;
	stack_t alt;

	n = (n + page - 1) / page * page;
	all = n + page;
	p = mmap(NULL, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED || mprotect(p, page, PROT_NONE))
		die("mmap");
	alt = (stack_t){.ss_sp = p + page, .ss_size = n};
	sigaltstack(&alt, NULL);
	mine = arg;
	for (volatile int i = 0; i < 3; i++)
		if (sigsetjmp(mine->back, 1) == 0)
			overflow(&first);
	burn(20);
	alt.ss_flags = SS_DISABLE;
	sigaltstack(&alt, NULL);
	munmap(p, all);
	return NULL;
}

/* Stacks end in several threads at once. */
void scene_stack_ends(const char *arg)
{
	struct sigaction act = {.sa_handler = on_overflow, .sa_flags = SA_ONSTACK | SA_NODEFER};
	static struct overflow o[CROWD];

	(void)arg;
	sigaction(SIGSEGV, &act, NULL);
	for (int i = 0; i < CROWD; i++)
		if (pthread_create(&o[i].thread, NULL, overflow_thread, &o[i]))
			die("pthread_create");
	for (int i = 0; i < CROWD; i++)
		pthread_join(o[i].thread, NULL);
}

static _Atomic int raw_done;

static int raw_thread(void *arg)
{
	(void)arg;
	for (unsigned i = 0; i < 400000000; i++)
		__asm__ volatile("");
	raw_done = 1;
	syscall(SYS_exit, 0);
	return 0;
}

/* A thread that libc knows nothing about. */
void scene_raw_thread(const char *arg)
{
	size_t n = 65536;
	char *stack = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)arg;
	if (clone(raw_thread, stack + n,
		    CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
			    CLONE_SYSVSEM,
		    NULL) < 0)
		die("clone");
	burn(300);
	while (!raw_done)
		sched_yield();
}

static void *burning_thread(void *arg)
{
	burn(*(double *)arg);
	return NULL;
}

/* Children that no handler of fork() sees: one has threads, and goes by exit(). */
void scene_raw_fork(const char *arg)
{
	double ms = 200;
	pthread_t t;
	pid_t pid;

	(void)arg;
	burn(100);
	pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		if (pthread_create(&t, NULL, burning_thread, &ms))
			_exit(8);
		pthread_join(t, NULL);
		exit(0);
	}
	burn(200);
	waitpid(pid, NULL, 0);
	pid = vfork();
	if (pid == 0) {
		sigset_t all;

		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		signal(SIGPROF, SIG_DFL);
		burn(100);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void *sending_thread(void *arg)
{
	burn(200);
	kill(getpid(), *(int *)arg);
	return NULL;
}

static void on_alarm(int number)
{
	(void)number;
}

/* A thread for signals, as daemons have one: it must see the program's, and those alone. */
void scene_waits(const char *arg)
{
	struct sigaction act = {.sa_handler = on_alarm};
	struct itimerval once = {.it_value = {0, 200000}};
	struct timespec time = {0, 200000000};
	int number = SIGTERM, got = 0, timed;
	double start;
	sigset_t all;
	pthread_t t;

	(void)arg;
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	if (pthread_create(&t, NULL, sending_thread, &number))
		die("pthread_create");
	sigwait(&all, &got);
	pthread_join(t, NULL);
	start = seconds(CLOCK_MONOTONIC);
	timed = sigtimedwait(&all, NULL, &time);
	printf("sigwait %d sigtimedwait %d after %.3f\n", got, timed,
		seconds(CLOCK_MONOTONIC) - start);
	sigaction(SIGALRM, &act, NULL);
	sigdelset(&all, SIGALRM);
	setitimer(ITIMER_REAL, &once, NULL);
	start = seconds(CLOCK_MONOTONIC);
	sigsuspend(&all);
	printf("sigsuspend %.3f\n", seconds(CLOCK_MONOTONIC) - start);
	sigemptyset(&all);
	pthread_sigmask(SIG_SETMASK, &all, NULL);
	setitimer(ITIMER_REAL, &once, NULL);
	start = seconds(CLOCK_MONOTONIC);
	pause();
	printf("pause %.3f\n", seconds(CLOCK_MONOTONIC) - start);
	start = seconds(CLOCK_MONOTONIC);
	got = ppoll(NULL, 0, &time, NULL);
	printf("ppoll %d %.3f\n", got, seconds(CLOCK_MONOTONIC) - start);
	start = seconds(CLOCK_MONOTONIC);
	got = pselect(0, NULL, NULL, NULL, &time, NULL);
	printf("pselect %d %.3f\n", got, seconds(CLOCK_MONOTONIC) - start);
}

static const char *plugin_path;

static void *plugin_thread(void *arg)
{
	(void)arg;
	for (int i = 0; i < 150; i++) {
		void *handle = dlopen(plugin_path, RTLD_NOW);

		if (!handle)
			die("dlopen");
		burn(1);
		dlclose(handle);
	}
	return NULL;
}

static void crowd(void *(*routine)(void *))
{
	pthread_t t[CROWD];

	for (int i = 0; i < CROWD; i++)
		if (pthread_create(&t[i], NULL, routine, NULL))
			die("pthread_create");
	for (int i = 0; i < CROWD; i++)
		pthread_join(t[i], NULL);
}

/* Libraries come and go in several threads, whose stacks are looked at meanwhile. */
void scene_plugin_crowd(const char *arg)
{
	plugin_path = arg;
	crowd(plugin_thread);
}

/* 1: dec rdi; jnz 1b; ret. It has no frame. */
static const unsigned char frameless[] = {0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3};

static void *jit_thread(void *arg)
{
	(void)arg;
	for (int i = 0; i < 300; i++) {
		void (*code)(uint64_t);
		void *p = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			die("mmap");
		memcpy(p, frameless, sizeof(frameless));
		memcpy(&code, &p, sizeof(code));
		code(1000000);
		munmap(p, 4096);
	}
	return NULL;
}

/* Code that is made, run and thrown away in several threads. */
void scene_jit_crowd(const char *arg)
{
	(void)arg;
	crowd(jit_thread);
}

static void *forking_thread(void *arg)
{
	(void)arg;
	for (int i = 0; i < 40; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			if (i % 2)
				exit(0);
			_exit(0);
		}
		burn(2);
		waitpid(pid, NULL, 0);
	}
	return NULL;
}

/* Forks out of threads that are being sampled. */
void scene_fork_crowd(const char *arg)
{
	(void)arg;
	crowd(forking_thread);
}

APART static void count(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}

/* A child with a filter that lets it write and end, and kills it for all else. */
void scene_sandbox_filter(const char *arg)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_rt_sigreturn, 3, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_exit_group, 2, 0),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_write, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog prog = {sizeof(code) / sizeof(code[0]), code};
	int status = 0;
	pid_t pid;

	pid = fork();
	if (pid == 0) {
		if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
			(arg ? (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog)
			     : prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &prog)))
			_exit(8);
		count(400000000);
		exit(0);
	}
	waitpid(pid, &status, 0);
	printf("child %d status %d\n", (int)pid, status);
}

/* Another program, which takes no library in. ARG: its path. */
void scene_exec_other(const char *arg)
{
	int status = 0;
	pid_t pid;

	burn(100);
	pid = fork();
	if (pid == 0) {
		execl(arg, arg, "loop", "200", (char *)NULL);
		_exit(9);
	}
	waitpid(pid, &status, 0);
	printf("status %d\n", status);
}
