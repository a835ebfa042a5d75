/* SPDX-License-Identifier: Apache-2.0 */
/*
 * C++ and Rust are taken apart by their grammar (base/name_scan.h). All others, Go, Java, D, PHP,
 * Python, JavaScript, paths, are words between separators that stand outside of brackets.
 */
#include "report/kit/name_pieces.h"

#include "base/name_scan.h"
#include "change/kit/clone_name.h"

static struct as_slice name_pieces_span(const char *from, const char *to)
{
	return (struct as_slice){from, (size_t)(to - from)};
}

static const char *name_pieces_end_of(struct as_slice s)
{
	return s.p + s.len;
}

static bool is_one(char c, const char *of)
{
	return c && strchr(of, c);
}

static bool all_digits(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 0;
}

/* "func1", "gowrap2", "1": closures of Go. */
static bool is_go_closure(struct as_slice s)
{
	static const char *const word[] = {"func", "gowrap", "deferwrap", ""};

	for (size_t i = 0; i < AS_ARRAY_LEN(word); i++)
		if (as_slice_starts(s, word[i]) && all_digits(as_slice_skip(s, strlen(word[i]))))
			return true;
	return false;
}

/* Lambdas, closures: what they stand in is their name. */
static bool name_pieces_is_nameless(const struct as_name_piece *piece)
{
	if (!piece->word.len)
		return true;
	if (as_slice_is(piece->sep, "."))
		return is_go_closure(piece->word);
	return piece->word.p[0] == '{' || piece->word.p[0] == '\'';
}

/* ---- words between separators ---- */

/* "\xNN" stands for a byte; any other backslash separates names of PHP. */
static bool is_escape(struct as_slice s)
{
	static const char hex[] = "0123456789abcdef";

	return s.len > 3 && s.p[1] == 'x' && is_one(s.p[2], hex) && is_one(s.p[3], hex);
}

/* Length of the separator at S[I], which is neither the first nor the last character; 0: none. */
static size_t name_pieces_separator(struct as_slice s, size_t i, bool dots)
{
	struct as_slice rest = as_slice_skip(s, i);

	if (rest.len > 2 && as_slice_starts(rest, "::"))
		return 2;
	if (rest.len > 2 && as_slice_starts(rest, "->") && as_name_is_word(s.p[i - 1]))
		return 2;
	if (s.p[i] == '/' || (s.p[i] == '\\' && !is_escape(rest)))
		return 1;
	return dots && s.p[i] == '.' && s.p[i - 1] != '.' && rest.p[1] != '.';
}

static void add_piece(struct as_name_pieces *out, const struct as_name_piece *piece)
{
	if (out->n == AS_NAME_PIECES_MAX) {
		memmove(out->piece, out->piece + 1, --out->n * sizeof(*piece));
		out->piece[0].sep.len = 0;
	}
	out->piece[out->n++] = *piece;
}

/* PIECE, its word split where separators stand outside of brackets. */
static void add_split(struct as_name_pieces *out, const struct as_name_piece *piece, bool dots)
{
	struct as_slice s = piece->word, none = {name_pieces_end_of(s), 0};
	struct as_name_piece one = *piece;
	size_t begin = 0, depth = 0, n;

	for (size_t i = 0; i + 1 < s.len; i += n ? n : 1) {
		n = !depth && i > begin ? name_pieces_separator(s, i, dots) : 0;
		if (n) {
			one.word = name_pieces_span(s.p + begin, s.p + i);
			one.targs = one.args = none;
			add_piece(out, &one);
			one.sep = (struct as_slice){s.p + i, n};
			begin = i + n;
		} else if (is_one(s.p[i], "([{<")) {
			depth++;
		} else if (depth && is_one(s.p[i], ")]}>") && (!i || s.p[i - 1] != '-')) {
			depth--;
		}
	}
	one.word = as_slice_skip(s, begin);
	one.targs = piece->targs;
	one.args = piece->args;
	add_piece(out, &one);
}

/* ---- parameters ---- */

static size_t name_pieces_closing(struct as_slice s, size_t at)
{
	size_t n = as_name_group(as_slice_skip(s, at));

	return n ? at + n : s.len;
}

/* Where parameters begin, or the place that Python and JavaScript put behind a name. */
static size_t find_args(struct as_slice s)
{
	size_t end;

	for (size_t i = 1; i < s.len; i++) {
		struct as_slice rest = as_slice_skip(s, i);

		if (as_slice_starts(rest, " /") || as_slice_starts(rest, " (") ||
			as_slice_starts(rest, " file:") || as_slice_starts(rest, " node:") ||
			(as_slice_starts(rest, ":/") && s.p[i - 1] != ':'))
			return i;
		if (!is_one(s.p[i], "([{<"))
			continue;
		end = name_pieces_closing(s, i);
		if (s.p[i] == '(' && (as_name_is_word(s.p[i - 1]) || s.p[i - 1] == ']') &&
			(end == s.len || !is_one(s.p[end], ".:/-")))
			return i;
		i = end - 1;
	}
	return s.len;
}

/* ---- C++, Rust ---- */

static bool name_pieces_scanned(struct as_slice name, struct as_name_pieces *out)
{
	struct as_name_parts np;
	const char *end;

	if (!as_name_scan(name, false, &np))
		return false;
	end = np.suffix.len ? np.suffix.p : name_pieces_end_of(name);
	out->type = name_pieces_span(name.p, np.part[0].base.p);
	out->tail = name_pieces_span(end, name_pieces_end_of(name));
	for (size_t i = 0; i < np.n; i++) {
		const struct as_name_part *part = &np.part[i];
		bool last = i + 1 == np.n, op = as_slice_starts(part->base, "operator");
		const char *next = last ? end : np.part[i + 1].base.p - 2;
		const char *behind = name_pieces_end_of(part->base);
		struct as_name_piece piece = {.word = part->base};

		if (part->tags.len && name_pieces_end_of(part->tags) > behind)
			behind = name_pieces_end_of(part->tags);
		if (part->targs.len && name_pieces_end_of(part->targs) > behind)
			behind = name_pieces_end_of(part->targs);
		piece.sep = as_slice_of(i ? "::" : "");
		piece.targs = name_pieces_span(name_pieces_end_of(part->base), behind);
		piece.args = name_pieces_span(behind, next);
		if (op || is_one(part->base.p[0], "{<(")) {
			add_piece(out, &piece);
			continue;
		}
		piece.word.len = find_args(piece.word);
		if (piece.word.len < part->base.len) /* perf's "py::parse:/srv/parser.py" */
			piece.args = name_pieces_span(name_pieces_end_of(piece.word), next);
		add_split(out, &piece, false);
	}
	return true;
}

/* ---- others ---- */

/* Where the brackets at the end of S begin, if they belong to a name: "Sort[int]". */
static size_t find_targs(struct as_slice s)
{
	for (size_t i = 1; i < s.len; i++) {
		size_t end = is_one(s.p[i], "([{<") ? name_pieces_closing(s, i) : 0;

		if (end == s.len && is_one(s.p[i], "[<") && as_name_is_word(s.p[i - 1]))
			return s.p[i - 1] == '_' ? i - 1 : i; /* "_[j]", how Java ran it */
		i = end ? end - 1 : i;
	}
	return s.len;
}

static bool is_path(struct as_slice s)
{
	return as_slice_starts(s, "/") || as_slice_starts(s, "./") || as_slice_starts(s, "../");
}

static void name_pieces_split(struct as_slice name, struct as_name_pieces *out)
{
	struct as_name_piece piece = {.sep = {name.p, 0}};
	size_t at;

	out->type = (struct as_slice){name.p, 0};
	out->tail = (struct as_slice){name_pieces_end_of(name), 0};
	out->n = 0;
	if (is_one(name.p[0], "([{<") && name_pieces_closing(name, 0) == name.len) {
		piece.word = name;
		add_piece(out, &piece);
		return;
	}
	for (at = 1; at < name.len && name.p[at] != '@'; at++)
		;
	if (at < name.len)
		out->tail = as_slice_skip(name, at);
	name.len = at;
	at = is_path(name) ? name.len : find_args(name);
	piece.args = as_slice_skip(name, at);
	name.len = at;
	at = is_path(name) ? name.len : find_targs(name);
	piece.targs = as_slice_skip(name, at);
	name.len = at;
	piece.word = name;
	add_split(out, &piece, !is_path(name));
}

/* Without "::" a name with dots, slashes or arrows is not one of C++. */
static bool name_pieces_is_cxx(struct as_slice name)
{
	size_t depth = 0;

	if (as_slice_find_text(name, "::") < name.len)
		return true;
	for (size_t i = 1; i + 1 < name.len; i++) {
		bool op = as_slice_ends((struct as_slice){name.p, i}, "operator");

		if (!depth && !op && name_pieces_separator(name, i, true))
			return false;
		depth += is_one(name.p[i], "([{<");
		depth -= depth && is_one(name.p[i], ")]}>");
	}
	return name.p[0] != '[' && name.p[0] != '/';
}

/* Without what compilers add to the names of copies and pieces. */
static struct as_slice without_clones(struct as_slice name)
{
	static const char *const word[] = {".localalias", ".hot", ".unlikely", ".clone", ".avx2",
		".avx512", ".sse2", ".default", ".resolver", ".ifunc"};

	name = as_clone_origin(name);
	for (size_t i = 0; i < AS_ARRAY_LEN(word); i++)
		if (as_slice_ends(name, word[i]) && name.len > strlen(word[i]))
			return as_clone_origin(
				(struct as_slice){name.p, name.len - strlen(word[i])});
	return name;
}

void as_name_take_apart(struct as_slice name, struct as_name_pieces *out)
{
	struct as_slice plain = without_clones(name);

	out->n = 0;
	if (!name_pieces_is_cxx(plain) || !name_pieces_scanned(plain, out))
		name_pieces_split(plain, out);
	out->tail = name_pieces_span(out->tail.p, name_pieces_end_of(name));
	out->core = out->n - 1;
	while (out->core > 0 &&
		(name_pieces_is_nameless(&out->piece[out->core]) ||
			(as_slice_is(out->piece[out->core].word, "operator()") &&
				name_pieces_is_nameless(&out->piece[out->core - 1]))))
		out->core--;
}
