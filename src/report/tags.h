/* SPDX-License-Identifier: Apache-2.0 */
/* `assay tags` as text, JSON (assay.tags/1, docs/json.md) and CSV. Of each key the values, the rest
 * and what has no such label add up to the total. */
#ifndef AS_REPORT_TAGS_H
#define AS_REPORT_TAGS_H

#include "report/sheet/sheet.h"
#include "table/label_table.h"

struct as_tags_report {
	const struct as_view_opts *opts;
	const struct as_label_table *table; /* by value */
	uint64_t limit;                     /* values of a key; 0 = all */
};

enum as_code as_tags_print(const struct as_tags_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

#endif
