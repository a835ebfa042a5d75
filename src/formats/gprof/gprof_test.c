/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/gprof/gprof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_gprof;

static void gprof_read_it(struct mem_read *r, const char *text, bool moments)
{
	struct mem_how how = {
		.fmt = &as_format_gprof, .detail = AS_DETAIL_FULL, .moments = moments};

	mem_read(r, &how, as_slice_of(text));
}

#define FLAT_HEAD                                                          \
	"Flat profile:\n\nEach sample counts as 0.01 seconds.\n"           \
	"  %   cumulative   self              self     total           \n" \
	" time   seconds   seconds    calls  ms/call  ms/call  name    \n"
#define GRAPH_HEAD "index % time    self  children    called     name\n"

static const char whole[] =
	FLAT_HEAD " 75.00      0.03     0.03       10     3.00     3.00  f\n"
		  " 25.00      0.04     0.01                             main\n\n"
		  "\t\t\tCall graph\n\n" GRAPH_HEAD
		  "                0.03    0.00      10/10           main [1]\n"
		  "                                   5             f [2]\n"
		  "[2]     75.0    0.03    0.00      10+5       f [2]\n"
		  "                                   5             f [2]\n"
		  "-----------------------------------------------\n"
		  "                                                 <spontaneous>\n"
		  "[1]    100.0    0.01    0.03                 main [1]\n"
		  "                0.03    0.00      10/10          f [2]\n"
		  "-----------------------------------------------\n"
		  "\n This table describes the call tree of the program.\n";

static void expect_seconds(const char *text, bool ok, int64_t nanos)
{
	int64_t got = 0;

	assert_int_equal(as_gt_seconds(as_slice_of(text), &got), ok);
	assert_true(!ok || got == nanos);
}

static void test_seconds_are_decimals(void **state)
{
	(void)state;
	expect_seconds("0.01", true, 10000000);
	expect_seconds("12.5", true, INT64_C(12500000000));
	expect_seconds("1.0000000019", true, 1000000001);
	expect_seconds("9223372035.9", true, INT64_C(9223372035900000000));
	expect_seconds("9223372036.9", false, 0);
	expect_seconds("1", false, 0);
	expect_seconds("1.", false, 0);
	expect_seconds(".5", false, 0);
	expect_seconds("1.5x", false, 0);
	expect_seconds("-1.5", false, 0);
}

static void expect_name(const char *line, const char *name, uint64_t index)
{
	struct gt_row row;

	assert_true(as_gt_graph(as_slice_of(line), &row));
	assert_true(as_slice_is(row.who.name, name));
	assert_int_equal(row.who.index, index);
}

static void test_names_end_before_their_index(void **state)
{
	(void)state;
	expect_name("   0.0 0.0  1/2  a [3]", "a", 3);
	expect_name("   1/2  a <cycle 4> [3]", "a", 3);
	expect_name("   7  std::map<int, int>::at(int) const [12]",
		"std::map<int, int>::at(int) const", 12);
	expect_name(
		"   7  operator new[](unsigned long) [12]", "operator new[](unsigned long)", 12);
	expect_name("   7  a::f(char [5]) [2]", "a::f(char [5])", 2);
	expect_name("[3]  1.0 0.0 0.0  main [3]", "main", 3);
	expect_name("   7  bare", "bare", 0);
}

static void test_lines_of_gprof_l_are_kept(void **state)
{
	struct gt_row row;

	(void)state;
	assert_true(as_gt_flat(
		as_slice_of(" 1.0  0.06  0.06    10  1.0 1.0  f(int) (a b.c:12 @ 401136)"), &row));
	assert_true(as_slice_is(row.who.name, "f(int)"));
	assert_true(as_slice_is(row.who.file, "a b.c"));
	assert_int_equal(row.who.line, 12);
	assert_int_equal(row.who.addr, 0x401136);
	assert_int_equal(row.calls, 10);
	assert_true(row.self == 60000000);
}

static void test_both_tables_make_calls(void **state)
{
	struct mem_read r;

	(void)state;
	gprof_read_it(&r, whole, false);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[0] == 4 && r.prof->total[1] == 10);
	assert_int_equal(r.prof->event.p[0].period, 10000);
	assert_int_equal(r.prof->call.n, 2);
	assert_int_equal(r.findings.count[AS_F_GT_ASSUMED], 1);
	assert_int_equal(r.findings.count[AS_F_GT_CALLS], 0);
	assert_int_equal(r.findings.count[AS_F_GT_LINE], 0);
	assert_false(r.prof->partial);
	mem_read_free(&r);
}

static void test_times_that_are_no_samples_stay_times(void **state)
{
	struct mem_read r;

	(void)state;
	gprof_read_it(&r,
		" time   seconds   seconds    calls  ms/call  ms/call  name\n"
		" 75.00      0.03     0.03                              f\n",
		false);
	assert_int_equal(r.rc, AS_OK);
	assert_true(as_slice_is(as_event_name(r.prof, 0), "time"));
	assert_true(r.prof->total[0] == 30000000);
	mem_read_free(&r);
}

static void test_what_is_odd_is_told(void **state)
{
	struct mem_read r;

	(void)state;
	gprof_read_it(&r,
		GRAPH_HEAD "                0.03    0.00      10/10           main [1]\n"
			   "[2]     75.0    0.03    0.00      10         f [2]\n"
			   "what is this\n"
			   "---------------\n"
			   "[1]    100.0    0.01    0.03                 main [1]\n"
			   "                0.03    0.00       9/9           f [2]\n",
		false);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->partial);
	assert_int_equal(r.findings.count[AS_F_GT_LINE], 1);
	assert_int_equal(r.findings.count[AS_F_GT_CALLS], 1);
	assert_int_equal(r.findings.count[AS_F_GT_CUT], 1);
	assert_int_equal(r.prof->call.n, 1);
	mem_read_free(&r);
}

static void test_an_index_ends_the_text(void **state)
{
	struct mem_read r;

	(void)state;
	gprof_read_it(&r,
		GRAPH_HEAD "[1]    100.0    0.01    0.00                 main [1]\n"
			   "---------------\n"
			   "\f\nIndex by function name\n\n   [1] main\n",
		false);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.count[AS_F_GT_CUT], 0);
	assert_int_equal(r.findings.count[AS_F_GT_LINE], 0);
	mem_read_free(&r);
}

/* As "gprof -b -p" prints it: nothing stands behind the last function. */
static void test_a_flat_profile_has_all_of_the_time(void **state)
{
	static const char text[] = "Flat profile:\n\n"
				   "  %   cumulative   self              self     total\n"
				   " time   seconds   seconds    calls  ms/call  ms/call  name\n"
				   " 60.00      0.06     0.06        5    24.04    24.04  a\n"
				   " 40.00      0.10     0.04        5     4.01    28.05  bee\n";
	struct mem_how how = {.fmt = &as_format_gprof};

	(void)state;
	for (size_t cut = 0; cut < 60; cut++) {
		struct mem_read r;

		mem_read(&r, &how, (struct as_slice){text, sizeof(text) - 1 - cut});
		assert_int_equal(r.rc, AS_OK);
		if (r.findings.count[AS_F_GT_CUT] + r.findings.count[AS_F_GT_LINE] < (cut > 0))
			fail_msg("%zu bytes less: nothing is told", cut);
		assert_int_equal(r.findings.count[AS_F_GT_CUT] && !cut, 0);
		mem_read_free(&r);
	}
}

static void test_other_text_is_refused(void **state)
{
	struct as_peek pk = {.head = as_slice_of("the time is seconds\n index\n"), .whole = true};
	struct mem_read r;

	(void)state;
	assert_int_equal(as_format_gprof.probe(&pk), AS_PROBE_NO);
	gprof_read_it(&r, pk.head.p, false);
	assert_int_equal(r.rc, AS_E_FORMAT);
	mem_read_free(&r);
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	mem_starve_reading((struct mem_how){.fmt = &as_format_gprof, .detail = AS_DETAIL_FULL},
		as_slice_of(whole));
}

int gprof_tests(void);
int gprof_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seconds_are_decimals),
		cmocka_unit_test(test_names_end_before_their_index),
		cmocka_unit_test(test_lines_of_gprof_l_are_kept),
		cmocka_unit_test(test_both_tables_make_calls),
		cmocka_unit_test(test_times_that_are_no_samples_stay_times),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_an_index_ends_the_text),
		cmocka_unit_test(test_a_flat_profile_has_all_of_the_time),
		cmocka_unit_test(test_other_text_is_refused),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("gprof", tests, NULL, NULL);
}
