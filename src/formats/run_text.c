/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/run_text.h"

#include "base/utf8_len.h"

bool as_run_is_special(unsigned char c)
{
	return c < 0x20 || c == 0x7f || c == '=' || c == '%';
}

/* %XX for the bytes that TAKE says, or, where it is NULL, for those that are no UTF-8. */
static struct as_slice run_text_escape(
	struct as_arena *ar, struct as_slice text, bool (*take)(unsigned char))
{
	static const char hex[] = "0123456789abcdef";
	char *p = text.len < SIZE_MAX / 3 ? as_arena_get(ar, 3 * text.len + 1) : NULL;
	struct as_slice out = {p, 0};

	for (size_t i = 0, n; p && i < text.len; i += n) {
		unsigned char c = (unsigned char)text.p[i];

		n = take ? !take(c) : as_utf8_len(text.p + i, text.len - i);
		memcpy(p + out.len, text.p + i, n);
		out.len += n;
		if (n)
			continue;
		p[out.len++] = '%';
		p[out.len++] = hex[c >> 4];
		p[out.len++] = hex[c & 15];
		n = 1;
	}
	return out;
}

struct as_slice as_run_escape(struct as_arena *ar, struct as_slice text)
{
	return run_text_escape(ar, text, as_run_is_special);
}

struct as_slice as_run_escape_foreign(struct as_arena *ar, struct as_slice text)
{
	return run_text_escape(ar, text, NULL);
}

bool as_run_unescape(struct as_arena *ar, struct as_slice text, struct as_slice *out)
{
	char *p = as_arena_get(ar, text.len + 1);
	uint64_t c;

	*out = (struct as_slice){p, 0};
	for (size_t i = 0; p && i < text.len; i++) {
		c = (unsigned char)text.p[i];
		if (c == '%') {
			if (text.len - i < 3 ||
				!as_slice_hex((struct as_slice){text.p + i + 1, 2}, &c))
				return false;
			i += 2;
		}
		p[out->len++] = (char)(unsigned char)c;
	}
	return true;
}

bool as_run_seconds(struct as_slice text, int64_t *nanos)
{
	size_t dot = as_slice_find(text, '.');
	struct as_slice rest = as_slice_skip(text, dot < text.len ? dot + 1 : text.len);
	uint64_t whole, part = 0;
	as_val all;

	text.len = dot;
	if (!as_slice_dec(text, &whole) || rest.len > 9 ||
		(text.p + dot != rest.p && !as_slice_dec(rest, &part)))
		return false;
	for (size_t i = rest.len; i < 9; i++)
		part *= 10;
	all = (as_val)whole * AS_RUN_SECOND + (as_val)part;
	*nanos = (int64_t)all;
	return all <= INT64_MAX;
}
