/* SPDX-License-Identifier: Apache-2.0 */
/* Reading answers: what the files fleet_read*.c share. */
#ifndef AS_FLEET_FLEET_READ_IMPL_H
#define AS_FLEET_FLEET_READ_IMPL_H

#include "base/pool.h"
#include "fleet/fleet_cur.h"
#include "fleet/fleet_read.h"
#include "model/build.h"

/* What series of one type have in common. */
struct as_fleet_event {
	struct as_slice type, unit, period_unit, title,
		host; /* HOST of the first that has a period */
	uint64_t period;
	uint32_t first, last; /* its places in profiles */
	uint32_t col;
	bool no_period; /* some series does not say it */
	bool estimated;
};

struct as_fleet_serie {
	uint64_t id;
	uint32_t event;
	uint32_t part; /* + 1; 0: not made yet */
	struct as_slice service, host;
	struct as_fleet_cur labels; /* where these are in the answer */
};

struct as_fleet_stack {
	uint64_t id;
	const uint8_t *frames; /* N numbers of the answer */
	size_t n;
	uint32_t node; /* + 1; 0: not made yet */
};

/* One function of a frame, as some answer has it. */
struct as_fleet_func {
	uint32_t next; /* of the same frame, + 1 */
	uint16_t idx;
	uint32_t ver;
	struct as_slice raw; /* its columns from `func` to `kind` */
};

struct as_fleet_frame {
	uint64_t id;
	uint32_t func;           /* the first one, + 1 */
	uint32_t place, n_place; /* those of the profile; N_PLACE == 0: not made yet */
};

struct as_fleet_read {
	const struct as_alloc *al;
	struct as_fleet_read_opts opts;
	struct as_err *err;
	struct as_pool pool; /* for all but the profile */
	struct as_index series_by_id, stacks_by_id, frames_by_id, objects;
	AS_VEC(struct as_fleet_event) event;
	AS_VEC(struct as_fleet_serie) series;
	AS_VEC(struct as_fleet_stack) stack;
	AS_VEC(struct as_fleet_func) func;
	AS_VEC(struct as_fleet_frame) frame;
	AS_VEC(const struct as_fleet_func *) newest; /* scratch: of a frame */
	AS_VEC(as_place) place;                      /* of frames, outermost first */
	struct as_spans spans;
	struct as_signals signals;
	int64_t begin;
	size_t n_spans;
	bool no_duration;
	unsigned flags; /* AS_SERIES_* of any */
	uint32_t depth;
	struct as_build b;
	bool building;
	uint32_t *event_at; /* in the profile, of each event */
	as_val *cost;       /* of a sample */
	as_val *whole;      /* as as_fleet_read_whole() has it; NULL: nothing was left out */
	int64_t time;       /* with times: when it was, nanoseconds since 1970 */
	AS_VEC(struct as_label) label;
	struct as_fleet_gaps gaps;
	as_place no_stack, no_frame; /* made when one is needed */
};

enum as_code as_fleet_cut(struct as_fleet_read *r, const struct as_fleet_cur *c) AS_NODISCARD;

/* ---- fleet_read_series.c ---- */
/* The profile's events: all series are known. */
enum as_code as_fleet_events(struct as_fleet_read *r) AS_NODISCARD;
/* The part of samples of S. */
enum as_code as_fleet_part(struct as_fleet_read *r, struct as_fleet_serie *s, uint32_t *part)
	AS_NODISCARD;

/* ---- fleet_read_stacks.c ---- */
/* COST of the stack ID in PART. */
enum as_code as_fleet_cost(struct as_fleet_read *r, uint64_t id, uint32_t part, const as_val *cost)
	AS_NODISCARD;

#endif
