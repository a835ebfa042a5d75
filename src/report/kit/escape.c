/* SPDX-License-Identifier: Apache-2.0 */
#include "report/kit/escape.h"

void as_xml_escape(struct as_out *out, struct as_slice s, const char *special)
{
	static const char *const escape[] = {['&'] = "&amp;",
		['<'] = "&lt;",
		['>'] = "&gt;",
		['"'] = "&quot;",
		['\''] = "&#39;"};

	for (size_t i = 0; i < s.len; i++) {
		if (s.p[i] && strchr(special, s.p[i]))
			as_out_text(out, escape[(unsigned char)s.p[i]]);
		else
			as_out_char(out, s.p[i]);
	}
}
