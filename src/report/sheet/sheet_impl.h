/* SPDX-License-Identifier: Apache-2.0 */
/* What the renderers of a sheet offer; private to src/report/sheet. */
#ifndef AS_REPORT_SHEET_SHEET_IMPL_H
#define AS_REPORT_SHEET_SHEET_IMPL_H

#include "report/sheet/sheet.h"

void as_sheet_json_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell);
void as_sheet_csv_head(struct as_sheet *s, const struct as_column *c);
/* CELL: NULL where it is not filled. */
void as_sheet_csv_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell);
void as_sheet_text_head(struct as_sheet *s, const struct as_column *c);
void as_sheet_text_cell(
	struct as_sheet *s, const struct as_column *c, const struct as_sheet_cell *cell);
/* The table, and what it has no room for. */
enum as_code as_sheet_text_print(struct as_sheet *s) AS_NODISCARD;

#endif
