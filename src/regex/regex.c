/* SPDX-License-Identifier: Apache-2.0 */
#include "regex/regex.h"

#if AS_HAVE_RE2
#include "regex/re2_shim.h"

bool as_regex_there(void)
{
	return true;
}

/* RE2 takes no pointer for none. */
static const char *regex_bytes_of(struct as_slice s)
{
	return s.len ? s.p : "";
}

enum as_code as_regex_new(struct as_slice pattern, const struct as_regex_opts *opts,
	struct as_regex **out, struct as_err *err)
{
	struct as_re2_error error = {.place = 0};
	struct as_re2 *re;
	enum as_re2_code code =
		as_re2_new(regex_bytes_of(pattern), pattern.len, opts->ignore_case, &re, &error);

	*out = (struct as_regex *)re;
	if (code == AS_RE2_OK)
		return AS_OK;
	if (code == AS_RE2_TOO_LARGE)
		return as_err_set(err, AS_E_LIMIT, "the pattern would take too much memory");
	if (code == AS_RE2_NO_MEMORY)
		return as_err_no_memory(err);
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
	return as_re2_match((const struct as_re2 *)re, regex_bytes_of(text), text.len);
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
