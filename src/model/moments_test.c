/* SPDX-License-Identifier: Apache-2.0 */
/* Packing, sorting, and the law that moments add up to samples. */
#include "model/build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

/* A builder with two parts, the events "ns" and "calls", and the paths a and a;b. */
struct moments_state {
	struct as_build b;
	as_node a, ab;
};

static void moments_begin_build(struct moments_state *st)
{
	struct as_pos pos = {.line = 1};
	as_place place;
	uint32_t part;

	as_test_begin(&st->b, "ns calls");
	assert_int_equal(as_build_part(&st->b, &part), AS_OK);
	st->b.keep_moments = true;
	pos.func = as_test_func(&st->b, "a", "x", "");
	assert_int_equal(as_build_place(&st->b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(&st->b, (as_node){0}, place, &st->a), AS_OK);
	pos.func = as_test_func(&st->b, "b", "x", "");
	assert_int_equal(as_build_place(&st->b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(&st->b, st->a, place, &st->ab), AS_OK);
}

static void moments_sample(struct moments_state *st, uint32_t part, as_node node, as_val ns)
{
	as_val cost[2] = {ns, 0};

	assert_int_equal(as_build_sample(&st->b, part, node, cost), AS_OK);
}

static void moments_add(struct moments_state *st, int64_t time, uint32_t part, as_node node,
	int64_t value, uint64_t duration)
{
	struct as_moment m = {
		.time = time, .duration = duration, .value = value, .part = part, .node = node};

	assert_int_equal(as_build_moment(&st->b, &m), AS_OK);
}

static void test_moments_come_back_in_order_of_time_from_the_first_on(void **state)
{
	static const struct as_moment want[] = {{0, 0, 5, 1, 0, {1}}, {10, 3, 3, 0, 0, {2}},
		{20, 7, 9, 0, 0, {1}}, {INT64_C(5000000000), 0, -4, 0, 0, {1}}};
	struct moments_state st;
	struct as_profile *prof;
	struct as_moments_cur cur;

	(void)state;
	moments_begin_build(&st);
	moments_sample(&st, 0, st.a, 5);
	moments_sample(&st, 0, st.ab, 3);
	moments_sample(&st, 1, st.a, 5);
	moments_add(&st, 1020, 0, st.a, 9, 7);
	moments_add(&st, INT64_C(5000001000), 0, st.a, -4, 0);
	moments_add(&st, 1000, 1, st.a, 5, 0);
	moments_add(&st, 1010, 0, st.ab, 3, 3);
	prof = as_test_end(&st.b);
	assert_int_equal(prof->moments.n, AS_ARRAY_LEN(want));
	assert_int_equal(prof->moments.left, 0);
	assert_true(prof->moments.last == want[3].time);
	as_moments_begin(&cur, &prof->moments);
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++) {
		assert_true(as_moments_next(&cur));
		assert_true(cur.at.time == want[i].time && cur.at.value == want[i].value);
		assert_true(cur.at.duration == want[i].duration);
		assert_int_equal(cur.at.part, want[i].part);
		assert_int_equal(cur.at.node.i, want[i].node.i);
	}
	assert_false(as_moments_next(&cur));
	as_profile_free(prof);
}

static void test_nodes_that_are_renumbered_keep_their_moments(void **state)
{
	struct moments_state st;
	struct as_pos pos = {.line = 2};
	struct as_moments_cur cur;
	struct as_profile *prof;
	as_place place;
	as_node other, leaf;

	(void)state;
	moments_begin_build(&st);
	assert_int_equal(as_build_place(&st.b, &pos, &place), AS_OK);
	assert_int_equal(as_build_push(&st.b, (as_node){0}, place, &other), AS_OK);
	assert_int_equal(as_build_push(&st.b, st.a, place, &leaf), AS_OK); /* not depth first */
	moments_sample(&st, 0, other, 1);
	moments_sample(&st, 0, leaf, 2);
	moments_add(&st, 0, 0, other, 1, 0);
	moments_add(&st, 1, 0, leaf, 2, 0);
	prof = as_test_end(&st.b);
	assert_int_equal(prof->moments.n, 2);
	as_moments_begin(&cur, &prof->moments);
	assert_true(as_moments_next(&cur));
	assert_int_equal(prof->node.parent.p[cur.at.node.i].i, 0);
	assert_true(as_moments_next(&cur));
	assert_int_not_equal(prof->node.parent.p[cur.at.node.i].i, 0);
	as_profile_free(prof);
}

static struct as_profile *moments_of(int64_t sampled, int64_t first, int64_t second, bool self)
{
	struct moments_state st;

	moments_begin_build(&st);
	moments_sample(&st, 0, st.a, sampled);
	moments_add(&st, first, 0, st.a, 1, 0);
	moments_add(&st, second, 0, st.a, 2, 0);
	if (self)
		as_test_self(&st.b, st.b.prof->place.func.p[1], 1, 1);
	return as_test_end(&st.b);
}

static void test_moments_that_do_not_add_up_are_counted_and_left_out(void **state)
{
	static const struct {
		int64_t sampled, first, second;
		bool self, kept;
	} cases[] = {
		{3, 0, 1, false, true}, {4, 0, 1, false, false}, {3, 0, 1, true, false},
		{3, INT64_MIN, INT64_MAX, false, false}, /* further apart than can be said */
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_profile *prof = moments_of(
			cases[i].sampled, cases[i].first, cases[i].second, cases[i].self);

		assert_int_equal(prof->moments.n, cases[i].kept ? 2 : 0);
		assert_int_equal(prof->moments.left, cases[i].kept ? 0 : 2);
		as_profile_free(prof);
	}
}

static void test_moments_nobody_asks_for_are_counted(void **state)
{
	struct moments_state st;
	struct as_profile *prof;

	(void)state;
	moments_begin_build(&st);
	st.b.keep_moments = false;
	moments_sample(&st, 0, st.a, 5);
	moments_add(&st, 7, 0, st.a, 5, 0);
	prof = as_test_end(&st.b);
	assert_int_equal(prof->moments.n, 0);
	assert_int_equal(prof->moments.left, 1);
	as_profile_free(prof);
}

static void test_a_known_beginning_is_kept(void **state)
{
	struct moments_state st;
	struct as_moments_cur cur;
	struct as_profile *prof;

	(void)state;
	moments_begin_build(&st);
	st.b.has_zero = true;
	st.b.zero = 1000;
	moments_sample(&st, 0, st.a, 5);
	moments_add(&st, 1007, 0, st.a, 2, 0);
	moments_add(&st, 993, 0, st.a, 3, 0);
	prof = as_test_end(&st.b);
	as_moments_begin(&cur, &prof->moments);
	assert_true(as_moments_next(&cur));
	assert_int_equal(cur.at.time, -7);
	assert_true(as_moments_next(&cur));
	assert_int_equal(cur.at.time, 7);
	as_profile_free(prof);
}

/* More than a block, of values that take one to ten bytes. */
static void test_blocks_begin_anew(void **state)
{
	enum { N = 3 * AS_MOMENTS_BLOCK + 5 };
	uint64_t seed = 1;
	struct moments_state st;
	struct as_moments_cur cur;
	struct as_profile *prof;
	as_val sum[2] = {0, 0};
	int64_t time = 0;

	(void)state;
	moments_begin_build(&st);
	for (int i = 0; i < N; i++) {
		int64_t v = (int64_t)as_test_next(&seed, UINT32_MAX) << as_test_next(&seed, 30);

		moments_add(&st, i * INT64_C(1000), (uint32_t)i & 1, st.a, v, (uint64_t)i % 3);
		sum[i & 1] += v;
	}
	moments_sample(&st, 0, st.a, sum[0]);
	moments_sample(&st, 1, st.a, sum[1]);
	prof = as_test_end(&st.b);
	assert_int_equal(prof->moments.n, N);
	assert_int_equal(prof->moments.block.n, 4);
	as_moments_begin(&cur, &prof->moments);
	for (; as_moments_next(&cur); time += 1000) {
		assert_true(cur.at.time == time);
		sum[cur.at.part] -= cur.at.value;
	}
	assert_true(!sum[0] && !sum[1] && time == N * INT64_C(1000));
	as_profile_free(prof);
}

static void test_time_that_passed_is_cut_and_all_else_is_of_where_it_began(void **state)
{
	struct as_moment passed = {.time = 10, .duration = 20, .value = 20}, m = passed;
	struct as_moment call = {.time = 10, .duration = 20, .value = 1};

	(void)state;
	assert_true(as_moment_clip(&m, 15, 18));
	assert_true(m.time == 15 && m.value == 3 && m.duration == 3);
	m = passed;
	assert_true(as_moment_clip(&m, 0, 100));
	assert_true(m.time == 10 && m.value == 20);
	assert_false(as_moment_clip(&m, 30, 40));
	assert_false(as_moment_clip(&m, 0, 10));
	assert_true(as_moment_clip(&call, 10, 11));
	assert_true(call.duration == 20);
	assert_false(as_moment_clip(&call, 11, 100));
}

int moments_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moments_come_back_in_order_of_time_from_the_first_on),
		cmocka_unit_test(test_nodes_that_are_renumbered_keep_their_moments),
		cmocka_unit_test(test_moments_that_do_not_add_up_are_counted_and_left_out),
		cmocka_unit_test(test_moments_nobody_asks_for_are_counted),
		cmocka_unit_test(test_a_known_beginning_is_kept),
		cmocka_unit_test(test_blocks_begin_anew),
		cmocka_unit_test(test_time_that_passed_is_cut_and_all_else_is_of_where_it_began),
	};

	return cmocka_run_group_tests_name("moments", tests, NULL, NULL);
}
