/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A comparison, from what is asked and the profiles of its runs to what a report shows. The runs
 * are read, named and filtered before; they can be freed once they are added.
 */
#ifndef AS_SESSION_COMPARE_H
#define AS_SESSION_COMPARE_H

#include "listing/listing.h"
#include "report/diff/diff_report.h"

struct as_compare_ask {
	enum as_diff_kind kind;
	enum as_by by;
	enum as_norm norm;
	/* as in struct as_diff_opts */
	bool keep_contexts, keep_clones, no_cycles, any_platform;
	struct as_slice events; /* the columns, "Ir,Dr"; p == NULL: */
	bool all_events;        /* all of them, or the one that rows are sorted by */
	struct as_slice sort;   /* the event that rows are sorted by; p == NULL: the first */
	bool inclusive;         /* rows are sorted by inclusive cost */
	enum as_tree_way way;
	struct as_listing_id func; /* of a tree: that function alone; all empty: none */
	unsigned n_runs;           /* of both sides */
};

struct as_compare_run {
	enum as_side side;
	struct as_slice name; /* of the file */
	const struct as_profile *prof;
	double clump;         /* as_diff_clump() before filters; 0: there were none */
	bool is_void;         /* filters left nothing */
	struct as_exec *exec; /* may be NULL */
};

/* What is wrong about AS_E_ARG, unless runs cannot be compared. */
enum as_compare_fault {
	AS_COMPARE_FINE,
	AS_COMPARE_VOID,     /* the filters left nothing of any run */
	AS_COMPARE_NO_EVENT, /* there is none of the name WRONG */
	AS_COMPARE_TWICE,    /* an event is named twice */
	AS_COMPARE_NO_FUNC,  /* no side has such a function */
};

struct as_compare {
	struct as_compare_ask ask;
	struct as_diff *d;
	struct as_err err; /* of whatever failed */
	enum as_compare_fault fault;
	struct as_slice wrong;
	size_t n_void;   /* runs */
	uint32_t *event; /* those that are shown */
	uint32_t n_events;
	/* of a kind that is not the table */
	struct as_diff_sub sub;
	struct as_diff_tree_view tree; /* as_compare_tree() */
	struct as_diff_lists lists;
	struct as_found func; /* rows of D whose lines or calls are shown */
};

/* C stays where it is, and always ends in as_compare_release(). Texts of ASK are borrowed
 * until as_compare_finish(). */
enum as_code as_compare_begin(struct as_compare *c, const struct as_alloc *al,
	const struct as_compare_ask *ask) AS_NODISCARD;
void as_compare_release(struct as_compare *c);

/* AS_E_UNSUPPORTED: the profile has no calls, and a tree or calls are asked for. */
enum as_code as_compare_add(struct as_compare *c, const struct as_compare_run *run) AS_NODISCARD;
/* All runs are there. */
enum as_code as_compare_finish(struct as_compare *c) AS_NODISCARD;

/* ---- what is shown of it, as often as one likes ---- */

enum as_code as_compare_tree(struct as_compare *c, const struct as_diff_tree_opts *opts)
	AS_NODISCARD;
/* None, and room in C->func for all rows of D. */
enum as_code as_compare_no_funcs(struct as_compare *c) AS_NODISCARD;
/* Functions, the largest difference first: those that differ; those of which ID is said, or, if
 * there are none, of whose names more is known; those that somebody means by WHAT. */
enum as_code as_compare_differing(struct as_compare *c) AS_NODISCARD;
enum as_code as_compare_of_id(struct as_compare *c, const struct as_listing_id *id) AS_NODISCARD;
enum as_code as_compare_of_name(
	struct as_compare *c, struct as_slice what, const struct as_listing_how *how) AS_NODISCARD;
/* All that C has for a report. */
struct as_diff_view as_compare_view(struct as_compare *c);

#endif
