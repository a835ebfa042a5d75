/* SPDX-License-Identifier: Apache-2.0 */
/* Code that comes and goes, and stacks of other kinds. */
#define _GNU_SOURCE
#include "scenes.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

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
void scene_plugins(const char *arg)
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

void scene_plugin_loop(const char *arg)
{
	for (int i = 0; i < 300; i++) {
		void *handle = dlopen(arg, RTLD_NOW);

		if (!handle)
			die("dlopen");
		burn(1);
		dlclose(handle);
	}
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
void scene_coroutines(const char *arg)
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

void scene_jit(const char *arg)
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

/* Functions of several processes at one address, each told by a map in the folder for them. */
void scene_jit_named(const char *arg)
{
	char path[64];
	void (*code)(uint64_t);
	void *p = mmap((void *)0x100000000, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
	f = fopen(path, "w");
	if (p == MAP_FAILED || !f || fprintf(f, "%lx %zx %s\n", (long)p, sizeof(framed), arg) < 0 ||
		fclose(f))
		die("jitnamed");
	memcpy(p, framed, sizeof(framed));
	memcpy(&code, &p, sizeof(code));
	alarm(120); /* whoever forgets us */
	call_jit(code, 600000);
}

static void edge_is_reached(int signal)
{
	(void)signal;
	_exit(write(1, "through\n", 8) != 8);
}

/* Code that begins where no memory is before it, rax as after a system call that a signal ended:
 *     1: jmp 1b
 * The alarm ends it. */
void scene_edge_of_code(const char *arg)
{
	static const unsigned char loop[] = {0xeb, 0xfe};
	char *p = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	(void)arg;
	if (p == MAP_FAILED || mprotect(p + 4096, 4096, PROT_READ | PROT_WRITE | PROT_EXEC))
		die("mmap");
	memcpy(p + 4096, loop, sizeof(loop));
	signal(SIGALRM, edge_is_reached);
	ualarm(300000, 0);
	__asm__ volatile("mov $-4, %%rax; jmp *%0" : : "r"(p + 4096) : "rax");
}

/* ARG mappings, and behind a colon a library: it is opened and closed again and again, or one that
 * stays is. */
void scene_many_mappings(const char *arg)
{
	const char *colon = strchr(arg, ':'), *library = colon ? colon + 1 : "libc.so.6";
	const size_t size = 8192;

	for (int i = atoi(arg); i > 0; i--) {
		char *p = mmap(
			NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED || mprotect(p, size / 2, PROT_READ))
			die("mmap");
	}
	for (int i = 0; i < 200; i++)
		dlclose(dlopen(library, RTLD_NOW));
	printf("cpu %.3f\n", seconds(CLOCK_PROCESS_CPUTIME_ID));
}
