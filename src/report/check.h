/* SPDX-License-Identifier: Apache-2.0 */
/* What is odd about inputs: `assay check`; JSON is assay.check/1 (docs/json.md). */
#ifndef AS_REPORT_CHECK_H
#define AS_REPORT_CHECK_H

#include "base/err.h"
#include "model/findings.h"
#include "report/sheet/sheet.h"

/* One input. A failed reading counts as one more error. */
struct as_checked {
	const char *name;
	const char *format; /* NULL: not recognised */
	const struct as_findings *findings;
	enum as_code rc;          /* how reading ended */
	const struct as_err *err; /* described here */
};

uint64_t as_checked_errors(const struct as_checked *c);

/* "FILE:LINE: severity: message [code]" a line, and a line about each file. */
void as_check_text(
	const struct as_checked *c, size_t n, struct as_out *out, const struct as_style *style);
/* As JSON or CSV; N is not 0. */
enum as_code as_check_data(const struct as_checked *c, size_t n, const struct as_sheet_to *to)
	AS_NODISCARD;

#endif
