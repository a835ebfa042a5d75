/* SPDX-License-Identifier: Apache-2.0 */
/* Why perf_event_open(2) was refused, and what can be done about it. */
#ifndef AS_RECORD_PERF_WHY_H
#define AS_RECORD_PERF_WHY_H

#include <sys/types.h>

#include "base/err.h"

/* /proc/sys/kernel/perf_event_paranoid; INT_MAX if it can't be read. */
int as_perf_paranoid(void);
/* 0, or why this process may not have an event of that kind: of itself, or of all that processor 0
 * does. */
int as_perf_try(uint32_t type, uint64_t config, bool whole_cpu);
/* Likewise of its own switches, which the kernel does for it. */
int as_perf_try_switches(void);

/* REASON is an errno; PID 0: of all processes. Both return a failure. */
enum as_code as_perf_why(struct as_err *err, int reason, pid_t pid);
enum as_code as_perf_why_ring(struct as_err *err, int reason);

#endif
