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
