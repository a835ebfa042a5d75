/* SPDX-License-Identifier: Apache-2.0 */
/* Records of all processors in the order of time. No system call here. */
#ifndef AS_RECORD_PERF_MERGE_H
#define AS_RECORD_PERF_MERGE_H

#include "record/perf_event.h"

typedef enum as_code as_perf_take_fn(void *ctx, const struct as_perf_rec *rec);

/* All that are not later than UNTIL. Records that are no such are counted as the ring's damage. */
enum as_code as_perf_rings_merge(
	struct as_perf_set *set, uint64_t until, as_perf_take_fn *take, void *ctx) AS_NODISCARD;

/* Whether thread TID was made by one that had events: the kernel has told of it. */
bool as_perf_rings_tell(struct as_perf_set *set, uint32_t tid);

#endif
