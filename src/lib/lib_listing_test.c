/* SPDX-License-Identifier: Apache-2.0 */
/* Functions by what somebody types, their lines, and source files. */
#include "lib/lib_testing.h"

static struct assay_found *found_in(const struct assay_profile *prof, const char *what)
{
	struct assay_found *found;
	struct assay_error err;

	if (assay_find(prof, what, NULL, &found, &err) != ASSAY_OK)
		fail_msg("%s", err.message);
	return found;
}

static void assert_finds(const struct assay_profile *prof, const char *what, const char *name)
{
	struct assay_found *found = found_in(prof, what);
	struct assay_row row = {.size = sizeof(row)};

	assert_int_equal(assay_found_count(found), 1);
	assert_int_equal(assay_table_row(assay_found_table(found), assay_found_row(found, 0), &row),
		ASSAY_OK);
	assert_true(slice_is(row.name, name));
	assert_true(assay_found_row(found, 1) == SIZE_MAX);
	assay_found_free(found);
}

static void test_functions_are_found_by_what_is_typed(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_found *found = found_in(prof, "^func");

	(void)state;
	assert_int_equal(assay_found_count(found), 2);
	assay_found_free(found);
	assert_finds(prof, "main", "main");
	assert_finds(prof, "c1", "func1");
	assert_finds(prof, "file2.c:20", "func2");
	found = found_in(prof, "nobody");
	assert_int_equal(assay_found_count(found), 0);
	assay_found_free(found);
	assay_profile_free(prof);
}

static void test_lines_have_costs_and_calls(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_found *found = found_in(prof, "main");
	struct assay_line line = {.size = sizeof(line)};
	struct assay_fact call = {.size = sizeof(call)};
	struct assay_function f = {.size = sizeof(f)};
	struct assay_listing *list;

	(void)state;
	assert_int_equal(assay_list(found, 0, &list, NULL), ASSAY_OK);
	assert_int_equal(assay_listing_lines(list), 1);
	assert_int_equal(assay_listing_line(list, 0, &line), ASSAY_OK);
	assert_int_equal(line.line, 16);
	assert_int_equal(first(line.self), 20);
	assert_int_equal(first(line.inclusive), 820);
	assert_int_equal(line.n_calls, 2);
	assert_int_equal(assay_listing_call(list, line.call + 1, &call), ASSAY_OK);
	assert_int_equal(call.at.line, 16);
	assert_int_equal(first(call.costs), 400);
	assert_int_equal(number(call.count), 3);
	assert_int_equal(assay_function_get(prof, call.to.function, &f), ASSAY_OK);
	assert_true(slice_is(f.name, "func2"));
	assert_int_equal(assay_listing_call(list, 2, &call), ASSAY_E_ARG);
	assay_listing_free(list);
	assay_found_free(found);
	assay_profile_free(prof);
}

static void test_jumps_lead_somewhere(void **state)
{
	struct assay_profile *prof =
		profile_of("events: Ir\nfl=a.c\nfn=f\n1 5\njcnd=3/8 4\n1\n4 2\n");
	struct assay_found *found = found_in(prof, "f");
	struct assay_fact jump = {.size = sizeof(jump)};
	struct assay_listing *list;

	(void)state;
	assert_int_equal(assay_list(found, 0, &list, NULL), ASSAY_OK);
	assert_int_equal(assay_listing_jump(list, 0, &jump), ASSAY_OK);
	assert_true(jump.conditional);
	assert_int_equal(jump.at.line, 1);
	assert_int_equal(jump.to.line, 4);
	assert_int_equal(jump.to.function, jump.at.function);
	assert_int_equal(number(jump.followed), 3);
	assert_int_equal(number(jump.count), 8);
	assert_int_equal(assay_listing_jump(list, 1, &jump), ASSAY_E_ARG);
	assay_listing_free(list);
	assay_found_free(found);
	assay_profile_free(prof);
}

static void test_source_is_found_below_its_directories(void **state)
{
	const char *const dirs[] = {getenv("FIXTURES")};
	struct assay_source_options o = {
		.size = sizeof(o), .source_path = dirs, .n_source_path = 1};
	struct assay_source *src;
	struct assay_error err;

	(void)state;
	assert_int_equal(
		assay_source_open(T("/nowhere/at/all/src/demo.c"), &o, &src, &err), ASSAY_OK);
	assert_true(assay_source_path(src).len > strlen(dirs[0]));
	assert_true(assay_source_line(src, 1).len > 0);
	assert_int_equal(assay_source_line(src, UINT64_MAX).len, 0);
	assay_source_free(src);
	assert_int_equal(assay_source_open(T("/nowhere/at/all.c"), &o, &src, &err), ASSAY_E_IO);
	assert_non_null(strstr(err.message, "/nowhere/at/all.c"));
	assert_null(src);
}

static void test_mistakes_are_refused(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_find_options o = {.size = sizeof(o), .event = 1};
	struct assay_source_options so = {.size = sizeof(so), .n_path_map = 1};
	struct assay_found *found;
	struct assay_listing *list;
	struct assay_source *src;

	(void)state;
	assert_int_equal(assay_find(prof, "main", &o, &found, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_find(prof, NULL, NULL, &found, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_list(NULL, 0, &list, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_source_open(T(""), NULL, &src, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_source_open(T("a"), &so, &src, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_listing_lines(NULL), 0);
	assert_null(assay_found_table(NULL));
	assay_found_free(NULL);
	assay_listing_free(NULL);
	assay_source_free(NULL);
	assay_profile_free(prof);
}

int lib_listing_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_functions_are_found_by_what_is_typed),
		cmocka_unit_test(test_lines_have_costs_and_calls),
		cmocka_unit_test(test_jumps_lead_somewhere),
		cmocka_unit_test(test_source_is_found_below_its_directories),
		cmocka_unit_test(test_mistakes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
