/* SPDX-License-Identifier: Apache-2.0 */
/* The files that a process has mapped, which need not be those that have their names by now. */
#ifndef AS_SYMBOLS_UNWIND_PERF_OBJECT_H
#define AS_SYMBOLS_UNWIND_PERF_OBJECT_H

#include "perf/perf_space.h"

enum { AS_NO_PROCESS }; /* a file's own name is all there is */

/*
 * The file that process PID has at RANGE, to be read; -1: it can't be had. Its name is followed as
 * the process sees it, which may have another root; a file that was replaced is had by the kernel's
 * own ways to it, where the caller may go them.
 */
int as_object_open(uint32_t pid, const struct as_perf_range *range);

#endif
