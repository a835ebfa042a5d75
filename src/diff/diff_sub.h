/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What lies below the rows of a comparison by function: nodes of the trees of call paths, lines
 * of source, or calls. Rows of several runs are one if they are of the same function, as the
 * comparison matched it, and stand at the same place: below the same row; in the same file, by its
 * base name, and line; between the same two functions.
 *
 * Figures are scaled as the comparison's are, and are had from as_diff_figure() of FIG.
 */
#ifndef AS_DIFF_DIFF_SUB_H
#define AS_DIFF_DIFF_SUB_H

#include "diff/diff.h"
#include "tree/calltree.h"

/* Instead of a function, in a tree that was turned: what begins with the row above. */
#define AS_DIFF_NO_CALLER UINT32_MAX

struct as_diff_place {
	uint32_t up;   /* tree: row above it + 1, 0 = none; calls: the caller; else 0 */
	uint32_t func; /* a row of the comparison, or AS_DIFF_NO_CALLER */
	as_str path; /* lines: of the file, as the latest run has it, in the comparison's strings */
	as_str base; /* its base name */
	uint64_t line; /* lines: 0 = not known */
};

struct as_diff_sub {
	struct as_diff *of; /* the comparison by function; borrowed */
	struct as_diff fig; /* figures of the rows; events and scales are borrowed from OF */
	AS_VEC(struct as_diff_place)
	place; /* of each row; in a tree a row's number is higher than
					     * that of the row above it */
	struct as_index index;
	/* Of a tree: which way it goes in the end, the caller's to set before runs are added. */
	enum as_tree_way way;
	AS_VEC(uint32_t) only; /* of rows of OF: the one that alone calls it, see diff_turn.c */
	bool is_unsure;        /* of an estimate that is not known */
	bool is_part;          /* the tree is that of one function, the first row */
	AS_VEC(uint8_t) exact; /* of each row of a turned tree; else empty */
};

/* Always ends in as_diff_sub_release(), before as_diff_free() of OF. */
void as_diff_sub_init(struct as_diff_sub *sub, struct as_diff *of);
void as_diff_sub_release(struct as_diff_sub *sub);

/* The run that was added to OF last: PROF is its profile, or for a tree its call paths. All runs
 * of one SUB are added by the same of these. */
enum as_code as_diff_sub_tree(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err) AS_NODISCARD;
/* The tree of its call paths, which out of calls are an estimate. */
enum as_code as_diff_sub_paths(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err) AS_NODISCARD;

/* All runs of a tree are added. By WAY:
 *	callees		what is below FUNC
 *	callers		who leads to FUNC, with its inclusive costs; then it is the first row
 *	bottom-up	who leads to each function, with its self costs; FUNC is not asked for
 * FUNC, a row of OF, is taken where it stands outermost. A turned row costs what the rows below it
 * do, AS_DIFF_NO_CALLER among them, and has self cost where nothing is below it. */
enum as_code as_diff_sub_turn(struct as_diff_sub *sub, uint32_t func, struct as_err *err)
	AS_NODISCARD;
/* What all of a tree costs: the comparison's total, or that of its one function. */
struct as_diff_fig as_diff_sub_total(const struct as_diff_sub *sub, uint32_t event);
/* What ROW of a tree costs is no estimate. */
bool as_diff_sub_is_exact(const struct as_diff_sub *sub, uint32_t row);

enum as_code as_diff_sub_lines(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err) AS_NODISCARD;
/* Inclusive costs of calls; those of a function to itself are left out. */
enum as_code as_diff_sub_calls(
	struct as_diff_sub *sub, const struct as_profile *prof, struct as_err *err) AS_NODISCARD;

/* OF is scaled and sorted, by an event that can be compared: judge the rows by that event. */
enum as_code as_diff_sub_judge(struct as_diff_sub *sub, bool inclusive, struct as_err *err)
	AS_NODISCARD;

/* ---- views ---- */

#define AS_DIFF_REST UINT32_MAX

struct as_diff_tree_row {
	uint32_t depth;
	uint32_t row; /* of the tree; AS_DIFF_REST: those of its level that are left out */
	uint64_t n;   /* rows that a REST stands for */
	size_t value; /* of a REST: in as_diff_tree_view.value, AS_SIDES inclusive figures of each
		       * event, so that the level adds up */
};

struct as_diff_tree_opts {
	uint32_t depth; /* levels; 0 = all */
	/* Left out is in what less changed than so many millionths of all that did: the sum of the
	 * sizes of the differences in self cost, so that what became more costs and what became
	 * less do not hide each other. Unless it is 0, what is below a row is left out as well
	 * where none of it, nor the row, differs beyond noise. */
	uint32_t min_ppm;
};

/* Depth first, on each level the largest difference first. */
struct as_diff_tree_view {
	const struct as_alloc *al;
	AS_VEC(struct as_diff_tree_row) row;
	AS_VEC(as_val) value;
	/* The topmost rows of what a side does not have, largest first. */
	AS_VEC(uint32_t) one_sided[AS_SIDES];
};

/* Of a tree that was judged by inclusive cost. Always ends in as_diff_tree_view_release(). */
enum as_code as_diff_tree_view_make(struct as_diff_tree_view *v, const struct as_diff_sub *tree,
	const struct as_diff_tree_opts *opts, struct as_err *err) AS_NODISCARD;
void as_diff_tree_view_release(struct as_diff_tree_view *v);

/* The figures of a row that stands for others: AS_SIDES of EVENT. */
static inline const as_val *as_diff_tree_rest(
	const struct as_diff_tree_view *v, const struct as_diff_tree_row *row, uint32_t event)
{
	return v->value.p + row->value + (size_t)event * AS_SIDES;
}

/* Rows by function. */
struct as_diff_lists {
	const struct as_diff_sub *sub;
	size_t n_funcs;
	uint32_t *start[2], *row[2]; /* by FUNC, and by UP */
};
/* Of lines, or of calls. Always ends in as_diff_lists_release(). */
enum as_code as_diff_lists_make(
	struct as_diff_lists *l, const struct as_diff_sub *sub, struct as_err *err) AS_NODISCARD;
void as_diff_lists_release(struct as_diff_lists *l);

/* Rows of one function, borrowed. */
struct as_diff_list {
	const uint32_t *row;
	size_t n;
};
/* Its lines, by file, its own first, and by number. False if out of memory, here and below. */
AS_NODISCARD bool as_diff_lists_lines(
	struct as_diff_lists *l, uint32_t func, struct as_diff_list *out);
/* Calls to and from it, the largest difference first. */
AS_NODISCARD bool as_diff_lists_callers(
	struct as_diff_lists *l, uint32_t func, struct as_diff_list *out);
AS_NODISCARD bool as_diff_lists_callees(
	struct as_diff_lists *l, uint32_t func, struct as_diff_list *out);

#endif
