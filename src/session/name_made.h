/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names for code that processes of this machine have made at run time, while they run. Its
 * addresses mean something within its process alone, which may tell them in a file perf-PID.map.
 */
#ifndef AS_SESSION_NAME_MADE_H
#define AS_SESSION_NAME_MADE_H

#include "base/err.h"
#include "model/profile.h"

/* A process as it was found: whose map will be its own. */
struct as_made_by {
	uint64_t pid, inner; /* its number; that in its own namespace */
	uint64_t user;
	int64_t began; /* wall clock, seconds */
	bool here;     /* its /tmp is ours */
};

/* False: process PID is gone. */
bool as_made_look(uint64_t pid, struct as_made_by *by);

/* *PROF is what is running here, or has just run: code of processes that have a map becomes
 * functions, and then labels alone say whose samples are. A process that is gone and none of the N
 * of BY, or a map that is not the process's own, names nothing. */
enum as_code as_name_made_code(struct as_profile **prof, const struct as_made_by *by, size_t n,
	struct as_err *err) AS_NODISCARD;

#endif
