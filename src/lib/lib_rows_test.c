/* SPDX-License-Identifier: Apache-2.0 */
/* Facts, and the rows of projections, through the public API. */
#include "lib/lib_testing.h"

#include <pthread.h>
#include <stdlib.h>

/* ---- facts ---- */

static void test_cursors_walk_self_costs_and_calls(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_function callee = {.size = sizeof(callee)};
	struct assay_fact fact = {.size = sizeof(fact)};
	struct assay_slice file;
	struct assay_cursor *cur;
	int64_t calls = 0, cost = 0;

	(void)state;
	assert_int_equal(assay_cursor_new(prof, ASSAY_CALL, &cur), ASSAY_OK);
	while (assay_cursor_next(cur, &fact) == ASSAY_OK) {
		assert_int_equal(fact.kind, ASSAY_CALL);
		assert_int_equal(fact.n_costs, 1);
		assert_int_equal(assay_function_get(prof, fact.to.function, &callee), ASSAY_OK);
		if (!slice_is(callee.name, "func2"))
			continue;
		assert_int_equal(fact.to.line, 20);
		assert_int_equal(assay_file_get(prof, callee.file, &file), ASSAY_OK);
		assert_true(slice_is(file, "file2.c"));
		calls += number(fact.count);
		cost += number(fact.costs[0]);
	}
	assert_int_equal(calls, 5);
	assert_int_equal(cost, 700);
	assert_int_equal(assay_cursor_next(cur, &fact), ASSAY_END);
	fact.size = 0;
	assert_int_equal(assay_cursor_next(cur, &fact), ASSAY_E_ARG);
	assay_cursor_free(cur);
	assert_int_equal(assay_cursor_new(prof, (enum assay_fact_kind)9, &cur), ASSAY_E_ARG);
	assay_profile_free(prof);
}

static void test_a_fact_that_cannot_be_given_is_not_passed_over(void **state)
{
	struct assay_profile *prof = profile_of("events: Ir\nfn=f\n3 5\n");
	struct assay_fact fact = {0};
	struct assay_cursor *cur;

	(void)state;
	assert_int_equal(assay_cursor_new(prof, ASSAY_SELF, &cur), ASSAY_OK);
	assert_int_equal(assay_cursor_next(cur, &fact), ASSAY_E_ARG);
	fact.size = sizeof(fact);
	assert_int_equal(assay_cursor_next(cur, &fact), ASSAY_OK);
	assert_int_equal(fact.at.line, 3);
	assay_cursor_free(cur);
	assay_profile_free(prof);
}

static void test_values_beyond_64_bits_are_exact(void **state)
{
	/* Twice 2^64 - 1. */
	struct assay_profile *prof = profile_of("events: Ir\nfn=f\n1 18446744073709551615\n"
						"2 18446744073709551615\n");
	struct assay_event ev = {.size = sizeof(ev)};
	char text[48], small[5];
	int64_t n;

	(void)state;
	assert_int_equal(assay_event_get(prof, 0, &ev), ASSAY_OK);
	assert_int_equal(assay_value_i64(ev.total, &n), ASSAY_E_LIMIT);
	assert_true(n == INT64_MAX);
	assert_true(ev.total.high == 1);
	assert_true(ev.total.low == UINT64_MAX - 1);
	assert_int_equal(assay_value_text(ev.total, text, sizeof(text)), 20);
	assert_string_equal(text, "36893488147419103230");
	assert_int_equal(assay_value_text(ev.total, small, sizeof(small)), 20);
	assert_string_equal(small, "3689");
	assay_profile_free(prof);
}

static void test_values_of_both_signs_go_out_and_in(void **state)
{
	static const int64_t v[] = {0, 1, -1, 42, -42, INT64_MAX, INT64_MIN};
	char text[48], want[48];
	int64_t n;

	(void)state;
	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		assert_int_equal(assay_value_i64(assay_value_of(v[i]), &n), ASSAY_OK);
		assert_true(n == v[i]);
		assay_value_text(assay_value_of(v[i]), text, sizeof(text));
		(void)snprintf(want, sizeof(want), "%lld", (long long)v[i]);
		assert_string_equal(text, want);
	}
	assert_int_equal(assay_value_i64((struct assay_value){0, -9}, &n), ASSAY_E_LIMIT);
	assert_true(n == INT64_MIN);
}

/* ---- projections ---- */

static void test_main_of_the_extended_example_has_820_inclusive_and_20_self(void **state)
{
	struct assay_project_options o = {.size = sizeof(o), .edges = true};
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_edge edge = {.size = sizeof(edge)};
	struct assay_table *table;
	struct assay_row row;
	int64_t into_func2 = 0;

	(void)state;
	assert_int_equal(assay_project(prof, &o, &table, NULL), ASSAY_OK);
	assert_int_equal(assay_table_rows(table), 3);
	row = row_named(table, "main");
	assert_int_equal(first(row.self), 20);
	assert_int_equal(first(row.inclusive), 820);
	row = row_named(table, "func1");
	assert_int_equal(first(row.self), 100);
	assert_int_equal(first(row.inclusive), 400);
	assert_true(row.has_calls);
	assert_int_equal(number(row.calls), 1);
	assert_int_equal(assay_table_edges(table), 3);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(assay_table_edge(table, i, &edge), ASSAY_OK);
		assert_int_equal(assay_table_row(table, edge.to, &row), ASSAY_OK);
		if (slice_is(row.name, "func2"))
			into_func2 += number(edge.costs[0]);
	}
	assert_int_equal(into_func2, 700);
	assert_int_equal(assay_table_edge(table, 3, &edge), ASSAY_E_ARG);
	assay_table_free(table);
	assay_profile_free(prof);
}

static void test_rows_are_sorted_by_self_or_inclusive_cost(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	static const char *const by_self[] = {"func2", "func1", "main"};
	struct assay_row row = {.size = sizeof(row)};
	struct assay_table *table;
	uint32_t order[3];

	(void)state;
	assert_int_equal(assay_project(prof, NULL, &table, NULL), ASSAY_OK);
	assert_int_equal(assay_table_sort(table, 0, false, order), ASSAY_OK);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(assay_table_row(table, order[i], &row), ASSAY_OK);
		assert_true(slice_is(row.name, by_self[i]));
	}
	assert_int_equal(assay_table_sort(table, 0, true, order), ASSAY_OK);
	assert_int_equal(assay_table_row(table, order[0], &row), ASSAY_OK);
	assert_true(slice_is(row.name, "main"));
	assert_int_equal(assay_table_sort(table, 1, false, order), ASSAY_E_ARG);
	assert_int_equal(assay_table_row(table, 3, &row), ASSAY_E_ARG);
	assay_table_free(table);
	assay_profile_free(prof);
}

static void test_rows_of_files_and_lines_have_names(void **state)
{
	struct assay_project_options o = {.size = sizeof(o), .by = ASSAY_BY_FILE};
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_table *table;
	struct assay_row row;

	(void)state;
	assert_int_equal(assay_project(prof, &o, &table, NULL), ASSAY_OK);
	row = row_named(table, "file1.c");
	assert_int_equal(first(row.self), 120);
	assay_table_free(table);
	o.by = ASSAY_BY_LINE;
	assert_int_equal(assay_project(prof, &o, &table, NULL), ASSAY_OK);
	row = row_named(table, "func1");
	assert_int_equal(row.line, 51);
	assert_int_equal(first(row.inclusive), 400);
	assay_table_free(table);
	o.by = (enum assay_by)99;
	assert_int_equal(assay_project(prof, &o, &table, NULL), ASSAY_E_ARG);
	assert_null(table);
	assay_profile_free(prof);
}

static void test_a_profile_of_places_has_no_inclusive_cost(void **state)
{
	struct assay_profile *prof = profile_of("events: Ir\nfn=f\n1 5\n");
	struct assay_table *table;
	struct assay_row row;

	(void)state;
	assert_int_equal(assay_project(prof, NULL, &table, NULL), ASSAY_OK);
	row = row_named(table, "f");
	assert_null(row.inclusive);
	assert_int_equal(first(row.self), 5);
	assay_table_free(table);
	assay_profile_free(prof);
}

/* ---- threads ---- */

static void *work(void *arg)
{
	const struct assay_profile *prof = arg;
	struct assay_project_options o = {.size = sizeof(o), .edges = true};
	struct assay_write_options wo = {.size = sizeof(wo), .format = "callgrind"};
	struct assay_buffer *buf = NULL;
	struct assay_table *table;

	for (int i = 0; i < 5; i++) {
		if (assay_project(prof, &o, &table, NULL) != ASSAY_OK)
			return NULL;
		assay_table_free(table);
		assay_buffer_free(buf);
		if (assay_write_memory(prof, &wo, &buf, NULL) != ASSAY_OK)
			return NULL;
	}
	return buf;
}

static void test_many_threads_may_use_one_profile(void **state)
{
	struct assay_profile *prof;
	struct assay_slice one = {NULL, 0};
	pthread_t thread[4];
	char path[4096];
	void *buf[4];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/callgrind.out.demo", getenv("FIXTURES"));
	assert_int_equal(assay_open_file(path, NULL, &prof, NULL), ASSAY_OK);
	for (int i = 0; i < 4; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, work, prof), 0);
	for (int i = 0; i < 4; i++) {
		struct assay_slice s;

		pthread_join(thread[i], &buf[i]);
		assert_non_null(buf[i]);
		s = assay_buffer_bytes(buf[i]);
		one = i ? one : s;
		assert_true(s.len == one.len && memcmp(s.p, one.p, s.len) == 0);
	}
	for (int i = 0; i < 4; i++)
		assay_buffer_free(buf[i]);
	assay_profile_free(prof);
}

int lib_rows_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cursors_walk_self_costs_and_calls),
		cmocka_unit_test(test_a_fact_that_cannot_be_given_is_not_passed_over),
		cmocka_unit_test(test_values_beyond_64_bits_are_exact),
		cmocka_unit_test(test_values_of_both_signs_go_out_and_in),
		cmocka_unit_test(test_main_of_the_extended_example_has_820_inclusive_and_20_self),
		cmocka_unit_test(test_rows_are_sorted_by_self_or_inclusive_cost),
		cmocka_unit_test(test_rows_of_files_and_lines_have_names),
		cmocka_unit_test(test_a_profile_of_places_has_no_inclusive_cost),
		cmocka_unit_test(test_many_threads_may_use_one_profile),
	};

	return cmocka_run_group_tests_name("lib_rows", tests, NULL, NULL);
}
