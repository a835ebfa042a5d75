/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A comparison as text, JSON (assay.diff/1, docs/json.md), CSV or Markdown. The rows and what is
 * left out add up to the totals of both sides.
 */
#ifndef AS_REPORT_DIFF_DIFF_REPORT_H
#define AS_REPORT_DIFF_DIFF_REPORT_H

#include "diff/diff_sub.h"
#include "diff/gate.h"
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

/* What is left out of the first LIMIT rows. */
struct as_diff_rest {
	size_t n;
	as_val value[AS_SIDES];
};
struct as_diff_rest as_diff_rest(const struct as_diff_view *v, uint32_t event);
/* Rows that are shown. */
size_t as_diff_shown(const struct as_diff_view *v);
uint32_t as_diff_shown_row(const struct as_diff_view *v, size_t i);

/* As text and Markdown with the gates, if there are any. */
enum as_code as_diff_print(const struct as_diff_view *v, const struct as_sheet_to *to) AS_NODISCARD;

/* Gates alone: for people, for CI systems that read JUnit's XML, and as GitHub's annotations. */
enum as_code as_gate_print(const struct as_diff_view *v, const struct as_sheet_to *to) AS_NODISCARD;
enum as_code as_gate_junit(const struct as_diff_view *v, struct as_out *out) AS_NODISCARD;
enum as_code as_gate_annotations(const struct as_diff_view *v, struct as_out *out) AS_NODISCARD;

/* ---- memory for texts ---- */
/* An allocator that remembers that it failed: who prints need not look at every text. */
struct as_watch {
	struct as_alloc al;
	const struct as_alloc *to;
	bool failed;
};
void as_watch_init(struct as_watch *w, const struct as_alloc *to);
static inline enum as_code as_watch_code(const struct as_watch *w)
{
	return w->failed ? AS_E_NOMEM : AS_OK;
}

/* ---- pieces, for those who print a gate ---- */
/* "by time: samples x period", what was done to counts, in words. */
struct as_slice as_diff_rule(struct as_arena *ar, const struct as_diff *d, uint32_t event);
/* The same for who did not choose a --normalize: "compared as counted". */
struct as_slice as_diff_scale_words(struct as_arena *ar, const struct as_diff *d, uint32_t event);
/* What the filters left of the wholes, in a line; empty without filters. */
struct as_slice as_diff_filter_line(struct as_arena *ar, const struct as_diff *d, uint32_t event);
/* What is odd about the totals, in a line; else empty. */
struct as_slice as_diff_totals_line(struct as_arena *ar, const struct as_diff *d, uint32_t event);
/* Which objects have another name on each side, in a line; empty if none has. ARROW: "->". */
struct as_slice as_diff_moved_line(struct as_arena *ar, const struct as_diff *d, const char *arrow);
/* How noise is told, in a line; empty for exact counts. */
struct as_slice as_diff_noise_line(struct as_arena *ar, const struct as_diff *d);
/* "pass", "noise", "trip", "incomparable" */
const char *as_gate_word(enum as_gate_verdict verdict);
/* "3.12 -> 0.78 s, -74.9 % (95 %: -80.1 .. -69.0 %); vanished: ...": why the verdict. */
struct as_slice as_gate_why(
	struct as_arena *ar, const struct as_diff *d, const struct as_gate_check *check);
/* "base", "new", "both": where ROW of D is. */
const char *as_diff_in_text(const struct as_diff *d, uint32_t row);
/* Which parts of the key a row has, as in assay.top/1. */
struct as_diff_row_key {
	struct as_slice function, file, object;
};
struct as_diff_row_key as_diff_key_of(const struct as_diff *d, uint32_t row);
/* "function", "file", "object", "line" */
const char *as_diff_by(const struct as_diff *d);
/* "function", or what a row without a name is called: "[libc.so.6]". */
struct as_slice as_diff_row_name(struct as_arena *ar, const struct as_diff *d, uint32_t row);
/* The same of what stands at a place of a tree: "[no caller]" is no function. */
struct as_slice as_diff_place_name(
	struct as_arena *ar, const struct as_diff *d, const struct as_diff_place *p);

#endif
