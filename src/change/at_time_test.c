/* SPDX-License-Identifier: Apache-2.0 */
#include "change/transform.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "base/date.h"
#include "lib/test_profiles.h"

enum { SEEDS = 40 };
#define BEGIN INT64_C(1600000000123000000)

static void expect_all_at_begin(const struct as_profile *prof, const struct as_profile *src)
{
	struct as_moments_cur cur;
	as_val sum[8] = {0};
	int64_t begin;

	assert_true(as_date_to_nanos(as_str_get(prof, prof->epoch), &begin) && begin == BEGIN);
	as_moments_begin(&cur, &prof->moments);
	while (as_moments_next(&cur)) {
		assert_true(cur.at.time == 0 && cur.at.duration == 0);
		sum[cur.at.event] += cur.at.value;
	}
	for (uint32_t k = 0; k < as_n_events(src); k++)
		assert_true(sum[k] == src->total[k]);
}

static void test_all_cost_is_at_the_beginning(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *out,
			*src = as_test_random(seed, AS_TEST_PATHS | AS_TEST_SELF | AS_TEST_RARE);
		struct as_err err;

		assert_int_equal(as_at_time(src, BEGIN, 60, &out, &err), AS_OK);
		assert_true(out->duration == 60 && !out->self.n);
		expect_all_at_begin(out, src);
		for (unsigned by = AS_BY_FUNC; by <= AS_BY_FILEFUNC; by++) {
			struct as_test_sums a = {0}, b = {0};

			as_test_sum(&a, src, (enum as_by)by, false);
			as_test_sum(&b, out, (enum as_by)by, false);
			as_test_same(&a, &b);
		}
		as_profile_free(out);
		as_profile_free(src);
	}
}

static void test_costs_of_more_than_64_bits_are_kept(void **state)
{
	struct as_profile *src, *out;
	struct as_build b;
	struct as_err err;

	(void)state;
	as_test_begin(&b, "ev");
	as_test_self(&b, as_test_func(&b, "f", "prog", "a.c"), 3, (as_val)INT64_MAX * 3 + 5);
	as_test_self(&b, as_test_func(&b, "g", "prog", "a.c"), 3, (as_val)INT64_MIN * 2 - 5);
	src = as_test_end(&b);
	assert_int_equal(as_at_time(src, BEGIN, 0, &out, &err), AS_OK);
	assert_true(out->moments.n == 7);
	expect_all_at_begin(out, src);
	as_profile_free(out);
	as_profile_free(src);
}

int at_time_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_cost_is_at_the_beginning),
		cmocka_unit_test(test_costs_of_more_than_64_bits_are_kept),
	};

	return cmocka_run_group_tests_name("at_time", tests, NULL, NULL);
}
