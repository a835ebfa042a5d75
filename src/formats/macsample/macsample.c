/* SPDX-License-Identifier: Apache-2.0 */
/* Text of macOS's sample: the driver's table and probe. docs/formats/macsample.md. */
#include "formats/macsample/macsample.h"

static enum as_probe macsample_probe(const struct as_peek *pk)
{
	if (!as_slice_starts(pk->head, MS_HEAD))
		return AS_PROBE_NO;
	return as_slice_find_text(pk->head, "\n" MS_GRAPH) < pk->head.len ? AS_PROBE_SURE
									  : AS_PROBE_MAGIC;
}

const struct as_format as_format_macsample = {
	.name = "macsample",
	.title = "text of macOS's sample",
	.exts = "sample,txt",
	.spec = "docs/formats/macsample.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(OBJECTS) |
		AS_CAP(IDS) | AS_CAP(PARTS) | AS_CAP(PROCESS) | AS_CAP(PERIOD) | AS_CAP(META) |
		AS_CAP(LABELS) | AS_CAP(NOSTACK),
	.probe = macsample_probe,
	.read = as_ms_read,
};
