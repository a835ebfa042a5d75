/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When samples were taken, for a profile that keeps moments (as_build.keep_moments). What a sample
 * stands for beyond itself, because the kernel counted more time than it sampled, is of the same
 * moment; what has no sample is of the moment at which it was told: the end of its thread, or the
 * record that says how many are lost.
 */
#ifndef AS_RECORD_PERF_WHEN_H
#define AS_RECORD_PERF_WHEN_H

#include "record/perf_track.h"

/* Rows of as_perf_when that are no sample's. */
#define AS_PERF_WHEN_UNSAMPLED UINT32_MAX
#define AS_PERF_WHEN_LOST(column) (UINT32_MAX - 1 - (column))

/* That N of ROW, which is a sample's or one of the above, were AT that time; where nobody wants to
 * know, nothing is done. */
static inline enum as_code as_perf_when_note(
	struct as_perf_track *t, uint32_t row, uint64_t at, uint64_t n)
{
	struct as_perf_when one = {.at = at, .n = n, .row = row};

	if (!t->out->keep_moments || as_vec_push(t->al, &t->when, one))
		return AS_OK;
	return as_err_no_memory(t->err);
}

/* The moments of all samples, which have what they were GIVEN. */
enum as_code as_perf_when_put(struct as_perf_track *t) AS_NODISCARD;
/* The moments of what is noted as ROW, which N in all of NODE are. */
enum as_code as_perf_when_put_row(struct as_perf_track *t, uint32_t row,
	const struct as_moment *like, uint64_t n) AS_NODISCARD;
/* Moments are counted from START on, or from the first of them if that is earlier. */
void as_perf_when_begin(struct as_perf_track *t, uint64_t start);

#endif
