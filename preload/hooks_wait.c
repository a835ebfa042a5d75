/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that the kernel does not take up again after a signal. If it was ours alone that ended
 * them they go on for the rest of their time, so that the program never sees it.
 */
#include <errno.h>
#include <limits.h>

#include "preload/hooks.h"
#include "preload/real.h"
#include "preload/sampler.h"

enum { NS_PER_MS = 1000000 };

static void before_call(void)
{
	if (as_my_slot)
		atomic_store(&as_my_slot->interrupted, 0);
}

/* Whether a call that ended with EINTR was ended by our signal. */
static bool was_ours(void)
{
	return as_my_slot && atomic_exchange(&as_my_slot->interrupted, 0);
}

AS_HOOK int clock_nanosleep(
	clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	struct timespec want = *time, rest;
	int rc;

	do {
		before_call();
		rc = as_real_clock_nanosleep(clock, flags, &want, &rest);
		if (rc == EINTR && !(flags & TIMER_ABSTIME))
			want = rest;
	} while (rc == EINTR && was_ours());
	if (rc == EINTR && left && !(flags & TIMER_ABSTIME))
		*left = rest;
	return rc;
}

AS_HOOK int nanosleep(const struct timespec *time, struct timespec *left)
{
	int rc = clock_nanosleep(CLOCK_REALTIME, 0, time, left);

	if (rc == 0)
		return 0;
	errno = rc;
	return -1;
}

AS_HOOK int usleep(useconds_t us)
{
	struct timespec time = {us / 1000000, us % 1000000 * 1000};

	return nanosleep(&time, NULL);
}

AS_HOOK unsigned sleep(unsigned seconds)
{
	struct timespec time = {seconds, 0}, left = {0, 0};
	int saved = errno;

	if (nanosleep(&time, &left) == 0) {
		errno = saved;
		return 0;
	}
	return (unsigned)left.tv_sec + (left.tv_nsec >= 500000000);
}

/* A timeout in ms, as a point in time; UINT64_MAX: there is none. */
static uint64_t end_of(int timeout)
{
	if (timeout < 0)
		return UINT64_MAX;
	return as_raw_clock(CLOCK_MONOTONIC) + (uint64_t)timeout * NS_PER_MS;
}

static int rest_of(uint64_t end)
{
	uint64_t now = as_raw_clock(CLOCK_MONOTONIC);

	if (end == UINT64_MAX)
		return -1;
	return now >= end ? 0 : (int)((end - now + NS_PER_MS - 1) / NS_PER_MS);
}

AS_HOOK int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	uint64_t end = as_my_slot ? end_of(timeout) : 0;
	int rc;

	before_call();
	while ((rc = as_real_poll(fds, n, timeout)) < 0 && errno == EINTR && was_ours())
		timeout = rest_of(end);
	return rc;
}

AS_HOOK int epoll_wait(int fd, struct epoll_event *events, int n, int timeout)
{
	uint64_t end = as_my_slot ? end_of(timeout) : 0;
	int rc;

	before_call();
	while ((rc = as_real_epoll_wait(fd, events, n, timeout)) < 0 && errno == EINTR &&
		was_ours())
		timeout = rest_of(end);
	return rc;
}

/* The kernel leaves the rest of the time in TIMEOUT. */
AS_HOOK int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
	struct timeval *restrict timeout)
{
	int rc;

	before_call();
	do {
		rc = as_real_select(n, in, out, except, timeout);
	} while (rc < 0 && errno == EINTR && was_ours());
	return rc;
}

/* TIME, from now on, as a point in time. */
static uint64_t end_at(const struct timespec *time)
{
	return as_raw_clock(CLOCK_MONOTONIC) + (uint64_t)time->tv_sec * 1000000000u +
	       (uint64_t)time->tv_nsec;
}

static void set_rest(struct timespec *time, uint64_t end)
{
	uint64_t now = as_raw_clock(CLOCK_MONOTONIC), rest = now < end ? end - now : 0;

	time->tv_sec = (time_t)(rest / 1000000000u);
	time->tv_nsec = (long)(rest % 1000000000u);
}

/* Our signal can't end a call that blocks it. */
static bool blocks_ours(const sigset_t *mask)
{
	return mask && sigismember(mask, as_sampler.signal) == 1;
}

AS_HOOK int ppoll(
	struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	uint64_t end = timeout ? end_at(timeout) : 0;
	struct timespec rest;
	int rc;

	if (timeout)
		rest = *timeout;
	before_call();
	while ((rc = as_real_ppoll(fds, n, timeout ? &rest : NULL, mask)) < 0 && errno == EINTR &&
		!blocks_ours(mask) && was_ours())
		if (timeout)
			set_rest(&rest, end);
	return rc;
}

AS_HOOK int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
	const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
	uint64_t end = timeout ? end_at(timeout) : 0;
	struct timespec rest;
	int rc;

	if (timeout)
		rest = *timeout;
	before_call();
	while ((rc = as_real_pselect(n, in, out, except, timeout ? &rest : NULL, mask)) < 0 &&
		errno == EINTR && !blocks_ours(mask) && was_ours())
		if (timeout)
			set_rest(&rest, end);
	return rc;
}

AS_HOOK int epoll_pwait(
	int fd, struct epoll_event *events, int n, int timeout, const sigset_t *mask)
{
	uint64_t end = as_my_slot ? end_of(timeout) : 0;
	int rc;

	before_call();
	while ((rc = as_real_epoll_pwait(fd, events, n, timeout, mask)) < 0 && errno == EINTR &&
		!blocks_ours(mask) && was_ours())
		timeout = rest_of(end);
	return rc;
}

/*
 * For a signal: ours is none that the program waits for. Whether another one's handler ran can't be
 * told from ours, so ours waits: its samples come when the call ends, and are as many.
 */

AS_HOOK int sigsuspend(const sigset_t *mask)
{
	sigset_t copy = *mask;

	if (atomic_load(&as_sampler.active))
		sigaddset(&copy, as_sampler.signal);
	return as_real_sigsuspend(&copy);
}

AS_HOOK int pause(void)
{
	sigset_t now;

	as_real_pthread_sigmask(SIG_BLOCK, NULL, &now);
	return sigsuspend(&now);
}

static const sigset_t *without_ours(const sigset_t *set, sigset_t *copy)
{
	if (!atomic_load(&as_sampler.active))
		return set;
	*copy = *set;
	sigdelset(copy, as_sampler.signal);
	return copy;
}

AS_HOOK int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
	const struct timespec *restrict timeout)
{
	uint64_t end = timeout ? end_at(timeout) : 0;
	struct timespec rest;
	sigset_t copy;
	int rc;

	if (timeout)
		rest = *timeout;
	set = without_ours(set, &copy);
	before_call();
	while ((rc = as_real_sigtimedwait(set, info, timeout ? &rest : NULL)) < 0 &&
		errno == EINTR && was_ours())
		if (timeout)
			set_rest(&rest, end);
	return rc;
}

AS_HOOK int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	return sigtimedwait(set, info, NULL);
}

AS_HOOK int sigwait(const sigset_t *restrict set, int *restrict number)
{
	sigset_t copy;

	return as_real_sigwait(without_ours(set, &copy), number);
}
