/* SPDX-License-Identifier: Apache-2.0 */
/* A program that waits until it is let go. */
#ifndef AS_RECORD_PERF_START_H
#define AS_RECORD_PERF_START_H

#include <sys/types.h>

#include "base/err.h"

struct as_start {
	pid_t pid;
	int go, failed; /* what it waits for, and what it tells; -1: closed */
};

/* SIGPIPE is ignored in it with NO_SIGPIPE, and ends it else. */
enum as_code as_start_prepare(
	struct as_start *s, char *const *argv, bool no_sigpipe, struct as_err *err) AS_NODISCARD;
/* It executes the program now. Fails if there is no such program. */
enum as_code as_start_go(struct as_start *s, const char *name, struct as_err *err) AS_NODISCARD;
/* It never will. */
void as_start_cancel(struct as_start *s);

#endif
