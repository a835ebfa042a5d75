/* SPDX-License-Identifier: Apache-2.0 */
/* Profiles of V8: the driver's table and probe. docs/formats/cpuprofile.md. */
#include "formats/cpuprofile/cpuprofile.h"

/* Whether the object that comes next has a frame of V8's. */
static bool cpuprofile_is_node(struct as_pull *j)
{
	struct as_slice key;

	if (as_pull_peek(j) != AS_PULL_OBJECT)
		return false;
	as_pull_object(j);
	while (as_pull_key(j, &key)) {
		if (as_slice_is(key, "callFrame") || as_slice_is(key, "functionName"))
			return true;
		as_pull_skip(j);
	}
	return false;
}

/* A list of nodes or a tree of them. */
static enum as_probe cpuprofile_probe(const struct as_peek *pk)
{
	struct as_slice head = as_json_head(pk->head, '{'), key;
	struct as_pull j;

	as_pull_init(&j, head, NULL);
	if (!head.len)
		return AS_PROBE_NO;
	as_pull_object(&j);
	while (as_pull_key(&j, &key)) {
		struct as_pull inside = j;
		bool list = as_slice_is(key, "nodes") && as_pull_peek(&j) == AS_PULL_ARRAY;

		if (list && as_pull_array(&inside) && as_pull_item(&inside) &&
			cpuprofile_is_node(&inside))
			return AS_PROBE_MAGIC;
		if (as_slice_is(key, "head") && cpuprofile_is_node(&inside))
			return AS_PROBE_MAGIC;
		as_pull_skip(&j);
	}
	return AS_PROBE_NO;
}

static const struct as_opt read_opts[] = {
	{"lines", "yes|no", "samples by the lines they were at, without their times (no)"},
	{NULL, NULL, NULL},
};

static const struct as_opt write_opts[] = {
	{"event", "NAME", "the event to write (samples, else the first)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_cpuprofile = {
	.name = "cpuprofile",
	.title = "V8's .cpuprofile and .heapprofile (Node, Chrome)",
	.exts = "cpuprofile",
	.spec = "docs/formats/cpuprofile.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(STARTS) |
		AS_CAP(OBJECTS) | AS_CAP(EVENTS) | AS_CAP(NOSTACK) | AS_CAP(DURATION) |
		AS_CAP(MOMENTS), /* some are lost: see writing */
	.probe = cpuprofile_probe,
	.read = as_cpuprofile_read,
	.write = AS_WRITER(as_cpuprofile_write),
	.read_opts = read_opts,
	.write_opts = write_opts,
};
