/* SPDX-License-Identifier: Apache-2.0 */
/* Times along a picture: lines with what stands at them. */
#ifndef AS_PICTURE_TIME_AXIS_H
#define AS_PICTURE_TIME_AXIS_H

#include "base/arena.h"
#include "io/out.h"
#include "table/timeline.h"

/* What a picture shows: so many nanoseconds, from START after the beginning on. */
struct as_time_span {
	int64_t start;
	uint64_t span;
};

/* Where, in pixels; Y is that of the line above the first lane, and the times stand over it. */
struct as_time_axis_at {
	unsigned x, y, width;
	uint64_t height;
};

/* "2.50s", "120.00ms": with a digit before the point. */
struct as_slice as_time_text(struct as_arena *ar, as_val ns);
/* "120.00ms from 2.50s on": WIDTH nanoseconds from AT after the beginning on. */
struct as_slice as_time_stretch(struct as_arena *ar, as_val at, uint64_t width);
/* A group of the class "axis", which the caller ends. */
void as_time_axis(
	struct as_out *out, struct as_arena *ar, struct as_time_span of, struct as_time_axis_at at);
/* Of each stretch of time of OFF's timeline the share in which its ROW did not run, by why; of
 * parts that ran together, of all. AT is where the band is. */
void as_time_off(struct as_out *out, struct as_arena *ar, const struct as_timeline_off *off,
	size_t row, struct as_time_span of, struct as_time_axis_at at);

/* How a picture says what it is. */
#define AS_TIME_OFF_NOTE \
	"below: off the CPU, grey waiting, amber runnable, red blocked, green stopped"

#endif
