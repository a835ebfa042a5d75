/* SPDX-License-Identifier: Apache-2.0 */
/* System calls by their numbers: those that wait are waited for as libc's functions are. */
#include <linux/seccomp.h>
#include <stdarg.h>
#include <sys/prctl.h>

#include "preload/hooks.h"
#include "preload/wait.h"

/* Where a call that waits has a set of signals. */
enum mask_at {
	MASK_NONE,
	MASK_AT_0, /* that it waits for */
	MASK_AT_3,
	MASK_AT_4,
	MASK_IN_5, /* in a struct */
};

static const struct waiting {
	short number;
	unsigned char mask;
} waiting[] = {
	{SYS_accept, MASK_NONE},
	{SYS_accept4, MASK_NONE},
	{SYS_clock_nanosleep, MASK_NONE},
	{SYS_connect, MASK_NONE},
	{SYS_copy_file_range, MASK_NONE},
	{SYS_epoll_pwait, MASK_AT_4},
	{SYS_epoll_pwait2, MASK_AT_4},
	{SYS_epoll_wait, MASK_NONE},
	{SYS_fallocate, MASK_NONE},
	{SYS_futex, MASK_NONE},
	{SYS_getrandom, MASK_NONE},
	{SYS_io_getevents, MASK_NONE},
	{SYS_io_pgetevents, MASK_IN_5},
	{SYS_io_uring_enter, MASK_AT_4},
	{SYS_msgrcv, MASK_NONE},
	{SYS_msgsnd, MASK_NONE},
	{SYS_nanosleep, MASK_NONE},
	{SYS_poll, MASK_NONE},
	{SYS_ppoll, MASK_AT_3},
	{SYS_pselect6, MASK_IN_5},
	{SYS_read, MASK_NONE},
	{SYS_readv, MASK_NONE},
	{SYS_recvfrom, MASK_NONE},
	{SYS_recvmmsg, MASK_NONE},
	{SYS_recvmsg, MASK_NONE},
	{SYS_rt_sigtimedwait, MASK_AT_0},
	{SYS_select, MASK_NONE},
	{SYS_semop, MASK_NONE},
	{SYS_semtimedop, MASK_NONE},
	{SYS_sendfile, MASK_NONE},
	{SYS_sendmmsg, MASK_NONE},
	{SYS_sendmsg, MASK_NONE},
	{SYS_sendto, MASK_NONE},
	{SYS_splice, MASK_NONE},
	{SYS_tee, MASK_NONE},
	{SYS_vmsplice, MASK_NONE},
	{SYS_wait4, MASK_NONE},
	{SYS_waitid, MASK_NONE},
	{SYS_write, MASK_NONE},
	{SYS_writev, MASK_NONE},
};

static const struct waiting *syscall_hook_find(long number)
{
	for (unsigned i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++)
		if (waiting[i].number == number)
			return &waiting[i];
	return NULL;
}

/* A set of signals as the kernel has it, and the struct in which some calls have one. */
struct masked {
	uint64_t set;
	struct {
		uint64_t at, size;
	} in;
};

/* Our signal is none that a call waits for or lets through. What can't be read stays. */
static void syscall_hook_without_ours(enum mask_at where, long arg[6], struct masked *m)
{
	uint64_t ours = UINT64_C(1) << (as_sampler.signal - 1), at = 0;
	unsigned which = where == MASK_AT_0   ? 0
			 : where == MASK_AT_3 ? 3
			 : where == MASK_AT_4 ? 4
					      : 5;

	if (where == MASK_NONE || !arg[which])
		return;
	at = (uint64_t)arg[which];
	if (where == MASK_IN_5) {
		if (!as_memory_copy(at, &m->in, sizeof(m->in)) || !m->in.at)
			return;
		at = m->in.at;
	}
	if (!as_memory_copy(at, &m->set, sizeof(m->set)))
		return;
	m->set = where == MASK_AT_0 ? m->set & ~ours : m->set | ours;
	m->in.at = (uint64_t)(uintptr_t)&m->set;
	arg[which] = where == MASK_IN_5 ? (long)&m->in : (long)&m->set;
}

AS_HOOK long syscall(long number, ...)
{
	const struct waiting *waits;
	struct masked masked;
	struct as_wait w;
	long arg[6], answer;
	va_list ap;

	va_start(ap, number);
	for (unsigned i = 0; i < 6; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	if (number == SYS_seccomp || (number == SYS_prctl && arg[0] == PR_SET_SECCOMP))
		as_sampler_sandbox();
	if (number == SYS_setsockopt)
		as_wait_set_limit((int)arg[1], (int)arg[2]);
	waits = atomic_load(&as_sampler.waits) ? syscall_hook_find(number) : NULL;
	if (!waits)
		return as_raw_result(
			as_raw(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]));
	syscall_hook_without_ours(waits->mask, arg, &masked);
	as_wait_begin(&w, AS_WAIT_ENDS, as_real(AS_REAL_syscall));
	answer = as_raw(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
	as_wait_end(&w);
	return as_raw_result(answer);
}
