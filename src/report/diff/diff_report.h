/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A comparison as text, JSON (assay.diff/1, docs/json.md), CSV or Markdown. The rows and what is
 * left out add up to the totals of both sides.
 */
#ifndef AS_REPORT_DIFF_DIFF_REPORT_H
#define AS_REPORT_DIFF_DIFF_REPORT_H

#include "diff/diff_sub.h"
#include "diff/gate.h"
#include "diff/spread.h"
#include "report/kit/figure.h"
#include "report/sheet/sheet.h"

enum as_diff_kind { AS_DIFF_TABLE, AS_DIFF_TREE, AS_DIFF_LIST, AS_DIFF_PEEK };

/* Where source text comes from. */
struct as_diff_source {
	void *ctx;
	/* As in struct as_list_source; PATH is that of the profiles. */
	bool (*line)(void *ctx, struct as_slice path, uint64_t line, struct as_slice *text);
	struct as_slice (*where)(void *ctx, struct as_slice path, struct as_slice *note);
};

struct as_diff_view {
	const struct as_diff *d; /* sorted; borrowed, as all of this */
	const uint32_t *event;   /* columns to show; those that cannot be compared are left out */
	uint32_t n_events;
	size_t limit; /* rows; 0 = all */
	/* Instead of LIMIT, of a table: these rows, of ALL of which FOUND match a search. */
	const uint32_t *page;
	size_t n_page, found, all;
	size_t n_less; /* the last rows, which are not shown: as_diff_less_last() */
	const struct as_gate_result *gate;
	size_t n_gates;
	enum as_diff_kind kind;
	const struct as_diff_sub *sub; /* of any kind but the table: judged */
	const struct as_diff_tree_view *tree;
	struct as_diff_lists *lists; /* list, peek */
	const uint32_t *func;        /* list, peek: rows of D */
	size_t n_funcs;
	const struct as_diff_source *source; /* list; JSON can do without: NULL */
	uint64_t context;                    /* lines around those with cost */
};

/* As text and Markdown with the gates, if there are any. */
enum as_code as_diff_print(const struct as_diff_view *v, const struct as_sheet_to *to) AS_NODISCARD;

/* Gates alone: for CI systems that read JUnit's XML, and as GitHub's annotations. */
enum as_code as_gate_junit(const struct as_diff_view *v, struct as_out *out) AS_NODISCARD;
enum as_code as_gate_annotations(const struct as_diff_view *v, struct as_out *out) AS_NODISCARD;

/* ---- `assay stats` (assay.stats/1): the rows, and what is not shown, add up to the total ---- */
/* The files of a set; borrowed. */
struct as_spread_files {
	const char *const *path;
	size_t n;
};

struct as_spread_view {
	const struct as_diff *d;
	const struct as_spread *sp;
	const struct as_spread_opts *opts;
	const struct as_spread_files *set; /* of each run of D */
};

enum as_code as_spread_print(const struct as_spread_view *v, const struct as_sheet_to *to)
	AS_NODISCARD;

/* ---- pieces, for other printers, too ---- */
/* "by time: samples x period", what was done to counts, in words. */
struct as_slice as_diff_rule(struct as_arena *ar, const struct as_diff *d, uint32_t event);
/* The same for who did not choose a --normalize: "compared as counted". */
struct as_slice as_diff_scale_words(struct as_arena *ar, const struct as_diff *d, uint32_t event);
/* "pass", "noise", "trip", "incomparable" */
const char *as_gate_word(enum as_gate_verdict verdict);
/* "3.12 -> 0.78 s, -74.9 % (95 %: -80.1 .. -69.0 %); vanished: ...": why the verdict. */
struct as_slice as_gate_why(
	struct as_arena *ar, const struct as_diff *d, const struct as_gate_check *check);
/* Which parts of the key a row has, as in assay.top/1. */
struct as_diff_row_key {
	struct as_slice function, file, object;
};
struct as_diff_row_key as_diff_key_of(const struct as_diff *d, uint32_t row);
/* "function", or what a row without a name is called: "[libc.so.6]". */
struct as_slice as_diff_row_name(struct as_arena *ar, const struct as_diff *d, uint32_t row);

#endif
