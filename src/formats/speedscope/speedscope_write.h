/* SPDX-License-Identifier: Apache-2.0 */
/* Private to the writer of speedscope's files: docs/formats/speedscope.md. */
#ifndef AS_FORMATS_SPEEDSCOPE_WRITE_H
#define AS_FORMATS_SPEEDSCOPE_WRITE_H

#include "base/sort.h"
#include "formats/speedscope/speedscope.h"

struct ss_write_frame {
	struct as_slice name, file;
	uint64_t line, column;
};

/* A stack that stands in the file, or will be added to the one before it. */
struct ss_write_row {
	uint32_t node;
	int64_t value, time; /* TIME: of rows in order of time */
};

/* Parts that have one name in the file. */
struct ss_write_thread {
	struct as_slice name;
	uint64_t number; /* of several parts of which nothing else is known */
};

struct as_ss_write {
	struct as_wr *wr;
	const struct as_profile *prof;
	const struct as_alloc *al;
	struct as_arena arena;
	bool ours; /* the profile was read from such a file */
	bool lines, timed;
	uint64_t n_lines, n_columns, n_commands, n_changed, n_moved, n_large;

	AS_VEC(struct ss_write_frame) frame;
	struct as_index frames;
	uint32_t *of_place; /* frame + 1 of each place */
	uint32_t *place_of; /* number of each frame in the file */
	struct as_order frame_order;

	AS_VEC(struct ss_node) node; /* paths by frames; node 0 is the root */
	struct as_index nodes;
	uint32_t *to;   /* node of ours of each node of the profile */
	uint32_t *rank; /* of each node of ours in the order of a walk through the tree */

	AS_VEC(struct ss_write_thread) thread;
	uint32_t *of_part; /* thread of each part */

	struct ss_write_row *row; /* by thread, then event */
	size_t *first, *end;      /* of each (thread, event) */
	uint8_t *paired; /* 1: the rows are samples, with what the event before it weighs */
	AS_VEC(uint32_t) stack;
};

/* speedscope_write_tree.c: what stands in the file's lists, each once and in order. */
enum as_code as_ss_write_tree(struct as_ss_write *w) AS_NODISCARD;

/* speedscope_write_rows.c: the rows of each profile of the file. */
enum as_code as_ss_write_rows(struct as_ss_write *w) AS_NODISCARD;
/* Nanoseconds of EVENT's unit; 0 = it is no time. */
uint64_t as_ss_write_nanos(const struct as_ss_write *w, uint32_t event);

#endif
