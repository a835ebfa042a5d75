/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of the text list: mappings as ProcMapsIterator::FormatLine prints them, "cooked" ones
 * as DumpAddressMap does, and build specifiers. docs/formats/gperf.md, "Layout".
 *
 *	40000000-40015000 r-xp 00000000 03:01 12845071   /lib/ld-2.3.2.so
 *	  40000000-40015000: /lib/ld-2.3.2.so (@1000)
 *	  build=/path/to/binary
 */
#include "formats/map_line.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Letters, digits and the underscore, as the document defines them. */
static bool map_line_is_word(char c)
{
	return c == '_' || is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool map_line_take_char(struct as_slice *rest, char c)
{
	if (!rest->len || rest->p[0] != c)
		return false;
	*rest = as_slice_skip(*rest, 1);
	return true;
}

static bool take_blanks(struct as_slice *rest)
{
	size_t before = rest->len;

	*rest = as_slice_ltrim(*rest);
	return rest->len < before;
}

/* "r-xp"; some systems print three or five letters. */
static bool take_perms(struct as_slice *rest, bool *exec)
{
	size_t n = 0;

	*exec = false;
	while (n < rest->len && memchr("-rwxsp", rest->p[n], 6)) {
		*exec |= rest->p[n] == 'x';
		n++;
	}
	*rest = as_slice_skip(*rest, n);
	return n >= 3 && n <= 5;
}

struct as_slice as_map_path_read(struct as_slice path)
{
	static const char deleted[] = " (deleted)";

	path = as_slice_trim(path);
	while (as_slice_ends(path, deleted)) {
		path.len -= sizeof(deleted) - 1;
		path = as_slice_trim(path);
	}
	return path;
}

/* What stands after the inode: blanks and a path, or a path at once (gperftools 2.16). */
static void set_path(struct as_map_line *line, struct as_slice rest)
{
	line->path = as_map_path_read(rest);
	line->deleted = line->path.len < as_slice_trim(rest).len;
}

/* " r-xp OFFSET MAJOR:MINOR INODE PATH" */
static bool parse_full(struct as_map_line *line, struct as_slice rest)
{
	struct as_slice device;
	size_t n = 0;

	if (!take_blanks(&rest) || !take_perms(&rest, &line->exec) || !take_blanks(&rest) ||
		!as_slice_take_hex(&rest, &line->offset) || !take_blanks(&rest) ||
		!as_slice_word(&rest, &device) || as_slice_find(device, ':') == device.len)
		return false;
	take_blanks(&rest);
	while (n < rest.len && is_digit(rest.p[n]))
		n++;
	if (!n)
		return false;
	rest = as_slice_skip(rest, n);
	line->glued = rest.len && rest.p[0] != ' ' && rest.p[0] != '\t';
	set_path(line, rest);
	return true;
}

/* ": PATH (@OFFSET)" */
static bool parse_cooked(struct as_map_line *line, struct as_slice rest)
{
	struct as_slice number;
	size_t at;

	if (!map_line_take_char(&rest, ':') || !take_blanks(&rest))
		return false;
	line->exec = true;
	rest = as_slice_trim(rest);
	at = as_slice_find_text(rest, " (@");
	if (at < rest.len && rest.p[rest.len - 1] == ')') {
		number = (struct as_slice){rest.p + at + 3, rest.len - at - 4};
		if (as_slice_hex(number, &line->offset))
			rest.len = at;
	}
	set_path(line, rest);
	return line->path.len > 0;
}

static bool take_bounds(struct as_slice *rest, struct as_map_line *line)
{
	return as_slice_take_hex(rest, &line->start) && map_line_take_char(rest, '-') &&
	       as_slice_take_hex(rest, &line->limit);
}

void as_map_line_parse(struct as_map_line *line)
{
	struct as_slice s = as_slice_chop(line->text), bare = as_slice_ltrim(s), rest;

	if (as_slice_starts(bare, "build=")) {
		line->is_build = true;
		line->path = as_slice_skip(bare, 6);
		return;
	}
	/* "The first address must start at the beginning of the line", but not a cooked one's. */
	rest = s;
	line->is_map = take_bounds(&rest, line) && parse_full(line, rest);
	if (!line->is_map) {
		line->offset = 0;
		line->deleted = line->glued = false;
		line->is_map = take_bounds(&bare, line) && parse_cooked(line, bare);
	}
}

bool as_map_line_starts(struct as_slice s)
{
	struct as_slice bare = as_slice_ltrim(s), rest = s;
	struct as_map_line line;
	bool exec;

	if (as_slice_starts(bare, "build="))
		return true;
	if (take_bounds(&rest, &line) && take_blanks(&rest) && take_perms(&rest, &exec) &&
		take_blanks(&rest))
		return true;
	return take_bounds(&bare, &line) && map_line_take_char(&bare, ':') && take_blanks(&bare);
}

struct as_slice as_map_path(
	struct as_arena *ar, struct as_slice path, struct as_slice build, size_t *n)
{
	static const char var[] = "$build";
	struct as_slice out = path, rest = path;
	size_t var_len = sizeof(var) - 1, at;
	char *p;

	*n = 0;
	for (; (at = as_slice_find_text(rest, var)) < rest.len;
		rest = as_slice_skip(rest, at + var_len))
		*n += at + var_len == rest.len || !map_line_is_word(rest.p[at + var_len]);
	if (!*n)
		return out;
	if (build.len > (SIZE_MAX - path.len) / *n)
		return (struct as_slice){NULL, 0};
	p = as_arena_get(ar, path.len + *n * build.len);
	out = (struct as_slice){p, 0};
	if (!p)
		return out;
	for (size_t i = 0; i < path.len;) {
		rest = as_slice_skip(path, i);
		if (as_slice_starts(rest, var) &&
			(rest.len == var_len || !map_line_is_word(rest.p[var_len]))) {
			if (build.len)
				memcpy(p + out.len, build.p, build.len);
			out.len += build.len;
			i += var_len;
		} else {
			p[out.len++] = path.p[i++];
		}
	}
	return out;
}
