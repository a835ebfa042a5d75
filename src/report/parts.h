/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `assay top --by part`, `--by thread` and `--by label`: text, JSON (assay.parts/1, docs/json.md)
 * and CSV. The rows and the rest add up to the profile's total.
 */
#ifndef AS_REPORT_PARTS_H
#define AS_REPORT_PARTS_H

#include "report/sheet/sheet.h"
#include "table/label_table.h"

struct as_parts_opts {
	struct as_label_how how; /* what a row is */
	const uint32_t *event;   /* columns to show, in this order; borrowed */
	uint32_t n_events;
	uint32_t sort_event;
	const struct as_metric *metric; /* columns more; borrowed */
	uint32_t n_metrics;
	const char *unit; /* of costs in text, one that as_unit_is_known(); NULL: counts */
	size_t limit;     /* rows; 0 = all */
	const char *const *files;
	size_t n_files;
};

struct as_parts {
	const struct as_profile *prof; /* borrowed */
	struct as_parts_opts opts;
	struct as_label_table table;
	uint32_t *row; /* of the table, in order: n_rows that are shown of n_all */
	size_t n_rows, n_all;
};

/* PROF outlives PARTS. as_parts_release(), also on failure. */
enum as_code as_parts_make(struct as_parts *parts, const struct as_profile *prof,
	const struct as_parts_opts *opts, struct as_err *err) AS_NODISCARD;
void as_parts_release(struct as_parts *parts);

enum as_code as_parts_print(const struct as_parts *parts, const struct as_sheet_to *to)
	AS_NODISCARD;

#endif
