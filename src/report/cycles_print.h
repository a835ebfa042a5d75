/* SPDX-License-Identifier: Apache-2.0 */
/* `assay cycles`: text, JSON (assay.cycles/1, docs/json.md) and CSV. */
#ifndef AS_REPORT_CYCLES_PRINT_H
#define AS_REPORT_CYCLES_PRINT_H

#include "report/sheet/sheet.h"
#include "table/recursion.h"

struct as_cycles_report {
	const struct as_profile *prof;
	const struct as_view_opts *opts;
	const struct as_cycles *cycles;
	uint64_t limit; /* cycles; 0 = all */
};

enum as_code as_cycles_print(const struct as_cycles_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

#endif
