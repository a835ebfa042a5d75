/* SPDX-License-Identifier: Apache-2.0 */
/* Code that comes and goes, and stacks of other kinds. */
#define _GNU_SOURCE
#include "scenes.h"

#include <dlfcn.h>
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

/* ARG mappings; and a library that stays is closed again and again. */
void scene_many_mappings(const char *arg)
{
	const size_t size = 8192;

	for (int i = atoi(arg); i > 0; i--) {
		char *p = mmap(
			NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED || mprotect(p, size / 2, PROT_READ))
			die("mmap");
	}
	for (int i = 0; i < 200; i++)
		dlclose(dlopen("libc.so.6", RTLD_NOW));
	printf("cpu %.3f\n", seconds(CLOCK_PROCESS_CPUTIME_ID));
}
