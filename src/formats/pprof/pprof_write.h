/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of pprof's writer share; private to src/formats/pprof. */
#ifndef AS_FORMATS_PPROF_PPROF_WRITE_H
#define AS_FORMATS_PPROF_PPROF_WRITE_H

#include "base/sort.h"
#include "formats/pprof/pprof.h"
#include "model/labels.h"

/* ---- bytes ---- */

/* A message that is being put together. Out of memory is sticky. */
struct as_pb_buf {
	const struct as_alloc *al;
	AS_VEC(char) data;
	bool no_memory;
};

/* Field NUMBER with the value V; nothing if it is 0. */
void as_pb_put_number(struct as_pb_buf *b, uint32_t number, uint64_t v);
void as_pb_put_bytes(struct as_pb_buf *b, uint32_t number, struct as_slice s);
/* A list: packed if there are more than two, as the writers that are in use do. */
void as_pb_put_list(struct as_pb_buf *b, uint32_t number, const uint64_t *v, size_t n);
void as_pb_put_raw(struct as_pb_buf *b, struct as_slice s);
static inline struct as_slice as_pb_bytes(const struct as_pb_buf *b)
{
	return (struct as_slice){b->data.p, b->data.n};
}

/* ---- mappings ---- */

/* How the addresses of an object become addresses in memory. */
enum as_pb_way {
	AS_PB_AS_IT_IS, /* no mapping, or one that holds the address */
	AS_PB_BY_FILE,  /* by the place in the file that a mapping maps */
	AS_PB_MADE,     /* in a mapping of ours, where address and place are the same */
};

struct as_pb_object {
	enum as_pb_way way;
	uint32_t first, n;       /* of its mappings, in as_pb_maps.order */
	uint32_t number;         /* of its first mapping in the file, 0 = none */
	uint64_t low, high;      /* addresses that are used; LOW > HIGH: none is */
	bool used, memory, file; /* all are in the mappings' memory, or places in the file */
};

struct as_pb_maps {
	AS_VEC(struct as_map) map; /* as they are written */
	AS_VEC(uint32_t) order;    /* by object and offset */
	AS_VEC(uint64_t) end;      /* in the file, the last of this one and those before it */
	struct as_pb_object *object;
	uint32_t *id;        /* of each of the profile's mappings; 0 = it is not written */
	uint32_t *has;       /* AS_MAP_HAS_* of each that is written, beside its own */
	uint64_t n_left_out; /* mappings of no code */
};

/* ---- tables in an order of their own ---- */

/* A tree whose nodes are told apart by parent and label. Row 0 is the root. */
struct as_pb_tree {
	AS_VEC(uint32_t) parent;
	AS_VEC(uint32_t) label;
	struct as_index index;
	/* Of each, parents first and siblings by the ranks of their labels. */
	uint32_t *number;
};

/* A line of a location; the outermost has what is the location's as well. */
struct as_pb_frame {
	uint32_t func; /* row of as_pb_write.func */
	uint64_t line, column;
	as_file file; /* where LINE is; 0 = in the function's file */
	as_str extra;
	bool inner;
	bool bare; /* nothing is known of it but the address */
	bool folded;
	uint32_t map;
	uint64_t addr;
	uint64_t
		behind; /* + 1: bytes behind the beginning of a function without a name; 0 = none */
	uint32_t loc;   /* the location that it begins; 0 = none yet */
};

struct as_pb_sample {
	uint32_t stack; /* its number */
	uint32_t set;   /* of labels: rank */
	uint32_t row;
};

struct as_pb_write {
	struct as_wr *wr;
	const struct as_alloc *al;
	const struct as_profile *prof;
	struct as_arena arena;
	struct as_strings str; /* in the order of first use */
	struct as_pb_maps maps;
	struct as_label_order labels;
	AS_VEC(struct as_func_row) func;
	AS_VEC(struct as_pb_frame) frame;
	struct as_index funcs, frames;
	bool frames_shared; /* by places, or by a place that is asked for again */
	uint32_t *place;    /* frame + 1 of each place; 0 = not asked for yet */
	uint32_t *func_id;  /* of each; 0 = not used */
	uint32_t *loc_id;   /* likewise of each node of LOC */
	uint32_t *loc_at;   /* the node of each number */
	struct as_order func_order, frame_order, sample_order;
	struct as_pb_tree loc, stack;
	uint32_t *node_loc, *node_top, *node_stack; /* of each node of the profile */
	AS_VEC(struct as_pb_sample) sample;
	AS_VEC(uint64_t) list; /* scratch */
	struct as_pb_buf msg, sub;
	struct as_pb_buf tail; /* fields behind the strings */
	uint64_t scale; /* a value is made: nanoseconds, so many of each count; 0 = none is */
};

/* The number of TEXT in the table of strings. Out of memory is kept in w->msg. */
uint64_t as_pb_str_of(struct as_pb_write *w, struct as_slice text);

/* Whether samples get a second value. */
void as_pb_plan_period(struct as_pb_write *w);
/* Fill w->maps.has, when it is known what is used. */
enum as_code as_pb_plan_has(struct as_pb_write *w) AS_NODISCARD;
/* Fill w->tail. */
enum as_code as_pb_put_tail(struct as_pb_write *w) AS_NODISCARD;

/* Which mappings there are, and how addresses become what the file has. */
enum as_code as_pb_plan_maps(struct as_pb_write *w) AS_NODISCARD;
/* The mapping's id (0 = none) and the address in memory of ADDR in OBJECT. */
uint32_t as_pb_locate(const struct as_pb_write *w, as_object object, uint64_t *addr);
/* Mapping I of those that are written is the first of an object whose addresses are virtual, and
 * read back they would not be. */
bool as_pb_is_virtual(const struct as_pb_write *w, size_t i);

/* Everything that is written, in order. */
enum as_code as_pb_plan(struct as_pb_write *w) AS_NODISCARD;
/* Whether a location, a node of LOC, has lines: one line that says nothing is none. */
bool as_pb_has_lines(const struct as_pb_write *w, uint32_t loc);

#endif
