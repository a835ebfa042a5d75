/* SPDX-License-Identifier: Apache-2.0 */
/* Folded stacks: the driver's table and probe. docs/formats/folded.md. */
#include "formats/folded/folded_dialect.h"

enum { LINES_ENOUGH = 128 };

/* A line longer than the head may be a very deep stack, or a frame with a very long name; it is not
 * if it is source text or data. */
static bool is_long_stack(struct as_slice s)
{
	return as_slice_find(s, '"') == s.len && as_slice_find(s, '=') == s.len;
}

/* No magic bytes: lines that end in a count count for it, others against it. "word 12" is in
 * many texts, so it is semicolons that make it likely. */
enum as_probe as_folded_look(const struct as_peek *pk, unsigned *columns)
{
	uint64_t stacks = 0, two = 0, deep = 0, other = 0;
	struct as_slice rest = as_folded_past_marks(pk->head), line;
	struct as_folded_line fl;

	*columns = 1;
	if (!as_slice_is_text(pk->head))
		return AS_PROBE_NO;
	if (as_slice_starts(rest, AS_FOLDED_NOTHING))
		return AS_PROBE_MAGIC;
	if (!pk->whole && !memchr(rest.p, '\n', rest.len))
		return is_long_stack(rest) ? AS_PROBE_WEAK : AS_PROBE_NO;
	/* Other text shows soon: none of its lines is a stack of several frames. */
	while ((stacks + other < LINES_ENOUGH || deep || !other) &&
		as_slice_line(&rest, pk->whole, &line)) {
		enum as_folded_kind kind = as_folded_split(line, 1, 1, &fl);

		if (kind == AS_FOLDED_NOISE)
			continue;
		other += kind != AS_FOLDED_STACK;
		if (kind != AS_FOLDED_STACK)
			continue;
		stacks++;
		deep += as_slice_find(fl.stack, ';') < fl.stack.len;
		two += as_folded_split(line, 2, 1, &fl) == AS_FOLDED_STACK && fl.stack.len;
	}
	/* Names seldom end in a number. Lines of one count among those of two are told. */
	*columns = two > stacks - two ? 2 : 1;
	if (!stacks || other >= stacks)
		return AS_PROBE_NO;
	if (!deep)
		return other ? AS_PROBE_NO : AS_PROBE_WEAK;
	return !other && deep * 2 >= stacks ? AS_PROBE_LIKELY : AS_PROBE_WEAK;
}

#ifndef AS_FEWER_FORMATS
/* What its first bytes are as UTF-8. */
static enum as_probe folded_probe_utf16(const struct as_peek *pk, bool big)
{
	enum { BYTES = 16384 };
	char text[BYTES + BYTES / 2];
	struct as_slice some = {pk->head.p, pk->head.len < BYTES ? pk->head.len : BYTES};
	struct as_peek as_utf8 = {.whole = pk->whole && pk->head.len <= BYTES};
	unsigned columns;

	as_utf8.head = (struct as_slice){text, as_folded_from_utf16(some, big, text)};
	return as_utf8.head.len ? as_folded_look(&as_utf8, &columns) : AS_PROBE_NO;
}
#endif

static enum as_probe folded_probe(const struct as_peek *pk)
{
	unsigned columns;

#ifndef AS_FEWER_FORMATS
	bool big;

	if (as_folded_is_utf16(pk->head, &big))
		return folded_probe_utf16(pk, big);
	if (as_slice_find_text(pk->head, AS_FOLDED_AUSTINS) < pk->head.len &&
		as_folded_dialect(pk->head) == AS_FOLDED_AUSTIN)
		return AS_PROBE_MAGIC;
#endif
	return as_folded_look(pk, &columns);
}

static const struct as_opt read_opts[] = {
	{"columns", "1|2", "counts at the end of a line (default: 2 if most lines have them)"},
	{"frames", "py|austin|plain", "what frames say (default: as they look)"},
	{"scale", "10|100|...", "multiply counts by a power of ten, to keep their fractions"},
	{NULL, NULL, NULL},
};

static const struct as_opt write_opts[] = {
	{"event", "NAME[,NAME]", "the event to write, or two (default: the first, or a pair read)"},
	{"marks", "yes|no", "_[i], _[k] and _[j] for inlined, kernel and generated code (yes)"},
	{NULL, NULL, NULL},
};

const struct as_format as_format_folded = {
	.name = "folded",
	.title = "folded stacks: a line for each call path, as flame graphs are made of",
	.exts = "folded,collapsed,stacks",
	.spec = "docs/formats/folded.md",
	.caps = AS_CAP(PATHS) | AS_CAP(FUNCS) | AS_CAP(FILES) | AS_CAP(LINES) | AS_CAP(OBJECTS) |
		AS_CAP(EVENTS) | AS_CAP(NEGATIVE) |
		AS_CAP(UNNAMED), /* some are lost: see writing */
	.self_rows = true,
	.alike = true,
	.dialects = true,
	.probe = folded_probe,
	.read = as_folded_read,
	.write = AS_WRITER(as_folded_write),
	.read_opts = read_opts,
	.write_opts = write_opts,
};
