/* SPDX-License-Identifier: Apache-2.0 */
/* Writing text of `perf script`: what its files share. docs/formats/perfscript.md. */
#ifndef AS_FORMATS_PERFSCRIPT_WRITE_H
#define AS_FORMATS_PERFSCRIPT_WRITE_H

#include "base/sort.h"
#include "formats/perfscript/perfscript.h"

/* An event of perf's: the column of what its samples stand for, and that of how many there are.
 * One of them may be PS_NONE. */
struct ps_pair {
	uint32_t weight, count;
	struct as_slice name; /* as it is written */
};

/* How a place is written. */
struct ps_place_text {
	struct as_slice plain, inlined; /* lines; p == NULL: not asked for yet */
};

/* What a block is the sum of. */
struct ps_block {
	int64_t time;
	uint32_t part, pair;
	as_node node;
	as_val weight, count;
};

/* A moment, on its way to a block. */
struct ps_row {
	uint32_t part, pair;
	as_node node;
	bool is_count;
	as_val value;
};

struct as_ps_write {
	struct as_wr *wr;
	const struct as_profile *prof;
	const struct as_alloc *al;
	struct as_arena arena;

	AS_VEC(struct ps_pair) pair;
	uint32_t *pair_of;           /* of each event */
	struct as_slice *thread;     /* "NAME PID/TID " of each part */
	struct as_slice *name;       /* of those that are another one than THREAD says; else "" */
	struct ps_place_text *place; /* of each */
	uint32_t *below; /* of each node: the one whose code it is inlined into, or itself */
	uint32_t *rank;  /* of each node, in an order that is the same for all profiles
				      * that are */
	AS_VEC(struct ps_row) row; /* of one time */
	AS_VEC(uint32_t) order;

	/* what is lost */
	uint64_t n_names, n_objects, n_addrs, n_lines, n_marks, n_numbers, n_process, n_labels,
		n_merged, n_units;
	uint8_t *files; /* 1: it is written */
};

/* perfscript_write_names.c: THREAD and PAIR */
enum as_code as_ps_write_threads(struct as_ps_write *w) AS_NODISCARD;
enum as_code as_ps_write_pairs(struct as_ps_write *w) AS_NODISCARD;

/* perfscript_write_text.c; p == NULL: out of memory */
struct as_slice as_ps_write_frame(struct as_ps_write *w, as_node node);
/* A copy of S, ours to change, without what would end a line or is trimmed from its ends. */
struct as_slice as_ps_write_copy(struct as_ps_write *w, struct as_slice s);
/* S, ours, shall not be taken for another record than a sample. */
void as_ps_hide_record(struct as_slice s);

/* perfscript_write_order.c: RANK and BELOW */
enum as_code as_ps_write_order(struct as_ps_write *w) AS_NODISCARD;

enum as_code as_ps_write(struct as_wr *wr, const struct as_profile *prof) AS_NODISCARD;

#endif
