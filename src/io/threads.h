/* SPDX-License-Identifier: Apache-2.0 */
/* Several things at the same time. Threads exist only while run() is at work. */
#ifndef AS_IO_THREADS_H
#define AS_IO_THREADS_H

#include "base/base.h"

/*
 * Run TASK(ARG, i) for i in [0, N) on up to JOBS threads, the caller's among them.
 * When a thread cannot be made, the others do its work.
 */
void as_threads_run(unsigned jobs, void (*task)(void *arg, unsigned i), void *arg, unsigned n);

/* Processors that this process may use, at least 1. */
unsigned as_cpu_count(void);

#endif
