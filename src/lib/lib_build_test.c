/* SPDX-License-Identifier: Apache-2.0 */
/* Building, through the public API. */
#include "lib/lib_testing.h"

static struct assay_profile *reread(const struct assay_profile *prof, const char *format)
{
	struct assay_buffer *buf = bytes_of(prof, format);
	struct assay_slice s = assay_buffer_bytes(buf);
	struct assay_profile *again;
	struct assay_error err;

	if (assay_open_memory(s.p, s.len, NULL, &again, &err) != ASSAY_OK)
		fail_msg("%s", err.message);
	assay_buffer_free(buf);
	return again;
}

/* ---- building ---- */

static void test_what_is_built_is_what_the_specification_writes(void **state)
{
	struct assay_profile *built, *want = profile_of(extended_example), *again;

	(void)state;
	assert_int_equal(make(NULL, &built), ASSAY_OK);
	assert_same(built, want, "callgrind");
	again = reread(built, "callgrind");
	assay_profile_free(built);
	built = reread(want, "callgrind");
	assert_same(again, built, "callgrind");
	assay_profile_free(built);
	assay_profile_free(want);
	assay_profile_free(again);
}

/* Every row of FROM, of all kinds, into B. Handles are the same as long as tables are. */
static void copy_facts(const struct assay_profile *from, struct assay_builder *b)
{
	struct assay_fact fact = {.size = sizeof(fact)};
	struct assay_cursor *cur;

	for (int kind = ASSAY_SELF; kind <= ASSAY_SAMPLE; kind++) {
		enum assay_code rc;

		assert_int_equal(
			assay_cursor_new(from, (enum assay_fact_kind)kind, &cur), ASSAY_OK);
		while ((rc = assay_cursor_next(cur, &fact)) == ASSAY_OK)
			assert_int_equal(assay_builder_add(b, &fact), ASSAY_OK);
		assert_int_equal(rc, ASSAY_END);
		assay_cursor_free(cur);
	}
}

static void copy_tables(const struct assay_profile *from, struct assay_builder *b)
{
	struct assay_function func = {.size = sizeof(func)};
	struct assay_object object = {.size = sizeof(object)};
	struct assay_event event = {.size = sizeof(event)};
	struct assay_part part = {.size = sizeof(part)};
	struct assay_info info = info_of(from);
	struct assay_slice path;
	uint32_t at;

	for (uint32_t i = 0; i < info.n_events; i++) {
		assert_int_equal(assay_event_get(from, i, &event), ASSAY_OK);
		assert_int_equal(assay_builder_event(b, &event, &at), ASSAY_OK);
		assert_int_equal(at, i);
	}
	for (uint32_t i = 0; i < info.n_parts; i++) {
		assert_int_equal(assay_part_get(from, i, &part), ASSAY_OK);
		assert_int_equal(assay_builder_part(b, &part, NULL), ASSAY_OK);
	}
	for (uint32_t i = 0; i < info.n_objects; i++) {
		assert_int_equal(assay_object_get(from, i, &object), ASSAY_OK);
		assert_int_equal(assay_builder_object(b, &object, &at), ASSAY_OK);
		assert_int_equal(at, i);
	}
	for (uint32_t i = 0; i < info.n_files; i++) {
		assert_int_equal(assay_file_get(from, i, &path), ASSAY_OK);
		assert_int_equal(assay_builder_file(b, path, &at), ASSAY_OK);
		assert_int_equal(at, i);
	}
	for (uint32_t i = 0; i < info.n_functions; i++) {
		assert_int_equal(assay_function_get(from, i, &func), ASSAY_OK);
		assert_int_equal(assay_builder_function(b, &func, &at), ASSAY_OK);
		assert_int_equal(at, i);
	}
}

static struct assay_profile *copy(const struct assay_profile *from)
{
	struct assay_profile *prof;
	struct assay_builder *b;

	assert_int_equal(assay_builder_new(NULL, &b), ASSAY_OK);
	copy_tables(from, b);
	copy_facts(from, b);
	assert_int_equal(assay_builder_finish(b, &prof), ASSAY_OK);
	assay_builder_free(b);
	return prof;
}

static void assert_same_table(
	const struct assay_profile *a, const struct assay_profile *b, enum assay_by by)
{
	/* Only names in files of Callgrind's own can have contexts. */
	struct assay_project_options o = {
		.size = sizeof(o), .by = by, .keep_contexts = true, .edges = true};
	uint32_t n_events = info_of(a).n_events;
	struct assay_table *s, *t;

	assert_int_equal(assay_project(a, &o, &s, NULL), ASSAY_OK);
	assert_int_equal(assay_project(b, &o, &t, NULL), ASSAY_OK);
	assert_true(assay_table_rows(s) > 1);
	assert_int_equal(assay_table_rows(s), assay_table_rows(t));
	assert_int_equal(assay_table_edges(s), assay_table_edges(t));
	for (size_t i = 0; i < assay_table_rows(s); i++) {
		struct assay_row x = {.size = sizeof(x)}, y = {.size = sizeof(y)};
		size_t bytes = n_events * sizeof(*x.self);

		assert_int_equal(assay_table_row(s, i, &x), ASSAY_OK);
		assert_int_equal(assay_table_row(t, i, &y), ASSAY_OK);
		assert_int_equal(x.name.len, y.name.len);
		assert_memory_equal(x.name.p, y.name.p, x.name.len);
		assert_memory_equal(x.self, y.self, bytes);
		assert_int_equal(x.inclusive != NULL, y.inclusive != NULL);
		if (x.inclusive)
			assert_memory_equal(x.inclusive, y.inclusive, bytes);
		assert_memory_equal(&x.calls, &y.calls, sizeof(x.calls));
	}
	assay_table_free(s);
	assay_table_free(t);
}

static void test_what_cursors_give_a_builder_takes(void **state)
{
	static const char *const names[] = {"callgrind.out.demo", "callgrind.out.demo.full",
		"cachegrind.out.demo", "demo.prof"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct assay_profile *from = open_fixture(names[i]), *to = copy(from);
		struct assay_info x = info_of(from), y = info_of(to);

		assert_int_equal(x.n_self, y.n_self);
		assert_int_equal(x.n_calls, y.n_calls);
		assert_int_equal(x.n_jumps, y.n_jumps);
		assert_int_equal(x.n_samples, y.n_samples);
		assert_int_equal(x.shapes, y.shapes);
		assert_same_table(from, to, ASSAY_BY_FUNCTION);
		assert_same_table(from, to, ASSAY_BY_ADDRESS);
		assay_profile_free(from);
		assay_profile_free(to);
	}
}

static void test_jumps_survive_with_their_targets(void **state)
{
	struct assay_profile *from = open_fixture("callgrind.out.demo.full"), *to = copy(from);
	struct assay_fact x = {.size = sizeof(x)}, y = {.size = sizeof(y)};
	struct assay_cursor *a, *b;
	size_t n = 0, conditional = 0;

	(void)state;
	assert_int_equal(assay_cursor_new(from, ASSAY_JUMP, &a), ASSAY_OK);
	assert_int_equal(assay_cursor_new(to, ASSAY_JUMP, &b), ASSAY_OK);
	while (assay_cursor_next(a, &x) == ASSAY_OK) {
		assert_int_equal(assay_cursor_next(b, &y), ASSAY_OK);
		assert_memory_equal(&x, &y, sizeof(x));
		assert_true(x.to.function != 0);
		conditional += x.conditional;
		n++;
	}
	assert_int_equal(n, info_of(from).n_jumps);
	assert_true(n > 100);
	assert_true(conditional > 0 && conditional < n);
	assay_cursor_free(a);
	assay_cursor_free(b);
	assay_profile_free(from);
	assay_profile_free(to);
}

static void test_equal_facts_add_up(void **state)
{
	struct assay_value v = assay_value_of(5);
	struct assay_profile *prof;
	struct assay_table *table;
	struct made m;

	(void)state;
	assert_int_equal(assay_builder_new(NULL, &m.b), ASSAY_OK);
	assert_int_equal(make_names(&m), ASSAY_OK);
	for (int i = 0; i < 3; i++) {
		struct assay_fact f = self_of(&m, 0, 7);

		f.costs = &v;
		assert_int_equal(assay_builder_add(m.b, &f), ASSAY_OK);
	}
	assert_int_equal(assay_builder_finish(m.b, &prof), ASSAY_OK);
	assay_builder_free(m.b);
	assert_int_equal(assay_project(prof, NULL, &table, NULL), ASSAY_OK);
	assert_int_equal(first(row_named(table, "main").self), 15);
	assay_table_free(table);
	assay_profile_free(prof);
}

static void test_misuse_leaves_a_builder_as_it_was(void **state)
{
	struct assay_value v[2] = {assay_value_of(1), assay_value_of(2)};
	struct assay_profile *prof, *want = profile_of(extended_example);
	struct assay_event nameless = {.size = sizeof(nameless)};
	struct assay_function nowhere = {.size = sizeof(nowhere), .name = T("f"), .object = 1};
	struct assay_position frame = {.function = 99};
	struct assay_fact bad[9];
	uint32_t at = 77;
	struct made m;

	(void)state;
	assert_int_equal(assay_builder_new(NULL, &m.b), ASSAY_OK);
	assert_int_equal(make_names(&m), ASSAY_OK);
	for (size_t i = 0; i < 9; i++) {
		bad[i] = self_of(&m, 0, 16);
		bad[i].costs = v;
	}
	bad[0].size = 0;
	bad[1].kind = (enum assay_fact_kind)4;
	bad[2].part = 1;
	bad[3].at.function = 4;
	bad[4].at.file = 3;
	bad[5].n_costs = 2;
	bad[6].costs = NULL;
	bad[7].kind = ASSAY_SAMPLE;
	bad[7].frames = &frame;
	bad[7].n_frames = 1;
	v[1].high = INT64_MAX;
	bad[8].costs = v + 1;
	for (size_t i = 0; i < 9; i++) {
		assert_int_equal(assay_builder_add(m.b, &bad[i]), ASSAY_E_ARG);
		assert_true(strlen(assay_builder_error(m.b)->message) > 5);
	}
	assert_int_equal(assay_builder_event(m.b, &nameless, &at), ASSAY_E_ARG);
	assert_int_equal(assay_builder_function(m.b, &nowhere, &at), ASSAY_E_ARG);
	assert_int_equal(at, 77);
	assert_int_equal(make_facts(&m), ASSAY_OK);
	assert_int_equal(assay_builder_finish(m.b, &prof), ASSAY_OK);
	assert_same(prof, want, "callgrind");
	assay_profile_free(prof);
	/* The end of it. */
	assert_int_equal(make_facts(&m), ASSAY_E_ARG);
	assert_int_equal(assay_builder_file(m.b, T("x"), NULL), ASSAY_E_ARG);
	assert_int_equal(assay_builder_finish(m.b, &prof), ASSAY_E_ARG);
	assert_null(prof);
	assay_builder_free(m.b);
	assay_profile_free(want);
}

static void test_an_event_after_the_first_sample_is_misuse(void **state)
{
	struct assay_event ev = {.size = sizeof(ev), .name = T("late")};
	struct assay_value v = assay_value_of(3);
	struct assay_fact f;
	struct made m;

	(void)state;
	assert_int_equal(assay_builder_new(NULL, &m.b), ASSAY_OK);
	assert_int_equal(make_names(&m), ASSAY_OK);
	f = self_of(&m, 0, 1);
	f.kind = ASSAY_SAMPLE;
	f.frames = &f.at;
	f.n_frames = 1;
	f.costs = &v;
	assert_int_equal(assay_builder_add(m.b, &f), ASSAY_OK);
	assert_int_equal(assay_builder_event(m.b, &ev, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_builder_add(m.b, &f), ASSAY_OK);
	assay_builder_free(m.b);
}

static void test_an_empty_builder_makes_an_empty_profile(void **state)
{
	struct assay_builder *b;
	struct assay_profile *prof;

	(void)state;
	assert_int_equal(assay_builder_new(NULL, &b), ASSAY_OK);
	assert_int_equal(assay_builder_finish(b, &prof), ASSAY_OK);
	assert_int_equal(info_of(prof).shapes, 0);
	assert_int_equal(info_of(prof).n_functions, 1);
	assay_builder_free(b);
	assay_profile_free(prof);
}

int lib_build_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_built_is_what_the_specification_writes),
		cmocka_unit_test(test_what_cursors_give_a_builder_takes),
		cmocka_unit_test(test_jumps_survive_with_their_targets),
		cmocka_unit_test(test_equal_facts_add_up),
		cmocka_unit_test(test_misuse_leaves_a_builder_as_it_was),
		cmocka_unit_test(test_an_event_after_the_first_sample_is_misuse),
		cmocka_unit_test(test_an_empty_builder_makes_an_empty_profile),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
