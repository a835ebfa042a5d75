/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE /* setenv() and tzset() */
#include "base/date.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

struct example {
	const char *text, *iso; /* NULL: there is no such date */
};

static void expect_digits(const struct example *ex, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char iso[AS_DATE_ISO];
		struct as_date d;
		bool ok = as_date_from_digits(as_slice_of(ex[i].text), &d);

		assert_int_equal(ok, ex[i].iso != NULL);
		if (ok)
			assert_string_equal(as_date_iso(&d, iso), ex[i].iso);
	}
}

static const struct example digits[] = {
	{"9612042334", "1996-12-04T23:34Z"},
	{"2511210817", "2025-11-21T08:17Z"},
	{"6812312359", "2068-12-31T23:59Z"},
	{"6901010000", "1969-01-01T00:00Z"},
	{"7001010000", "1970-01-01T00:00Z"},
	{"0002290000", "2000-02-29T00:00Z"},
	{"199805191724", "1998-05-19T17:24Z"},
	{"200212042334", "2002-12-04T23:34Z"},
	{"19970328081403", "1997-03-28T08:14:03Z"},
	{"9613042334", NULL},
	{"9600042334", NULL},
	{"9602300000", NULL},
	{"9702290000", NULL},
	{"190002290000", NULL},
	{"9612002334", NULL},
	{"9612042400", NULL},
	{"9612042360", NULL},
	{"19970328081460", NULL},
	{"96120423", NULL},
	{"961204233", NULL},
	{"96120423345", NULL},
	{"961204233x", NULL},
	{"-612042334", NULL},
	{"", NULL},
};

static void test_digits_are_read_as_universal_time(void **state)
{
	(void)state;
	expect_digits(digits, AS_ARRAY_LEN(digits));
}

static void test_the_time_zone_of_the_machine_does_not_matter(void **state)
{
	static const char *const zones[] = {"Asia/Kolkata", "America/Los_Angeles", "UTC"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(zones); i++) {
		assert_int_equal(setenv("TZ", zones[i], 1), 0);
		tzset();
		expect_digits(digits, AS_ARRAY_LEN(digits));
	}
}

static void test_iso_dates_are_read_and_printed(void **state)
{
	static const struct example ex[] = {
		{"1996-12-04T23:34Z", "199612042334"},
		{"1996-12-04T23:34:59Z", "199612042334"},
		{"1996-12-04T23:34:59.123Z", "199612042334"},
		{"2000-02-29T00:00Z", "200002290000"},
		{"1996-12-04T23:34", NULL},
		{"1996-12-04T23:34+01:00", NULL},
		{"1996-12-04 23:34Z", NULL},
		{"1996-12-04T23:34:5Z", NULL},
		{"1996-12-04T23:34:59.Z", NULL},
		{"1996-12-04T23:34Zulu", NULL},
		{"1996-02-30T23:34Z", NULL},
		{"96-12-04T23:34Z", NULL},
		{"", NULL},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(ex); i++) {
		char text[AS_DATE_DIGITS];
		struct as_date d;
		bool ok = as_date_from_iso(as_slice_of(ex[i].text), &d);

		assert_int_equal(ok, ex[i].iso != NULL);
		if (ok)
			assert_string_equal(as_date_digits(&d, text), ex[i].iso);
	}
}

int date_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_digits_are_read_as_universal_time),
		cmocka_unit_test(test_the_time_zone_of_the_machine_does_not_matter),
		cmocka_unit_test(test_iso_dates_are_read_and_printed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
