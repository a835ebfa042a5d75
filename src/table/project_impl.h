/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the projection share.
 *
 *	project.c	 the order of things, and the finished table
 *	project_keys.c	 facts to rows: which row a place belongs to
 *	project_edges.c	 pairs of rows
 *	project_callees.c	 the same for profiles of any size
 *	project_calls.c	 self rows and calls
 *	project_funcs.c	 the same by function, part by part
 *	project_lines.c	 lines, function by function
 *	project_pairs.c	 who calls whom, for a thread of its own
 *	project_paths.c	 call chains
 *	inclusive.c	 cycles collapsed
 */
#ifndef AS_TABLE_PROJECT_IMPL_H
#define AS_TABLE_PROJECT_IMPL_H

#include "base/index.h"
#include "change/kit/context.h"
#include "change/kit/graph.h"
#include "table/project.h"

/* Accumulators, each of n_events values a row. */
enum as_col { AS_COL_SELF, AS_COL_INCL, AS_COL_OUT, AS_COL_COUNT };

enum { AS_KEY_CACHE = 1024, AS_PROJ_BATCH = 32 };

enum { AS_IN_EVER = 1, AS_IN_PART = 2, AS_IN_SELF = 4 };

/* What is remembered of a row while calls are summed. */
struct as_proj_state {
	as_val called;   /* times */
	uint32_t part;   /* + 1: in which it occurred last; 0 = in none yet */
	uint32_t caller; /* + 1: the row whose pair with this one was noted last */
	uint32_t has_in; /* AS_IN_*: another row calls it; it calls itself */
};

struct as_proj {
	const struct as_profile *prof;
	const struct as_alloc *al;
	const struct as_project_opts *opts;
	uint32_t e; /* events */
	struct as_fold fold;
	as_val *row; /* scratch: the values of AS_PROJ_BATCH rows of any table */

	/* rows of the table to be */
	AS_VEC(struct as_key) key;
	struct as_index index; /* of hashed keys */
	uint32_t *dense;       /* row + 1 of function, file or object; 0 = none yet */
	size_t n_dense;
	uint32_t *cache; /* row + 1 of keys seen lately */
	unsigned cols;   /* 1 << AS_COL_*: those in use */
	AS_VEC(as_val) col[AS_COL_COUNT];
	AS_VEC(uint32_t) touched; /* by function: rows that occur in the part that is summed */
	bool want_state;
	AS_VEC(struct as_proj_state)
	state; /* of each row; empty if it is not wanted: when only
				* places are known, or lines and addresses of calls */

	bool want_pairs;
	bool want_self; /* also those of a row with itself, and they are asked for later */
	bool fixed;     /* no rows are made: another thread reads them */
	struct as_pairs pairs;
	uint32_t *cycle; /* of each of the first N_CYCLE rows; NULL = there are none */
	uint32_t n_cycle, n_cycles;
	as_val *cycle_called; /* of each cycle, from outside */
	uint32_t *func_cycle; /* of each function, by line and address; likewise */

	/* By address: how far inside of others the code of a row's function is inlined, 0 for one
	 * that only calls there; and of what is looked up now. */
	AS_VEC(uint8_t) depth;
	uint8_t depth_now;
	uint8_t *of_place_depth; /* of each place of a path */

	uint32_t *of_place; /* row + 1 of each place of a path that has samples */
	uint8_t *live;      /* of each node: it leads to a sample; 0: samples without a stack */

	struct as_graph graph; /* of the table's edges, where they are wanted */
	uint32_t *slot;        /* of a callee's row: where its last edge was found */
	struct as_edge *edge;
};

/* ---- keys ---- */
enum as_code as_proj_init(struct as_proj *p, const struct as_profile *prof,
	const struct as_project_opts *opts) AS_NODISCARD;
void as_proj_release(struct as_proj *p);
/* Room for N rows of the table of functions in all, and no more. */
AS_NODISCARD bool as_proj_room(struct as_proj *p, size_t n);
/* A new row; KEY is not looked up. */
enum as_code as_proj_row(struct as_proj *p, const struct as_key *key, uint32_t *row) AS_NODISCARD;
/* The row that POS belongs to, made if it is new. */
enum as_code as_proj_key(struct as_proj *p, const struct as_pos *pos, uint32_t *row) AS_NODISCARD;
/* The key of POS by line or address. */
struct as_key as_proj_site(const struct as_proj *p, const struct as_pos *pos);
/* Ask for the memory where the row of POS, by line or address, will be looked up. */
void as_proj_expect(const struct as_proj *p, const struct as_pos *pos);
/* The row that a call's values lead to. */
enum as_code as_proj_callee(struct as_proj *p, const as_val *v, uint32_t *row) AS_NODISCARD;

static inline as_val *as_proj_at(struct as_proj *p, enum as_col col, uint32_t row)
{
	return as_at(p->col[col].p, (size_t)row * p->e);
}

/* A function that only stands for the nameless code of an object: its rows are told apart by
 * their own addresses. */
static inline bool as_proj_is_object_code(const struct as_proj *p, uint32_t f)
{
	const struct as_profile *prof = p->prof;

	return !prof->func.name.p[f].i && !prof->func.addr.p[f] && prof->func.object.p[f].i &&
	       !p->opts->whole_objects;
}

/* Values in a row of any table. */
static inline size_t as_proj_row_values(const struct as_proj *p)
{
	return (size_t)p->e + AS_CALL_COST;
}

static inline void as_proj_sub(as_val *sum, const as_val *v, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++)
		sum[k] -= v[k];
}

/* The page asks for all rows (wasm/). */
#ifdef AS_NO_BEST
#define AS_HAS_BEST false
#else
#define AS_HAS_BEST true
#endif

/* The best rows only, if they can be told without the others; AS_END if not, nothing has
 * changed then. */
enum as_code as_proj_best(struct as_proj *p, struct as_table *t) AS_NODISCARD;
/* The same of lines. */
enum as_code as_proj_lines(struct as_proj *p, struct as_table *t) AS_NODISCARD;

/* ---- facts ---- */
/* Self rows and calls: rows, their sums, and what they call; then cycles. */
enum as_code as_proj_calls(struct as_proj *p) AS_NODISCARD;
enum as_code as_proj_funcs(struct as_proj *p) AS_NODISCARD;
enum as_code as_proj_call_edges(struct as_proj *p) AS_NODISCARD;
/* FN with each call row's values, in p->row, and the rows of the table that it is from and to. */
enum as_code as_proj_each_call(struct as_proj *p,
	void (*fn)(struct as_proj *p, void *ctx, uint32_t from, uint32_t to), void *ctx)
	AS_NODISCARD;
/* The cycles of functions, for the calls made at lines and addresses. */
enum as_code as_proj_func_cycles(struct as_proj *p) AS_NODISCARD;
/* The call whose values are in p->row, out of FROM, leads back into the same function or cycle. */
bool as_proj_comes_back(const struct as_proj *p, as_func from);
/* Leave the calls inside cycles out of the inclusive cost of their members. */
enum as_code as_proj_calls_leaving(struct as_proj *p) AS_NODISCARD;
/* p->pairs of calls by function, the calls' runs in ORDER, and their cycles. AS_END if a function
 * has no row. Changes nothing else of P. */
enum as_code as_proj_pairs(struct as_proj *p, const uint32_t *order) AS_NODISCARD;
/* p->cycle out of p->pairs, unless it is known. */
enum as_code as_proj_find_cycles(struct as_proj *p) AS_NODISCARD;
/* Find the cycles, and put an end to what they count again and again. */
enum as_code as_proj_cycles(struct as_proj *p) AS_NODISCARD;
enum as_code as_proj_cycle_rows(struct as_proj *p) AS_NODISCARD;
/* Paths: first the rows, then the sums, and the edges' if there are any. */
enum as_code as_proj_paths_rows(struct as_proj *p) AS_NODISCARD;
enum as_code as_proj_paths_sums(struct as_proj *p) AS_NODISCARD;
/* What the reader has added up. */
enum as_code as_proj_read_sums(struct as_proj *p) AS_NODISCARD;

/* ---- edges ---- */
/* Note that FROM calls TO. */
static inline enum as_code as_proj_pair(struct as_proj *p, uint32_t from, uint32_t to)
{
	uint32_t *last = &p->state.p[to].caller;

	if (*last == from + 1)
		return AS_OK;
	*last = from + 1;
	return as_pairs_add(p->al, &p->pairs, from, to) ? AS_OK : AS_E_NOMEM;
}

/* All pairs are noted: make the table's edges, all of cost 0. */
enum as_code as_proj_make_edges(struct as_proj *p, struct as_table *t) AS_NODISCARD;
/* Which of p->graph's pairs it is. */
size_t as_proj_edge_at(struct as_proj *p, uint32_t from, uint32_t to);
struct as_edge *as_proj_edge(struct as_proj *p, uint32_t from, uint32_t to);

/* Likewise: the table's callees and their sums. */
enum as_code as_proj_make_callees(struct as_proj *p, struct as_table *t) AS_NODISCARD;
/* P, whose columns the table has by now, stays with it. False if out of memory. */
AS_NODISCARD bool as_proj_keep(const struct as_proj *p, struct as_table *t);
void as_proj_drop(struct as_table *t);

#endif
