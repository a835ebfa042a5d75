/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the files of the comparison share.
 *
 *	diff.c	      runs and their values
 *	diff_match.c  which rows of two runs are one
 *	diff_moved.c  those whose object has another name
 *	diff_scale.c  from counts to figures
 *	diff_rates.c  whether periods can be believed
 *	diff_judge.c  figures, noise, order
 *	diff_sub.c    rows below those: nodes of a tree, lines, calls
 *	diff_turn.c   such a tree the other way up
 */
#ifndef AS_DIFF_DIFF_IMPL_H
#define AS_DIFF_DIFF_IMPL_H

#include "diff/diff_sub.h"

/* Where a row stands in its groups. */
struct as_diff_link {
	uint32_t next[2]; /* + 1: the next row of the group */
	uint32_t run;     /* + 1: the last run that has the row */
	as_str base;      /* base name of its first path */
};

/* What a row was called in the last run. */
struct as_diff_alias {
	as_str name, object, path, build;
	uint32_t row;
};

/* Rows that look alike: of the same name, object and line; of kind 0 also of the same base name
 * of the path. Rows are only ever taken, so each run walks along a group once. */
struct as_diff_group {
	uint32_t first, last; /* rows + 1 */
	uint32_t run, at;     /* + 1: where the walk of this run has come to */
};

void as_diff_free_values(const struct as_diff *d, struct as_diff_run *run);

/* ---- diff_match.c ---- */
/* Find or make the row of each row of TABLE, a run of SIDE: ROW has room for table->n. Rows of
 * cycles get UINT32_MAX. Several rows of TABLE may become one. */
enum as_code as_diff_match(struct as_diff *d, enum as_side side, const struct as_table *table,
	uint32_t *row) AS_NODISCARD;

/* What a row of a table is called. */
struct as_diff_wanted {
	struct as_diff_key key;
	as_str base; /* base name of the path */
};
enum as_code as_diff_describe(struct as_diff *d, const struct as_table *t, uint32_t r,
	struct as_diff_wanted *w) AS_NODISCARD;

/* Run number RUN has ROW. */
static inline void as_diff_take(struct as_diff *d, uint32_t row, uint32_t run)
{
	as_assert(row < d->link.n);
	d->link.p[row].run = run + 1;
}
/* Path and object are now those of this run; by the path later ones may find it exactly. */
enum as_code as_diff_renew(struct as_diff *d, uint32_t row, const struct as_diff_wanted *w)
	AS_NODISCARD;

/* ---- diff_moved.c ---- */
/* Rows of TABLE that have no row yet, where their objects are not those of the other side. */
enum as_code as_diff_match_moved(struct as_diff *d, enum as_side side, const struct as_table *table,
	uint32_t *row) AS_NODISCARD;

/* The row of a function of PROF, the profile that was added last or one that was made out of it;
 * by function. */
struct as_diff_func {
	struct as_slice name; /* contexts and clones folded as in D */
	as_object object;
	as_file file;
	as_func func; /* one of those of that name */
};
enum as_code as_diff_func_row(struct as_diff *d, const struct as_profile *prof,
	const struct as_diff_func *f, uint32_t *row) AS_NODISCARD;

/* ---- diff_scale.c ---- */
/* No figure of EVENT, which is_fine, leaves 127 bits. */
bool as_diff_fits(const struct as_diff *d, uint32_t event);
/* What the event's norm makes of a count of each run. */
void as_diff_factors(struct as_diff *d, uint32_t e);
/* The period of RUN in nanoseconds; 0 = not known, or no time. */
as_val as_diff_period_ns(const struct as_diff *d, const struct as_diff_run *run, uint32_t e);

/* ---- diff_rates.c ---- */
/* The runs have several periods, and by shares there is much less of a difference than by time:
 * a recorder will have missed its rate. All runs have known periods, and totals above 0. */
bool as_diff_is_off_rate(struct as_diff *d, uint32_t e);

/* ---- diff_judge.c ---- */
/* The verdicts of all rows, judged together, and how many there are. */
enum as_code as_diff_judge(struct as_diff *d, uint32_t event, bool inclusive) AS_NODISCARD;

/* ---- diff_sub.c ---- */
/* The row that stands AT, found or made. */
enum as_code as_diff_sub_row(struct as_diff_sub *sub, const struct as_diff_place *at, uint32_t *row)
	AS_NODISCARD;
/* Values of 0 for RUN, of all rows that there are now. */
AS_NODISCARD bool as_diff_run_values(const struct as_diff *d, struct as_diff_run *run);

/* ---- diff_turn.c ---- */
/* Who alone calls whom in CT, a tree out of calls; FUNC: of each of its keys a row of OF. */
enum as_code as_diff_sub_callers_of(
	struct as_diff_sub *sub, const struct as_calltree *ct, const uint32_t *func) AS_NODISCARD;

/* By name, object and path. */
int as_diff_cmp_names(
	const struct as_diff *d, const struct as_diff_key *a, const struct as_diff_key *b);

static inline as_val as_diff_ten_to(unsigned n)
{
	as_val v = 1;

	while (n--)
		v *= 10;
	return v;
}

static inline as_val as_diff_size(as_val v)
{
	return v < 0 ? -v : v;
}

/* The value of a row in a run, 0 where it is not. */
static inline as_val as_diff_raw(const struct as_diff *d, const struct as_diff_run *run,
	uint32_t row, uint32_t event, bool inclusive)
{
	const as_val *v = inclusive ? run->incl : run->self;

	return row < run->n_rows ? v[(size_t)row * d->n_events + event] : 0;
}

#endif
