/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Call paths by function: a profile's tree of paths in which frames of one function under one
 * parent are one node. Exact, for paths only; inlined calls are nodes of their own.
 *
 * Views of it are lists of rows, depth first, the most expensive first. On each level
 *	callees		  cost of a row = its own cost + the rows below it
 *	callers, bottom-up cost of a row = the rows below it
 * where rows of the kind REST stand for what is too small or too deep, and the kind NO_CALLER
 * for paths that begin with the function above.
 */
#ifndef AS_TREE_CALLTREE_H
#define AS_TREE_CALLTREE_H

#include "table/project.h"

struct as_calltree {
	const struct as_alloc *al;
	const struct as_profile *prof; /* borrowed */
	uint32_t e;                    /* events */
	AS_VEC(struct as_key) key;     /* functions; addr tells nameless ones apart */
	AS_VEC(uint8_t) recursive;     /* of each key; empty: see as_calltree_mark_recursive() */
	AS_VEC(uint32_t) row;    /* of each key, if the tree was made of a table: its row there */
	struct as_fold_how how;  /* as in struct as_table */
	AS_VEC(uint32_t) parent; /* of each node; < its own number; node 0 is the root */
	AS_VEC(uint32_t) key_of; /* of each node, meaningless for the root */
	AS_VEC(as_val) cost;     /* e values a node: self cost, or inclusive */
	bool inclusive;          /* what COST is */
	bool estimated;          /* the paths were made out of calls: */
	AS_VEC(uint8_t) exact;   /* of each node: AS_CALLTREE_*; empty: nothing is known */
	AS_VEC(uint8_t) several; /* of each key: it is several functions of the profile */
};

/* What calls tell for sure. Of a node, once as_calltree_settle() has found out: its inclusive cost;
 * its self cost; all that its function costs is there. Of the functions that a node is of: only one
 * way leads to them, from the one above; no call of them, or below, is in doubt; they are in no
 * circle; they call nothing; they have no cost of their own. */
enum {
	AS_CALLTREE_INCL = 1,
	AS_CALLTREE_SELF = 2,
	AS_CALLTREE_WHOLE = 4,
	AS_CALLTREE_ONLY = 8,
	AS_CALLTREE_SURE = 16,
	AS_CALLTREE_APART = 32,
	AS_CALLTREE_LEAF = 64,
	AS_CALLTREE_IDLE = 128,
};

/* Which function: FUNC and ADDR of a struct as_key. */
struct as_calltree_root {
	as_func func;
	uint64_t addr;
};

/* Whether KEY is of ROOT; NULL is any. */
static inline bool as_calltree_is(const struct as_key *key, const struct as_calltree_root *root)
{
	return !root || (key->func.i == root->func.i && key->addr == root->addr);
}

struct as_calltree_opts {
	bool keep_contexts, fold_clones, whole_objects; /* as in struct as_project_opts */
	/* Only what stands below this function, the outermost if it is there several times; the
	 * function is the only child of the root. NULL: all paths. */
	const struct as_calltree_root *below;
	/* For a view of callees with that MIN, by that EVENT: what such a view leaves out below a
	 * node is not told apart, but part of the node. */
	as_val min;
	uint32_t event;
};

/* Always ends in as_calltree_release(). COST is self cost. */
enum as_code as_calltree_make(struct as_calltree *ct, const struct as_profile *prof,
	const struct as_calltree_opts *opts, struct as_err *err) AS_NODISCARD;
void as_calltree_release(struct as_calltree *ct);

/* The same out of calls: an estimate, by routes.h, of functions. CALLS has callees, cycles, and a
 * row for each function that the profile tells apart; SHOWN is the table of functions as the tree
 * shall have them, and ROW, of each of CALLS, its row there: NULL: both are one. The tree keeps
 * CALLS's profile. */
enum as_code as_calltree_estimate(struct as_calltree *ct, const struct as_table *calls,
	const struct as_table *shown, const uint32_t *row, struct as_err *err) AS_NODISCARD;
/* The bits of the functions of CALLS, by row. */
enum as_code as_calltree_evidence(const struct as_table *calls, uint8_t *bits) AS_NODISCARD;
/* What of ALL, made so and with self cost, stands below BELOW, as in struct as_calltree_opts. */
enum as_code as_calltree_part(struct as_calltree *ct, const struct as_calltree *all,
	const struct as_calltree_root *below, struct as_err *err) AS_NODISCARD;

/* Whether NODE has any cost. */
static inline bool as_calltree_costs(const struct as_calltree *ct, size_t node)
{
	for (size_t k = node * ct->e; k < (node + 1) * ct->e; k++)
		if (ct->cost.p[k])
			return true;
	return false;
}

/* COST from self to inclusive and back. */
void as_calltree_to_inclusive(struct as_calltree *ct);
void as_calltree_to_self(struct as_calltree *ct);

/* Paths that were made out of calls have a function once, so recursion is not seen on them: mark
 * the functions that are recursive in CALLS, a table of what they were made of, by function. */
enum as_code as_calltree_mark_recursive(struct as_calltree *ct, const struct as_table *calls)
	AS_NODISCARD;

struct as_slice as_calltree_name(const struct as_calltree *ct, uint32_t key);
/* Keys by name: no two are equal. */
int as_calltree_cmp(const struct as_calltree *ct, uint32_t a, uint32_t b);

/* ---- paths ---- */

/* The nodes at which paths end, the largest self cost first (of the event EVENT). NODE is the
 * caller's: N of SIZE bytes. */
enum as_code as_calltree_ends(const struct as_calltree *ct, uint32_t event, uint32_t **node,
	size_t *n, size_t *size) AS_NODISCARD;

/* ---- views ---- */

enum as_tree_kind { AS_TREE_FUNC, AS_TREE_REST, AS_TREE_NO_CALLER };
/* Of calls: whether all of a row is exact, its inclusive cost only, or nothing. */
enum as_tree_evidence { AS_TREE_EXACT, AS_TREE_EXACT_INCL, AS_TREE_ESTIMATED };

struct as_tree_row {
	uint32_t depth; /* rows above it */
	uint32_t key;   /* of as_calltree.key, if it is a FUNC */
	enum as_tree_kind kind;
	enum as_tree_evidence evidence;
	bool idle;   /* callees: for sure it has no self cost, whatever the evidence */
	bool again;  /* the function stands further up, too, or is known to be recursive */
	uint64_t n;  /* of a REST: rows it stands for */
	size_t cost; /* in as_tree_view.value: n_events values; callees: then as many of self */
};

enum as_tree_way {
	AS_TREE_CALLEES,   /* from the roots down; inclusive cost */
	AS_TREE_CALLERS,   /* from one function up; its inclusive cost */
	AS_TREE_BOTTOM_UP, /* from where the cost is up; self cost */
};

/* Which costs of the nodes of an estimate are sure, for a view of that way. SHOWN: as the tree was
 * made. OF: the function that it is of; for callees only what stands below is in the tree. */
void as_calltree_settle(struct as_calltree *ct, const struct as_table *shown, enum as_tree_way way,
	const struct as_calltree_root *of);

struct as_tree_opts {
	enum as_tree_way way;
	uint32_t event; /* that sorts, and is compared with MIN */
	uint32_t depth; /* levels; 0 = all */
	as_val min;     /* rows that cost less, either sign, go into REST */
	/* Callers: of this function; bottom-up: only this one's cost. NULL: of all. */
	const struct as_calltree_root *of;
	bool keep_roots; /* rows of the first level are never too small */
};

struct as_tree_view {
	const struct as_calltree *ct; /* borrowed */
	enum as_tree_way way;
	AS_VEC(struct as_tree_row) row;
	AS_VEC(as_val) value;
};

/* CT's cost becomes what the view needs. For callees CT is what shall be shown; for the others
 * it is of all paths. Always ends in as_tree_view_release(). */
enum as_code as_tree_view_make(struct as_tree_view *v, struct as_calltree *ct,
	const struct as_tree_opts *opts, struct as_err *err) AS_NODISCARD;
void as_tree_view_release(struct as_tree_view *v);

#endif
