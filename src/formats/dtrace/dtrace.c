/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that DTrace counted: the driver's table, its probe, and lines. docs/formats/dtrace.md. */
#include "formats/dtrace/dtrace.h"

enum {
	DTRACE_INDENT = 8, /* blanks before frames and counts; keys have two */
	DTRACE_ENOUGH = 64 /* lines that a probe looks at */
};

/* ---- lines ---- */

/* "  8  35077                        :tick-60s" */
static bool dtrace_is_header(struct as_slice s)
{
	struct as_slice cpu, id, probe, rest = s;
	uint64_t n;

	if (!as_slice_word(&rest, &cpu) || !as_slice_word(&rest, &id) ||
		!as_slice_word(&rest, &probe) || as_slice_trim(rest).len)
		return false;
	if (as_slice_is(cpu, "CPU") && as_slice_is(id, "ID"))
		return as_slice_is(probe, "FUNCTION:NAME");
	return as_slice_dec(cpu, &n) && as_slice_dec(id, &n) && as_slice_has(probe, ':');
}

/* What DTrace has no name for is "0x1234", or "MODULE`0x1234". */
static struct as_slice dtrace_name(struct as_slice s, uint64_t *addr)
{
	size_t at = as_slice_up_to_last(s, '+');
	uint64_t v;

	if (as_slice_starts(s, "0x") && as_slice_hex(as_slice_skip(s, 2), addr))
		return as_slice_of("");
	if (at > 1 && as_slice_starts(as_slice_skip(s, at), "0x") &&
		as_slice_hex(as_slice_skip(s, at + 2), &v))
		s.len = at - 1;
	return as_slice_trim(s);
}

static void dtrace_frame(struct dtrace_line *out)
{
	struct as_slice s = out->text;
	size_t tick = as_slice_find(s, '`');

	out->module = as_slice_of("");
	if (tick < s.len) {
		out->module = as_slice_trim((struct as_slice){s.p, tick});
		s = as_slice_skip(s, tick + 1);
	}
	out->name = dtrace_name(s, &out->addr);
}

static bool dtrace_count(struct as_slice s, as_val *count)
{
	bool negative = as_slice_starts(s, "-");
	uint64_t n;

	if (!as_slice_dec(as_slice_skip(s, negative), &n))
		return false;
	*count = negative ? -(as_val)n : (as_val)n;
	return true;
}

void as_dtrace_line(struct as_slice line, bool open, struct dtrace_line *out)
{
	struct as_slice text = as_slice_trim(line);
	bool deep = (size_t)(text.p - line.p) >= DTRACE_INDENT;

	*out = (struct dtrace_line){.text = text};
	if (!text.len)
		out->kind = DTRACE_EMPTY;
	else if (dtrace_count(text, &out->count))
		out->kind = open || deep ? DTRACE_COUNT : DTRACE_KEY;
	else if (!open && dtrace_is_header(text))
		out->kind = DTRACE_HEADER;
	else if (deep || as_slice_has(text, '`') || as_slice_starts(text, "0x"))
		out->kind = DTRACE_FRAME;
	else
		out->kind = DTRACE_KEY;
	if (out->kind == DTRACE_FRAME)
		dtrace_frame(out);
}

/* ---- the driver ---- */

/* A line of folded stacks has its count behind it, which no frame has. */
static bool dtrace_is_folded(struct as_slice s)
{
	struct as_slice word = as_slice_skip(s, as_slice_up_to_last(s, ' ')), whole;
	as_val n;

	return word.len < s.len && as_slice_cut(&word, '.', &whole) && dtrace_count(whole, &n);
}

/* Frames "MODULE`NAME" that a line with nothing but a count ends; nothing else of the kind. */
static enum as_probe dtrace_probe(const struct as_peek *pk)
{
	struct as_slice rest = pk->head, text;
	struct dtrace_line line;
	unsigned frames = 0, modules = 0, counts = 0, keys = 0, lines = 0;
	bool header = as_slice_starts(as_slice_ltrim(pk->head), "CPU ");

	if (!as_slice_is_text(pk->head))
		return AS_PROBE_NO;
	while (lines < DTRACE_ENOUGH && as_slice_line(&rest, pk->whole, &text)) {
		as_dtrace_line(as_slice_chop(text), frames > 0, &line);
		if (line.kind == DTRACE_FRAME && dtrace_is_folded(line.text))
			line.kind = DTRACE_KEY;
		lines += line.kind != DTRACE_EMPTY;
		frames += line.kind == DTRACE_FRAME;
		modules += line.kind == DTRACE_FRAME && as_slice_has(line.text, '`');
		keys += line.kind == DTRACE_KEY;
		header |= line.kind == DTRACE_HEADER && as_slice_starts(line.text, "CPU");
		if (line.kind == DTRACE_COUNT) {
			counts += frames > 0;
			frames = 0;
		}
	}
	if (header)
		return counts || keys + frames == 0 || modules ? AS_PROBE_MAGIC : AS_PROBE_NO;
	if (!modules || keys > modules)
		return AS_PROBE_NO;
	return counts || modules > DTRACE_ENOUGH / 2 ? AS_PROBE_MAGIC : AS_PROBE_NO;
}

const struct as_format as_format_dtrace = {
	.name = "dtrace",
	.title = "stacks that DTrace counted: @[stack()] = count()",
	.exts = "dtrace,stacks",
	.spec = "docs/formats/dtrace.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(ADDRS) | AS_CAP(OBJECTS) | AS_CAP(PARTS) |
		AS_CAP(PROCESS) | AS_CAP(NOSTACK) | AS_CAP(LABELS) | AS_CAP(NEGATIVE),
	.probe = dtrace_probe,
	.read = as_dtrace_read,
};
