/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Projections: a profile looked at in one granularity. Self and inclusive cost
 * per key, edges between keys, cycles found. Exact: a projection only sums.
 *
 * Inclusive cost
 *	paths	a path counts for a key once, however often the key is on it.
 *	calls	functions, part by part: the sum of the costs of the calls into the key
 *		from other keys, or its self cost plus the calls out of it to other keys,
 *		whichever is more; the latter if no other key calls it. Keys that call
 *		each other in a cycle are collapsed: the cycle's inclusive cost is its self
 *		cost plus the calls that leave
 *		it, and so is a member's; calls inside do not count (KCachegrind's rule,
 *		see docs/formats/callgrind.md). So nothing exceeds the total.
 *		files and objects: self cost plus the calls to other keys. Code inlined
 *		from another file is, for files, called by the function's own file.
 *		lines, addresses, and a function's code in one file: self cost plus the
 *		calls made there, calls back into the same function or cycle left out.
 *	places	not known: has_incl is 0.
 * A row whose inclusive cost the evidence does not determine (a file or object that is
 * part of a cycle of files or objects) has has_incl 0 as well.
 */
#ifndef AS_TABLE_PROJECT_H
#define AS_TABLE_PROJECT_H

#include "base/err.h"
#include "base/exec.h"
#include "change/kit/context.h"
#include "model/profile.h"

/* AS_BY_FILEFUNC: the code of a function that is in one file; what is inlined into it from others
 * are rows of their own. */
enum as_by { AS_BY_FUNC, AS_BY_FILE, AS_BY_OBJECT, AS_BY_LINE, AS_BY_ADDR, AS_BY_FILEFUNC };

/* A row is some of a function's code, not all that belongs to a name. */
static inline bool as_by_is_site(enum as_by by)
{
	return by == AS_BY_LINE || by == AS_BY_ADDR || by == AS_BY_FILEFUNC;
}

struct as_project_opts {
	enum as_by by;
	bool keep_contexts; /* keep "f'2" and "f'caller" apart instead of folding them into "f" */
	bool no_cycles;     /* raw sums: calls inside cycles count, nothing is collapsed; only the
			     * calls of a key to itself are left out */
	bool whole_objects; /* the nameless code of an object is one row where it is one function,
			      * not one for each address */
	bool fold_clones;   /* "f.isra.0", "f.part.1" ... are "f" (clone_name.h) */
	/* Only so many rows of the highest cost are needed; 0 = all. The table has at least these;
	 * n_rest says how many others it lacks. */
	size_t best;
	uint32_t best_event;  /* by which, and whether by inclusive cost: as as_table_sort() has */
	bool best_inclusive;  /* them; of what only an address has, the first event's self cost */
	bool want_rest;       /* of those: fill rest; then each object has a row */
	bool want_edges;      /* fill edge */
	bool want_callees;    /* fill callee, for profiles of any size; not with edges */
	bool want_places;     /* fill of_place */
	struct as_exec *exec; /* NULL: one thread; borrowed */
};

/* What a row stands for. Fields that do not belong to the granularity are 0. */
struct as_key {
	as_func func;     /* by function, filefunc, line, address; one of the folded otherwise */
	as_file file;     /* by function: where the function is; by filefunc, file, line, address */
	as_object object; /* by object; of the function else */
	unsigned cycle : 30;   /* 1-based number of the cycle it belongs to, or 0 */
	unsigned is_cycle : 1; /* the pseudo row of a whole cycle; FUNC is its largest member */
	/* Where there is a FUNC: its name has contexts or is a clone's, and that is folded. */
	unsigned contexts : 1;
	uint64_t line; /* by line, address (0 = unknown) */
	uint64_t addr; /* by address; by function, filefunc for a nameless function */
};

struct as_edge {
	uint32_t from, to; /* rows of the table */
	as_val *cost;      /* n_events inclusive costs */
	as_val count;
};

/* Rows of an object that were left out. */
struct as_table_rest {
	as_object object;
	as_val cost; /* all is above zero */
	uint64_t n;
};

struct as_table {
	const struct as_alloc *al;
	const struct as_profile *prof; /* what it is a projection of; borrowed */
	struct as_arena arena;         /* owns most of what is below */
	enum as_by by;
	struct as_fold_how how;
	uint32_t n_events;
	size_t n;                   /* rows; pseudo rows of cycles come last */
	uint64_t n_rest;            /* rows that were left out: see as_project_opts.best */
	struct as_table_rest *rest; /* of each object, if wanted and if there are any */
	size_t n_rests;
	size_t n_cycles;
	struct as_key *key;
	as_val *self; /* n * n_events; a cycle's is the sum of its members' */
	as_val *incl; /* n * n_events; meaningful where has_incl is 1 */
	/* n * n_events, or NULL: of members of cycles, no more than that passes through, by the
	 * calls of it and by what passes through the cycle; at least INCL does. See
	 * as_table_most(). */
	as_val *most;
	as_val *calls; /* times called: functions with their recursive calls, as KCachegrind
				* counts; files, objects and cycles from other keys; meaningful
				* where has_calls is 1 */
	uint8_t *has_incl, *has_calls;
	uint8_t *recursive; /* it calls itself, directly or round a cycle */
	as_val *total; /* n_events: the profile's self cost, = sum of self without cycle rows */
	struct as_edge *edge; /* sorted by (from, to); self edges included; paths count for
			       * an edge once */
	size_t n_edges;
	/* Instead of edges, of calls: whom each row calls, ascending, itself included, and what
	 * calls from and to others cost, n * n_events. as_table_call_costs() tells it of each. */
	uint32_t *first; /* of each row in CALLEE; n + 1 */
	uint32_t *callee;
	as_val *in, *out;
	uint32_t *of_place;   /* row + 1 of each place of a path that has samples; or NULL */
	bool has_negative;    /* some call has a negative cost */
	struct as_proj *proj; /* how a call finds its rows */
};

/* TABLE is the caller's: as_table_free(). */
enum as_code as_project(const struct as_profile *prof, const struct as_project_opts *opts,
	struct as_table **table, struct as_err *err) AS_NODISCARD;
void as_table_free(struct as_table *table); /* NULL is fine */
/* Release the inclusive costs, which are not known from then on; the rest of the table stays. */
void as_table_drop_incl(struct as_table *table);

/* What each call of some rows costs. */
struct as_call_costs {
	const struct as_alloc *al;
	size_t *at;   /* of each row: where in COST its callees begin */
	as_val *cost; /* n_events of each */
	size_t rows, n;
};
/* Of the rows that ROW marks, in a table that has callees; its profile still is as it was. Ends in
 * as_call_costs_release(), also on failure. */
enum as_code as_table_call_costs(
	const struct as_table *table, const uint8_t *row, struct as_call_costs *c) AS_NODISCARD;
void as_call_costs_release(struct as_call_costs *c);

/* Whether a row of TABLE, which has callees, stands for several functions of the profile. */
bool as_table_folds(const struct as_table *table);
/* Of each row of FINER, but for those of cycles, the row of TABLE that it is in. Both have callees,
 * and are of one profile, which still is as it was. */
enum as_code as_table_rows_in(
	const struct as_table *table, const struct as_table *finer, uint32_t *row) AS_NODISCARD;

/* What passes through ROW at the most, n_events values, where that is not known: it is a member of
 * a cycle of functions; else NULL. */
static inline const as_val *as_table_most(const struct as_table *t, size_t row)
{
	bool member = t->most && t->key[row].cycle && !t->key[row].is_cycle;

	return member ? t->most + row * t->n_events : NULL;
}

/* The inclusive cost of ROW is more than all there is, and to be seen in a percentage with one
 * decimal: the calls of a file that lies about them. Valgrind itself counts an instruction or two
 * where a program ends that nobody has executed. */
static inline bool as_table_is_above(const struct as_table *t, size_t row, uint32_t event)
{
	as_val whole = as_whole(t->prof)[event];
	as_val excess = t->has_incl[row] ? t->incl[row * t->n_events + event] - whole : 0;

	return whole >= 0 && excess > whole / 2000;
}

/* The function of a row by its name, with contexts folded if the table folds them; borrowed from
 * the profile. */
struct as_slice as_table_func_name(const struct as_table *table, uint32_t row);
/* Rows in the order of these names; then of objects, files, addresses. */
int as_table_cmp_text(const struct as_table *table, uint32_t a, uint32_t b);

/* Row numbers of TABLE, largest first, ties in a fixed order (other events, then names, then
 * line and address), so that output is the same in every run. Pseudo rows of cycles and
 * all-zero rows without calls are included. EVENT is a column; INCLUSIVE sorts by inclusive
 * cost (unknown last). ORDER has room for table->n. */
void as_table_sort(const struct as_table *table, const struct as_profile *prof, uint32_t event,
	bool inclusive, uint32_t *order);

/* As as_table_sort(), but only the first N of ORDER are in order; the others follow anyhow. */
void as_table_best(const struct as_table *table, const struct as_profile *prof, uint32_t event,
	bool inclusive, uint32_t *order, size_t n);

#endif
