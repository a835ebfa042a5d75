/* SPDX-License-Identifier: Apache-2.0 */
/* Changing the shape and merging, through the public API. */
#include "lib/lib_testing.h"

/* ---- shapes ---- */

static void test_paths_become_calls_and_places_without_loss_of_cost(void **state)
{
	struct assay_profile *paths = sampled(), *calls, *places;
	struct assay_event ev = {.size = sizeof(ev)};
	struct assay_table *table;

	(void)state;
	assert_int_equal(info_of(paths).shapes, ASSAY_SHAPE_PATHS);
	assert_int_equal(assay_to_calls(paths, NULL, &calls, NULL), ASSAY_OK);
	assert_int_equal(info_of(calls).shapes, ASSAY_SHAPE_PLACES | ASSAY_SHAPE_CALLS);
	assert_int_equal(assay_project(calls, NULL, &table, NULL), ASSAY_OK);
	assert_int_equal(first(row_named(table, "main").inclusive), 6);
	assert_int_equal(first(row_named(table, "work").inclusive), 5);
	assert_int_equal(first(row_named(table, "work").self), 2);
	assay_table_free(table);
	assert_int_equal(assay_to_places(calls, NULL, &places, NULL), ASSAY_OK);
	assert_int_equal(info_of(places).shapes, ASSAY_SHAPE_PLACES);
	assert_int_equal(assay_event_get(places, 0, &ev), ASSAY_OK);
	assert_int_equal(number(ev.total), 6);
	assay_profile_free(places);
	assay_profile_free(calls);
	assay_profile_free(paths);
}

static void test_paths_from_calls_are_called_an_estimate(void **state)
{
	struct assay_profile *calls = profile_of(extended_example), *paths;
	struct assay_event ev = {.size = sizeof(ev)};

	(void)state;
	assert_int_equal(assay_estimate_paths(calls, NULL, &paths, NULL), ASSAY_OK);
	assert_true(info_of(paths).estimated);
	assert_int_equal(info_of(paths).shapes, ASSAY_SHAPE_PATHS);
	assert_int_equal(assay_event_get(paths, 0, &ev), ASSAY_OK);
	assert_int_equal(number(ev.total), 820);
	assay_profile_free(paths);
	assay_profile_free(calls);
}

static void test_callers_in_names_become_paths_which_are_no_estimate(void **state)
{
	static const char text[] = "# callgrind format\ncreator: callgrind-3.19.0\nevents: Ir\n"
				   "fn=main'start\n1 5\ncfn=f'main'start\ncalls=1 2\n1 7\n"
				   "fn=f'main'start\n2 7\n";
	struct assay_profile *calls = profile_of(text), *paths;
	struct assay_fact f = {.size = sizeof(f)};
	struct assay_losses *losses;
	struct assay_cursor *cur;
	struct assay_error err;

	(void)state;
	assert_int_equal(assay_losses_new(NULL, &losses), ASSAY_OK);
	assert_int_equal(assay_context_paths(calls, losses, &paths, NULL), ASSAY_OK);
	assert_int_equal(assay_losses_count(losses), 2); /* how often and at what cost */
	assert_int_equal(info_of(paths).shapes, ASSAY_SHAPE_PATHS);
	assert_false(info_of(paths).estimated);
	assert_int_equal(info_of(paths).path_depth, 3);
	assert_int_equal(assay_cursor_new(paths, ASSAY_SAMPLE, &cur), ASSAY_OK);
	while (assay_cursor_next(cur, &f) == ASSAY_OK)
		assert_int_equal(number(f.costs[0]), f.n_frames == 3 ? 7 : 5);
	assay_cursor_free(cur);
	assay_profile_free(calls);
	assert_int_equal(assay_context_paths(paths, losses, &calls, &err), ASSAY_E_UNSUPPORTED);
	assert_null(calls);
	assay_profile_free(paths);
	assay_losses_free(losses);
}

static void test_frames_come_outermost_first(void **state)
{
	struct assay_profile *prof = sampled();
	struct assay_fact f = {.size = sizeof(f)};
	struct assay_cursor *cur;
	size_t deepest = 0;

	(void)state;
	assert_int_equal(assay_cursor_new(prof, ASSAY_SAMPLE, &cur), ASSAY_OK);
	while (assay_cursor_next(cur, &f) == ASSAY_OK) {
		assert_int_equal(f.frames[0].address, 0x1008);
		assert_int_equal(f.frames[f.n_frames - 1].address, 0x1000 * f.n_frames + 8);
		deepest = f.n_frames > deepest ? f.n_frames : deepest;
	}
	assert_int_equal(deepest, 3);
	assay_cursor_free(cur);
	assay_profile_free(prof);
}

/* ---- merging ---- */

static void test_merging_adds_up(void **state)
{
	struct assay_profile *a = profile_of(extended_example), *both;
	struct assay_merger *m;
	struct assay_table *table;

	(void)state;
	assert_int_equal(assay_merger_new(NULL, &m), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, a), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, a), ASSAY_OK);
	assay_profile_free(a);
	assert_int_equal(assay_merger_finish(m, &both), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, both), ASSAY_E_ARG);
	assay_merger_free(m);
	assert_int_equal(info_of(both).n_parts, 1);
	assert_int_equal(assay_project(both, NULL, &table, NULL), ASSAY_OK);
	assert_int_equal(first(row_named(table, "main").inclusive), 1640);
	assert_int_equal(first(row_named(table, "func2").self), 1400);
	assert_int_equal(number(row_named(table, "func2").calls), 10);
	assay_table_free(table);
	assay_profile_free(both);
}

static struct assay_profile *in_unit(const char *unit, int64_t cost)
{
	struct assay_event ev = {.size = sizeof(ev), .name = T("time"), .unit = T(unit)};
	struct assay_value v = assay_value_of(cost);
	struct assay_fact f = {.size = sizeof(f), .kind = ASSAY_SELF, .costs = &v, .n_costs = 1};
	struct assay_profile *prof;
	struct assay_builder *b;

	assert_int_equal(assay_builder_new(NULL, &b), ASSAY_OK);
	assert_int_equal(assay_builder_event(b, &ev, NULL), ASSAY_OK);
	assert_int_equal(assay_builder_add(b, &f), ASSAY_OK);
	assert_int_equal(assay_builder_finish(b, &prof), ASSAY_OK);
	assay_builder_free(b);
	return prof;
}

static void test_what_cannot_be_merged_is_left_out(void **state)
{
	struct assay_profile *us = in_unit("microseconds", 5), *by = in_unit("bytes", 7);
	struct assay_event ev = {.size = sizeof(ev)};
	struct assay_profile *both;
	struct assay_merger *m;

	(void)state;
	assert_int_equal(assay_merger_new(NULL, &m), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, us), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, by), ASSAY_E_ARG);
	assert_non_null(strstr(assay_merger_error(m)->message, "bytes"));
	assert_int_equal(assay_merger_add(m, us), ASSAY_OK);
	assert_int_equal(assay_merger_finish(m, &both), ASSAY_OK);
	assert_int_equal(assay_event_get(both, 0, &ev), ASSAY_OK);
	assert_int_equal(number(ev.total), 10);
	assay_merger_free(m);
	assay_profile_free(us);
	assay_profile_free(by);
	assay_profile_free(both);
}

static void test_units_of_time_are_merged_into_the_smallest(void **state)
{
	struct assay_profile *us = in_unit("microseconds", 5), *ns = in_unit("nanoseconds", 7);
	struct assay_event ev = {.size = sizeof(ev)};
	struct assay_profile *both;
	struct assay_merger *m;

	(void)state;
	assert_int_equal(assay_merger_new(NULL, &m), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, us), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, ns), ASSAY_OK);
	assert_int_equal(assay_merger_finish(m, &both), ASSAY_OK);
	assert_int_equal(info_of(both).n_events, 1);
	assert_int_equal(assay_event_get(both, 0, &ev), ASSAY_OK);
	assert_int_equal(number(ev.total), 5007);
	assert_true(slice_is(ev.unit, "nanoseconds"));
	assay_merger_free(m);
	assay_profile_free(us);
	assay_profile_free(ns);
	assay_profile_free(both);
}

static void test_parts_are_kept_when_asked_for(void **state)
{
	struct assay_merge_options o = {.size = sizeof(o), .keep_parts = true};
	struct assay_profile *a = profile_of(extended_example), *both;
	struct assay_merger *m;

	(void)state;
	assert_int_equal(assay_merger_new(&o, &m), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, a), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, a), ASSAY_OK);
	assert_int_equal(assay_merger_finish(m, &both), ASSAY_OK);
	assert_int_equal(info_of(both).n_parts, 2);
	o.size = 3;
	assay_merger_free(m);
	assert_int_equal(assay_merger_new(&o, &m), ASSAY_E_ARG);
	assert_null(m);
	assay_profile_free(a);
	assay_profile_free(both);
}

int lib_shape_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_paths_become_calls_and_places_without_loss_of_cost),
		cmocka_unit_test(test_paths_from_calls_are_called_an_estimate),
		cmocka_unit_test(test_callers_in_names_become_paths_which_are_no_estimate),
		cmocka_unit_test(test_frames_come_outermost_first),
		cmocka_unit_test(test_merging_adds_up),
		cmocka_unit_test(test_what_cannot_be_merged_is_left_out),
		cmocka_unit_test(test_units_of_time_are_merged_into_the_smallest),
		cmocka_unit_test(test_parts_are_kept_when_asked_for),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
