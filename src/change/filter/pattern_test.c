/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/pattern.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void test_smart_case_looks_for_capitals_that_are_letters(void **state)
{
	static const char *const lower[] = {"", "abc", "\\W\\S", "\\pL", "\\p{Greek}x", "\\PN",
		"a\\x{1F}b", "\\x4F", "\\", "\\p", "\\p{", "\\x", "\\\\a"};
	static const char *const upper[] = {
		"A", "aB", "\\WA", "\\pLA", "\\p{L}A", "\\x4FA", "[A-Z]", "\\\\A"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(lower); i++)
		assert_true(as_pattern_is_lower(as_slice_of(lower[i])));
	for (size_t i = 0; i < AS_ARRAY_LEN(upper); i++)
		assert_false(as_pattern_is_lower(as_slice_of(upper[i])));
}

/* What is read may point into its own buffer: it does not move. */
static struct as_pattern *read(enum as_filter_kind kind, const char *text)
{
	static struct as_pattern p;

	assert_true(as_pattern_read(&p, kind, as_slice_of(text), true));
	return &p;
}

static void test_a_field_in_front_of_a_pattern_is_cut_off(void **state)
{
	struct as_pattern *p = read(AS_FILTER_FOCUS, "file:a.c");

	(void)state;
	assert_int_equal(p->fields, AS_MATCH_FILE);
	assert_true(as_slice_is(p->text, "a.c"));
	assert_true(p->ignore_case);
	p = read(AS_FILTER_HIDE, "Main");
	assert_int_equal(p->fields, AS_MATCH_FUNC | AS_MATCH_FILE | AS_MATCH_OBJECT);
	assert_false(p->ignore_case);
	assert_int_equal(read(AS_FILTER_PRUNE_FROM, "x")->fields, AS_MATCH_FUNC);
	assert_int_equal(read(AS_FILTER_OBJECT, "obj:x")->fields, AS_MATCH_OBJECT);
}

static void test_an_object_is_chosen_by_its_name_only(void **state)
{
	struct as_pattern p;

	(void)state;
	assert_false(as_pattern_read(&p, AS_FILTER_OBJECT, as_slice_of("fn:x"), true));
}

static void test_code_without_a_name_is_no_class_of_characters(void **state)
{
	struct as_pattern *p = read(AS_FILTER_FOCUS, "[gzip+0x4330]");

	(void)state;
	assert_true(as_slice_is(p->text, "\\[gzip\\+0x4330\\]"));
	assert_true(as_pattern_read(p, AS_FILTER_FOCUS, as_slice_of("[gzip+0x4330]"), false));
	assert_true(as_slice_is(p->text, "[gzip+0x4330]"));
	assert_true(as_slice_is(read(AS_FILTER_FOCUS, "[a-z]")->text, "[a-z]"));
}

static void test_patterns_that_look_at_what_stands_around(void **state)
{
	static const char *const inside[] = {"", "a", "a.*b|c", "[a-z]+", "\\[gzip\\+0x4\\]",
		"\\d\\W", "a{2,}(b)", "\\^\\$", "\\\\"};
	static const char *const around[] = {"^a", "a$", "\\ba", "a\\B", "\\Aa", "a\\z", "(?:a)",
		"(?=a)", "[^a]", "\\Qa\\E", "\\", "\\\\\\b", "\\pL", "(a)\\1"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(inside); i++)
		assert_true(as_pattern_is_inside(as_slice_of(inside[i])));
	for (size_t i = 0; i < AS_ARRAY_LEN(around); i++)
		assert_false(as_pattern_is_inside(as_slice_of(around[i])));
}

int pattern_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_smart_case_looks_for_capitals_that_are_letters),
		cmocka_unit_test(test_a_field_in_front_of_a_pattern_is_cut_off),
		cmocka_unit_test(test_an_object_is_chosen_by_its_name_only),
		cmocka_unit_test(test_code_without_a_name_is_no_class_of_characters),
		cmocka_unit_test(test_patterns_that_look_at_what_stands_around),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
