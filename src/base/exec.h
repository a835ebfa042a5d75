/* SPDX-License-Identifier: Apache-2.0 */
/* Work for several threads. The host makes them: core only says what can be done side by side. */
#ifndef AS_BASE_EXEC_H
#define AS_BASE_EXEC_H

#include "base/base.h"

/* Runs TASK(arg, i) for i in [0, n), possibly at the same time; returns when all are done. */
struct as_exec {
	void (*run)(struct as_exec *ex, void (*task)(void *arg, unsigned i), void *arg, unsigned n);
	unsigned jobs; /* how many run at the same time */
};

/* Whether EX runs several tasks at the same time; NULL does not. In the page, which has no threads,
 * this is always false. */
static inline bool as_exec_is_team(const struct as_exec *ex)
{
#ifdef AS_NO_THREADS
	(void)ex;
	return false;
#else
	return ex && ex->jobs > 1;
#endif
}

#endif
