/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Calls that wait for others. What they return must not tell of our signal: no EINTR, no short
 * count. Those that the kernel takes up again go on; of the others it is kept away.
 */
#undef _FILE_OFFSET_BITS /* or one name would stand for the other */
#include <errno.h>

#include "preload/hooks.h"
#include "preload/wait.h"

enum { GIVEN = 64 };

/* A socket has a time limit: calls that wait for it can't be taken up again. */
static _Atomic int limits;

static enum as_wait_kind guard_reading(void)
{
	return atomic_load_explicit(&limits, memory_order_relaxed) ? AS_WAIT_ENDS : AS_WAIT_GOES_ON;
}

static enum as_wait_kind guard_receiving(int flags)
{
	return flags & MSG_WAITALL ? AS_WAIT_ENDS : guard_reading();
}

static bool is_limit(int name)
{
	return name == SO_RCVTIMEO_OLD || name == SO_RCVTIMEO_NEW || name == SO_SNDTIMEO_OLD ||
	       name == SO_SNDTIMEO_NEW;
}

void as_wait_set_limit(int level, int name)
{
	if (level == SOL_SOCKET && is_limit(name))
		atomic_store(&limits, 1);
}

/* Those that the program was given. */
void as_wait_look(void)
{
	for (int fd = 0; fd < GIVEN; fd++) {
		struct timeval t = {0, 0};
		socklen_t n = sizeof(t);

		if (as_raw(SYS_getsockopt, fd, SOL_SOCKET, SO_RCVTIMEO_OLD, (long)&t, (long)&n,
			    0) == 0 &&
			(t.tv_sec || t.tv_usec))
			atomic_store(&limits, 1);
	}
}

AS_HOOK int setsockopt(int fd, int level, int name, const void *value, socklen_t n)
{
	as_wait_set_limit(level, name);
	return AS_REAL(setsockopt)(fd, level, name, value, n);
}

#define GUARD(type, name, params, args, kind)         \
	AS_HOOK type name params                      \
	{                                             \
		struct as_wait w;                     \
		type rc;                              \
                                                      \
		AS_WAITING(&w, kind, rc, name, args); \
		return rc;                            \
	}

/* Descriptors: what is read may stop at any byte, what is written must not. */
GUARD(ssize_t, read, (int fd, void *p, size_t n), (fd, p, n), guard_reading())
GUARD(ssize_t, __read_chk, (int fd, void *p, size_t n, size_t room), (fd, p, n, room),
	guard_reading())
GUARD(ssize_t, readv, (int fd, const struct iovec *v, int n), (fd, v, n), guard_reading())
GUARD(ssize_t, write, (int fd, const void *p, size_t n), (fd, p, n), AS_WAIT_ENDS)
GUARD(ssize_t, writev, (int fd, const struct iovec *v, int n), (fd, v, n), AS_WAIT_ENDS)
GUARD(ssize_t, sendfile, (int to, int from, off_t *at, size_t n), (to, from, at, n), AS_WAIT_ENDS)
GUARD(ssize_t, sendfile64, (int to, int from, off64_t *at, size_t n), (to, from, at, n),
	AS_WAIT_ENDS)
GUARD(ssize_t, splice,
	(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags),
	(from, from_at, to, to_at, n, flags), AS_WAIT_ENDS)
GUARD(ssize_t, tee, (int from, int to, size_t n, unsigned flags), (from, to, n, flags),
	AS_WAIT_ENDS)
GUARD(ssize_t, vmsplice, (int fd, const struct iovec *v, size_t n, unsigned flags),
	(fd, v, n, flags), AS_WAIT_ENDS)
GUARD(ssize_t, copy_file_range,
	(int from, off64_t *from_at, int to, off64_t *to_at, size_t n, unsigned flags),
	(from, from_at, to, to_at, n, flags), AS_WAIT_ENDS)
GUARD(int, fallocate, (int fd, int mode, off_t at, off_t n), (fd, mode, at, n), AS_WAIT_ENDS)
GUARD(int, fallocate64, (int fd, int mode, off64_t at, off64_t n), (fd, mode, at, n), AS_WAIT_ENDS)
GUARD(int, posix_fallocate, (int fd, off_t at, off_t n), (fd, at, n), AS_WAIT_ENDS)
GUARD(int, posix_fallocate64, (int fd, off64_t at, off64_t n), (fd, at, n), AS_WAIT_ENDS)
GUARD(ssize_t, getrandom, (void *p, size_t n, unsigned flags), (p, n, flags), AS_WAIT_ENDS)
GUARD(int, aio_suspend, (const struct aiocb *const list[], int n, const struct timespec *timeout),
	(list, n, timeout), AS_WAIT_ENDS)
GUARD(int, aio_suspend64,
	(const struct aiocb64 *const list[], int n, const struct timespec *timeout),
	(list, n, timeout), AS_WAIT_ENDS)

/* Sockets. */
GUARD(ssize_t, recv, (int fd, void *p, size_t n, int flags), (fd, p, n, flags),
	guard_receiving(flags))
GUARD(ssize_t, __recv_chk, (int fd, void *p, size_t n, size_t room, int flags),
	(fd, p, n, room, flags), guard_receiving(flags))
GUARD(ssize_t, recvfrom,
	(int fd, void *restrict p, size_t n, int flags, __SOCKADDR_ARG from,
		socklen_t *restrict n_from),
	(fd, p, n, flags, from, n_from), guard_receiving(flags))
GUARD(ssize_t, __recvfrom_chk,
	(int fd, void *restrict p, size_t n, size_t room, int flags, __SOCKADDR_ARG from,
		socklen_t *restrict n_from),
	(fd, p, n, room, flags, from, n_from), guard_receiving(flags))
GUARD(ssize_t, recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags),
	guard_receiving(flags))
GUARD(int, recvmmsg, (int fd, struct mmsghdr *m, unsigned n, int flags, struct timespec *timeout),
	(fd, m, n, flags, timeout), AS_WAIT_ENDS)
GUARD(ssize_t, send, (int fd, const void *p, size_t n, int flags), (fd, p, n, flags), AS_WAIT_ENDS)
GUARD(ssize_t, sendto,
	(int fd, const void *p, size_t n, int flags, __CONST_SOCKADDR_ARG to, socklen_t n_to),
	(fd, p, n, flags, to, n_to), AS_WAIT_ENDS)
GUARD(ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags), AS_WAIT_ENDS)
GUARD(int, sendmmsg, (int fd, struct mmsghdr *m, unsigned n, int flags), (fd, m, n, flags),
	AS_WAIT_ENDS)
GUARD(int, accept, (int fd, __SOCKADDR_ARG a, socklen_t *restrict n), (fd, a, n), guard_reading())
GUARD(int, accept4, (int fd, __SOCKADDR_ARG a, socklen_t *restrict n, int flags), (fd, a, n, flags),
	guard_reading())
GUARD(int, connect, (int fd, __CONST_SOCKADDR_ARG a, socklen_t n), (fd, a, n), AS_WAIT_ENDS)

/* System V's queues and semaphores. */
GUARD(ssize_t, msgrcv, (int q, void *p, size_t n, long type, int flags), (q, p, n, type, flags),
	AS_WAIT_ENDS)
GUARD(int, msgsnd, (int q, const void *p, size_t n, int flags), (q, p, n, flags), AS_WAIT_ENDS)
GUARD(int, semop, (int s, struct sembuf *op, size_t n), (s, op, n), AS_WAIT_ENDS)
GUARD(int, semtimedop, (int s, struct sembuf *op, size_t n, const struct timespec *timeout),
	(s, op, n, timeout), AS_WAIT_ENDS)

/* Threads and processes. */
GUARD(int, sem_wait, (sem_t * s), (s), AS_WAIT_GOES_ON)
GUARD(int, sem_timedwait, (sem_t *restrict s, const struct timespec *restrict end), (s, end),
	AS_WAIT_ENDS)
GUARD(int, sem_clockwait, (sem_t *restrict s, clockid_t clock, const struct timespec *restrict end),
	(s, clock, end), AS_WAIT_ENDS)
GUARD(int, pthread_cond_wait, (pthread_cond_t *restrict c, pthread_mutex_t *restrict m), (c, m),
	AS_WAIT_GOES_ON)
GUARD(int, pthread_cond_timedwait,
	(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
		const struct timespec *restrict end),
	(c, m, end), AS_WAIT_GOES_ON)
GUARD(int, pthread_cond_clockwait,
	(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
		const struct timespec *restrict end),
	(c, m, clock, end), AS_WAIT_GOES_ON)
GUARD(int, cnd_wait, (cnd_t * c, mtx_t *m), (c, m), AS_WAIT_GOES_ON)
GUARD(int, cnd_timedwait,
	(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict end), (c, m, end),
	AS_WAIT_GOES_ON)
GUARD(int, pthread_join, (pthread_t t, void **value), (t, value), AS_WAIT_GOES_ON)
GUARD(int, thrd_join, (thrd_t t, int *value), (t, value), AS_WAIT_GOES_ON)
GUARD(pid_t, wait, (int *status), (status), AS_WAIT_GOES_ON)
GUARD(pid_t, wait3, (int *status, int flags, struct rusage *use), (status, flags, use),
	AS_WAIT_GOES_ON)
GUARD(pid_t, wait4, (pid_t pid, int *status, int flags, struct rusage *use),
	(pid, status, flags, use), AS_WAIT_GOES_ON)
GUARD(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int flags), (type, id, info, flags),
	AS_WAIT_GOES_ON)
GUARD(pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags), AS_WAIT_GOES_ON)
