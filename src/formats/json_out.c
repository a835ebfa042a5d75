/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/json_out.h"

#include "base/utf8_len.h"

bool as_json_out_text(struct as_out *out, struct as_slice s)
{
	bool good = true;

	as_out_char(out, '"');
	for (size_t i = 0, n; i < s.len; i += n ? n : 1) {
		unsigned char c = (unsigned char)s.p[i];

		n = as_utf8_len(s.p + i, s.len - i);
		good &= n > 0;
		if (!n)
			as_out_text(out, "\xef\xbf\xbd");
		else if (c < 0x20)
			as_out_printf(out, "\\u%04x", c);
		else if (c == '"' || c == '\\')
			as_out_printf(out, "\\%c", c);
		else
			as_out_bytes(out, s.p + i, n);
	}
	as_out_char(out, '"');
	return good;
}
