/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks of places, each kept once with what was counted there: what a reader makes for a caller
 * who needs sums of functions, where code has no names yet, or a tree of paths would cost more. Two
 * places may turn out to be one function, which a stack counts for once, so as_expand() makes sums
 * when names are known. Until then nothing else may be asked of the profile but what has no name,
 * and what that costs.
 *
 * A stack is a row of 16 bytes and its key: four bytes that say what kind of cost it has and how
 * many bytes each of its places takes, then these, the innermost first. Rows stand on 8 bytes in
 * chunks that never move. What would not fit a row begins another one of the same key.
 *
 * Where stacks have more than two numbers, all rows are wide: the costs of all events stand before
 * the key, and each stack that is added is a row of its own.
 *
 * A reader that has stacks of one event as numbers of 32 bits gives those as they are, flat: they
 * are read as wide rows of that event.
 */
#ifndef AS_MODEL_STACKS_H
#define AS_MODEL_STACKS_H

#include "base/index.h"
#include "model/handles.h"

/* What the two numbers of a stack are of, and what they add up to. */
struct as_stack_kind {
	uint32_t value, times; /* events; AS_STACK_NO_EVENT: none, it is not kept */
	as_val values, all_times;
};

#define AS_STACK_NO_EVENT UINT32_MAX

/* A stack on its way in. */
struct as_stack_ahead {
	uint64_t hash, value;
	uint32_t times;
	uint32_t at, size; /* its key in KEYS */
};

enum { AS_STACKS_AHEAD = 16 };

/* A flat one: DEPTH places from FIRST on, the innermost first. If COUNT is 0 it is none. */
struct as_stack_flat {
	uint64_t count;
	uint32_t first, depth;
};

struct as_stacks_chunk {
	uint8_t *p;
	uint32_t used; /* bytes */
};

struct as_stacks {
	AS_VEC(struct as_stack_kind) kind;
	AS_VEC(struct as_stacks_chunk) chunk;
	AS_VEC(as_val) all; /* of wide rows: what they add up to, a value per event; else empty */
	uint32_t deepest;   /* places of a stack */
	uint64_t n;         /* rows */
	struct as_index index;
	struct as_stack_ahead ahead[AS_STACKS_AHEAD];
	uint32_t n_ahead;
	AS_VEC(uint8_t) keys; /* of those, each with zeros up to the next eighth byte */
	AS_VEC(struct as_stack_flat) flat;
	AS_VEC(uint32_t) flat_place; /* as_place.i */
};

/* Nobody asks the page for them (wasm/). */
#ifdef AS_NO_STACKS
#define AS_HAS_STACKS false
#else
#define AS_HAS_STACKS true
#endif

/* Whether there may be any: costs have kinds. */
static inline bool as_stacks_any(const struct as_stacks *s)
{
	return AS_HAS_STACKS && s->kind.n;
}

void as_stacks_init(struct as_stacks *s, const struct as_alloc *al);
void as_stacks_release(struct as_stacks *s);

/* A kind of cost, from 0 on. False if out of memory. */
AS_NODISCARD bool as_stacks_kind(struct as_stacks *s, uint32_t value, uint32_t times);
enum { AS_STACKS_DEEPEST = 1 << 13 };

/* VALUE and TIMES of KIND in the stack of N places, the outermost first, AS_STACKS_DEEPEST at the
 * most. False if out of memory. */
AS_NODISCARD bool as_stacks_add(struct as_stacks *s, uint32_t kind, const as_place *place,
	uint32_t n, uint64_t value, uint32_t times);
/* All rows will be wide, with the costs of N events; nothing has been added. */
AS_NODISCARD bool as_stacks_widen(struct as_stacks *s, uint32_t n);
/* COST, a value per event, in the stack of N places, as above. */
AS_NODISCARD bool as_stacks_add_wide(
	struct as_stacks *s, const as_place *place, uint32_t n, const uint64_t *cost);
/* Whoever has widened them to one event has put all of them into FLAT, by the allocator of S. */
void as_stacks_flat(struct as_stacks *s);
/* No more come. */
AS_NODISCARD bool as_stacks_end(struct as_stacks *s);

/* Add what all of them are to TOTAL, a value per event. */
void as_stacks_total(const struct as_stacks *s, as_val *total);

/* Walks the stacks. */
struct as_stacks_cur {
	const struct as_stacks *s;
	size_t chunk; /* or the next row of FLAT */
	uint32_t off;
	uint64_t left;
	uint64_t value, times; /* of the current one */
	const uint64_t *cost;  /* instead of these, a value per event, if it is wide */
	uint32_t kind, n;
	const as_place *place; /* its N places, the innermost first */
	as_place *room;        /* where these are put, unless they are flat */
};

/* PLACE has room for the deepest of S and outlives CUR. */
void as_stacks_begin(struct as_stacks_cur *cur, const struct as_stacks *s, as_place *place);
bool as_stacks_next(struct as_stacks_cur *cur);
/* The same, of the innermost place alone: N is 1, or 0. */
bool as_stacks_next_leaf(struct as_stacks_cur *cur);

#endif
