/* SPDX-License-Identifier: Apache-2.0 */
/* Answers: text, JSON (assay.NAME/1, docs/json.md) and CSV; one sheet each but for the last two. */
#ifndef AS_REPORT_ANSWERS_H
#define AS_REPORT_ANSWERS_H

#include "base/err.h"
#include "model/findings.h"
#include "report/sheet/sheet.h"
#include "table/callgraph.h"
#include "table/label_table.h"
#include "table/name_shares.h"
#include "table/neighbours.h"
#include "table/recursion.h"
#include "table/timeline.h"
#include "tree/calltree.h"

/* ---- `assay peek`: a function between its callers and its callees ---- */
struct as_peek_view {
	const struct as_profile *prof;
	const struct as_view_opts *opts;
	const struct as_neighbours *func; /* n_funcs, borrowed */
	size_t n_funcs;
	uint64_t n_more; /* functions that match and are not shown */
	size_t rows;     /* callers and callees shown of each; 0 = all */
};

enum as_code as_peek_print(const struct as_peek_view *v, const struct as_sheet_to *to) AS_NODISCARD;

/* ---- `assay tree`, `assay traces` ---- */
/* What both are made of. */
struct as_paths_report {
	const struct as_profile *prof; /* with the paths */
	const char *shape;             /* of what was read */
	const struct as_view_opts *opts;
	const struct as_calltree *ct;
};

struct as_tree_report {
	struct as_paths_report paths;
	const struct as_tree_view *view;
	size_t n_views;  /* one for each function that was asked for */
	uint64_t n_more; /* functions that match and are not shown */
	bool bounded;    /* only AS_VIEW_LEVELS levels are shown, as the user said nothing */
};

enum as_code as_tree_print(const struct as_tree_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

struct as_traces_report {
	struct as_paths_report paths;
	const uint32_t *node; /* as_calltree_ends() */
	size_t n;             /* of NODE */
	size_t shown;
};

enum as_code as_traces_print(const struct as_traces_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

static inline struct as_view_func as_calltree_func(const struct as_calltree *ct, uint32_t key)
{
	return as_view_func(ct->prof, as_calltree_name(ct, key), &ct->key.p[key]);
}

/* ---- `assay cycles` ---- */
/* At most LIMIT of them; 0 = all. */
enum as_code as_cycles_print(const struct as_cycles *c, const struct as_view_opts *opts,
	uint64_t limit, const struct as_sheet_to *to) AS_NODISCARD;

/* ---- `assay tags`: of each key the values, the rest and those without add up to the total ---- */
/* T is by value; at most LIMIT of a key, 0 = all. */
enum as_code as_tags_print(const struct as_label_table *t, const struct as_view_opts *opts,
	uint64_t limit, const struct as_sheet_to *to) AS_NODISCARD;

/* ---- `assay timeline` ---- */
struct as_timeline_report {
	const struct as_view_opts *opts;
	const struct as_timeline *timeline;
	uint64_t limit; /* rows; 0 = all */
};

enum as_code as_timeline_print(const struct as_timeline_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

/* ---- `assay graph` as JSON and CSV: functions are numbered from 1, as they are in DOT ---- */
enum as_code as_graph_data(const struct as_callgraph *g, const struct as_view_opts *opts,
	const struct as_sheet_to *to) AS_NODISCARD;

/* ---- `assay formats` ---- */
/* Of text, DETAILS add options and the matrix of capabilities. */
enum as_code as_formats_print(const struct as_alloc *al, const struct as_sheet_to *to, bool details)
	AS_NODISCARD;

/* ---- `assay check`: what is odd about inputs ---- */
/* One input. A failed reading counts as one more error. */
struct as_checked {
	const char *name;
	const char *format; /* NULL: not recognised */
	const struct as_findings *findings;
	enum as_code rc;          /* how reading ended */
	const struct as_err *err; /* described here */
};

uint64_t as_checked_errors(const struct as_checked *c);

/* "FILE:LINE: severity: message [code]" a line, and a line about each file. */
void as_check_text(
	const struct as_checked *c, size_t n, struct as_out *out, const struct as_style *style);
/* As JSON or CSV; N is not 0. */
enum as_code as_check_data(const struct as_checked *c, size_t n, const struct as_sheet_to *to)
	AS_NODISCARD;

/* ---- `assay info`: what a profile is and holds ---- */
struct as_info {
	const struct as_profile *prof;
	const char *name; /* of the input */
	const struct as_name_shares *names;
};
enum as_code as_info_text(
	const struct as_info *info, struct as_out *out, const struct as_style *style) AS_NODISCARD;
enum as_code as_info_json(const struct as_info *info, struct as_out *out) AS_NODISCARD;

/* ---- `assay FILE`: what it is, is it sound, what is hot, what next ---- */
/* At most 24 lines, 80 columns where the style says so. */
struct as_screen {
	const struct as_profile *prof;
	const char *const *files; /* names of the inputs */
	size_t n_files;
	const struct as_findings *const *findings; /* what reading them found */
	size_t n_findings;
	size_t rows; /* 0 = as many as fit */
	bool keep_contexts, no_cycles;
};

/* Samples are counted by chance: the points of a percentage that a share may be off, as the square
 * root of N observations has it; 0: there are enough of them, or it is not known to be samples. */
unsigned as_screen_off(const struct as_profile *prof, uint64_t *n);

enum as_code as_screen_text(const struct as_screen *sc, struct as_out *out,
	const struct as_style *style, struct as_err *err) AS_NODISCARD;

#endif
