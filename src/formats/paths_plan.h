/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What formats of paths write that have tables of mappings, functions, locations and stacks, in an
 * order that depends on what it says alone: so the same profile gives the same bytes. A location
 * is an address and the lines of code there, one for each function that was inlined.
 *
 *	paths_plan.c	functions, locations, stacks, samples, in order
 *	paths_maps.c	mappings, and addresses in memory
 */
#ifndef AS_FORMATS_PATHS_PLAN_H
#define AS_FORMATS_PATHS_PLAN_H

#include "base/sort.h"
#include "formats/format.h"
#include "model/labels.h"

/* as_place_more.extra is fields of a location; this one is its line's. */
enum { AS_PLAN_EXTRA_LINE = 4 };

/* ---- mappings ---- */

/* How the addresses of an object become addresses in memory. */
enum as_plan_way {
	AS_PLAN_AS_IT_IS, /* no mapping, or one that holds the address */
	AS_PLAN_BY_FILE,  /* by the place in the file that a mapping maps */
	AS_PLAN_MADE,     /* in a mapping of ours, where address and place are the same */
};

struct as_plan_object {
	enum as_plan_way way;
	uint32_t first, n;       /* of its mappings, in as_pb_maps.order */
	uint32_t number;         /* of its first mapping in the file, 0 = none */
	uint64_t low, high;      /* addresses that are used; LOW > HIGH: none is */
	bool used, memory, file; /* all are in the mappings' memory, or places in the file */
};

struct as_plan_maps {
	AS_VEC(struct as_map) map; /* as they are written */
	AS_VEC(uint32_t) order;    /* by object and offset */
	AS_VEC(uint64_t) end;      /* in the file, the last of this one and those before it */
	struct as_plan_object *object;
	uint32_t *id;        /* of each of the profile's mappings; 0 = it is not written */
	uint64_t n_left_out; /* mappings of no code */
};

/* ---- tables in an order of their own ---- */

/* A tree whose nodes are told apart by parent and label. Row 0 is the root. */
struct as_plan_tree {
	AS_VEC(uint32_t) parent;
	AS_VEC(uint32_t) label;
	struct as_index index;
	/* Of each, parents first and siblings by the ranks of their labels; NULL: that is the order
	 * that they stand in. */
	uint32_t *number;
};

static inline uint32_t as_plan_number(const struct as_plan_tree *t, uint32_t i)
{
	return t->number ? t->number[i] : i;
}

/* A line of a location; the outermost has what is the location's as well. */
struct as_plan_frame {
	uint32_t func; /* row of as_plan.func */
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
};

struct as_plan_sample {
	uint32_t stack; /* its number */
	uint32_t set;   /* of labels: rank */
	uint32_t row;
};

struct as_plan {
	const struct as_alloc *al;
	const struct as_profile *prof;
	struct as_err *err;
	bool small; /* samples in the order that takes less room where it is compressed */
	struct as_arena arena;
	struct as_plan_maps maps;
	struct as_label_order labels;
	AS_VEC(struct as_func_row) func;
	AS_VEC(struct as_plan_frame) frame;
	struct as_index funcs, frames;
	bool frames_shared; /* by places, or by a place that is asked for again */
	uint32_t *run_func; /* of each run of self rows, where these are written as they are */
	uint32_t *place;    /* frame + 1 of each place; 0 = not asked for yet */
	uint32_t *func_id;  /* of each; 0 = not used */
	uint32_t *loc_id;   /* likewise of each node of LOC */
	uint32_t *loc_at;   /* the node of each number */
	struct as_order func_order, frame_order, sample_order;
	struct as_plan_tree loc, stack;
	uint32_t *node_loc, *node_top; /* of each node of the profile */
	uint32_t *node_stack;          /* likewise; NULL: each is the stack of its number */
	AS_VEC(struct as_plan_sample) sample;
};

/* Everything that is written, in order. AL is a pool: nothing but as_plan_release() gives back. */
enum as_code as_plan_make(struct as_plan *w) AS_NODISCARD;
/* Maps and functions alone, of self rows that are written as they are. Those that are used are for
 * the caller to mark in func_id, before as_plan_number_funcs(). */
enum as_code as_plan_make_rows(struct as_plan *w) AS_NODISCARD;
void as_plan_number_funcs(struct as_plan *w);
/* A function of which nothing is known. */
bool as_plan_is_nothing(const struct as_func_row *f);
void as_plan_init(struct as_plan *w, const struct as_alloc *al, const struct as_profile *prof,
	struct as_err *err);
void as_plan_release(struct as_plan *w);
/* Whether a location, a node of LOC, has lines: one line that says nothing is none. */
bool as_plan_has_lines(const struct as_plan *w, uint32_t loc);
/* The frame that has what is a location's as a whole: its outermost line. */
const struct as_plan_frame *as_plan_outer(const struct as_plan *w, uint32_t loc);

/* For as_plan_make(): which mappings there are, and how addresses become what the file has. */
enum as_code as_plan_maps_make(struct as_plan *w) AS_NODISCARD;
/* The mapping's id (0 = none) and the address in memory of ADDR in OBJECT. */
uint32_t as_plan_locate(const struct as_plan *w, as_object object, uint64_t *addr);
/* Mapping I of those that are written is the first of an object whose addresses are virtual, and
 * read back they would not be. */
bool as_plan_is_virtual(const struct as_plan *w, size_t i);

#endif
