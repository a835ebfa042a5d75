/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A profile of V8, in a file of its own or in pieces in a trace: what it lists is put into a struct
 * as_v8, and added to a tally when all of it is there. docs/formats/cpuprofile.md.
 */
#ifndef AS_FORMATS_V8_H
#define AS_FORMATS_V8_H

#include "base/pull.h"
#include "formats/tally.h"

#define AS_V8_NONE UINT32_MAX

/* A node of the tree of calls, as the file has it. */
struct v8_node {
	uint64_t id;
	uint32_t parent; /* row; AS_V8_NONE: it has none */
	bool has_parent_id;
	uint64_t parent_id;    /* in the files that name it */
	as_str name, url;      /* of the function */
	uint64_t line, column; /* where it begins, from 1; 0 = unknown */
	uint64_t hits, size;   /* samples, and bytes, that end here */
	uint64_t ticks;        /* the sum of those below */
	uint32_t first_tick, n_ticks;
	uint64_t n_samples; /* that name it */
	as_node made;
	bool is_made;
	uint32_t walk; /* the last one up the tree that came by, from 1 */
};

struct v8_tick {
	uint64_t line, ticks;
};

struct v8_edge {
	uint32_t parent; /* row */
	uint64_t child;  /* id */
};

/* A sample that has a time. */
struct v8_sample {
	uint32_t node; /* row */
	uint64_t line; /* that was executed; 0 = unknown */
	int64_t time;  /* microseconds */
};

/* What is odd about one or more profiles. */
struct as_v8_odd {
	uint64_t unknown, range, uneven, back, lines, twice, circle;
};

struct as_v8 {
	struct as_rd *rd;
	const struct as_alloc *al; /* a pool's of the reader, which is released whole */
	struct as_tally *tally;
	uint32_t thread;        /* of the tally */
	const char *time_event; /* what the time of samples is called */
	struct as_v8_odd odd;

	AS_VEC(struct v8_node) node;
	AS_VEC(struct v8_tick) tick;
	AS_VEC(struct v8_edge) edge;
	struct as_index ids;         /* rows of NODE by id */
	AS_VEC(uint64_t) sample;     /* ids */
	AS_VEC(uint64_t) line;       /* of each sample, if that is known */
	AS_VEC(int64_t) delta;       /* microseconds, or times where HAS_TIMES */
	AS_VEC(struct v8_sample) at; /* samples in order of time */
	bool has_samples, has_deltas, has_times, has_sizes, has_start, has_end;
	bool half_nodes, half_samples, half_deltas; /* the text ends inside of them */
	bool old;   /* functions stand in nodes, with lines from 1: V8 before 6 */
	bool lines; /* samples are split by lines */
	int64_t start, end;
};

void as_v8_init(
	struct as_v8 *v, struct as_rd *rd, const struct as_alloc *al, struct as_tally *tally);

/* v8_node.c: nodes that come next in J, in a list or in one another. They are added to those that
 * are there. */
enum as_code as_v8_nodes(struct as_v8 *v, struct as_pull *j) AS_NODISCARD;
enum as_code as_v8_head(struct as_v8 *v, struct as_pull *j) AS_NODISCARD;
/* The row of node ID; false: there is none. */
bool as_v8_find(const struct as_v8 *v, uint64_t id, uint32_t *row);
/* A number that is no integer below 2^64 is 0, and counted. */
bool as_v8_number(struct as_v8 *v, struct as_pull *j, uint64_t *out);

/* v8_list.c: what stands beside the nodes, likewise. */
enum as_code as_v8_samples(struct as_v8 *v, struct as_pull *j) AS_NODISCARD;
enum as_code as_v8_deltas(struct as_v8 *v, struct as_pull *j) AS_NODISCARD;
enum as_code as_v8_lines(struct as_v8 *v, struct as_pull *j) AS_NODISCARD;
/* Microseconds; false: it is no time, or beyond 64 bits and counted. */
bool as_v8_time(struct as_v8 *v, struct as_pull *j, int64_t *out);
/* What was odd, as findings; the profile is partial if something is not there. */
enum as_code as_v8_tell(struct as_rd *rd, const struct as_v8_odd *odd) AS_NODISCARD;

/* The text ends too early: what is half of something is left out. What is kept, in words. */
const char *as_v8_keep(struct as_v8 *v);

/* v8_put.c: all of it is there: add it to the tally. */
enum as_code as_v8_put(struct as_v8 *v) AS_NODISCARD;

#endif
