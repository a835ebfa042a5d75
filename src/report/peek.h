/* SPDX-License-Identifier: Apache-2.0 */
/* `assay peek`: a function between its callers and its callees, as text, JSON (assay.peek/1,
 * docs/json.md) and CSV. */
#ifndef AS_REPORT_PEEK_H
#define AS_REPORT_PEEK_H

#include "report/sheet/sheet.h"
#include "table/neighbours.h"

struct as_peek_view {
	const struct as_profile *prof;
	const struct as_view_opts *opts;
	const struct as_neighbours *func; /* n_funcs, borrowed */
	size_t n_funcs;
	uint64_t n_more; /* functions that match and are not shown */
	size_t rows;     /* callers and callees shown of each; 0 = all */
};

enum as_code as_peek_print(const struct as_peek_view *v, const struct as_sheet_to *to) AS_NODISCARD;

#endif
