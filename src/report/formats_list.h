/* SPDX-License-Identifier: Apache-2.0 */
/* The registry of formats as a table: `assay formats`; JSON is assay.formats/1. */
#ifndef AS_REPORT_FORMATS_LIST_H
#define AS_REPORT_FORMATS_LIST_H

#include "io/out.h"
#include "report/kit/style.h"

/* DETAILS adds options and the matrix of capabilities. */
enum as_code as_formats_text(const struct as_alloc *al, struct as_out *out,
	const struct as_style *style, bool details) AS_NODISCARD;
void as_formats_json(struct as_out *out);
void as_formats_csv(struct as_out *out);

#endif
