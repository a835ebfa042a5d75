/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of the Firefox Profiler: the driver's table and probe. docs/formats/firefox.md. */
#include "formats/firefox/firefox_write.h"

static bool firefox_says(struct as_slice s, const char *key)
{
	return as_slice_find_text(s, key) < s.len;
}

/* Its members come in any order, so the one that names the version may be far behind. */
static enum as_probe firefox_probe(const struct as_peek *pk)
{
	struct as_slice s = as_json_head(pk->head, '{');

	if (!s.len)
		return AS_PROBE_NO;
	if (firefox_says(s, "\"preprocessedProfileVersion\""))
		return AS_PROBE_SURE;
	if (firefox_says(s, "\"stackTable\"") && firefox_says(s, "\"frameTable\""))
		return AS_PROBE_MAGIC;
	if (firefox_says(s, "\"breakpadId\"") &&
		(as_json_has_key(s, "libs") || as_json_has_key(s, "profile")))
		return AS_PROBE_MAGIC;
	if (firefox_says(s, "\"processType\"") && firefox_says(s, "\"startTime\"") &&
		(as_json_has_key(s, "meta") || as_json_has_key(s, "threads")))
		return AS_PROBE_LIKELY;
	return AS_PROBE_NO;
}

const struct as_format as_format_firefox = {
	.name = "firefox",
	.title = "profiles of the Firefox Profiler and of Gecko",
	.exts = "fxprof",
	.spec = "docs/formats/firefox.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(ADDRS) |
		AS_CAP(OBJECTS) | AS_CAP(IDS) | AS_CAP(EVENTS) | AS_CAP(PARTS) | AS_CAP(PROCESS) |
		AS_CAP(NEGATIVE) | AS_CAP(META) | AS_CAP(NOSTACK) | AS_CAP(EPOCH) | AS_CAP(LABELS) |
		AS_CAP(STARTS) | AS_CAP(COLUMNS) | AS_CAP(DURATION) | AS_CAP(MOMENTS) |
		AS_CAP(MARKERS),
	.probe = firefox_probe,
	.read = as_fx_read,
	.write = AS_WRITER(as_fx_write),
};
