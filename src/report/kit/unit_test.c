/* SPDX-License-Identifier: Apache-2.0 */
/* Counts as times and sizes: figures computed by hand. */
#include "report/kit/unit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/build.h"

static const struct {
	const char *name, *unit, *period_unit;
	uint64_t period;
} events[] = {
	{"samples", "count", "microseconds", 10000},
	{"cpu", "nanoseconds", "", 0},
	{"space", "bytes", "", 0},
	{"cycles", "count", "cycles", 61440},
	{"long", "count", "seconds", UINT64_MAX},
};

static struct as_profile *profile(void)
{
	struct as_profile *prof;
	struct as_build b;
	uint32_t n;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	for (size_t i = 0; i < AS_ARRAY_LEN(events); i++) {
		assert_int_equal(as_build_event(&b, as_slice_of(events[i].name),
					 as_slice_of(events[i].unit), &n),
			AS_OK);
		b.prof->event.p[n].period = events[i].period;
		assert_int_equal(as_build_str(&b, as_slice_of(events[i].period_unit),
					 &b.prof->event.p[n].period_unit),
			AS_OK);
	}
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static void test_counts_are_told_in_units(void **state)
{
	static const struct {
		uint32_t event;
		const char *word;
		as_val largest, v;
		const char *want;
	} rows[] = {
		{0, "count", 312, 312, "312"}, {0, "time", 312, 312, "3.12s"}, /* 312 * 10 ms */
		{0, "time", 312, 1, "0.01s"}, {0, "time", 99, 99, "990.00ms"},
		{0, "auto", 312, 312, "3.12s"}, {0, "ms", 312, 312, "3120.00ms"},
		{0, "us", 1, 1, "10000.00us"}, {0, "ns", 1, 1, "10000000ns"},
		{0, "min", 6000, 6000, "1.00min"}, {0, "h", 360000, 180000, "0.50h"},
		{0, "bytes", 312, 312, "312"}, /* not to be had */
		{1, "time", 3, 3, "3ns"}, {1, "time", 3120000000, 1555, "<0.01s"},
		{1, "s", 1, 1995000000, "2.00s"}, /* rounded, half away from zero */
		{1, "s", 1, 1994999999, "1.99s"}, {1, "s", 1, 999999999, "1.00s"},
		{1, "s", 1, 5000000, "0.01s"}, {1, "s", 1, 4999999, "<0.01s"},
		{1, "s", 1, -1, "-<0.01s"}, {1, "s", 1, 0, "0.00s"},
		{1, "s", 1, -1500000000, "-1.50s"}, {2, "auto", 526336, 526336, "514.00KiB"},
		{2, "MiB", 1, 1 << 20, "1.00MiB"}, {2, "B", 1, 1536, "1536B"},
		{2, "time", 5, 5, "5"}, {3, "time", 5, 5, "5"}, /* a period of cycles is no time */
		{4, "time", 5, 5, "5"},                         /* too large */
	};
	struct as_profile *prof = profile();
	struct as_style style = {0};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, prof->al);
	for (size_t i = 0; i < AS_ARRAY_LEN(rows); i++) {
		struct as_unit u = as_unit_of(prof, rows[i].event, rows[i].word, rows[i].largest);
		struct as_slice got = as_show_in(&ar, rows[i].v, &u, &style);

		if (!as_slice_is(got, rows[i].want))
			fail_msg("row %zu: %.*s, wanted %s", i, AS_SLICE_FMT(got), rows[i].want);
	}
	as_arena_release(&ar);
	as_profile_free(prof);
}

static void test_words_that_are_no_units_are_not_known(void **state)
{
	(void)state;
	assert_true(as_unit_is_known("ms") && as_unit_is_known("auto"));
	assert_false(as_unit_is_known("fortnight") || as_unit_is_known(""));
}

int unit_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_are_told_in_units),
		cmocka_unit_test(test_words_that_are_no_units_are_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
