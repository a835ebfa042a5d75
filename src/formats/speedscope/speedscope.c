/* SPDX-License-Identifier: Apache-2.0 */
/* speedscope's files: the driver's table and probe. docs/formats/speedscope.md. */
#include "formats/speedscope/speedscope.h"

/* The first profile of a list says which of two types it is. */
static bool speedscope_is_profiles(struct as_pull *j)
{
	struct as_slice key, type;

	as_pull_array(j);
	if (!as_pull_item(j) || !as_pull_object(j))
		return false;
	while (as_pull_key(j, &key)) {
		if (as_slice_is(key, "type") && as_pull_peek(j) == AS_PULL_TEXT)
			return as_pull_text(j, &type) &&
			       (as_slice_is(type, "sampled") || as_slice_is(type, "evented"));
		as_pull_skip(j);
	}
	return false;
}

/* The file's schema, or else what a profile of its own is like. */
static enum as_probe speedscope_probe(const struct as_peek *pk)
{
	struct as_slice head = as_json_head(pk->head, '{'), key, text;
	struct as_pull j;

	if (!head.len)
		return AS_PROBE_NO;
	as_pull_init(&j, head, NULL);
	as_pull_object(&j);
	while (as_pull_key(&j, &key)) {
		if (as_slice_is(key, "$schema") && as_pull_peek(&j) == AS_PULL_TEXT)
			return as_pull_text(&j, &text) && as_slice_is(text, AS_SS_SCHEMA)
				       ? AS_PROBE_SURE
				       : AS_PROBE_NO;
		if (as_slice_is(key, "profiles") && as_pull_peek(&j) == AS_PULL_ARRAY)
			return speedscope_is_profiles(&j) ? AS_PROBE_MAGIC : AS_PROBE_NO;
		as_pull_skip(&j);
	}
	return AS_PROBE_NO;
}

static const struct as_opt write_opts[] = {
	{"lines", "yes|no", "a frame for each line of a function (no, but of what had them)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_speedscope = {
	.name = "speedscope",
	.title = "speedscope's own format, sampled or evented",
	.exts = "speedscope,speedscope.json",
	.spec = "docs/formats/speedscope.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(OBJECTS) |
		AS_CAP(EVENTS) | AS_CAP(PARTS) | AS_CAP(PROCESS) | AS_CAP(NOSTACK) |
		AS_CAP(LABELS) | AS_CAP(COLUMNS) | AS_CAP(MOMENTS), /* some are lost: see writing */
	.probe = speedscope_probe,
	.read = as_ss_read,
	.write = AS_WRITER(as_ss_write),
	.write_opts = write_opts,
};
