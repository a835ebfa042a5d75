/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/real.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

/* Looked up when first needed, which may be before our constructor. */
static void *next(_Atomic(void *) *known, const char *name)
{
	void *p = atomic_load(known);

	if (!p) {
		p = dlsym(RTLD_NEXT, name);
		atomic_store(known, p);
	}
	return p;
}

/* C has no cast from an object's pointer to a function's. */
#define REAL(name, type, ...)                    \
	do {                                     \
		static _Atomic(void *) known;    \
		void *p = next(&known, name);    \
		type;                            \
		memcpy(&real, &p, sizeof(real)); \
		return real(__VA_ARGS__);        \
	} while (0)

int as_real_sigaction(int number, const struct sigaction *act, struct sigaction *old)
{
	REAL("sigaction", int (*real)(int, const struct sigaction *, struct sigaction *), number,
		act, old);
}

int as_real_pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *arg)
{
	REAL("pthread_create",
		int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *), thread,
		attr, routine, arg);
}

int as_real_thrd_create(thrd_t *thread, thrd_start_t routine, void *arg)
{
	REAL("thrd_create", int (*real)(thrd_t *, thrd_start_t, void *), thread, routine, arg);
}

int as_real_dlclose(void *handle)
{
	REAL("dlclose", int (*real)(void *), handle);
}

int as_real_pthread_sigmask(int how, const sigset_t *set, sigset_t *old)
{
	REAL("pthread_sigmask", int (*real)(int, const sigset_t *, sigset_t *), how, set, old);
}

int as_real_poll(struct pollfd *fds, nfds_t n, int timeout)
{
	REAL("poll", int (*real)(struct pollfd *, nfds_t, int), fds, n, timeout);
}

int as_real_epoll_wait(int fd, struct epoll_event *events, int n, int timeout)
{
	REAL("epoll_wait", int (*real)(int, struct epoll_event *, int, int), fd, events, n,
		timeout);
}

int as_real_select(int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout)
{
	REAL("select", int (*real)(int, fd_set *, fd_set *, fd_set *, struct timeval *), n, in, out,
		except, timeout);
}

int as_real_clock_nanosleep(
	clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	REAL("clock_nanosleep",
		int (*real)(clockid_t, int, const struct timespec *, struct timespec *), clock,
		flags, time, left);
}

int as_real_ppoll(
	struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	REAL("ppoll",
		int (*real)(struct pollfd *, nfds_t, const struct timespec *, const sigset_t *),
		fds, n, timeout, mask);
}

int as_real_pselect(int n, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
	const sigset_t *mask)
{
	REAL("pselect",
		int (*real)(int, fd_set *, fd_set *, fd_set *, const struct timespec *,
			const sigset_t *),
		n, in, out, except, timeout, mask);
}

int as_real_epoll_pwait(
	int fd, struct epoll_event *events, int n, int timeout, const sigset_t *mask)
{
	REAL("epoll_pwait", int (*real)(int, struct epoll_event *, int, int, const sigset_t *), fd,
		events, n, timeout, mask);
}

int as_real_sigsuspend(const sigset_t *mask)
{
	REAL("sigsuspend", int (*real)(const sigset_t *), mask);
}

int as_real_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	REAL("sigtimedwait", int (*real)(const sigset_t *, siginfo_t *, const struct timespec *),
		set, info, timeout);
}

int as_real_sigwait(const sigset_t *set, int *number)
{
	REAL("sigwait", int (*real)(const sigset_t *, int *), set, number);
}
