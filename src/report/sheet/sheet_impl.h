/* SPDX-License-Identifier: Apache-2.0 */
/* What the renderers of a sheet offer; private to src/report/sheet. */
#ifndef AS_REPORT_SHEET_SHEET_IMPL_H
#define AS_REPORT_SHEET_SHEET_IMPL_H

#include "report/sheet/sheet.h"

static inline bool as_column_is_text(enum as_column_kind kind)
{
	return kind >= AS_COL_TEXT && kind <= AS_COL_PLACE;
}

void as_sheet_json_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell);
/* A field; "WORD NAME" as one; the end of the line. */
void as_sheet_csv_text(struct as_sheet *s, struct as_slice text);
void as_sheet_csv_text2(struct as_sheet *s, const char *word, struct as_slice name);
void as_sheet_csv_end(struct as_sheet *s);
void as_sheet_csv_head(struct as_sheet *s, const struct as_column *c);
/* CELL: NULL where it is not filled. */
void as_sheet_csv_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell);
void as_sheet_text_head(struct as_sheet *s, const struct as_column *c);
void as_sheet_text_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell);
/* The table, and what it has no room for. */
enum as_code as_sheet_text_print(struct as_sheet *s) AS_NODISCARD;

/* ---- AS_COL_FIGURES, AS_COL_CHANGE ---- */
void as_figures_text_head(struct as_sheet *s, const struct as_column *c);
void as_figures_text(struct as_sheet *s, const struct as_sheet_cell *cell);
void as_figures_change(struct as_sheet *s, const struct as_sheet_cell *cell);
void as_figures_json(struct as_sheet *s, const struct as_sheet_cell *cell);
void as_figures_csv_head(struct as_sheet *s);
void as_figures_csv(struct as_sheet *s, const struct as_sheet_cell *cell);

#endif
