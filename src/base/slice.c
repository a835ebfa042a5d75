/* SPDX-License-Identifier: Apache-2.0 */
#include "base/slice.h"

#include <limits.h>

bool as_slice_among(struct as_slice s, const char *const *words, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (as_slice_is(s, words[i]))
			return true;
	return false;
}

int as_slice_cmp(struct as_slice a, struct as_slice b)
{
	size_t n = a.len < b.len ? a.len : b.len;
	int c = n && a.p != b.p ? memcmp(a.p, b.p, n) : 0;

	if (c)
		return c;
	return a.len < b.len ? -1 : a.len > b.len;
}

static bool slice_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

struct as_slice as_slice_ltrim(struct as_slice s)
{
	while (s.len && slice_is_blank(*s.p)) {
		s.p++;
		s.len--;
	}
	return s;
}

struct as_slice as_slice_trim(struct as_slice s)
{
	s = as_slice_ltrim(s);
	while (s.len && slice_is_blank(s.p[s.len - 1]))
		s.len--;
	return s;
}

bool as_slice_cut(struct as_slice *rest, char sep, struct as_slice *part)
{
	size_t at;

	if (!rest->p)
		return false;
	at = as_slice_find(*rest, sep);
	*part = (struct as_slice){rest->p, at};
	if (at < rest->len)
		*rest = as_slice_skip(*rest, at + 1);
	else
		*rest = (struct as_slice){NULL, 0};
	return true;
}

bool as_slice_word(struct as_slice *rest, struct as_slice *word)
{
	size_t n = 0;

	*rest = as_slice_ltrim(*rest);
	while (n < rest->len && !slice_is_blank(rest->p[n]))
		n++;
	*word = (struct as_slice){rest->p, n};
	if (n)
		*rest = as_slice_skip(*rest, n);
	return n > 0;
}

size_t as_slice_find(struct as_slice s, char c)
{
	const char *at = s.len ? memchr(s.p, c, s.len) : NULL;

	return at ? (size_t)(at - s.p) : s.len;
}

size_t as_slice_up_to_last(struct as_slice s, char c)
{
	while (s.len && s.p[s.len - 1] != c)
		s.len--;
	return s.len;
}

/* TEXT in S by how far the last byte that is looked at lets TEXT move on (Horspool): of a long S
 * most bytes are not looked at. */
static size_t slice_find_far(struct as_slice s, const char *text, size_t n)
{
	size_t last = n - 1;
	unsigned char move[UCHAR_MAX + 1];

	memset(move, (int)n, sizeof(move));
	for (size_t i = 0; i < last; i++)
		move[(unsigned char)text[i]] = (unsigned char)(last - i);
	for (size_t i = 0; i + n <= s.len; i += move[(unsigned char)s.p[i + last]])
		if (s.p[i + last] == text[last] && memcmp(s.p + i, text, last) == 0)
			return i;
	return s.len;
}

size_t as_slice_find_text(struct as_slice s, const char *text)
{
	enum { SHORT = 4, MANY = 32 }; /* places where the first byte alone stands */
	size_t n = strlen(text), n_alone = 0;

	for (size_t i = 0; i + n <= s.len; i++) {
		const char *first = memchr(s.p + i, text[0], s.len - i);

		i = first ? (size_t)(first - s.p) : s.len;
		if (first && i + n <= s.len && memcmp(first, text, n) == 0)
			return i;
		if (first && ++n_alone == MANY && n >= SHORT && n <= UCHAR_MAX)
			return i + slice_find_far(as_slice_skip(s, i), text, n);
	}
	return s.len;
}

/* -1 if C is none. */
static int slice_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 32);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool as_slice_dec(struct as_slice s, uint64_t *out)
{
	uint64_t v = 0;

	for (size_t i = 0; i < s.len; i++) {
		unsigned d = (unsigned)(unsigned char)s.p[i] - '0';

		if (d > 9 || __builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, d, &v))
			return false;
	}
	*out = v;
	return s.len > 0;
}

bool as_slice_hex(struct as_slice s, uint64_t *out)
{
	uint64_t v = 0;

	for (size_t i = 0; i < s.len; i++) {
		int d = slice_hex_digit(s.p[i]);

		if (d < 0 || v >> 60)
			return false;
		v = v << 4 | (unsigned)d;
	}
	*out = v;
	return s.len > 0;
}

bool as_slice_num(struct as_slice s, uint64_t *out)
{
	if (as_slice_starts(s, "0x") || as_slice_starts(s, "0X"))
		return as_slice_hex(as_slice_skip(s, 2), out);
	return as_slice_dec(s, out);
}

bool as_slice_is_hex(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (slice_hex_digit(s.p[i]) < 0)
			return false;
	return s.len > 0;
}

/* 1 if C is in no text. */
static unsigned slice_is_control(unsigned char c)
{
	return (c < 0x20) & (c != '\t') & (c != '\r') & (c != '\n');
}

bool as_slice_is_text(struct as_slice s)
{
	enum { GROUP = 64 }; /* side by side: the compiler makes one step of them */
	unsigned char any;

	for (; s.len >= GROUP; s = as_slice_skip(s, GROUP)) {
		any = 0;
		for (size_t i = 0; i < GROUP; i++)
			any |= (unsigned char)slice_is_control((unsigned char)s.p[i]);
		if (any)
			return false;
	}
	while (s.len && !slice_is_control((unsigned char)*s.p))
		s = as_slice_skip(s, 1);
	return !s.len;
}

bool as_slice_take_dec(struct as_slice *s, uint64_t *out)
{
	size_t n = 0;

	while (n < s->len && s->p[n] >= '0' && s->p[n] <= '9')
		n++;
	if (!as_slice_dec((struct as_slice){s->p, n}, out))
		return false;
	*s = as_slice_skip(*s, n);
	return true;
}

bool as_slice_take_hex(struct as_slice *s, uint64_t *out)
{
	size_t n = 0;

	while (n < s->len && slice_hex_digit(s->p[n]) >= 0)
		n++;
	if (!as_slice_hex((struct as_slice){s->p, n}, out))
		return false;
	*s = as_slice_skip(*s, n);
	return true;
}

bool as_slice_line(struct as_slice *s, bool whole, struct as_slice *line)
{
	size_t n = as_slice_find(*s, '\n');

	if (!s->len || (n == s->len && !whole))
		return false;
	*line = (struct as_slice){s->p, n};
	*s = as_slice_skip(*s, n < s->len ? n + 1 : n);
	return true;
}

bool as_slice_is_zero(struct as_slice s)
{
	while (s.len && s.p[s.len - 1] == '0')
		s.len--;
	return !s.len;
}

/* Less than eight bytes as a number, the lowest first. */
static inline uint64_t slice_word(const unsigned char *s, size_t len)
{
	uint32_t low, high;

	if (len < sizeof(low))
		return s[0] | (uint64_t)s[len / 2] << 8 * (len / 2) |
		       (uint64_t)s[len - 1] << 8 * (len - 1);
	memcpy(&low, s, sizeof(low));
	memcpy(&high, s + len - sizeof(high), sizeof(high));
	return low | (uint64_t)high << 8 * (len - sizeof(high));
}

uint64_t as_hash_bytes(const void *p, size_t len)
{
	const unsigned char *s = p;
	uint64_t h = as_hash_mix(len, 0x2545f4914f6cdd1du), w = 0;
	bool has_word = AS_LITTLE_ENDIAN && len >= sizeof(w);

	for (; len >= 8; s += 8, len -= 8) {
		memcpy(&w, s, 8);
		h = as_hash_mix(h, w);
	}
	if (len && has_word) { /* the same number, out of the last eight bytes */
		memcpy(&w, s + len - 8, 8);
		h = as_hash_mix(h, w >> 8 * (8 - len));
	} else if (len && AS_LITTLE_ENDIAN) {
		h = as_hash_mix(h, slice_word(s, len));
	} else if (len) {
		w = 0;
		memcpy(&w, s, len);
		h = as_hash_mix(h, w);
	}
	return h;
}
