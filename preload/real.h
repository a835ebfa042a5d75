/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that this library stands in front of. */
#ifndef AS_PRELOAD_REAL_H
#define AS_PRELOAD_REAL_H

#include <aio.h>
#include <fcntl.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/msg.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Of the unwinder. */
struct _Unwind_Context;
uintptr_t _Unwind_GetCFA(struct _Unwind_Context *context);
void _Unwind_SetIP(struct _Unwind_Context *context, uintptr_t ip);

/* Functions that programs compiled with _FORTIFY_SOURCE call. */
int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room);
int __ppoll_chk(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask,
	size_t room);
void __longjmp_chk(struct __jmp_buf_tag env[1], int value) __attribute__((noreturn));
ssize_t __read_chk(int fd, void *p, size_t n, size_t room);
ssize_t __recv_chk(int fd, void *p, size_t n, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *restrict p, size_t n, size_t room, int flags,
	__SOCKADDR_ARG from, socklen_t *restrict n_from);

/* X(name): each of them. */
#define AS_REALS(X)               \
	X(_Unwind_GetCFA)         \
	X(_Unwind_SetIP)          \
	X(__longjmp_chk)          \
	X(__poll_chk)             \
	X(__ppoll_chk)            \
	X(__read_chk)             \
	X(__recv_chk)             \
	X(__recvfrom_chk)         \
	X(_longjmp)               \
	X(accept)                 \
	X(accept4)                \
	X(aio_suspend)            \
	X(aio_suspend64)          \
	X(clock_gettime)          \
	X(clock_nanosleep)        \
	X(cnd_timedwait)          \
	X(cnd_wait)               \
	X(connect)                \
	X(copy_file_range)        \
	X(dlclose)                \
	X(epoll_pwait)            \
	X(epoll_pwait2)           \
	X(epoll_wait)             \
	X(fallocate)              \
	X(fallocate64)            \
	X(getrandom)              \
	X(longjmp)                \
	X(msgrcv)                 \
	X(msgsnd)                 \
	X(poll)                   \
	X(posix_fallocate)        \
	X(posix_fallocate64)      \
	X(ppoll)                  \
	X(pselect)                \
	X(pthread_cond_clockwait) \
	X(pthread_cond_timedwait) \
	X(pthread_cond_wait)      \
	X(pthread_create)         \
	X(pthread_join)           \
	X(pthread_sigmask)        \
	X(read)                   \
	X(readv)                  \
	X(recv)                   \
	X(recvfrom)               \
	X(recvmmsg)               \
	X(recvmsg)                \
	X(select)                 \
	X(sem_clockwait)          \
	X(sem_timedwait)          \
	X(sem_wait)               \
	X(semop)                  \
	X(semtimedop)             \
	X(send)                   \
	X(sendfile)               \
	X(sendfile64)             \
	X(sendmmsg)               \
	X(sendmsg)                \
	X(sendto)                 \
	X(setsockopt)             \
	X(sigaction)              \
	X(siglongjmp)             \
	X(sigsuspend)             \
	X(sigtimedwait)           \
	X(sigwait)                \
	X(splice)                 \
	X(syscall)                \
	X(tee)                    \
	X(thrd_create)            \
	X(thrd_join)              \
	X(vmsplice)               \
	X(wait)                   \
	X(wait3)                  \
	X(wait4)                  \
	X(waitid)                 \
	X(waitpid)                \
	X(write)                  \
	X(writev)

enum as_real {
#define AS_REAL_NAME(name) AS_REAL_##name,
	AS_REALS(AS_REAL_NAME)
#undef AS_REAL_NAME
		AS_REAL_COUNT
};

/* Where libc's own one is; NULL: it has none. The first time it is looked up, which is nothing for
 * a signal handler: as_real_ready() looks for all. */
void *as_real(enum as_real which);
void as_real_ready(void);

/* ns of CLOCK_MONOTONIC, without a system call. */
uint64_t as_now(void);

/* libc's own NAME, to be called. C has no cast from an object's pointer to a function's. */
#define AS_REAL(name)                     \
	(((union {                        \
		void *p;                  \
		__typeof__(&(name)) f;    \
	}){.p = as_real(AS_REAL_##name)}) \
			.f)

#endif
