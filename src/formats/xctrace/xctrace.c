/* SPDX-License-Identifier: Apache-2.0 */
/* What xctrace exports of Instruments: the driver's table and probe. docs/formats/xctrace.md. */
#include "formats/xctrace/xctrace.h"

bool as_xc_looks(struct as_slice head)
{
	if (as_slice_starts(head, "\xef\xbb\xbf"))
		head = as_slice_skip(head, 3);
	while (head.len && strchr(" \t\r\n", head.p[0]))
		head = as_slice_skip(head, 1);
	return as_slice_starts(head, "<") && as_slice_find_text(head, "<" XC_ROOT) < head.len;
}

static enum as_probe xctrace_probe(const struct as_peek *pk)
{
	struct as_slice head = pk->head;

	head.len = head.len < AS_PEEK_MAX ? head.len : AS_PEEK_MAX;
	return as_xc_looks(head) ? AS_PROBE_SURE : AS_PROBE_NO;
}

const struct as_format as_format_xctrace = {
	.name = "xctrace",
	.title = "what xctrace exports of Instruments (macOS)",
	.exts = "xml",
	.spec = "docs/formats/xctrace.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(ADDRS) |
		AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(EVENTS) | AS_CAP(PARTS) | AS_CAP(PROCESS) |
		AS_CAP(NOSTACK) | AS_CAP(DURATION) | AS_CAP(LABELS) | AS_CAP(MOMENTS),
	.probe = xctrace_probe,
	.read = as_xc_read,
};
