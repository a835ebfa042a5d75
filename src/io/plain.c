/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/plain.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int as_plain_open(const char *path, struct stat *st)
{
	int fd;

	if (stat(path, st))
		return -1;
	errno = EINVAL;
	if (!S_ISREG(st->st_mode))
		return -1;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0 || (fstat(fd, st) == 0 && S_ISREG(st->st_mode)))
		return fd;
	close(fd);
	errno = EINVAL;
	return -1;
}

bool as_plain_read(int fd, void *buf, size_t n, uint64_t off)
{
	for (size_t at = 0; at < n;) {
		ssize_t got = pread(fd, (char *)buf + at, n - at, (off_t)(off + at));

		if (got < 0 && errno == EINTR)
			continue;
		if (got == 0)
			errno = 0;
		if (got <= 0)
			return false;
		at += (size_t)got;
	}
	return true;
}
