/* SPDX-License-Identifier: Apache-2.0 */
/* What pprof's reports have in common, for --compat=pprof: their options, the graph, the unit of
 * values, the lines that stand above. docs/compat.md has the rules. */
#ifndef AS_COMPAT_PPROF_PPROF_REPORT_H
#define AS_COMPAT_PPROF_PPROF_REPORT_H

#include "change/filter/pprof_value.h"
#include "compat/pprof/pprof_graph.h"
#include "formats/run_lines.h"

/* pprof -text, -tree, ...; what is not trimmed depends on it. */
enum as_pprof_kind {
	AS_PPROF_TEXT,
	AS_PPROF_TREE,
	AS_PPROF_PEEK,
	AS_PPROF_TRACES,
	AS_PPROF_TAGS,
	AS_PPROF_COMMENTS,
};

enum { AS_PPROF_FILTERS = 400 };

/* Zeroed, they are pprof's defaults. */
struct as_pprof_opts {
	enum as_pprof_kind kind;
	enum as_pg_by by;
	const char *sample_index; /* how COLUMN was asked for; NULL: it was not */
	struct as_pprof_column column;
	const char *unit; /* NULL: "minimum" */
	bool no_inlines, by_cum;
	bool has_node_count;
	uint64_t node_count; /* 0: any number */
	char time[80];       /* when the profile was taken, as it is printed; "": not known */
	as_val total;        /* of the profile before anything was filtered; 0: what is left */
	/* What filters were given, as they are printed: "focus", "RE"; borrowed. */
	struct as_pprof_filter {
		const char *key, *text;
	} filter[AS_PPROF_FILTERS];
	size_t n_filters;
};

/* A report that is being made. */
struct as_pprof {
	const struct as_profile *prof;
	const struct as_pprof_opts *opts;
	struct as_pg graph;            /* of text, tree and peek; else empty */
	const struct as_alloc *al;     /* the graph's: what it gives goes with it */
	struct as_arena *arena;        /* likewise, of texts */
	as_val total;                  /* that percentages are of */
	struct as_slice unit;          /* that values are printed in */
	double node_fraction;          /* 0 where nothing is trimmed */
	AS_VEC(struct as_slice) label; /* lines above the table, without their ends */
};

/* PROF has paths. Always ends in as_pprof_end(); PP may not move. */
enum as_code as_pprof_begin(struct as_pprof *pp, const struct as_profile *prof,
	const struct as_pprof_opts *opts, struct as_err *err) AS_NODISCARD;
void as_pprof_end(struct as_pprof *pp);

/* The comments that are facts of the profile, which pprof knows as comments only. To be released,
 * also on failure. */
AS_NODISCARD bool as_pprof_run_lines(struct as_run_lines *run, const struct as_profile *prof);

/* Add to pp->label what the profile is of: "File: prog", "Type: cpu" ... */
enum as_code as_pprof_profile_labels(struct as_pprof *pp, struct as_err *err) AS_NODISCARD;
/* Fill pp->label with all lines above a report of the graph. */
enum as_code as_pprof_report_labels(struct as_pprof *pp, struct as_err *err) AS_NODISCARD;

/* V as the report prints values; p == NULL: out of memory. */
void as_pprof_text_of(const struct as_pprof *pp, struct as_pprof_value *text, as_val v);
struct as_slice as_pprof_words_of(const struct as_pprof *pp, as_val v);

#endif
