/* SPDX-License-Identifier: Apache-2.0 */
/* Massif of valgrind: the driver's table and probe. docs/formats/massif.md. */
#include "formats/massif/massif.h"

/* "desc:" (any number), "cmd:" and "time_unit:" are the head; snapshots follow. */
static enum as_probe massif_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line;
	bool head = false;

	while (as_slice_line(&rest, true, &line)) {
		line = as_slice_chop(line);
		if (head && as_slice_starts(line, MF_UNIT))
			return AS_PROBE_SURE;
		head = as_slice_starts(line, MF_DESC) || as_slice_starts(line, MF_COMMAND);
		if (!head)
			return AS_PROBE_NO;
	}
	return AS_PROBE_NO;
}

static const struct as_opt read_opts[] = {
	{"snapshot", "N", "the snapshot of that number (default: the peak, or the largest)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_massif = {
	.name = "massif",
	.title = "heap of valgrind's Massif: a snapshot",
	.exts = "massif",
	.spec = "docs/formats/massif.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(ADDRS) |
		AS_CAP(OBJECTS) | AS_CAP(EVENTS) | AS_CAP(PROCESS) | AS_CAP(META) | AS_CAP(NOSTACK),
	.probe = massif_probe,
	.read = as_mf_read,
	.read_opts = read_opts,
};
