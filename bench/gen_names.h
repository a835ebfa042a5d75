/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Function and file names for generated Callgrind files. Lengths follow a
 * large C++ program: half are short C-like words, a tenth exceed a hundred
 * bytes, the longest templates reach 2 kB. Every name is different.
 */
#ifndef BENCH_GEN_NAMES_H
#define BENCH_GEN_NAMES_H

#include "gen.h"

enum {
	NAME_MAX_LEN = 2400,
};

/* clang-format off */
static const char *const words[] = {
	"alloc", "append", "apply", "basic", "block", "buffer", "build", "cache",
	"call", "check", "clear", "cmp", "const", "copy", "count", "decl",
	"detail", "emit", "entry", "expr", "find", "fold", "format", "function",
	"get", "graph", "hash", "impl", "init", "insert", "iterator", "kind",
	"lookup", "map", "merge", "node", "operand", "pair", "parse", "pass",
	"ptr", "push_back", "read", "reg", "resolve", "scan", "set", "size",
	"smart", "stmt", "string", "symbol", "table", "token", "tree", "type",
	"unique", "update", "value", "vector", "visit", "walk", "write", "xform",
};
/* clang-format on */

static const char *const spaces[] = {
	"llvm", "clang", "std", "detail", "boost", "ast", "ir", "sema"};

/* From the measured file: median 18, ninth decile 106, longest 2146, mean 82. */
static const struct quantile name_lengths[] = {
	{0.00, 6},
	{0.10, 9},
	{0.50, 18},
	{0.70, 36},
	{0.80, 60},
	{0.90, 106},
	{0.95, 270},
	{0.98, 780},
	{0.99, 1250},
	{1.00, 2146},
};

static inline const char *pick_word(struct rng *r)
{
	return words[rng_below(r, ARRAY_LEN(words))];
}

/* A string that grows; N is its length so far. Callers leave room for one piece. */
struct name {
	char text[NAME_MAX_LEN];
	size_t n;
};

static inline void name_add(struct name *name, const char *piece)
{
	size_t len = strlen(piece);

	memcpy(name->text + name->n, piece, len);
	name->n += len;
}

/* The number in letters and digits: what makes a name different from all others. */
static inline void name_add_id(struct name *name, uint64_t id)
{
	char tmp[14];
	size_t at = sizeof(tmp);

	do {
		tmp[--at] = "abcdefghijklmnopqrstuvwxyz0123456789"[id % 36];
		id /= 36;
	} while (id);
	memcpy(name->text + name->n, tmp + at, sizeof(tmp) - at);
	name->n += sizeof(tmp) - at;
}

static inline void name_short(struct name *name, struct rng *r, size_t len, uint64_t id)
{
	while (name->n + 6 < len) {
		name_add(name, pick_word(r));
		name_add(name, "_");
	}
	name_add(name, "f");
	name_add_id(name, id);
}

/* ns::word_ID<word<word, word>, ...>::word(word const&) */
static inline void name_template(struct name *name, struct rng *r, size_t len, uint64_t id)
{
	size_t depth = 1;

	name_add(name, spaces[rng_below(r, ARRAY_LEN(spaces))]);
	name_add(name, "::");
	name_add(name, pick_word(r));
	name_add_id(name, id);
	name_add(name, "<");
	while (name->n + 2 * depth + 24 < len) {
		name_add(name, spaces[rng_below(r, ARRAY_LEN(spaces))]);
		name_add(name, "::");
		name_add(name, pick_word(r));
		if (depth < 6 && rng_chance(r, 300)) {
			name_add(name, "<");
			depth++;
			continue;
		}
		if (depth > 1 && rng_chance(r, 300)) {
			name_add(name, ", int>");
			depth--;
		}
		name_add(name, ", ");
	}
	name_add(name, "int");
	while (depth--)
		name_add(name, ">");
	name_add(name, "::");
	name_add(name, pick_word(r));
	name_add(name, "(int const&)");
}

/* The name of function ID of program SEED; a recursive activation ends in '2. */
static inline void name_function(struct name *name, uint64_t seed, uint64_t id, bool recursive)
{
	struct rng r = {mix2(seed ^ 0x6e616d65, id)};
	size_t len = (size_t)quantile_at(name_lengths, ARRAY_LEN(name_lengths), rng_unit(&r));

	name->n = 0;
	if (id == 0)
		name_add(name, "(below main)");
	else if (id == 1)
		name_add(name, "main");
	else if (len < 48)
		name_short(name, &r, len, id);
	else
		name_template(name, &r, len, id);
	if (recursive)
		name_add(name, "'2");
}

static inline void name_file(struct name *name, uint64_t seed, uint64_t id)
{
	struct rng r = {mix2(seed ^ 0x66696c65, id)};

	name->n = 0;
	name_add(name, "/build/program-1.0/src/");
	name_add(name, pick_word(&r));
	name_add(name, "/");
	name_add(name, pick_word(&r));
	name_add(name, "/");
	name_add(name, pick_word(&r));
	name_add(name, "_");
	name_add_id(name, id);
	name_add(name, rng_chance(&r, 300) ? ".h" : ".cpp");
}

static inline void name_object(struct name *name, uint64_t id)
{
	name->n = 0;
	if (id == 0) {
		name_add(name, "/opt/program/bin/program");
		return;
	}
	name_add(name, "/opt/program/lib/lib");
	name_add(name, words[id % ARRAY_LEN(words)]);
	name_add(name, ".so.1");
}

#endif
