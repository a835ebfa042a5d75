/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/pull.h"

struct reading {
	struct as_arena arena;
	struct as_pull j;
};

static int setup(void **state)
{
	static struct reading r;

	as_arena_init(&r.arena, &as_alloc_libc);
	*state = &r;
	return 0;
}

static int teardown(void **state)
{
	struct reading *r = *state;

	as_arena_release(&r->arena);
	return 0;
}

static struct as_pull *begin(void **state, const char *text)
{
	struct reading *r = *state;

	as_pull_init(&r->j, as_slice_of(text), &r->arena);
	return &r->j;
}

static void test_members_and_values_come_one_after_the_other(void **state)
{
	struct as_pull *j = begin(state, " {\"a\" : [1, -2.5e3,\t[]],\r\n\"b\":{}, \"c\":true} ");
	struct as_slice s;
	bool yes;

	assert_true(as_pull_object(j));
	assert_true(as_pull_key(j, &s) && as_slice_is(s, "a"));
	assert_true(as_pull_array(j));
	assert_true(as_pull_item(j) && as_pull_number(j, &s) && as_slice_is(s, "1"));
	assert_true(as_pull_item(j) && as_pull_number(j, &s) && as_slice_is(s, "-2.5e3"));
	assert_true(as_pull_item(j) && as_pull_array(j));
	assert_false(as_pull_item(j));
	assert_false(as_pull_item(j));
	assert_true(as_pull_key(j, &s) && as_slice_is(s, "b"));
	assert_true(as_pull_object(j));
	assert_false(as_pull_key(j, &s));
	assert_true(as_pull_key(j, &s) && as_slice_is(s, "c"));
	assert_true(as_pull_bool(j, &yes) && yes);
	assert_false(as_pull_key(j, &s));
	assert_null(j->why);
	assert_int_equal(as_pull_peek(j), AS_PULL_END);
}

static void test_kinds_are_told_by_how_they_begin(void **state)
{
	static const struct {
		const char *text;
		enum as_pull_kind kind;
	} c[] = {{"{", AS_PULL_OBJECT}, {"[", AS_PULL_ARRAY}, {"\"", AS_PULL_TEXT},
		{"-1", AS_PULL_NUMBER}, {"7", AS_PULL_NUMBER}, {"true", AS_PULL_TRUE},
		{"false", AS_PULL_FALSE}, {"null", AS_PULL_NULL}, {" ", AS_PULL_END},
		{"x", AS_PULL_WRONG}, {"}", AS_PULL_WRONG}};

	for (size_t i = 0; i < AS_ARRAY_LEN(c); i++)
		assert_int_equal(as_pull_peek(begin(state, c[i].text)), c[i].kind);
}

static void is_text(void **state, const char *json, const char *text)
{
	struct as_pull *j = begin(state, json);
	struct as_slice s;

	if (!as_pull_text(j, &s) || !as_slice_is(s, text))
		fail_msg("%s is '%.*s', not '%s'", json, AS_SLICE_FMT(s), text);
}

static void test_texts_lose_their_escapes(void **state)
{
	is_text(state, "\"\"", "");
	is_text(state, "\"plain\"", "plain");
	is_text(state, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t");
	is_text(state, "\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac");
	is_text(state, "\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80");
	is_text(state, "\"\\ud83dx\"", "\xef\xbf\xbdx");
	is_text(state, "\"\\ude00\"", "\xef\xbf\xbd");
	is_text(state, "\"\xff\"", "\xff");
}

static void is_wrong(void **state, const char *json, const char *why, size_t at, bool cut)
{
	struct as_pull *j = begin(state, json);

	assert_false(as_pull_skip(j));
	assert_string_equal(j->why, why);
	assert_int_equal(j->p - json, at);
	assert_int_equal(j->cut, cut);
	assert_false(as_pull_skip(j)); /* and that stays so */
}

static void test_what_is_wrong_has_a_place(void **state)
{
	is_wrong(state, "[1 2]", "',' or ']' was expected", 3, false);
	is_wrong(state, "[1,", "a value was expected", 3, true);
	is_wrong(state, "[1,]", "a value was expected", 3, false);
	is_wrong(state, "{\"a\" 1}", "':' was expected", 5, false);
	is_wrong(state, "{1:2}", "a key in quotes was expected", 1, false);
	is_wrong(state, "{\"a\":1", "',' or '}' was expected", 6, true);
	is_wrong(state, "[truth]", "a value was expected", 1, false);
	is_wrong(state, "[tru", "a value was expected", 4, true);
	is_wrong(state, "\"abc", "a text ends in '\"', and has no control characters", 4, true);
	is_wrong(state, "\"a\nb\"", "a text ends in '\"', and has no control characters", 2, false);
	is_wrong(state, "-", "a number was expected", 0, false);
}

static void test_escapes_that_do_not_exist_are_refused(void **state)
{
	static const char *const json[] = {"\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"\\"};
	struct as_slice s;

	for (size_t i = 0; i < AS_ARRAY_LEN(json); i++)
		assert_false(as_pull_text(begin(state, json[i]), &s));
}

static void test_skipping_knows_a_depth_and_no_more(void **state)
{
	char deep[2 * AS_PULL_DEPTH + 4];
	struct as_pull *j;

	memset(deep, '[', AS_PULL_DEPTH);
	memset(deep + AS_PULL_DEPTH, ']', AS_PULL_DEPTH);
	deep[2 * AS_PULL_DEPTH] = 0;
	assert_true(as_pull_skip(begin(state, deep)));
	memset(deep, '[', AS_PULL_DEPTH + 1);
	j = begin(state, deep);
	assert_false(as_pull_skip(j));
	assert_string_equal(j->why, "this is nested deeper than 512 times");
}

static void test_raw_is_what_stands_there(void **state)
{
	struct as_pull *j = begin(state, "[ {\"a\": [1,\"]\"]} , 2]");
	struct as_slice s = {0};

	assert_true(as_pull_array(j) && as_pull_item(j) && as_pull_raw(j, &s));
	assert_true(as_slice_is(s, "{\"a\": [1,\"]\"]}"));
	assert_true(as_pull_item(j) && as_pull_raw(j, &s) && as_slice_is(s, "2"));
}

static void test_an_array_of_numbers_is_taken_without_a_look(void **state)
{
	struct as_pull *j = begin(state, "[ [1, 2] ,[],[x],3");
	struct as_slice s;

	assert_true(as_pull_array(j));
	assert_true(as_pull_item(j) && as_pull_flat(j, &s) && as_slice_is(s, "[1, 2]"));
	assert_true(as_pull_item(j) && as_pull_flat(j, &s) && as_slice_is(s, "[]"));
	assert_true(as_pull_item(j) && as_pull_flat(j, &s) && as_slice_is(s, "[x]"));
	assert_true(as_pull_item(j));
	assert_false(as_pull_flat(j, &s));
	assert_string_equal(j->why, "an array was expected, '['");
	assert_false(j->cut);
	j = begin(state, "[1, 2");
	assert_false(as_pull_flat(j, &s));
	assert_true(j->cut);
}

static void test_integers_are_exact(void **state)
{
	static const struct {
		const char *text;
		uint64_t v;
	} good[] = {{"0", 0}, {"-0", 0}, {"12", 12}, {"18446744073709551615", UINT64_MAX},
		{"-9223372036854775808", UINT64_C(1) << 63}, {"1e3", 1000}, {"1.5E1", 15},
		{"10.0e-1", 1}, {"100e-2", 1}, {"7.000", 7}, {"-3", UINT64_MAX - 2}, {"0e999", 0},
		{"0.000", 0}};
	static const char *const bad[] = {"1.5", "18446744073709551616", "-9223372036854775809",
		"1e20", "15e-1", "", "-", "x", "1e9999", "1.2.3"};
	uint64_t v;
	bool negative;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(good); i++) {
		assert_true(as_pull_integer(as_slice_of(good[i].text), &v, &negative));
		assert_int_equal(v, good[i].v);
	}
	for (size_t i = 0; i < AS_ARRAY_LEN(bad); i++)
		if (as_pull_integer(as_slice_of(bad[i]), &v, &negative))
			fail_msg("'%s' is no integer", bad[i]);
}

static void test_a_copy_goes_on_by_itself(void **state)
{
	struct as_pull *j = begin(state, "[1,2]"), copy;
	struct as_slice s;

	assert_true(as_pull_array(j) && as_pull_item(j));
	copy = *j;
	assert_true(as_pull_number(j, &s) && as_pull_item(j) && as_pull_number(j, &s));
	assert_true(as_slice_is(s, "2"));
	assert_true(as_pull_number(&copy, &s) && as_slice_is(s, "1"));
}

static void test_numbers_are_scaled_to_the_nearest_integer(void **state)
{
	static const struct {
		const char *text;
		int exponent;
		int64_t v;
		bool exact;
	} row[] = {
		{"998.5", 6, 998500000, true},
		{"0.1", 9, 100000000, true},
		{"-0.0000015", 6, -2, false},
		{"1.4999999999999999999999", 0, 1, false},
		{"2.5e3", -3, 3, false},
		{"25e2", -2, 25, true},
		{"0e1000", 9, 0, true},
		{"9223372036854775807", 0, INT64_MAX, true},
		{"0.000000000000000000001", 9, 0, false},
		{"12", 0, 12, true},
		{"100", -2, 1, true},
		{"1e-5", 5, 1, true},
	};
	static const char *const no[] = {"9223372036854775808", "1e19", "9223372036854775807.5"};
	int64_t v;
	bool exact;

	(void)state;
	for (size_t i = 0; i < sizeof(row) / sizeof(*row); i++) {
		assert_true(as_pull_scaled(as_slice_of(row[i].text), row[i].exponent, &v, &exact));
		assert_int_equal(v, row[i].v);
		assert_int_equal(exact, row[i].exact);
	}
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		assert_false(as_pull_scaled(as_slice_of(no[i]), 0, &v, &exact));
}

/* Behind them stands what keeps them away from the end of the text. */
#define FAR "],[                                "

static void test_numbers_of_an_array_are_read_many_at_once(void **state)
{
	static const int64_t want[] = {1500, -2, AS_PULL_NULL_NUMBER, 0, 1235, -1235, 7000};
	struct as_pull *j =
		begin(state, "[1.5,-0.002,null, 0,1.2345,-1.2345,7,1e3,123456789012345678" FAR);
	uint64_t rounded = 0;
	int64_t v[16];
	struct as_slice s;

	assert_true(as_pull_array(j));
	assert_int_equal(as_pull_numbers(j, 3, v, 3, &rounded), 3);
	assert_int_equal(rounded, 0);
	assert_int_equal(as_pull_numbers(j, 3, v + 3, 13, NULL), 1); /* the next one is rounded */
	assert_int_equal(as_pull_numbers(j, 3, v + 4, 12, &rounded), 3);
	assert_int_equal(rounded, 2);
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++)
		assert_int_equal(v[i], want[i]);
	assert_true(as_pull_item(j) && as_pull_number(j, &s) && as_slice_is(s, "1e3"));
	assert_int_equal(as_pull_numbers(j, 3, v, 16, &rounded), 0); /* too many digits */
	assert_int_equal(as_pull_numbers(j, 0, v, 16, &rounded), 1);
	assert_int_equal(v[0], 123456789012345678);
	assert_false(as_pull_item(j));
}

static void test_other_values_are_left_where_they_stand(void **state)
{
	static const char *const text[] = {"[\"1\"" FAR, "[nul" FAR, "[-" FAR, "[1.,2" FAR,
		"[1.5e3" FAR, "[{\"a\":1}" FAR, "[true" FAR, FAR, "[1x,2" FAR, "[1,2]",
		"[1234567890123456789" FAR};
	uint64_t rounded = 0;
	int64_t v[4];

	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++) {
		struct as_pull *j = begin(state, text[i]);

		(void)as_pull_array(j);
		assert_int_equal(as_pull_numbers(j, 0, v, 4, &rounded), 0);
		assert_true(j->why || j->p == text[i] + 1);
	}
}

#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int pull_tests(void)
{
	const struct CMUnitTest tests[] = {
		T(test_members_and_values_come_one_after_the_other),
		T(test_kinds_are_told_by_how_they_begin),
		T(test_texts_lose_their_escapes),
		T(test_what_is_wrong_has_a_place),
		T(test_escapes_that_do_not_exist_are_refused),
		T(test_skipping_knows_a_depth_and_no_more),
		T(test_raw_is_what_stands_there),
		T(test_an_array_of_numbers_is_taken_without_a_look),
		T(test_integers_are_exact),
		T(test_a_copy_goes_on_by_itself),
		T(test_numbers_are_scaled_to_the_nearest_integer),
		T(test_numbers_of_an_array_are_read_many_at_once),
		T(test_other_values_are_left_where_they_stand),
	};

	return cmocka_run_group_tests_name("pull", tests, NULL, NULL);
}
