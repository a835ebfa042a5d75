/* SPDX-License-Identifier: Apache-2.0 */
/* Values, percentages and sample types as pprof has them: what go tool pprof prints of them. */
#include "change/filter/pprof_value.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/build.h"

static void test_values_are_scaled(void **state)
{
	static const struct {
		as_val v;
		const char *from, *to, *text;
	} cases[] = {
		{1500, "milliseconds", "minimum", "1.50s"},
		{-1500, "milliseconds", "minimum", "-1.50s"},
		{1, "milliseconds", "s", "0"}, /* 0.001 is written as 0.00, and that as 0 */
		{10, "milliseconds", "s", "0.01s"},
		{999, "us", "auto", "999us"},
		{1000, "us", "auto", "1ms"},
		{172800000, "ms", "auto", "48hrs"},
		{2, "Hours", "seconds", "7200s"},
		{1023, "bytes", "minimum", "1023B"},
		{1024, "bytes", "minimum", "1kB"},
		{98304000, "bytes", "minimum", "93.75MB"},
		{1 << 30, "Byte", "MB", "1024MB"},
		{3, "kilobytes", "b", "3072B"},
		{0, "bytes", "minimum", "0"},
		{0, "bytes", "MB", "0"},
		{5, "count", "minimum", "5"},
		{5, "samples", "auto", "5"},
		{5, "requests", "count", "5"},
		{5, "requests", "ms", "5ms"}, /* pprof cannot know better */
		{INT64_MAX, "count", "minimum", "9223372036854775808"},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_pprof_value got;
		char text[AS_PPROF_NUMBER + 32];

		as_pprof_format(
			&got, cases[i].v, as_slice_of(cases[i].from), as_slice_of(cases[i].to));
		snprintf(text, sizeof(text), "%s%.*s", got.number, AS_SLICE_FMT(got.unit));
		assert_string_equal(text, cases[i].text);
	}
}

static void test_percentages_are_short(void **state)
{
	static const struct {
		as_val part, whole;
		const char *text;
	} cases[] = {
		{1, 1, "  100%"},
		{9995, 10000, "  100%"},
		{9994, 10000, "99.94%"},
		{100051, 100000, "100.05%"},
		{3, 2, "150.00%"},
		{1, 3, "33.33%"},
		{-1, 2, "50.00%"},
		{1, -2, "50.00%"},
		{123, 10000, " 1.23%"},
		{89, 10000, " 0.89%"},
		{1, 1000, "  0.1%"},
		{1, 10000000, "1e-05%"},
		{0, 5, "    0%"},
		{0, -5, "    0%"},
		{5, 0, "    0%"},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		char text[AS_PPROF_NUMBER];

		assert_string_equal(
			as_pprof_percent(cases[i].part, cases[i].whole, text), cases[i].text);
	}
}

/* ---- sample types ---- */

/* The first of the events stands in COLUMN of the source. */
static struct as_profile *profile(const char *const (*event)[2], size_t n, uint32_t column)
{
	struct as_profile *prof;
	struct as_build b;
	uint32_t row;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(as_build_event(&b, as_slice_of(event[i][0]),
					 as_slice_of(event[i][1]), &row),
			AS_OK);
	assert_int_equal(as_build_str(&b, as_slice_of("pprof"), &b.prof->format), AS_OK);
	assert_int_equal(as_build_part(&b, &row), AS_OK);
	b.prof->first_column = column;
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static void check_column(const struct as_profile *prof, const char *name, const char *type)
{
	struct as_pprof_column column;
	bool found = as_pprof_find_column(prof, as_slice_of(name), &column);

	assert_int_equal(found, type != NULL);
	if (type && !as_slice_is(column.type, type))
		fail_msg("'%s': %.*s, not %s", name, AS_SLICE_FMT(column.type), type);
}

static void test_sample_types_are_found_by_name_and_number(void **state)
{
	static const char *const heap[][2] = {
		{"space", "bytes"}, {"alloc_space", "bytes"}, {"inuse_objects", "count"}};
	static const char *const objects[][2] = {
		{"inuse_objects", "count"}, {"alloc_space", "bytes"}, {"space", "bytes"}};
	struct as_profile *prof = profile(heap, 3, 2);

	(void)state;
	check_column(prof, "", "space"); /* the first event */
	check_column(prof, "0", "alloc_space");
	check_column(prof, "2", "space");
	check_column(prof, "inuse_objects", "inuse_objects");
	check_column(prof, "inuse_space", "space");
	check_column(prof, "3", NULL);
	check_column(prof, "objects", NULL);
	check_column(prof, "SPACE", NULL);
	as_profile_free(prof);
	prof = profile(objects, 3, 1);
	check_column(prof, "", "inuse_objects");
	check_column(prof, "0", "alloc_space");
	check_column(prof, "1", "inuse_objects");
	as_profile_free(prof);
	prof = profile(heap, 0, 0);
	check_column(prof, "", NULL);
	as_profile_free(prof);
}

/* Samples of gperftools: how many, and how long. */
static void test_samples_with_a_period_are_two_types(void **state)
{
	static const char *const event[][2] = {{"samples", "count"}};
	struct as_profile *prof = profile(event, 1, 0);
	struct as_pprof_column column;

	(void)state;
	assert_int_equal(as_pprof_n_columns(prof), 1);
	prof->event.p[0].period = 10000;
	assert_int_equal(as_pprof_n_columns(prof), 1); /* of what, nobody says */
	as_profile_free(prof);
	prof = profile((const char *const[][2]){{"samples", "count"}, {"", "microseconds"}}, 2, 0);
	prof->event.p[0].period = 10000;
	prof->event.p[0].period_unit = prof->event.p[1].unit;
	assert_int_equal(as_pprof_n_columns(prof), 2); /* as many as there are */
	assert_int_equal(as_pprof_column(prof, 0).each, 1);
	prof->event.n = 1;
	assert_int_equal(as_pprof_n_columns(prof), 2);
	column = as_pprof_column(prof, 1);
	assert_int_equal(column.each, 10000000);
	assert_int_equal(column.event, 0);
	assert_true(as_slice_is(column.type, "cpu"));
	assert_true(as_slice_is(column.unit, "nanoseconds"));
	check_column(prof, "", "cpu");
	check_column(prof, "samples", "samples");
	prof->event.n = 2;
	as_profile_free(prof);
}

int pprof_value_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_are_scaled),
		cmocka_unit_test(test_percentages_are_short),
		cmocka_unit_test(test_sample_types_are_found_by_name_and_number),
		cmocka_unit_test(test_samples_with_a_period_are_two_types),
	};

	return cmocka_run_group_tests_name("pprof_value", tests, NULL, NULL);
}
