/* SPDX-License-Identifier: Apache-2.0 */
/* Paths out of calls, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/test_profiles.h"

enum { SEEDS = 60 };

/* The cost of the samples whose frames, from the root, are NAMES. */
static as_val chain_cost(const struct as_profile *prof, const char *names)
{
	as_val sum = 0;

	for (size_t i = 0; i < prof->sample.node.n; i++) {
		char text[400] = "", rest[160];

		for (as_node n = prof->sample.node.p[i]; n.i; n = prof->node.parent.p[n.i]) {
			as_func f = prof->place.func.p[prof->node.place.p[n.i].i];

			snprintf(rest, sizeof(rest), "%.150s", text);
			snprintf(text, sizeof(text), "%.*s%s%s",
				AS_SLICE_FMT(as_func_name(prof, f)), *rest ? ";" : "", rest);
		}
		if (strcmp(text, names) == 0)
			sum += prof->sample.cost.p[i * as_n_events(prof)];
	}
	return sum;
}

static void test_cost_is_shared_by_what_the_calls_cost(void **state)
{
	struct as_build b;
	struct as_profile *prof, *out;
	as_func m, f, g, h;

	(void)state;
	as_test_begin(&b, "Ir");
	m = as_test_func(&b, "main", "", "");
	f = as_test_func(&b, "f", "", "");
	g = as_test_func(&b, "g", "", "");
	h = as_test_func(&b, "h", "", "");
	as_test_self(&b, m, 1, 1);
	as_test_call(&b, m, f, 1, 16);
	as_test_call(&b, m, g, 1, 6);
	as_test_self(&b, f, 2, 1);
	as_test_call(&b, f, h, 2, 15);
	as_test_self(&b, g, 3, 1);
	as_test_call(&b, g, h, 1, 5);
	as_test_self(&b, h, 4, 21); /* one more than the calls say: nobody called it */
	as_test_call(&b, h, h, 7, 100);
	prof = as_test_end(&b);
	assert_int_equal(as_estimate_paths(prof, &out, NULL, NULL), AS_OK);
	assert_true(out->estimated);
	assert_int_equal(out->sample.node.n, 6);
	assert_true(chain_cost(out, "main") == 1);
	assert_true(chain_cost(out, "main;f") == 1);
	assert_true(chain_cost(out, "main;g") == 1);
	assert_true(chain_cost(out, "main;f;h") == 15);
	assert_true(chain_cost(out, "h") == 1);
	assert_true(chain_cost(out, "main;g;h") == 5);
	as_profile_free(out);
	as_profile_free(prof);
}

/* Each call fits 64 bits; the two of one site together do not. */
static void test_cost_is_shared_by_sums_of_any_size(void **state)
{
	const as_val half = (as_val)1 << 63;
	struct as_build b;
	struct as_profile *prof, *out;
	as_func m, f, g, h;

	(void)state;
	as_test_begin(&b, "Ir");
	m = as_test_func(&b, "main", "", "");
	f = as_test_func(&b, "f", "", "");
	g = as_test_func(&b, "g", "", "");
	h = as_test_func(&b, "h", "", "");
	as_test_call(&b, m, f, 1, half);
	as_test_call(&b, f, h, 1, half);
	as_test_call(&b, m, g, 1, half);
	as_test_call(&b, g, h, 1, half);
	as_test_call(&b, f, h, 1, half);
	as_test_self(&b, h, 1, 300);
	prof = as_test_end(&b);
	assert_int_equal(as_estimate_paths(prof, &out, NULL, NULL), AS_OK);
	assert_true(chain_cost(out, "main;f;h") == 200);
	assert_true(chain_cost(out, "main;g;h") == 100);
	as_profile_free(out);
	as_profile_free(prof);
}

/* 9 of 1000105 are less than what is told apart in proportion. */
static void test_small_costs_stay_with_their_callers(void **state)
{
	struct as_build b;
	struct as_profile *prof, *out;
	as_func a, c, f;

	(void)state;
	as_test_begin(&b, "Ir");
	a = as_test_func(&b, "a", "", "");
	c = as_test_func(&b, "c", "", "");
	f = as_test_func(&b, "f", "", "");
	as_test_self(&b, a, 1, 1000000);
	as_test_self(&b, f, 1, 100);
	as_test_call(&b, a, f, 1, 91);
	as_test_call(&b, c, f, 1, 9);
	as_test_self(&b, f, 2, 5);
	prof = as_test_end(&b);
	assert_int_equal(as_estimate_paths(prof, &out, NULL, NULL), AS_OK);
	assert_true(chain_cost(out, "a;f") == 91);
	assert_true(chain_cost(out, "c;f") == 9);
	assert_true(chain_cost(out, "f") == 5);
	as_profile_free(out);
	as_profile_free(prof);
}

/* Main and a thread enter a circle, x and y, which calls z. The 7 that go round are in the calls of
 * x and of y once more. */
static void test_what_goes_round_is_taken_off(void **state)
{
	struct as_build b;
	struct as_profile *prof, *out;
	as_func m, t, x, y, z;

	(void)state;
	as_test_begin(&b, "Ir");
	m = as_test_func(&b, "main", "", "");
	t = as_test_func(&b, "thread", "", "");
	x = as_test_func(&b, "x", "", "");
	y = as_test_func(&b, "y", "", "");
	z = as_test_func(&b, "z", "", "");
	as_test_call(&b, m, x, 1, 60);
	as_test_call(&b, t, y, 1, 40);
	as_test_self(&b, x, 1, 20);
	as_test_call(&b, x, y, 3, 47);
	as_test_self(&b, y, 1, 50);
	as_test_call(&b, y, x, 2, 7);
	as_test_call(&b, y, z, 1, 30);
	as_test_self(&b, z, 1, 30);
	prof = as_test_end(&b);
	assert_int_equal(as_estimate_paths(prof, &out, NULL, NULL), AS_OK);
	assert_true(chain_cost(out, "main;x") == 20);
	assert_true(chain_cost(out, "main;x;y") + chain_cost(out, "thread;y") == 50);
	assert_true(chain_cost(out, "main;x;y;z") + chain_cost(out, "thread;y;z") == 30);
	assert_true(chain_cost(out, "thread;y") == 25);
	assert_true(chain_cost(out, "thread;y;z") == 15);
	as_profile_free(out);
	as_profile_free(prof);
}

static void test_a_function_stands_on_an_estimated_chain_once(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct as_profile *prof = as_test_random(seed, AS_TEST_SELF | AS_TEST_CALLS), *out;

		assert_int_equal(as_estimate_paths(prof, &out, NULL, NULL), AS_OK);
		assert_int_equal(out->estimated, prof->call.n != 0);
		assert_true(out->func.name.n <= 64);
		for (size_t i = 0; i < out->sample.node.n; i++) {
			bool seen[64] = {false};

			for (as_node n = out->sample.node.p[i]; n.i; n = out->node.parent.p[n.i]) {
				uint32_t f = out->place.func.p[out->node.place.p[n.i].i].i;

				assert_false(seen[f]);
				seen[f] = true;
			}
		}
		as_profile_free(out);
		as_profile_free(prof);
	}
}

int estimate_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cost_is_shared_by_what_the_calls_cost),
		cmocka_unit_test(test_cost_is_shared_by_sums_of_any_size),
		cmocka_unit_test(test_small_costs_stay_with_their_callers),
		cmocka_unit_test(test_what_goes_round_is_taken_off),
		cmocka_unit_test(test_a_function_stands_on_an_estimated_chain_once),
	};

	return cmocka_run_group_tests_name("estimate", tests, NULL, NULL);
}
