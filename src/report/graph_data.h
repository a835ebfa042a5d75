/* SPDX-License-Identifier: Apache-2.0 */
/* `assay graph` as JSON (assay.graph/1, docs/json.md) and CSV. */
#ifndef AS_REPORT_GRAPH_DATA_H
#define AS_REPORT_GRAPH_DATA_H

#include "report/sheet/sheet.h"
#include "table/callgraph.h"

struct as_graph_report {
	const struct as_profile *prof;
	const struct as_view_opts *opts;
	const struct as_callgraph *graph;
};

/* As JSON or CSV. */
enum as_code as_graph_data(const struct as_graph_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

#endif
