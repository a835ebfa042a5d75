/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System calls that are safe in a signal handler: no cancellation point, no lock, no allocation,
 * errno left alone. What they return is the kernel's answer: negative is an error's number.
 * libc's syscall() is not used, because the library interposes it (hooks_sandbox.c).
 */
#ifndef AS_PRELOAD_RAW_H
#define AS_PRELOAD_RAW_H

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#if !defined(__x86_64__) || !defined(__linux__)
#error "the in-process sampler is written for Linux on x86-64"
#endif

static inline long as_raw(long number, long a, long b, long c, long d, long e, long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long answer;

	__asm__ volatile("syscall"
			 : "=a"(answer)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return answer;
}

static inline long as_raw3(long number, long a, long b, long c)
{
	return as_raw(number, a, b, c, 0, 0, 0);
}

/* The kernel's answer as libc gives it. */
static inline long as_raw_result(long answer)
{
	if (answer >= 0 || answer < -4095)
		return answer;
	errno = (int)-answer;
	return -1;
}

static inline int as_raw_open(const char *path, int flags, unsigned mode)
{
	return (int)as_raw(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC, mode, 0, 0);
}

static inline void as_raw_close(int fd)
{
	as_raw3(SYS_close, fd, 0, 0);
}

static inline long as_raw_read(int fd, void *p, size_t n)
{
	return as_raw3(SYS_read, fd, (long)p, (long)n);
}

static inline int as_raw_tid(void)
{
	return (int)as_raw3(SYS_gettid, 0, 0, 0);
}

static inline int as_raw_pid(void)
{
	return (int)as_raw3(SYS_getpid, 0, 0, 0);
}

/* Sleeps while *WORD is VALUE; or wakes one that does. */
static inline void as_raw_wait(_Atomic int *word, int value)
{
	as_raw(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, value, 0, 0, 0);
}

static inline void as_raw_wake(_Atomic int *word)
{
	as_raw(SYS_futex, (long)word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/* A moment in which others get on. sched_yield() gives them none: a thread that calls it again and
 * again may be the only one that runs for a minute, or not run for one. */
static inline void as_raw_nap(void)
{
	struct timespec moment = {0, 50000};

	as_raw3(SYS_nanosleep, (long)&moment, 0, 0);
}

static inline uint64_t as_raw_clock(clockid_t clock)
{
	struct timespec t = {0, 0};

	as_raw3(SYS_clock_gettime, clock, (long)&t, 0);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* NULL: there is no room. */
static inline void *as_raw_map(size_t n, int flags, int fd)
{
	long p = as_raw(SYS_mmap, 0, (long)n, PROT_READ | PROT_WRITE, flags, fd, 0);

	return p < 0 && p > -4096 ? NULL : (void *)p;
}

/* Zeroed pages that cost nothing until they are touched; NULL: there is no room. */
static inline void *as_raw_memory(size_t n)
{
	return as_raw_map(n, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

static inline void as_raw_unmap(void *p, size_t n)
{
	as_raw3(SYS_munmap, (long)p, (long)n, 0);
}

/* The limit of a resource; UINT64_MAX: there is none. */
static inline uint64_t as_limit(int resource)
{
	struct rlimit limit;

	if (as_raw3(SYS_getrlimit, resource, (long)&limit, 0) < 0 ||
		limit.rlim_cur == RLIM_INFINITY)
		return UINT64_MAX;
	return limit.rlim_cur;
}

/* Zeroes private memory without a file: whole pages go back to the kernel, which costs less than
 * to touch them. */
static inline void as_raw_clear(void *p, size_t n)
{
	uintptr_t at = (uintptr_t)p, end = at + n;
	uintptr_t lo = (at + 4095) & ~(uintptr_t)4095, hi = end & ~(uintptr_t)4095;

	if (lo >= hi || as_raw3(SYS_madvise, (long)lo, (long)(hi - lo), MADV_DONTNEED) != 0) {
		memset(p, 0, n); /* locked into memory, for instance */
		return;
	}
	memset(p, 0, lo - at);
	memset((char *)p + (hi - at), 0, end - hi);
}

/* Blocks every signal of this thread; OLD is for as_raw_unblock(). */
static inline void as_raw_block(uint64_t *old)
{
	uint64_t all = ~UINT64_C(0);

	as_raw(SYS_rt_sigprocmask, SIG_BLOCK, (long)&all, (long)old, sizeof(all), 0, 0);
}

static inline void as_raw_unblock(const uint64_t *old)
{
	as_raw(SYS_rt_sigprocmask, SIG_SETMASK, (long)old, 0, sizeof(*old), 0, 0);
}

#endif
