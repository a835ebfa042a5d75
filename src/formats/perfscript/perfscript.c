/* SPDX-License-Identifier: Apache-2.0 */
/* Text of `perf script`: the driver's table and probe. docs/formats/perfscript.md. */
#include "formats/perfscript/perfscript.h"

#include "formats/perfscript/perfscript_write.h"

enum { PS_SAMPLES_ENOUGH = 16 };

/* A frame of a chain, or what stands for one in the line of a sample. */
static bool perfscript_is_frame(struct as_slice s)
{
	struct ps_frame f;

	return as_ps_frame(s, &f) &&
	       (f.object.len || f.name.len || as_slice_ends(s, "[unknown] ()"));
}

static bool perfscript_is_switch(struct as_slice line)
{
	struct ps_head head;

	return as_slice_find_text(line, PS_RECORD "SWITCH") < line.len && as_ps_head(line, &head) &&
	       head.has_time;
}

/* Lines that begin samples, each followed by what one has. Other text shows soon. */
static enum as_probe perfscript_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line;
	struct ps_head head = {0};
	bool is_switch, switched = false; /* a switch is a sample, with a time */
	unsigned samples = 0;
	bool wants = false, chains = false; /* a frame must follow; there is one without a sample */

	while (samples < PS_SAMPLES_ENOUGH && as_slice_line(&rest, pk->whole, &line)) {
		line = as_slice_chop(line);
		if (!line.len || line.p[0] == '#')
			continue;
		if (as_slice_find_text(line, PS_RECORD) < line.len) {
			is_switch = perfscript_is_switch(line);
			samples += is_switch;
			switched |= is_switch;
			continue;
		}
		if (wants || samples ? as_ps_is_set_off(line) && perfscript_is_frame(line)
				     : as_ps_is_column(line)) {
			chains |= !samples && !wants;
			samples += wants;
			wants = false;
		} else if (as_ps_head(line, &head)) {
			if (wants)
				samples += head.has_time && head.event.len;
			wants = true;
			if (perfscript_is_frame(head.rest)) {
				samples++;
				wants = false;
			}
		} else if (!samples && !chains) {
			return AS_PROBE_NO;
		}
	}
	/* one that has neither a stack nor another one behind it */
	if (wants && pk->whole)
		samples += head.has_time && head.event.len && !head.rest.len;
	if (samples)
		return samples > 1 || (pk->whole && (switched || head.has_time)) ? AS_PROBE_MAGIC
										 : AS_PROBE_LIKELY;
	if (chains || as_slice_starts(pk->head, PS_HEADER))
		return AS_PROBE_LIKELY;
	return AS_PROBE_NO;
}

const struct as_format as_format_perfscript = {
	.name = "perfscript",
	.title = "text of perf script",
	.exts = "perf,script",
	.spec = "docs/formats/perfscript.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(ADDRS) |
		AS_CAP(OBJECTS) | AS_CAP(EVENTS) | AS_CAP(PARTS) | AS_CAP(PROCESS) | AS_CAP(META) |
		AS_CAP(NOSTACK) | AS_CAP(LABELS) | AS_CAP(DURATION) | AS_CAP(MOMENTS),
	.probe = perfscript_probe,
	.read = as_ps_read,
	.write = AS_WRITER(as_ps_write),
};
