/* SPDX-License-Identifier: Apache-2.0 */
#include "session/filters.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "lib/test_profiles.h"

/* ---- patterns are texts that are looked for; "(" is wrong ---- */

static enum as_code make(void *ctx, struct as_slice text, bool ignore_case, void **re,
	size_t *place, struct as_err *err)
{
	int *live = ctx;

	(void)ignore_case;
	*place = as_slice_find(text, '(');
	if (*place < text.len)
		return as_err_set(err, AS_E_ARG, "it is wrong");
	*re = calloc(1, sizeof(live) + text.len + 1);
	assert_non_null(*re);
	memcpy(*re, &live, sizeof(live));
	memcpy((char *)*re + sizeof(live), text.p, text.len);
	++*live;
	return AS_OK;
}

static bool match(const void *re, struct as_slice text)
{
	return as_slice_find_text(text, (const char *)re + sizeof(int *)) < text.len;
}

static void release(void *re)
{
	int *live;

	memcpy(&live, re, sizeof(live));
	--*live;
	free(re);
}

struct asking {
	int live; /* regular expressions */
	struct as_filters *f;
	struct as_filters_wrong wrong;
	struct as_err err;
};

static enum as_code ask(
	struct asking *a, const struct as_alloc *al, const struct as_filter_word *word, size_t n)
{
	struct as_filters_ask how = {
		.word = word, .n = n, .regex = {&a->live, make, match, release}};

	return as_filters_new(al, &how, &a->f, &a->wrong, &a->err);
}

/* Stacks main;parse;read 5 and main;run 7. */
static struct as_profile *stacks(void)
{
	struct as_build b;
	as_func main_func, parse, read_func, run;

	as_test_begin(&b, "samples");
	main_func = as_test_func(&b, "main", "prog", "main.c");
	parse = as_test_func(&b, "parse", "prog", "parse.c");
	read_func = as_test_func(&b, "read", "libc", "");
	run = as_test_func(&b, "run", "prog", "run.c");
	as_test_stack(&b, 0, (as_func[]){main_func, parse, read_func, {0}}, 5);
	as_test_stack(&b, 0, (as_func[]){main_func, run, {0}}, 7);
	return as_test_end(&b);
}

#define WORD(kind, text)                         \
	{                                        \
		AS_WORD_##kind,                  \
		{                                \
			(text), sizeof(text) - 1 \
		}                                \
	}

/* ---- tests ---- */

static void test_the_answer_says_what_is_left_and_what_matched(void **state)
{
	static const struct as_filter_word word[] = {
		WORD(FOCUS, "parse"), WORD(TAGIGNORE, "key=a,b"), WORD(IGNORE, "obj:libm")};
	struct as_profile *prof = stacks();
	struct as_filters_left left;
	struct asking a = {0};

	(void)state;
	assert_int_equal(ask(&a, &as_alloc_libc, word, AS_ARRAY_LEN(word)), AS_OK);
	assert_int_equal(a.live, 4);
	assert_int_equal(as_filters_run(a.f, prof, &left, NULL, &a.err), AS_OK);
	assert_int_equal(left.left, AS_LEFT_SOME);
	assert_null(left.blame);
	assert_true(left.prof->total[0] == 5);
	assert_int_equal(a.f->item.n, 3);
	assert_true(a.f->item.p[0].matched);
	assert_false(a.f->item.p[1].matched);
	assert_false(a.f->item.p[2].matched);
	as_profile_free(left.prof);
	as_filters_free(a.f);
	assert_int_equal(a.live, 0);
	as_profile_free(prof);
}

static void test_the_word_that_leaves_nothing_is_to_blame(void **state)
{
	static const struct {
		struct as_filter_word word[2];
		enum as_left left;
		int blame; /* -1: none */
	} tests[] = {
		{{WORD(FOCUS, "main"), WORD(FOCUS, "none")}, AS_LEFT_SOME, -1},
		{{WORD(FOCUS, "main"), WORD(OBJECT, "none")}, AS_LEFT_NOTHING, 1},
		{{WORD(FOCUS, "run"), WORD(IGNORE, "run")}, AS_LEFT_NOTHING, -1},
		{{WORD(FOCUS, "none"), WORD(TAGFOCUS, "none")}, AS_LEFT_NO_LABEL, 1},
		{{WORD(FOCUS, "none"), WORD(THREAD, "none")}, AS_LEFT_NO_PART, -1},
	};
	struct as_profile *prof = stacks();

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(tests); i++) {
		struct as_filters_left left;
		struct asking a = {0};

		assert_int_equal(ask(&a, &as_alloc_libc, tests[i].word, 2), AS_OK);
		assert_int_equal(as_filters_run(a.f, prof, &left, NULL, &a.err), AS_OK);
		assert_int_equal(left.left, tests[i].left);
		assert_int_equal(as_is_void(left.prof), left.left != AS_LEFT_SOME);
		assert_ptr_equal(
			left.blame, tests[i].blame < 0 ? NULL : &a.f->item.p[tests[i].blame]);
		as_profile_free(left.prof);
		as_filters_free(a.f);
	}
	as_profile_free(prof);
}

static void test_a_wrong_word_is_named_with_its_byte(void **state)
{
	static const struct {
		struct as_filter_word word;
		size_t place;
	} tests[] = {
		{WORD(FOCUS, "ab("), 2},
		{WORD(HIDE, "fn:a("), 4},
		{WORD(TAGFOCUS, "key=a,b("), 7},
		{WORD(OBJECT, "file:a"), SIZE_MAX},
		{WORD(TAGROOT, ",,"), SIZE_MAX},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(tests); i++) {
		struct as_filter_word word[] = {WORD(FOCUS, "a"), tests[i].word};
		struct asking a = {0};

		assert_int_equal(ask(&a, &as_alloc_libc, word, 2), AS_E_ARG);
		assert_int_equal(a.wrong.word.kind, word[1].kind);
		assert_true(a.wrong.place == tests[i].place);
		as_filters_free(a.f);
		assert_int_equal(a.live, 0);
	}
}

static void test_memory_that_runs_out_leaves_nothing_behind(void **state)
{
	static const struct as_filter_word word[] = {
		WORD(FOCUS, "a"), WORD(TAGHIDE, "b"), WORD(TAGLEAF, "c,d"), WORD(LABEL, "e=f")};

	(void)state;
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		struct asking a = {0};
		enum as_code rc;

		fail_alloc_init(&fa, n);
		rc = ask(&a, &fa.al, word, AS_ARRAY_LEN(word));
		as_filters_free(a.f);
		assert_int_equal(fa.held, 0);
		assert_int_equal(a.live, 0);
		if (rc == AS_OK)
			break;
		assert_int_equal(rc, AS_E_NOMEM);
	}
}

int filters_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_answer_says_what_is_left_and_what_matched),
		cmocka_unit_test(test_the_word_that_leaves_nothing_is_to_blame),
		cmocka_unit_test(test_a_wrong_word_is_named_with_its_byte),
		cmocka_unit_test(test_memory_that_runs_out_leaves_nothing_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
