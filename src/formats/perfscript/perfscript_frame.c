/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of call chains. docs/formats/perfscript.md §3. */
#include "formats/perfscript/perfscript.h"

static const char frame_inlined[] = "(inlined)";

static struct as_slice frame_drop_end(struct as_slice s, size_t n)
{
	s.len -= n;
	return as_slice_trim(s);
}

/* S without a "+0x93" at its end. */
static struct as_slice frame_drop_offset(struct as_slice s)
{
	size_t at = as_slice_up_to_last(s, '+');
	uint64_t v;

	if (at && as_slice_starts(as_slice_skip(s, at), "0x") &&
		as_slice_hex(as_slice_skip(s, at + 2), &v))
		s.len = at - 1;
	return s;
}

/* Where the bracket opens that closes at the end of S, behind a blank; S.len if it does not. */
static size_t frame_opens(struct as_slice s)
{
	size_t depth = 0, i = s.len;

	if (!as_slice_ends(s, ")"))
		return s.len;
	while (i-- > 0) {
		depth += s.p[i] == ')';
		if (s.p[i] == '(' && --depth == 0)
			return i == 0 || s.p[i - 1] == ' ' || s.p[i - 1] == '\t' ? i : s.len;
	}
	return s.len;
}

static struct as_slice frame_known(struct as_slice s)
{
	return as_slice_is(s, "[unknown]") ? as_slice_of("") : s;
}

bool as_ps_frame(struct as_slice line, struct ps_frame *out)
{
	struct as_slice rest = line, word;
	size_t opens;

	*out = (struct ps_frame){.name = as_slice_of(""), .object = as_slice_of("")};
	if (!as_slice_word(&rest, &word) || !as_slice_hex(word, &out->addr))
		return false;
	rest = as_slice_trim(rest);
	if (as_slice_ends(rest, frame_inlined)) {
		out->inlined = true;
		rest = frame_drop_end(rest, sizeof(frame_inlined) - 1);
	}
	opens = frame_opens(rest);
	if (opens < rest.len) {
		out->object = (struct as_slice){rest.p + opens + 1, rest.len - opens - 2};
		out->object = frame_drop_offset(out->object);
		rest.len = opens;
	}
	out->name = frame_known(frame_drop_offset(as_slice_trim(rest)));
	return true;
}

bool as_ps_is_set_off(struct as_slice line)
{
	enum { DIGITS = 8 }; /* shorter ones may be names */
	struct as_slice rest = line, word;
	uint64_t addr;

	if (line.len && (line.p[0] == ' ' || line.p[0] == '\t'))
		return true;
	return as_slice_word(&rest, &word) && word.len >= DIGITS && as_slice_hex(word, &addr);
}

bool as_ps_is_column(struct as_slice line)
{
	enum { COLUMNS = 16 };
	struct as_slice rest = line, word;
	uint64_t addr;

	return line.len && (line.p[0] == ' ' || line.p[0] == '\t') && as_slice_word(&rest, &word) &&
	       as_slice_hex(word, &addr) && (size_t)(word.p + word.len - line.p) >= COLUMNS;
}

bool as_ps_source(struct as_slice line, struct as_slice *file, uint64_t *number, bool *inlined)
{
	struct as_slice s = as_slice_trim(line);
	size_t colon;

	*inlined = as_slice_ends(s, frame_inlined);
	if (*inlined)
		s = frame_drop_end(s, sizeof(frame_inlined) - 1);
	*file = as_slice_of("");
	*number = 0;
	if (as_slice_ends(s, "]") && as_slice_find(s, '[') < s.len)
		return true; /* "libc.so.6[12ab]": it is not known */
	colon = as_slice_up_to_last(s, ':');
	if (colon < 2 || !as_slice_dec(as_slice_skip(s, colon), number))
		return false;
	*file = (struct as_slice){s.p, colon - 1};
	if (as_slice_is(*file, "??"))
		*file = as_slice_of("");
	return true;
}

bool as_ps_is_map(struct as_slice object)
{
	struct as_slice base = as_base_name(object);
	uint64_t pid;

	if (!as_slice_starts(base, "perf-") || !as_slice_ends(base, ".map"))
		return false;
	return as_slice_dec((struct as_slice){base.p + 5, base.len - 9}, &pid);
}

bool as_ps_cut_arrow(struct as_slice *rest, struct as_slice *name)
{
	size_t at;

	if (!rest->len)
		return false;
	at = as_slice_find_text(*rest, "->");
	*name = (struct as_slice){rest->p, at};
	*rest = as_slice_skip(*rest, at < rest->len ? at + 2 : at);
	return true;
}
