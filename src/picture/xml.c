/* SPDX-License-Identifier: Apache-2.0 */
#include "picture/xml.h"

#include "report/show.h"
#include "report/utf8.h"

void as_xml_text(struct as_out *out, struct as_slice s)
{
	static const char *const escape[] = {['&'] = "&amp;",
		['<'] = "&lt;",
		['>'] = "&gt;",
		['"'] = "&quot;",
		['\''] = "&#39;"};

	for (size_t i = 0; i < s.len; i++) {
		unsigned char c = (unsigned char)s.p[i];

		if (c < AS_ARRAY_LEN(escape) && escape[c])
			as_out_text(out, escape[c]);
		else
			as_out_char(out, s.p[i]);
	}
}

void as_xml_fixed(struct as_out *out, uint64_t thousandths)
{
	unsigned part = (unsigned)(thousandths % 1000), digits = 3;

	as_out_u64(out, thousandths / 1000);
	if (!part)
		return;
	while (part % 10 == 0) {
		part /= 10;
		digits--;
	}
	as_out_printf(out, ".%0*u", (int)digits, part);
}

/* Bytes of the first N characters of S. */
static size_t bytes_of(struct as_slice s, size_t n)
{
	size_t i = 0;

	for (; n && i < s.len; n--) {
		size_t len = as_utf8_len(s.p + i, s.len - i);

		i += len ? len : 1;
	}
	return i;
}

struct as_slice as_picture_fit(struct as_arena *ar, struct as_slice name, size_t columns, bool utf8)
{
	struct as_style style = {.utf8 = utf8};
	struct as_slice s;

	if (columns < 3)
		return as_slice_of("");
	s = as_show_short(ar, name, columns > UINT16_MAX ? UINT16_MAX : (unsigned)columns, &style);
	if (!s.p || as_utf8_columns(s) <= columns)
		return s;
	s.len = bytes_of(s, columns - 1);
	return as_arena_printf(ar, "%.*s%s", AS_SLICE_FMT(s), utf8 ? "\xe2\x80\xa6" : "~");
}
