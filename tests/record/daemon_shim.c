/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Preloaded into a daemon: its wall clock is off by what a page of shared memory says, the file
 * that DAEMON_SHIM names, and there it says what it is about. Ages of files stay what they are.
 *
 * Calls that change the disk are counted down, those of the daemon and those of its child: the one
 * that comes to zero kills the daemon (and what it started goes as it may), or, if the page says
 * so, the child alone. The child waits while the page says that, too.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { DAEMON, CHILD, N_ROLES };
enum { NS_PER_S = 1000000000, NS_PER_US = 1000, WAIT_US = 2000 };

/* As run_daemon_faults.py has it. */
static struct page {
	_Atomic int64_t offset;          /* of the clock, ns */
	_Atomic int64_t left[N_ROLES];   /* calls; 0: no end */
	_Atomic int64_t writes[N_ROLES]; /* a file is being written */
	_Atomic int64_t child;           /* it runs */
	_Atomic int64_t child_alone, child_waits;
} nowhere, *page = &nowhere;

static int role;

/* The real function NAME, at *F. */
static void find(void *f, const char *name)
{
	void *real = dlsym(RTLD_NEXT, name);

	memcpy(f, &real, sizeof(real));
}

__attribute__((constructor)) static void shim_open(void)
{
	const char *path = getenv("DAEMON_SHIM");
	int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
	void *at = fd < 0 ? MAP_FAILED
			  : mmap(NULL, sizeof(*page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at != MAP_FAILED)
		page = at;
	if (fd >= 0)
		close(fd);
}

static void shim_count(void)
{
	while (role == CHILD && page->child_waits)
		usleep(WAIT_US);
	if (!page->left[role] || atomic_fetch_sub(&page->left[role], 1) != 1)
		return;
	kill(role == CHILD && !page->child_alone ? getppid() : getpid(), SIGKILL);
}

/* ---- clocks ---- */

int clock_gettime(clockid_t clock, struct timespec *t)
{
	int (*real)(clockid_t, struct timespec *), rc;
	int64_t off = page->offset;

	find(&real, "clock_gettime");
	rc = real(clock, t);
	if (rc || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE))
		return rc;
	off += t->tv_nsec;
	t->tv_sec += off / NS_PER_S - (off % NS_PER_S < 0);
	t->tv_nsec = (off % NS_PER_S + NS_PER_S) % NS_PER_S;
	return rc;
}

time_t time(time_t *at)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	if (at)
		*at = t.tv_sec;
	return t.tv_sec;
}

int gettimeofday(struct timeval *restrict tv, void *restrict zone)
{
	struct timespec t;

	(void)zone;
	clock_gettime(CLOCK_REALTIME, &t);
	*tv = (struct timeval){.tv_sec = t.tv_sec, .tv_usec = t.tv_nsec / NS_PER_US};
	return 0;
}

int stat64(const char *restrict path, struct stat64 *restrict st)
{
	int (*real)(const char *, struct stat64 *), rc;

	find(&real, "stat64");
	rc = real(path, st);
	if (rc == 0)
		st->st_mtim.tv_sec += page->offset / NS_PER_S;
	return rc;
}

/* ---- the disk ---- */

static int shim_is_temporary(const char *path)
{
	const char *slash = strrchr(path, '/');

	return (slash ? slash[1] : path[0]) == '.';
}

static int shim_open_file(const char *name, const char *path, int flags, mode_t mode)
{
	int (*real)(const char *, int, ...);

	find(&real, name);
	if ((flags & O_TMPFILE & ~O_DIRECTORY) || ((flags & O_CREAT) && strstr(path, "/."))) {
		page->writes[role] = 1;
		shim_count();
	}
	return real(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	return shim_open_file("open", path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
	va_list ap;
	mode_t mode;

	va_start(ap, flags);
	mode = va_arg(ap, mode_t);
	va_end(ap);
	return shim_open_file("open64", path, flags, mode);
}

ssize_t write(int fd, const void *p, size_t n)
{
	ssize_t (*real)(int, const void *, size_t);

	find(&real, "write");
	if (page->writes[role])
		shim_count();
	return real(fd, p, n);
}

int fsync(int fd)
{
	int (*real)(int);

	find(&real, "fsync");
	shim_count();
	return real(fd);
}

int mkdir(const char *path, mode_t mode)
{
	int (*real)(const char *, mode_t);

	find(&real, "mkdir");
	shim_count();
	return real(path, mode);
}

int link(const char *from, const char *to)
{
	int (*real)(const char *, const char *);

	find(&real, "link");
	shim_count();
	return real(from, to);
}

int linkat(int from_at, const char *from, int to_at, const char *to, int flags)
{
	int (*real)(int, const char *, int, const char *, int);

	find(&real, "linkat");
	shim_count();
	return real(from_at, from, to_at, to, flags);
}

int unlink(const char *path)
{
	int (*real)(const char *), rc;

	find(&real, "unlink");
	shim_count();
	rc = real(path);
	if (shim_is_temporary(path))
		page->writes[role] = 0;
	return rc;
}

int unlinkat(int at, const char *path, int flags)
{
	int (*real)(int, const char *, int);

	find(&real, "unlinkat");
	shim_count();
	return real(at, path, flags);
}

int rename(const char *from, const char *to)
{
	int (*real)(const char *, const char *), rc;

	find(&real, "rename");
	shim_count();
	rc = real(from, to);
	if (shim_is_temporary(from))
		page->writes[role] = 0;
	return rc;
}

/* ---- the child ---- */

pid_t fork(void)
{
	pid_t (*real)(void), pid;

	find(&real, "fork");
	page->child = 1;
	pid = real();
	if (pid == 0)
		role = CHILD;
	return pid;
}

void _Exit(int status)
{
	if (role == CHILD)
		page->child = page->writes[CHILD] = 0;
	_exit(status);
}
