/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons of samples and of runs: what is called noise, and how often that is wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "diff/diff.h"
#include "diff/test_diff.h"
#include "diff/test_noise.h"
#include "lib/test_profiles.h"

static void has(const struct as_diff *d, const char *name, bool base, bool new_)
{
	assert_int_equal(as_diff_has(d, row_of(d, name), AS_BASE), base);
	assert_int_equal(as_diff_has(d, row_of(d, name), AS_NEW), new_);
}

static struct as_profile *two_of(as_val f, as_val g)
{
	struct as_build b;

	as_test_begin(&b, "samples");
	as_test_self(&b, as_test_func(&b, "f", "p", "a.c"), 1, f);
	as_test_self(&b, as_test_func(&b, "g", "p", "a.c"), 1, g);
	return as_test_end(&b);
}

/* -20 samples were never counted, so nothing is known of their noise. */
static void test_costs_below_0_are_no_counts(void **state)
{
	static const as_val g[] = {20, -20};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(g); i++) {
		struct as_diff *d = begin(AS_BY_FUNC, 2);
		struct as_diff_fig fig;

		add(d, AS_BASE, two_of(30, g[i]));
		add(d, AS_NEW, two_of(31, 10));
		finish(d, AS_NORM_NONE, false);
		assert_int_equal(d->event[0].noise, i ? AS_NOISE_NONE : AS_NOISE_POISSON);
		fig = as_diff_figure(d, row_of(d, "f"), 0, false);
		assert_int_equal(fig.verdict, i ? AS_DIFF_SURE : AS_DIFF_NOISE);
		as_diff_free(d);
	}
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
	double hertz;   /* as the profile's period has it */
	double ticks;   /* samples that were taken in a second; 0 = as many */
	unsigned gone;  /* a function that takes no time; 0 = none */
	double factor;  /* of all times; 0 = 1 */
	unsigned clump; /* samples that a signal brings; 0 = 1 */
	bool told;      /* and the profile says so */
};

static void say(struct as_build *b, const char *key, uint64_t n)
{
	char text[32];

	snprintf(text, sizeof(text), "%" PRIu64, n);
	assert_int_equal(
		as_build_meta_of(b, 0, as_slice_of(key), as_slice_of(text), AS_META_OF_SAMPLES),
		AS_OK);
}

static struct as_profile *sampled(struct source *s, struct sampling how)
{
	double rate = (how.ticks > 0 ? how.ticks : how.hertz) * (how.factor > 0 ? how.factor : 1);
	double clump = how.clump ? how.clump : 1, all = 0;
	struct as_build b;
	char name[16];

	as_test_begin(&b, "samples");
	b.prof->event.p[0].period = (uint64_t)(1000000 / how.hertz + 0.5);
	assert_int_equal(
		as_build_str(&b, as_slice_of("microseconds"), &b.prof->event.p[0].period_unit),
		AS_OK);
	for (unsigned f = 0; f < FUNCS; f++) {
		double n = how.gone && f == how.gone
				   ? 0
				   : clump * poisson(s, seconds_of(f) * rate / clump);

		snprintf(name, sizeof(name), "f%u", f);
		if (n > 0)
			as_test_self(&b, as_test_func(&b, name, "p", "a.c"), 1, (as_val)n);
		all += n;
	}
	if (how.told)
		say(&b, "assay: squares of their samples", (uint64_t)(clump * all));
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

/* Rows beyond their intervals, of a thousand. */
static size_t beyond_of_the_same(struct sampling how)
{
	size_t beyond = 0, judged = 0;

	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct as_diff *d = begin(AS_BY_FUNC, 2);
		struct source s = {seed};

		add(d, AS_BASE, sampled(&s, how));
		add(d, AS_NEW, sampled(&s, how));
		finish(d, AS_NORM_AUTO, false);
		beyond += d->n_beyond;
		judged += d->n_tested;
		as_diff_free(d);
	}
	assert_in_range(judged, 1000, 2400);
	return beyond * 1000 / judged;
}

static void test_samples_of_one_signal_are_one_observation(void **state)
{
	(void)state;
	assert_in_range(beyond_of_the_same((struct sampling){.hertz = 1000}), 20, 70);
	assert_in_range(
		beyond_of_the_same((struct sampling){.hertz = 1000, .clump = 4, .told = true}), 20,
		70);
	/* taken for four, they seem to differ: 0.98 sigma is beyond in 33 of 100 cases */
	assert_in_range(beyond_of_the_same((struct sampling){.hertz = 1000, .clump = 4}), 200, 400);
}

/* N samples of f, 40 of g, and 10 that came without a signal; squares of four times the others. */
static struct as_profile *clumped(as_val n, uint64_t squares, bool without)
{
	struct as_build b;

	as_test_begin(&b, "samples");
	b.prof->event.p[0].period = 1000;
	assert_int_equal(
		as_build_str(&b, as_slice_of("microseconds"), &b.prof->event.p[0].period_unit),
		AS_OK);
	as_test_self(&b, as_test_func(&b, "f", "p", "a.c"), 1, n);
	as_test_self(&b, as_test_func(&b, "g", "p", "a.c"), 1, 40);
	as_test_self(&b, as_test_func(&b, "ended", "p", "a.c"), 1, 10);
	if (squares)
		say(&b, "assay: squares of their samples", squares);
	if (without)
		say(&b, "assay: samples of threads that ended before them", 10);
	return as_test_end(&b);
}

static double clump_of(as_val n, uint64_t squares, bool without)
{
	struct as_profile *prof = clumped(n, squares, without);
	double clump = as_diff_clump(prof);

	as_profile_free(prof);
	return clump;
}

static void test_observations_are_signals(void **state)
{
	struct as_profile *prof = clumped(450, 2000, false);

	(void)state;
	assert_true(as_diff_observations(prof) * as_diff_clump(prof) == 500);
	assert_true(as_diff_clump(prof) == 4);
	as_profile_free(prof);
}

static void test_what_an_observation_brought(void **state)
{
	(void)state;
	assert_true(clump_of(400, 0, false) == 1);
	assert_true(clump_of(400, 1760, true) == 4);         /* 1760 / 440 */
	assert_true(clump_of(400, 900, false) == 2);         /* 900 / 450 */
	assert_true(clump_of(400, 3, true) == 1);            /* cannot be: a square is 1 at least */
	assert_true(clump_of(400, UINT64_MAX, true) == 440); /* nor this: one signal brought all */
}

/*
 * 400 against 500 samples of 1 ms, four a signal: 100 and 125 observations of 4 ms. By hand, with
 * Byar's limits of 100 (81.36211 ... 121.62794) and of 125 (104.04724 ... 148.93292):
 * 0.1 - 0.004 sqrt(20.95276^2 + 21.62794^2) = -0.0204515, 0.1 + 0.004 sqrt(23.93292^2 +
 * 18.63789^2) = 0.2213363. Of 400 and 500 observations it would be 0.0405490 ... 0.1596757.
 */
static void test_the_interval_of_clumps_is_wider(void **state)
{
	for (unsigned told = 0; told < 2; told++) {
		struct as_diff *d = begin(AS_BY_FUNC, 2);
		struct as_diff_fig fig;

		(void)state;
		add(d, AS_BASE, clumped(400, told ? 1760 : 0, true));
		add(d, AS_NEW, clumped(500, told ? 2160 : 0, true));
		finish(d, AS_NORM_AUTO, false);
		fig = as_diff_figure(d, row_of(d, "f"), 0, false);
		assert_true(fig.value[AS_BASE] == 400000000 && fig.value[AS_NEW] == 500000000);
		assert_in_range(fig.lo + 100000000, told ? 79548474 : 140549021,
			told ? 79548475 : 140549022);
		assert_in_range(fig.hi, told ? 221336267 : 159675715, told ? 221336268 : 159675716);
		assert_int_equal(fig.verdict, told ? AS_DIFF_NOISE : AS_DIFF_SURE);
		as_diff_free(d);
	}
}

/* What a filter leaves says nothing of signals: what the whole said holds for it. */
static void test_the_clump_of_the_whole_holds_for_a_part(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2);

	(void)state;
	d->opts.clump = 4;
	add(d, AS_BASE, clumped(400, 0, false));
	add(d, AS_NEW, clumped(500, 0, false));
	finish(d, AS_NORM_AUTO, false);
	assert_int_equal(as_diff_figure(d, row_of(d, "f"), 0, false).verdict, AS_DIFF_NOISE);
	as_diff_free(d);
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

int diff_noise_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_costs_below_0_are_no_counts),
		cmocka_unit_test(test_one_program_at_two_rates_does_not_differ),
		cmocka_unit_test(test_samples_of_one_signal_are_one_observation),
		cmocka_unit_test(test_observations_are_signals),
		cmocka_unit_test(test_what_an_observation_brought),
		cmocka_unit_test(test_the_interval_of_clumps_is_wider),
		cmocka_unit_test(test_the_clump_of_the_whole_holds_for_a_part),
		cmocka_unit_test(test_a_removed_function_is_found),
		cmocka_unit_test(test_five_percent_in_one_function_is_found_and_nothing_else),
		cmocka_unit_test(test_a_missed_rate_is_no_faster_program),
		cmocka_unit_test(test_a_large_function_that_went_is_no_missed_rate),
		cmocka_unit_test(test_of_one_period_time_is_believed),
		cmocka_unit_test(test_who_asks_for_time_gets_it_and_is_told),
	};

	return cmocka_run_group_tests_name("diff_noise", tests, NULL, NULL);
}
