/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics over several sets: figures worked out by hand. */
#include "diff/spread.h"

#include "diff/test_diff.h"
#include "lib/test_profiles.h"

struct cost {
	const char *name;
	as_val n;
};

static struct as_profile *set_of(const struct cost *cost)
{
	struct as_build b;

	as_test_begin(&b, "cycles");
	for (; cost->name; cost++)
		as_test_self(&b, as_test_func(&b, cost->name, "p", "a.c"), 1, cost->n);
	return as_test_end(&b);
}

/* main 10, 12, 14, 8: sum 44, mean 11, squares 1 + 1 + 9 + 9. leaf 1, 0, 0, 7: sum 8, mean 2,
 * squares 1 + 4 + 4 + 25. even 5 four times. All: 16, 17, 19, 20. */
static struct as_diff *four_sets(void)
{
	static const struct cost sets[][4] = {
		{{"main", 10}, {"leaf", 1}, {"even", 5}, {0}},
		{{"main", 12}, {"even", 5}, {0}},
		{{"main", 14}, {"even", 5}, {0}},
		{{"main", 8}, {"leaf", 7}, {"even", 5}, {0}},
	};
	struct as_diff *d = begin(AS_BY_FUNC, AS_ARRAY_LEN(sets));

	for (size_t i = 0; i < AS_ARRAY_LEN(sets); i++)
		add(d, AS_BASE, set_of(sets[i]));
	return d;
}

static void is_about(struct as_number n, double want)
{
	assert_true(n.known);
	assert_true(n.x > want - 5e-5 && n.x < want + 5e-5);
}

static void is_whole(struct as_number n, as_val want)
{
	assert_true(n.known && n.whole);
	assert_true(n.n == want);
}

static void row_is(const struct as_spread *sp, const struct as_diff *d, size_t i, const char *name)
{
	assert_true(i < sp->n);
	assert_int_equal(sp->row[i], row_of(d, name));
}

static void test_figures_are_those_by_hand(void **state)
{
	struct as_diff *d = four_sets();
	struct as_spread_opts opts = {.event = 0};
	struct as_spread sp;

	(void)state;
	assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
	assert_int_equal(sp.n, 3);
	assert_int_equal(sp.n_all, 3);
	row_is(&sp, d, 0, "leaf");
	is_whole(sp.stat[0].sum, 8);
	is_whole(sp.stat[0].min, 0);
	is_whole(sp.stat[0].max, 7);
	is_about(sp.stat[0].mean, 2);
	is_about(sp.stat[0].stddev, 3.36650); /* sqrt(34 / 3) */
	is_about(sp.stat[0].range, 87.5);
	is_about(sp.stat[0].share, 11.11111); /* 8 / 72 */
	assert_int_equal(sp.stat[0].present, 2);
	row_is(&sp, d, 1, "main");
	is_whole(sp.stat[1].sum, 44);
	is_about(sp.stat[1].mean, 11);
	is_about(sp.stat[1].stddev, 2.58199); /* sqrt(20 / 3) */
	is_about(sp.stat[1].range, 13.63636); /* 6 / 44 */
	is_about(sp.stat[1].share, 61.11111);
	row_is(&sp, d, 2, "even");
	is_about(sp.stat[2].stddev, 0);
	is_about(sp.stat[2].range, 0);
	is_whole(sp.total.sum, 72);
	is_about(sp.total.mean, 18);
	is_about(sp.total.stddev, 1.82574); /* sqrt(10 / 3) */
	is_whole(sp.rest.sum, 0);
	as_spread_release(&sp);
	as_diff_free(d);
}

static void test_other_orders(void **state)
{
	static const struct {
		enum as_spread_order order;
		const char *first;
	} want[] = {{AS_SPREAD_SUM, "main"}, {AS_SPREAD_MEAN, "main"}, {AS_SPREAD_STDDEV, "leaf"},
		{AS_SPREAD_MIN, "main"}, {AS_SPREAD_MAX, "main"}};
	struct as_diff *d = four_sets();
	struct as_spread sp;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++) {
		struct as_spread_opts opts = {.order = want[i].order};

		assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
		row_is(&sp, d, 0, want[i].first);
		as_spread_release(&sp);
	}
	as_diff_free(d);
}

/* 44, 20 and 8 of 72: the first is 61.1 %, two are 88.9 %. */
static void test_rows_that_are_left_out_are_the_rest(void **state)
{
	static const struct {
		uint32_t keep, min;
		size_t limit, n;
	} want[] = {{611111, 0, 0, 1}, {611112, 0, 0, 2}, {1000000, 0, 0, 3}, {0, 111111, 0, 3},
		{0, 111112, 0, 2}, {0, 0, 1, 1}, {888888, 300000, 0, 1}};
	struct as_diff *d = four_sets();
	struct as_spread sp;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(want); i++) {
		struct as_spread_opts opts = {
			.keep_ppm = want[i].keep, .min_ppm = want[i].min, .limit = want[i].limit};
		as_val sum = 0;

		assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
		assert_int_equal(sp.n, want[i].n);
		for (size_t k = 0; k < sp.n; k++)
			sum += sp.stat[k].sum.n;
		assert_true(sum + sp.rest.sum.n == 72);
		as_spread_release(&sp);
	}
	as_diff_free(d);
}

/* main and leaf of the first limit are one: 10 + 5, 12 + 5 ... without leaf. */
static void test_the_rest_varies_as_one(void **state)
{
	struct as_diff *d = four_sets();
	struct as_spread_opts opts = {.limit = 1};
	struct as_spread sp;

	(void)state;
	assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
	is_whole(sp.rest.sum, 64); /* 15, 17, 19, 13 */
	is_whole(sp.rest.min, 13);
	is_whole(sp.rest.max, 19);
	is_about(sp.rest.stddev, 2.58199);
	as_spread_release(&sp);
	as_diff_free(d);
}

static void test_sets_are_scaled(void **state)
{
	static const double factor[] = {2, 1, 1, 0.5};
	struct as_diff *d = four_sets();
	struct as_spread_opts opts = {.factor = factor, .order = AS_SPREAD_SUM};
	struct as_spread sp;

	(void)state;
	assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
	row_is(&sp, d, 0, "main");
	is_about(sp.stat[0].sum, 50); /* 20, 12, 14, 4 */
	is_about(sp.stat[0].min, 4);
	is_about(sp.stat[0].max, 20);
	is_about(sp.stat[0].stddev, 6.60808); /* sqrt((56.25 + 0.25 + 2.25 + 72.25) / 3) */
	assert_false(sp.stat[0].sum.whole);
	as_spread_release(&sp);
	opts = (struct as_spread_opts){.normalize = true, .order = AS_SPREAD_SUM};
	assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
	is_about(sp.total.stddev, 0); /* 18 each */
	is_about(sp.total.sum, 72);
	is_about(sp.stat[0].max, 13.26316); /* 14 * 18 / 19 */
	is_about(sp.stat[0].min, 7.2);      /* 8 * 18 / 20 */
	as_spread_release(&sp);
	as_diff_free(d);
}

static void test_sets_of_nothing_have_no_shares(void **state)
{
	static const struct cost nothing[] = {{"main", 0}, {0}};
	struct as_diff *d = begin(AS_BY_FUNC, 2);
	struct as_spread_opts opts = {.normalize = true};
	struct as_spread sp;

	(void)state;
	add(d, AS_BASE, set_of(nothing));
	add(d, AS_BASE, set_of(nothing));
	assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
	assert_int_equal(sp.n_all, 0);
	is_whole(sp.total.sum, 0);
	assert_false(sp.total.range.known);
	assert_false(sp.total.share.known);
	as_spread_release(&sp);
	as_diff_free(d);
}

/* As of profiles that are differences: 10 - 10, and 30 + 10. */
static void test_a_row_that_adds_up_to_nothing_is_one(void **state)
{
	static const struct cost less[] = {{"f", 10}, {"g", -10}, {0}};
	static const struct cost more[] = {{"f", 30}, {"g", 10}, {0}};
	struct as_diff *d = begin(AS_BY_FUNC, 2);
	struct as_spread_opts opts = {.order = AS_SPREAD_MAX};
	struct as_spread sp;
	size_t set = 7;

	(void)state;
	add(d, AS_BASE, set_of(more));
	assert_true(as_spread_can_scale(d, 0, &set));
	add(d, AS_BASE, set_of(less));
	assert_false(as_spread_can_scale(d, 0, &set));
	assert_int_equal(set, 1);
	assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
	assert_int_equal(sp.n_all, 2);
	row_is(&sp, d, 1, "g");
	is_whole(sp.stat[1].sum, 0);
	is_whole(sp.stat[1].min, -10);
	is_whole(sp.stat[1].max, 10);
	is_about(sp.stat[1].stddev, 14.14214);
	assert_false(sp.stat[1].range.known);
	as_spread_release(&sp);
	as_diff_free(d);
}

/* 2^60 and 2^60 + 3 are one double. */
static void test_large_counts_are_exact(void **state)
{
	static const as_val n = (as_val)1 << 60;
	const struct cost sets[][2] = {{{"f", n + 3}, {0}}, {{"f", n}, {0}}, {{"f", n + 3}, {0}}};
	struct as_diff *d = begin(AS_BY_FUNC, 3);
	struct as_spread_opts opts = {.order = AS_SPREAD_RANGE};
	struct as_spread sp;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(sets); i++)
		add(d, AS_BASE, set_of(sets[i]));
	assert_int_equal(as_spread_make(&sp, d, &opts), AS_OK);
	is_whole(sp.stat[0].sum, 3 * n + 6);
	is_whole(sp.stat[0].min, n);
	is_whole(sp.stat[0].max, n + 3);
	is_about(sp.stat[0].stddev, 1.73205); /* sqrt((1 + 4 + 1) / 2) */
	assert_true(sp.stat[0].range.x > 8.67e-17 && sp.stat[0].range.x < 8.68e-17);
	as_spread_release(&sp);
	as_diff_free(d);
}

int spread_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figures_are_those_by_hand),
		cmocka_unit_test(test_other_orders),
		cmocka_unit_test(test_rows_that_are_left_out_are_the_rest),
		cmocka_unit_test(test_the_rest_varies_as_one),
		cmocka_unit_test(test_sets_are_scaled),
		cmocka_unit_test(test_sets_of_nothing_have_no_shares),
		cmocka_unit_test(test_a_row_that_adds_up_to_nothing_is_one),
		cmocka_unit_test(test_large_counts_are_exact),
	};

	return cmocka_run_group_tests_name("spread", tests, NULL, NULL);
}
