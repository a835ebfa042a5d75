/* SPDX-License-Identifier: Apache-2.0 */
/* A comparison that is being printed; private to src/report/diff. */
#ifndef AS_REPORT_DIFF_DIFF_PRINT_H
#define AS_REPORT_DIFF_DIFF_PRINT_H

#include "report/diff/diff_report.h"

/* Slots of the sheet: what a row is; where; what is said of it. OTHERS: inclusive, where figures
 * are self, and the other way round. */
enum { DIFF_DEPTH, DIFF_KIND, DIFF_ROWS, DIFF_GROUP, DIFF_ROLE, DIFF_IN, DIFF_PLACE };
enum { DIFF_FUNCTION = DIFF_PLACE, DIFF_FILE, DIFF_LINE, DIFF_OBJECT, DIFF_NAME, DIFF_SAID };
enum { DIFF_FIGURES = DIFF_SAID, DIFF_OTHERS, DIFF_VERDICT, DIFF_TEXT, DIFF_SOURCE, DIFF_MORE };
enum { DIFF_WHERE = DIFF_MORE, DIFF_EVIDENCE };

enum { DIFF_COLUMNS = 24 };

struct as_diff_print {
	const struct as_diff_view *v;
	const struct as_diff *d;
	const struct as_style *style;
	struct as_out *out;
	struct as_arena arena; /* for what is not in the rows; has failed if anything has */
	struct as_sheet sheet;
	struct as_column column[DIFF_COLUMNS];
	struct as_view_opts opts;
	uint32_t event;                  /* the one of the rows' order */
	struct as_diff_fig *self, *incl; /* of a row, one for each event shown */
};

/* Rows that are shown. */
size_t as_diff_shown(const struct as_diff_view *v);
uint32_t as_diff_shown_row(const struct as_diff_view *v, size_t i);
/* What is left out of them. */
void as_diff_rest(const struct as_diff_view *v, uint32_t event, as_val rest[AS_SIDES]);
/* Ways up are self costs that came through a row. */
static inline bool as_diff_is_up(const struct as_diff_view *v)
{
	return v->kind == AS_DIFF_TREE && v->sub->way != AS_TREE_CALLEES;
}

/* "≈", "?" where a difference may be noise, and a blank. */
const char *as_diff_doubt(const struct as_style *style, enum as_verdict verdict);

/* What stands above the rows, and below them. */
void as_diff_text_head(struct as_diff_print *p);
void as_diff_text_one_sided(struct as_diff_print *p);
void as_diff_md_end(struct as_diff_print *p);
void as_diff_json_begin(struct as_diff_print *p);
void as_diff_json_end(struct as_diff_print *p);

/* Gates, as text or Markdown. */
enum as_code as_gate_print(const struct as_diff_view *v, const struct as_sheet_to *to) AS_NODISCARD;

void as_diff_rows(struct as_diff_print *p);
/* ROW of OF: its figures, and what is said of them. */
void as_diff_put_figures(
	struct as_diff_print *p, const struct as_diff *of, uint32_t row, bool has_self);
/* Text: a function, and its source. */
void as_diff_func_head(struct as_diff_print *p, uint32_t func, bool first);
void as_diff_func_source(struct as_diff_print *p, uint32_t func);

#endif
