/* SPDX-License-Identifier: Apache-2.0 */
/* The Callgrind format, with its subset Cachegrind: docs/formats/callgrind.md. */
#include "formats/callgrind/callgrind.h"

static bool cg_next_line(struct as_slice *rest, bool whole, struct as_slice *line)
{
	if (!as_slice_line(rest, whole, line))
		return false;
	*line = as_slice_trim(as_slice_chop(*line));
	return true;
}

static bool is_spec(struct as_slice line)
{
	static const char *const keys[] = {"fl=", "fn=", "fi=", "fe=", "ob=", "cfn=", "calls="};

	for (size_t i = 0; i < AS_ARRAY_LEN(keys); i++)
		if (as_slice_starts(line, keys[i]))
			return true;
	return false;
}

static enum as_probe without_events(unsigned known, unsigned foreign)
{
	if (known >= 3 && known > foreign)
		return AS_PROBE_LIKELY;
	return known && known > foreign ? AS_PROBE_WEAK : AS_PROBE_NO;
}

/*
 * There is no magic number: valgrind's marker line is optional and every other
 * producer leaves it out. "events:" is required, so that is what counts; a file
 * that breaks off or is damaged before it is known by several lines of ours.
 */
static enum as_probe cg_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, line, key;
	unsigned known = 0, foreign = 0;
	bool first = true, marker = false;

	while (cg_next_line(&rest, pk->whole, &line)) {
		if (first && as_slice_starts(line, "# callgrind format"))
			marker = true;
		first = first && line.len == 0;
		if (line.len == 0 || line.p[0] == '#')
			continue;
		if (as_slice_starts(line, "events:"))
			return marker                ? AS_PROBE_SURE
			       : foreign > known + 1 ? AS_PROBE_WEAK
						     : AS_PROBE_LIKELY;
		if (as_cg_is_header(line, &key) || is_spec(line))
			known++;
		else
			foreign++;
		if (foreign > 64 + known)
			break;
	}
	return marker ? AS_PROBE_MAGIC : without_events(known, foreign);
}

static const struct as_opt write_opts[] = {
	{"compress-strings", "yes|no", "names as ids (default yes)"},
	{"compress-pos", "yes|no", "relative positions where all readers agree (default yes)"},
	{"full-rows", "yes|no", "write zero counts at the end of a line (default no)"},
	{"event", "NAME", "only this event"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_callgrind = {
	.name = "callgrind",
	.title = "Callgrind and Cachegrind: costs per line or instruction, call edges",
	.exts = "callgrind,cachegrind,cg,cgout",
	.spec = "docs/formats/callgrind.md",
	.caps = AS_CAP(CALLS) | AS_CAP(COUNTS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) |
		AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(EVENTS) | AS_CAP(TITLES) |
		AS_CAP(FORMULAS) | AS_CAP(PARTS) | AS_CAP(PROCESS) | AS_CAP(JUMPS) |
		AS_CAP(SUMMARY) | AS_CAP(NEGATIVE) | AS_CAP(NOSTACK) | AS_CAP(EPOCH) |
		AS_CAP(DURATION) | AS_CAP(CONTEXTS),
	.run_lines = true,
	.by_detail = true,
	.alike = true,
	.probe = cg_probe,
	.read = as_cg_read,
	.write = AS_WRITER(as_cg_write),
	.check = as_cg_check,
	.write_opts = write_opts,
};
