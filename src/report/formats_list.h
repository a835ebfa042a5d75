/* SPDX-License-Identifier: Apache-2.0 */
/* All formats: `assay formats` as text, JSON (assay.formats/1, docs/json.md) and CSV. */
#ifndef AS_REPORT_FORMATS_LIST_H
#define AS_REPORT_FORMATS_LIST_H

#include "report/sheet/sheet.h"

/* Of text, DETAILS add options and the matrix of capabilities. */
enum as_code as_formats_print(const struct as_alloc *al, const struct as_sheet_to *to, bool details)
	AS_NODISCARD;

#endif
