/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the listing share.
 *
 *	listing.c	 which functions, and the order of things
 *	listing_find.c	 what somebody typed to functions
 *	listing_facts.c	 self rows, calls and jumps to rows
 *	listing_nodes.c	 the tree of paths, in an order for all functions
 *	listing_paths.c	 call chains to rows
 *	listing_sort.c	 rows in the order in which they are read
 */
#ifndef AS_LISTING_LISTING_IMPL_H
#define AS_LISTING_LISTING_IMPL_H

#include "base/index.h"
#include "base/pool.h"
#include "change/kit/context.h"
#include "listing/listing.h"
#include "table/project.h"

/* The page asks for listings as a whole (wasm/). */
#ifdef AS_NO_BEST
#define AS_HAS_ROWS false
#else
#define AS_HAS_ROWS true
#endif

/* Made when the first listing is; all zero before. Nodes that are not live are in none of it. */
struct as_list_nodes {
	struct as_pool pool;
	size_t n; /* nodes; 0 = not made */
	/* Of each node: the profile's, or, where no more than rows is asked for, those of a small
	 * tree, and OF says which of its nodes each of the profile's is. */
	const as_node *parent;
	const as_place *place;
	const uint8_t *live;
	uint32_t *of;
	uint32_t *at;    /* the node at each place: what is below a node follows it */
	uint32_t *pre;   /* the place of each node */
	uint32_t *end;   /* of each node: the place behind the last below it */
	uint32_t *next;  /* of each node: the next one of its group; 0 = none */
	uint32_t *first; /* of each group: its first node */
	as_val *cost;    /* of each node, with what is below: n_events values */
	/* Zero but while a listing is made: */
	uint32_t *row;  /* of each node: row + 1; 0 = not ours */
	uint32_t *call; /* of each node: call + 1 */
};

struct as_listings {
	const struct as_alloc *al;
	const struct as_profile *prof;
	struct as_listing_opts opts;
	struct as_fold fold;
	struct as_table *table; /* by function */
	uint32_t *order;        /* its rows, largest first, without those of cycles */
	size_t n_order;
	uint32_t *table_row; /* of each function: row of TABLE + 1; 0 = none */
	uint8_t *live;       /* of each node; NULL = there are no paths */
	struct as_list_nodes nodes;
	struct as_found found; /* rows of TABLE */
	bool by_addr;          /* listings that are made now */
	const struct as_list_span *span;
	size_t n_span;
};

/* While a listing is made. */
struct as_lister {
	struct as_listings *ls;
	const struct as_profile *prof;
	const struct as_alloc *al;
	struct as_listing *out;
	uint32_t group; /* the function; one of those of a stretch */
	uint32_t e;     /* events */
	struct as_index rows, calls, jumps;
	as_val *scratch; /* the values of one row of any table */
};

static inline uint32_t as_lister_group(const struct as_lister *l, as_func f)
{
	return l->ls->fold.group[f.i];
}

/* Code of FUNC at ADDR is what is listed. */
static inline bool as_lister_is_ours(const struct as_lister *l, as_func func, uint64_t addr)
{
	const struct as_list_stretch *st = &l->out->stretch;
	const struct as_profile *prof = l->prof;

	if (!st->addr)
		return as_lister_group(l, func) == l->group;
	addr = addr ? addr : prof->func.addr.p[func.i];
	return !prof->func.name.p[func.i].i && !as_func_is_whole(prof, func) && addr >= st->start &&
	       addr <= st->last && prof->func.object.p[func.i].i == prof->func.object.p[l->group].i;
}

/* The function that a row of FUNC's is of: one for all of a stretch. */
static inline as_func as_lister_func(const struct as_lister *l, as_func func)
{
	bool nameless = l->out->stretch.addr && !l->prof->func.name.p[func.i].i &&
			!as_func_is_whole(l->prof, func);

	return (as_func){nameless ? l->group : as_lister_group(l, func)};
}

/* The row like KEY (its parent, func, file, line, addr), made if it is new. */
enum as_code as_lister_row(struct as_lister *l, const struct as_list_row *key, uint32_t *row)
	AS_NODISCARD;
/* The call from ROW to CALLEE, likewise. */
enum as_code as_lister_call(struct as_lister *l, uint32_t row, as_func callee, uint32_t *call)
	AS_NODISCARD;

/* False if out of memory. */
AS_NODISCARD bool as_list_nodes_make(struct as_listings *ls);
void as_list_nodes_release(struct as_list_nodes *t);

enum as_code as_lister_facts(struct as_lister *l) AS_NODISCARD;
enum as_code as_lister_paths(struct as_lister *l) AS_NODISCARD;
enum as_code as_lister_sort(struct as_lister *l) AS_NODISCARD;

#endif
