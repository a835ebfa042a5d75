/* SPDX-License-Identifier: Apache-2.0 */
/* Building, merging, changing and writing, through the public API; and running out of memory. */
#define _XOPEN_SOURCE 700
#include "lib/lib_testing.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/fail_alloc.h"

/* ---- help ---- */

/* The extended example, built by hand with AL. */
struct made {
	struct assay_builder *b;
	uint32_t file[2], func[3]; /* main, func1, func2 */
};

static enum assay_code make_names(struct made *m)
{
	static const char *const file[] = {"file1.c", "file2.c"};
	static const char *const func[] = {"main", "func1", "func2"};
	struct assay_event ev = {.size = sizeof(ev), .name = T("Instructions")};
	enum assay_code rc = assay_builder_event(m->b, &ev, NULL);

	for (size_t i = 0; i < 2 && rc == ASSAY_OK; i++)
		rc = assay_builder_file(m->b, T(file[i]), &m->file[i]);
	for (size_t i = 0; i < 3 && rc == ASSAY_OK; i++) {
		struct assay_function f = {
			.size = sizeof(f), .name = T(func[i]), .file = m->file[i == 2]};

		rc = assay_builder_function(m->b, &f, &m->func[i]);
	}
	return rc;
}

static struct assay_fact self_of(const struct made *m, int func, uint64_t line)
{
	return (struct assay_fact){
		.size = sizeof(struct assay_fact),
		.kind = ASSAY_SELF,
		.at = {.function = m->func[func], .file = m->file[func == 2], .line = line},
		.n_costs = 1,
	};
}

static enum assay_code make_facts(struct made *m)
{
	static const struct {
		int func;
		uint64_t line;
		int64_t cost;
	} self[] = {{0, 16, 20}, {1, 51, 100}, {2, 20, 700}};
	static const struct {
		int from, to;
		uint64_t line, to_line;
		int64_t count, cost;
	} call[] = {{0, 1, 16, 50, 1, 400}, {0, 2, 16, 20, 3, 400}, {1, 2, 51, 20, 2, 300}};
	enum assay_code rc = ASSAY_OK;

	for (size_t i = 0; i < 3 && rc == ASSAY_OK; i++) {
		struct assay_value v = assay_value_of(self[i].cost);
		struct assay_fact f = self_of(m, self[i].func, self[i].line);

		f.costs = &v;
		rc = assay_builder_add(m->b, &f);
	}
	for (size_t i = 0; i < 3 && rc == ASSAY_OK; i++) {
		struct assay_value v = assay_value_of(call[i].cost);
		struct assay_fact f = self_of(m, call[i].from, call[i].line);

		f.kind = ASSAY_CALL;
		f.to.function = m->func[call[i].to];
		f.to.line = call[i].to_line;
		f.count = assay_value_of(call[i].count);
		f.costs = &v;
		rc = assay_builder_add(m->b, &f);
	}
	return rc;
}

static enum assay_code make(const struct assay_allocator *al, struct assay_profile **prof)
{
	struct made m;
	enum assay_code rc;

	*prof = NULL;
	rc = assay_builder_new(al, &m.b);
	if (rc != ASSAY_OK)
		return rc;
	rc = make_names(&m);
	if (rc == ASSAY_OK)
		rc = make_facts(&m);
	if (rc == ASSAY_OK)
		rc = assay_builder_finish(m.b, prof);
	assay_builder_free(m.b);
	return rc;
}

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

static struct assay_profile *open_fixture(const char *name)
{
	struct assay_profile *prof;
	struct assay_error err;
	char path[4096];

	(void)snprintf(path, sizeof(path), "%s/%s", getenv("FIXTURES"), name);
	if (assay_open_file(path, NULL, &prof, &err) != ASSAY_OK)
		fail_msg("%s: %s", path, err.message);
	return prof;
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

/* ---- shapes ---- */

/* main;work x 2, main;work;leaf x 3, main x 1: what a sampler sees. */
static struct assay_profile *sampled(void)
{
	static const char *const names[] = {"main", "work", "leaf"};
	static const struct {
		size_t depth;
		int64_t count;
	} seen[] = {{2, 2}, {3, 3}, {1, 1}};
	struct assay_event ev = {.size = sizeof(ev), .name = T("samples"), .unit = T("count")};
	struct assay_object object = {.size = sizeof(object),
		.path = T("/bin/demo"),
		.address_kind = ASSAY_ADDRESS_FILE_OFFSET};
	struct assay_position frame[3] = {{0}};
	struct assay_profile *prof;
	struct assay_builder *b;
	uint32_t o;

	assert_int_equal(assay_builder_new(NULL, &b), ASSAY_OK);
	assert_int_equal(assay_builder_event(b, &ev, NULL), ASSAY_OK);
	assert_int_equal(assay_builder_object(b, &object, &o), ASSAY_OK);
	for (size_t i = 0; i < 3; i++) {
		struct assay_function f = {.size = sizeof(f), .name = T(names[i]), .object = o};

		assert_int_equal(assay_builder_function(b, &f, &frame[i].function), ASSAY_OK);
		frame[i].address = 0x1000 * (i + 1) + 8;
	}
	for (size_t i = 0; i < 3; i++) {
		struct assay_value v = assay_value_of(seen[i].count);
		struct assay_fact f = {.size = sizeof(f),
			.kind = ASSAY_SAMPLE,
			.frames = frame,
			.n_frames = seen[i].depth,
			.costs = &v,
			.n_costs = 1};

		assert_int_equal(assay_builder_add(b, &f), ASSAY_OK);
	}
	assert_int_equal(assay_builder_finish(b, &prof), ASSAY_OK);
	assay_builder_free(b);
	return prof;
}

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
	struct assay_profile *us = in_unit("microseconds", 5), *ns = in_unit("nanoseconds", 7);
	struct assay_event ev = {.size = sizeof(ev)};
	struct assay_profile *both;
	struct assay_merger *m;

	(void)state;
	assert_int_equal(assay_merger_new(NULL, &m), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, us), ASSAY_OK);
	assert_int_equal(assay_merger_add(m, ns), ASSAY_E_ARG);
	assert_non_null(strstr(assay_merger_error(m)->message, "nanoseconds"));
	assert_int_equal(assay_merger_add(m, us), ASSAY_OK);
	assert_int_equal(assay_merger_finish(m, &both), ASSAY_OK);
	assert_int_equal(assay_event_get(both, 0, &ev), ASSAY_OK);
	assert_int_equal(number(ev.total), 10);
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

/* ---- writing ---- */

struct sink {
	size_t n, room; /* fails beyond it */
	unsigned calls;
};

static int sink_write(void *ctx, const void *buf, size_t n)
{
	struct sink *s = ctx;

	(void)buf;
	s->calls++;
	if (s->n + n > s->room)
		return -ENOSPC;
	s->n += n;
	return 0;
}

static void test_a_callback_gets_all_bytes_or_fails(void **state)
{
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_write_options o = {.size = sizeof(o), .format = "callgrind"};
	struct assay_buffer *buf = bytes_of(prof, "callgrind");
	struct sink all = {.room = SIZE_MAX / 2}, none = {.room = 0};
	struct assay_error err;

	(void)state;
	assert_int_equal(assay_write_callback(prof, &o, sink_write, &all, &err), ASSAY_OK);
	assert_int_equal(all.n, assay_buffer_bytes(buf).len);
	assert_int_equal(assay_write_callback(prof, &o, sink_write, &none, &err), ASSAY_E_IO);
	assert_int_equal(err.sys_errno, ENOSPC);
	assert_int_equal(assay_write_callback(prof, &o, NULL, NULL, &err), ASSAY_E_ARG);
	assay_buffer_free(buf);
	assay_profile_free(prof);
}

static void test_losses_are_told_and_strict_writes_nothing(void **state)
{
	struct assay_profile *prof = sampled();
	struct assay_write_options o = {.size = sizeof(o), .format = "callgrind"};
	struct assay_loss loss = {.size = sizeof(loss)};
	struct assay_losses *losses;
	struct sink sink = {.room = SIZE_MAX / 2};
	struct assay_error err;
	bool paths = false;

	(void)state;
	assert_int_equal(assay_losses_new(NULL, &losses), ASSAY_OK);
	o.losses = losses;
	assert_int_equal(assay_write_callback(prof, &o, sink_write, &sink, &err), ASSAY_OK);
	assert_true(sink.n > 0);
	for (size_t i = 0; i < assay_losses_count(losses); i++) {
		assert_int_equal(assay_losses_get(losses, i, &loss), ASSAY_OK);
		if (strcmp(loss.kind, "paths") != 0)
			continue;
		paths = true;
		assert_int_equal(loss.amount, 2); /* of more than one frame */
		assert_true(slice_is(loss.text, "call paths"));
	}
	assert_true(paths);
	assert_int_equal(assay_losses_get(losses, assay_losses_count(losses), &loss), ASSAY_E_ARG);
	o.strict = true;
	sink.n = sink.calls = 0;
	assert_int_equal(
		assay_write_callback(prof, &o, sink_write, &sink, &err), ASSAY_E_UNSUPPORTED);
	assert_int_equal(sink.calls, 0);
	assert_non_null(strstr(err.message, "callgrind"));
	assay_losses_free(losses);
	assay_profile_free(prof);
}

static void test_a_file_appears_whole_and_is_not_overwritten_unasked(void **state)
{
	char dir[] = "/tmp/assay-lib-XXXXXX", path[64];
	struct assay_write_options o = {.size = sizeof(o)};
	struct assay_profile *prof = profile_of(extended_example), *again;
	struct assay_error err;

	(void)state;
	assert_non_null(mkdtemp(dir));
	(void)snprintf(path, sizeof(path), "%s/callgrind.out.7", dir);
	assert_int_equal(assay_write_file(prof, path, NULL, &err), ASSAY_OK);
	assert_int_equal(assay_write_file(prof, path, NULL, &err), ASSAY_E_IO);
	assert_int_equal(err.sys_errno, EEXIST);
	o.overwrite = true;
	assert_int_equal(assay_write_file(prof, path, &o, &err), ASSAY_OK);
	assert_int_equal(assay_open_file(path, NULL, &again, &err), ASSAY_OK);
	assert_int_equal(info_of(again).n_calls, 3);
	assert_int_equal(unlink(path), 0);
	(void)snprintf(path, sizeof(path), "%s/x.unknown", dir);
	assert_int_equal(assay_write_file(prof, path, NULL, &err), ASSAY_E_ARG);
	assert_int_equal(rmdir(dir), 0); /* nothing was left behind */
	assay_profile_free(prof);
	assay_profile_free(again);
}

static void test_unknown_formats_and_options_are_misuse(void **state)
{
	static const char *const bad_option[] = {"nosuch=1"};
	struct assay_profile *prof = profile_of(extended_example);
	struct assay_write_options o[] = {
		{.size = sizeof(o[0]), .format = "nosuch"},
		{.size = sizeof(o[0])},
		{.size = 1, .format = "callgrind"},
		{.size = sizeof(o[0]),
			.format = "callgrind",
			.driver_options = bad_option,
			.n_driver_options = 1},
		{.size = sizeof(o[0]), .format = "callgrind", .piece = 2},
	};
	struct assay_buffer *buf;
	struct assay_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(o) / sizeof(o[0]); i++) {
		assert_int_equal(assay_write_memory(prof, &o[i], &buf, &err), ASSAY_E_ARG);
		assert_null(buf);
		assert_true(strlen(err.message) > 5);
	}
	assert_int_equal(assay_write_memory(NULL, NULL, &buf, &err), ASSAY_E_ARG);
	assay_profile_free(prof);
}

static void test_a_format_of_many_files_asks_which(void **state)
{
	struct assay_profile *prof = open_fixture("demo.prof"), *piece;
	struct assay_write_options o = {.size = sizeof(o), .format = "dcpi"};
	struct assay_event ev = {.size = sizeof(ev)};
	struct assay_buffer *buf;
	struct assay_error err;
	char name[256], last[256] = "";
	int64_t sum = 0;
	uint32_t n;

	(void)state;
	assert_int_equal(assay_write_pieces(prof, &o, &n, &err), ASSAY_OK);
	assert_true(n > 1);
	assert_int_equal(assay_write_memory(prof, &o, &buf, &err), ASSAY_E_UNSUPPORTED);
	assert_null(buf);
	for (o.piece = 1; o.piece <= n; o.piece++) {
		struct assay_slice s;

		assert_int_equal(
			assay_write_piece_name(prof, &o, name, sizeof(name), &err), ASSAY_OK);
		assert_string_not_equal(name, last);
		memcpy(last, name, sizeof(name));
		assert_int_equal(assay_write_memory(prof, &o, &buf, &err), ASSAY_OK);
		s = assay_buffer_bytes(buf);
		assert_int_equal(assay_open_memory(s.p, s.len, NULL, &piece, &err), ASSAY_OK);
		assert_int_equal(assay_event_get(piece, 0, &ev), ASSAY_OK);
		sum += number(ev.total);
		assay_profile_free(piece);
		assay_buffer_free(buf);
	}
	assert_int_equal(assay_write_memory(prof, &o, &buf, &err), ASSAY_E_ARG);
	assert_int_equal(assay_event_get(prof, 0, &ev), ASSAY_OK);
	assert_true(sum > 0 && sum <= number(ev.total));
	assay_profile_free(prof);
}

/* ---- running out of memory ---- */

/* Everything that takes memory, with one allocator. */
struct scene {
	struct assay_allocator *al;
	struct assay_findings *findings;
	struct assay_losses *losses;
	struct assay_profile *prof, *built, *merged, *places;
	struct assay_table *table;
	struct assay_cursor *cur;
	struct assay_merger *m;
	struct assay_buffer *buf;
};

static enum assay_code scene_walk(struct scene *s)
{
	struct assay_fact fact = {.size = sizeof(fact)};
	enum assay_code rc = assay_cursor_new(s->merged, ASSAY_SAMPLE, &s->cur);

	while (rc == ASSAY_OK)
		rc = assay_cursor_next(s->cur, &fact);
	return rc == ASSAY_END ? ASSAY_OK : rc;
}

static enum assay_code scene_merge(struct scene *s)
{
	struct assay_merge_options o = {.size = sizeof(o)};
	enum assay_code rc;

	o.allocator = s->al;
	o.losses = s->losses;
	rc = assay_merger_new(&o, &s->m);
	if (rc == ASSAY_OK)
		rc = assay_merger_add(s->m, s->prof);
	if (rc == ASSAY_OK)
		rc = assay_merger_add(s->m, s->built);
	if (rc == ASSAY_OK)
		rc = assay_merger_finish(s->m, &s->merged);
	return rc;
}

static enum assay_code scene_play(struct scene *s, const char *text, size_t n)
{
	struct assay_project_options po = {.size = sizeof(po), .edges = true};
	struct assay_write_options wo = {.size = sizeof(wo), .format = "callgrind"};
	struct assay_open_options oo = {.size = sizeof(oo), .check = true};
	enum assay_code rc = assay_findings_new(s->al, &s->findings);

	if (rc == ASSAY_OK)
		rc = assay_losses_new(s->al, &s->losses);
	oo.allocator = s->al;
	oo.findings = s->findings;
	wo.losses = s->losses;
	if (rc == ASSAY_OK)
		rc = assay_open_memory(text, n, &oo, &s->prof, NULL);
	if (rc == ASSAY_OK)
		rc = make(s->al, &s->built);
	if (rc == ASSAY_OK)
		rc = scene_merge(s);
	if (rc == ASSAY_OK)
		rc = assay_to_places(s->merged, s->losses, &s->places, NULL);
	if (rc == ASSAY_OK)
		rc = assay_project(s->merged, &po, &s->table, NULL);
	if (rc == ASSAY_OK)
		rc = scene_walk(s);
	if (rc == ASSAY_OK)
		rc = assay_write_memory(s->merged, &wo, &s->buf, NULL);
	return rc;
}

static void scene_end(struct scene *s)
{
	assay_findings_free(s->findings);
	assay_losses_free(s->losses);
	assay_cursor_free(s->cur);
	assay_table_free(s->table);
	assay_merger_free(s->m);
	assay_buffer_free(s->buf);
	assay_profile_free(s->places);
	assay_profile_free(s->merged);
	assay_profile_free(s->built);
	assay_profile_free(s->prof);
	assay_allocator_free(s->al);
}

/* What the scene writes when there is memory enough; free() it. */
static char *scene_result(const char *text, size_t n, size_t *len)
{
	struct scene s = {0};
	struct assay_slice bytes;
	char *copy;

	assert_int_equal(scene_play(&s, text, n), ASSAY_OK);
	bytes = assay_buffer_bytes(s.buf);
	copy = malloc(bytes.len);
	assert_non_null(copy);
	memcpy(copy, bytes.p, bytes.len);
	*len = bytes.len;
	scene_end(&s);
	return copy;
}

/* Play the scene so that the first, second ... request for memory fails, until none does. Where
 * it ends well all the same (the words of a finding or loss were left out), nothing else is
 * missing. */
static void run_out_of_memory(const char *text, size_t n)
{
	struct fail_alloc fa;
	uint64_t failed = 0;
	size_t len;
	char *want = scene_result(text, n, &len);

	do {
		struct scene s = {0};
		enum assay_code rc;

		fail_alloc_init(&fa, ++failed);
		rc = assay_allocator_new(fa.al.resize, fa.al.ctx, &s.al);
		if (rc == ASSAY_OK)
			rc = scene_play(&s, text, n);
		if (rc == ASSAY_OK) {
			assert_int_equal(assay_buffer_bytes(s.buf).len, len);
			assert_memory_equal(assay_buffer_bytes(s.buf).p, want, len);
		} else {
			assert_int_equal(rc, ASSAY_E_NOMEM);
		}
		scene_end(&s);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
	} while (fa.n_requests >= failed);
	assert_true(failed > 50);
	free(want);
}

static void test_running_out_of_memory_anywhere_is_an_error(void **state)
{
	static const char odd[] = "events: Ir Dr\nfn=f\n1 7 1\n2 x\ntotals: 9\n";
	struct assay_profile *paths = sampled();
	struct assay_buffer *buf = bytes_of(paths, "gperf");
	struct assay_slice s = assay_buffer_bytes(buf);

	(void)state;
	run_out_of_memory(extended_example, strlen(extended_example));
	run_out_of_memory(odd, strlen(odd));
	run_out_of_memory(s.p, s.len);
	assay_buffer_free(buf);
	assay_profile_free(paths);
}

static void test_the_callers_allocator_is_the_only_one(void **state)
{
	struct fail_alloc fa;
	struct scene s = {0};

	(void)state;
	fail_alloc_init(&fa, 0);
	assert_int_equal(assay_allocator_new(fa.al.resize, fa.al.ctx, &s.al), ASSAY_OK);
	assert_int_equal(scene_play(&s, extended_example, strlen(extended_example)), ASSAY_OK);
	assert_true(fa.held > 1000);
	scene_end(&s);
	assert_int_equal(fa.held, 0);
	assert_int_equal(assay_allocator_new(NULL, NULL, &s.al), ASSAY_E_ARG);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_built_is_what_the_specification_writes),
		cmocka_unit_test(test_what_cursors_give_a_builder_takes),
		cmocka_unit_test(test_jumps_survive_with_their_targets),
		cmocka_unit_test(test_equal_facts_add_up),
		cmocka_unit_test(test_misuse_leaves_a_builder_as_it_was),
		cmocka_unit_test(test_an_event_after_the_first_sample_is_misuse),
		cmocka_unit_test(test_an_empty_builder_makes_an_empty_profile),
		cmocka_unit_test(test_paths_become_calls_and_places_without_loss_of_cost),
		cmocka_unit_test(test_paths_from_calls_are_called_an_estimate),
		cmocka_unit_test(test_callers_in_names_become_paths_which_are_no_estimate),
		cmocka_unit_test(test_frames_come_outermost_first),
		cmocka_unit_test(test_merging_adds_up),
		cmocka_unit_test(test_what_cannot_be_merged_is_left_out),
		cmocka_unit_test(test_parts_are_kept_when_asked_for),
		cmocka_unit_test(test_a_callback_gets_all_bytes_or_fails),
		cmocka_unit_test(test_losses_are_told_and_strict_writes_nothing),
		cmocka_unit_test(test_a_file_appears_whole_and_is_not_overwritten_unasked),
		cmocka_unit_test(test_unknown_formats_and_options_are_misuse),
		cmocka_unit_test(test_a_format_of_many_files_asks_which),
		cmocka_unit_test(test_running_out_of_memory_anywhere_is_an_error),
		cmocka_unit_test(test_the_callers_allocator_is_the_only_one),
	};

	return cmocka_run_group_tests_name("lib_build", tests, NULL, NULL);
}
