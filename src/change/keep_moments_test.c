/* SPDX-License-Identifier: Apache-2.0 */
/* What changes profiles keeps their moments by the law, or says how many are gone. */
#include "change/transform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/filter/filter.h"
#include "change/filter/frames.h"
#include "lib/test_profiles.h"

enum { SEEDS = 60, WHAT = AS_TEST_PATHS | AS_TEST_MOMENTS | AS_TEST_RARE };

extern const struct as_format as_format_dump, as_format_folded;

static struct as_profile *timed(uint64_t seed)
{
	return as_test_random(seed, WHAT);
}

/* The law, by nothing but the walk: of each part, node and event. */
static void expect_law(const struct as_profile *prof)
{
	size_t e = prof->event.n, n = prof->sample.node.n;
	as_val *cost = calloc(n * e + 1, sizeof(*cost));
	struct as_moments_cur cur;
	int64_t before = INT64_MIN;
	uint64_t rows = 0;

	assert_non_null(cost);
	as_moments_begin(&cur, &prof->moments);
	for (; as_moments_next(&cur); rows++) {
		size_t i = 0;

		while (i < n && (prof->sample.part.p[i] != cur.at.part ||
					prof->sample.node.p[i].i != cur.at.node.i))
			i++;
		assert_true(i < n && cur.at.time >= before);
		before = cur.at.time;
		cost[i * e + cur.at.event] += cur.at.value;
	}
	assert_true(rows == prof->moments.n);
	for (size_t i = 0; rows && i < n * e; i++)
		assert_true(cost[i] == prof->sample.cost.p[i]);
	free(cost);
}

/* OUT was made of N moments and has KEPT of them at least. Frees it. */
static void expect_kept(struct as_profile *out, uint64_t n, bool kept)
{
	expect_law(out);
	if (kept)
		assert_true(out->moments.n == n && !out->moments.left);
	else
		assert_true(!out->moments.n && out->moments.left == n);
	as_profile_free(out);
}

static bool starts_with_f(const void *ctx, struct as_slice text)
{
	(void)ctx;
	return as_slice_starts(text, "f1") || as_slice_starts(text, "f2");
}

static struct as_slice one_name(const void *ctx, struct as_arena *arena, struct as_slice name)
{
	(void)ctx;
	(void)name;
	return as_arena_dup(arena, as_slice_of("f"));
}

static void test_names_frames_and_events_that_change_keep_moments(void **state)
{
	static const struct as_renamer renamer = {.rename = one_name};
	const struct as_drop drop = {.match = starts_with_f};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = timed(seed), *out;
		uint64_t n = prof->moments.n;

		expect_law(prof);
		assert_int_equal(as_rename(prof, &renamer, &out, NULL), AS_OK);
		expect_kept(out, n, true);
		assert_int_equal(as_fold_inlined(prof, &out, NULL), AS_OK);
		if (out)
			expect_kept(out, n, true);
		assert_int_equal(as_drop_frames(prof, &drop, &out, NULL), AS_OK);
		if (out)
			expect_kept(out, n, true);
		assert_int_equal(as_to_leaves(prof, &out, NULL, NULL), AS_OK);
		expect_kept(out, n, true);
		as_profile_free(prof);
	}
}

static void test_what_has_no_paths_has_no_moments_and_says_how_many(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = timed(seed), *out;
		uint64_t n = prof->moments.n;

		assert_int_equal(as_to_calls(prof, &out, NULL, NULL), AS_OK);
		expect_kept(out, n, false);
		assert_int_equal(as_to_places(prof, &out, NULL, NULL), AS_OK);
		expect_kept(out, n, false);
		as_profile_free(prof);
	}
}

static void test_picked_events_have_their_moments(void **state)
{
	static const uint32_t event[] = {2, 0};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = timed(seed), *out;
		struct as_moments_cur cur;
		uint64_t n[3] = {0};

		as_moments_begin(&cur, &prof->moments);
		while (as_moments_next(&cur))
			n[cur.at.event]++;
		assert_int_equal(as_pick_events(prof, event, 2, &out, NULL), AS_OK);
		expect_law(out);
		assert_true(out->moments.n == n[0] + n[2]);
		as_profile_free(out);
		as_profile_free(prof);
	}
}

static void test_filters_keep_the_moments_of_what_stays(void **state)
{
	struct as_matcher matcher = {AS_FILTER_FOCUS, AS_MATCH_FUNC, starts_with_f, NULL, false};
	struct as_filter how = {.matcher = &matcher, .n = 1};
	size_t kept = 0;
	bool matched;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		for (int kind = AS_FILTER_FOCUS; kind <= AS_FILTER_OBJECT; kind++) {
			struct as_profile *prof = timed(seed);
			struct as_filtered out;

			matcher.kind = (enum as_filter_kind)kind;
			assert_int_equal(as_filter(prof, &how, &matched, &out, NULL, NULL), AS_OK);
			expect_law(out.prof);
			/* All of them have gone, or those that stay are there. */
			if (out.prof->sample.node.n)
				assert_int_equal(out.prof->moments.left, 0);
			kept += out.prof->moments.n > 0;
			as_profile_free(out.prof);
			as_profile_free(prof);
		}
	assert_true(kept > SEEDS);
}

/* ---- time ---- */

static void test_stretches_of_time_add_up_to_the_whole(void **state)
{
	static const int64_t cuts[] = {INT64_MIN, 0, 100, 101, 500, 940, INT64_MAX};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = timed(seed), *out;
		as_val sum[3] = {0};

		for (size_t i = 1; i < AS_ARRAY_LEN(cuts) && prof->moments.n; i++) {
			struct as_time_range range = {cuts[i - 1], cuts[i]};

			assert_int_equal(as_filter_time(prof, range, false, &out, NULL), AS_OK);
			expect_law(out);
			assert_int_equal(out->moments.left, 0);
			for (int k = 0; k < 3; k++) {
				sum[k] += out->total[k];
				assert_true(as_whole(out)[k] == prof->total[k]);
			}
			as_profile_free(out);
		}
		for (int k = 0; k < 3 && prof->moments.n; k++)
			assert_true(sum[k] == prof->total[k]);
		as_profile_free(prof);
	}
}

static void test_a_stretch_has_what_was_counted_in_it(void **state)
{
	static const struct {
		int64_t from, to, ns;
	} cases[] = {{0, 100, 30}, {0, 10, 0}, {0, 15, 5}, {15, 25, 10}, {25, 40, 5}, {50, 51, 10},
		{51, 100, 0}};
	struct as_build b;
	struct as_profile *prof, *out;
	as_func stack[2] = {{0}};

	(void)state;
	as_test_begin(&b, "ns");
	b.keep_moments = b.has_zero = true;
	stack[0] = as_test_func(&b, "f", "x", "");
	as_test_stack(&b, 0, stack, 30);
	assert_int_equal(
		as_build_moment(&b,
			&(struct as_moment){.time = 10, .duration = 20, .value = 20, .node = {1}}),
		AS_OK);
	assert_int_equal(
		as_build_moment(&b, &(struct as_moment){.time = 50, .value = 10, .node = {1}}),
		AS_OK);
	prof = as_test_end(&b);
	assert_int_equal(prof->moments.n, 2);
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_time_range range = {cases[i].from, cases[i].to};

		assert_int_equal(as_filter_time(prof, range, false, &out, NULL), AS_OK);
		assert_true(out->total[0] == cases[i].ns);
		assert_int_equal(out->sample.node.n, cases[i].ns ? 1 : 0);
		as_profile_free(out);
	}
	as_profile_free(prof);
}

/* ---- merging ---- */

static struct as_profile *merged(
	const struct as_profile *const *in, size_t n, const struct as_merge_opts *opts)
{
	struct as_merge *m;
	struct as_profile *out;

	assert_int_equal(as_merge_new(NULL, opts, &m, NULL), AS_OK);
	for (size_t i = 0; i < n; i++)
		assert_int_equal(as_merge_add(m, in[i], NULL), AS_OK);
	assert_int_equal(as_merge_finish(m, &out), AS_OK);
	return out;
}

static void test_parts_that_become_one_keep_their_moments(void **state)
{
	static const struct as_merge_opts how[] = {
		{.keep_parts = true}, {.drop_labels = true}, {.label_parts = true}};

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		for (size_t i = 0; i < AS_ARRAY_LEN(how); i++) {
			const struct as_profile *prof = timed(seed);

			expect_kept(merged(&prof, 1, &how[i]), prof->moments.n, true);
			as_profile_free((struct as_profile *)(uintptr_t)prof);
		}
}

/* One function's cost of 2: of 1 each at 5 and 7 ns after EPOCH. */
static struct as_profile *run_at(const char *epoch, bool times)
{
	struct as_build b;
	as_func stack[2] = {{0}};

	as_test_begin(&b, "ns");
	b.keep_moments = b.has_zero = true;
	assert_int_equal(as_build_str(&b, as_slice_of(epoch), &b.prof->epoch), AS_OK);
	stack[0] = as_test_func(&b, "f", "x", "");
	as_test_stack(&b, 0, stack, 2);
	for (int64_t at = 5; times && at <= 7; at += 2)
		assert_int_equal(as_build_moment(&b,
					 &(struct as_moment){.time = at, .value = 1, .node = {1}}),
			AS_OK);
	return as_test_end(&b);
}

static void test_runs_stand_one_behind_the_other_where_both_say_when_they_began(void **state)
{
	struct as_merge_opts opts = {.keep_parts = false};
	struct as_profile *a = run_at("2026-01-01T00:00:02Z", true);
	struct as_profile *b = run_at("2026-01-01T00:00:01Z", true);
	const struct as_profile *in[] = {a, b};
	struct as_profile *out = merged(in, 2, &opts);
	static const int64_t want[] = {5, 7, 1000000005, 1000000007};
	struct as_moments_cur cur;

	(void)state;
	expect_law(out);
	assert_int_equal(out->moments.n, AS_ARRAY_LEN(want));
	as_moments_begin(&cur, &out->moments);
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++) {
		assert_true(as_moments_next(&cur));
		assert_true(cur.at.time == want[i]);
	}
	as_profile_free(out);
	as_profile_free(a);
	as_profile_free(b);
}

static void test_runs_without_a_common_clock_lose_their_moments(void **state)
{
	static const struct {
		const char *a, *b;
		bool times;
		uint64_t left;
	} cases[] = {
		{"2026-01-01T00:00:02Z", "", true, 4},
		{"", "2026-01-01T00:00:02Z", true, 4},
		{"", "", true, 4},
		{"2026-01-01T00:00:02Z", "2026-01-01T00:00:02Z", false, 2},
	};
	struct as_merge_opts opts = {.keep_parts = true};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++)
		for (int swapped = 0; swapped < 2; swapped++) {
			struct as_profile *a = run_at(cases[i].a, true);
			struct as_profile *b = run_at(cases[i].b, cases[i].times);
			const struct as_profile *in[] = {swapped ? b : a, swapped ? a : b};

			expect_kept(merged(in, 2, &opts), cases[i].left, false);
			as_profile_free(a);
			as_profile_free(b);
		}
}

/* ---- formats ---- */

static void test_a_format_without_time_loses_time_stamps(void **state)
{
	struct as_profile *prof = run_at("", true);
	struct as_losses l;

	(void)state;
	as_losses_init(&l, prof->al);
	assert_true(as_losses_by_caps(&l, prof, &as_format_folded));
	assert_int_equal(as_test_lost(&l, "moments"), 2);
	as_losses_release(&l);
	as_losses_init(&l, prof->al);
	assert_true(as_losses_by_caps(&l, prof, &as_format_dump));
	assert_int_equal(as_test_lost(&l, "moments"), 0);
	as_losses_release(&l);
	as_profile_free(prof);
}

int keep_moments_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_frames_and_events_that_change_keep_moments),
		cmocka_unit_test(test_what_has_no_paths_has_no_moments_and_says_how_many),
		cmocka_unit_test(test_picked_events_have_their_moments),
		cmocka_unit_test(test_filters_keep_the_moments_of_what_stays),
		cmocka_unit_test(test_stretches_of_time_add_up_to_the_whole),
		cmocka_unit_test(test_a_stretch_has_what_was_counted_in_it),
		cmocka_unit_test(test_parts_that_become_one_keep_their_moments),
		cmocka_unit_test(
			test_runs_stand_one_behind_the_other_where_both_say_when_they_began),
		cmocka_unit_test(test_runs_without_a_common_clock_lose_their_moments),
		cmocka_unit_test(test_a_format_without_time_loses_time_stamps),
	};

	return cmocka_run_group_tests_name("keep_moments", tests, NULL, NULL);
}
