/* SPDX-License-Identifier: Apache-2.0 */
#include "regex/regex.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static bool matches(const char *pattern, const char *text, bool ignore_case)
{
	struct as_regex_opts opts = {.ignore_case = ignore_case};
	struct as_regex *re;
	struct as_err err;
	bool yes;

	as_err_clear(&err);
	assert_int_equal(as_regex_new(as_slice_of(pattern), &opts, &re, &err), AS_OK);
	yes = as_regex_match(re, as_slice_of(text));
	as_regex_free(re);
	return yes;
}

static void test_patterns_are_unanchored(void **state)
{
	(void)state;
	assert_true(matches("ar", "parse", false));
	assert_false(matches("^ar", "parse", false));
	assert_true(matches("^parse$", "parse", false));
	assert_true(matches("", "", false));
	assert_true(matches("a|b", "xxb", false));
	assert_true(matches("operator\\(\\)", "f::operator()", false));
}

static void test_case_counts_unless_it_is_ignored(void **state)
{
	(void)state;
	assert_false(matches("parse", "Parse", false));
	assert_true(matches("parse", "Parse", true));
	assert_false(matches("(?-i)parse", "Parse", true));
}

static void test_a_wrong_pattern_is_told_with_its_place(void **state)
{
	static const struct {
		const char *pattern;
		size_t place;
		const char *why;
	} wrong[] = {
		{"a(b", 1, "missing )"},
		{"(a)(b(c)", 3, "missing )"},
		{"[)](a", 3, "missing )"},
		{"[]()]x)", 6, "unexpected )"},
		{"[[:alpha:])]\\)a)", 15, "unexpected )"},
		{"x*(*)", 3, "no argument for repetition operator: *"},
		{"ab[c", 2, "missing ]: [c"},
		{"a**", 1, "bad repetition operator: **"},
		{"x\\z\\y", 3, "invalid escape sequence: \\y"},
		{"a\\", 2, "trailing \\"},
		{"[z-a]", 1, "invalid character class range: z-a"},
		{"a{2000}", 1, "invalid repetition size: {2000}"},
	};
	struct as_regex *re;
	struct as_err err;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(wrong); i++) {
		size_t place = 99;
		struct as_regex_opts opts = {.place = &place};

		as_err_clear(&err);
		assert_int_equal(
			as_regex_new(as_slice_of(wrong[i].pattern), &opts, &re, &err), AS_E_ARG);
		assert_null(re);
		assert_string_equal(err.msg, wrong[i].why);
		assert_int_equal(place, wrong[i].place);
	}
}

static void test_too_large_a_pattern_is_refused(void **state)
{
	struct as_regex_opts opts = {0};
	struct as_regex *re;
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	assert_int_equal(as_regex_new(as_slice_of("(\\pL{400})(\\pL{400})(\\pL{400})(\\pL{400})"),
				 &opts, &re, &err),
		AS_E_LIMIT);
	as_regex_free(re);
}

/* Backtracking would take longer than anybody waits. */
static void test_time_is_linear(void **state)
{
	static char text[1 << 20];

	(void)state;
	memset(text, 'a', sizeof(text) - 1);
	assert_false(matches("(a|a)*(a|aa)*b$", text, false));
	assert_false(matches("^(a*)*b", text, false));
}

static void test_any_bytes_are_text(void **state)
{
	(void)state;
	assert_true(matches("b$", "\xff\xfe b", false));
	assert_false(matches("c", "\xff", false));
}

int regex_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_patterns_are_unanchored),
		cmocka_unit_test(test_case_counts_unless_it_is_ignored),
		cmocka_unit_test(test_a_wrong_pattern_is_told_with_its_place),
		cmocka_unit_test(test_too_large_a_pattern_is_refused),
		cmocka_unit_test(test_time_is_linear),
		cmocka_unit_test(test_any_bytes_are_text),
	};

	return cmocka_run_group_tests_name("regex", tests, NULL, NULL);
}
