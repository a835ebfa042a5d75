/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8_len.h"

static bool is_tail(unsigned char c)
{
	return (c & 0xc0) == 0x80;
}

/* The second byte excludes overlong forms, surrogates and what is beyond U+10FFFF:
 * Unicode, table 3-7 "Well-Formed UTF-8 Byte Sequences". */
static bool second_fits(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xe0:
		return second >= 0xa0;
	case 0xed:
		return second <= 0x9f;
	case 0xf0:
		return second >= 0x90;
	case 0xf4:
		return second <= 0x8f;
	default:
		return true;
	}
}

size_t as_utf8_len(const char *p, size_t n)
{
	const unsigned char *u = (const unsigned char *)p;
	size_t len;

	if (n == 0)
		return 0;
	if (u[0] < 0x80)
		return 1;
	if (u[0] < 0xc2 || u[0] > 0xf4)
		return 0;
	len = u[0] < 0xe0 ? 2 : u[0] < 0xf0 ? 3 : 4;
	if (n < len || !is_tail(u[1]) || !second_fits(u[0], u[1]))
		return 0;
	for (size_t i = 2; i < len; i++)
		if (!is_tail(u[i]))
			return 0;
	return len;
}

size_t as_utf8_put(char *out, uint32_t c)
{
	size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (size_t i = n; i-- > 1; c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3f));
	out[0] = (char)(n == 1 ? c : (0xf00u >> n & 0xf0) | c);
	return n;
}

/* Characters that show themselves, of LEN bytes: not those that move the cursor, nor those that
 * turn the direction of what comes after them (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to
 * U+2069), nor U+FFFE and U+FFFF, which are none. */
static bool utf8_is_plain(const unsigned char *p, size_t len)
{
	unsigned c;

	switch (len) {
	case 0:
		return false;
	case 1:
		return p[0] >= 0x20 && p[0] != 0x7f;
	case 2:
		c = (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
		return c >= 0xa0 && c != 0x61c;
	case 3:
		c = (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
		return c != 0x200e && c != 0x200f && (c < 0x202a || c > 0x202e) &&
		       (c < 0x2066 || c > 0x2069) && c < 0xfffe;
	default:
		return true;
	}
}

size_t as_plain_len(const char *p, size_t n)
{
	size_t len = as_utf8_len(p, n);

	return utf8_is_plain((const unsigned char *)p, len) ? len : 0;
}

size_t as_utf8_columns(struct as_slice s)
{
	size_t columns = 0;

	for (size_t i = 0; i < s.len; columns++) {
		size_t len = as_utf8_len(s.p + i, s.len - i);

		i += len ? len : 1;
	}
	return columns;
}
