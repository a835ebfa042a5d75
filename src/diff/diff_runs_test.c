/* SPDX-License-Identifier: Apache-2.0 */
/* Several runs of samples on each side: how often chance is called more than that. bench/noise.py
 * makes the whole table, through files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "diff/gate.h"
#include "diff/test_diff.h"
#include "diff/test_noise.h"
#include "lib/test_profiles.h"

enum { FUNCS = 80, SMALL = 70, DRAWS = 40, RUNS = 5 };

/* Of 40 tables in which nothing changed, each with a chance of 5 %, more than 7 have a row that is
 * sure in 1 of 500 cases. */
enum { ALARMS = 7 };

/* Samples that a run has of a function: of most 1 to 5, of some up to 2000. */
static double mean_of(unsigned f)
{
	return f < SMALL ? 1 + f % 5 : 20 * (f - SMALL + 1) * (f - SMALL + 1);
}

/* One run; function SLOW + 1 takes FACTOR times as long. */
static struct as_profile *run_of(struct source *s, bool timed, unsigned slow, double factor)
{
	struct as_build b;
	char name[16];

	as_test_begin(&b, "samples");
	b.prof->event.p[0].period = timed ? 10000 : 0;
	if (timed)
		assert_int_equal(as_build_str(&b, as_slice_of("microseconds"),
					 &b.prof->event.p[0].period_unit),
			AS_OK);
	for (unsigned f = 0; f < FUNCS; f++) {
		double n = poisson(s, mean_of(f) * (f + 1 == slow ? factor : 1));

		snprintf(name, sizeof(name), "f%u", f);
		if (n > 0)
			as_test_self(&b, as_test_func(&b, name, "p", "a.c"), 1, (as_val)n);
	}
	return as_test_end(&b);
}

struct way {
	enum as_norm norm;
	unsigned runs, slow;
	double factor;
};

static struct as_diff *draw(struct source *s, struct way w)
{
	struct as_diff *d = begin(AS_BY_FUNC, 2 * w.runs);
	bool timed = w.norm == AS_NORM_TIME;

	for (unsigned side = 0; side < AS_SIDES; side++)
		for (unsigned i = 0; i < w.runs; i++)
			add(d, (enum as_side)side,
				run_of(s, timed, side == AS_NEW ? w.slow : 0, w.factor));
	finish(d, w.norm, false);
	return d;
}

static bool trips(const struct as_diff *d, const char *expr)
{
	struct as_gate_result r;
	struct as_gate g;
	bool trips;

	assert_int_equal(as_gate_parse(&g, &as_alloc_libc, as_slice_of(expr), NULL), AS_OK);
	assert_int_equal(as_gate_eval(&g, d, &r), AS_OK);
	trips = r.verdict == AS_GATE_TRIP;
	as_gate_free(&g);
	return trips;
}

static void test_nothing_changed_and_nothing_is_sure(void **state)
{
	static const enum as_norm norms[] = {AS_NORM_NONE, AS_NORM_TOTAL, AS_NORM_TIME};

	(void)state;
	for (size_t k = 0; k < AS_ARRAY_LEN(norms); k++)
		for (unsigned runs = 1; runs <= RUNS; runs++) {
			struct source s = {100 * k + runs};
			size_t alarms = 0, gates = 0;

			for (unsigned i = 0; i < DRAWS; i++) {
				struct as_diff *d = draw(&s, (struct way){norms[k], runs, 0, 1});

				alarms += d->n_sure > 0;
				gates += trips(d, "self(samples,'f79') > +0%");
				as_diff_free(d);
			}
			assert_in_range(alarms, 0, ALARMS);
			assert_in_range(gates, 0, ALARMS / 2 + 1); /* one side of the interval */
		}
}

/* What is not chance is still found: twice as long, of 500 samples a run. */
static void test_a_function_that_doubled_is_found(void **state)
{
	static const size_t least[RUNS + 1] = {0, DRAWS, 0, DRAWS * 8 / 10, DRAWS, DRAWS};

	(void)state;
	for (unsigned runs = 1; runs <= RUNS; runs++) {
		struct source s = {7 + runs};
		size_t found = 0;

		for (unsigned i = 0; i < DRAWS; i++) {
			struct as_diff *d = draw(&s, (struct way){AS_NORM_NONE, runs, 75, 2});

			found += d->verdict[row_of(d, "f74")] == AS_DIFF_SURE;
			as_diff_free(d);
		}
		assert_in_range(found, least[runs], DRAWS);
	}
}

/* Runs that are alike by chance, 1 and 1 against 2 and 2, are no proof. */
static void test_counts_that_happen_to_be_alike_prove_nothing(void **state)
{
	struct as_diff *d = begin(AS_BY_FUNC, 4);
	struct as_diff_fig fig;

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct as_build b;

		as_test_begin(&b, "samples");
		b.prof->event.p[0].period = 10000;
		assert_int_equal(as_build_str(&b, as_slice_of("microseconds"),
					 &b.prof->event.p[0].period_unit),
			AS_OK);
		as_test_self(&b, as_test_func(&b, "g", "p", "a.c"), 1, i < 2 ? 1 : 2);
		add(d, i < 2 ? AS_BASE : AS_NEW, as_test_end(&b));
	}
	finish(d, AS_NORM_NONE, false);
	fig = as_diff_figure(d, row_of(d, "g"), 0, false);
	assert_int_equal(fig.verdict, AS_DIFF_NOISE);
	/* As 2 samples against 4, each worth a half: Byar's limits of 2 are 0.22 and 7.22, those of
	 * 4 are 1.08 and 10.24, so half of 2 - sqrt(2.92^2 + 5.22^2) and
	 * 2 + sqrt(6.24^2 + 1.78^2). */
	assert_int_equal(d->event[0].decimals, 3);
	assert_in_range(-fig.lo, 1980, 2000);
	assert_in_range(fig.hi, 4240, 4250);
	assert_false(trips(d, "self(samples,'g') > +50%"));
	as_diff_free(d);
}

int diff_runs_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_changed_and_nothing_is_sure),
		cmocka_unit_test(test_a_function_that_doubled_is_found),
		cmocka_unit_test(test_counts_that_happen_to_be_alike_prove_nothing),
	};

	return cmocka_run_group_tests_name("diff_runs", tests, NULL, NULL);
}
