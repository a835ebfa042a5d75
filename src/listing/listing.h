/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One function in detail: what each of its lines or instructions costs, which calls are made
 * there, where jumps go. Exact: a listing only sums. The self costs of its own rows (by line the
 * outermost, by address those of FUNC) add up to the function's self cost, those of all rows to
 * that of its code.
 *
 * Rows by line are a tree of places. The outermost ones (parent 0) are lines of the function
 * itself, also those that Callgrind attributes to another file. Where the profile knows that code
 * was inlined there, its lines are rows below the line of the call; their self cost is that of the
 * inlined function, and part of the inclusive cost of the rows above.
 * Rows by address are flat: code that was inlined is the function's own there.
 *
 * Inclusive cost of a row
 *	paths	that of the paths through it, each counted once
 *	calls	self cost and the calls made there; calls back into the same function or cycle
 *		are left out, as their cost is already that of the call that came in
 *	places	not known; where they have become paths of what was inlined (as_listing_opts), that
 *		of a line and what was inlined there
 */
#ifndef AS_LISTING_LISTING_H
#define AS_LISTING_LISTING_H

#include "base/err.h"
#include "model/profile.h"

struct as_list_row {
	uint32_t
		parent; /* number of the row that it was inlined into + 1; 0 = the function's own */
	uint32_t depth; /* how many rows are above it */
	as_func func;   /* whose line it is: the function's, or that which was inlined */
	as_file file;
	uint64_t line;          /* 0 = not known */
	uint64_t addr;          /* by address; 0 = not known */
	uint32_t call, n_calls; /* its rows of listing.call */
	uint32_t jump, n_jumps; /* its rows of listing.jump */
};

/* What is called from a row. */
struct as_list_call {
	uint32_t row;
	as_func callee;
	bool has_count;
	bool inner;   /* it stays in the function or its cycle: no part of the inclusive cost where
			 that is summed from calls; a path counts for a row once */
	as_val count; /* times; paths do not know */
};

struct as_list_jump {
	uint32_t row;
	bool conditional;
	as_func func; /* where it leads to: 0 = the same function */
	as_file file;
	uint64_t line, addr;
	as_val executed, followed;
};

/* Outermost rows of one source file. */
struct as_list_block {
	as_file file;
	uint32_t row, n_rows; /* of listing.row, with what was inlined there */
};

/* Code of no known function, which is listed with what lies around it: all such addresses of the
 * object that are AS_STRETCH_GAP bytes apart at the most. */
enum { AS_STRETCH_GAP = 256 };
struct as_list_stretch {
	uint64_t addr;        /* that was asked for; 0: the listing is that of a function */
	uint64_t start, last; /* the lowest and the highest */
};

struct as_listing {
	const struct as_alloc *al;
	const struct as_profile *prof; /* borrowed */
	struct as_arena arena;
	as_func func;         /* one of the functions that are listed together */
	struct as_slice name; /* borrowed from PROF; empty: not known */
	struct as_list_stretch stretch;
	uint32_t n_events;
	bool by_addr;             /* its rows are addresses, not lines */
	bool places;              /* as in the options */
	bool has_incl, has_calls; /* of the function: what follows is known; of no stretch */
	as_val *self, *incl;      /* of the function, n_events values */
	as_val *most; /* likewise; of a member of a cycle what may pass through it, else NULL */
	as_val *code; /* likewise: self cost with that of what was inlined, the sum of all rows */
	as_val calls;
	const as_val *total; /* of the profile; borrowed */

	AS_VEC(struct as_list_row) row; /* by line: own file first, then by cost; by line in it */
	AS_VEC(as_val) row_self;        /* n_events values a row */
	AS_VEC(as_val) row_incl;        /* likewise; meaningful if row_has_incl */
	bool row_has_incl;
	AS_VEC(struct as_list_call) call;   /* of a row: most expensive first */
	AS_VEC(as_val) call_cost;           /* n_events inclusive costs a call */
	AS_VEC(struct as_list_jump) jump;   /* of a row: by target */
	AS_VEC(struct as_list_block) block; /* by line only */
};

/* Functions that were asked for, and what all their listings need. */
struct as_listings;

struct as_listing_opts {
	bool keep_contexts; /* f'2 and f'caller are functions of their own */
	bool no_cycles;     /* calls inside cycles count */
	/* The paths are places, each a function and what was inlined there: what it calls is not
	 * known. */
	bool places;
	/* Of call paths, rows with their self costs are all that is asked for: no calls, and no
	 * inclusive costs. */
	bool rows;
	bool want_edges; /* as_listings_table() has edges */
	size_t best;     /* as of struct as_project_opts: no more functions have to be found */
	uint32_t event;  /* functions and calls are sorted by it */
};

/* PROF outlives it. Release with as_listings_free(). */
enum as_code as_listings_open(struct as_listings **out, const struct as_profile *prof,
	const struct as_listing_opts *opts, struct as_err *err) AS_NODISCARD;
void as_listings_free(struct as_listings *ls); /* NULL is fine */

/*
 * Find functions by what somebody typed. The first of these that finds any decides: the name;
 * the name without its arguments; CALLED, if there is one (a name as it is shown, say);
 * [OBJECT+0xADDR], code without a name, also without the
 * brackets; FILE:LINE, a line with cost and the end of its file's path; OWN, if there is one (a
 * part of what the function itself is called, say); a part of the name (that of all, if WHAT is
 * empty); MATCH, if there is one (a regular expression, say).
 */
typedef bool as_match_fn(void *ctx, struct as_slice name);
struct as_listing_how {
	as_match_fn *called, *own, *match; /* NULL: none */
	void *called_ctx, *own_ctx, *match_ctx;
};
/* The same among other functions than those of a profile, in two halves: the whole of a name, and a
 * part of it. False if out of memory. */
struct as_found {
	uint32_t *p; /* as AS_VEC */
	size_t n, cap;
};
struct as_named {
	const struct as_alloc *al;
	const void *of;
	size_t n;
	/* Of the Ith, largest first, and its row; empty: it has none. */
	struct as_slice (*name)(const void *of, size_t i, uint32_t *row);
	struct as_found *found; /* gets rows */
	bool nameless;          /* a pattern may match those without a name, too */
};
AS_NODISCARD bool as_named_wholly(
	struct as_named *nm, struct as_slice what, const struct as_listing_how *how);
AS_NODISCARD bool as_named_partly(
	struct as_named *nm, struct as_slice what, const struct as_listing_how *how);
/* HOW may be NULL. */
enum as_code as_listings_find(struct as_listings *ls, struct as_slice what,
	const struct as_listing_how *how, struct as_err *err) AS_NODISCARD;
/* What a row says of a function; an empty text, or 0, says that it is not known. */
struct as_listing_id {
	struct as_slice name, file, object;
	uint64_t addr;
};
/* A function is named, by less than its address. */
static inline bool as_listing_id_is_set(const struct as_listing_id *id)
{
	return id->name.p || id->file.p || id->object.p;
}
/* Find the functions of which that is said, all of it, and nothing else. If there are none, those
 * of that name of which more is known: rows of lines and of comparisons say less. */
enum as_code as_listings_find_id(
	struct as_listings *ls, const struct as_listing_id *id, struct as_err *err) AS_NODISCARD;
/* How many were found. */
size_t as_listings_n(const struct as_listings *ls);

/* The table by function that they were found in, and the row of the Nth. */
struct as_table;
const struct as_table *as_listings_table(const struct as_listings *ls);
uint32_t as_listings_row(const struct as_listings *ls, size_t n);

/* Listings that are made from now on are by address, not by line. */
void as_listings_by_addr(struct as_listings *ls, bool by_addr);

/* The Nth function that was found, from 0, largest first. OUT ends in as_listing_release(), also
 * on failure. */
enum as_code as_listing_make(
	struct as_listings *ls, size_t n, struct as_listing *out, struct as_err *err) AS_NODISCARD;
void as_listing_release(struct as_listing *l);

/* An instruction: addresses from START up to, not including, LIMIT. */
struct as_list_span {
	uint64_t start, limit;
};
/* On call paths, addresses inside one of the N spans, ascending, become its start in listings that
 * are made from now on: callers are known by the last byte of their call. SPAN is borrowed. */
void as_listings_snap(struct as_listings *ls, const struct as_list_span *span, size_t n);

/* All functions of the profile, largest first, for those who look for similar names. */
size_t as_listings_all(const struct as_listings *ls);
struct as_slice as_listings_name(const struct as_listings *ls, size_t i);
/* A source file of the profile, the first; "": it has none. */
struct as_slice as_listings_file(const struct as_listings *ls);

/* The name of F as it is shown, with contexts folded if they are; borrowed from PROF. */
struct as_slice as_listing_func_name(const struct as_listings *ls, as_func f);

/* What stands for a name where there is none: the address that was asked for, or where the function
 * begins; 0 if it is an object's nameless code as a whole. */
static inline uint64_t as_listing_addr(const struct as_listing *l)
{
	if (l->stretch.addr)
		return l->stretch.addr;
	return as_func_is_whole(l->prof, l->func) ? l->prof->func.addr.p[l->func.i] : 0;
}

static inline const as_val *as_list_self(const struct as_listing *l, size_t row)
{
	return as_at(l->row_self.p, row * l->n_events);
}

static inline const as_val *as_list_incl(const struct as_listing *l, size_t row)
{
	return as_at(l->row_incl.p, row * l->n_events);
}

static inline const as_val *as_list_call_cost(const struct as_listing *l, size_t call)
{
	return as_at(l->call_cost.p, call * l->n_events);
}

#endif
