/* SPDX-License-Identifier: Apache-2.0 */
/* `assay graph`: a call graph as Graphviz's DOT, as JSON (assay.graph/1, docs/json.md) and as
 * CSV. */
#ifndef AS_REPORT_GRAPH_GRAPH_PRINT_H
#define AS_REPORT_GRAPH_GRAPH_PRINT_H

#include "report/sheet/sheet.h"
#include "table/callgraph.h"

struct as_graph_report {
	const struct as_profile *prof;
	const struct as_view_opts *opts;
	const struct as_callgraph *graph;
};

/* A label has full names in as far as they fit; the tooltips have them whole. */
enum as_code as_graph_dot(const struct as_graph_report *r, struct as_out *out) AS_NODISCARD;
/* As JSON or CSV. */
enum as_code as_graph_data(const struct as_graph_report *r, const struct as_sheet_to *to)
	AS_NODISCARD;

#endif
