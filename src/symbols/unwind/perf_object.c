/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "symbols/unwind/perf_object.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static int perf_object_open_plain(const char *name, struct stat *st)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || (fstat(fd, st) == 0 && S_ISREG(st->st_mode)))
		return fd;
	close(fd);
	return -1;
}

static int perf_object_open_name(uint32_t pid, const char *path, struct stat *st)
{
	char name[PATH_MAX + 64];
	int n = snprintf(name, sizeof(name), "/proc/%" PRIu32 "/root%s", pid, path), fd;

	if (pid == AS_NO_PROCESS)
		return perf_object_open_plain(path, st);
	if (n < 0 || (size_t)n >= sizeof(name))
		return -1;
	fd = perf_object_open_plain(name, st);
	return fd >= 0 ? fd : perf_object_open_plain(path, st);
}

/* Links that lead to the file itself, whatever its name is: the first needs rights of its own. */
static int open_link(uint32_t pid, const struct as_perf_range *range)
{
	static const char deleted[] = " (deleted)";
	char name[64], exe[PATH_MAX];
	struct stat st;
	ssize_t n;
	int fd;

	snprintf(name, sizeof(name), "/proc/%" PRIu32 "/map_files/%" PRIx64 "-%" PRIx64, pid,
		range->start, range->limit);
	fd = perf_object_open_plain(name, &st);
	if (fd >= 0)
		return fd;
	snprintf(name, sizeof(name), "/proc/%" PRIu32 "/exe", pid);
	n = readlink(name, exe, sizeof(exe));
	if (n > 0 && range->deleted && as_slice_ends((struct as_slice){exe, (size_t)n}, deleted))
		n -= (ssize_t)strlen(deleted);
	if (n <= 0 || !as_slice_eq((struct as_slice){exe, (size_t)n}, range->path))
		return -1;
	return perf_object_open_plain(name, &st);
}

/*
 * Some file systems give stat(2) other numbers than maps. Where these differ the name is believed
 * nevertheless if there is no other way: the kernel says of a file that lost its name that it did.
 */
int as_object_open(uint32_t pid, const struct as_perf_range *range)
{
	struct stat st;
	int fd = perf_object_open_name(pid, range->path.p, &st), link;

	if (fd >= 0 && !range->deleted &&
		(!range->ino || (st.st_ino == range->ino && st.st_dev == range->dev)))
		return fd;
	if (!range->ino)
		return fd;
	link = open_link(pid, range);
	if (link < 0 && !range->deleted)
		return fd;
	if (fd >= 0)
		close(fd);
	return link;
}
