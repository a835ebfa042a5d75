/* SPDX-License-Identifier: Apache-2.0 */
/* gmon.out: the driver's table and probe. docs/formats/gmon.md. */
#include "formats/gmon/gmon.h"

static enum as_probe gmon_probe(const struct as_peek *pk)
{
	struct as_gm_layout layout;

	if (!as_slice_starts(pk->head, "gmon"))
		return AS_PROBE_NO;
	return as_gm_detect(pk->head, pk->whole, &layout) ? AS_PROBE_SURE : AS_PROBE_MAGIC;
}

const struct as_format as_format_gmon = {
	.name = "gmon",
	.title = "gmon.out of gprof: places and counted calls",
	.exts = "gmon,sum",
	.spec = "docs/formats/gmon.md",
	.caps = AS_CAP(CALLS) | AS_CAP(COUNTS) | AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(PERIOD),
	.probe = gmon_probe,
	.read = as_gm_read_file,
};
