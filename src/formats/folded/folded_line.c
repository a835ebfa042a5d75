/* SPDX-License-Identifier: Apache-2.0 */
/* A line of folded stacks, from its end. */
#include "formats/folded/folded.h"

enum count { COUNT_OK, COUNT_NONE, COUNT_RANGE };

static inline bool folded_line_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Digits from P up to the first other byte, which is returned. */
static const char *folded_line_digits(const char *p, const char *end, uint64_t *v, bool *range)
{
	for (; p < end; p++) {
		unsigned d = (unsigned)((unsigned char)*p - '0');

		if (d > 9)
			break;
		if (AS_UNLIKELY(*v > (UINT64_MAX - d) / 10))
			*range = true;
		*v = *v * 10 + d;
	}
	return p;
}

/* The part behind the point: *V += it * SCALE, rounded, half away from zero. */
static const char *folded_line_fraction(
	const char *p, const char *end, uint64_t scale, as_val *v, bool *rounded)
{
	as_uval part = 0, base = 1, up;

	for (; p < end && *p >= '0' && *p <= '9'; p++) {
		if (base < UINT64_C(1000000000000000000)) {
			part = part * 10 + (unsigned)(*p - '0');
			base *= 10;
		} else if (*p != '0') {
			*rounded = true;
		}
	}
	part *= scale;
	up = part % base;
	*rounded |= up != 0;
	*v += (as_val)(part / base) + (up * 2 >= base);
	return p;
}

/* The whole word [P, END). */
static enum count parse_count(
	const char *p, const char *end, uint64_t scale, as_val *out, bool *rounded)
{
	bool minus = p < end && *p == '-', range = false;
	const char *from = p + minus, *at;
	uint64_t whole = 0;
	as_val v;

	at = folded_line_digits(from, end, &whole, &range);
	if (at == from)
		return COUNT_NONE;
	v = (as_val)whole * (as_val)scale;
	if (at < end && *at == '.')
		at = folded_line_fraction(at + 1, end, scale, &v, rounded);
	if (at < end)
		return COUNT_NONE;
	if (range || v > (as_val)UINT64_MAX || (minus && v > (as_val)1 << 63))
		return COUNT_RANGE;
	*out = minus ? -v : v;
	return COUNT_OK;
}

/* Cut the last word, and the blanks before it, off LINE. It must have some before it. */
static bool cut_word(struct as_slice *line, struct as_slice *word)
{
	size_t end = line->len, start;

	while (end && folded_line_is_blank(line->p[end - 1]))
		end--;
	start = end;
	while (start && !folded_line_is_blank(line->p[start - 1]))
		start--;
	if (!start || start == end)
		return false;
	*word = (struct as_slice){line->p + start, end - start};
	while (start && folded_line_is_blank(line->p[start - 1]))
		start--;
	line->len = start;
	return true;
}

static bool is_noise(struct as_slice line)
{
	if (line.len && line.p[0] == '#')
		return true;
	for (size_t i = 0; i < line.len; i++)
		if (!folded_line_is_blank(line.p[i]))
			return false;
	return true;
}

enum as_folded_kind as_folded_split(
	struct as_slice line, unsigned columns, uint64_t scale, struct as_folded_line *out)
{
	struct as_slice word;

	if (is_noise(line))
		return AS_FOLDED_NOISE;
	out->stack = line;
	out->rounded = false;
	for (unsigned i = columns; i-- > 0;) {
		enum count got = COUNT_NONE;

		if (cut_word(&out->stack, &word))
			got = parse_count(
				word.p, word.p + word.len, scale, &out->count[i], &out->rounded);
		if (got == COUNT_RANGE)
			return AS_FOLDED_RANGE;
		if (got == COUNT_NONE)
			return i + 1 == columns ? AS_FOLDED_NO_COUNT : AS_FOLDED_TOO_FEW;
	}
	return AS_FOLDED_STACK;
}

size_t as_folded_number_at(struct as_slice name)
{
	struct as_slice rest = name, word;
	bool rounded = false;
	as_val v;

	if (!cut_word(&rest, &word) ||
		parse_count(word.p, word.p + word.len, 1, &v, &rounded) == COUNT_NONE)
		return name.len;
	return (size_t)(word.p - name.p) - 1;
}

static bool is_python(struct as_slice path)
{
	return as_slice_ends(path, ".py") || as_slice_ends(path, ".pyx") ||
	       as_slice_is(path, "<string>");
}

bool as_folded_python(struct as_slice text, struct as_folded_python *out)
{
	size_t open = as_slice_find_text(text, " ("), colon = text.len;
	struct as_slice digits;

	if (!open || open == text.len || !as_slice_ends(text, ")"))
		return false;
	while (colon > open && text.p[colon - 1] != ':')
		colon--;
	if (colon < open + 3)
		return false;
	digits = (struct as_slice){text.p + colon, text.len - colon - 1};
	out->name = (struct as_slice){text.p, open};
	out->path = (struct as_slice){text.p + open + 2, colon - open - 3};
	/* As a number is written, so that it is again what it was. */
	return is_python(out->path) && !folded_line_is_blank(text.p[0]) &&
	       !folded_line_is_blank(text.p[open - 1]) && as_slice_dec(digits, &out->line) &&
	       digits.p[0] != '0';
}
