/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names cut down to a level: name_scan.c takes them apart, here they are put together. */
#include "base/name_scan.h"
#include "symbols/names/demangle.h"

enum { RUST_HASH = 17 }; /* "h" and 16 digits */

/* Where text goes; with p == NULL it is only counted. */
struct text {
	char *p;
	size_t n;
};

static void name_level_put(struct text *t, struct as_slice s)
{
	if (t->p && s.len)
		memcpy(t->p + t->n, s.p, s.len);
	t->n += s.len;
}

/* Length of the hash behind the name of a Rust crate, "[c1f1a4ba060b9bfa]" before "::"; 0 if none
 * begins at S[I]. */
static size_t crate_hash(struct as_slice s, size_t i)
{
	size_t n = 1;

	if (s.p[i] != '[' || i == 0 || !as_name_is_word(s.p[i - 1]))
		return 0;
	while (i + n < s.len && memchr("0123456789abcdef", s.p[i + n], 16))
		n++;
	return n > 1 && as_slice_starts(as_slice_skip(s, i + n), "]::") ? n + 1 : 0;
}

static void put_unhashed(struct text *t, struct as_slice s)
{
	size_t done = 0;

	for (size_t i = 0; i < s.len; i++) {
		size_t n = crate_hash(s, i);

		if (!n)
			continue;
		name_level_put(t, (struct as_slice){s.p + done, i - done});
		done = i + n;
	}
	name_level_put(t, as_slice_skip(s, done));
}

static bool is_template(struct as_slice s, size_t i)
{
	return s.p[i] == '<' && i > 0 && s.p[i - 1] != ' ' && s.p[i - 1] != '(' &&
	       s.p[i - 1] != '<' && s.p[i - 1] != '&' && s.p[i - 1] != '*';
}

/* S without the template arguments in it: "<A<B> as C>" becomes "<A as C>". */
static void name_level_put_plain(struct text *t, struct as_slice s)
{
	size_t done = 0;

	for (size_t i = 0; i < s.len; i++) {
		size_t n = is_template(s, i) ? as_name_group(as_slice_skip(s, i)) : 0;

		if (!n)
			continue;
		put_unhashed(t, (struct as_slice){
					s.p + done, i - done - (i > 2 && s.p[i - 1] == ':') * 2u});
		done = i + n;
		i = done - 1;
	}
	put_unhashed(t, as_slice_skip(s, done));
}

/* "{lambda(int)#1}" becomes "{lambda#1}". */
static void name_level_put_lambda(struct text *t, struct as_slice s)
{
	size_t hash = as_slice_up_to_last(s, '#');

	name_level_put(t, as_slice_of("{lambda"));
	if (hash)
		name_level_put(t, as_slice_skip(s, hash - 1));
	else
		name_level_put(t, as_slice_of("}"));
}

static void name_level_put_part(
	struct text *t, const struct as_name_part *part, enum as_name_level level)
{
	struct as_slice base = part->base;

	if (as_slice_starts(base, "{lambda"))
		name_level_put_lambda(t, base);
	else if (level == AS_NAMES_NOARGS || as_slice_find(base, '<') == base.len ||
		 (as_slice_starts(base, "operator") && as_slice_find(base, ' ') == base.len))
		put_unhashed(t, base);
	else
		name_level_put_plain(t, base);
	if (level != AS_NAMES_NOARGS)
		return;
	if (as_slice_starts(part->tags, "[abi:"))
		name_level_put(t, part->tags);
	put_unhashed(t, part->targs);
}

static bool is_rust_hash(struct as_slice s)
{
	if (s.len != RUST_HASH || s.p[0] != 'h')
		return false;
	for (size_t i = 1; i < s.len; i++)
		if (!strchr("0123456789abcdef", s.p[i]))
			return false;
	return true;
}

/* Lambdas, closures, types without a name: what they stand in says more. */
static bool name_level_is_nameless(const struct as_name_part *part)
{
	return part->base.p[0] == '{' || part->base.p[0] == '\'';
}

static size_t short_start(const struct as_name_parts *np)
{
	size_t i = np->n - 1;

	while (i > 0 && (name_level_is_nameless(&np->part[i]) ||
				(as_slice_is(np->part[i].base, "operator()") &&
					name_level_is_nameless(&np->part[i - 1]))))
		i--;
	return i;
}

static void name_level_put_all(
	struct text *t, const struct as_name_parts *np, enum as_name_level level)
{
	size_t first = level == AS_NAMES_SHORT ? short_start(np) : 0;

	name_level_put(t, np->prefix);
	for (size_t i = first; i < np->n; i++) {
		if (i > first)
			name_level_put(t, as_slice_of(np->dots ? "." : "::"));
		name_level_put_part(t, &np->part[i], level);
	}
	name_level_put(t, np->suffix);
}

static struct as_slice last_word(struct as_slice s)
{
	size_t i = s.len;

	while (i > 0 && as_name_is_word(s.p[i - 1]))
		i--;
	return as_slice_skip(s, i);
}

static struct as_slice without_number(struct as_slice s)
{
	size_t n = s.len;

	while (n > 0 && s.p[n - 1] >= '0' && s.p[n - 1] <= '9')
		n--;
	if (n == s.len || n < 2 || s.p[n - 1] != '.')
		return s;
	return (struct as_slice){s.p, n - 1};
}

/* What compilers add to the names of a function's copies and pieces. */
static bool cut_clone(struct as_slice *name)
{
	static const char suffixes[][12] = {".isra", ".part", ".constprop", ".cold", ".hot",
		".unlikely", ".lto_priv", ".localalias", ".llvm", ".__uniq", ".clone"};
	struct as_slice s = without_number(*name), word = last_word(s);
	size_t rest = s.len - word.len;

	if (!word.len || rest < 2 || s.p[rest - 1] != '.')
		return false;
	for (size_t i = 0; i < AS_ARRAY_LEN(suffixes); i++) {
		if (suffixes[i][1] == *word.p && as_slice_is(word, suffixes[i] + 1)) {
			*name = (struct as_slice){s.p, rest - 1};
			return true;
		}
	}
	return false;
}

/* Most names of C have nothing that could be cut. */
static bool name_level_is_plain(struct as_slice name)
{
	static const bool cuts[256] = {['<'] = true,
		['('] = true,
		['['] = true,
		['{'] = true,
		[':'] = true,
		['.'] = true,
		[' '] = true,
		['@'] = true,
		['\0'] = true};

	for (size_t i = 0; i < name.len; i++)
		if (cuts[(unsigned char)name.p[i]])
			return false;
	return true;
}

struct as_slice as_name_shorten(
	struct as_arena *arena, struct as_slice name, enum as_name_level level, bool dots)
{
	struct as_name_parts np;
	struct text t = {NULL, 0};

	if (level == AS_NAMES_FULL || name_level_is_plain(name))
		return name;
	while (cut_clone(&name))
		;
	if (!as_name_scan(name, dots, &np))
		return name;
	while (np.n > 1 && !dots && is_rust_hash(np.part[np.n - 1].base))
		np.n--;
	name_level_put_all(&t, &np, level);
	if (t.n == name.len)
		return name;
	t.p = as_arena_get(arena, t.n + 1);
	if (!t.p)
		return (struct as_slice){NULL, 0};
	t.n = 0;
	name_level_put_all(&t, &np, level);
	t.p[t.n] = 0;
	return (struct as_slice){t.p, t.n};
}

/* Only D writes "!(". */
static bool is_d(struct as_slice name)
{
	return as_slice_find_text(name, "!(") < name.len &&
	       as_slice_find_text(name, "::") == name.len;
}

struct as_slice as_name_at_level(
	struct as_arena *arena, struct as_slice name, enum as_name_level level)
{
	if (!name.p || !name.len)
		return (struct as_slice){"", 0};
	return as_name_shorten(arena, name, level, is_d(name));
}

/* ---- what names that look alike have in common ---- */

/* Without the parameters at its end; the same where it has none, empty where a literal may hide
 * their beginning. */
static struct as_slice without_params(struct as_slice s)
{
	size_t depth = 0;

	if (s.len && s.p[s.len - 1] != ')')
		return s;
	while (s.len) {
		char c = s.p[--s.len];

		if (c == '\'' || c == '"')
			break;
		depth += c == ')';
		depth -= c == '(';
		if (!depth)
			return s;
	}
	return (struct as_slice){s.p, 0};
}

/* Without the template's arguments at its end, if they are types and nothing else; or empty. */
static struct as_slice without_targs(struct as_slice s)
{
	size_t depth = 0;

	if (s.len && s.p[s.len - 1] != '>')
		return s;
	while (s.len) {
		char c = s.p[--s.len];

		depth += c == '>';
		depth -= c == '<';
		if (!depth)
			return as_slice_ends(s, "operator") ? (struct as_slice){s.p, 0} : s;
		if (!as_name_is_word(c) && !memchr(":, *&<>", c, 7))
			break;
	}
	return (struct as_slice){s.p, 0};
}

/* Without what shortening cuts off behind the last word: clones, then hashes of Rust. Empty where a
 * clone is what is left. */
static struct as_slice without_tail(struct as_slice s)
{
	struct as_slice rest, word;
	bool hash = false;

	for (rest = s; cut_clone(&rest);)
		s = rest;
	for (;; hash = true) {
		word = last_word(s);
		if (!is_rust_hash(word) || s.len < word.len + 3 || memcmp(word.p - 2, "::", 2) != 0)
			break;
		s.len -= word.len + 2;
	}
	rest = s;
	return hash && cut_clone(&rest) ? (struct as_slice){s.p, 0} : s;
}

/* Whether S may be a declaration that goes on behind the name: "f(int) requires a::b",
 * "(*f(int))::a". */
static bool goes_on(struct as_slice s)
{
	for (size_t i = as_slice_find(s, '('); i + 1 < s.len; i++)
		if ((s.p[i] == ')' && s.p[i + 1] == ' ') ||
			(s.p[i] == '(' && (s.p[i + 1] == '*' || s.p[i + 1] == '&')))
			return true;
	return false;
}

/* Whether WORD, which ends S, is a part of its own, and no other name stands before S's. */
static bool is_last_part(struct as_slice s, struct as_slice word)
{
	struct as_slice before = {s.p, s.len - word.len};

	if (as_slice_ends(before, "~"))
		before.len--;
	return (!before.len || as_slice_ends(before, "::") || as_slice_ends(before, " for ") ||
		       as_slice_ends(before, " to ")) &&
	       !goes_on(s);
}

/* Nothing is cut out of a name that has none of these. */
static bool name_level_is_whole(struct as_slice s)
{
	static const bool cuts[256] = {['<'] = true,
		['('] = true,
		['['] = true,
		['{'] = true,
		['!'] = true,
		['\''] = true,
		[' '] = true};

	for (size_t i = 0; i < s.len; i++)
		if (cuts[(unsigned char)s.p[i]])
			return false;
	return true;
}

/* Go's "main.(*T).Method.func1", nothing of which is cut. */
static bool is_method(struct as_slice s)
{
	size_t close = as_slice_up_to_last(s, ')');

	if (!close || close == s.len || s.p[close] != '.' ||
		!name_level_is_whole(as_slice_skip(s, close)))
		return false;
	s = without_params((struct as_slice){s.p, close});
	return s.len && name_level_is_whole(s);
}

/* Whether WORD ends what is left of names that look like S. */
static bool name_level_is_base(struct as_slice s, struct as_slice word, bool all)
{
	if (!word.len || as_slice_is(word, "operator") || is_rust_hash(word))
		return false;
	return is_last_part(s, word) || (all && (name_level_is_whole(s) || is_method(s)));
}

struct as_slice as_name_base(struct as_slice name)
{
	struct as_slice word = last_word(name), tail, s;

	if (word.len == name.len) /* C's */
		return word;
	tail = as_slice_ends(name, ") const") ? (struct as_slice){name.p, name.len - 6}
					      : without_tail(name);
	s = without_targs(without_params(tail));
	if (as_slice_ends(s, "::"))
		s.len -= 2; /* Rust's "f::<T>" */
	word = last_word(s);
	return name_level_is_base(s, word, s.len == tail.len) ? word : (struct as_slice){NULL, 0};
}
