/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into the program: the FAULT_AT-th call of FAULT_CALL fails with the errno FAULT_ERRNO,
 * and, with FAULT_EVER, all after it. FAULT_COUNT names a file that gets how many calls there were.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
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

CALL(ssize_t, write, -1, (int fd, const void *p, size_t n), (fd, p, n))
CALL(ssize_t, read, -1, (int fd, void *p, size_t n), (fd, p, n))
CALL(ssize_t, pread, -1, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
CALL(ssize_t, pread64, -1, (int fd, void *p, size_t n, off_t at), (fd, p, n, at))
CALL(int, fsync, -1, (int fd), (fd))
CALL(int, rename, -1, (const char *a, const char *b), (a, b))
CALL(int, link, -1, (const char *a, const char *b), (a, b))
CALL(int, linkat, -1, (int d, const char *a, int e, const char *b, int how), (d, a, e, b, how))
CALL(int, fchmod, -1, (int fd, mode_t mode), (fd, mode))
CALL(void *, mmap, MAP_FAILED, (void *p, size_t n, int prot, int flags, int fd, off_t at),
	(p, n, prot, flags, fd, at))
CALL(void *, mmap64, MAP_FAILED, (void *p, size_t n, int prot, int flags, int fd, off_t at),
	(p, n, prot, flags, fd, at))

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
