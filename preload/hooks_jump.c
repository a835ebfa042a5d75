/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps out of functions, whose ends the compiler's calls do not tell. */
#include <dlfcn.h>
#include <setjmp.h>
#include <string.h>

#include "preload/calls.h"
#include "preload/hooks.h"
#include "preload/real.h"

enum { JUMP_SP = 6 }; /* the stack pointer's place in glibc's jmp_buf for x86-64 */

/* Where the stack will be: glibc keeps it turned, and under a number of the thread's. */
static uint64_t jump_hook_target(const struct __jmp_buf_tag *env)
{
	uint64_t sp = (uint64_t)env->__jmpbuf[JUMP_SP], key;

	__asm__("mov %%fs:0x30, %0" : "=r"(key));
	return (sp >> 17 | sp << 47) ^ key;
}

static void jump_hook_leave(const struct __jmp_buf_tag *env)
{
	if (as_calls_mine)
		as_calls_leave(as_calls_mine, jump_hook_target(env), __rdtsc());
}

#define JUMP(name)                                                \
	AS_HOOK void name(struct __jmp_buf_tag env[1], int value) \
	{                                                         \
		jump_hook_leave(env);                             \
		AS_REAL(name)(env, value);                        \
		__builtin_unreachable();                          \
	}

JUMP(longjmp)
JUMP(_longjmp)
JUMP(siglongjmp)
JUMP(__longjmp_chk)

/* ---- exceptions ---- */

/* What CALLER, which is of a library's own, has for an unwinder. */
struct jump_hook_unwinder {
	const void *caller;
	unsigned unloads; /* when it was looked for */
	uintptr_t (*cfa)(struct _Unwind_Context *);
	void (*set)(struct _Unwind_Context *, uintptr_t);
};

static _Atomic unsigned jump_hook_unloads;

void as_jump_hook_forget(void)
{
	atomic_fetch_add(&jump_hook_unloads, 1);
}

/* As it is loaded with RTLD_LOCAL, perhaps, it need not be among those that all see. */
static void *jump_hook_find(enum as_real which, const char *name, const void *caller)
{
	void *p = as_real(which), *library;
	Dl_info of;

	if (p || !dladdr(caller, &of))
		return p;
	library = dlopen(of.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
	p = library ? dlsym(library, name) : NULL;
	if (library)
		AS_REAL(dlclose)(library);
	return p;
}

/* A thread throws mostly by one caller, of which it is looked for once: that takes longer than all
 * else that an exception does. */
static struct jump_hook_unwinder jump_hook_of(const void *caller)
{
	static _Thread_local struct jump_hook_unwinder last
		__attribute__((tls_model("initial-exec")));
	unsigned unloads = atomic_load(&jump_hook_unloads);
	struct jump_hook_unwinder u = last;
	void *p;

	/* A signal handler may throw in the middle of it. */
	atomic_signal_fence(memory_order_seq_cst);
	if (u.caller == caller && last.caller == caller && u.unloads == unloads)
		return u;
	p = jump_hook_find(AS_REAL__Unwind_GetCFA, "_Unwind_GetCFA", caller);
	memcpy(&u.cfa, &p, sizeof(p));
	p = jump_hook_find(AS_REAL__Unwind_SetIP, "_Unwind_SetIP", caller);
	memcpy(&u.set, &p, sizeof(p));
	last.caller = NULL;
	atomic_signal_fence(memory_order_seq_cst);
	last.unloads = unloads;
	last.cfa = u.cfa;
	last.set = u.set;
	atomic_signal_fence(memory_order_seq_cst);
	last.caller = caller;
	return last;
}

/* The code at IP, in CONTEXT's function, is what goes on: those that it had called do not. */
AS_HOOK void _Unwind_SetIP(struct _Unwind_Context *context, uintptr_t ip)
{
	struct jump_hook_unwinder u = jump_hook_of(__builtin_return_address(0));

	if (as_calls_mine && u.cfa)
		as_calls_leave(as_calls_mine, u.cfa(context), __rdtsc());
	u.set(context, ip);
}
