/* SPDX-License-Identifier: Apache-2.0 */
/* For fuzz targets: is a text JSON? */
#ifndef TESTS_LIB_FUZZ_JSON_H
#define TESTS_LIB_FUZZ_JSON_H

#include "base/base.h"
#include "base/slice.h"

enum { JSON_DEPTH = 4096 };

static inline bool json_value(struct as_slice *s, int depth);

static inline bool json_take(struct as_slice *s, char c)
{
	while (s->len && (*s->p == ' ' || *s->p == '\n'))
		*s = as_slice_skip(*s, 1);
	if (!s->len || *s->p != c)
		return false;
	*s = as_slice_skip(*s, 1);
	return true;
}

static inline bool json_text(struct as_slice *s)
{
	if (!json_take(s, '"'))
		return false;
	while (s->len && *s->p != '"') {
		if ((unsigned char)*s->p < 0x20 || (*s->p == '\\' && s->len < 2))
			return false;
		*s = as_slice_skip(*s, *s->p == '\\' ? 2 : 1);
	}
	return json_take(s, '"');
}

static inline bool json_several(struct as_slice *s, bool named, int depth)
{
	char end = named ? '}' : ']';

	if (!json_take(s, named ? '{' : '['))
		return false;
	if (json_take(s, end))
		return true;
	do {
		if (named && !(json_text(s) && json_take(s, ':')))
			return false;
		if (!json_value(s, depth + 1))
			return false;
	} while (json_take(s, ','));
	return json_take(s, end);
}

static inline bool json_plain(struct as_slice *s)
{
	size_t n = 0;

	while (n < s->len && strchr("+-.0123456789Eaeflnrstu", s->p[n]) && s->p[n])
		n++;
	*s = as_slice_skip(*s, n);
	return n > 0;
}

static inline bool json_value(struct as_slice *s, int depth)
{
	while (s->len && (*s->p == ' ' || *s->p == '\n'))
		*s = as_slice_skip(*s, 1);
	if (!s->len || depth > JSON_DEPTH)
		return false;
	switch (*s->p) {
	case '{':
	case '[':
		return json_several(s, *s->p == '{', depth);
	case '"':
		return json_text(s);
	default:
		return json_plain(s);
	}
}

static inline bool is_json(struct as_slice s)
{
	if (!json_value(&s, 0))
		return false;
	(void)json_take(&s, '\n');
	return s.len == 0;
}

#endif
