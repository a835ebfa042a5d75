/* SPDX-License-Identifier: Apache-2.0 */
/* `assay cycles` as text, JSON (assay.cycles/1, docs/json.md) and CSV. */
#ifndef AS_REPORT_CYCLES_PRINT_H
#define AS_REPORT_CYCLES_PRINT_H

#include "report/views.h"
#include "table/recursion.h"

struct as_cycles_report {
	const struct as_profile *prof;
	const struct as_view_opts *opts;
	const struct as_cycles *cycles;
	size_t shown;
	const as_val *rest; /* self cost of those not shown, n_events values of the profile */
};

enum as_code as_cycles_text(const struct as_cycles_report *r, struct as_out *out,
	const struct as_style *style) AS_NODISCARD;
void as_cycles_json(const struct as_cycles_report *r, struct as_out *out);
void as_cycles_csv(const struct as_cycles_report *r, struct as_out *out);

#endif
