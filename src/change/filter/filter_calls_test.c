/* SPDX-License-Identifier: Apache-2.0 */
/* Filters of calls: what is exact of them, and what has to be shared out. */
#include "change/filter/filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/filter/test_filter.h"
#include "change/transform.h"
#include "lib/test_profiles.h"

enum { SEEDS = 400, DEPTH = 8 };

static const char *const files[] = {"", "a.c", "b.c", "ab.h"};
static const char *const objects[] = {"", "/bin/a", "/lib/b.so"};

static as_val self_of(const struct as_profile *prof, const char *name, bool inclusive)
{
	struct as_project_opts opts = {.by = AS_BY_FUNC};
	struct as_table *t;
	as_val v = 0;

	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	for (size_t r = 0; r < t->n; r++)
		if (!t->key[r].is_cycle && as_slice_is(as_table_func_name(t, (uint32_t)r), name))
			v += (inclusive ? t->incl : t->self)[r * t->n_events];
	as_table_free(t);
	return v;
}

/* main 10 calls f (5 + g 20) and h (7 + g 40); g is called by f alone, or by h, too. */
static struct as_profile *calls_profile(bool shared)
{
	struct as_build b;
	as_func main, f, g, h, g2;

	as_test_begin(&b, "Ir");
	main = as_test_func(&b, "main", "/bin/a", "a.c");
	f = as_test_func(&b, "f", "/bin/a", "a.c");
	g = as_test_func(&b, "g", "/lib/b.so", "b.c");
	h = as_test_func(&b, "h", "/bin/a", "a.c");
	g2 = shared ? g : as_test_func(&b, "g2", "/lib/b.so", "b.c");
	as_test_self(&b, main, 1, 10);
	as_test_self(&b, f, 2, 5);
	as_test_self(&b, h, 3, 7);
	as_test_self(&b, g, 4, 20);
	as_test_self(&b, g2, 5, 40);
	as_test_call(&b, main, f, 1, 25);
	as_test_call(&b, main, h, 1, 47);
	as_test_call(&b, f, g, 2, 20);
	as_test_call(&b, h, g2, 4, 40);
	return as_test_end(&b);
}

static void check_calls(bool shared, const char *focus, bool estimated, const as_val want[4])
{
	struct as_profile *prof = calls_profile(shared);
	struct as_matcher m = {.fields = AS_MATCH_FUNC, .match = as_test_has_text, .ctx = focus};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_filtered out;
	bool matched;

	assert_int_equal(as_filter(prof, &how, &matched, &out, NULL, NULL), AS_OK);
	assert_true(matched);
	assert_int_equal(out.estimated, estimated);
	assert_int_equal(out.prof->estimated, estimated);
	assert_int_equal(out.prof->shape, AS_SHAPE_PLACES | AS_SHAPE_CALLS);
	assert_true(out.prof->total[0] == want[0]);
	assert_true(self_of(out.prof, "main", true) == want[1]);
	assert_true(self_of(out.prof, "f", true) == want[2]);
	assert_true(self_of(out.prof, "g", false) == want[3]);
	as_profile_free(out.prof);
	as_profile_free(prof);
}

static void test_calls_are_chosen_by_what_passes_through(void **state)
{
	(void)state;
	check_calls(false, "f", false, (as_val[]){25, 25, 25, 20});
	check_calls(false, "h", false, (as_val[]){47, 47, 0, 0});
	check_calls(false, "main", false, (as_val[]){82, 82, 25, 20});
	/* g costs 60, in the ratio 20 : 40 for f and h: that it is so in each row is a guess */
	check_calls(true, "f", true, (as_val[]){25, 25, 25, 20});
	check_calls(true, "h", true, (as_val[]){47, 47, 0, 40});
	check_calls(true, "main", false, (as_val[]){82, 82, 25, 60});
	check_calls(true, "g", false, (as_val[]){60, 60, 20, 60});
}

/* Where each function has one path, filters of calls give what filters of paths do. */
static void check_tree(uint64_t seed, enum as_filter_kind kind)
{
	static const char *const name[] = {"f0", "f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"};
	struct as_test_sums *sums = calloc(4, sizeof(*sums));
	struct as_profile *paths, *calls, *a, *b;
	struct as_matcher m = {.kind = kind, .fields = 7, .match = as_test_has_text};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_build build;
	as_node node[AS_ARRAY_LEN(name)];
	struct as_pos pos = {0};
	as_place place;

	assert_non_null(sums);
	m.ctx = kind == AS_FILTER_OBJECT ? "b.so" : name[as_test_next(&seed, AS_ARRAY_LEN(name))];
	as_test_begin(&build, "Ir");
	for (size_t i = 0; i < AS_ARRAY_LEN(name); i++) {
		as_val cost = as_test_next(&seed, 50);

		pos.func = as_test_func(&build, name[i], objects[1 + as_test_next(&seed, 2)],
			files[1 + as_test_next(&seed, 3)]);
		pos.file = build.prof->func.file.p[pos.func.i];
		node[i].i = 0;
		if (i)
			node[i] = node[as_test_next(&seed, (uint32_t)i)];
		assert_int_equal(as_build_place(&build, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(&build, node[i], place, &node[i]), AS_OK);
		assert_int_equal(as_build_sample(&build, 0, node[i], &cost), AS_OK);
	}
	paths = as_test_end(&build);
	assert_int_equal(as_to_calls(paths, &calls, NULL, NULL), AS_OK);
	a = as_test_filter(paths, &how);
	b = as_test_filter(calls, &how);
	assert_false(b->estimated);
	for (int i = 0; i < 1 + (b->call.n != 0); i++) { /* without calls: nothing but self */
		as_test_sum(&sums[i], a, AS_BY_FUNC, i);
		as_test_sum(&sums[2 + i], b, AS_BY_FUNC, i);
		as_test_same(&sums[i], &sums[2 + i]);
	}
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(calls);
	as_profile_free(paths);
	free(sums);
}

static void test_calls_that_are_paths_are_filtered_as_these(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		for (int kind = 0; kind <= AS_FILTER_OBJECT; kind++)
			check_tree(seed * 8 + (uint64_t)kind, (enum as_filter_kind)kind);
}

/* A tree of paths over few functions, so that many have several callers. */
static struct as_profile *random_paths(uint64_t *seed, bool recursive)
{
	struct as_build b;
	as_func func[6];

	as_test_begin(&b, "Ir");
	for (size_t i = 0; i < AS_ARRAY_LEN(func); i++) {
		char name[2] = {(char)('a' + i), 0};

		func[i] = as_test_func(&b, name, objects[1 + i % 2], "x.c");
	}
	for (uint32_t n = as_test_next(seed, 6) + 1; n; n--) {
		as_func stack[DEPTH] = {{0}};
		uint32_t at = 0, f = 0;

		for (size_t i = 0; i + 1 < DEPTH && f < AS_ARRAY_LEN(func); i++) {
			stack[at++] = func[f];
			f = recursive ? as_test_next(seed, AS_ARRAY_LEN(func) + 2)
				      : f + 1 + as_test_next(seed, 3);
		}
		as_test_stack(&b, 0, stack, 1 + as_test_next(seed, 50));
	}
	return as_test_end(&b);
}

/* Whether filtered calls claim to be exact; then they are what filtered paths are. */
static bool check_claim(uint64_t seed, enum as_filter_kind kind, bool recursive)
{
	static const char *const text[] = {"a", "b", "c", "d", "e", "f"};
	struct as_profile *paths = random_paths(&seed, recursive), *calls, *a, *b;
	struct as_matcher m = {.kind = kind, .fields = AS_MATCH_FUNC, .match = as_test_has_text};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_test_sums *sums = calloc(2, sizeof(*sums));
	bool exact;

	assert_non_null(sums);
	m.ctx = text[as_test_next(&seed, 6)];
	if (kind == AS_FILTER_OBJECT) {
		m.fields = AS_MATCH_OBJECT;
		m.ctx = "b.so";
	}
	assert_int_equal(as_to_calls(paths, &calls, NULL, NULL), AS_OK);
	a = as_test_filter(paths, &how);
	b = as_test_filter(calls, &how);
	exact = !b->estimated;
	if (exact) {
		as_test_sum(&sums[0], a, AS_BY_FUNC, false);
		as_test_sum(&sums[1], b, AS_BY_FUNC, false);
		as_test_same(&sums[0], &sums[1]);
		sums[0].n = sums[1].n = 0;
		as_test_sum(&sums[0], a, AS_BY_FUNC, true);
		as_test_sum(&sums[1], b, AS_BY_FUNC, true);
		if (b->call.n && !recursive) /* in a circle inclusive cost is another thing */
			as_test_same(&sums[0], &sums[1]);
	}
	as_profile_free(a);
	as_profile_free(b);
	as_profile_free(calls);
	as_profile_free(paths);
	free(sums);
	return exact;
}

static void test_what_is_called_exact_is_exact(void **state)
{
	static const enum as_filter_kind kinds[] = {
		AS_FILTER_FOCUS, AS_FILTER_IGNORE, AS_FILTER_OBJECT, AS_FILTER_SHOW_FROM};
	unsigned exact = 0, all = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 4 * SEEDS; seed++)
		for (size_t k = 0; k < AS_ARRAY_LEN(kinds); k++, all++)
			exact += check_claim(seed * 4 + k, kinds[k], seed % 4 == 0);
	assert_true(exact > all / 4 && exact < all * 9 / 10); /* both happen */
}

/* What a function costs with all it calls is a fact, in whatever parts what it calls is shared
 * out. */
static void test_focus_leaves_what_a_function_costs(void **state)
{
	static const char *const name[] = {"a", "b", "c", "d", "e", "f"};
	unsigned shared = 0;

	(void)state;
	for (uint64_t s = 0; s < 4 * SEEDS; s++) {
		uint64_t seed = s;
		struct as_profile *paths = random_paths(&seed, false), *calls, *got;
		struct as_matcher m = {.fields = AS_MATCH_FUNC, .match = as_test_has_text};
		struct as_filter how = {.matcher = &m, .n = 1};

		assert_int_equal(as_to_calls(paths, &calls, NULL, NULL), AS_OK);
		for (size_t i = 0; i < AS_ARRAY_LEN(name); i++) {
			as_val whole = self_of(calls, name[i], true);

			m.ctx = name[i];
			got = as_test_filter(calls, &how);
			shared += got->estimated;
			assert_true(got->total[0] == whole);
			assert_true(self_of(got, name[i], true) == whole);
			assert_true(self_of(got, name[0], true) == whole);
			as_profile_free(got);
		}
		as_profile_free(calls);
		as_profile_free(paths);
	}
	assert_true(shared > SEEDS);
}

/* x (3) and y (2) call into a circle of a (20) and b (12), for 24 and 8: three quarters are x's. */
static void test_a_circle_is_shared_out_as_one(void **state)
{
	struct as_build b;
	as_func main, x, y, f, g;
	struct as_matcher m = {.fields = AS_MATCH_FUNC, .match = as_test_has_text, .ctx = "x"};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_profile *prof, *got;

	(void)state;
	as_test_begin(&b, "Ir");
	main = as_test_func(&b, "main", "/a", "a.c");
	x = as_test_func(&b, "x", "/a", "a.c");
	y = as_test_func(&b, "y", "/a", "a.c");
	f = as_test_func(&b, "a", "/a", "a.c");
	g = as_test_func(&b, "b", "/a", "a.c");
	as_test_self(&b, x, 1, 3);
	as_test_self(&b, y, 1, 2);
	as_test_self(&b, f, 1, 20);
	as_test_self(&b, g, 1, 12);
	as_test_call(&b, main, x, 1, 27);
	as_test_call(&b, main, y, 1, 10);
	as_test_call(&b, x, f, 4, 24);
	as_test_call(&b, y, g, 4, 8);
	as_test_call(&b, f, g, 8, 15);
	as_test_call(&b, g, f, 8, 9);
	prof = as_test_end(&b);
	got = as_test_filter(prof, &how);
	assert_true(got->estimated);
	assert_true(got->total[0] == 27);
	assert_true(self_of(got, "a", false) == 15);
	assert_true(self_of(got, "b", false) == 9);
	assert_true(self_of(got, "x", true) == 27);
	assert_true(self_of(got, "main", true) == 27);
	assert_true(self_of(got, "y", true) == 0);
	as_profile_free(got);
	m.kind = AS_FILTER_IGNORE;
	got = as_test_filter(prof, &how);
	assert_true(got->total[0] == 10);
	assert_true(self_of(got, "a", false) == 5);
	assert_true(self_of(got, "y", true) == 10);
	assert_true(self_of(got, "main", true) == 10);
	as_profile_free(got);
	as_profile_free(prof);
}

static bool is_exact(struct as_profile *prof)
{
	struct as_matcher m = {
		.kind = AS_FILTER_HIDE, .fields = 7, .match = as_test_has_text, .ctx = "no such"};
	struct as_filter how = {.matcher = &m, .n = 1};
	struct as_filtered out;
	bool matched;

	assert_int_equal(as_filter(prof, &how, &matched, &out, NULL, NULL), AS_OK);
	as_profile_free(out.prof);
	as_profile_free(prof);
	return !out.estimated;
}

static void test_only_calls_that_are_paths_are_exact(void **state)
{
	struct as_build b;
	as_func f, g;

	(void)state;
	as_test_begin(&b, "Ir"); /* f and g call each other: nobody knows how it began */
	f = as_test_func(&b, "f", "/a", "a.c");
	g = as_test_func(&b, "g", "/a", "a.c");
	as_test_call(&b, f, g, 1, 0);
	as_test_call(&b, g, f, 1, 0);
	assert_false(is_exact(as_test_end(&b)));
	as_test_begin(&b, "Ir"); /* recursion */
	f = as_test_func(&b, "f", "/a", "a.c");
	as_test_self(&b, f, 1, 3);
	as_test_call(&b, f, f, 1, 3);
	assert_false(is_exact(as_test_end(&b)));
	as_test_begin(&b, "Ir"); /* a part of what g costs came by another way */
	f = as_test_func(&b, "f", "/a", "a.c");
	g = as_test_func(&b, "g", "/a", "a.c");
	as_test_self(&b, g, 1, 3);
	as_test_call(&b, f, g, 1, 2);
	assert_false(is_exact(as_test_end(&b)));
	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f", "/a", "a.c");
	g = as_test_func(&b, "g", "/a", "a.c");
	as_test_self(&b, g, 1, 3);
	as_test_call(&b, f, g, 1, 3);
	assert_true(is_exact(as_test_end(&b)));
}

static void test_relative_forgets_the_whole(void **state)
{
	struct as_profile *prof = calls_profile(false), *got, *again;
	struct as_matcher m = {.fields = 7, .match = as_test_has_text, .ctx = "g"};
	struct as_filter how = {.matcher = &m, .n = 1};

	(void)state;
	got = as_test_filter(prof, &how);
	assert_true(as_whole(got)[0] == 82 && got->total[0] == 60);
	m.ctx = "f"; /* the whole of a part of a part */
	again = as_test_filter(got, &how);
	assert_true(as_whole(again)[0] == 82 && again->total[0] == 20);
	as_profile_free(again);
	how.relative = true;
	again = as_test_filter(got, &how);
	assert_true(as_whole(again)[0] == 20);
	as_profile_free(again);
	as_profile_free(got);
	as_profile_free(prof);
}

int filter_calls_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_are_chosen_by_what_passes_through),
		cmocka_unit_test(test_calls_that_are_paths_are_filtered_as_these),
		cmocka_unit_test(test_what_is_called_exact_is_exact),
		cmocka_unit_test(test_focus_leaves_what_a_function_costs),
		cmocka_unit_test(test_a_circle_is_shared_out_as_one),
		cmocka_unit_test(test_only_calls_that_are_paths_are_exact),
		cmocka_unit_test(test_relative_forgets_the_whole),
	};

	return cmocka_run_group_tests_name("filter_calls", tests, NULL, NULL);
}
