/* SPDX-License-Identifier: Apache-2.0 */
/* What each thread cost in each of so many stretches of time, of one event. */
#ifndef AS_TABLE_TIMELINE_H
#define AS_TABLE_TIMELINE_H

#include "base/err.h"
#include "model/profile.h"

struct as_timeline_row {
	uint32_t part;    /* one of those of the thread */
	uint32_t n_parts; /* how many they are */
	as_val total;     /* of the event */
};

struct as_timeline {
	const struct as_profile *prof;
	uint32_t event, n_buckets;
	int64_t start;  /* of the first bucket, nanoseconds, as those of moments */
	uint64_t width; /* of a bucket, nanoseconds; at least 1 */
	AS_VEC(struct as_timeline_row) row; /* the most expensive first */
	uint32_t *row_of;                   /* of each part: its row, from 1; 0 = none */
	as_val *bucket;                     /* n_buckets of each row */
	as_val *self;  /* what each row costs, a value per event of the profile */
	size_t n_self; /* values that there is room for */
	as_val most;   /* in a bucket */
};

/* Of PROF, which has moments. Parts without cost are in no row. T ends in as_timeline_release(),
 * also on failure. Errors: AS_E_NOMEM. */
enum as_code as_timeline_make(struct as_timeline *t, const struct as_profile *prof, uint32_t event,
	uint32_t n_buckets, struct as_err *err) AS_NODISCARD;
void as_timeline_release(struct as_timeline *t);

/* M, of the event of BUCKET, which is one of those of T or another with as many. */
void as_timeline_put(const struct as_timeline *t, as_val *bucket, const struct as_moment *m);

/* Why a thread did not run: AS_STATE. */
enum as_off { AS_OFF_WAITING, AS_OFF_RUNNABLE, AS_OFF_BLOCKED, AS_OFF_STOPPED, AS_OFF_STATES };

const char *as_off_text(enum as_off off);

/* For how many nanoseconds each row of a timeline did not run, in each of its buckets. */
struct as_timeline_off {
	const struct as_timeline *of;
	as_val *bucket; /* n_buckets of each state of each row; NULL: the source does not say it */
	size_t n;
};

/* False if out of memory. O ends in as_timeline_off_release(), also then. */
AS_NODISCARD bool as_timeline_off_make(struct as_timeline_off *o, const struct as_timeline *t);
void as_timeline_off_release(struct as_timeline_off *o);

static inline as_val as_timeline_off(
	const struct as_timeline_off *o, size_t row, enum as_off off, uint32_t bucket)
{
	return o->bucket[(row * AS_OFF_STATES + off) * o->of->n_buckets + bucket];
}

static inline const as_val *as_timeline_buckets(const struct as_timeline *t, size_t row)
{
	return t->bucket + row * t->n_buckets;
}

static inline const as_val *as_timeline_self(const struct as_timeline *t, size_t row)
{
	return t->self + row * as_n_events(t->prof);
}

#endif
