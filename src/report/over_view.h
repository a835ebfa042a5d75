/* SPDX-License-Identifier: Apache-2.0 */
/* Costs over time as columns of a table: `assay top --over`. */
#ifndef AS_REPORT_OVER_VIEW_H
#define AS_REPORT_OVER_VIEW_H

#include "report/sheet/sheet.h"
#include "table/over.h"

struct as_over_view {
	const struct as_over *over; /* NULL: nothing was asked, and nothing is filled or said */
	uint32_t first, n;          /* text: N columns from that one on are numbers */
	struct as_number *value;    /* of the row, where columns are numbers */
};

/* The slots of a row: text's line, the numbers of text and CSV, JSON's list of them, and what is of
 * no known time. */
struct as_over_slots {
	unsigned line, columns, list, timeless;
};

/* Before the rows of S, which shows one event. The page asks for none, and is built without. */
void as_over_view_begin(struct as_over_view *v, struct as_sheet *s, const struct as_over *over);
/* JSON: what the columns are. */
void as_over_view_json(const struct as_over_view *v, struct as_sheet *s);
/* Fill what ROW of V's table cost. */
void as_over_view_row(struct as_over_view *v, struct as_sheet *s, const struct as_over_slots *slots,
	uint32_t row);
/* Text: what the columns are, below the table. */
enum as_code as_over_view_note(const struct as_over_view *v, const struct as_sheet_to *to)
	AS_NODISCARD;

#endif
