/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Private to the Callgrind writer. §1.8 of the research has the rules that all
 * readers agree on; docs/formats/callgrind.md, "What we write", states them.
 */
#ifndef AS_FORMATS_CALLGRIND_WRITE_H
#define AS_FORMATS_CALLGRIND_WRITE_H

#include "base/sort.h"
#include "formats/callgrind/callgrind.h"

enum cgw_kind { CGW_SELF, CGW_CALL, CGW_JUMP, CGW_KINDS };

/* Names have numbers in three groups. */
enum cgw_group { CGW_OBJECTS, CGW_FILES, CGW_FUNCS, CGW_GROUPS };

/* What stands before a name. */
enum cgw_key {
	CGW_OB,
	CGW_COB,
	CGW_FL,
	CGW_FI,
	CGW_FE,
	CGW_CFI,
	CGW_JFI,
	CGW_FN,
	CGW_CFN,
	CGW_JFN,
	CGW_IN_FULL,            /* those from here on never have a number */
	CGW_CFNI = CGW_IN_FULL, /* CodSpeed's */
	CGW_JOB,                /* ours, in comments: where the function is that a jump goes to */
	CGW_JFL,
};

enum { CGW_FEW = 128 }; /* what is below is a byte of as_rows */

/* What a call has to know of its callee, side by side: calls go all over the functions. */
struct cgw_func {
	uint32_t rank; /* place in the order, from 1 */
	as_object object;
	as_file file;
};

/* What all of the writer's blocks have in common. Only names change while blocks are written. */
struct cgw {
	struct as_wr *wr;
	struct as_out *out;
	const struct as_profile *prof;
	const struct as_alloc *al;  /* for blocks: any thread may use it */
	const struct as_alloc *own; /* of a pool, for what all blocks have in common */
	bool ids, relative, full_rows;
	int64_t only;        /* column of the only event, or -1 */
	uint32_t batch_rows; /* rows that are worth a task */
	struct as_arena arena;
	struct as_slice *event_word; /* what each event is called in the file; no two are alike */

	struct as_order objects, files;
	struct cgw_func *func_row; /* by handle */

	/* What has been said of names so far, by handle. For as_cgw_text_flush() only. */
	uint32_t *number[CGW_GROUPS];  /* 0 until it is used */
	uint32_t *part_of[CGW_GROUPS]; /* + 1, in which it was defined last; if there are several */
	uint32_t n_numbers[CGW_GROUPS]; /* given */

	/* Runs of the profile by part, function and kind. They are numbered through: self, then
	 * calls, then jumps. */
	uint32_t *run_order;
	size_t n_runs, n_run_order;

	/* the part */
	uint32_t part;
	AS_VEC(uint32_t) column; /* written, in order */
	bool all_columns;        /* these are all of the first events, in their order */
	bool instr, lines;
	bool plain; /* lines are relative, and short ones of all columns */

	char cost[CGW_FEW][4]; /* costs as they stand in a line, with the blank before them */
};

/* What the rows of a run have in common. */
struct cgw_run {
	const struct as_rows *rows;
	const struct as_run *run;
	uint32_t file; /* place among the files of the function; its own is 0 */
	enum cgw_kind kind;
	uint32_t first; /* of its items */
};

/* A name in the text of blocks: its line stands before the byte at OFF. */
struct cgw_ref {
	uint64_t off;
	uint32_t handle;
	uint32_t key; /* enum cgw_key */
};

/*
 * Text without its names. They get their numbers in the order of their first use, so they are
 * put where the text goes into the file: all other work on blocks needs no order.
 */
struct cgw_text {
	struct as_sink sink; /* of OUT: gets what fills the buffer */
	struct cgw *w;
	struct as_out out;
	AS_VEC(struct cgw_ref) ref;
	bool aside;        /* it does not go into the file yet, but into KEPT */
	AS_VEC(char) kept; /* what came before that which is in the buffer */
};

/* Blocks on their way to text, one function after the other. */
struct cgw_block {
	const struct cgw *w;
	struct cgw_text text;

	as_object object; /* in force */
	as_file file;
	bool have_file;

	/* the function */
	as_func func;
	as_func inl;
	AS_VEC(struct cgw_run) run; /* by file */
	/* Its rows; TAG is the run. Values that are not packed are N from one of VALUE on. */
	AS_VEC(struct as_rows_packed) item;
	AS_VEC(as_val) value;

	/* The order: a key for each item. callgrind_write_sort.c */
	AS_VEC(uint64_t) key;
	uint64_t key_item;    /* the bits of a key that are the number of its item */
	unsigned key_skip;    /* how many they are */
	bool packed;          /* the bits above them are the place */
	uint64_t key_kin;     /* then: those of its file and kind, and one more */
	AS_VEC(uint32_t) tie; /* items at one place */
	size_t tied;          /* keys before it are in order also where they say the same place */

	uint64_t self_line, self_addr; /* of the last self cost line */
	uint64_t last_line, last_addr; /* of the last line of any kind */
	bool have_base;

	as_val too_large; /* the cost that made it AS_E_LIMIT */
};

/* callgrind_write.c: as_cg_write() where BATCH_ROWS rows are worth a task. */
enum as_code as_cgw_write(struct as_wr *wr, const struct as_profile *prof, uint32_t batch_rows)
	AS_NODISCARD;

/* callgrind_write_event.c: fill w->event_word, false if out of memory; and the header's lines. */
AS_NODISCARD bool as_cgw_name_events(struct cgw *w);
void as_cgw_put_events(struct cgw *w);

/* callgrind_write_order.c */
AS_NODISCARD bool as_cgw_rank(struct cgw *w);
AS_NODISCARD bool as_cgw_order_runs(struct cgw *w);

/* The run of number R, and the one at place I in the order. */
static inline struct cgw_run as_cgw_run(const struct cgw *w, uint32_t r)
{
	const struct as_rows *of[CGW_KINDS] = {&w->prof->self, &w->prof->call, &w->prof->jump};
	enum cgw_kind kind = CGW_SELF;

	for (; kind + 1 < CGW_KINDS && r >= of[kind]->run.n; ++kind)
		r -= (uint32_t)of[kind]->run.n;
	return (struct cgw_run){.rows = of[kind], .run = &of[kind]->run.p[r], .kind = kind};
}

static inline const struct as_run *as_cgw_run_at(const struct cgw *w, size_t i)
{
	return as_cgw_run(w, w->run_order[i]).run;
}

/* callgrind_write_batch.c: the blocks of the current part: runs [FROM, TO) of run_order. */
enum as_code as_cgw_blocks(struct cgw *w, size_t from, size_t to) AS_NODISCARD;

enum { CGW_KIND_BITS = 2, CGW_KIND_MASK = 3 }; /* lowest bits of a packed place */

/* callgrind_write_func.c: the block of one function: runs [FROM, TO) of run_order. AS_E_NOMEM, or
 * AS_E_LIMIT for b->too_large; the text up to there is made. Several threads may be at it. */
enum as_code as_cgw_func(struct cgw_block *b, size_t from, size_t to) AS_NODISCARD;
void as_cgw_block_release(struct cgw_block *b);
/* Release all but the text. */
void as_cgw_block_shrink(struct cgw_block *b);

/* callgrind_write_rows.c: the rows of these runs become items; false if out of memory. */
AS_NODISCARD bool as_cgw_load(struct cgw_block *b, size_t from, size_t to);
/* The values of IT, packed or a single one, go to b->value; false likewise. */
AS_NODISCARD bool as_cgw_spill(struct cgw_block *b, struct as_rows_packed *it);
/* Add the values of FROM, which stands at the same place, to those of TO; false likewise. */
AS_NODISCARD bool as_cgw_add_up(
	struct cgw_block *b, struct as_rows_packed *to, const struct as_rows_packed *from);

/* callgrind_write_sort.c */
/* Make b->key. Calls and jumps that stand at one place may be left in any order. */
AS_NODISCARD bool as_cgw_sort_items(struct cgw_block *b);
/* Order those at the place of key I, the first of them, by their targets. */
AS_NODISCARD bool as_cgw_sort_targets(struct cgw_block *b, size_t i);
/* Keys I and J, whose order is final, are of rows that become one. */
bool as_cgw_same_place(const struct cgw_block *b, size_t i, size_t j);

/* callgrind_write_name.c: a line that is a key and the name of HANDLE in the key's group. */
static inline void as_cgw_name(struct cgw_block *b, enum cgw_key key, uint32_t handle)
{
	struct cgw_text *t = &b->text;
	struct cgw_ref ref = {t->out.off + t->out.n, handle, key};

	if (AS_UNLIKELY(!as_vec_push(b->w->al, &t->ref, ref)) && t->out.rc == AS_OK)
		t->out.rc = AS_E_NOMEM;
}

/* ASIDE: none of it goes into the file before as_cgw_text_flush(). */
AS_NODISCARD bool as_cgw_text_open(struct cgw_text *t, struct cgw *w, bool aside);
/* All that there is goes into the file; one text after the other. */
void as_cgw_text_flush(struct cgw_text *t);
void as_cgw_text_release(struct cgw_text *t);

#endif
