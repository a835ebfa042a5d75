/* SPDX-License-Identifier: Apache-2.0 */
/* The order of tables of many lines, which are not compared two by two: against the rule itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/test_profiles.h"

enum { LINES = 700, FUNCS = 16, FACTS = 12000, LEAST = 5000 };

/* Functions with equal names in other files and objects; costs that are often equal, some of them
 * too large for 64 bits in sum, some below 0. */
static struct as_profile *many_lines(bool calls)
{
	static const char *const name[] = {"b", "", "a", "b::c", "b", "_Z1a"};
	static const char *const file[] = {"y.c", "x.c", ""};
	const as_val large = (as_val)UINT64_MAX;
	as_func f[FUNCS];
	uint64_t seed = 7;
	struct as_build b;

	as_test_begin(&b, "A B");
	for (uint32_t i = 0; i < FUNCS; i++)
		f[i] = as_test_func(
			&b, name[i % AS_ARRAY_LEN(name)], i % 4 ? "/o" : "/p", file[i % 3]);
	for (uint32_t i = 0; i < FACTS; i++) {
		struct as_pos pos = {.func = f[as_test_next(&seed, FUNCS)],
			.file = b.prof->func.file.p[f[i % FUNCS].i],
			.line = as_test_next(&seed, LINES)};
		as_val cost[] = {as_test_next(&seed, 9), as_test_next(&seed, 2)};
		struct as_call call = {.callee = f[1], .count = 1};

		for (uint32_t n = cost[0] == 8 ? 3 : 0; n > 0; n--)
			assert_int_equal(as_build_self(&b, 0, &pos, &large, 1), AS_OK);
		cost[0] -= cost[0] == 7 ? 20 : 0;
		assert_int_equal(as_build_self(&b, 0, &pos, cost, 2), AS_OK);
		if (calls && i % 3 == 0)
			assert_int_equal(as_build_call(&b, 0, &pos, &call, cost, 2), AS_OK);
	}
	return as_test_end(&b);
}

/* Larger costs come first: the event's, then all. */
static int by_cost(const struct as_table *t, const as_val *v, uint32_t event, size_t a, size_t b)
{
	for (uint32_t k = 0; k <= t->n_events; k++) {
		uint32_t e = k ? k - 1 : event;
		as_val x = v[a * t->n_events + e], y = v[b * t->n_events + e];

		if (x != y)
			return x > y ? -1 : 1;
	}
	return 0;
}

static int by_rule(const struct as_table *t, const struct as_profile *prof, uint32_t event,
	bool inclusive, size_t a, size_t b)
{
	const struct as_key *x = &t->key[a], *y = &t->key[b];
	int cmp = inclusive && t->has_incl[a] ? by_cost(t, t->incl, event, a, b) : 0;

	if (!cmp)
		cmp = by_cost(t, t->self, event, a, b);
	if (!cmp)
		cmp = as_slice_cmp(as_func_name(prof, x->func), as_func_name(prof, y->func));
	if (!cmp)
		cmp = as_slice_cmp(as_file_path(prof, x->file), as_file_path(prof, y->file));
	if (!cmp)
		cmp = as_slice_cmp(
			as_object_path(prof, x->object), as_object_path(prof, y->object));
	if (!cmp && x->line != y->line)
		cmp = x->line < y->line ? -1 : 1;
	return cmp ? cmp
		   : as_slice_cmp(as_file_path(prof, prof->func.file.p[x->func.i]),
			     as_file_path(prof, prof->func.file.p[y->func.i]));
}

/* A table that has no more than the best FEW rows begins as that of all, ALL in ORDER. */
static void check_best(const struct as_profile *prof, const struct as_table *all,
	const uint32_t *order, size_t few, uint32_t event, bool inclusive)
{
	struct as_project_opts opts = {
		.by = AS_BY_LINE, .best = few, .best_event = event, .best_inclusive = inclusive};
	size_t e = all->n_events;
	struct as_table *t;
	uint32_t *best;

	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	assert_true(t->n >= few);
	assert_int_equal(t->n + t->n_rest, all->n);
	assert_true(few > LEAST / 8 || t->n_rest);
	best = calloc(t->n, sizeof(*best));
	assert_non_null(best);
	as_table_best(t, prof, event, inclusive, best, few);
	for (size_t i = 0; i < few; i++) {
		const struct as_key *x = &t->key[best[i]], *y = &all->key[order[i]];

		assert_true(x->func.i == y->func.i && x->file.i == y->file.i);
		assert_true(x->object.i == y->object.i && x->line == y->line);
		assert_int_equal(t->has_incl[best[i]], all->has_incl[order[i]]);
		for (size_t k = 0; k < e; k++) {
			assert_true(t->self[best[i] * e + k] == all->self[order[i] * e + k]);
			assert_true(t->incl[best[i] * e + k] == all->incl[order[i] * e + k]);
		}
	}
	free(best);
	as_table_free(t);
}

static void check(const struct as_profile *prof, uint32_t event, bool inclusive)
{
	struct as_project_opts opts = {.by = AS_BY_LINE};
	struct as_table *t;
	uint32_t *order, *best;
	size_t few = 50;

	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	assert_true(t->n > LEAST);
	order = calloc(t->n, sizeof(*order));
	best = calloc(t->n, sizeof(*best));
	assert_true(order && best);
	as_table_sort(t, prof, event, inclusive, order);
	for (size_t i = 1; i < t->n; i++)
		assert_true(by_rule(t, prof, event, inclusive, order[i - 1], order[i]) < 0);
	as_table_best(t, prof, event, inclusive, best, few);
	assert_memory_equal(best, order, few * sizeof(*order));
	for (few = 1; few < t->n; few *= 7)
		check_best(prof, t, order, few, event, inclusive);
	free(order);
	free(best);
	as_table_free(t);
}

static void test_many_lines_are_in_the_order_of_the_rule(void **state)
{
	(void)state;
	for (int calls = 0; calls < 2; calls++) {
		struct as_profile *prof = many_lines(calls);

		for (uint32_t event = 0; event < 2; event++) {
			check(prof, event, false);
			check(prof, event, true);
		}
		as_profile_free(prof);
	}
}

/* Whatever order they were built in. */
static void test_code_without_names_stands_by_address(void **state)
{
	static const uint64_t addr[] = {0x30, 0x10, 0x20};
	struct as_project_opts opts = {.by = AS_BY_LINE};
	struct as_table *t;
	struct as_profile *prof;
	uint32_t order[AS_ARRAY_LEN(addr)];
	struct as_build b;

	(void)state;
	as_test_begin(&b, "Ir");
	for (size_t i = 0; i < AS_ARRAY_LEN(addr); i++) {
		struct as_slice none = {NULL, 0};
		as_object object;
		as_func func;

		assert_int_equal(as_build_object(&b, as_slice_of("/bin/p"), none, &object), AS_OK);
		assert_int_equal(
			as_build_func(&b, none, object, (as_file){0}, addr[i], &func), AS_OK);
		as_test_self(&b, func, 0, 7);
	}
	prof = as_test_end(&b);
	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	assert_int_equal(t->n, AS_ARRAY_LEN(addr));
	as_table_sort(t, prof, 0, false, order);
	for (size_t i = 0; i < t->n; i++)
		assert_int_equal(prof->func.addr.p[t->key[order[i]].func.i], 0x10 * (i + 1));
	as_table_free(t);
	as_profile_free(prof);
}

/* Of two objects, and from the last one on; what costs as much stands by object and address. */
static void test_much_code_without_names_is_in_the_same_order(void **state)
{
	enum { EACH = 3000 };
	static const char *const object[] = {"/lib/z.so", "/bin/p"};
	struct as_project_opts opts = {.by = AS_BY_FUNC};
	struct as_table *t;
	struct as_profile *prof;
	uint32_t *order;
	struct as_build b;

	(void)state;
	as_test_begin(&b, "Ir");
	for (size_t k = 0; k < AS_ARRAY_LEN(object); k++) {
		struct as_pos pos = {.func = as_test_func(&b, "", object[k], "")};

		for (uint64_t i = EACH; i > 0; i--) {
			as_val cost = (as_val)(i * 7919 % 5) << (i % 3 ? 0 : 70);

			pos.addr = i * 8;
			assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
		}
	}
	prof = as_test_end(&b);
	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	assert_int_equal(t->n, EACH * AS_ARRAY_LEN(object));
	order = calloc(t->n, sizeof(*order));
	assert_non_null(order);
	as_table_sort(t, prof, 0, false, order);
	for (size_t i = 1; i < t->n; i++) {
		const struct as_key *x = &t->key[order[i - 1]], *y = &t->key[order[i]];
		as_val more = t->self[order[i - 1]], less = t->self[order[i]];
		int cmp = as_slice_cmp(
			as_object_path(prof, x->object), as_object_path(prof, y->object));

		assert_true(more >= less);
		assert_true(more > less || cmp < 0 || (!cmp && x->addr < y->addr));
	}
	free(order);
	as_table_free(t);
	as_profile_free(prof);
}

int table_sort_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_without_names_stands_by_address),
		cmocka_unit_test(test_much_code_without_names_is_in_the_same_order),
		cmocka_unit_test(test_many_lines_are_in_the_order_of_the_rule),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
