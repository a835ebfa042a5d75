/* SPDX-License-Identifier: Apache-2.0 */
/* `assay stats` as text, JSON (assay.stats/1, docs/json.md), CSV or Markdown. The rows and the last
 * one, what is not shown, add up to the total. */
#ifndef AS_REPORT_DIFF_SPREAD_PRINT_H
#define AS_REPORT_DIFF_SPREAD_PRINT_H

#include "diff/spread.h"
#include "report/sheet/sheet.h"

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

#endif
