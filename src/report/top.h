/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of what is hot: `assay top`, and the rows of the one-screen answer. Made once,
 * then rendered as text, JSON (assay.top/1, docs/json.md) or CSV. The rows and `rest` add up
 * to the profile's total.
 */
#ifndef AS_REPORT_TOP_H
#define AS_REPORT_TOP_H

#include "report/over_view.h"

struct as_top_opts {
	struct as_project_opts project;
	struct as_view_opts view; /* no events = all */
	bool sort_inclusive;
	const struct as_metric *metric; /* columns more; borrowed */
	uint32_t n_metrics;
	uint32_t sort_metric; /* 1 + the one that rows are sorted by; 0: none */
	bool metric_incl;     /* metrics are of inclusive costs */
	const char *unit;     /* of costs in text, one that as_unit_is_known(); NULL: counts */
	size_t limit;         /* rows; 0 = all */
	size_t ordered;       /* of all rows so many need be in order; 0 = all */
};

/* What a search found; by the page (wasm/top_page.h). */
struct as_top_found {
	size_t n, all;
	as_val *self; /* of those found together, a value per shown event */
	size_t above; /* of all: inclusive cost above the total, where calls were counted */
};

/* What the binaries say of a row by address. */
struct as_top_site {
	struct as_slice insn;     /* "movq %rdi, %rax"; empty: not known */
	struct as_slice function; /* whose code it is; empty: not known */
	uint64_t offset;          /* from where that begins */
	bool is_own;              /* it is the row's function: else that was inlined into it */
};

struct as_top {
	const struct as_profile *prof; /* borrowed */
	struct as_top_opts opts;
	struct as_view_opts view; /* its events are TOP's */
	struct as_arena arena;    /* owns the arrays below, and the events */
	struct as_table *table;
	uint32_t *row; /* n_rows rows of TABLE, largest first; no pseudo rows of cycles */
	size_t n_rows;
	size_t n_ordered; /* so many of them at least are in order */
	uint32_t *cycle;  /* the pseudo rows of cycles, largest first */
	size_t n_cycles;
	uint64_t n_rest;                  /* rows left out */
	as_val *rest_all;                 /* their self cost, a value per event of the profile */
	const struct as_top_found *found; /* NULL: nothing was looked for */
	bool is_page;                     /* TABLE and CYCLE are borrowed */
	bool no_cycles;                   /* JSON leaves them out */
	const struct as_top_site *site;   /* of each of ROW; NULL: nothing was asked */
	const struct as_over *over;       /* of ROW, and of the rows left out; NULL: likewise */
};

/* PROF outlives TOP. Release with as_top_release(), also on failure. */
enum as_code as_top_make(struct as_top *top, const struct as_profile *prof,
	const struct as_top_opts *opts, struct as_err *err) AS_NODISCARD;
void as_top_release(struct as_top *top);
/* The first N rows are in order afterwards, 0 = all. */
enum as_code as_top_order(struct as_top *top, size_t n, struct as_err *err) AS_NODISCARD;

enum as_code as_top_print(struct as_top *top, const struct as_sheet_to *to) AS_NODISCARD;
/* Text: cycles, below the table. */
enum as_code as_top_cycles_text(struct as_top *top, const struct as_sheet_to *to) AS_NODISCARD;
/* The N members of the cycle of ROW (of the table); they are TOP's. The first WANT of them are the
 * largest, in order. NULL: out of memory. */
uint32_t *as_top_members(struct as_top *top, uint32_t row, size_t want, size_t *n);

/* Self cost of ROW (of the table) in the profile's column EVENT. */
static inline as_val as_top_self(const struct as_top *top, uint32_t row, uint32_t event)
{
	return top->table->self[(size_t)row * top->table->n_events + event];
}

static inline as_val as_top_incl(const struct as_top *top, uint32_t row, uint32_t event)
{
	return top->table->incl[(size_t)row * top->table->n_events + event];
}

/* Metric K of ROW (of the table), not known where inclusive cost is asked for and not known; and
 * that of the rows left out, of self cost alone. */
struct as_number as_top_metric(const struct as_top *top, uint32_t row, uint32_t k);
struct as_number as_top_rest_metric(const struct as_top *top, uint32_t k);

/* Costs of TOP's rows over time, by places that its table has; OVER is borrowed from then on.
 * Errors as those of as_over_make(). */
enum as_code as_top_over(struct as_top *top, uint64_t width, bool clock, struct as_over *over,
	struct as_err *err) AS_NODISCARD;

/* What a row is, each part an empty slice or 0 where it is unknown or does not belong. */
struct as_row_key {
	struct as_slice function, file, object; /* full paths */
	uint64_t line;
	uint64_t addr;
	bool has_addr;
};
struct as_row_key as_top_key(const struct as_top *top, uint32_t row);
/* What it is called: of files and objects the path, maybe "", of code without a name its place,
 * else as it stands in the profile. p == NULL: out of memory. */
struct as_slice as_top_name(const struct as_top *top, uint32_t row, struct as_arena *ar);

#endif
