/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/gcov/gcov.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/starve.h"

extern const struct as_format as_format_gcov;

static const struct mem_how how = {.fmt = &as_format_gcov, .detail = AS_DETAIL_FULL};

static const char json[] =
	"{\"gcc_version\":\"12.2.0\",\"files\":[{\"lines\":["
	"{\"count\":7,\"line_number\":3,\"function_name\":\"_Z1fi\",\"branches\":[]},"
	"{\"count\":0,\"line_number\":4,\"function_name\":\"_Z1fi\",\"branches\":[]},"
	"{\"count\":2,\"line_number\":9,\"function_name\":\"main\",\"branches\":[{\"count\":1}]}],"
	"\"functions\":[{\"name\":\"_Z1fi\",\"demangled_name\":\"f(int)\",\"start_line\":3,"
	"\"execution_count\":7},{\"name\":\"main\",\"start_line\":9,\"execution_count\":1}],"
	"\"file\":\"a.cc\"}]}";

static const char text[] = "        -:    0:Source:a.cc\n"
			   "        -:    0:Runs:1\n"
			   "       20:    2:template\n"
			   "        -:    3:{\n"
			   "       20:    4:return\n"
			   "------------------\n"
			   "_Z5twiceIdET_S0_:\n"
			   "        7:    2:template\n"
			   "        7:    4:return\n"
			   "------------------\n"
			   "_Z5twiceIiET_S0_:\n"
			   "       13:    2:template\n"
			   "      13*:    4:return\n"
			   "------------------\n"
			   "function main called 1 returned 100% blocks executed 80%\n"
			   "        1:   12:int main()\n"
			   "branch  0 taken 10\n"
			   "    #####:   14:abort\n"
			   "    =====:   15:catch\n";

static void test_json_has_lines_and_calls_of_functions(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &how, as_slice_of(json));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->total[AS_GC_EXECUTIONS], 9);
	assert_int_equal(r.prof->total[AS_GC_CALLS], 8);
	assert_int_equal(r.findings.count[AS_F_GC_BRANCHES], 1);
	assert_false(r.prof->partial);
	mem_read_free(&r);
}

static void test_sums_of_templates_are_counted_once(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &how, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->total[AS_GC_EXECUTIONS], 41);
	assert_int_equal(r.prof->total[AS_GC_CALLS], 1);
	assert_int_equal(r.findings.count[AS_F_GC_BRANCHES], 1);
	mem_read_free(&r);
}

static void test_a_count_that_is_none_is_told(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &how, as_slice_of("-:0:Source:a.c\n1.2k:3:int a;\n5:4:int b;\n"));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.count[AS_F_GC_COUNT], 1);
	assert_true(r.prof->partial);
	assert_int_equal(r.prof->total[AS_GC_EXECUTIONS], 5);
	mem_read_free(&r);
}

static void test_what_was_cut_keeps_its_whole_files(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &how, (struct as_slice){json, sizeof(json) - 3});
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->partial);
	mem_read_free(&r);
	mem_read(&r, &how, (struct as_slice){json, 200});
	assert_int_equal(r.rc, AS_E_TRUNC);
	mem_read_free(&r);
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	mem_starve_reading(how, as_slice_of(json));
	mem_starve_reading(how, as_slice_of(text));
}

int gcov_tests(void);
int gcov_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_has_lines_and_calls_of_functions),
		cmocka_unit_test(test_sums_of_templates_are_counted_once),
		cmocka_unit_test(test_a_count_that_is_none_is_told),
		cmocka_unit_test(test_what_was_cut_keeps_its_whole_files),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("gcov", tests, NULL, NULL);
}
