/* SPDX-License-Identifier: Apache-2.0 */
/* What the views of a comparison as text share; private to src/report. */
#ifndef AS_REPORT_DIFF_DIFF_PRINT_H
#define AS_REPORT_DIFF_DIFF_PRINT_H

#include "report/diff/diff_report.h"

enum { AS_DIFF_LISTED = 8 };

struct as_diff_print {
	const struct as_diff_view *v;
	const struct as_diff *d;
	const struct as_style *style;
	struct as_arena *ar;
	struct as_out *out;
	struct as_grid grid;
	bool has_where, has_noise;
	uint32_t event; /* the one of the rows' order */
};

const char *as_diff_sign(const struct as_diff_print *t, const char *utf8, const char *ascii);
/* "≈", "?" where a difference may be noise, and a blank. */
const char *as_diff_doubt(const struct as_diff_print *t, enum as_verdict verdict);
void as_diff_label(struct as_diff_print *t, const char *word);
/* Names in a line, of N: on a terminal as many as find room, else AS_DIFF_LISTED. */
struct as_diff_named {
	size_t n, listed, used; /* columns */
};
void as_diff_list_begin(struct as_diff_print *t, struct as_diff_named *list, const char *label,
	struct as_slice text, size_t n);
/* False: there is no room for TEXT, nor for more. */
bool as_diff_list_put(struct as_diff_print *t, struct as_diff_named *list, struct as_slice text);
void as_diff_list_end(struct as_diff_print *t, const struct as_diff_named *list);
/* A name of a function as such lines have it. */
struct as_slice as_diff_listed_name(struct as_diff_print *t, struct as_slice name);
/* What stands above the rows. JUDGED has the verdicts of the rows. */
void as_diff_head(struct as_diff_print *t, const struct as_diff *judged);

/* Columns of both sides of E, of what WHAT says (" incl", or ""); then their cells. */
void as_diff_columns(struct as_diff_print *t, const char *what, uint32_t e);
void as_diff_cells(struct as_diff_print *t, const struct as_diff_fig *fig, uint32_t e);
/* What is left out: two figures without an interval. */
void as_diff_rest_cells(struct as_diff_print *t, uint32_t e, as_val base, as_val new_);
/* "slower", "≈", "vanished" ... of a row that is IN (1 << side) what sides. */
struct as_slice as_diff_verdict_text(
	struct as_diff_print *t, unsigned in, const struct as_diff_fig *fig);
enum as_paint as_diff_paint(const struct as_diff_print *t, const struct as_diff_fig *fig);
/* 1 << side of the sides that have ROW. */
unsigned as_diff_in(const struct as_diff *d, uint32_t row);
/* "slower" and the like, with those of one side. */
const char *as_diff_row_word(
	const struct as_diff_event *ev, unsigned in, const struct as_diff_fig *fig);

/* The rows of a view that is not the table. */
enum as_code as_diff_tree_text(struct as_diff_print *t) AS_NODISCARD;
enum as_code as_diff_funcs_text(struct as_diff_print *t) AS_NODISCARD;

#endif
