/* SPDX-License-Identifier: Apache-2.0 */
#include "report/graph/dot_text.h"

#include "report/kit/utf8.h"

/* Whether the '&' at the front of S begins what Graphviz takes for an entity. */
static bool is_entity(struct as_slice s)
{
	size_t i = 1;

	while (i < s.len &&
		(s.p[i] == '#' || (s.p[i] >= '0' && s.p[i] <= '9') ||
			(s.p[i] >= 'A' && s.p[i] <= 'Z') || (s.p[i] >= 'a' && s.p[i] <= 'z')))
		i++;
	return i > 1 && i < s.len && s.p[i] == ';';
}

void as_dot_text(struct as_out *out, struct as_slice s)
{
	while (s.len) {
		size_t len = as_utf8_len(s.p, s.len);
		unsigned char c = (unsigned char)s.p[0];

		if (!len || c < 0x20 || c == 0x7f) {
			as_out_printf(out, "\\\\x%02x", c);
			len = 1;
		} else if (c == '"' || c == '\\') {
			as_out_char(out, '\\');
			as_out_char(out, (char)c);
		} else if (c == '&' && is_entity(s)) {
			as_out_text(out, "&amp;");
		} else {
			as_out_bytes(out, s.p, len);
		}
		s = as_slice_skip(s, len);
	}
}
