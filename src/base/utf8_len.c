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
