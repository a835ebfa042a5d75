/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks in order of time, of one event: a strip for each thread, and in it a box for each frame,
 * from when it began to when it ended. Frames of one function that follow each other in the same
 * frame are one box.
 *
 * A moment that is time itself (struct as_moment) has its place on the line. Others are points:
 * such a one lasts until the next of its thread, and where that is further away than twice what it
 * stands for, so long as it stands for.
 */
#ifndef AS_TREE_CHART_H
#define AS_TREE_CHART_H

#include "tree/calltree.h"

struct as_chart_opts {
	uint32_t event;
	bool keep_contexts; /* as in struct as_project_opts */
	size_t strips;      /* so many threads, those that cost most; 0 = all */
	uint32_t depth;     /* frames in a stack; 0 = all */
	uint32_t pixels;    /* what is shorter than one of so many parts is gathered; 0 = nothing */
	size_t boxes;       /* or what is too short for so many boxes; 0 = any number */
	uint64_t each;      /* nanoseconds that a count of a point stands for; 0 = not known */
};

struct as_chart_box {
	uint32_t depth; /* 1: of the strip itself, from the begin of all to the end */
	uint32_t key;   /* of the function, in as_chart.keys */
	uint64_t n;     /* boxes that it stands for, as they are too short or deep; 0: it is one */
	uint64_t from, span; /* nanoseconds, FROM after as_chart.start */
	uint64_t busy;       /* of SPAN, without gaps that are not shown */
	as_val cost, self;   /* its moments', and those of SELF are of no box in it */
};

struct as_chart_strip {
	uint32_t part;   /* one of those of the thread */
	size_t box;      /* its own; those of frames follow, parents before what they called */
	uint32_t levels; /* the largest depth of a box */
};

struct as_chart {
	const struct as_profile *prof;
	struct as_calltree keys; /* names of functions alone; no node */
	struct as_chart_opts opts;
	int64_t start; /* as those of moments */
	uint64_t span,
		least; /* nanoseconds; what is shorter than LEAST is gathered, gaps bridged */
	AS_VEC(struct as_chart_strip) strip; /* the most expensive first */
	AS_VEC(struct as_chart_box) box;
	uint64_t usual;   /* what a point stands for: of distances between points; 0 = not asked */
	uint64_t n_point; /* moments that are points */
	uint64_t n_cut;   /* moments that end before their end, as the next one has begun */
	size_t n_rest;    /* threads that have no strip */
	as_val rest;      /* what they cost */
};

/* Of PROF, which has moments. C ends in as_chart_release(), also on failure. AS_E_ARG: a cost is
 * below 0. */
enum as_code as_chart_make(struct as_chart *c, const struct as_profile *prof,
	const struct as_chart_opts *opts, struct as_err *err) AS_NODISCARD;
void as_chart_release(struct as_chart *c);

#endif
