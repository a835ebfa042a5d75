/* SPDX-License-Identifier: Apache-2.0 */
/* What xctrace exports of Instruments: what its files share. docs/formats/xctrace.md. */
#ifndef AS_FORMATS_XCTRACE_H
#define AS_FORMATS_XCTRACE_H

#include "formats/format.h"
#include "formats/tally.h"

#define XC_ROOT "trace-query-result"

/* ---- values (§2) ---- */

enum xc_kind {
	XC_OTHER,
	/* of the document */
	XC_NODE,
	XC_SCHEMA,
	XC_COL,
	XC_MNEMONIC,
	XC_TYPE,
	XC_ROW,
	/* values: numbers */
	XC_NUMBER,
	XC_TIME,
	XC_WEIGHT,
	XC_CYCLES,
	XC_TID,
	XC_PID,
	/* rows of tables, or handles */
	XC_THREAD,
	XC_PROCESS,
	XC_STACK,
	XC_FRAME,
	XC_BINARY,
	XC_SOURCE,
	XC_PATH,
};

/* What an element says; a later one may be nothing but a reference to it. */
struct xc_value {
	enum xc_kind kind; /* XC_OTHER: nothing */
	uint64_t v;        /* the number, or the row or handle */
};

struct xc_known {
	uint64_t id;
	struct xc_value value;
};

struct xc_process {
	struct as_slice name;
	uint32_t pid;
	bool has_pid;
};

struct xc_binary {
	as_object object;
	uint64_t start; /* where it was loaded */
};

struct xc_source {
	as_file file;
	uint64_t line;
};

/* An element that has begun and not ended. */
struct xc_open {
	enum xc_kind kind;
	bool has_id, is_ref;
	uint64_t id;
	struct xc_value value; /* of a reference; of what has all that it is in its first tag */
	struct xc_value process, number, binary, source; /* elements in it; NUMBER: tid, pid */
	struct as_slice name; /* of a thread or process: of the arena; other names are NAME_STR */
	as_str name_str;
	uint64_t addr, line;
	size_t first; /* of a stack: its frames are as_xc.frame from here on */
};

/* ---- tables (§1) ---- */

enum xc_role {
	XC_AS_OTHER,
	XC_AS_TIME,
	XC_AS_THREAD,
	XC_AS_PROCESS,
	XC_AS_WEIGHT,
	XC_AS_STACK,
	XC_ROLES,
};

struct xc_col {
	enum xc_role role;
	struct as_slice type;
};

struct xc_table {
	struct as_slice name; /* of its schema */
	uint64_t run;
	bool has_schema, has_stack, begun;
	AS_VEC(struct xc_col) col;
	struct xc_col next; /* that which is being said */
	uint32_t samples;   /* the event */
	uint64_t n_left;    /* rows that were left out, as it has no stacks */
};

struct as_xc {
	struct as_rd *rd;
	const struct as_alloc *al;
	struct as_arena arena;
	struct as_tally tally;
	enum as_code rc;
	bool is_root; /* the first element was seen */
	AS_VEC(struct xc_open) open;
	AS_VEC(char) text;      /* of the innermost element */
	AS_VEC(as_place) frame; /* of stacks that are open, the innermost first */

	struct as_index ids, tables;
	AS_VEC(struct xc_known) known;
	AS_VEC(struct as_tally_thread) thread;
	AS_VEC(struct xc_process) process;
	AS_VEC(struct xc_binary) binary;
	AS_VEC(struct xc_source) source;

	struct xc_table table;
	struct as_slice first_schema; /* its events have plain names */
	struct xc_value cell[XC_ROLES];
	struct as_slice weight_type;
	size_t column;
	uint64_t n_rows, n_ref, n_no_weight;
};

/* ---- xctrace_element.c: one element after the other ---- */
bool as_xc_begin(void *xc, const char *name, const char *const *attr);
bool as_xc_text(void *xc, struct as_slice piece);
bool as_xc_end(void *xc);

/* ---- xctrace_value.c: what an element says ---- */
/* What its tag says, other than id and ref. */
enum as_code as_xc_value_attr(
	struct as_xc *xc, struct xc_open *o, const char *name, struct as_slice value) AS_NODISCARD;
/* All of it. */
enum as_code as_xc_value_make(struct as_xc *xc, struct xc_open *o, struct xc_value *value)
	AS_NODISCARD;
/* VALUE is of an element in O, which is no row. */
enum as_code as_xc_value_in(struct as_xc *xc, struct xc_open *o, struct xc_value value)
	AS_NODISCARD;
/* Of ids: keep one; look one up, XC_OTHER if there is none. */
enum as_code as_xc_keep(struct as_xc *xc, uint64_t id, struct xc_value value) AS_NODISCARD;
struct xc_value as_xc_known(struct as_xc *xc, uint64_t id);

/* ---- xctrace_row.c: tables and rows ---- */
void as_xc_node_begin(struct as_xc *xc);
void as_xc_node_xpath(struct as_xc *xc, struct as_slice xpath);
enum as_code as_xc_node_end(struct as_xc *xc) AS_NODISCARD;
enum as_code as_xc_schema_name(struct as_xc *xc, struct as_slice name) AS_NODISCARD;
/* TEXT is one of a column's facts, KIND which. */
enum as_code as_xc_col_fact(struct as_xc *xc, enum xc_kind kind, struct as_slice text) AS_NODISCARD;
enum as_code as_xc_col_end(struct as_xc *xc) AS_NODISCARD;
void as_xc_row_begin(struct as_xc *xc);
void as_xc_row_cell(struct as_xc *xc, struct xc_value value);
enum as_code as_xc_row_end(struct as_xc *xc) AS_NODISCARD;

bool as_xc_looks(struct as_slice head);
enum as_code as_xc_read(struct as_rd *rd) AS_NODISCARD;

#endif
