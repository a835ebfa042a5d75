/* SPDX-License-Identifier: Apache-2.0 */
/* Text and JSON of gcov: the driver's table and probe. docs/formats/gcov.md. */
#include "formats/gcov/gcov.h"

static enum as_probe gcov_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line, file;

	if (as_json_has_key(as_json_head(pk->head, '{'), "gcc_version"))
		return AS_PROBE_SURE;
	return as_slice_line(&rest, true, &line) && as_gc_source(line, &file) ? AS_PROBE_SURE
									      : AS_PROBE_NO;
}

static enum as_code gcov_read(struct as_rd *rd)
{
	struct as_gc gc = {.rd = rd, .al = rd->al};
	struct as_slice head;

	AS_TRY(as_in_peek(rd->in, 1, &head));
	as_arena_init(&gc.arena, gc.al);
	as_index_init(&gc.names, gc.al);
	AS_TRY(as_gc_begin(&gc));
	return as_json_head(head, '{').len ? as_gc_read_json(&gc) : as_gc_read_text(&gc);
}

const struct as_format as_format_gcov = {
	.name = "gcov",
	.title = "text and JSON of gcov: how often each line was executed",
	.exts = "gcov",
	.spec = "docs/formats/gcov.md",
	.caps = AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(EVENTS) | AS_CAP(SYSTEM) |
		AS_CAP(STARTS),
	.probe = gcov_probe,
	.read = gcov_read,
};
