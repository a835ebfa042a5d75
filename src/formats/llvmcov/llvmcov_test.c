/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/llvmcov/llvmcov.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/starve.h"

extern const struct as_format as_format_llvmcov;

static const struct mem_how how = {.fmt = &as_format_llvmcov, .detail = AS_DETAIL_FULL};

#define TYPE "\"type\":\"llvm.coverage.json.export\",\"version\":\"2.0.1\"}"
#define DATA(files, functions) \
	"{\"data\":[{\"files\":[" files "],\"functions\":[" functions "],\"totals\":{}}]," TYPE
#define SEGMENTS(list) "{\"filename\":\"a.cc\",\"segments\":[" list "]}"
#define FUNC(name, calls, region)                                                        \
	"{\"branches\":[],\"count\":" calls ",\"filenames\":[\"a.cc\"],\"name\":\"" name \
	"\",\"regions\":[[" region "," calls ",0,0,0],[1,1,1,1,99,0,0,0]]}"

static const char two[] =
	DATA("{\"branches\":[[2,5,2,9,3,1,0,0,4]],\"expansions\":[],\"filename\":\"a.cc\","
	     "\"segments\":[[1,10,4,true,true,false],[2,9,3,true,false,true],"
	     "[2,11,3,true,true,false],[4,2,0,false,false,false],[7,1,1,true,true,false],"
	     "[9,1,0,false,true,false],[9,1,1,true,false,false],[10,2,0,false,false,false]]}",
		FUNC("a.cc:_ZL1fv", "4", "1,10,4,2") "," FUNC("main", "1", "7,1,10,2"));

static as_val executions(const char *segments)
{
	char text[1000];
	struct mem_read r;
	as_val sum;

	snprintf(text, sizeof(text), DATA(SEGMENTS("%s"), ""), segments);
	mem_read(&r, &how, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	sum = r.prof->total[AS_LV_EXECUTIONS];
	mem_read_free(&r);
	return sum;
}

/* Of what is counted where a line begins and of the regions that begin on it, the largest. */
static void test_a_line_has_the_largest_count_on_it(void **state)
{
	(void)state;
	assert_int_equal(executions("[1,1,4,true,true,false],[1,9,0,false,false,false]"), 4);
	assert_int_equal(executions("[1,1,4,1,1],[1,5,7,1,1],[1,9,0,0,0]"), 7);
	assert_int_equal(executions("[1,1,9,1,1],[2,5,7,1,1],[2,8,0,0,0]"), 9 + 9);
	assert_int_equal(
		executions("[1,1,2,1,1],[2,5,7,1,1],[2,8,2,1,0],[4,1,0,0,0]"), 2 + 7 + 2 + 2);
}

static void test_what_is_no_region_begins_no_line(void **state)
{
	(void)state;
	assert_int_equal(executions("[1,1,2,1,1,0],[2,5,7,1,1,1],[3,1,0,0,0,0]"), 2 + 2 + 7);
	assert_int_equal(executions("[1,1,2,1,1,0],[2,5,7,1,0,0],[3,1,0,0,0,0]"), 2 + 2 + 7);
	assert_int_equal(
		executions("[1,1,2,1,1,0],[2,1,0,0,1,0],[2,1,2,1,0,0],[3,1,0,0,0,0]"), 2 + 2);
}

static void test_lines_and_calls_of_functions(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &how, as_slice_of(two));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->total[AS_LV_EXECUTIONS], 4 + 4 + 3 + 3 + 1 + 1 + 1);
	assert_int_equal(r.prof->total[AS_LV_CALLS], 5);
	assert_int_equal(r.findings.count[AS_F_LV_BRANCHES], 1);
	assert_false(r.prof->partial);
	mem_read_free(&r);
}

static void named(const char *is, const char *want)
{
	char text[1000];
	struct mem_read r;

	snprintf(text, sizeof(text), DATA("", FUNC("%s", "4", "1,1,2,2")), is);
	mem_read(&r, &how, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->func.name.n, 1 + 1);
	assert_string_equal(as_func_name(r.prof, (as_func){1}).p, want);
	mem_read_free(&r);
}

static void test_names_are_without_the_file_of_static_functions(void **state)
{
	(void)state;
	named("main", "main");
	named("a.cc:_ZL1fv", "_ZL1fv");
	named("src/a.c;f", "f");
	named("a.cc:ns::f(b::c)", "ns::f(b::c)");
	named("ns::f(b.c:d)", "ns::f(b.c:d)");
	named("-[Shape sides:of:]", "-[Shape sides:of:]");
	named("f.part:", "f.part:");
}

static void refused(const char *text, enum as_code code)
{
	struct mem_read r;

	mem_read(&r, &how, as_slice_of(text));
	assert_int_equal(r.rc, code);
	mem_read_free(&r);
}

static void test_what_no_compiler_writes_is_refused(void **state)
{
	(void)state;
	refused(DATA(SEGMENTS("[5,1,1,1,1],[3,1,0,0,0]"), ""), AS_E_FORMAT);
	refused(DATA(SEGMENTS("[1,1,1,1,1],[9000000000,1,0,0,0]"), ""), AS_E_FORMAT);
	refused(DATA(SEGMENTS("[1,1,1,1]"), ""), AS_E_FORMAT);
	refused(DATA(SEGMENTS("[1,1,-1,1,1]"), ""), AS_E_FORMAT);
	refused(DATA(SEGMENTS("[1,1,9223372036854775808,1,1]"), ""), AS_E_FORMAT);
	refused("{" TYPE, AS_E_FORMAT);
}

static void test_what_was_cut_keeps_its_whole_files(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &how, (struct as_slice){two, sizeof(two) - 100});
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->partial);
	assert_int_equal(r.prof->total[AS_LV_EXECUTIONS], 17);
	mem_read_free(&r);
	mem_read(&r, &how, (struct as_slice){two, 150});
	assert_int_equal(r.rc, AS_E_TRUNC);
	mem_read_free(&r);
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	mem_starve_reading(how, as_slice_of(two));
}

int llvmcov_tests(void);
int llvmcov_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_line_has_the_largest_count_on_it),
		cmocka_unit_test(test_what_is_no_region_begins_no_line),
		cmocka_unit_test(test_lines_and_calls_of_functions),
		cmocka_unit_test(test_names_are_without_the_file_of_static_functions),
		cmocka_unit_test(test_what_no_compiler_writes_is_refused),
		cmocka_unit_test(test_what_was_cut_keeps_its_whole_files),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("llvmcov", tests, NULL, NULL);
}
