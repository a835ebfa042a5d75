/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Contexts in function names. Callgrind run with --separate-recs or --separate-callers writes
 * "f'2" for the second level of recursion and "f'caller'callercaller" for a chain of callers.
 *
 * A quote can also be a part of the name: Haskell's foldl', Rust's <&'a T>, C++'s
 * f()::'lambda'(int). So a caller context is believed only of Callgrind itself and only where
 * the quote stands outside all brackets and behind something that can end a name.
 */
#include "change/kit/context.h"

#include "change/kit/clone_name.h"
#include "formats/format.h"

bool as_has_callers(const struct as_profile *prof)
{
	for (size_t i = 0; i < prof->part.n; i++)
		if (as_slice_starts(as_str_get(prof, prof->part.p[i].creator), "callgrind"))
			return true;
	return false;
}

static bool is_one_of(const char *set, char c)
{
	return c && strchr(set, c);
}

/* The bytes from I on that are an operator and no brackets: "operator<<", "operator->". */
static size_t operator_len(struct as_slice name, size_t i)
{
	static const char word[] = "operator";
	size_t len = sizeof(word) - 1, n;

	if (name.len - i <= len || memcmp(name.p + i, word, len) != 0)
		return 0;
	if (name.p[i + len] == '-')
		return name.len - i > len + 1 && name.p[i + len + 1] == '>' ? len + 2 : len + 1;
	n = i + len;
	if (is_one_of("&*,", name.p[n])) /* what also ends a type: operator&&, operator*= */
		return n + 1 < name.len && (name.p[n + 1] == name.p[n] || name.p[n + 1] == '=')
			       ? len + 2
			       : len + 1;
	while (n < name.len && is_one_of("<=>", name.p[n]))
		n++;
	return n - i;
}

/* "'2" at the end: where it starts, or the whole length. */
static size_t recursion_at(struct as_slice name)
{
	size_t i = name.len;

	while (i > 0 && name.p[i - 1] >= '0' && name.p[i - 1] <= '9')
		i--;
	if (i < 2 || i == name.len || name.p[i - 1] != '\'')
		return name.len;
	/* The first level has no number, so "'1" and "'0" are somebody else's. */
	if (name.p[i] == '0' || (name.p[i] == '1' && name.len - i == 1))
		return name.len;
	return i - 1;
}

/* OPERATOR: what stands before the quote at I ends an operator, and is no bracket. */
static bool quote_opens_context(struct as_slice name, size_t i, bool operator)
{
	return i > 0 && i + 1 < name.len && name.p[i + 1] != '\'' &&
	       (operator|| !strchr(":,&*<([{ ", name.p[i - 1]));
}

/* Where the first caller context starts, or the whole length. */
static size_t callers_at(struct as_slice name)
{
	size_t operator_end = SIZE_MAX;
	int depth = 0;

	for (size_t i = 0; i < name.len; i++) {
		char c = name.p[i];

		if (c == 'o') {
			size_t len = operator_len(name, i);

			if (len)
				operator_end = i + len;
			i += len ? len - 1 : 0;
		} else if (c == '(' || c == '[' || c == '{' || c == '<') {
			depth++;
		} else if (c == ')' || c == ']' || c == '}') {
			depth--;
		} else if (c == '>') {
			depth -= i == 0 || name.p[i - 1] != '-';
		} else if (c == '\'' && depth == 0) {
			if (quote_opens_context(name, i, i == operator_end))
				return i;
			if (i > 0 && name.p[i - 1] == ':') /* ::'lambda': to its end */
				i += 1 + as_slice_find(as_slice_skip(name, i + 1), '\'');
		}
	}
	return name.len;
}

struct as_slice as_fold_name(struct as_slice name, bool callers)
{
	size_t end = name.len;

	if (!name.len || !memchr(name.p, '\'', name.len))
		return name;
	if (callers)
		end = callers_at(name);
	if (end == name.len)
		end = recursion_at(name);
	return (struct as_slice){name.p, end};
}

struct as_slice as_fold_name_by(struct as_fold_how how, struct as_slice name)
{
	if (how.contexts)
		name = as_fold_name(name, how.callers);
	return how.clones ? as_clone_origin(name) : name;
}

/* What stands between one quote and the next; REST begins behind a quote. */
static struct as_slice cut_caller(struct as_slice *rest)
{
	struct as_slice one = {rest->p, callers_at(*rest)};

	*rest = as_slice_skip(*rest, one.len < rest->len ? one.len + 1 : one.len);
	return one;
}

static bool is_level(struct as_slice s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.len > 1 || (s.len == 1 && s.p[0] > '1');
}

bool as_context_split(struct as_slice name, struct as_context *ctx)
{
	struct as_slice own = as_fold_name(name, true), rest, first;

	*ctx = (struct as_context){.name = own};
	if (own.len == name.len)
		return false;
	first = rest = as_slice_skip(name, own.len + 1);
	ctx->level = is_level(cut_caller(&first));
	ctx->callers = ctx->level ? first : rest;
	return true;
}

bool as_context_caller(struct as_context *ctx, struct as_slice *caller)
{
	if (!ctx->callers.len)
		return false;
	*caller = cut_caller(&ctx->callers);
	return true;
}

bool as_has_contexts(const struct as_profile *prof)
{
	return as_format_of(prof)->caps & AS_CAP(CONTEXTS);
}

struct as_slice as_fold_context(const struct as_profile *prof, struct as_slice name)
{
	if (!as_slice_has(name, '\'') || !as_has_contexts(prof))
		return name;
	return as_fold_name(name, as_has_callers(prof));
}

static uint64_t fold_hash(const struct as_profile *prof, uint32_t f, struct as_slice name)
{
	uint64_t hash = as_hash_mix(as_hash_bytes(name.p, name.len),
		as_hash_mix(prof->func.object.p[f].i, prof->func.file.p[f].i));
	as_str system = as_func_system(prof, (as_func){f});

	return system.i ? as_hash_mix(hash, system.i) : hash;
}

struct as_slice as_fold_func_name(
	const struct as_fold *fold, const struct as_profile *prof, as_func f)
{
	struct as_slice name = as_func_name(prof, f);

	return fold->cut && fold->cut[f.i] ? as_fold_name_by(fold->how, name) : name;
}

/* Give F the group of the functions of the same folded name, object, file and linkage name. */
static bool context_join_group(const struct as_profile *prof, struct as_index *ix, uint32_t f,
	struct as_slice name, struct as_fold *fold)
{
	uint64_t pos = AS_INDEX_START, hash = fold_hash(prof, f, name);
	uint32_t g;

	while (as_index_find(ix, hash, &pos, &g))
		if (prof->func.object.p[g].i == prof->func.object.p[f].i &&
			prof->func.file.p[g].i == prof->func.file.p[f].i &&
			as_func_system(prof, (as_func){g}).i ==
				as_func_system(prof, (as_func){f}).i &&
			as_slice_eq(as_fold_func_name(fold, prof, (as_func){g}), name)) {
			as_assert(fold->group[g] == g);
			fold->group[f] = g;
			return true;
		}
	fold->group[f] = f;
	return as_index_add(ix, hash, f);
}

/* Functions whose own name is the folded one come first, so that they stand for their group. */
static bool context_make_groups(
	const struct as_profile *prof, struct as_index *ix, struct as_fold *fold)
{
	bool ok = true;

	for (int folded = 0; folded < 2; folded++)
		for (uint32_t f = 1; ok && f < fold->n; f++) {
			struct as_slice own = as_func_name(prof, (as_func){f});
			struct as_slice name = as_fold_func_name(fold, prof, (as_func){f});

			if (own.len && (fold->cut && fold->cut[f]) == folded)
				ok = context_join_group(prof, ix, f, name, fold);
		}
	return ok;
}

static bool note_context(const struct as_profile *prof, uint32_t f, struct as_fold *fold)
{
	struct as_slice own = as_func_name(prof, (as_func){f});

	if (as_fold_name_by(fold->how, own).len == own.len)
		return true;
	if (!fold->cut)
		fold->cut = as_alloc_new(fold->al, fold->n);
	if (fold->cut)
		fold->cut[f] = 1;
	return fold->cut;
}

bool as_fold_init(struct as_fold *fold, const struct as_profile *prof, bool keep, bool clones)
{
	/* Rows that differ in no more than these are one function. */
	bool rare = prof->func.line.n || prof->func.system.n || prof->func.extra.n;
	struct as_index ix;
	bool ok = true;

	*fold = (struct as_fold){.al = prof->al, .n = (uint32_t)prof->func.name.n};
	fold->group = as_alloc_new(fold->al, fold->n * sizeof(*fold->group));
	if (!fold->group)
		return false;
	for (uint32_t f = 0; f < fold->n; f++)
		fold->group[f] = f;
	fold->how.clones = clones;
	fold->how.contexts = !keep && as_has_contexts(prof);
	if (fold->how.contexts || clones) {
		fold->how.callers = as_has_callers(prof);
		for (uint32_t f = 1; f < fold->n && ok; f++)
			ok = note_context(prof, f, fold);
	}
	as_index_init(&ix, fold->al);
	if (ok && (fold->cut || rare))
		ok = context_make_groups(prof, &ix, fold);
	as_index_release(&ix);
	if (!ok)
		as_fold_release(fold);
	return ok;
}

void as_fold_release(struct as_fold *fold)
{
	as_alloc_free(fold->al, fold->group, fold->n * sizeof(*fold->group));
	as_alloc_free(fold->al, fold->cut, fold->n);
	fold->group = NULL;
	fold->cut = NULL;
}
