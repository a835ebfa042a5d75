/* SPDX-License-Identifier: Apache-2.0 */
/* What llvm-cov exports of a program that was built with -fcoverage-mapping.
 * docs/formats/llvmcov.md. */
#ifndef AS_FORMATS_LLVMCOV_LLVMCOV_H
#define AS_FORMATS_LLVMCOV_LLVMCOV_H

#include "formats/format.h"
#include "formats/json_in.h"

enum { AS_LV_EXECUTIONS, AS_LV_CALLS, AS_LV_EVENTS };

/* Where a count begins that holds up to the next one's place. */
struct lv_segment {
	uint64_t line, count;
	bool has_count; /* else it is no code */
	bool entry;     /* of a region */
	bool gap;       /* between two statements */
};

/* A line of which the segments are being read. */
struct lv_at {
	struct lv_segment wrap, last; /* what holds where it begins; the last one on it */
	uint64_t line, most;
	uint64_t regions; /* that begin on it */
	bool begun, skipped;
};

struct lv_line {
	as_file file;
	uint64_t number, count;
};

struct lv_func {
	as_func func;
	as_file file;
	uint64_t line, column, end_line, end_column; /* of its body */
	uint64_t calls;
	bool has_place;
};

struct as_lv {
	struct as_rd *rd;
	const struct as_alloc *al; /* a pool's */
	struct as_json_in in;
	struct lv_at at;
	uint64_t branches; /* that were passed over */
	uint64_t wrapped;  /* lines on which no segment is */
	AS_VEC(struct lv_line) line;
	AS_VEC(struct lv_func) func;
	AS_VEC(as_file) file; /* of a function */
	AS_VEC(char) text;    /* a function's name */
};

/* The next segment of a file, and the last one's end; false: they are in no order, there is no
 * memory or there are too many lines, which LV's text says. The file of the lines is set later. */
bool as_lv_segment(struct as_lv *lv, const struct lv_segment *s);
bool as_lv_segments_end(struct as_lv *lv);

/* All functions and lines become places. */
enum as_code as_lv_put(struct as_lv *lv);

#endif
