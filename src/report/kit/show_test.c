/* SPDX-License-Identifier: Apache-2.0 */
/* Names and numbers for people. */
#include "report/kit/show.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/utf8_len.h"

static const struct as_style utf8_style = {.utf8 = true};

static void test_control_characters_cannot_reach_the_terminal(void **state)
{
	struct as_slice raw = {"a\033[2Jb\0c\xff\xc3\xbc", 11}, got;
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	got = as_show_clean(&ar, raw);
	assert_true(as_slice_is(got, "a\\x1b[2Jb\\x00c\\xff\xc3\xbc"));
	assert_int_equal(as_utf8_columns(got), 19);
	as_arena_release(&ar);
}

/* A name that reads "exe.jpg" where it is "gpj.exe" behind U+202E. */
static void test_nothing_looks_like_something_else(void **state)
{
	static const char *const ex[][2] = {{"\u202egpj.exe", "\\xe2\\x80\\xaegpj.exe"},
		{"\u2066a\u2069", "\\xe2\\x81\\xa6a\\xe2\\x81\\xa9"},
		{"a\u200f", "a\\xe2\\x80\\x8f"}, {"\u061c", "\\xd8\\x9c"},
		{"\xc2\x9b"
		 "2J",
			"\\xc2\\x9b2J"},
		{"\uffff", "\\xef\\xbf\\xbf"},
		{"\u05d0\u202f\u2070\xc2\xa0\U0001f600", "\u05d0\u202f\u2070\xc2\xa0\U0001f600"}};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++)
		assert_true(as_slice_is(as_show_clean(&ar, as_slice_of(ex[i][0])), ex[i][1]));
	as_arena_release(&ar);
}

static void test_exact_numbers_are_grouped_by_threes_only_on_request(void **state)
{
	static const struct as_style group = {.group = true};
	static const struct {
		int64_t v;
		const char *plain, *grouped;
	} ex[] = {{0, "0", "0"}, {999, "999", "999"}, {1000, "1000", "1,000"},
		{-999, "-999", "-999"}, {-1000, "-1000", "-1,000"},
		{378195168, "378195168", "378,195,168"}};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		assert_true(as_slice_is(as_show_val(&ar, ex[i].v, &utf8_style), ex[i].plain));
		assert_true(as_slice_is(as_show_val(&ar, ex[i].v, &group), ex[i].grouped));
	}
	as_arena_release(&ar);
}

static void test_rough_numbers_keep_about_four_digits(void **state)
{
	static const struct {
		uint64_t v;
		const char *want;
	} ex[] = {{9999, "9999"}, {10000, "10.0 k"}, {703449, "703.4 k"}, {999949, "999.9 k"},
		{999950, "1.0 M"}, {378195168, "378.2 M"}, {UINT64_MAX, "18.4 E"}};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		struct as_slice got = as_show_rough(&ar, (as_val)ex[i].v);

		if (!as_slice_is(got, ex[i].want))
			fail_msg("%.*s, expected %s", AS_SLICE_FMT(got), ex[i].want);
	}
	as_arena_release(&ar);
}

static void test_percents_are_rounded_and_never_divide_by_zero(void **state)
{
	const as_val huge = (as_val)1 << 120;
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	assert_true(as_slice_is(as_show_percent(&ar, 1, 3), "33.3"));
	assert_true(as_slice_is(as_show_percent(&ar, 2, 3), "66.7"));
	assert_true(as_slice_is(as_show_percent(&ar, 5, 5), "100.0"));
	assert_true(as_slice_is(as_show_percent(&ar, -1, 2), "-50.0"));
	assert_true(as_slice_is(as_show_percent(&ar, -1, 1000000), "0.0"));
	assert_true(as_slice_is(as_show_percent(&ar, 7, 0), "-"));
	assert_true(as_slice_is(as_show_percent(&ar, huge / 4, huge), "25.0"));
	as_arena_release(&ar);
}

int show_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_control_characters_cannot_reach_the_terminal),
		cmocka_unit_test(test_nothing_looks_like_something_else),
		cmocka_unit_test(test_exact_numbers_are_grouped_by_threes_only_on_request),
		cmocka_unit_test(test_rough_numbers_keep_about_four_digits),
		cmocka_unit_test(test_percents_are_rounded_and_never_divide_by_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
