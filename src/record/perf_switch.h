/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Beside CPU time, when threads did not run. An event of its own counts switches, with a sample of
 * each, which has the stack at which the thread leaves; and the kernel writes a record when it has
 * left its processor and when it comes back.
 */
#ifndef AS_RECORD_PERF_SWITCH_H
#define AS_RECORD_PERF_SWITCH_H

#include "base/err.h"
#include "base/index.h"
#include "model/handles.h"
#include "perf/perf_off.h"
#include "perf/perf_parse.h"

/* Such an event, of a processor. */
struct as_perf_switch {
	int fd, cpu;
	uint64_t id; /* as the kernel calls it */
};

/* Time of one stack of a part. */
struct as_perf_away {
	uint32_t part;
	as_node node;
	as_uval ns;
};

struct as_perf_away_when {
	uint32_t row; /* of as_perf_away */
	uint64_t since, length;
};

struct as_perf_switches {
	const struct as_alloc *al;
	AS_VEC(struct as_perf_switch) opened;
	struct as_off off;
	AS_VEC(struct as_perf_away) away;
	AS_VEC(struct as_perf_away_when) when; /* only if moments are kept */
	struct as_index rows;
	uint64_t n; /* stretches */
};

void as_perf_switches_init(struct as_perf_switches *s, const struct as_alloc *al);
void as_perf_switches_release(struct as_perf_switches *s);
/* Whether ID is that of such an event. */
bool as_perf_switches_has(const struct as_perf_switches *s, uint64_t id);

struct as_perf_track;
/* A record of a switch, of a thread that is known. */
enum as_code as_perf_take_switch(struct as_perf_track *t, const struct as_perf_rec *rec)
	AS_NODISCARD;
/* All time, to the profile. */
enum as_code as_perf_put_switches(struct as_perf_track *t) AS_NODISCARD;

#endif
