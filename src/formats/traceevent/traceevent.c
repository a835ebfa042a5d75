/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of events as JSON: the driver's table and probe. docs/formats/traceevent.md. */
#include "formats/traceevent/traceevent_write.h"

/* A list whose first object has a phase. */
static enum as_probe traceevent_probe_list(struct as_slice head)
{
	struct as_slice key;
	struct as_pull j;

	as_pull_init(&j, head, NULL);
	as_pull_array(&j);
	if (!as_pull_item(&j) || as_pull_peek(&j) != AS_PULL_OBJECT)
		return AS_PROBE_NO;
	as_pull_object(&j);
	while (as_pull_key(&j, &key)) {
		if (as_slice_is(key, "ph") && as_pull_peek(&j) == AS_PULL_TEXT)
			return AS_PROBE_MAGIC;
		as_pull_skip(&j);
	}
	return AS_PROBE_NO;
}

static enum as_probe traceevent_probe(const struct as_peek *pk)
{
	struct as_slice list = as_json_head(pk->head, '[');
	struct as_slice object = as_json_head(pk->head, '{');

	if (list.len)
		return traceevent_probe_list(list);
	return object.len && as_json_has_key(object, "traceEvents") ? AS_PROBE_MAGIC : AS_PROBE_NO;
}

static const struct as_opt write_opts[] = {
	{"event", "NAME", "the event whose moments are written as samples (samples)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_traceevent = {
	.name = "traceevent",
	.title = "Chrome's traces (clang, Bazel, PyTorch, py-spy, Perfetto)",
	.exts = "traceevent",
	.spec = "docs/formats/traceevent.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(STARTS) |
		AS_CAP(EVENTS) | AS_CAP(PARTS) | AS_CAP(PROCESS) | AS_CAP(NOSTACK) |
		AS_CAP(DURATION) | AS_CAP(LABELS) | AS_CAP(MOMENTS) |
		AS_CAP(MARKERS), /* some are lost: see writing */
	.of_moments = true,
	.probe = traceevent_probe,
	.read = as_te_read,
	.write = AS_WRITER(as_te_write),
	.write_opts = write_opts,
};
