/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics: values computed by hand, and what is refused at which column. */
#include "table/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "model/build.h"

/* Columns and a row of them; the totals are ten times as much, but for Dw. */
static const char *const events[] = {"Ir", "I1mr", "ILmr", "Dr", "D1mr", "DLmr", "Dw", "D1mw",
	"DLmw", "L1-misses", "L1", "2nd", "odd name"};
static const as_val row[] = {1000, 10, 2, 300, 30, 3, 0, 0, 0, 7, 5, 11, 13};
static const as_val total[] = {10000, 100, 20, 3000, 300, 30, 0, 0, 0, 70, 50, 110, 130};

static struct as_profile *profile(void)
{
	struct as_profile *prof;
	struct as_derived d = {{0}, {0}, {0}, false};
	struct as_build b;
	uint32_t n;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	for (size_t i = 0; i < AS_ARRAY_LEN(events); i++)
		assert_int_equal(
			as_build_event(&b, as_slice_of(events[i]), as_slice_of("count"), &n),
			AS_OK);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(as_build_str(&b, as_slice_of(i ? "loop" : "Sum"), &d.name), AS_OK);
		assert_int_equal(
			as_build_str(&b, as_slice_of(i ? "Ir + loop" : "Ir + 10 Dr - 2*I1mr"),
				&d.formula),
			AS_OK);
		assert_true(as_vec_push(b.prof->al, &b.prof->derived, d));
	}
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static struct as_number value(const struct as_metric *m, const as_val *v)
{
	const as_val calls = 20;

	return as_metric_value(m, &(struct as_metric_row){v, total, &calls});
}

static void test_values_are_those_computed_by_hand(void **state)
{
	static const struct {
		const char *text;
		bool whole;
		double want;
	} rows[] = {
		{"Ir", true, 1000},
		{"x=Ir", true, 1000},
		{"Ir + 10 Dr", true, 4000},
		{"Ir+10*Dr-2I1mr", true, 3980},
		{"Sum", true, 3980}, /* the profile's own */
		{"2 Sum", true, 7960},
		{"miss=D1mr/Dr", false, 0.1},
		{"100 D1mr / Dr", false, 10},
		{"Ir / (Dr - 50)", false, 4},
		{"-Ir + 1", true, -999},
		{"- (Ir - 3)", true, -997},
		{"1 - 2 - 3", true, -4},
		{"8 / 4 / 2", false, 1},
		{"2 + 3 * 4", true, 14},
		{"0.5 Ir", false, 500},
		{"total(Dr)", true, 3000},
		{"percent(Dr)", false, 10},
		{"each=Ir/calls", false, 50},
		{"percent(Ir + Dr)", false, 10},
		{"Dr / total(Ir + Dr)", false, 300.0 / 13000},
		{"L1-misses", true, 7}, /* the longest name */
		{"L1 - Ir", true, -995},
		{"L1-misses - L1", true, 2},
		{"\"2nd\" + 1", true, 12},
		{"\"odd name\"", true, 13},
		{"odd name", true, 13},
		{"L1m", true, 40}, /* ready, I1mr + D1mr + D1mw */
		{"LLm", true, 5},
		{"CEst", true, 1000 + 10 * 40 + 100 * 5}, /* no branches, no second cache here */
		{"I1-miss-rate", false, 0.01},
		{"D1-miss-rate", false, 0.1},
		{"LL-miss-rate", false, 5.0 / 1300},
	};
	struct as_profile *prof = profile();

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(rows); i++) {
		struct as_metric m;
		struct as_err err;
		struct as_number n;

		as_err_clear(&err);
		if (as_metric_parse(prof, prof->al, as_slice_of(rows[i].text), &m, &err) != AS_OK)
			fail_msg("%s: %s", rows[i].text, err.msg);
		n = value(&m, row);
		if (!n.known || n.whole != rows[i].whole || n.x - rows[i].want > 1e-9 ||
			rows[i].want - n.x > 1e-9)
			fail_msg("%s: %g, wanted %g", rows[i].text, n.x, rows[i].want);
		as_metric_release(&m);
	}
	as_profile_free(prof);
}

static void test_division_by_zero_is_not_known_whatever_follows(void **state)
{
	static const char *const texts[] = {"Ir / Dw", "1 + Ir / Dw", "Dw / Dw", "percent(Dw)",
		"0 * (1 / Dw)", "Ir / (Dr - 300)"};
	struct as_profile *prof = profile();

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++) {
		struct as_metric m;

		assert_int_equal(
			as_metric_parse(prof, prof->al, as_slice_of(texts[i]), &m, NULL), AS_OK);
		assert_false(value(&m, row).known);
		as_metric_release(&m);
	}
	as_profile_free(prof);
}

static void test_calls_may_not_be_known(void **state)
{
	struct as_profile *prof = profile();
	struct as_metric m;

	(void)state;
	assert_int_equal(as_metric_parse(prof, prof->al, as_slice_of("Ir/calls"), &m, NULL), AS_OK);
	assert_false(as_metric_value(&m, &(struct as_metric_row){row, total, NULL}).known);
	as_metric_release(&m);
	as_profile_free(prof);
}

static void test_sums_are_exact_as_long_as_they_fit(void **state)
{
	as_val big[AS_ARRAY_LEN(events)] = {((as_val)1 << 100) + 1};
	struct as_profile *prof = profile();
	struct as_metric m;
	struct as_number n;

	(void)state;
	assert_int_equal(as_metric_parse(prof, prof->al, as_slice_of("2 Ir + 1"), &m, NULL), AS_OK);
	n = value(&m, big);
	assert_true(n.whole && n.n == ((as_val)1 << 101) + 3);
	big[0] = ((as_val)1 << 126) + 1;
	n = value(&m, big);
	assert_true(n.known && !n.whole && n.x > 1.7e38 && n.x < 1.8e38);
	as_metric_release(&m);
	as_profile_free(prof);
}

/* Ir to the twelfth is beyond all fractions, and nothing that is made of it is a number. */
static void test_what_is_too_large_is_not_known(void **state)
{
	static const char *const texts[] = {"Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir",
		"0 * (Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir)",
		"1 / (Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir*Ir)"};
	as_val big[AS_ARRAY_LEN(events)] = {(as_val)1 << 100};
	struct as_profile *prof = profile();
	struct as_metric m;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(texts); i++) {
		assert_int_equal(
			as_metric_parse(prof, prof->al, as_slice_of(texts[i]), &m, NULL), AS_OK);
		assert_false(value(&m, big).known);
		as_metric_release(&m);
	}
	as_profile_free(prof);
}

static void test_what_is_wrong_is_told_with_its_column(void **state)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{"x=Dr/Foo", "column 6: 'Foo' is no event; there are: Ir, I1mr"},
		{"x=", "column 3: expected an event, a number or '('"},
		{"=Ir", "column 1: expected a name before '='"},
		{"(Ir", "column 4: expected ')'"},
		{"Ir)", "column 3: expected an operator"},
		{"Ir + * Dr", "column 6: '*' is no event"},
		{"Ir ,", "column 4: expected an operator"},
		{"\"Ir", "column 1: the quotes are not closed"},
		{"99999999999999999999", "column 1: the number is too large"},
		{"1.2.3", "column 1: that is no number"},
		{"loop", "the formula of 'loop': it is made of itself"},
		{"total(calls)", "column 12: calls have no total"},
		{"CPI", "column 1: 'CPI' needs the events cycles instructions; there "
			"are: "}, /* needs cycles */
		{"((((((((((((((((((((((((((((((((((Ir", "too deep"},
	};
	struct as_profile *prof = profile();

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(rows); i++) {
		struct as_metric m;
		struct as_err err;

		as_err_clear(&err);
		assert_int_equal(
			as_metric_parse(prof, prof->al, as_slice_of(rows[i].text), &m, &err),
			AS_E_ARG);
		if (!strstr(err.msg, rows[i].want))
			fail_msg("%s: %s", rows[i].text, err.msg);
		as_metric_release(&m);
	}
	as_profile_free(prof);
}

static void test_what_is_not_known_comes_last(void **state)
{
	struct as_number a = {true, true, 5, 5}, b = {true, false, 0, 4.5},
			 c = {false, false, 0, 0};

	(void)state;
	assert_true(as_number_cmp(a, b) < 0 && as_number_cmp(b, a) > 0);
	assert_true(as_number_cmp(b, c) < 0 && as_number_cmp(c, b) > 0);
	assert_int_equal(as_number_cmp(c, c), 0);
	assert_int_equal(as_number_cmp(a, a), 0);
}

int metric_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_values_are_those_computed_by_hand),
		cmocka_unit_test(test_division_by_zero_is_not_known_whatever_follows),
		cmocka_unit_test(test_calls_may_not_be_known),
		cmocka_unit_test(test_sums_are_exact_as_long_as_they_fit),
		cmocka_unit_test(test_what_is_too_large_is_not_known),
		cmocka_unit_test(test_what_is_wrong_is_told_with_its_column),
		cmocka_unit_test(test_what_is_not_known_comes_last),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
