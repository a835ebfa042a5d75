/* SPDX-License-Identifier: Apache-2.0 */
/* Labels as frames, against stacks written out sample by sample. */
#include "change/filter/frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { SEEDS = 300, TEXT = 4000, LINES = 400 };

/* printf behind what TEXT has. */
static void append(char *text, const char *fmt, ...) AS_PRINTF(2, 3);

static void append(char *text, const char *fmt, ...)
{
	size_t n = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	assert_true((size_t)vsnprintf(text + n, TEXT - n, fmt, ap) < TEXT - n);
	va_end(ap);
}

/* "KEY:" and what the labels are; "KEY" where there is none. */
static void name_of(char *text, const struct as_profile *prof, struct as_slice key,
	const struct as_label *label, uint32_t n)
{
	append(text, "%.*s", AS_SLICE_FMT(key));
	for (uint32_t i = 0; i < n; i++)
		append(text, ":%.*s%lld", AS_SLICE_FMT(as_str_get(prof, label[i].text)),
			(long long)label[i].number);
}

static struct as_slice name(struct as_arena *ar, const struct as_profile *prof, struct as_slice key,
	const struct as_label *label, uint32_t n, const void *ctx)
{
	char text[TEXT] = "";

	(void)ctx;
	name_of(text, prof, key, label, n);
	return as_arena_dup(ar, as_slice_of(text));
}

/* What each sample of a profile is, a line each: cost, labels, and the frames from the root. */
struct lines {
	size_t n;
	char *line[LINES]; /* malloc */
};

static void put_frames(char *text, const struct as_profile *prof, uint32_t part,
	const struct as_slice *key, size_t n)
{
	uint32_t n_labels;
	const struct as_label *label = as_part_labels(prof, part, &n_labels);

	for (size_t k = 0; k < n; k++) {
		uint32_t first = 0, end;

		while (first < n_labels && !as_slice_eq(as_str_get(prof, label[first].key), key[k]))
			first++;
		for (end = first;
			end < n_labels && as_slice_eq(as_str_get(prof, label[end].key), key[k]);)
			end++;
		name_of(text, prof, key[k], end > first ? label + first : NULL, end - first);
		append(text, "@%.*s:0;", AS_SLICE_FMT(key[k]));
	}
}

static void put_stack(char *text, const struct as_profile *prof, as_node node)
{
	struct as_pos pos;

	if (!node.i)
		return;
	put_stack(text, prof, prof->node.parent.p[node.i]);
	pos = as_place_pos(prof, prof->node.place.p[node.i]);
	append(text, "%s%.*s@%.*s:%d;", pos.inlined ? "^" : "",
		AS_SLICE_FMT(as_func_name(prof, pos.func)),
		AS_SLICE_FMT(as_file_path(prof, pos.file)), (int)pos.line);
}

/* With HOW, as if PROF had been changed. */
static void take_lines(
	struct lines *l, const struct as_profile *prof, const struct as_tag_frames *how)
{
	uint32_t e = as_n_events(prof);

	l->n = 0;
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		char text[TEXT] = "";
		uint32_t part = prof->sample.part.p[i];

		for (uint32_t k = 0; k < e; k++)
			append(text, "%d ", (int)prof->sample.cost.p[i * e + k]);
		append(text, "/%d ", (int)prof->part.p[part].n_labels);
		if (how)
			put_frames(text, prof, part, how->root, how->n_root);
		put_stack(text, prof, prof->sample.node.p[i]);
		if (how)
			put_frames(text, prof, part, how->leaf, how->n_leaf);
		assert_true(l->n < LINES);
		l->line[l->n] = malloc(TEXT);
		assert_non_null(l->line[l->n]);
		memcpy(l->line[l->n++], text, TEXT);
	}
}

static int cmp_line(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void check(const struct as_profile *prof, const struct as_tag_frames *how)
{
	struct as_profile *out;
	static struct lines want, got;

	assert_int_equal(as_tag_frames(prof, how, &out, NULL), AS_OK);
	for (uint32_t k = 0; k < as_n_events(prof); k++)
		assert_true(prof->total[k] == out->total[k]);
	assert_int_equal(out->self.run.n, prof->self.run.n);
	take_lines(&want, prof, how);
	take_lines(&got, out, NULL);
	assert_int_equal(got.n, want.n);
	qsort(want.line, want.n, sizeof(*want.line), cmp_line);
	qsort(got.line, got.n, sizeof(*got.line), cmp_line);
	for (size_t i = 0; i < want.n; i++) {
		assert_string_equal(got.line[i], want.line[i]);
		free(got.line[i]);
		free(want.line[i]);
	}
	as_profile_free(out);
}

static void test_stacks_get_their_labels(void **state)
{
	struct as_slice known[8], none = as_slice_of("no such key");

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(
			seed, AS_TEST_PATHS | AS_TEST_RARE | (seed % 3 ? 0 : AS_TEST_SELF));
		struct as_tag_frames how = {.root = known, .leaf = known, .name = name};
		size_t n = 0;

		for (size_t i = 0; i < prof->label.n && n < 3; i++)
			if (!prof->label.p[i].opaque)
				known[n++] = as_str_get(prof, prof->label.p[i].key);
		known[n++] = none;
		how.n_root = seed % (n + 1);
		how.n_leaf = seed / 5 % (n + 1);
		how.leaf = known + n - how.n_leaf;
		check(prof, &how);
		as_profile_free(prof);
	}
}

int tag_frames_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_get_their_labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
