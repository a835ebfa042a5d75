/* SPDX-License-Identifier: Apache-2.0 */
/* JSON of Ruby's stackprof: the driver's table and probe. docs/formats/stackprof.md. */
#include "formats/stackprof/stackprof.h"

static enum as_probe stackprof_probe(const struct as_peek *pk)
{
	struct as_slice head = as_json_head(pk->head, '{');

	return as_json_has_key(head, "missed_samples") ? AS_PROBE_SURE : AS_PROBE_NO;
}

const struct as_format as_format_stackprof = {
	.name = "stackprof",
	.title = "JSON of Ruby's stackprof",
	.exts = "json",
	.spec = "docs/formats/stackprof.md",
	.caps = AS_CAP(PATHS) | AS_CAP(CALLS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) |
		AS_CAP(STARTS) | AS_CAP(SYSTEM) | AS_CAP(PERIOD) | AS_CAP(META) | AS_CAP(NOSTACK) |
		AS_CAP(DURATION) | AS_CAP(MOMENTS),
	.probe = stackprof_probe,
	.read = as_sp_read,
};
