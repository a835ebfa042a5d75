/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `assay top --by part`, `--by thread` and `--by label`: text, JSON (assay.parts/1, docs/json.md)
 * and CSV. The rows and the rest add up to the profile's total.
 */
#ifndef AS_REPORT_PARTS_H
#define AS_REPORT_PARTS_H

#include "report/top.h"
#include "table/label_table.h"

struct as_parts {
	const struct as_profile *prof; /* borrowed */
	struct as_label_how how;       /* what a row is */
	struct as_top_opts opts;
	struct as_label_table table;
	uint32_t *row; /* of the table, in order: n_rows that are shown of n_all */
	size_t n_rows, n_all;
	const struct as_over *over; /* of ROW, and of the rows left out; NULL: nothing was asked */
};

/* PROF outlives PARTS; of OPTS all but what is of rows by place. as_parts_release(), also on
 * failure. */
enum as_code as_parts_make(struct as_parts *parts, const struct as_profile *prof,
	const struct as_label_how *how, const struct as_top_opts *opts, struct as_err *err)
	AS_NODISCARD;
void as_parts_release(struct as_parts *parts);

/* As as_top_over(). */
enum as_code as_parts_over(struct as_parts *parts, uint64_t width, bool clock, struct as_over *over,
	struct as_err *err) AS_NODISCARD;

enum as_code as_parts_print(const struct as_parts *parts, const struct as_sheet_to *to)
	AS_NODISCARD;

#endif
