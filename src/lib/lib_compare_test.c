/* SPDX-License-Identifier: Apache-2.0 */
/* Comparisons. */
#include "lib/lib_testing.h"

static struct assay_compare_options sides(
	struct assay_profile **base, struct assay_profile **changed)
{
	return (struct assay_compare_options){.size = sizeof(struct assay_compare_options),
		.base = base,
		.changed = changed,
		.n_base = 1,
		.n_changed = 1};
}

static struct assay_figure figure(const struct assay_comparison *cmp, size_t i, bool inclusive)
{
	struct assay_figure fig = {.size = sizeof(fig)};

	assert_int_equal(assay_comparison_figure(cmp, i, 0, inclusive, &fig), ASSAY_OK);
	return fig;
}

static void test_largest_difference_comes_first(void **state)
{
	struct assay_profile *base = profile_of("events: Ir\nfl=a.c\nfn=f\n1 5\nfn=g\n2 7\n");
	struct assay_profile *changed = profile_of("events: Ir\nfl=a.c\nfn=f\n1 6\nfn=h\n2 9\n");
	struct assay_compare_options o = sides(&base, &changed);
	struct assay_diff_event ev = {.size = sizeof(ev)};
	struct assay_diff_row row = {.size = sizeof(row)};
	struct assay_comparison *cmp;

	(void)state;
	assert_int_equal(assay_compare(&o, &cmp, NULL), ASSAY_OK);
	assert_int_equal(assay_comparison_events(cmp), 1);
	assert_int_equal(assay_comparison_event(cmp, 0, &ev), ASSAY_OK);
	assert_true(slice_is(ev.name, "Ir"));
	assert_true(ev.comparable);
	assert_int_equal(ev.norm, ASSAY_NORM_NONE);
	assert_int_equal(assay_comparison_rows(cmp), 3);
	assert_int_equal(assay_comparison_row(cmp, 0, &row), ASSAY_OK);
	assert_true(slice_is(row.function, "h"));
	assert_true(slice_is(row.file, "a.c"));
	assert_false(row.in_base);
	assert_true(row.in_changed);
	assert_int_equal(number(figure(cmp, 0, false).changed), 9);
	assert_int_equal(figure(cmp, 0, false).verdict, ASSAY_DIFF_SURE);
	assert_false(figure(cmp, 0, false).noisy);
	assert_int_equal(number(figure(cmp, ASSAY_TOTAL, false).base), 12);
	assert_int_equal(number(figure(cmp, ASSAY_TOTAL, false).changed), 15);
	assert_int_equal(assay_comparison_row(cmp, 3, &row), ASSAY_E_ARG);
	assay_comparison_free(cmp);
	assay_profile_free(base);
	assay_profile_free(changed);
}

static void test_several_runs_tell_noise(void **state)
{
	struct assay_profile *base[] = {
		profile_of("events: Ir\nfn=f\n1 100\n"), profile_of("events: Ir\nfn=f\n1 120\n")};
	struct assay_profile *changed[] = {
		profile_of("events: Ir\nfn=f\n1 110\n"), profile_of("events: Ir\nfn=f\n1 112\n")};
	struct assay_compare_options o = sides(base, changed);
	struct assay_comparison *cmp;

	(void)state;
	o.n_base = o.n_changed = 2;
	assert_int_equal(assay_compare(&o, &cmp, NULL), ASSAY_OK);
	assert_true(figure(cmp, 0, false).noisy);
	assert_int_equal(figure(cmp, 0, false).verdict, ASSAY_DIFF_NOISE);
	assert_true(figure(cmp, 0, false).low.high < 0);
	assay_comparison_free(cmp);
	for (int i = 0; i < 2; i++) {
		assay_profile_free(base[i]);
		assay_profile_free(changed[i]);
	}
}

static void test_mistakes_are_refused(void **state)
{
	struct assay_profile *base = profile_of(extended_example), *none = NULL;
	struct assay_profile *other = profile_of("events: Other\nfn=f\n1 5\n");
	struct assay_compare_options o = sides(&base, &none);
	struct assay_comparison *cmp;
	struct assay_error err;

	(void)state;
	assert_int_equal(assay_compare(NULL, &cmp, NULL), ASSAY_E_ARG);
	assert_int_equal(assay_compare(&o, &cmp, NULL), ASSAY_E_ARG);
	o.changed = &other;
	assert_int_equal(assay_compare(&o, &cmp, &err), ASSAY_E_ARG);
	o.changed = &base;
	o.event = "nothing";
	assert_int_equal(assay_compare(&o, &cmp, &err), ASSAY_E_ARG);
	assert_non_null(strstr(err.message, "no event 'nothing'"));
	o.n_base = 0;
	assert_int_equal(assay_compare(&o, &cmp, &err), ASSAY_E_ARG);
	assert_null(cmp);
	assert_int_equal(assay_comparison_rows(NULL), 0);
	assert_int_equal(assay_comparison_events(NULL), 0);
	assay_comparison_free(NULL);
	assay_profile_free(base);
	assay_profile_free(other);
}

int lib_compare_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_largest_difference_comes_first),
		cmocka_unit_test(test_several_runs_tell_noise),
		cmocka_unit_test(test_mistakes_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
