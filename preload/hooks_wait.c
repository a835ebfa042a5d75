/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that wait for some time, and for signals. A long wait is made in parts, so that a process
 * that is killed has counted nearly all of it.
 */
#undef _FILE_OFFSET_BITS
#include <errno.h>
#include <limits.h>

#include "preload/hooks.h"
#include "preload/wait.h"

#define NS_PER_S UINT64_C(1000000000)
enum { NS_PER_MS = 1000000 };

/* A wait, and what of it comes next; both in ns. */
struct parts {
	uint64_t end;  /* CLOCK_MONOTONIC; UINT64_MAX: never; 0: PART is all */
	uint64_t part; /* UINT64_MAX: for ever */
};

static struct parts wait_hook_parts_of(uint64_t time)
{
	uint64_t most = as_wait_part();

	if (time <= most)
		return (struct parts){0, time};
	return (struct parts){time == UINT64_MAX ? time : as_now() + time, most};
}

static uint64_t rest_of(const struct parts *p)
{
	uint64_t now;

	if (!p->end || p->end == UINT64_MAX)
		return p->end;
	now = as_now();
	return now < p->end ? p->end - now : 0;
}

/* A part is over without an event: false, it was the last. */
static bool wait_hook_next_part(struct parts *p)
{
	uint64_t rest = rest_of(p), most = as_wait_part();

	p->part = rest < most ? rest : most;
	return rest != 0;
}

/* From and to the forms of the calls: negative, or NULL, is for ever. */
static uint64_t from_ms(int ms)
{
	return ms < 0 ? UINT64_MAX : (uint64_t)ms * NS_PER_MS;
}

static int to_ms(uint64_t ns)
{
	return ns == UINT64_MAX ? -1 : (int)((ns + NS_PER_MS - 1) / NS_PER_MS);
}

static uint64_t from_time(const struct timespec *t)
{
	if (!t || t->tv_sec < 0 || (uint64_t)t->tv_sec > UINT64_MAX / 4 / NS_PER_S)
		return UINT64_MAX;
	return (uint64_t)t->tv_sec * NS_PER_S + (uint64_t)t->tv_nsec;
}

static struct timespec to_time(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
}

/* GIVEN, as the next part is: as it is while it is the only one, since it may not be valid. */
static const struct timespec *part_time(
	const struct parts *p, const struct timespec *given, struct timespec *room)
{
	if (!p->end)
		return given;
	*room = to_time(p->part);
	return p->part == UINT64_MAX ? NULL : room;
}

/* MASK with our signal in it: a call that waits must not let it through. */
static const sigset_t *with_ours(const sigset_t *mask, sigset_t *copy)
{
	if (!mask || !atomic_load(&as_sampler.waits))
		return mask;
	*copy = *mask;
	sigaddset(copy, as_sampler.signal);
	return copy;
}

/* NAME(ARGS) into RC, again for every part of P, which ARGS look at. */
#define IN_PARTS(p, rc, name, args)                                      \
	do {                                                             \
		struct as_wait w;                                        \
                                                                         \
		do                                                       \
			AS_WAITING(&w, AS_WAIT_ENDS, rc, name, args);    \
		while ((rc) == 0 && (p)->end && wait_hook_next_part(p)); \
	} while (0)

AS_HOOK int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	struct parts p = wait_hook_parts_of(from_ms(timeout));
	int rc;

	if (timeout == 0)
		return AS_REAL(poll)(fds, n, timeout);
	IN_PARTS(&p, rc, poll, (fds, n, to_ms(p.part)));
	return rc;
}

AS_HOOK int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room)
{
	struct parts p = wait_hook_parts_of(from_ms(timeout));
	int rc;

	if (timeout == 0)
		return AS_REAL(__poll_chk)(fds, n, timeout, room);
	IN_PARTS(&p, rc, __poll_chk, (fds, n, to_ms(p.part), room));
	return rc;
}

AS_HOOK int ppoll(
	struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
	struct parts p = wait_hook_parts_of(from_time(timeout));
	struct timespec room;
	sigset_t copy;
	int rc;

	mask = with_ours(mask, &copy);
	IN_PARTS(&p, rc, ppoll, (fds, n, part_time(&p, timeout, &room), mask));
	return rc;
}

AS_HOOK int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout,
	const sigset_t *mask, size_t size)
{
	struct parts p = wait_hook_parts_of(from_time(timeout));
	struct timespec room;
	sigset_t copy;
	int rc;

	mask = with_ours(mask, &copy);
	IN_PARTS(&p, rc, __ppoll_chk, (fds, n, part_time(&p, timeout, &room), mask, size));
	return rc;
}

AS_HOOK int epoll_wait(int fd, struct epoll_event *events, int n, int timeout)
{
	struct parts p = wait_hook_parts_of(from_ms(timeout));
	int rc;

	if (timeout == 0)
		return AS_REAL(epoll_wait)(fd, events, n, timeout);
	IN_PARTS(&p, rc, epoll_wait, (fd, events, n, to_ms(p.part)));
	return rc;
}

AS_HOOK int epoll_pwait(
	int fd, struct epoll_event *events, int n, int timeout, const sigset_t *mask)
{
	struct parts p = wait_hook_parts_of(from_ms(timeout));
	sigset_t copy;
	int rc;

	if (timeout == 0)
		return AS_REAL(epoll_pwait)(fd, events, n, timeout, mask);
	mask = with_ours(mask, &copy);
	IN_PARTS(&p, rc, epoll_pwait, (fd, events, n, to_ms(p.part), mask));
	return rc;
}

AS_HOOK int epoll_pwait2(int fd, struct epoll_event *events, int n, const struct timespec *timeout,
	const sigset_t *mask)
{
	struct parts p = wait_hook_parts_of(from_time(timeout));
	struct timespec room;
	sigset_t copy;
	int rc;

	mask = with_ours(mask, &copy);
	IN_PARTS(&p, rc, epoll_pwait2, (fd, events, n, part_time(&p, timeout, &room), mask));
	return rc;
}

/* The sets of a call, which it empties when its time is over. */
struct sets {
	fd_set *set[3];
	fd_set copy[3];
};

static void keep_sets(struct sets *s, fd_set *in, fd_set *out, fd_set *except)
{
	s->set[0] = in;
	s->set[1] = out;
	s->set[2] = except;
	for (unsigned i = 0; i < 3; i++)
		if (s->set[i])
			s->copy[i] = *s->set[i];
}

static void restore_sets(struct sets *s)
{
	for (unsigned i = 0; i < 3; i++)
		if (s->set[i])
			*s->set[i] = s->copy[i];
}

/* Larger sets than libc's are waited for in one part. */
static struct parts parts_for(int n, uint64_t time)
{
	return n <= FD_SETSIZE ? wait_hook_parts_of(time) : (struct parts){0, time};
}

/* The kernel leaves the rest of the time in TIMEOUT. */
AS_HOOK int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
	struct timeval *restrict timeout)
{
	struct timespec time = {
		timeout ? timeout->tv_sec : 0, timeout ? timeout->tv_usec * 1000 : 0};
	struct parts p = parts_for(n, from_time(timeout ? &time : NULL));
	struct timeval part;
	struct sets sets;
	struct as_wait w;
	int rc;

	if (!p.end) {
		AS_WAITING(&w, AS_WAIT_ENDS, rc, select, (n, in, out, except, timeout));
		return rc;
	}
	keep_sets(&sets, in, out, except);
	do {
		restore_sets(&sets);
		time = to_time(p.part);
		part = (struct timeval){time.tv_sec, (time.tv_nsec + 999) / 1000};
		AS_WAITING(&w, AS_WAIT_ENDS, rc, select,
			(n, in, out, except, p.part == UINT64_MAX ? NULL : &part));
	} while (rc == 0 && wait_hook_next_part(&p));
	if (timeout) {
		time = to_time(rest_of(&p));
		*timeout = (struct timeval){time.tv_sec, time.tv_nsec / 1000};
	}
	return rc;
}

AS_HOOK int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict except,
	const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
	struct parts p = parts_for(n, from_time(timeout));
	struct timespec room;
	struct sets sets;
	struct as_wait w;
	sigset_t copy;
	int rc;

	mask = with_ours(mask, &copy);
	if (!p.end) {
		AS_WAITING(&w, AS_WAIT_ENDS, rc, pselect, (n, in, out, except, timeout, mask));
		return rc;
	}
	keep_sets(&sets, in, out, except);
	do {
		restore_sets(&sets);
		AS_WAITING(&w, AS_WAIT_ENDS, rc, pselect,
			(n, in, out, except, part_time(&p, timeout, &room), mask));
	} while (rc == 0 && wait_hook_next_part(&p));
	return rc;
}

/* Timeouts by clocks that can be set, and absolute ones, are passed on unchanged. */
AS_HOOK int clock_nanosleep(
	clockid_t clock, int flags, const struct timespec *time, struct timespec *left)
{
	bool plain = flags == 0 && time && (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) &&
		     time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
	struct parts p = plain ? wait_hook_parts_of(from_time(time)) : (struct parts){0, 0};
	struct timespec room, rest = {0, 0};
	int rc;

	IN_PARTS(&p, rc, clock_nanosleep, (clock, flags, part_time(&p, time, &room), &rest));
	if (rc == EINTR && left && !(flags & TIMER_ABSTIME))
		*left = p.end ? to_time(rest_of(&p)) : rest;
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

AS_HOOK int thrd_sleep(const struct timespec *time, struct timespec *left)
{
	int rc = clock_nanosleep(CLOCK_REALTIME, 0, time, left);

	return rc == 0 ? 0 : rc == EINTR ? -1 : -2;
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

/*
 * For a signal: ours is none that the program waits for. Whether another one's handler ran can't be
 * told from ours, so ours waits: its samples come when the call ends, and are as many.
 */

static const sigset_t *wait_hook_without_ours(const sigset_t *set, sigset_t *copy)
{
	if (!atomic_load(&as_sampler.active))
		return set;
	*copy = *set;
	sigdelset(copy, as_sampler.signal);
	return copy;
}

AS_HOOK int sigsuspend(const sigset_t *mask)
{
	sigset_t copy = *mask;
	struct as_wait w;
	int rc;

	if (atomic_load(&as_sampler.active))
		sigaddset(&copy, as_sampler.signal);
	AS_WAITING(&w, AS_WAIT_ENDS, rc, sigsuspend, (&copy));
	return rc;
}

AS_HOOK int pause(void)
{
	sigset_t now;

	AS_REAL(pthread_sigmask)(SIG_BLOCK, NULL, &now);
	return sigsuspend(&now);
}

AS_HOOK int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
	const struct timespec *restrict timeout)
{
	struct as_wait w;
	sigset_t copy;
	int rc;

	set = wait_hook_without_ours(set, &copy);
	AS_WAITING(&w, AS_WAIT_ENDS, rc, sigtimedwait, (set, info, timeout));
	return rc;
}

AS_HOOK int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
	return sigtimedwait(set, info, NULL);
}

AS_HOOK int sigwait(const sigset_t *restrict set, int *restrict number)
{
	struct as_wait w;
	sigset_t copy;
	int rc;

	set = wait_hook_without_ours(set, &copy);
	AS_WAITING(&w, AS_WAIT_ENDS, rc, sigwait, (set, number));
	return rc;
}
