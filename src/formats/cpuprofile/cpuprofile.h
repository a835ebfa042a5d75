/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of V8: what the driver's files share. docs/formats/cpuprofile.md. */
#ifndef AS_FORMATS_CPUPROFILE_H
#define AS_FORMATS_CPUPROFILE_H

#include "base/pool.h"
#include "formats/json_in.h"
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
	int64_t time;  /* microseconds */
};

struct as_v8 {
	struct as_rd *rd;
	struct as_pool pool;
	const struct as_alloc *al;
	struct as_json_in in;
	struct as_tally tally;

	AS_VEC(struct v8_node) node;
	AS_VEC(struct v8_tick) tick;
	AS_VEC(struct v8_edge) edge;
	struct as_index ids;         /* rows of NODE by id */
	AS_VEC(uint64_t) sample;     /* ids */
	AS_VEC(int64_t) delta;       /* microseconds, or times where HAS_TIMES */
	AS_VEC(struct v8_sample) at; /* samples in order of time */
	bool has_nodes, has_head, has_samples, has_deltas, has_times, has_sizes, has_start, has_end;
	bool old;   /* functions stand in nodes, with lines from 1: V8 before 6 */
	bool lines; /* samples are split by lines */
	int64_t start, end;
	uint64_t n_unknown, n_range, n_uneven, n_back, n_lines, n_twice, n_circle;
};

/* cpuprofile_node.c: nodes, in a list or in one another. */
enum as_code as_v8_nodes(struct as_v8 *v) AS_NODISCARD;
enum as_code as_v8_head(struct as_v8 *v) AS_NODISCARD;
/* The row of node ID; false: there is none. */
bool as_v8_find(const struct as_v8 *v, uint64_t id, uint32_t *row);
/* A number that is no integer below 2^64 is 0, and counted. */
bool as_v8_number(struct as_v8 *v, struct as_pull *j, uint64_t *out);

/* cpuprofile_put.c: what all of it adds up to. */
enum as_code as_v8_put(struct as_v8 *v) AS_NODISCARD;

/* cpuprofile_read.c, cpuprofile_write.c */
enum as_code as_v8_read(struct as_rd *rd) AS_NODISCARD;
enum as_code as_v8_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
