/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-16, which PowerShell's ">" makes of what a program prints. */
#include "formats/folded/folded_dialect.h"

bool as_folded_is_utf16(struct as_slice head, bool *big)
{
	*big = as_slice_starts(head, "\xfe\xff");
	return *big || as_slice_starts(head, "\xff\xfe");
}

static uint32_t utf16_unit(const char *p, bool big)
{
	unsigned a = (unsigned char)p[0], b = (unsigned char)p[1];

	return big ? a << 8 | b : b << 8 | a;
}

static char *utf16_put(char *to, uint32_t c)
{
	if (c < 0x80) {
		*to++ = (char)c;
		return to;
	}
	if (c < 0x800) {
		*to++ = (char)(0xc0 | c >> 6);
	} else if (c < 0x10000) {
		*to++ = (char)(0xe0 | c >> 12);
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
	} else {
		*to++ = (char)(0xf0 | c >> 18);
		*to++ = (char)(0x80 | (c >> 12 & 0x3f));
		*to++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*to++ = (char)(0x80 | (c & 0x3f));
	return to;
}

size_t as_folded_from_utf16(struct as_slice text, bool big, char *out)
{
	char *to = out;

	for (size_t i = 2; i + 1 < text.len; i += 2) {
		uint32_t c = utf16_unit(text.p + i, big), low = 0;

		if (c >= 0xd800 && c < 0xdc00 && i + 3 < text.len)
			low = utf16_unit(text.p + i + 2, big);
		if (low >= 0xdc00 && low < 0xe000) {
			c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
			i += 2;
		} else if (c >= 0xd800 && c < 0xe000) {
			c = 0xfffd;
		}
		to = utf16_put(to, c);
	}
	return (size_t)(to - out);
}
