/* SPDX-License-Identifier: Apache-2.0 */
/* Programs to be sampled: scenes NAME [ARGUMENT]. Each says on stdout what a test needs to know. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "assay/profiler.h"

/* The library is preloaded, unless the program is linked with it. */
#pragma weak ProfilerStart
#pragma weak ProfilerStartWithOptions
#pragma weak ProfilerStop
#pragma weak ProfilerFlush
#pragma weak ProfilerGetCurrentState
#pragma weak ProfilerGetStackTrace

#define APART __attribute__((noinline, noclone))

static volatile uint64_t sink;

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* CPU time of the calling thread. */
#define BURN(name, step)                                                   \
	APART static void name(double ms)                                  \
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

static void die(const char *what)
{
	perror(what);
	exit(9);
}

/* 50, 30, 15 and 5 percent of the time, in small pieces. */
APART static void shares(double ms)
{
	for (double done = 0; done < ms; done += 10) {
		half(5);
		third(3);
		seventh(1.5);
		twentieth(0.5);
	}
}

static void *thread_shares(void *arg)
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

static void calibrated(const char *arg)
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

static void loop(const char *arg)
{
	burn(arg ? atof(arg) : 500);
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

static void work(const char *arg)
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

static void walk(const char *arg)
{
	walk_deep(arg ? atoi(arg) : 25);
}

static void deep(const char *arg)
{
	recurse(arg ? atoi(arg) : 100, 300);
}

static void sorting(const char *arg)
{
	callback(arg ? atof(arg) : 400);
}

/* Ends without any destructor. */
static void exit_now(const char *arg)
{
	(void)arg;
	burn(300);
	_exit(0);
}

static void abort_now(const char *arg)
{
	(void)arg;
	burn(300);
	abort();
}

static void kill_self(const char *arg)
{
	(void)arg;
	burn(300);
	kill(getpid(), SIGKILL);
}

/* The child burns twice as much as its parent. */
static void fork_scene(const char *arg)
{
	pid_t pid;

	(void)arg;
	burn(200);
	pid = fork();
	if (pid == 0) {
		burn(400);
		exit(0);
	}
	waitpid(pid, NULL, 0);
	printf("child %d\n", (int)pid);
}

/* N processes, as a tree, each of which burns. */
static void fork_tree(const char *arg)
{
	int depth = arg ? atoi(arg) : 4;
	pid_t child[2] = {0, 0};

	for (; depth > 0; depth--) {
		for (int i = 0; i < 2; i++) {
			child[i] = fork();
			if (child[i] == 0)
				break;
		}
		if (child[0] && child[1])
			break;
	}
	burn(30);
	while (wait(NULL) > 0)
		;
}

static void exec_scene(const char *arg)
{
	pid_t pid;

	(void)arg;
	burn(100);
	pid = fork();
	if (pid == 0) {
		execl("/proc/self/exe", "scenes", "loop", "300", (char *)NULL);
		_exit(9);
	}
	waitpid(pid, NULL, 0);
	printf("child %d\n", (int)pid);
}

static void spawn_scene(const char *arg)
{
	char *argv[] = {(char *)(uintptr_t) "scenes", (char *)(uintptr_t) "loop",
		(char *)(uintptr_t) "300", NULL};
	extern char **environ;
	pid_t pid;

	(void)arg;
	burn(100);
	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ))
		die("posix_spawn");
	waitpid(pid, NULL, 0);
	printf("child %d\n", (int)pid);
	pid = vfork();
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	burn(100);
}

static void *short_thread(void *arg)
{
	(void)arg;
	burn(1);
	return NULL;
}

/* Thousands of threads that live for a millisecond. */
static void many_threads(const char *arg)
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
static void blocked(const char *arg)
{
	double ms = 400;
	pthread_t t;

	(void)arg;
	if (pthread_create(&t, NULL, blocked_thread, &ms))
		die("pthread_create");
	pthread_join(t, NULL);
}

static volatile sig_atomic_t ticks;

static void on_tick(int number)
{
	(void)number;
	ticks++;
}

/* The program's own profiling timer. */
static void own_timer(const char *arg)
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
static void own_handler_first(const char *path)
{
	struct sigaction act = {.sa_handler = on_tick};
	int started;

	sigaction(SIGPROF, &act, NULL);
	started = ProfilerStart(path);
	burn(400);
	ProfilerStop();
	printf("started %d ticks %d\n", started, (int)ticks);
}

static void api(const char *path)
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

static int only_main(void *arg)
{
	return pthread_equal(*(pthread_t *)arg, pthread_self());
}

static void filtered(const char *path)
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
static void late_start(const char *path)
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

static void start_stop(const char *path)
{
	for (int i = 0; i < 200; i++) {
		if (!ProfilerStart(path))
			die("ProfilerStart");
		burn(2);
		ProfilerStop();
	}
}

static void plugin(const char *path)
{
	void (*run)(double);
	void *handle = dlopen(path, RTLD_NOW), *p;

	if (!handle || !(p = dlsym(handle, "plugin_work"))) {
		fprintf(stderr, "%s\n", dlerror());
		exit(9);
	}
	memcpy(&run, &p, sizeof(run));
	run(200);
	dlclose(handle);
}

/* Two libraries, one after the other, perhaps at one address. ARG: their paths, with a colon. */
static void plugins(const char *arg)
{
	char *copy = strdup(arg ? arg : ""), *colon = copy ? strchr(copy, ':') : NULL;

	if (!colon)
		exit(9);
	*colon = '\0';
	plugin(copy);
	plugin(colon + 1);
	plugin(copy);
	free(copy);
}

static void plugin_loop(const char *arg)
{
	for (int i = 0; i < 300; i++) {
		void *handle = dlopen(arg, RTLD_NOW);

		if (!handle)
			die("dlopen");
		burn(1);
		dlclose(handle);
	}
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
static void stack_end(const char *arg)
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
static void handler(const char *arg)
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
static void storm(const char *arg)
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

static ucontext_t outside, inside;

static void coroutine(void)
{
	for (;;) {
		burn(10);
		swapcontext(&inside, &outside);
	}
}

/* Stacks that no thread was made with. */
static void coroutines(const char *arg)
{
	size_t n = 65536;
	void *stack = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)arg;
	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = n;
	inside.uc_link = NULL;
	makecontext(&inside, coroutine, 0);
	for (int i = 0; i < 30; i++) {
		swapcontext(&outside, &inside);
		burn(1);
	}
}

/*
 * A loop in memory that was written a moment ago:
 *     push rbp; mov rbp,rsp; mov rax,rdi; 1: dec rax; jnz 1b; pop rbp; ret
 * and the same without a frame.
 */
static const unsigned char framed[] = {
	0x55, 0x48, 0x89, 0xe5, 0x48, 0x89, 0xf8, 0x48, 0xff, 0xc8, 0x75, 0xfb, 0x5d, 0xc3};

APART static void call_jit(void (*code)(uint64_t), double ms)
{
	double end = seconds(CLOCK_THREAD_CPUTIME_ID) + ms * 1e-3;

	while (seconds(CLOCK_THREAD_CPUTIME_ID) < end)
		code(1000000);
}

static void jit(const char *arg)
{
	void (*code)(uint64_t);
	void *p = mmap(
		NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)arg;
	if (p == MAP_FAILED)
		die("mmap");
	memcpy(p, framed, sizeof(framed));
	memcpy(&code, &p, sizeof(code));
	call_jit(code, 400);
}

/* Sleeps that signals must not shorten: how long they took. */
static void sleeper(const char *arg)
{
	double start = seconds(CLOCK_MONOTONIC);
	unsigned left;

	(void)arg;
	usleep(300000);
	left = sleep(1);
	printf("slept %.3f left %u\n", seconds(CLOCK_MONOTONIC) - start, left);
}

/* No clock: even to ask for the time is forbidden there. */
APART static void count(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		sink += i;
}

/* A child that may only compute and write: anything else kills it. */
static void sandbox(const char *arg)
{
	int status = 0;
	pid_t pid;

	(void)arg;
	burn(50);
	pid = fork();
	if (pid == 0) {
		if (prctl(PR_SET_SECCOMP, 1 /* strict */, 0, 0, 0))
			_exit(8);
		count(400000000);
		syscall(SYS_exit, 0);
	}
	waitpid(pid, &status, 0);
	printf("child %d status %d\n", (int)pid, status);
}

/* Closes everything that it did not open, as daemons do. */
static void close_all(const char *arg)
{
	(void)arg;
	burn(100);
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	burn(200);
}

static void change_directory(const char *arg)
{
	(void)arg;
	burn(100);
	if (chdir("/"))
		die("chdir");
	burn(100);
}

static const struct {
	const char *name;
	void (*run)(const char *arg);
} scenes[] = {
	{"abort", abort_now},
	{"api", api},
	{"blocked", blocked},
	{"calibrated", calibrated},
	{"chdir", change_directory},
	{"close", close_all},
	{"coroutines", coroutines},
	{"deep", deep},
	{"exec", exec_scene},
	{"exit", exit_now},
	{"filter", filtered},
	{"fork", fork_scene},
	{"forktree", fork_tree},
	{"handler", handler},
	{"jit", jit},
	{"kill", kill_self},
	{"late", late_start},
	{"loop", loop},
	{"ownfirst", own_handler_first},
	{"owntimer", own_timer},
	{"pluginloop", plugin_loop},
	{"plugins", plugins},
	{"sandbox", sandbox},
	{"sleep", sleeper},
	{"sort", sorting},
	{"spawn", spawn_scene},
	{"stackend", stack_end},
	{"startstop", start_stop},
	{"storm", storm},
	{"threads", many_threads},
	{"walk", walk},
	{"work", work},
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
