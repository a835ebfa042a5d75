/* SPDX-License-Identifier: Apache-2.0 */
/* Text that gprof prints: the driver's table and probe. docs/formats/gprof.md. */
#include "formats/gprof/gprof.h"

/* A table's head, and a row of it; explanations of many lines may stand before. */
static enum as_probe gprof_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line;
	enum gt_table in = GT_NONE, head;
	enum as_probe sure = AS_PROBE_NO;
	struct gt_row row;

	if (as_slice_find_text(rest, "seconds") == rest.len &&
		as_slice_find_text(rest, "index") == rest.len)
		return AS_PROBE_NO; /* one of them is in each head */
	while (as_slice_line(&rest, true, &line)) {
		line = as_slice_chop(line);
		head = as_gt_head(line);
		if (head) {
			in = head;
			sure = sure ? sure : AS_PROBE_LIKELY;
		} else if ((in == GT_FLAT && as_gt_flat(line, &row)) ||
			   (in == GT_GRAPH && as_gt_graph(line, &row))) {
			return AS_PROBE_SURE;
		}
	}
	return sure;
}

const struct as_format as_format_gprof = {
	.name = "gprof",
	.title = "text of gprof: flat profile and call graph",
	.exts = "gprof,txt",
	.spec = "docs/formats/gprof.md",
	.caps = AS_CAP(CALLS) | AS_CAP(COUNTS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) |
		AS_CAP(ADDRS) | AS_CAP(EVENTS) | AS_CAP(PERIOD),
	.probe = gprof_probe,
	.read = as_gt_read,
};
