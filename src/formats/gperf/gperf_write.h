/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing a gperftools CPU profile: what gperf_write.c, gperf_plan.c, gperf_synth.c and
 * gperf_list.c share.
 */
#ifndef AS_FORMATS_GPERF_GPERF_WRITE_H
#define AS_FORMATS_GPERF_GPERF_WRITE_H

#include "formats/gperf/gperf.h"

/* A mapping line of our own. */
struct as_gp_synth {
	struct as_slice path, id;
	uint64_t start, limit, offset;
	bool is_virtual; /* OFFSET is an address */
};

struct as_gp_write {
	struct as_wr *wr;
	const struct as_profile *prof;
	const struct as_alloc *al;
	struct as_gp_layout layout;
	uint32_t event;
	bool java; /* the source's own location ids and lines are written again */
	bool keep; /* so are its mappings; else SYNTH has ours */

	/* of each place */
	uint8_t *used;
	uint64_t *pc; /* before the one that is added for callers */
	uint8_t *raw; /* nothing is added */

	uint8_t *named; /* of each object: its build id is written */
	AS_VEC(struct as_gp_synth) synth;
	struct as_gp_rows *rows; /* PROF stands for the profile of these; NULL: it has paths */
	uint64_t invented;       /* functions without address that got one */
};

/* Give every used place an address: gperf_plan.c. Sets keep, java, pc, raw, synth. */
enum as_code as_gp_plan(struct as_gp_write *w) AS_NODISCARD;
/* With mappings of our own: gperf_synth.c. */
enum as_code as_gp_plan_synth(struct as_gp_write *w) AS_NODISCARD;
/* *OUT: a reader would cut frames off: gperf_clean.c. False if out of memory. */
AS_NODISCARD bool as_gp_looks_handled(const struct as_gp_write *w, bool *out);
/* A record of the path of one frame at ADDR. */
enum as_code as_gp_put_one(struct as_gp_write *w, uint64_t addr, as_val cost) AS_NODISCARD;
/* Rows of self cost instead of paths: gperf_rows.c. The first sets rows and prof; the second puts
 * the records when the plan is made. */
enum as_code as_gp_rows_begin(struct as_gp_write *w, const struct as_profile *prof) AS_NODISCARD;
enum as_code as_gp_rows_put(struct as_gp_rows *rows) AS_NODISCARD;
/* The text list: gperf_list.c. */
enum as_code as_gp_write_list(struct as_gp_write *w) AS_NODISCARD;

/* PLACE's function has no name: its address tells which code it is, even when it is 0. */
static inline bool gp_is_nameless(const struct as_profile *prof, as_func f)
{
	return prof->func.name.p[f.i].i == 0;
}

static inline as_object gp_object(const struct as_profile *prof, uint32_t place)
{
	return prof->func.object.p[prof->place.func.p[place].i];
}

static inline bool gp_is_null(const struct as_profile *prof, as_object o)
{
	return o.i && as_slice_is(as_object_path(prof, o), AS_MAP_NULL);
}

/* PLACE has an address of its own, be it 0. */
static inline bool gp_has_addr(const struct as_profile *prof, uint32_t place)
{
	as_func f = prof->place.func.p[place];

	return as_place_addr(prof, (as_place){place}) || (f.i && gp_is_nameless(prof, f));
}

#endif
