/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of Ruby's stackprof: what its files share. docs/formats/stackprof.md. */
#ifndef AS_FORMATS_STACKPROF_H
#define AS_FORMATS_STACKPROF_H

#include "formats/json_in.h"
#include "formats/tally.h"

struct sp_frame {
	uint64_t id;
	struct as_slice name, file; /* "" = in no file */
	uint64_t line;              /* where it begins; 0 = unknown */
	uint64_t samples;           /* in it, not in what it called */
	uint32_t first;             /* the first frame of its name and file */
	bool twin;                  /* of that: others begin in other lines */
	as_func func;
	as_file at;
};

/* Samples in which FROM called a frame. */
struct sp_edge {
	uint32_t from;
	uint64_t to, samples;
};

/* Samples of a frame that were in LINE, not in what that called. */
struct sp_line {
	uint32_t frame;
	uint64_t line, samples;
};

struct sp_numbers {
	uint64_t *p;
	size_t n, cap;
};

struct as_sp {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_json_in in;
	struct as_arena arena;
	struct as_slice mode;
	uint64_t interval, samples, missed;
	bool has_raw, has_lines, has_samples;
	bool half_frames, half_raw; /* the text ends inside of them */
	AS_VEC(struct sp_frame) frame;
	AS_VEC(struct sp_edge) edge;
	AS_VEC(struct sp_line) line;
	struct as_index ids;
	/* Stacks as they stand in the file: how deep, frames from the root on, how often. */
	struct sp_numbers raw;
	struct sp_numbers raw_line; /* the same with lines for frames */
	/* Of each sample, microseconds; those below zero are their two's complement. */
	struct sp_numbers delta, stamp;
	uint64_t n_unknown; /* ids of no frame */
};

enum as_code as_sp_read(struct as_rd *rd) AS_NODISCARD;
/* stackprof_put.c: all has been read. */
enum as_code as_sp_put(struct as_sp *sp) AS_NODISCARD;
/* stackprof_paths.c: the stacks of RAW as samples. */
enum as_code as_sp_put_paths(struct as_sp *sp) AS_NODISCARD;
/* The frame of ID; NULL: there is none. */
struct sp_frame *as_sp_frame(const struct as_sp *sp, uint64_t id);

#endif
