/* SPDX-License-Identifier: Apache-2.0 */
/* Gates: what passes, trips, cannot be judged, and is no expression. */
#include "diff/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

struct one {
	const char *name;
	as_val cost[AS_SIDES]; /* -1: not there */
};

static const struct one exact[] = {
	{"f", {1000, 1010}},
	{"slow", {200, 300}},
	{"fast", {400, 100}},
	{"gone", {50, -1}},
	{"added", {-1, 70}},
	{"same", {5, 5}},
	{"zero", {0, 0}},
	{NULL, {0, 0}},
}; /* 1655 -> 1485: -10.27 % */

static struct as_profile *profile(
	const char *events, uint64_t period, const struct one *rows, enum as_side side)
{
	struct as_build b;

	as_test_begin(&b, events);
	for (uint32_t e = 0; e < as_n_events(b.prof); e++) {
		b.prof->event.p[e].period = period;
		assert_int_equal(as_build_str(&b, as_slice_of(period ? "microseconds" : ""),
					 &b.prof->event.p[e].period_unit),
			AS_OK);
	}
	for (; rows->name; rows++)
		if (rows->cost[side] >= 0)
			as_test_self(&b, as_test_func(&b, rows->name, "/lib/p.so", "a.c"), 1,
				rows->cost[side]);
	return as_test_end(&b);
}

static struct as_diff *compare(const char *base_events, const char *new_events, uint64_t period,
	const struct one *rows, enum as_norm norm)
{
	const char *const events[] = {base_events, new_events};
	struct as_diff_opts opts = {.by = AS_BY_FUNC, .n_runs = 2};
	struct as_diff *d;

	assert_int_equal(as_diff_begin(&d, &as_alloc_libc, &opts, NULL), AS_OK);
	for (unsigned side = 0; side < AS_SIDES; side++) {
		struct as_profile *prof = profile(events[side], period, rows, side);

		assert_int_equal(as_diff_add(d, side, prof, as_slice_of("x"), NULL), AS_OK);
		as_profile_free(prof);
	}
	assert_int_equal(as_diff_scale(d, norm, UINT32_MAX, NULL), AS_OK);
	assert_int_equal(as_diff_sort(d, 0, false, NULL), AS_OK);
	return d;
}

struct gate_case {
	const char *text;
	enum as_gate_verdict want;
	const char *why; /* a piece of the first reason; NULL: none */
};

static void judge(const struct as_diff *d, const struct gate_case *c)
{
	struct as_expression_names names = as_gate_names(d);
	struct as_metric metric;
	struct as_gate g;
	struct as_gate_result r;

	assert_int_equal(as_gate_parse(&g, &as_alloc_libc, as_slice_of(c->text), NULL), AS_OK);
	g.n_metrics = as_expression_parse(&names, &as_alloc_libc, as_slice_of("rate = Dr / Ir"),
			      &metric, NULL) == AS_OK;
	g.metric = &metric;
	assert_int_equal(as_gate_eval(&g, d, &r), AS_OK);
	if (r.verdict != c->want)
		fail_msg("%s: verdict %d, wanted %d", c->text, r.verdict, c->want);
	if (c->why && as_slice_find_text(r.check[0].why, c->why) == r.check[0].why.len)
		fail_msg("%s: '%.*s'", c->text, AS_SLICE_FMT(r.check[0].why));
	as_metric_release(&metric);
	as_gate_free(&g);
}

static void test_exact_counts(void **state)
{
	static const struct gate_case row[] = {
		/* the total: 1655 -> 1485 */
		{"total(Ir) > +1%", AS_GATE_PASS, NULL},
		{"total(Ir) < -10%", AS_GATE_TRIP, NULL},
		{"total(Ir)\n\t< -10%\r\n", AS_GATE_TRIP, NULL},
		{"total(Ir) < -10.27%", AS_GATE_TRIP, NULL},
		{"total(Ir) < -10.28%", AS_GATE_PASS, NULL},
		{"|total(Ir)| > 10%", AS_GATE_TRIP, NULL},
		{"|total(Ir)| > 11%", AS_GATE_PASS, NULL},
		{"|total(Ir)| >= 170", AS_GATE_TRIP, NULL},
		{"|total(Ir)| > 170", AS_GATE_PASS, NULL},
		{"total(Ir) > 1484", AS_GATE_TRIP, NULL},
		{"total(Ir) > 1485", AS_GATE_PASS, NULL},
		{"total(Ir) >= 1485", AS_GATE_TRIP, NULL},
		{"total(Ir) > 1.484k", AS_GATE_TRIP, NULL},
		{"total(Ir) > 1M", AS_GATE_PASS, NULL},
		{"total(Ir) < -169", AS_GATE_TRIP, NULL},
		{"total(Ir) <= -170", AS_GATE_TRIP, NULL},
		{"total(Ir) < -170", AS_GATE_PASS, NULL},
		/* f: 1000 -> 1010, just 1 % */
		{"self(Ir, 'f') > +1%", AS_GATE_PASS, NULL},
		{"self(Ir, 'f') >= +1%", AS_GATE_TRIP, NULL},
		{"self(Ir, 'f') > 1%", AS_GATE_PASS, NULL},
		{"self(Ir, 'f') > 0.999999999%", AS_GATE_TRIP, NULL},
		{"self(Ir, 'f') > +9", AS_GATE_TRIP, NULL},
		{"self(Ir, \"f\") > +10", AS_GATE_PASS, NULL},
		{"self(Ir, 'f.isra.0') >= +10", AS_GATE_TRIP, NULL},
		{"self(Ir, 'slow', 'p.so') > +49%", AS_GATE_TRIP, NULL},
		{"|self(Ir, 'fast')| > 50%", AS_GATE_TRIP, NULL},
		{"self(Ir, 'fast') > +0%", AS_GATE_PASS, NULL},
		/* from nothing, more than any percentage */
		{"self(Ir, 'added') > +1000%", AS_GATE_TRIP, NULL},
		{"self(Ir, 'added') < -1%", AS_GATE_PASS, NULL},
		{"self(Ir, 'zero') > +0%", AS_GATE_PASS, NULL},
		{"self(Ir, 'zero') >= +5%", AS_GATE_PASS, NULL},
		{"|self(Ir, 'zero')| >= 5%", AS_GATE_PASS, NULL},
		/* never passes */
		{"self(Ir, 'gone') > +1%", AS_GATE_TRIP, "vanished"},
		{"self(Ir, 'gone') > 1000000", AS_GATE_TRIP, "vanished"},
		{"self(Ir, 'nobody') > +1%", AS_GATE_TRIP, "neither"},
		{"self(Ir, 'slow', 'other.so') > +1%", AS_GATE_TRIP, "neither"},
		{"self(Ir, 'gone') > 5 and total(Ir) > 1G", AS_GATE_TRIP, "vanished"},
		{"total(Ir) > 1G and self(Ir, 'gone') > 5", AS_GATE_TRIP, NULL},
		{"total(Cycles) > +1%", AS_GATE_INCOMPARABLE, "no profile has the event"},
		{"total(ir) > +1%", AS_GATE_INCOMPARABLE, "no profile has the event"},
		{"total(Ir) > 1 or total(X) > 1", AS_GATE_INCOMPARABLE, NULL},
		{"total(Ir) > 1G and total(X) > 1", AS_GATE_INCOMPARABLE, NULL},
		{"incl(Ir, 'f') > +1%", AS_GATE_INCOMPARABLE, "inclusive"},
		{"total(Ir) > 5s", AS_GATE_INCOMPARABLE, "no time"},
		/* and, or, brackets */
		{"total(Ir) > 5 and total(Ir) > 1G", AS_GATE_PASS, NULL},
		{"total(Ir) > 5 or total(Ir) > 1G", AS_GATE_TRIP, NULL},
		{"total(Ir)>5&&total(Ir)>6", AS_GATE_TRIP, NULL},
		{"total(Ir)>1G||total(Ir)>6", AS_GATE_TRIP, NULL},
		{"total(Ir) > 5 or total(Ir) > 5 and total(Ir) > 1G", AS_GATE_TRIP, NULL},
		{"(total(Ir) > 5 or total(Ir) > 5) and total(Ir) > 1G", AS_GATE_PASS, NULL},
		{"((total(Ir) > 5))", AS_GATE_TRIP, NULL},
		{" \ttotal ( 'Ir' ) > 5 ", AS_GATE_TRIP, NULL},
	};
	struct as_diff *d = compare("Ir", "Ir", 0, exact, AS_NORM_AUTO);

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		judge(d, &row[i]);
	as_diff_free(d);
}

/* 100 samples in a second are known to +-20 %; those of a total of 10,000 to +-2 %. */
static const struct one sampled[] = {
	{"big", {8000, 9600}},
	{"small", {100, 130}},
	{"twice", {100, 200}},
	{NULL, {0, 0}},
};

static void test_samples_trip_if_the_whole_interval_is_beyond(void **state)
{
	static const struct gate_case row[] = {
		{"self(samples, 'big') > +10%", AS_GATE_TRIP, NULL},
		{"self(samples, 'big') > +19%", AS_GATE_NOISE, NULL},
		{"self(samples, 'big') > +21%", AS_GATE_PASS, NULL},
		{"self(samples, 'small') > +1%", AS_GATE_NOISE, NULL},
		{"self(samples, 'small') > +31%", AS_GATE_PASS, NULL},
		{"|self(samples, 'small')| > 1%", AS_GATE_NOISE, NULL},
		{"self(samples, 'twice') > +50%", AS_GATE_TRIP, NULL},
		{"|self(samples, 'twice')| > 50%", AS_GATE_TRIP, NULL},
		{"self(samples, 'twice') > +0.5s", AS_GATE_TRIP, NULL},
		{"self(samples, 'twice') > +900ms", AS_GATE_NOISE, NULL},
		{"self(samples, 'twice') > 1.7s", AS_GATE_TRIP, NULL},
		{"self(samples, 'twice') > 1.9s", AS_GATE_NOISE, NULL},
		{"self(samples, 'twice') > 2.1s", AS_GATE_PASS, NULL},
		{"self(samples, 'twice') > 150", AS_GATE_INCOMPARABLE, "the limit needs a unit"},
		{"self(samples, 'twice') > +50", AS_GATE_INCOMPARABLE, "the limit needs a unit"},
		{"self(samples, 'twice') > +0", AS_GATE_TRIP, NULL},
		{"total(samples) > +10%", AS_GATE_TRIP, NULL},
		{"self(samples, 'big') > +10% and self(samples, 'small') > +1%", AS_GATE_NOISE,
			NULL},
		{"self(samples, 'big') > +10% or self(samples, 'small') > +1%", AS_GATE_TRIP, NULL},
	};
	struct as_diff *d = compare("samples", "samples", 10000, sampled, AS_NORM_AUTO);

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		judge(d, &row[i]);
	as_diff_free(d);
}

static void test_totals_by_the_rule_are_no_gate(void **state)
{
	static const struct gate_case row[] = {
		{"total(samples) > +1%", AS_GATE_INCOMPARABLE, "all totals are the same"},
		{"self(samples, 'twice') > +20%", AS_GATE_TRIP, NULL},
	};
	struct as_diff *d = compare("samples", "samples", 10000, sampled, AS_NORM_TOTAL);

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		judge(d, &row[i]);
	as_diff_free(d);
}

static void test_events_of_one_side_cannot_be_judged(void **state)
{
	static const struct gate_case row[] = {
		{"total(Ir) > +1%", AS_GATE_INCOMPARABLE, "only BASE has the event 'Ir'"},
		{"total(Dw) > +1%", AS_GATE_INCOMPARABLE, "not every run"},
		{"total(Dr) > +1%", AS_GATE_TRIP, NULL}, /* 0 -> 1485 */
		{"total(Dr) > 1485", AS_GATE_PASS, NULL},
	};
	struct as_diff *d = compare("Ir Dr", "Dr Dw", 0, exact, AS_NORM_AUTO);

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		judge(d, &row[i]);
	as_diff_free(d);
}

static void test_damaged_input_cannot_be_judged(void **state)
{
	static const struct gate_case row = {
		"total(Ir) > 1G", AS_GATE_INCOMPARABLE, "an input is not whole"};
	struct as_diff *d = compare("Ir", "Ir", 0, exact, AS_NORM_AUTO);

	(void)state;
	d->is_partial = true;
	judge(d, &row);
	as_diff_free(d);
}

/* Events Ir and Dr of f and g; of several runs. */
static struct as_diff *compare_runs(const as_val (*cost)[2][2], unsigned runs)
{
	struct as_diff_opts opts = {.by = AS_BY_FUNC, .n_runs = 2 * runs};
	struct as_diff *d;

	assert_int_equal(as_diff_begin(&d, &as_alloc_libc, &opts, NULL), AS_OK);
	for (unsigned i = 0; i < 2 * runs; i++) {
		enum as_side side = i < runs ? AS_BASE : AS_NEW;
		struct as_profile *prof;
		struct as_build b;

		as_test_begin(&b, "Ir Dr");
		for (unsigned f = 0; f < 2; f++) {
			struct as_pos pos = {.line = 1};

			pos.func = as_test_func(&b, f ? "g" : "f", "p", "a.c");
			assert_int_equal(as_build_self(&b, 0, &pos, cost[i][f], 2), AS_OK);
		}
		prof = as_test_end(&b);
		assert_int_equal(as_diff_add(d, side, prof, as_slice_of("x"), NULL), AS_OK);
		as_profile_free(prof);
	}
	assert_int_equal(as_diff_scale(d, AS_NORM_AUTO, UINT32_MAX, NULL), AS_OK);
	assert_int_equal(as_diff_sort(d, 0, false, NULL), AS_OK);
	return d;
}

/* Dr / Ir of f: 0.1 -> 0.125, of all: 0.2 -> 0.25. */
static const as_val quotients[][2][2] = {{{1000, 100}, {500, 200}}, {{800, 100}, {800, 300}}};

static void test_metrics_are_named_like_events(void **state)
{
	static const struct gate_case row[] = {
		{"total(rate) > +24%", AS_GATE_TRIP, NULL},
		{"total(rate) >= +25%", AS_GATE_TRIP, NULL},
		{"total(rate) > +25%", AS_GATE_PASS, NULL},
		{"total(rate) > +0.05", AS_GATE_PASS, NULL},
		{"total(rate) >= +0.05", AS_GATE_TRIP, NULL},
		{"total(rate) > 0.249999999", AS_GATE_TRIP, NULL},
		{"total(rate) > 0.25", AS_GATE_PASS, NULL},
		{"|total(rate)| > 20%", AS_GATE_TRIP, NULL},
		{"self(rate, 'f') >= +25%", AS_GATE_TRIP, NULL},
		{"self(rate, 'f') < 0.126 and total(Ir) > 5", AS_GATE_TRIP, NULL},
		/* formulas, and one that is whole: 1500 + 2 * 300 -> 1600 + 2 * 400 */
		{"self('100 Dr / Ir', 'g') < -6%", AS_GATE_TRIP, NULL}, /* 40 -> 37.5 */
		{"self('100 Dr / Ir', 'g') < -6.25%", AS_GATE_PASS, NULL},
		{"total('Ir + 2 Dr') > 2399", AS_GATE_TRIP, NULL},
		{"total('Ir + 2 Dr') > 2400", AS_GATE_PASS, NULL},
		{"total('Ir + 2 Dr') >= +300", AS_GATE_TRIP, NULL},
		{"self('percent(Ir)', 'f') < -16%", AS_GATE_TRIP, NULL}, /* 66.7 -> 50 */
		/* never passes */
		{"self(rate, 'nobody') > 1", AS_GATE_TRIP, "neither"},
		{"incl(rate, 'f') > 1", AS_GATE_INCOMPARABLE, "inclusive"},
		{"total(rate) > 5ms", AS_GATE_INCOMPARABLE, "no time"},
		{"total('Ir / calls') > 1", AS_GATE_INCOMPARABLE, "calls"},
		{"total('Ir / (Dr - 300)') > 1", AS_GATE_INCOMPARABLE, "in BASE"},
		{"total('Ir / (Dr - 400)') > 1", AS_GATE_INCOMPARABLE, "in NEW"},
		{"total('Ir + Dw') > 1", AS_GATE_INCOMPARABLE, "no profile has the event"},
		{"total('Ir +') > 1", AS_GATE_INCOMPARABLE, "no profile has the event"},
		{"total('5') > 1", AS_GATE_INCOMPARABLE, "no profile has the event"},
		{"total(CPI) > 1", AS_GATE_INCOMPARABLE, "no profile has the event"},
	};
	struct as_diff *d = compare_runs(quotients, 1);

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		judge(d, &row[i]);
	as_diff_free(d);
}

/* Quotients of 0.10, 0.11 and 0.12 against 0.20, 0.21 and 0.22; Ir is anything. */
static void test_metrics_of_several_runs_have_noise(void **state)
{
	static const as_val cost[][2][2] = {{{1000, 100}, {0, 0}}, {{2000, 220}, {0, 0}},
		{{500, 60}, {0, 0}}, {{900, 180}, {0, 0}}, {{3000, 630}, {0, 0}},
		{{1000, 220}, {0, 0}}};
	static const struct gate_case row[] = {
		{"total(rate) > +50%", AS_GATE_TRIP, NULL},
		{"total(rate) > +85%", AS_GATE_NOISE, NULL},
		{"total(rate) > +100%", AS_GATE_PASS, NULL},
		{"total(rate) > +0.07", AS_GATE_TRIP, NULL},
		{"total(rate) > +0.09", AS_GATE_NOISE, NULL},
		{"|total(rate)| > 50%", AS_GATE_TRIP, NULL},
		{"total('Dr / Dr') > 0.5", AS_GATE_TRIP, NULL}, /* all alike */
		{"total('Dr / Dr') > +0%", AS_GATE_PASS, NULL},
	};
	struct as_diff *d = compare_runs(cost, 3);

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++)
		judge(d, &row[i]);
	as_diff_free(d);
}

static void test_the_noise_of_metrics_of_samples_is_not_known(void **state)
{
	static const struct gate_case row = {
		"total('2 samples') > 1", AS_GATE_INCOMPARABLE, "'samples' is sampled: the noise"};
	struct as_diff *d = compare("samples", "samples", 10000, sampled, AS_NORM_AUTO);

	(void)state;
	judge(d, &row);
	as_diff_free(d);
}

static void test_malformed_expressions_say_where(void **state)
{
	static const struct {
		const char *text;
		size_t at;
		const char *what;
	} row[] = {
		{"", 0, "no condition"},
		{"   ", 0, "no condition"},
		{"totl(Ir) > 1", 0, "expected total(...)"},
		{"total Ir", 6, "expected '('"},
		{"total()", 6, "expected an event"},
		{"total(Ir", 8, "expected ')'"},
		{"total(Ir > 1", 9, "expected ')'"},
		{"total(Ir)", 9, "expected >"},
		{"total(Ir) = 1", 10, "expected >"},
		{"total(Ir) >", 11, "expected a number"},
		{"total(Ir) > x", 12, "expected a number"},
		{"total(Ir) > nan", 12, "expected a number"},
		{"total(Ir) > +inf", 13, "expected a number"},
		{"total(Ir) > +", 13, "expected a number"},
		{"total(Ir) > 1.2.3", 15, "expected 'and'"},
		{"total(Ir) > 1q", 13, "expected %"},
		{"total(Ir) > 1% x", 15, "expected 'and'"},
		{"total(Ir) > 1 and", 17, "expected total(...)"},
		{"total(Ir) > 1 && ", 16, "expected total(...)"},
		{"total(Ir) > 1 xor total(Ir) > 2", 14, "expected 'and'"},
		{"(total(Ir) > 1", 0, "this bracket is not closed"},
		{"total(Ir) > 1)", 13, "expected 'and'"},
		{"self(Ir) > 1", 7, "expected ',' and a function"},
		{"self(Ir, f) > 1", 9, "name in quotes"},
		{"self(Ir, 'f) > 1", 9, "this quote is not closed"},
		{"self(Ir, '') > 1", 9, "no name between"},
		{"self(Ir, 'f', p) > 1", 14, "object's name in quotes"},
		{"|total(Ir) > 1", 11, "expected the second '|'"},
		{"|total(Ir)| < 1", 12, "only > and >="},
		{"|total(Ir)| > -1%", 14, "never below 0"},
		{"total(Ir) < -101%", 12, "more than 100 %"},
		{"total(Ir) > 1234567890123456", 12, "too many digits"},
		{"total(Ir) > 0.1234567891", 12, "too many digits"},
		{"total(Ir) > +0.5ns", 16, "finer than a nanosecond"},
		{"total(Ir) > 7.1234us", 18, "finer than a nanosecond"},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(row); i++) {
		struct as_gate g;
		struct as_err err;
		struct as_slice text = as_slice_of(row[i].text);

		as_err_clear(&err);
		assert_int_equal(as_gate_parse(&g, &as_alloc_libc, text, &err), AS_E_ARG);
		if (err.off != row[i].at || !strstr(err.msg, row[i].what))
			fail_msg("%s: at %d: %s", row[i].text, (int)err.off, err.msg);
		as_gate_free(&g);
	}
}

static void test_deep_brackets_are_refused(void **state)
{
	char text[200];
	struct as_gate g;
	struct as_err err;

	(void)state;
	memset(text, '(', sizeof(text) - 1);
	text[sizeof(text) - 1] = 0;
	as_err_clear(&err);
	assert_int_equal(as_gate_parse(&g, &as_alloc_libc, as_slice_of(text), &err), AS_E_ARG);
	assert_non_null(strstr(err.msg, "too deeply"));
	as_gate_free(&g);
}

/* Any start of an expression is one, or is refused: nothing is read beyond its end. */
static void test_cut_expressions_end(void **state)
{
	static const char text[] =
		"(|self('Ir', \"f\", 'p.so')| >= 1.5% or total(Ir) > +1k) and incl(Ir,'g') < -5ms";

	(void)state;
	for (size_t n = 0; n <= sizeof(text) - 1; n++) {
		struct as_gate g;
		struct as_err err;
		enum as_code rc;

		as_err_clear(&err);
		rc = as_gate_parse(&g, &as_alloc_libc, (struct as_slice){text, n}, &err);
		assert_true(rc == AS_OK || (rc == AS_E_ARG && err.off <= n));
		as_gate_free(&g);
	}
}

int gate_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact_counts),
		cmocka_unit_test(test_samples_trip_if_the_whole_interval_is_beyond),
		cmocka_unit_test(test_totals_by_the_rule_are_no_gate),
		cmocka_unit_test(test_events_of_one_side_cannot_be_judged),
		cmocka_unit_test(test_damaged_input_cannot_be_judged),
		cmocka_unit_test(test_metrics_are_named_like_events),
		cmocka_unit_test(test_metrics_of_several_runs_have_noise),
		cmocka_unit_test(test_the_noise_of_metrics_of_samples_is_not_known),
		cmocka_unit_test(test_malformed_expressions_say_where),
		cmocka_unit_test(test_deep_brackets_are_refused),
		cmocka_unit_test(test_cut_expressions_end),
	};

	return cmocka_run_group_tests_name("gate", tests, NULL, NULL);
}
