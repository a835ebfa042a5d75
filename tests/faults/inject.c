/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into the program: the FAULT_AT-th call of FAULT_CALL fails with the errno FAULT_ERRNO,
 * and, with FAULT_EVER, all after it. FAULT_COUNT names a file that gets how many calls there were.
 * FAULT_SHORT=1: whatever reads or writes does a third of it; FAULT_SHORT=2: each other time it is
 * interrupted.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

/* The real function NAME. */
static void *real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

static int fails(const char *name)
{
	const char *wanted = getenv("FAULT_CALL"), *at = getenv("FAULT_AT");
	const char *number = getenv("FAULT_ERRNO");
	long n;

	if (!wanted || strcmp(wanted, name) != 0)
		return 0;
	n = atomic_fetch_add(&calls, 1) + 1;
	if (!at || n < atol(at) || (n > atol(at) && !getenv("FAULT_EVER")))
		return 0;
	errno = number ? atoi(number) : EIO;
	return 1;
}

/* How much of N bytes is done; false: it was interrupted. */
static int part(size_t *n)
{
	static atomic_uint turn;
	const char *how = getenv("FAULT_SHORT");

	if (!how)
		return 1;
	if (*how == '1' && *n > 1)
		*n = 1 + *n / 3;
	if (*how == '1' || atomic_fetch_add(&turn, 1) % 2)
		return 1;
	errno = EINTR;
	return 0;
}

__attribute__((destructor)) static void tell(void)
{
	const char *path = getenv("FAULT_COUNT");
	int (*open_real)(const char *, int, ...) = (int (*)(const char *, int, ...))real("open");
	ssize_t (*write_real)(int, const void *, size_t) =
		(ssize_t(*)(int, const void *, size_t))real("write");
	char text[32];
	int fd;

	if (!path)
		return;
	fd = open_real(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	snprintf(text, sizeof(text), "%ld", (long)calls);
	if (fd >= 0 && write_real(fd, text, strlen(text)) > 0)
		close(fd);
}

#define CALL(result, name, wrong, params, args)                       \
	result name params                                            \
	{                                                             \
		result(*next) params = (result(*) params)real(#name); \
                                                                      \
		return fails(#name) ? (wrong) : next args;            \
	}

#define MOVE(name, params, args)                                        \
	ssize_t name params                                             \
	{                                                               \
		ssize_t(*next) params = (ssize_t(*) params)real(#name); \
                                                                        \
		return fails(#name) || !part(&n) ? -1 : next args;      \
	}

MOVE(write, (int fd, const void *p, size_t n), (fd, p, n))
MOVE(read, (int fd, void *p, size_t n), (fd, p, n))
MOVE(pread, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
MOVE(pread64, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
CALL(int, fsync, -1, (int fd), (fd))
CALL(int, rename, -1, (const char *a, const char *b), (a, b))
CALL(int, link, -1, (const char *a, const char *b), (a, b))
CALL(int, linkat, -1, (int d, const char *a, int e, const char *b, int how), (d, a, e, b, how))
CALL(int, mkdir, -1, (const char *a, mode_t mode), (a, mode))
CALL(DIR *, opendir, NULL, (const char *a), (a))
CALL(int, unlink, -1, (const char *a), (a))
CALL(int, access, -1, (const char *a, int how), (a, how))
CALL(int, stat64, -1, (const char *a, struct stat64 *st), (a, st))
CALL(int, fstat64, -1, (int fd, struct stat64 *st), (fd, st))
CALL(int, fstatat64, -1, (int d, const char *a, struct stat64 *st, int how), (d, a, st, how))
CALL(ssize_t, readlinkat, -1, (int d, const char *a, char *p, size_t n), (d, a, p, n))
CALL(off_t, lseek64, -1, (int fd, off_t at, int how), (fd, at, how))
CALL(int, fchmod, -1, (int fd, mode_t mode), (fd, mode))
CALL(void *, mmap, MAP_FAILED, (void *p, size_t n, int prot, int flags, int fd, off_t at),
	(p, n, prot, flags, fd, at))
CALL(void *, mmap64, MAP_FAILED, (void *p, size_t n, int prot, int flags, int fd, off_t at),
	(p, n, prot, flags, fd, at))

/* It is closed all the same, as close(2) says. */
int close(int fd)
{
	int (*next)(int) = (int (*)(int))real("close");
	int failed = fails("close"), saved = errno, rc = next(fd);

	errno = failed ? saved : errno;
	return failed ? -1 : rc;
}

static mode_t mode_of(int flags, va_list ap)
{
	return flags & (O_CREAT | O_TMPFILE) ? (mode_t)va_arg(ap, int) : 0;
}

int open(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))real("open");
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	return fails("open") ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	int (*next)(const char *, int, ...) = (int (*)(const char *, int, ...))real("open64");
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = mode_of(flags, ap);
	va_end(ap);
	return fails("open") ? -1 : next(path, flags, mode);
}
