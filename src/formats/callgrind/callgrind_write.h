/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the Callgrind writer. §1.8 of the research has the rules that all
 * readers agree on; docs/formats/callgrind.md, "What we write", states them.
 */
#ifndef AS_FORMATS_CALLGRIND_WRITE_H
#define AS_FORMATS_CALLGRIND_WRITE_H

#include "formats/callgrind/callgrind.h"

enum cgw_kind { CGW_SELF, CGW_CALL, CGW_JUMP, CGW_KINDS };

/* What has been said of a name so far. */
struct cgw_name {
	uint32_t id;   /* its number, 0 until it is used */
	uint32_t part; /* + 1, in which it was defined last */
};

/* What a call has to know of its callee, side by side: calls go all over the functions. */
struct cgw_func {
	struct cgw_name name;
	uint32_t rank; /* place in the order, from 1 */
	as_object object;
	as_file file;
};

/* What the rows of a run have in common, in the function that is being written. */
struct cgw_run {
	uint32_t file; /* rank; the function's own file is 0 */
	as_file file_handle;
	as_func inl;
	enum cgw_kind kind;
};

/* A row of the function that is being written. */
struct cgw_item {
	uint64_t addr, line;
	size_t value; /* first of its values in cgw.value */
	uint32_t n;   /* of them; the others are zero */
	uint32_t run; /* in cgw.run */
};

struct cgw {
	struct as_wr *wr;
	struct as_out *out;
	const struct as_profile *prof;
	const struct as_alloc *al;
	bool ids, relative, full_rows;
	int64_t only; /* column of the only event, or -1 */

	uint32_t *object_rank, *file_rank; /* handle -> place in the order, from 1 */
	struct cgw_name *object_name, *file_name;
	struct cgw_func *func_row;            /* by handle */
	uint32_t n_objects, n_files, n_funcs; /* numbers given */

	/* Runs of the profile by part, function and kind. They are numbered through: self, then
	 * calls, then jumps. */
	uint32_t *run_order;
	size_t n_runs, n_run_order;

	/* the part */
	uint32_t part;
	AS_VEC(uint32_t) column; /* written, in order */
	bool all_columns;        /* these are all of the first events, in their order */
	bool instr, lines;
	as_object object; /* in force */
	as_file file;
	bool have_file;

	/* the function */
	as_func func;
	as_func inl;
	AS_VEC(struct cgw_run) run;
	AS_VEC(struct cgw_item) item;
	AS_VEC(uint32_t) order;
	AS_VEC(uint64_t) key;    /* the places packed, in their order; callgrind_write_sort.c */
	struct as_pos low, high; /* bounds of the lines and addresses in ITEM */
	unsigned key_skip;       /* low bits of a key that are not of the place */
	bool packed;             /* the places can be packed */
	AS_VEC(as_val) value;
	uint64_t self_line, self_addr; /* of the last self cost line */
	uint64_t last_line, last_addr; /* of the last line of any kind */
	bool have_base;
};

/* callgrind_write_order.c */
AS_NODISCARD bool as_cgw_rank(struct cgw *w);
AS_NODISCARD bool as_cgw_order_runs(struct cgw *w);
void as_cgw_rank_release(struct cgw *w);
/* The run of number R. */
const struct as_run *as_cgw_run(
	const struct cgw *w, uint32_t r, const struct as_rows **rows, enum cgw_kind *kind);

/* callgrind_write_func.c: the block of one function: runs [FROM, TO) of run_order. */
enum as_code as_cgw_func(struct cgw *w, size_t from, size_t to) AS_NODISCARD;

/* callgrind_write_sort.c: how two rows of the function are ordered; CTX is the writer. */
int as_cgw_cmp_item(const void *ctx, uint32_t a, uint32_t b);
/* w->order. */
AS_NODISCARD bool as_cgw_sort_items(struct cgw *w);

/* callgrind_write_name.c */
void as_cgw_object(struct cgw *w, const char *key, as_object o);
void as_cgw_file(struct cgw *w, const char *key, as_file f);
void as_cgw_func_name(struct cgw *w, const char *key, as_func f);

#endif
