/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of samples and of runs: what is called noise, and how often that is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "ops/diff.h"
#include "ops/test_diff.h"
#include "ops/test_noise.h"
#include "ops/test_profiles.h"

static void has(const struct as_diff *d, const char *name, bool base, bool new_)
{
	assert_int_equal(as_diff_has(d, row_of(d, name), AS_BASE), base);
	assert_int_equal(as_diff_has(d, row_of(d, name), AS_NEW), new_);
}

/* ---- noise: the same program, and a slower one ---- */

enum { FUNCS = 60, SLOW = 20 };

/* Seconds that each function takes: from 0.01 to 6, most of them little. */
static double seconds_of(unsigned f)
{
	double share = (double)(f + 1) / FUNCS;

	return 0.01 + 6 * share * share * share;
}

/* How a program is sampled. */
struct sampling {
	double hertz;  /* as the profile's period has it */
	double ticks;  /* samples that were taken in a second; 0 = as many */
	unsigned gone; /* a function that takes no time; 0 = none */
	double factor; /* of all times; 0 = 1 */
};

static struct as_profile *sampled(struct source *s, struct sampling how)
{
	double rate = (how.ticks > 0 ? how.ticks : how.hertz) * (how.factor > 0 ? how.factor : 1);
	struct as_build b;
	char name[16];

	as_test_begin(&b, "samples");
	b.prof->event.p[0].period = (uint64_t)(1000000 / how.hertz + 0.5);
	assert_int_equal(
		as_build_str(&b, as_slice_of("microseconds"), &b.prof->event.p[0].period_unit),
		AS_OK);
	for (unsigned f = 0; f < FUNCS; f++) {
		double n = how.gone && f == how.gone ? 0 : poisson(s, seconds_of(f) * rate);

		snprintf(name, sizeof(name), "f%u", f);
		if (n > 0)
			as_test_self(&b, as_test_func(&b, name, "p", "a.c"), 1, (as_val)n);
	}
	return as_test_end(&b);
}

static void test_one_program_at_two_rates_does_not_differ(void **state)
{
	size_t beyond = 0, judged = 0, sure = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct as_diff *d = begin(AS_BY_FUNC, 2);
		struct source s = {seed};

		add(d, AS_BASE, sampled(&s, (struct sampling){.hertz = 100}));
		add(d, AS_NEW, sampled(&s, (struct sampling){.hertz = 1000}));
		finish(d, AS_NORM_AUTO, false);
		assert_int_equal(d->event[0].norm, AS_NORM_TIME);
		beyond += d->n_beyond;
		judged += d->n_tested;
		sure += d->n_sure;
		as_diff_free(d);
	}
	assert_in_range(judged, 1600, 2400);
	assert_in_range(beyond * 1000 / judged, 20, 70);
	/* 5 % of the tables, not of the rows, may have one by chance. */
	assert_in_range(sure, 0, 4);
}

static void test_a_removed_function_is_found(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);
	struct source s = {5};

	(void)state;
	add(d, AS_BASE, sampled(&s, (struct sampling){.hertz = 100}));
	add(d, AS_NEW, sampled(&s, (struct sampling){.hertz = 1000, .gone = 47}));
	finish(d, AS_NORM_AUTO, false);
	has(d, "f47", true, false);
	assert_int_equal(as_diff_figure(d, row_of(d, "f47"), 0, false).verdict, AS_DIFF_SURE);
	assert_int_equal(d->n_sure, 1);
	as_diff_free(d);
}

/* A run whose functions vary by 1 %; SLOW takes FACTOR as long. */
static struct as_profile *timed(struct source *s, double factor)
{
	struct as_build b;
	char name[16];

	as_test_begin(&b, "cycles");
	for (unsigned f = 0; f < FUNCS; f++) {
		double v = seconds_of(f) * 1e9 * (f == SLOW ? factor : 1);

		snprintf(name, sizeof(name), "f%u", f);
		as_test_self(&b, as_test_func(&b, name, "p", "a.c"), 1,
			(as_val)(v * (1 + 0.01 * normal(s))));
	}
	return as_test_end(&b);
}

static void test_five_percent_in_one_function_is_found_and_nothing_else(void **state)
{
	int found = 0, tables = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct as_diff *d = begin(AS_BY_FUNC, 20);
		struct source s = {seed};
		int others = 0;

		for (unsigned i = 0; i < 10; i++) {
			add(d, AS_BASE, timed(&s, 1));
			add(d, AS_NEW, timed(&s, 1.05));
		}
		finish(d, AS_NORM_AUTO, false);
		for (uint32_t r = 0; r < d->key.n; r++) {
			bool sure = as_diff_figure(d, r, 0, false).verdict == AS_DIFF_SURE;

			if (r == row_of(d, "f20"))
				found += sure;
			else
				others += sure;
		}
		if (seed == 1) { /* the seeded case of the acceptance */
			assert_int_equal(found, 1);
			assert_int_equal(others, 0);
		}
		tables += others > 0;
		as_diff_free(d);
	}
	assert_int_equal(found, 200);
	assert_in_range(tables, 1, 19); /* 5 % of 200 tables, and three times their spread */
}

/* ---- periods that cannot be believed ---- */

/* Of 40 programs: how often shares are compared, and rows that hold as differences. */
static void at_rates(struct sampling base, struct sampling new_, int *shares, size_t *sure)
{
	*shares = 0;
	*sure = 0;
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct as_diff *d = begin(AS_BY_FUNC, 2);
		struct source s = {seed};

		add(d, AS_BASE, sampled(&s, base));
		add(d, AS_NEW, sampled(&s, new_));
		finish(d, AS_NORM_AUTO, false);
		assert_int_equal(
			d->event[0].norm, d->event[0].is_off_rate ? AS_NORM_TOTAL : AS_NORM_TIME);
		*shares += d->event[0].is_off_rate;
		*sure += d->n_sure;
		as_diff_free(d);
	}
}

/* A kernel that ticks at 250 Hz takes 250 of the 1000 samples that were asked for. */
static void test_a_missed_rate_is_no_faster_program(void **state)
{
	static const struct sampling slow = {.hertz = 100};
	int shares;
	size_t sure;

	(void)state;
	at_rates(slow, (struct sampling){.hertz = 1000, .ticks = 250}, &shares, &sure);
	assert_int_equal(shares, 40);
	assert_in_range(sure, 0, 4);
	at_rates((struct sampling){.hertz = 1000, .ticks = 250}, slow, &shares, &sure);
	assert_int_equal(shares, 40);
	assert_in_range(sure, 0, 4);
	at_rates(slow, (struct sampling){.hertz = 500, .ticks = 300}, &shares, &sure);
	assert_int_equal(shares, 40);
	at_rates(slow, (struct sampling){.hertz = 1000}, &shares, &sure);
	assert_int_equal(shares, 0);
}

/* Most of the time is in few functions: without the largest of them the totals are far apart, but
 * only one row is. */
static void test_a_large_function_that_went_is_no_missed_rate(void **state)
{
	static const struct sampling slow = {.hertz = 100};
	int shares;
	size_t sure;

	(void)state;
	at_rates(slow, (struct sampling){.hertz = 1000, .gone = FUNCS - 1}, &shares, &sure);
	assert_int_equal(shares, 0);
	assert_in_range(sure, 40, 44); /* that function, each time */
}

/* With one period there is nothing to doubt: the program is four times as fast. */
static void test_of_one_period_time_is_believed(void **state)
{
	int shares;
	size_t sure;

	(void)state;
	at_rates((struct sampling){.hertz = 1000}, (struct sampling){.hertz = 1000, .factor = 0.25},
		&shares, &sure);
	assert_int_equal(shares, 0);
	assert_in_range(sure, 40 * (FUNCS - 20), 40 * FUNCS);
}

static void test_who_asks_for_time_gets_it_and_is_told(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);
	struct source s = {1};

	(void)state;
	add(d, AS_BASE, sampled(&s, (struct sampling){.hertz = 100}));
	add(d, AS_NEW, sampled(&s, (struct sampling){.hertz = 1000, .ticks = 250}));
	finish(d, AS_NORM_TIME, false);
	assert_int_equal(d->event[0].norm, AS_NORM_TIME);
	assert_true(d->event[0].is_off_rate);
	assert_in_range(d->n_sure, FUNCS / 2, FUNCS);
	as_diff_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_program_at_two_rates_does_not_differ),
		cmocka_unit_test(test_a_removed_function_is_found),
		cmocka_unit_test(test_five_percent_in_one_function_is_found_and_nothing_else),
		cmocka_unit_test(test_a_missed_rate_is_no_faster_program),
		cmocka_unit_test(test_a_large_function_that_went_is_no_missed_rate),
		cmocka_unit_test(test_of_one_period_time_is_believed),
		cmocka_unit_test(test_who_asks_for_time_gets_it_and_is_told),
	};

	return cmocka_run_group_tests_name("diff_noise", tests, NULL, NULL);
}
