/* SPDX-License-Identifier: Apache-2.0 */
/* RE2 behind a page of C. Nothing that C++ throws leaves this file. */
#include "regex/re2_shim.h"

#include <re2/re2.h>

#include <new>
#include <string>
#include <vector>

struct as_re2 {
	RE2 re;

	as_re2(const std::string &pattern, const RE2::Options &options) : re(pattern, options)
	{
	}
};

namespace
{

RE2::Options make_options(bool ignore_case)
{
	RE2::Options o;

	o.set_log_errors(false);
	o.set_case_sensitive(!ignore_case);
	o.set_never_capture(true);
	return o;
}

/* Behind the class that begins at FROM: "[]a]", "[^]a]", "[[:alpha:]]". */
size_t class_end(const std::string &s, size_t from)
{
	size_t at = from + 1;

	at += at < s.size() && s[at] == '^';
	for (size_t first = at; at < s.size() && (s[at] != ']' || at == first); at++) {
		if (s[at] == '\\')
			at++;
		else if (s.compare(at, 2, "[:") == 0 && s.find(":]", at) != std::string::npos)
			at = s.find(":]", at) + 1;
	}
	return at;
}

/* The parenthesis that has no partner. */
size_t lone_parenthesis(const std::string &s)
{
	std::vector<size_t> open;

	for (size_t i = 0; i < s.size(); i++) {
		if (s[i] == '\\') {
			i++;
		} else if (s[i] == '[') {
			i = class_end(s, i);
		} else if (s[i] == '(') {
			open.push_back(i);
		} else if (s[i] == ')') {
			if (open.empty())
				return i;
			open.pop_back();
		}
	}
	return open.empty() ? 0 : open.back();
}

/* RE2 says which words are wrong, not where they stand: where the pattern up to them and with
 * them is the first that is wrong in the same way. */
size_t place_of(const std::string &pattern, const RE2 &re)
{
	const std::string &what = re.error_arg();

	if (re.error_code() == RE2::ErrorMissingParen ||
		re.error_code() == RE2::ErrorUnexpectedParen)
		return lone_parenthesis(pattern);
	if (what.empty())
		return pattern.size();
	for (size_t at = pattern.find(what); at != std::string::npos;
		at = pattern.find(what, at + 1)) {
		RE2 part(pattern.substr(0, at + what.size()), re.options());

		if (part.error_code() == re.error_code())
			return at;
	}
	return 0;
}

enum as_re2_code explain(const std::string &pattern, const RE2 &re, struct as_re2_error *error)
{
	std::string why = re.error();

	if (re.error_code() == RE2::ErrorPatternTooLarge)
		return AS_RE2_TOO_LARGE;
	/* Not the whole pattern once more: "missing ): a(b". */
	if (re.error_arg() == pattern && why.size() > pattern.size() + 2)
		why.resize(why.size() - pattern.size() - 2);
	error->why[why.copy(error->why, sizeof(error->why) - 1)] = 0;
	error->place = place_of(pattern, re);
	return AS_RE2_WRONG;
}

} // namespace

enum as_re2_code as_re2_new(const char *pattern, size_t len, int ignore_case, struct as_re2 **out,
	struct as_re2_error *error)
{
	*out = nullptr;
	try {
		std::string text(pattern, len);
		struct as_re2 *re = new as_re2(text, make_options(ignore_case != 0));
		enum as_re2_code code = AS_RE2_OK;

		if (re->re.ok()) {
			*out = re;
			return AS_RE2_OK;
		}
		code = explain(text, re->re, error);
		delete re;
		return code;
	} catch (const std::bad_alloc &) {
		return AS_RE2_NO_MEMORY;
	}
}

void as_re2_free(struct as_re2 *re)
{
	delete re;
}

int as_re2_match(const struct as_re2 *re, const char *text, size_t len)
{
	return RE2::PartialMatch(re2::StringPiece(text, len), re->re);
}
