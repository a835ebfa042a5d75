/* SPDX-License-Identifier: Apache-2.0 */
/* Text profiles of gperftools' family: the driver's table and probe. docs/formats/legacy.md. */
#include "formats/legacy/legacy.h"

/* The first line that says something decides. */
static enum as_probe legacy_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line;
	struct as_lg_head head;

	if (as_symbols_skip(&rest)) {
		as_slice_cut(&rest, '\n', &line);
		if (as_slice_starts(line, LG_CPU_MARK))
			return AS_PROBE_NO;
	}
	while (rest.len) {
		as_slice_cut(&rest, '\n', &line);
		if (as_lg_is_blank(line))
			continue;
		as_lg_head_parse(line, &head);
		if (head.kind == AS_LG_NONE)
			return AS_PROBE_NO;
		return head.whole ? AS_PROBE_SURE : AS_PROBE_MAGIC;
	}
	return AS_PROBE_NO;
}

const struct as_format as_format_legacy = {
	.name = "legacy",
	.title = "heap, growth, contention, thread and count profiles as text (gperftools, "
		 "jemalloc, Go, Java)",
	.exts = "heap,growth,contention,threadz",
	.spec = "docs/formats/legacy.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(ADDRS) |
		AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(MAPS) | AS_CAP(EVENTS) | AS_CAP(META) |
		AS_CAP(NOSTACK) | AS_CAP(LABELS) | AS_CAP(DURATION) | AS_CAP(ESTIMATES),
	.alike = true,
	.probe = legacy_probe,
	.read = as_lg_read_file,
};
