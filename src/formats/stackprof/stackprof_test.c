/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/stackprof/stackprof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/starve.h"
#include "lib/told.h"

extern const struct as_format as_format_stackprof;

static void stackprof_read_it(struct mem_read *r, const char *text, bool moments)
{
	struct mem_how how = {
		.fmt = &as_format_stackprof, .detail = AS_DETAIL_FULL, .moments = moments};

	mem_read(r, &how, as_slice_of(text));
}

static const char whole[] =
	"{\"version\":1.2,\"mode\":\"wall\",\"interval\":1000,\"samples\":4,\"missed_samples\":0,"
	"\"raw\":[2,5,6,3,1,18446744073709551615,1],\"raw_lines\":[2,3,12,3,1,7,1],"
	"\"raw_timestamp_deltas\":[10,20,-5,1],"
	"\"frames\":{\"5\":{\"name\":\"main\",\"file\":\"a.rb\",\"line\":1},"
	"\"6\":{\"name\":\"block\",\"file\":\"a.rb\",\"line\":2},"
	"\"18446744073709551615\":{\"name\":\"block\",\"file\":\"a.rb\",\"line\":7}}}";

static void test_stacks_are_samples_with_times(void **state)
{
	struct mem_read r;

	(void)state;
	stackprof_read_it(&r, whole, true);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[0] == 4);
	assert_int_equal(r.prof->event.p[0].period, 1000);
	assert_int_equal(r.prof->moments.n, 4);
	assert_int_equal(r.prof->duration, 20000);
	for (size_t id = 0; id < AS_F_COUNT; id++)
		assert_int_equal(r.findings.count[id], 0);
	mem_read_free(&r);
}

static void test_functions_of_one_name_say_where_they_begin(void **state)
{
	struct mem_read r;
	size_t n = 0;

	(void)state;
	stackprof_read_it(&r, whole, false);
	for (uint32_t f = 1; f < r.prof->func.name.n; f++) {
		struct as_slice name = as_func_name(r.prof, (as_func){f});

		if (as_slice_is(name, "block:2") || as_slice_is(name, "block:7") ||
			as_slice_is(name, "main"))
			n++;
	}
	assert_int_equal(n, 3);
	mem_read_free(&r);
}

static void test_without_stacks_there_are_calls(void **state)
{
	struct mem_read r;

	(void)state;
	stackprof_read_it(&r,
		"{\"frames\":{\"5\":{\"name\":\"main\",\"file\":\"a.rb\",\"samples\":4,"
		"\"edges\":{\"6\":2},\"lines\":{\"3\":[5,3],\"4\":[1,0]}},"
		"\"6\":{\"name\":\"f\",\"file\":\"<cfunc>\",\"samples\":2}},\"missed_samples\":1}",
		false);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->shape, AS_SHAPE_PLACES | AS_SHAPE_CALLS);
	assert_true(r.prof->total[0] == 6);
	assert_int_equal(r.prof->call.n, 1);
	assert_int_equal(r.findings.count[AS_F_SP_MISSED], 1);
	mem_read_free(&r);
}

static void test_what_is_odd_is_told(void **state)
{
	struct mem_read r;

	(void)state;
	stackprof_read_it(&r,
		"{\"samples\":9,\"missed_samples\":0,\"raw\":[1,5,2,1,6,1,3,5,5],"
		"\"raw_sample_timestamps\":[1],"
		"\"frames\":{\"5\":{\"name\":\"main\",\"lines\":{\"3\":[1,1]}}}}",
		false);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->partial);
	assert_true(r.prof->total[0] == 3);
	assert_int_equal(r.findings.count[AS_F_SP_RAW], 1);
	assert_int_equal(r.findings.count[AS_F_SP_FRAME], 1);
	assert_int_equal(r.findings.count[AS_F_SP_SAMPLES], 1);
	assert_int_equal(r.findings.count[AS_F_SP_TIMES], 1);
	assert_int_equal(r.findings.count[AS_F_SP_LINES], 1);
	mem_read_free(&r);
}

/* Stacks whose frames come last are of unknown code. */
static void test_what_is_cut_before_its_frames_is_refused(void **state)
{
	char text[sizeof(whole)];

	(void)state;
	for (size_t n = 0; n < sizeof(whole) - 2; n++) {
		struct mem_read r;

		memcpy(text, whole, n);
		text[n] = '\0';
		stackprof_read_it(&r, text, false);
		assert_true(r.rc == AS_E_TRUNC || (!n && r.rc == AS_E_FORMAT));
		mem_read_free(&r);
	}
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	mem_starve_reading((struct mem_how){.fmt = &as_format_stackprof, .detail = AS_DETAIL_FULL},
		as_slice_of(whole));
}

static void test_what_is_cut_keeps_what_was_counted(void **state)
{
	static const struct mem_how full = {
		.fmt = &as_format_stackprof, .detail = AS_DETAIL_FULL, .moments = true};

	(void)state;
	mem_keeps_what_is_cut(
		&full, mem_golden(&as_format_stackprof, "ruby31.json"), ",\"139864671182360\":{");
}

int stackprof_tests(void);
int stackprof_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_are_samples_with_times),
		cmocka_unit_test(test_functions_of_one_name_say_where_they_begin),
		cmocka_unit_test(test_without_stacks_there_are_calls),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_what_is_cut_keeps_what_was_counted),
		cmocka_unit_test(test_what_is_cut_before_its_frames_is_refused),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("stackprof", tests, NULL, NULL);
}
