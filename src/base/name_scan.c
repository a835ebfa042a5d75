/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text that demanglers write has no grammar of its own: it is C++, Rust or D, cut to one
 * declaration. What is needed here is less: where the name begins (behind the type that a
 * template returns), where its parts end, and which brackets belong together.
 */
#include "base/name_scan.h"

enum { NESTING_MAX = 256, INNER_MAX = 4 };

struct cursor {
	const char *p, *end;
	struct as_name_parts *out;
	bool params; /* the parameters of the function have been passed */
};

static struct as_slice scan_left(const struct cursor *c)
{
	return (struct as_slice){c->p, (size_t)(c->end - c->p)};
}

static bool scan_at(const struct cursor *c, const char *text)
{
	return as_slice_starts(scan_left(c), text);
}

static bool at_char(const struct cursor *c, char ch)
{
	return c->p < c->end && *c->p == ch;
}

/* Whether the word "operator" stands here and is the whole word. */
static bool at_operator(struct as_slice s)
{
	return as_slice_starts(s, "operator") && s.len > 8 && !as_name_is_word(s.p[8]);
}

/* Length of the symbol of an operator, longest first; 0 if none is there. */
static size_t symbol_len(struct as_slice s)
{
	static const char *const symbols[] = {"<=>", "->*", "<<=", ">>=", "()", "[]", "->", "++",
		"--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
		"+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", "+", "-", "*", "/", "%", "^", "&",
		"|", "~", "!", "=", "<", ">", ",", "\"\""};

	for (size_t i = 0; i < AS_ARRAY_LEN(symbols); i++)
		if (as_slice_starts(s, symbols[i]))
			return strlen(symbols[i]);
	return 0;
}

/* Length of a literal that may hold brackets: 'c', '\n', "text"; 0 if there is none. */
static size_t literal_len(struct as_slice s)
{
	if (s.p[0] == '\'' && s.len > 2 && s.p[1] != '\\')
		return s.p[2] == '\'' ? 3 : 0;
	for (size_t i = 1; i < s.len; i++) {
		if (s.p[i] == s.p[0])
			return i + 1;
		i += s.p[i] == '\\';
	}
	return 0;
}

struct nesting {
	char open[NESTING_MAX];
	size_t n;
};

static bool nesting_push(struct nesting *ns, char c)
{
	if (ns->n == NESTING_MAX)
		return false;
	ns->open[ns->n++] = c;
	return true;
}

static bool nesting_pop(struct nesting *ns, char c)
{
	static const char closing[] = ")]}>", opening[] = "([{<";
	char open = opening[strcspn(closing, (const char[]){c, 0})];

	if (c == '>' && ns->open[ns->n - 1] != '<')
		return true; /* a comparison in brackets of another kind */
	while (ns->n && ns->open[ns->n - 1] == '<' && open != '<')
		ns->n--; /* that was a comparison, too */
	return ns->n && ns->open[--ns->n] == open;
}

/* Behind ")" no template begins: "(sizeof (int))<(8)" compares, "(a)<<(b)" shifts. */
static bool is_less(struct as_slice s, size_t i, char before)
{
	return s.p[i] == '<' &&
	       (before == ')' || (before == ' ' && i + 1 < s.len && s.p[i + 1] == ' '));
}

size_t as_name_group(struct as_slice s)
{
	/* All others are passed. */
	static const bool looked_at[256] = {['('] = true,
		['<'] = true,
		['['] = true,
		['{'] = true,
		[')'] = true,
		['>'] = true,
		[']'] = true,
		['}'] = true,
		['\''] = true,
		['"'] = true,
		['o'] = true};
	struct nesting ns = {.n = 0};
	char before = 0;

	for (size_t i = 0; i < s.len;) {
		struct as_slice rest = as_slice_skip(s, i);
		char c = s.p[i];
		size_t step = 1;
		bool ok = true;

		if (!looked_at[(unsigned char)c]) {
			before = c;
			i++;
			continue;
		}
		if (c == 'o' && !as_name_is_word(before) && at_operator(rest)) {
			step = 8 + symbol_len(as_slice_skip(rest, 8));
			c = 0;
		} else if ((c == '\'' || c == '"') && literal_len(rest)) {
			step = literal_len(rest);
		} else if (is_less(s, i, before)) {
			step = i + 1 < s.len && s.p[i + 1] == '<' ? 2 : 1;
		} else if (c == '(' || c == '<' || c == '[' || c == '{') {
			ok = nesting_push(&ns, c);
		} else if (c == ')' || c == ']' || c == '}' || (c == '>' && before != '-')) {
			ok = nesting_pop(&ns, c);
		}
		if (!ok)
			return 0;
		i += step;
		if (!ns.n)
			return i;
		before = c;
	}
	return 0;
}

static bool skip_group(struct cursor *c)
{
	size_t n = as_name_group(scan_left(c));

	c->p += n;
	return n > 0;
}

/* Over what may follow parameters: " const", " &", " noexcept" ... */
static void skip_qualifiers(struct cursor *c)
{
	static const char *const words[] = {
		" const", " volatile", " restrict", " noexcept", " &&", " &", " shared", " inout"};

	for (size_t i = 0; i < AS_ARRAY_LEN(words); i++) {
		if (scan_at(c, words[i])) {
			c->p += strlen(words[i]);
			i = SIZE_MAX; /* from the first word again */
		}
	}
}

static bool scan_at_end(const struct cursor *c)
{
	return c->p == c->end || *c->p == '@' || *c->p == ')' ||
	       (scan_at(c, " [clone ") && c->end[-1] == ']');
}

static bool at_separator(const struct cursor *c)
{
	return c->out->dots ? at_char(c, '.') : scan_at(c, "::");
}

/* "operator TYPE" up to the parameters: the last brackets before the end. The type may hold some
 * itself: "operator void (*)(int)()". */
static void scan_conversion(struct cursor *c)
{
	while (!scan_at_end(c)) {
		struct cursor behind = *c;

		if (*c->p == '(' || *c->p == '<') {
			if (!skip_group(&behind)) {
				c->p = c->end;
				return;
			}
			if (*c->p == '(') {
				struct cursor tail = behind;

				skip_qualifiers(&tail);
				if (scan_at_end(&tail) || at_separator(&tail) ||
					at_char(&tail, '\''))
					return;
			}
			c->p = behind.p;
		} else {
			c->p++;
		}
	}
}

/* From "operator" to the end of its symbol. */
static void scan_operator(struct cursor *c)
{
	static const char *const words[] = {" new[]", " delete[]", " new", " delete", " co_await"};
	size_t n;

	c->p += 8;
	for (size_t i = 0; i < AS_ARRAY_LEN(words); i++) {
		n = strlen(words[i]);
		if (scan_at(c, words[i]) && (c->p + n == c->end || !as_name_is_word(c->p[n]))) {
			c->p += n;
			return;
		}
	}
	n = symbol_len(scan_left(c));
	if (n && *c->p == '"') { /* operator"" _km */
		c->p += n;
		c->p += at_char(c, ' ');
		while (c->p < c->end && as_name_is_word(*c->p))
			c->p++;
	} else if (n) {
		c->p += n;
	} else {
		scan_conversion(c);
	}
}

/* A word, up to what has a meaning of its own. */
static bool scan_word(struct cursor *c)
{
	const char *stop = c->out->dots ? "!([ )@" : "<([ )@";
	const char *start = c->p;

	while (c->p < c->end && !at_separator(c) && !strchr(stop, *c->p)) {
		if (*c->p == '{') { /* call_once{{vtable.shim}} */
			if (!skip_group(c))
				return false;
			continue;
		}
		c->p += scan_at(c, "->") ? 2 : 1;
	}
	return c->p > start;
}

static bool scan_base(struct cursor *c, struct as_name_part *part)
{
	const char *start = c->p;
	bool ok = true;

	if (scan_at(c, "(anonymous namespace)"))
		c->p += strlen("(anonymous namespace)");
	else if (at_char(c, '{') || (at_char(c, '<') && !c->out->dots))
		ok = skip_group(c);
	else if (at_operator(scan_left(c)))
		scan_operator(c);
	else
		ok = scan_word(c);
	part->base = (struct as_slice){start, (size_t)(c->p - start)};
	return ok && c->p > start;
}

/* [abi:cxx11], [5d8c1f0e]: no index. */
static bool scan_tags(struct cursor *c, struct as_name_part *part)
{
	const char *start = c->p;

	while (at_char(c, '[')) {
		bool abi = scan_at(c, "[abi:");

		for (c->p++; c->p < c->end && *c->p != ']'; c->p++)
			if (!abi && !strchr("0123456789abcdef", *c->p))
				return false;
		if (c->p == c->end)
			return false;
		c->p++;
	}
	part->tags = (struct as_slice){start, (size_t)(c->p - start)};
	return true;
}

/* <int>; behind an operator " <int>", in Rust "::<i32>", in D "!(int)" or "!int". */
static bool scan_targs(struct cursor *c, struct as_name_part *part)
{
	const char *start = c->p;

	if (c->out->dots) {
		if (at_char(c, '!')) {
			c->p++;
			if (at_char(c, '(') ? !skip_group(c) : !scan_word(c))
				return false;
		}
	} else {
		if (scan_at(c, "::<") && part->base.p[0] != '{')
			c->p += 2;
		else if (scan_at(c, " <") && part->base.p[part->base.len - 1] == '<')
			c->p++;
		if (at_char(c, '<') && !skip_group(c))
			return false;
	}
	part->targs = (struct as_slice){start, (size_t)(c->p - start)};
	return true;
}

/* One name, from its first part; ends behind it or, if it has parameters, behind those. */
static bool scan_candidate(struct cursor *c)
{
	struct as_name_parts *out = c->out;

	out->n = 0;
	for (;;) {
		struct as_name_part *part = &out->part[out->n];

		if (out->n == AS_NAME_PARTS_MAX)
			return false;
		out->n++;
		if (!scan_base(c, part) || !scan_tags(c, part) || !scan_targs(c, part))
			return false;
		if (!part->tags.len && !scan_tags(c, part)) /* a tag behind "<int>" */
			return false;
		c->params = at_char(c, '(');
		if (c->params && !skip_group(c))
			return false;
		if (c->params) {
			struct cursor behind = *c;

			skip_qualifiers(&behind);
			if (at_separator(&behind) || scan_at_end(&behind))
				c->p = behind.p;
		}
		if (!at_separator(c))
			return true;
		c->p += out->dots ? 1 : 2;
	}
}

/* "decltype (EXPRESSION)" of a type that is returned. */
static bool skip_decltype(struct cursor *c)
{
	c->p += strlen("decltype") + scan_at(c, "decltype ");
	if (!skip_group(c))
		return false;
	while (c->p < c->end && *c->p != ' ')
		c->p++;
	return true;
}

/* Whether a function that returns a pointer to one stands in these brackets: "(*foo(int))". */
static bool at_inner(const struct cursor *c)
{
	return scan_at(c, "(*") || scan_at(c, "(&");
}

/* Whether nothing is behind the parameters that would be part of a name: "main.(*T).Method" is one
 * of Go, and none of a function "main." */
static bool at_rest(const struct cursor *c)
{
	const char *p = c->p + 1;

	if (scan_at_end(c) || *c->p == ' ')
		return true;
	while (p < c->end && *p >= '0' && *p <= '9')
		p++;
	return *c->p == '\'' && p == c->end;
}

/* The name is the word before the parameters; what is before it is a type. */
static bool scan_declaration(struct cursor *c, unsigned inner)
{
	bool blank = false;

	while (c->p < c->end) {
		if (scan_at(c, "decltype (") || scan_at(c, "decltype(")) {
			if (!skip_decltype(c))
				return false;
		} else if (at_inner(c)) {
			c->p += 1;
			while (c->p < c->end && strchr("*& ", *c->p))
				c->p++;
			return inner < INNER_MAX && scan_declaration(c, inner + 1);
		} else if (!scan_candidate(c) || (at_char(c, ')') && !inner)) {
			return false;
		} else if (c->params || scan_at_end(c)) {
			return c->params ? at_rest(c) : !blank;
		}
		while (at_char(c, '*') || at_char(c, '&')) /* "std::vector<int>& f(int)" */
			c->p++;
		if (!at_char(c, ' '))
			return false;
		c->p++;
		blank = true;
	}
	return false;
}

/* What the linker or the profiler has added. */
static struct as_slice scan_suffix(struct as_slice name, const struct cursor *c)
{
	size_t i = name.len;

	if (at_char(c, '@'))
		return scan_left(c);
	while (i > 0 && name.p[i - 1] >= '0' && name.p[i - 1] <= '9')
		i--;
	if (i == 0 || i == name.len || name.p[i - 1] != '\'' || &name.p[i - 1] < c->p)
		return (struct as_slice){"", 0};
	return as_slice_skip(name, i - 1);
}

static struct as_slice scan_prefix(struct as_slice name)
{
	static const char *const prefixes[] = {"non-virtual thunk to ", "virtual thunk to ",
		"covariant return thunk to ", "vtable for ", "VTT for ", "typeinfo for ",
		"typeinfo name for ", "guard variable for ", "TLS init function for ",
		"TLS wrapper function for ", "transaction clone for ",
		"non-transaction clone for "};

	for (size_t i = 0; i < AS_ARRAY_LEN(prefixes); i++)
		if (as_slice_starts(name, prefixes[i]))
			return (struct as_slice){name.p, strlen(prefixes[i])};
	return (struct as_slice){name.p, 0};
}

bool as_name_scan(struct as_slice name, bool dots, struct as_name_parts *out)
{
	struct cursor c;

	out->dots = dots;
	out->prefix = scan_prefix(name);
	c = (struct cursor){.p = name.p + out->prefix.len, .end = name.p + name.len, .out = out};
	if (!scan_declaration(&c, 0))
		return false;
	out->suffix = scan_suffix(name, &c);
	return out->n > 1 || out->part[0].base.p[0] != '<';
}
