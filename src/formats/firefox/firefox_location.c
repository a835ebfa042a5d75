/* SPDX-License-Identifier: Apache-2.0 */
/* What Gecko says of a frame, one of four texts. docs/formats/firefox.md §5. */
#include "formats/firefox/firefox.h"

/* Where the last " (" of S is, or its length. */
static size_t location_bracket(struct as_slice s)
{
	for (size_t i = s.len; i-- > 1;)
		if (s.p[i] == '(' && s.p[i - 1] == ' ')
			return i - 1;
	return s.len;
}

/* Take ":12" off the end of S. */
static bool location_number(struct as_slice *s, uint64_t *number)
{
	size_t colon = as_slice_up_to_last(*s, ':');

	if (!colon || !as_slice_dec(as_slice_skip(*s, colon), number))
		return false;
	s->len = colon - 1;
	return true;
}

/* "url:12" or "url:12:3" */
static bool location_source(struct as_slice s, struct fx_location *out)
{
	uint64_t last, before;

	if (!location_number(&s, &last))
		return false;
	if (location_number(&s, &before)) {
		out->line = before;
		out->column = last;
	} else {
		out->line = last;
	}
	out->file = s;
	return s.len > 0;
}

/* "[12]" at the end is the number of a source. */
static struct as_slice location_without_index(struct as_slice s)
{
	size_t open = as_slice_up_to_last(s, '[');
	struct as_slice digits = as_slice_skip(s, open);
	uint64_t index;

	if (!open || !as_slice_ends(s, "]"))
		return s;
	digits.len--;
	if (as_slice_dec(digits, &index))
		s.len = open - 1;
	return s;
}

/* What stands in the last brackets of S, which are taken off. */
static bool location_in_brackets(struct as_slice *s, struct as_slice *inside)
{
	size_t at = location_bracket(*s);

	if (!as_slice_ends(*s, ")") || at == s->len)
		return false;
	*inside = as_slice_skip(*s, at + 2);
	inside->len--;
	s->len = at;
	return true;
}

/* "name (in lib) (file:12)" and "name (in lib) + 12" */
static bool location_native(struct as_slice s, struct fx_location *out)
{
	struct as_slice file = {"", 0}, in;
	size_t plus = as_slice_up_to_last(s, '+');
	uint64_t offset;

	if (plus > 1 && as_slice_dec(as_slice_trim(as_slice_skip(s, plus)), &offset)) {
		s.len = plus - 1;
		s = as_slice_trim(s);
	} else if (!location_in_brackets(&s, &file)) {
		return false;
	}
	if (as_slice_starts(file, "in ")) {
		in = file;
		file.len = 0;
	} else if (!location_in_brackets(&s, &in) || !as_slice_starts(in, "in ")) {
		return false;
	}
	out->name = s;
	out->lib = as_slice_skip(in, 3);
	(void)location_source(file, out);
	return true;
}

void as_fx_location(struct as_slice text, struct fx_location *out)
{
	struct as_slice s = location_without_index(text), source;

	*out = (struct fx_location){.name = text};
	if (as_slice_starts(text, "0x") && as_slice_hex(as_slice_skip(text, 2), &out->address)) {
		out->has_address = true;
		return;
	}
	if (location_native(s, out))
		return;
	if (location_in_brackets(&s, &source) && location_source(source, out)) {
		out->name = s;
		return;
	}
	*out = (struct fx_location){.name = text};
}
