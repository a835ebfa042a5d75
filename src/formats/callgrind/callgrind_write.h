/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the Callgrind writer. §1.8 of the research has the rules that all
 * readers agree on; docs/formats/callgrind.md, "What we write", states them.
 */
#ifndef AS_FORMATS_CALLGRIND_WRITE_H
#define AS_FORMATS_CALLGRIND_WRITE_H

#include "formats/callgrind/callgrind.h"

enum cgw_kind { CGW_SELF, CGW_CALL, CGW_JUMP, CGW_KINDS };

/* A run of rows, with what it is sorted by. */
struct cgw_run {
	uint32_t part, rank; /* of the function */
	enum cgw_kind kind;
	uint32_t run;
};

/* A row of the function that is being written. */
struct cgw_item {
	uint32_t file; /* rank; the function's own file is 0 */
	as_file file_handle;
	as_func inl;
	enum cgw_kind kind;
	uint64_t addr, line;
	size_t value; /* first of its values in cgw.value */
};

struct cgw {
	struct as_wr *wr;
	struct as_out *out;
	const struct as_profile *prof;
	const struct as_alloc *al;
	bool ids, relative, full_rows;
	int64_t only; /* column of the only event, or -1 */

	uint32_t *object_rank, *file_rank, *func_rank; /* handle -> place in the order, from 1 */
	uint32_t *func_order;                          /* place -> handle */
	uint32_t *object_part, *file_part, *func_part; /* part + 1 in which it was defined */
	uint32_t *object_id, *file_id, *func_id;       /* its number, 0 until it is used */
	uint32_t n_objects, n_files, n_funcs;          /* numbers given */

	AS_VEC(struct cgw_run) run;
	uint32_t *run_order;

	/* the part */
	uint32_t part;
	AS_VEC(uint32_t) column; /* written, in order */
	bool instr, lines;
	as_object object; /* in force */
	as_file file;
	bool have_file;

	/* the function */
	as_func func;
	as_func inl;
	AS_VEC(struct cgw_item) item;
	AS_VEC(uint32_t) order;
	AS_VEC(as_uval) key; /* callgrind_write_sort.c */
	AS_VEC(as_val) value;
	uint64_t self_line, self_addr; /* of the last self cost line */
	uint64_t last_line, last_addr; /* of the last line of any kind */
	bool have_base;
};

/* callgrind_write_order.c */
AS_NODISCARD bool as_cgw_rank(struct cgw *w);
AS_NODISCARD bool as_cgw_collect_runs(struct cgw *w);
void as_cgw_rank_release(struct cgw *w);

/* callgrind_write_func.c: the block of one function: runs [FROM, TO) of run_order. */
enum as_code as_cgw_func(struct cgw *w, size_t from, size_t to) AS_NODISCARD;

/* How two rows of the function are ordered; CTX is the writer. */
int as_cgw_cmp_item(const void *ctx, uint32_t a, uint32_t b);

/* callgrind_write_sort.c: w->order. */
AS_NODISCARD bool as_cgw_sort_items(struct cgw *w);

/* callgrind_write_name.c */
void as_cgw_object(struct cgw *w, const char *key, as_object o);
void as_cgw_file(struct cgw *w, const char *key, as_file f);
void as_cgw_func_name(struct cgw *w, const char *key, as_func f);

#endif
