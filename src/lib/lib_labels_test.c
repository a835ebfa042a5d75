/* SPDX-License-Identifier: Apache-2.0 */
/* Labels of samples, and filters, through the public API. */
#include "lib/lib_testing.h"

/* ---- labels ---- */

enum { MAIN, WORK, LEAF, N_FUNCS };

/* request=a: 2 of main;work and 3 of main;work;leaf. request=a, request=b, bytes=512: 4 of
 * main;leaf. None: 1 of main. */
static const struct {
	size_t n_labels, depth;
	int frame[3];
	int64_t cost;
} seen[] = {
	{1, 2, {MAIN, WORK}, 2},
	{1, 3, {MAIN, WORK, LEAF}, 3},
	{3, 2, {MAIN, LEAF}, 4},
	{0, 1, {MAIN}, 1},
};

static enum assay_code add_samples(struct assay_builder *b, const uint32_t *func)
{
	struct assay_label a = {.size = sizeof(a), .key = T("request"), .text = T("a")};
	struct assay_label also = {.size = sizeof(also), .key = T("request"), .text = T("b")};
	struct assay_label bytes = {
		.size = sizeof(bytes), .key = T("bytes"), .number = 512, .unit = T("bytes")};
	const struct assay_label *const set[] = {&a, &bytes, &also};
	enum assay_code rc = ASSAY_OK;

	for (size_t i = 0; i < sizeof(seen) / sizeof(*seen) && rc == ASSAY_OK; i++) {
		struct assay_value v = assay_value_of(seen[i].cost);
		struct assay_position frame[3] = {{0}};
		struct assay_fact f = {.size = sizeof(f),
			.kind = ASSAY_SAMPLE,
			.frames = frame,
			.n_frames = seen[i].depth,
			.costs = &v,
			.n_costs = 1};

		for (size_t k = 0; k < seen[i].depth; k++)
			frame[k].function = func[seen[i].frame[k]];
		rc = assay_builder_labelled(b, set, seen[i].n_labels, &f.part);
		if (rc == ASSAY_OK)
			rc = assay_builder_add(b, &f);
	}
	return rc;
}

static struct assay_profile *labelled(void)
{
	static const char *const name[] = {"main", "work", "leaf"};
	struct assay_event ev = {.size = sizeof(ev), .name = T("cpu"), .unit = T("nanoseconds")};
	struct assay_profile *prof;
	struct assay_builder *b;
	uint32_t func[N_FUNCS];

	assert_int_equal(assay_builder_new(NULL, &b), ASSAY_OK);
	assert_int_equal(assay_builder_event(b, &ev, NULL), ASSAY_OK);
	for (int i = 0; i < N_FUNCS; i++) {
		struct assay_function f = {.size = sizeof(f), .name = T(name[i])};

		assert_int_equal(assay_builder_function(b, &f, &func[i]), ASSAY_OK);
	}
	assert_int_equal(add_samples(b, func), ASSAY_OK);
	assert_int_equal(assay_builder_finish(b, &prof), ASSAY_OK);
	assay_builder_free(b);
	return prof;
}

static bool is_label(const struct assay_profile *p, uint32_t part, uint32_t i, const char *key,
	const char *text, int64_t number, const char *unit)
{
	struct assay_label l = {.size = sizeof(l)};

	assert_int_equal(assay_label_get(p, part, i, &l), ASSAY_OK);
	return slice_is(l.key, key) && slice_is(l.text, text) && l.number == number &&
	       slice_is(l.unit, unit);
}

/* Each sample that the cursor gives is of a part with the labels that it was built with. */
static void check_samples(const struct assay_profile *prof)
{
	struct assay_part part = {.size = sizeof(part)};
	struct assay_fact f = {.size = sizeof(f)};
	struct assay_label l = {.size = sizeof(l)};
	struct assay_cursor *cur;
	int64_t sum[4] = {0};

	assert_int_equal(assay_cursor_new(prof, ASSAY_SAMPLE, &cur), ASSAY_OK);
	while (assay_cursor_next(cur, &f) == ASSAY_OK) {
		assert_int_equal(assay_part_get(prof, f.part, &part), ASSAY_OK);
		assert_true(part.n_labels < 4);
		sum[part.n_labels] += first(f.costs);
		if (part.n_labels == 1)
			assert_true(is_label(prof, f.part, 0, "request", "a", 0, ""));
		if (part.n_labels == 3) {
			uint32_t bytes =
				is_label(prof, f.part, 0, "bytes", "", 512, "bytes") ? 0 : 2;

			assert_true(is_label(prof, f.part, bytes, "bytes", "", 512, "bytes"));
			assert_true(is_label(prof, f.part, !bytes, "request", "a", 0, ""));
			assert_true(is_label(prof, f.part, !bytes + 1, "request", "b", 0, ""));
		}
		assert_int_equal(assay_label_get(prof, f.part, part.n_labels, &l), ASSAY_E_ARG);
	}
	assay_cursor_free(cur);
	assert_int_equal(sum[0], 1);
	assert_int_equal(sum[1], 5);
	assert_int_equal(sum[2], 0);
	assert_int_equal(sum[3], 4);
}

static void test_samples_have_their_labels_also_after_writing_and_reading(void **state)
{
	struct assay_profile *prof = labelled(), *again;
	struct assay_buffer *buf = bytes_of(prof, "pprof");
	struct assay_slice s = assay_buffer_bytes(buf);
	struct assay_label l = {.size = sizeof(l)};

	(void)state;
	assert_int_equal(info_of(prof).n_parts, 3);
	check_samples(prof);
	assert_int_equal(assay_open_memory(s.p, s.len, NULL, &again, NULL), ASSAY_OK);
	check_samples(again);
	assert_int_equal(assay_label_get(prof, 3, 0, &l), ASSAY_E_ARG);
	assert_int_equal(assay_label_get(NULL, 0, 0, &l), ASSAY_E_ARG);
	assay_buffer_free(buf);
	assay_profile_free(again);
	assay_profile_free(prof);
}

static void test_labels_belong_to_the_part_that_was_added_last(void **state)
{
	struct assay_label a = {.size = sizeof(a), .key = T("request"), .text = T("a")};
	struct assay_part one = {.size = sizeof(one), .thread = T("one")};
	struct assay_part two = {.size = sizeof(two), .thread = T("two")};
	const struct assay_label *const set[] = {&a}, *const none[] = {NULL};
	struct assay_label sizeless = {.key = T("request")};
	const struct assay_label *const wrong[] = {&sizeless};
	struct assay_builder *b;
	uint32_t i[4];

	(void)state;
	assert_int_equal(assay_builder_new(NULL, &b), ASSAY_OK);
	assert_int_equal(assay_builder_part(b, &one, NULL), ASSAY_OK);
	assert_int_equal(assay_builder_labelled(b, set, 1, &i[0]), ASSAY_OK);
	assert_int_equal(assay_builder_part(b, &two, NULL), ASSAY_OK);
	assert_int_equal(assay_builder_labelled(b, set, 1, &i[1]), ASSAY_OK);
	assert_int_equal(assay_builder_labelled(b, set, 1, &i[2]), ASSAY_OK);
	assert_int_equal(assay_builder_labelled(b, NULL, 0, &i[3]), ASSAY_OK);
	assert_int_equal(i[0], 1);
	assert_int_equal(i[1], 3);
	assert_int_equal(i[2], 3);
	assert_int_equal(i[3], 2);
	assert_int_equal(assay_builder_labelled(b, NULL, 1, &i[0]), ASSAY_E_ARG);
	assert_int_equal(assay_builder_labelled(b, none, 1, &i[0]), ASSAY_E_ARG);
	assert_int_equal(assay_builder_labelled(b, wrong, 1, &i[0]), ASSAY_E_ARG);
	assert_int_equal(assay_builder_labelled(b, set, SIZE_MAX, &i[0]), ASSAY_E_ARG);
	assert_int_equal(assay_builder_labelled(NULL, set, 1, &i[0]), ASSAY_E_ARG);
	assay_builder_free(b);
}

/* ---- projections ---- */

static struct assay_table *by(const struct assay_profile *prof, enum assay_by kind, const char *key)
{
	struct assay_project_options o = {.size = sizeof(o), .by = kind, .label_key = key};
	struct assay_table *table;

	assert_int_equal(assay_project(prof, &o, &table, NULL), ASSAY_OK);
	return table;
}

static void test_a_projection_by_label_adds_up(void **state)
{
	struct assay_profile *prof = labelled();
	struct assay_row row = {.size = sizeof(row)};
	struct assay_table *table = by(prof, ASSAY_BY_LABEL, NULL);
	uint32_t order[3];

	(void)state;
	assert_int_equal(assay_table_rows(table), 3);
	assert_int_equal(assay_table_edges(table), 0);
	assert_int_equal(first(row_named(table, "request=a").self), 5);
	assert_int_equal(first(row_named(table, "request=a").inclusive), 5);
	assert_int_equal(first(row_named(table, "bytes=512bytes, request=a, request=b").self), 4);
	assert_int_equal(first(row_named(table, "").self), 1);
	assert_int_equal(assay_table_sort(table, 0, false, order), ASSAY_OK);
	assert_int_equal(assay_table_row(table, order[0], &row), ASSAY_OK);
	assert_true(slice_is(row.name, "request=a"));
	assert_int_equal(assay_table_sort(table, 1, false, order), ASSAY_E_ARG);
	assert_int_equal(assay_table_row(table, 3, &row), ASSAY_E_ARG);
	assay_table_free(table);
	table = by(prof, ASSAY_BY_LABEL, "bytes");
	assert_int_equal(assay_table_rows(table), 2);
	assert_int_equal(first(row_named(table, "512bytes").self), 4);
	assert_int_equal(first(row_named(table, "").self), 6);
	assert_int_equal(row_named(table, "").n_parts, 2);
	assay_table_free(table);
	assay_profile_free(prof);
}

static void test_a_projection_by_part_or_thread_adds_up(void **state)
{
	static const char text[] =
		"# callgrind format\nversion: 1\ncreator: x\npid: 7\nthread: %d\n"
		"events: Ir\nfn=f\n1 %d\n";
	struct assay_merge_options o = {.size = sizeof(o), .keep_parts = true};
	struct assay_profile *all;
	struct assay_table *table;
	struct assay_merger *m;

	(void)state;
	assert_int_equal(assay_merger_new(&o, &m), ASSAY_OK);
	for (int i = 0; i < 3; i++) {
		struct assay_profile *one;
		char file[256];

		(void)snprintf(file, sizeof(file), text, 1 + i / 2, 10 << i);
		one = profile_of(file);
		assert_int_equal(assay_merger_add(m, one), ASSAY_OK);
		assay_profile_free(one);
	}
	assert_int_equal(assay_merger_finish(m, &all), ASSAY_OK);
	assay_merger_free(m);
	table = by(all, ASSAY_BY_PART, NULL);
	assert_int_equal(assay_table_rows(table), 3);
	assay_table_free(table);
	table = by(all, ASSAY_BY_THREAD, NULL);
	assert_int_equal(assay_table_rows(table), 2);
	for (size_t i = 0; i < 2; i++) {
		struct assay_row row = {.size = sizeof(row)};
		struct assay_part part = {.size = sizeof(part)};

		assert_int_equal(assay_table_row(table, i, &row), ASSAY_OK);
		assert_int_equal(assay_part_get(all, row.part, &part), ASSAY_OK);
		assert_int_equal(first(row.self), part.tid == 1 ? 10 + 20 : 40);
		assert_int_equal(row.n_parts, part.tid == 1 ? 2 : 1);
	}
	assay_table_free(table);
	assay_profile_free(all);
}

static void test_a_key_belongs_to_labels(void **state)
{
	struct assay_project_options o = {
		.size = sizeof(o), .by = ASSAY_BY_THREAD, .label_key = "request"};
	struct assay_profile *prof = labelled();
	struct assay_table *table;

	(void)state;
	assert_int_equal(assay_project(prof, &o, &table, NULL), ASSAY_E_ARG);
	assert_null(table);
	assay_profile_free(prof);
}

/* ---- filters ---- */

static bool is_name(const void *ctx, struct assay_slice text)
{
	return slice_is(text, ctx);
}

static struct assay_matcher name_is(enum assay_filter_kind kind, const char *name)
{
	return (struct assay_matcher){.size = sizeof(struct assay_matcher),
		.kind = kind,
		.fields = ASSAY_MATCH_FUNCTION,
		.match = is_name,
		.ctx = name};
}

static int64_t total(const struct assay_profile *prof, int64_t *whole)
{
	struct assay_event ev = {.size = sizeof(ev)};

	assert_int_equal(assay_event_get(prof, 0, &ev), ASSAY_OK);
	*whole = number(ev.whole);
	return number(ev.total);
}

/* What is left of labelled() with one matcher, of 10. */
static int64_t left_by(
	enum assay_filter_kind kind, const char *name, const char *func, int64_t *self)
{
	struct assay_matcher m = name_is(kind, name);
	const struct assay_matcher *const list[] = {&m};
	struct assay_filter_options o = {.size = sizeof(o), .matchers = list, .n_matchers = 1};
	struct assay_profile *prof = labelled(), *part;
	struct assay_table *table;
	int64_t left, whole;

	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_OK);
	left = total(part, &whole);
	assert_int_equal(whole, 10);
	assert_false(info_of(part).estimated);
	table = by(part, ASSAY_BY_FUNCTION, NULL);
	*self = first(row_named(table, func).self);
	assay_table_free(table);
	assay_profile_free(part);
	assay_profile_free(prof);
	return left;
}

static void test_filters_choose_as_documented(void **state)
{
	int64_t self;

	(void)state;
	assert_int_equal(left_by(ASSAY_FILTER_FOCUS, "leaf", "leaf", &self), 7);
	assert_int_equal(self, 7);
	assert_int_equal(left_by(ASSAY_FILTER_IGNORE, "leaf", "work", &self), 3);
	assert_int_equal(self, 2);
	assert_int_equal(left_by(ASSAY_FILTER_HIDE, "leaf", "main", &self), 10);
	assert_int_equal(self, 5);
	assert_int_equal(left_by(ASSAY_FILTER_SHOW, "leaf", "leaf", &self), 7);
	assert_int_equal(self, 7);
	assert_int_equal(left_by(ASSAY_FILTER_SHOW_FROM, "work", "work", &self), 5);
	assert_int_equal(self, 2);
	assert_int_equal(left_by(ASSAY_FILTER_PRUNE_FROM, "work", "work", &self), 10);
	assert_int_equal(self, 5);
}

static void test_filters_choose_parts_and_tell_what_matched(void **state)
{
	struct assay_matcher work = name_is(ASSAY_FILTER_FOCUS, "work");
	struct assay_matcher none = name_is(ASSAY_FILTER_FOCUS, "nothing");
	const struct assay_matcher *const list[] = {&none, &work};
	bool matched[2] = {true, false}, keep[3] = {false, false, false};
	struct assay_filter_options o = {.size = sizeof(o),
		.matchers = list,
		.n_matchers = 2,
		.keep_parts = keep,
		.relative = true,
		.matched = matched};
	struct assay_profile *prof = labelled(), *part;
	struct assay_part p = {.size = sizeof(p)};
	int64_t whole;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		assert_int_equal(assay_part_get(prof, i, &p), ASSAY_OK);
		keep[i] = p.n_labels == 1;
	}
	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_OK);
	assert_int_equal(total(part, &whole), 5);
	assert_int_equal(whole, 5);
	assert_false(matched[0]);
	assert_true(matched[1]);
	assay_profile_free(part);
	assay_profile_free(prof);
}

static void test_filtering_calls_is_an_estimate_where_it_has_to_be(void **state)
{
	struct assay_profile *prof = profile_of(extended_example), *part;
	struct assay_matcher m = name_is(ASSAY_FILTER_FOCUS, "main");
	const struct assay_matcher *const list[] = {&m};
	struct assay_filter_options o = {.size = sizeof(o), .matchers = list, .n_matchers = 1};
	int64_t whole;

	(void)state;
	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_OK);
	assert_int_equal(total(part, &whole), 820);
	assert_false(info_of(part).estimated);
	assay_profile_free(part);
	m.ctx = "func1"; /* func2 is called from elsewhere, too */
	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_OK);
	assert_int_equal(total(part, &whole), 400);
	assert_int_equal(whole, 820);
	assert_true(info_of(part).estimated);
	assay_profile_free(part);
	assay_profile_free(prof);
}

static void test_what_filters_do_not_know_is_refused(void **state)
{
	struct assay_profile *prof = profile_of(extended_example), *part;
	struct assay_matcher m = name_is(ASSAY_FILTER_FOCUS, "main");
	const struct assay_matcher *const list[] = {&m}, *const none[] = {NULL};
	struct assay_filter_options o = {.size = sizeof(o), .matchers = list, .n_matchers = 1};
	struct assay_error err;

	(void)state;
	m.fields = 8;
	assert_int_equal(assay_filter(prof, &o, &part, &err), ASSAY_E_ARG);
	assert_null(part);
	assert_non_null(strstr(err.message, "matcher"));
	m.fields = 0;
	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_E_ARG);
	m = name_is((enum assay_filter_kind)99, "main");
	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_E_ARG);
	m = name_is(ASSAY_FILTER_FOCUS, "main");
	m.match = NULL;
	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_E_ARG);
	o.matchers = none;
	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_E_ARG);
	o.matchers = NULL;
	assert_int_equal(assay_filter(prof, &o, &part, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_filter(prof, NULL, NULL, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_filter(prof, NULL, &part, NULL), ASSAY_OK); /* chooses all */
	assert_same(prof, part, "dump");
	assay_profile_free(part);
	assay_profile_free(prof);
}

int lib_labels_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_have_their_labels_also_after_writing_and_reading),
		cmocka_unit_test(test_labels_belong_to_the_part_that_was_added_last),
		cmocka_unit_test(test_a_projection_by_label_adds_up),
		cmocka_unit_test(test_a_projection_by_part_or_thread_adds_up),
		cmocka_unit_test(test_a_key_belongs_to_labels),
		cmocka_unit_test(test_filters_choose_as_documented),
		cmocka_unit_test(test_filters_choose_parts_and_tell_what_matched),
		cmocka_unit_test(test_filtering_calls_is_an_estimate_where_it_has_to_be),
		cmocka_unit_test(test_what_filters_do_not_know_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
