/* SPDX-License-Identifier: Apache-2.0 */
/* Java Flight Recorder: the driver's table and probe. docs/formats/jfr.md. */
#include "formats/jfr/jfr.h"

static enum as_probe jfr_probe(const struct as_peek *pk)
{
	const uint8_t *p = (const uint8_t *)pk->head.p;

	if (pk->head.len < JFR_MAGIC || memcmp(p, AS_JFR_MAGIC, JFR_MAGIC) != 0)
		return AS_PROBE_NO;
	if (pk->head.len < JFR_HEADER)
		return AS_PROBE_MAGIC;
	return p[4] == 0 && (p[5] == 1 || p[5] == 2) ? AS_PROBE_SURE : AS_PROBE_MAGIC;
}

const struct as_format as_format_jfr = {
	.name = "jfr",
	.title = "Java Flight Recorder, versions 1 and 2; async-profiler's as well "
		 "(read only)",
	.exts = "jfr",
	.spec = "docs/formats/jfr.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(LINES) | AS_CAP(OBJECTS) | AS_CAP(EVENTS) |
		AS_CAP(PERIOD) | AS_CAP(META) | AS_CAP(NOSTACK) | AS_CAP(EPOCH) | AS_CAP(LABELS) |
		AS_CAP(SYSTEM) | AS_CAP(DURATION) | AS_CAP(MOMENTS) | AS_CAP(PROCESS),
	.by_detail = true,
	.probe = jfr_probe,
	.read = as_jfr_read_file,
};
