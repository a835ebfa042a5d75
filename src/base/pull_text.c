/* SPDX-License-Identifier: Apache-2.0 */
/* Texts and integers of JSON. */
#include "base/pull.h"
#include "base/utf8_len.h"

static bool pull_text_hex(const char *p, const char *end, unsigned *v)
{
	*v = 0;
	if (end - p < 4)
		return false;
	for (int i = 0; i < 4; i++) {
		char c = p[i];
		unsigned digit = c >= '0' && c <= '9'   ? (unsigned)(c - '0')
				 : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
				 : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10)
							: 16;

		if (digit == 16)
			return false;
		*v = *v << 4 | digit;
	}
	return true;
}

/* Behind "\u" at *P: what it stands for, which may be two of them. */
static bool pull_text_unicode(const char **p, const char *end, unsigned *c)
{
	unsigned low;

	if (!pull_text_hex(*p, end, c))
		return false;
	*p += 4;
	if (*c >= 0xd800 && *c < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' && (*p)[1] == 'u' &&
		pull_text_hex(*p + 2, end, &low) && low >= 0xdc00 && low < 0xe000) {
		*c = 0x10000 + ((*c - 0xd800) << 10) + (low - 0xdc00);
		*p += 6;
	} else if (*c >= 0xd800 && *c < 0xe000) {
		*c = 0xfffd;
	}
	return true;
}

/* Behind the '\\' before *P. */
static bool pull_text_escape(const char **p, const char *end, char **out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *at;
	unsigned c;

	if (*p == end)
		return false;
	if (**p == 'u') {
		++*p;
		if (!pull_text_unicode(p, end, &c))
			return false;
		*out += as_utf8_put(*out, c);
		return true;
	}
	at = memchr(from, **p, sizeof(from) - 1);
	if (!at)
		return false;
	*(*out)++ = to[at - from];
	++*p;
	return true;
}

/* The end of the text at P, its quote; END if it has none. */
static const char *pull_text_end(const char *p, const char *end, bool *escapes)
{
	*escapes = false;
	for (; p < end && *p != '"' && (unsigned char)*p >= 0x20; p++)
		if (*p == '\\') {
			*escapes = true;
			p += p + 1 < end;
		}
	return p;
}

bool as_pull_unescape(struct as_pull *j, struct as_slice *text)
{
	const char *quote, *p;
	char *out, *start;
	bool escapes;

	do {
		quote = pull_text_end(j->p, j->end, &escapes);
	} while (quote == j->end && as_pull_fill(j));
	p = j->p;
	if (quote == j->end || *quote != '"') {
		j->p = quote;
		return as_pull_wrong(j, "a text ends in '\"', and has no control characters");
	}
	*text = (struct as_slice){p, (size_t)(quote - p)};
	j->p = quote + 1;
	if (!escapes || !j->arena)
		return true;
	start = out = as_arena_get(j->arena, text->len + 1);
	if (!start) {
		j->no_memory = true;
		return as_pull_wrong(j, "there is no memory");
	}
	while (p < quote) {
		if (*p != '\\') {
			*out++ = *p++;
			continue;
		}
		p++;
		if (!pull_text_escape(&p, quote, &out)) {
			j->p = p;
			return as_pull_wrong(j, "there is no such escape");
		}
	}
	*text = (struct as_slice){start, (size_t)(out - start)};
	return true;
}

/* *V times ten to the power EXPONENT; false if that is no integer of 64 bits. */
static bool pull_text_scale(uint64_t *v, int64_t exponent)
{
	for (; exponent > 0 && *v; exponent--) {
		if (*v > UINT64_MAX / 10)
			return false;
		*v *= 10;
	}
	for (; exponent < 0 && *v; exponent++) {
		if (*v % 10)
			return false;
		*v /= 10;
	}
	return true;
}

/* The number that the digits of TEXT are, of which one may be a point, times ten to the power
 * EXPONENT. */
static bool pull_text_digits(struct as_slice text, int64_t exponent, uint64_t *v)
{
	bool point = false;

	if (as_slice_has(text, '.'))
		while (text.p[text.len - 1] == '0') /* they say nothing */
			text.len--;
	*v = 0;
	for (size_t i = 0; i < text.len; i++) {
		unsigned digit = (unsigned)(text.p[i] - '0');

		if (text.p[i] == '.' && !point) {
			point = true;
			continue;
		}
		if (digit > 9 || *v > (UINT64_MAX - digit) / 10)
			return false;
		*v = *v * 10 + digit;
		exponent -= point;
	}
	return pull_text_scale(v, exponent);
}

/* A number's parts: its digits, of which one may be a point, and the power of ten behind them. */
struct pull_text_number {
	bool negative;
	struct as_slice digits;
	int64_t exponent;
};

static bool pull_text_split(struct as_slice text, struct pull_text_number *out)
{
	struct as_slice digits = text;
	uint64_t power = 0;
	size_t e = 0;
	bool down;

	out->negative = as_slice_starts(digits, "-");
	digits = as_slice_skip(digits, out->negative);
	while (e < digits.len && digits.p[e] != 'e' && digits.p[e] != 'E')
		e++;
	text = as_slice_skip(digits, e);
	digits.len = e;
	text = as_slice_skip(text, text.len > 0);
	down = as_slice_starts(text, "-");
	text = as_slice_skip(text, down || as_slice_starts(text, "+"));
	if (text.len && (!as_slice_dec(text, &power) || power > 1000))
		return false;
	out->digits = digits;
	out->exponent = down ? -(int64_t)power : (int64_t)power;
	return digits.len > 0;
}

bool as_pull_integer(struct as_slice text, uint64_t *v, bool *negative)
{
	struct pull_text_number n;
	bool ok = pull_text_split(text, &n);

	*negative = n.negative;
	if (!ok || !pull_text_digits(n.digits, n.exponent, v))
		return false;
	if (n.negative && *v > UINT64_C(1) << 63)
		return false;
	*v = n.negative ? 0 - *v : *v;
	return true;
}

/* The digit that stands for ten to the power PLACE in DIGITS, the last before the point being 0. */
static unsigned pull_text_digit(struct as_slice digits, size_t point, int64_t place)
{
	int64_t at = (int64_t)point - 1 - place;

	at += at >= (int64_t)point; /* the point itself */
	return at < 0 || at >= (int64_t)digits.len ? 0 : (unsigned)(digits.p[at] - '0');
}

bool as_pull_scaled(struct as_slice text, int exponent, int64_t *v, bool *exact)
{
	struct pull_text_number n;
	uint64_t sum = 0, max = INT64_MAX;
	size_t point = 0;
	int64_t low, place;

	*exact = true;
	if (!pull_text_split(text, &n))
		return false;
	while (point < n.digits.len && n.digits.p[point] != '.')
		point++;
	for (size_t i = 0; i < n.digits.len; i++)
		if (i != point && (n.digits.p[i] < '0' || n.digits.p[i] > '9'))
			return false;
	low = -(n.exponent + exponent); /* the digit of this place becomes that of the units */
	for (place = (int64_t)point - 1 > low ? (int64_t)point - 1 : low; place >= low; place--) {
		unsigned digit = pull_text_digit(n.digits, point, place);

		if (sum > (max - digit) / 10)
			return false;
		sum = sum * 10 + digit;
	}
	if (pull_text_digit(n.digits, point, low - 1) >= 5 && sum++ == max)
		return false;
	for (place = low - 1; place >= (int64_t)point - (int64_t)n.digits.len && *exact; place--)
		*exact = pull_text_digit(n.digits, point, place) == 0;
	*v = n.negative ? -(int64_t)sum : (int64_t)sum;
	return true;
}
