/* SPDX-License-Identifier: Apache-2.0 */
#include "regex/regex.h"

#if AS_HAVE_RE2
#include "regex/re2_shim.h"
#endif

/* What stands behind a backslash, as far as capitals may be in it: "p{Lu}", "pL", "x{1F600}". */
static size_t escape_length(struct as_slice s)
{
	size_t n;

	if (!s.len || !memchr("pPx", s.p[0], 3))
		return 1;
	if (s.len > 1 && s.p[1] == '{')
		n = as_slice_find(s, '}') + 1;
	else
		n = s.p[0] == 'x' ? 3 : 2;
	return n < s.len ? n : s.len;
}

bool as_regex_is_lower(struct as_slice pattern)
{
	for (size_t i = 0; i < pattern.len; i++) {
		char c = pattern.p[i];

		if (c == '\\')
			i += escape_length(as_slice_skip(pattern, i + 1));
		else if (c >= 'A' && c <= 'Z')
			return false;
	}
	return true;
}

#if AS_HAVE_RE2

bool as_regex_there(void)
{
	return true;
}

/* RE2 takes no pointer for none. */
static const char *bytes_of(struct as_slice s)
{
	return s.len ? s.p : "";
}

enum as_code as_regex_new(struct as_slice pattern, const struct as_regex_opts *opts,
	struct as_regex **out, struct as_err *err)
{
	struct as_re2_error error = {.place = 0};
	struct as_re2 *re;
	enum as_re2_code code =
		as_re2_new(bytes_of(pattern), pattern.len, opts->ignore_case, &re, &error);

	*out = (struct as_regex *)re;
	if (code == AS_RE2_OK)
		return AS_OK;
	if (code == AS_RE2_TOO_LARGE)
		return as_err_set(err, AS_E_LIMIT, "the pattern would take too much memory");
	if (code == AS_RE2_NO_MEMORY)
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	if (opts->place)
		*opts->place = error.place;
	return as_err_set(err, AS_E_ARG, "%s", error.why);
}

void as_regex_free(struct as_regex *re)
{
	as_re2_free((struct as_re2 *)re);
}

bool as_regex_match(const struct as_regex *re, struct as_slice text)
{
	return as_re2_match((const struct as_re2 *)re, bytes_of(text), text.len);
}

#else

bool as_regex_there(void)
{
	return false;
}

enum as_code as_regex_new(struct as_slice pattern, const struct as_regex_opts *opts,
	struct as_regex **out, struct as_err *err)
{
	(void)pattern;
	(void)opts;
	*out = NULL;
	return as_err_set(
		err, AS_E_UNSUPPORTED, "this assay was built without RE2, which filters need");
}

void as_regex_free(struct as_regex *re)
{
	(void)re;
}

bool as_regex_match(const struct as_regex *re, struct as_slice text)
{
	(void)re;
	(void)text;
	return false;
}

#endif
