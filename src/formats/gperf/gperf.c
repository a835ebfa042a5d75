/* SPDX-License-Identifier: Apache-2.0 */
/* gperftools CPU profile: the driver's table and probe. docs/formats/gperf.md. */
#include "formats/gperf/gperf.h"

static enum as_probe gperf_probe(const struct as_peek *pk)
{
	static const enum as_probe band[] = {
		[AS_GP_HEAD_NO] = AS_PROBE_NO,
		[AS_GP_HEAD_CUT] = AS_PROBE_LIKELY,
		[AS_GP_HEAD_WRONG] = AS_PROBE_WEAK,
		[AS_GP_HEAD_ODD] = AS_PROBE_LIKELY,
		[AS_GP_HEAD_EXACT] = AS_PROBE_SURE,
	};
	struct as_slice rest = pk->head;
	struct as_gp_layout layout;

	if (as_symbols_skip(&rest) && as_slice_has(rest, '\n') && !as_gp_is_marker(rest, "profile"))
		return AS_PROBE_NO; /* names of a heap, or of another text */
	if (as_gp_is_marker(pk->head, "symbol") || as_gp_is_marker(pk->head, "profile"))
		return AS_PROBE_MAGIC;
	return band[as_gp_detect(pk->head, pk->whole, &layout)];
}

static const struct as_opt read_opts[] = {
	{"compat", "pprof", "cut the frames above the leaf that pprof would cut, true or not"},
	{NULL, NULL, NULL},
};

static const struct as_opt write_opts[] = {
	{"event", "NAME", "the event to write (default: the first)"},
	{"width", "32|64", "size of a word (default: the source's, else 64)"},
	{"order", "little|big", "byte order (default: the source's, else little)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_gperf = {
	.name = "gperf",
	.title = "gperftools CPU profile",
	.exts = "prof,cpu",
	.spec = "docs/formats/gperf.md",
	.caps = AS_CAP(PATHS) | AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(MAPS) |
		AS_CAP(PERIOD) | AS_CAP(PROCESS) | AS_CAP(META) | AS_CAP(NOSTACK) | AS_CAP(EPOCH) |
		AS_CAP(DURATION) | AS_CAP(UNNAMED),
	.alike = true,
	.legacy = true,
	.probe = gperf_probe,
	.read = as_gp_read_file,
	.takes_rows = AS_WRITER(as_gp_takes_rows),
	.write = AS_WRITER(as_gp_write_file),
	.raw = AS_WRITER(as_gp_raw_file),
	.read_opts = read_opts,
	.write_opts = write_opts,
};
