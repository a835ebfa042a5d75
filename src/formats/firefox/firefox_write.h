/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the writer share. docs/formats/firefox.md, "What we write". */
#ifndef AS_FORMATS_FIREFOX_WRITE_H
#define AS_FORMATS_FIREFOX_WRITE_H

#include "base/sort.h"
#include "formats/firefox/firefox.h"

/* A row of the table of frames. */
struct fx_frame {
	as_place place, base; /* BASE: what it is inlined into, at the end; itself if it is not */
	uint32_t depth;       /* of inlined code */
};

/* A sample on its way into a thread. */
struct fx_row {
	int64_t time; /* nanoseconds */
	uint64_t duration;
	as_val value;
	as_node node;
};

/* Beyond it programs in JavaScript have no integers. */
#define FX_JS_MAX (INT64_C(1) << 53)

struct fx_write {
	struct as_wr *wr;
	const struct as_alloc *al;
	const struct as_profile *prof;
	struct as_arena arena;

	/* the tables, in an order that depends on what they say alone */
	uint32_t *row; /* of each node in the table of stacks, from 1; 0 = not used */
	AS_VEC(as_node) stack;
	AS_VEC(struct fx_frame) frame;
	uint32_t *frame_row; /* of each row of STACK */
	AS_VEC(as_func) func;
	uint32_t *func_row; /* of each function, from 1; likewise */
	AS_VEC(as_object) object;
	uint32_t *object_row;
	AS_VEC(as_file) file;
	uint32_t *file_row;
	AS_VEC(struct as_slice) string;
	struct as_index strings, frames;

	uint32_t markers; /* their event; FX_NO_ROW = there are none */

	/* moments, by part and event: those of P and E from first[P * events + E] on */
	size_t *first;
	struct fx_row *moment;

	AS_VEC(struct fx_row) rows; /* of one thread */
	struct as_index tids;       /* that were written: rows of TID */
	AS_VEC(uint32_t) tid;
	uint64_t n_bad_text, n_beyond, n_durations, n_elsewhere, n_repeated;
	bool some; /* a thread was written */
};

/* ---- firefox_write.c ---- */
/* The number of S in the table of texts. */
enum as_code as_fx_string_row(struct fx_write *w, struct as_slice s, uint32_t *row) AS_NODISCARD;
void as_fx_put_text(struct fx_write *w, struct as_slice s);

/* ---- firefox_write_plan.c ---- */
enum as_code as_fx_plan(struct fx_write *w) AS_NODISCARD;

/* ---- firefox_write_tables.c ---- */
enum as_code as_fx_put_tables(struct fx_write *w) AS_NODISCARD;
void as_fx_put_libs(struct fx_write *w);

/* ---- firefox_write_threads.c ---- */
enum as_code as_fx_plan_moments(struct fx_write *w) AS_NODISCARD;
enum as_code as_fx_put_threads(struct fx_write *w) AS_NODISCARD;
/* Nanoseconds as milliseconds, to the last one. */
void as_fx_put_millis(struct as_out *out, int64_t nanos);

enum as_code as_fx_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
