/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that this library stands in front of. */
#ifndef AS_PRELOAD_REAL_H
#define AS_PRELOAD_REAL_H

#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <time.h>

int as_real_sigaction(int number, const struct sigaction *act, struct sigaction *old);
int as_real_pthread_create(
	pthread_t *thread, const pthread_attr_t *attr, void *(*routine)(void *), void *arg);
int as_real_thrd_create(thrd_t *thread, thrd_start_t routine, void *arg);
int as_real_dlclose(void *handle);
int as_real_pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
int as_real_poll(struct pollfd *fds, nfds_t n, int timeout);
int as_real_epoll_wait(int fd, struct epoll_event *events, int n, int timeout);
int as_real_select(int n, fd_set *in, fd_set *out, fd_set *except, struct timeval *timeout);
int as_real_ppoll(
	struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask);
int as_real_pselect(int n, fd_set *in, fd_set *out, fd_set *except, const struct timespec *timeout,
	const sigset_t *mask);
int as_real_epoll_pwait(
	int fd, struct epoll_event *events, int n, int timeout, const sigset_t *mask);
int as_real_sigsuspend(const sigset_t *mask);
int as_real_sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout);
int as_real_sigwait(const sigset_t *set, int *number);
int as_real_clock_nanosleep(
	clockid_t clock, int flags, const struct timespec *time, struct timespec *left);

#endif
