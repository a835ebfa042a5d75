/* SPDX-License-Identifier: Apache-2.0 */
/* How many samples of each thread there should be, by the CPU time that the kernel counted. */
#ifndef AS_RECORD_PERF_WEIGH_H
#define AS_RECORD_PERF_WEIGH_H

#include "record/perf_track.h"

struct as_perf_weighed {
	uint64_t samples, unsampled, spread, lost;
};

struct as_perf_counted {
	uint64_t period_ns; /* 0: samples are worth what they say, nothing is added */
	uint64_t total_ns;  /* of all threads, those that ended too; 0: it can't be compared */
	/* what a thread lacks is of the same code as what it has; else it is unsampled */
	bool spread;
	/* samples may be more than the total by chance: then some are left out, evenly */
	bool thin;
};

/* Gives all samples of T to its profile. */
enum as_code as_perf_weigh(struct as_perf_track *t, const struct as_perf_counted *counted,
	struct as_perf_weighed *out) AS_NODISCARD;

#endif
