/* SPDX-License-Identifier: Apache-2.0 */
/* Events as they are asked for, by name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <linux/perf_event.h>

#include "record/events/perf_kinds.h"

static void refuse(const char *text, const char *why)
{
	struct as_perf_events events;
	struct as_err err = AS_ERR_NONE;

	assert_int_equal(as_perf_events_parse(as_slice_of(text), &events, &err), AS_E_ARG);
	assert_string_equal(err.msg, why);
}

static void test_events_with_and_without_periods(void **state)
{
	struct as_perf_events events;

	(void)state;
	assert_int_equal(
		as_perf_events_parse(as_slice_of("cpu-clock:4000,cs,LLC-loads:7"), &events, NULL),
		AS_OK);
	assert_int_equal(events.n, 3);
	assert_int_equal(events.row[0].period, 4000);
	assert_true(events.row[0].kind->time);
	assert_string_equal(events.row[1].kind->name, "context-switches");
	assert_int_equal(events.row[1].period, 0);
	assert_int_equal(events.row[2].kind->type, PERF_TYPE_HW_CACHE);
	assert_int_equal(events.row[2].kind->config, PERF_COUNT_HW_CACHE_LL);
	assert_int_equal(events.row[2].period, 7);
	assert_true(as_perf_events_by_frequency(&events));
	assert_int_equal(
		as_perf_events_parse(as_slice_of("branch-misses:1"), &events, NULL), AS_OK);
	assert_false(as_perf_events_by_frequency(&events));
}

static void test_what_is_no_event_is_refused(void **state)
{
	(void)state;
	refuse("", "there is no event ''");
	refuse("cpu-clock,", "there is no event ''");
	refuse("cpu-clock,cpu clock", "there is no event 'cpu clock'");
	refuse("Cycles", "there is no event 'Cycles'");
	refuse("cycles,cpu-cycles:5", "the event 'cycles' stands twice");
	refuse("cpu-clock,task-clock,cycles,instructions,cache-references,cache-misses,branches,"
	       "branch-misses,bus-cycles,ref-cycles,page-faults,minor-faults,major-faults,"
	       "context-switches,cpu-migrations,cgroup-switches,alignment-faults",
		"more than 16 events at once");
}

static void test_periods_that_cannot_be_are_refused(void **state)
{
	(void)state;
	refuse("page-faults:0", "the period of 'page-faults' is 1 to 4294967295 of them, not '0'");
	refuse("page-faults:", "the period of 'page-faults' is 1 to 4294967295 of them, not ''");
	refuse("faults:4294967296",
		"the period of 'page-faults' is 1 to 4294967295 of them, not '4294967296'");
	refuse("faults:1:2", "the period of 'page-faults' is 1 to 4294967295 of them, not '1:2'");
	refuse("cpu-clock:49",
		"the period of 'cpu-clock' is 50 to 10000000 microseconds, not '49'");
	refuse("cpu-clock:10000001",
		"the period of 'cpu-clock' is 50 to 10000000 microseconds, not '10000001'");
}

int perf_kinds_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_with_and_without_periods),
		cmocka_unit_test(test_what_is_no_event_is_refused),
		cmocka_unit_test(test_periods_that_cannot_be_are_refused),
	};

	return cmocka_run_group_tests_name("perf_kinds", tests, NULL, NULL);
}
