/* SPDX-License-Identifier: Apache-2.0 */
/* Statistics against tables, and by simulation. */
#include "diff/stat.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "diff/test_noise.h"

static void near(double got, double want, double within)
{
	double off = got > want ? got - want : want - got;

	if (!(off <= within))
		fail_msg("got %.12g, wanted %.12g", got, want);
}

static void test_roots_and_logarithms(void **state)
{
	(void)state;
	near(as_sqrt(2), 1.41421356237309505, 1e-14);
	near(as_sqrt(1e-300) * 1e150, 1, 1e-13);
	near(as_sqrt(123456789e12), 11111111060.5555554, 1e-4);
	near(as_sqrt(0), 0, 0);
	near(as_log(10), 2.30258509299404568, 1e-14);
	near(as_log(1e-12), -27.6310211159285482, 1e-12);
	near(as_log(1), 0, 1e-16);
	near(as_exp(1), 2.71828182845904524, 1e-14);
	near(as_exp(-20) * 1e9, 2.06115362243855783, 1e-12);
	near(as_lgamma(0.5), 0.57236494292470008, 1e-12);
	near(as_lgamma(10), 12.8018274800814696, 1e-11);
	near(as_lgamma(171.5), 709.143163030928, 1e-9);
}

/* Two-sided 5 % and 0.1 % points of Student's t, as every table has them. */
static void test_students_t_is_that_of_the_tables(void **state)
{
	static const struct {
		double df, t05, t001;
	} row[] = {{1, 12.7062, 636.6192}, {2, 4.3027, 31.5991}, {5, 2.5706, 6.8688},
		{10, 2.2281, 4.5869}, {18, 2.1009, 3.9216}, {30, 2.0423, 3.6460},
		{120, 1.9799, 3.3735}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		near(as_student_limit(0.05, row[i].df), row[i].t05, 6e-5);
		near(as_student_limit(0.001, row[i].df), row[i].t001, row[i].t001 * 1e-4);
		near(as_student_tails(row[i].t05, row[i].df), 0.05, 5e-6);
	}
}

static void test_the_normal_distribution_is_that_of_the_tables(void **state)
{
	(void)state;
	near(as_normal_tails(0), 1, 0);
	near(as_normal_tails(1), 0.317310507862914, 1e-13);
	near(as_normal_tails(AS_Z95), 0.05, 1e-14);
	near(as_normal_tails(2.999999), 0.0026998050, 1e-9);
	near(as_normal_tails(3.000001), 0.0026997874, 1e-9);
	near(as_normal_tails(6) * 1e9, 1.97317529, 1e-7);
}

/* By hand: l(10) = 10 (1 - 1/90 - 0.653321/sqrt(10))^3 = 4.7874, u(10) = 18.3915; the exact limits
 * are 4.795 and 18.390. */
static void test_limits_are_byars(void **state)
{
	struct as_counted none = {0, 1}, ten = {10, 1};
	struct as_interval in = as_stat_poisson(none, ten);

	(void)state;
	/* d = 10; down: sqrt((10 - l)^2 + (u(0) - 0)^2), u(0) = (8/9 + 0.653321)^3 = 3.6680 */
	near(in.lo, 10 - 6.37377, 1e-5);
	/* up: sqrt((u(10) - 10)^2 + 0) */
	near(in.hi, 18.39146, 1e-5);
	/* the other way round it is the mirror image */
	near(as_stat_poisson(ten, none).hi, -in.lo, 1e-12);
	near(as_stat_poisson(ten, none).lo, -in.hi, 1e-12);
}

static void test_scale_scales_and_p_agrees_with_the_interval(void **state)
{
	struct as_counted a = {100, 10}, b = {1400, 1};
	struct as_interval in = as_stat_poisson(a, b), thousand;

	(void)state;
	assert_true(in.lo > 0 && in.p < 0.05);
	a.scale *= 1000;
	b.scale *= 1000;
	thousand = as_stat_poisson(a, b);
	near(thousand.lo, in.lo * 1000, 1e-6);
	near(thousand.p, in.p, 1e-12);
	b.count = 1150; /* 15 % more of what is known to 10 % */
	in = as_stat_poisson(a, b);
	assert_true(in.lo < 0 && in.hi > 0 && in.p >= 1);
}

static void test_few_samples_can_never_tell(void **state)
{
	struct as_counted a = {4, 1}, b = {0, 1};

	(void)state;
	assert_false(as_stat_can_tell(a, b));
	assert_true(as_stat_poisson(a, b).hi > 0);
	a.count = 5;
	assert_true(as_stat_can_tell(a, b));
	assert_true(as_stat_poisson(a, b).hi < 0);
	a.count = 2; /* the other side could have had all */
	b.count = 3;
	assert_true(as_stat_can_tell(a, b));
}

/* ---- simulation ---- */

/* Rows of equal rates, sampled at two frequencies: which share of those that have samples leaves
 * 0 out. */
static double flagged(struct source *s, double mean, double faster, int rows)
{
	double seen = 0, beyond = 0;

	for (int i = 0; i < rows; i++) {
		struct as_counted a = {poisson(s, mean), faster};
		struct as_counted b = {poisson(s, mean * faster), 1};
		struct as_interval in = as_stat_poisson(a, b);

		if (!(a.count + b.count > 0))
			continue;
		seen++;
		beyond += in.lo > 0 || in.hi < 0;
	}
	return seen > 0 ? beyond / seen : 0;
}

static void test_at_equal_rates_one_row_in_twenty_is_flagged(void **state)
{
	static const double means[] = {0.2, 1, 3, 10, 30, 100, 400};
	static const double faster[] = {1, 4, 10};
	struct source s = {20};

	(void)state;
	for (size_t f = 0; f < AS_ARRAY_LEN(faster); f++)
		for (size_t m = 0; m < AS_ARRAY_LEN(means); m++) {
			double share = flagged(&s, means[m], faster[f], 20000);

			if (share > 0.07)
				fail_msg("mean %g, %g times: %g", means[m], faster[f], share);
			if (means[m] >= 30 && share < 0.035)
				fail_msg("mean %g, %g times: only %g", means[m], faster[f], share);
		}
}

/* A real difference is found: 4 standard deviations nearly always. */
static void test_a_real_difference_is_flagged(void **state)
{
	struct source s = {7};
	int found = 0;

	(void)state;
	for (int i = 0; i < 2000; i++) {
		struct as_counted a = {poisson(&s, 100), 1}, b = {poisson(&s, 170), 1};

		found += as_stat_poisson(a, b).lo > 0;
	}
	assert_in_range(found, 1900, 2000);
}

/* Welch's own example of Ruxton's kind: equal means, unequal variances and sizes. */
static void test_welch_is_worked_out_by_hand(void **state)
{
	/* 1 2 3 4 5: mean 3, var 2.5; 6 8 10: mean 8, var 4. e^2 = 0.5 + 1.33333, e = 1.354006.
	 * df = 1.83333^2 / (0.25 / 4 + 1.77778 / 2) = 3.36111 / 0.951389 = 3.532847 */
	struct as_runs a = {3, 2.5, 5}, b = {8, 4, 3};
	struct as_interval in = as_stat_welch(a, b);
	double t = as_student_limit(0.05, 3.5328467153);

	(void)state;
	near(in.hi - in.lo, 2 * t * 1.3540064007726602, 1e-6);
	near(in.lo + in.hi, 10, 1e-9);
	near(in.p, as_student_tails(5 / 1.3540064007726602, 3.5328467153), 1e-9);
	assert_true(in.lo > 0);
}

static void test_runs_without_variance_are_exact(void **state)
{
	struct as_runs a = {3, 0, 2}, b = {4, 0, 2};
	struct as_interval in = as_stat_welch(a, b);

	(void)state;
	near(in.lo, 1, 0);
	near(in.hi, 1, 0);
	near(in.p, 0, 0);
	near(as_stat_welch(a, a).p, 1, 0);
}

static void runs_of(struct source *s, double mean, double sd, unsigned n, struct as_runs *r)
{
	double v[16], sum = 0;

	*r = (struct as_runs){.n = n};
	for (unsigned i = 0; i < n; i++) {
		v[i] = mean + sd * normal(s);
		sum += v[i];
	}
	r->mean = sum / n;
	for (unsigned i = 0; i < n; i++)
		r->var += (v[i] - r->mean) * (v[i] - r->mean) / (n - 1);
}

static void test_welch_flags_one_in_twenty(void **state)
{
	static const unsigned runs[] = {2, 3, 5, 10};
	struct source s = {99};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(runs); i++) {
		int beyond = 0;

		for (int k = 0; k < 10000; k++) {
			struct as_runs a, b;
			struct as_interval in;

			runs_of(&s, 100, 3, runs[i], &a);
			runs_of(&s, 100, 3, runs[i], &b);
			in = as_stat_welch(a, b);
			assert_true((in.lo > 0 || in.hi < 0) == (in.p < 0.05));
			beyond += in.p < 0.05;
		}
		assert_in_range(beyond, runs[i] == 2 ? 150 : 300, 570);
	}
}

static void test_holm_stops_at_the_first_that_fails(void **state)
{
	static const double p[] = {0.04, 0.001, 0.02, 0.012};
	static const uint32_t order[] = {1, 3, 2, 0};
	uint8_t holds[4];

	(void)state;
	/* 0.001 <= 0.05/4, 0.012 <= 0.05/3, 0.02 <= 0.05/2, 0.04 <= 0.05 */
	as_stat_holm(p, order, 4, 0.05, holds);
	for (int i = 0; i < 4; i++)
		assert_int_equal(holds[i], 1);
	/* 0.012 > 0.03/3: it and all behind it fail, though 0.02 <= 0.03 */
	as_stat_holm(p, order, 4, 0.03, holds);
	assert_int_equal(holds[1], 1);
	assert_int_equal(holds[3] + holds[2] + holds[0], 0);
}

int stat_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_roots_and_logarithms),
		cmocka_unit_test(test_students_t_is_that_of_the_tables),
		cmocka_unit_test(test_the_normal_distribution_is_that_of_the_tables),
		cmocka_unit_test(test_limits_are_byars),
		cmocka_unit_test(test_scale_scales_and_p_agrees_with_the_interval),
		cmocka_unit_test(test_few_samples_can_never_tell),
		cmocka_unit_test(test_at_equal_rates_one_row_in_twenty_is_flagged),
		cmocka_unit_test(test_a_real_difference_is_flagged),
		cmocka_unit_test(test_welch_is_worked_out_by_hand),
		cmocka_unit_test(test_runs_without_variance_are_exact),
		cmocka_unit_test(test_welch_flags_one_in_twenty),
		cmocka_unit_test(test_holm_stops_at_the_first_that_fails),
	};

	return cmocka_run_group_tests_name("stat", tests, NULL, NULL);
}
