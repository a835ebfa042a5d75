/* SPDX-License-Identifier: Apache-2.0 */
/* What recordings of programs and of a machine share: how they begin, and how records come in. */
#ifndef AS_RECORD_PERF_SETUP_H
#define AS_RECORD_PERF_SETUP_H

#include "record/perf_event.h"
#include "record/perf_track.h"

/* The time of the records, in nanoseconds. */
uint64_t as_perf_now(void);
/* Whether copies of stacks are of use: this machine's can be unwound. */
bool as_perf_can_copy(void);
/* SET as OPTS has it, before anything is opened. */
void as_perf_describe(const struct as_perf_opts *opts, struct as_perf_set *set,
	const struct as_alloc *al, struct as_err *err);
/* The event of the profile that T makes, or its events: SET stays where it is then. */
enum as_code as_perf_add_event(struct as_perf_track *t, struct as_perf_set *set) AS_NODISCARD;
/* When it began, and that it lasted DURATION nanoseconds, until now. */
enum as_code as_perf_put_times(struct as_perf_track *t, uint64_t duration) AS_NODISCARD;
/* What TIMES say of several events: for how much of the time each was counted, where that was not
 * all, and which of them the lost samples are of. */
void as_perf_put_active(struct as_perf_track *t, const struct as_perf_times times[]);
void as_perf_put_lost(struct as_perf_track *t, const struct as_perf_times times[]);
/* All records that are not later than UNTIL. */
enum as_code as_perf_drain(struct as_perf_set *set, struct as_perf_track *t, uint64_t until)
	AS_NODISCARD;

/* In perf_all.c: the processes that run now, with their threads and mappings. */
enum as_code as_perf_track_all(struct as_perf_track *t) AS_NODISCARD;
/* The control groups that there are; none where they are not mounted. */
enum as_code as_perf_track_cgroups(struct as_perf_track *t) AS_NODISCARD;
/* Opens events of those of the caller's processes that have none; N: of so many threads. What
 * cannot be watched is left out. */
enum as_code as_perf_own_find(struct as_perf_set *set, struct as_perf_track *t, size_t *n)
	AS_NODISCARD;

#endif
