/* SPDX-License-Identifier: Apache-2.0 */
/* How pprof shortens names in pictures. Its rules are regular expressions; each is read by hand
 * here, in one go, because core has none. */
#include "report/pprof_dot.h"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

static bool is_lower(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool is_word(char c)
{
	return is_digit(c) || is_upper(c) || is_lower(c) || c == '_';
}

static bool is_at(struct as_slice s, size_t at, const char *text)
{
	size_t n = strlen(text);

	return at <= s.len && s.len - at >= n && memcmp(s.p + at, text, n) == 0;
}

/* Where the word characters from AT end; also those of MORE. */
static size_t word_end(struct as_slice s, size_t at, const char *more)
{
	while (at < s.len && (is_word(s.p[at]) || (s.p[at] && strchr(more, s.p[at]))))
		at++;
	return at;
}

static size_t line_end(struct as_slice s, size_t at)
{
	while (at < s.len && s.p[at] != '\n')
		at++;
	return at;
}

static struct as_slice part(struct as_slice s, size_t from, size_t to)
{
	return (struct as_slice){s.p + from, to - from};
}

/* The end of a "/v2" before "." or "/" at AT: a major version from 2 on; 0 if there is none. */
static size_t version_end(struct as_slice s, size_t at)
{
	size_t end = at + 2;

	if (!is_at(s, at, "/v"))
		return 0;
	while (end < s.len && is_digit(s.p[end]))
		end++;
	if (end == at + 2 || s.p[at + 2] == '0' || (end == at + 3 && s.p[at + 2] == '1'))
		return 0;
	return end < s.len && (s.p[end] == '.' || s.p[end] == '/') ? end : 0;
}

/* Without the first version of a module. */
static struct as_slice without_version(struct as_arena *ar, struct as_slice s)
{
	if (line_end(s, 0) != s.len)
		return s;
	for (size_t i = 0; i < s.len; i++) {
		size_t end = version_end(s, i);

		if (end)
			return as_arena_printf(ar, "%.*s%.*s", AS_SLICE_FMT(part(s, 0, i)),
				AS_SLICE_FMT(part(s, end, s.len)));
	}
	return s;
}

/* Go: behind the folders of "host/some-path/pkg.Func". */
static struct as_slice go_name(struct as_slice s)
{
	size_t begin = 0, before = 0;

	for (;;) {
		size_t end = word_end(s, begin, "-.");

		if (end == begin || end == s.len || s.p[end] != '/')
			break;
		before = begin;
		begin = end + 1;
	}
	if (begin && line_end(s, begin) == begin) /* nothing is behind: the last folder is it */
		begin = before;
	return begin ? part(s, begin, line_end(s, begin)) : part(s, 0, 0);
}

/* Java: class and method of "org.some.Class.run(int)". */
static struct as_slice java_name(struct as_slice s)
{
	size_t begin = 0, end;

	while (begin < s.len && is_lower(s.p[begin])) {
		end = word_end(s, begin, "");
		if (end == s.len || s.p[end] != '.')
			return part(s, 0, 0);
		begin = end + 1;
	}
	if (begin == s.len || !is_upper(s.p[begin]))
		return part(s, 0, 0);
	end = word_end(s, begin, "$");
	if (end == s.len || s.p[end] != '.')
		return part(s, 0, 0);
	end++;
	if (is_at(s, end, "<init>"))
		end += strlen("<init>");
	else if (end < s.len && is_lower(s.p[end]))
		end = word_end(s, end, "$");
	else
		return part(s, 0, 0);
	return end == s.len || s.p[end] == '(' ? part(s, begin, end) : part(s, 0, 0);
}

/* A name of C++ at AT; where it ends, or AT if there is none. */
static size_t name_end(struct as_slice s, size_t at)
{
	return at < s.len && is_word(s.p[at]) && !is_digit(s.p[at]) ? word_end(s, at, "") : at;
}

static bool is_class(struct as_slice s, size_t at)
{
	while (at < s.len && s.p[at] == '_')
		at++;
	return at < s.len && is_upper(s.p[at]);
}

/* The end of "run<int>" or "~Class" at AT; AT if there is none. */
static size_t method_end(struct as_slice s, size_t at)
{
	size_t tilde = at < s.len && s.p[at] == '~', end = name_end(s, at + tilde), last;

	if (end == at + tilde)
		return at;
	if (end < s.len && s.p[end] == '<')
		for (last = line_end(s, end); last > end; last--)
			if (s.p[last - 1] == '>')
				return last;
	return end;
}

/* C++: class and method of "some::Class::run(int)". The class is the last that can be one, and not
 * the first name. */
static struct as_slice cpp_name(struct as_slice s)
{
	struct as_slice found = part(s, 0, 0);
	size_t begin = 0, end;

	while ((end = name_end(s, begin)) > begin && is_at(s, end, "::")) {
		size_t method = end + 2, stop = method_end(s, method);

		if (begin && is_class(s, begin) && stop > method)
			found = part(s, begin, stop);
		begin = method;
	}
	return found;
}

struct as_slice as_pprof_short_name(struct as_arena *ar, struct as_slice name)
{
	static const char anonymous[] = "(anonymous namespace)::";
	struct as_slice found;

	if (as_slice_starts(name, anonymous))
		name = as_slice_skip(name, strlen(anonymous));
	name = without_version(ar, name);
	if (!name.p)
		return name;
	found = go_name(name);
	if (!found.len)
		found = java_name(name);
	if (!found.len)
		found = cpp_name(name);
	return found.len ? found : name;
}
