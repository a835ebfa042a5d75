/* SPDX-License-Identifier: Apache-2.0 */
/* Files whose names came with the input: only plain ones are opened. */
#ifndef AS_IO_PLAIN_H
#define AS_IO_PLAIN_H

#include <sys/stat.h>

#include "base/base.h"

/*
 * PATH for reading, if it is a regular file: the descriptor, and what fstat() says of it in ST. It
 * looks before it opens, as opening alone does things to some devices and waits at others, and
 * again after that. -1 with errno; EINVAL: it is something else than a file.
 */
int as_plain_open(const char *path, struct stat *st);
/* All N bytes at OFF of FD into BUF. False with errno, which is 0 where the file ends before. */
bool as_plain_read(int fd, void *buf, size_t n, uint64_t off);

#endif
