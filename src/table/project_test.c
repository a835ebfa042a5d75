/* SPDX-License-Identifier: Apache-2.0 */
/* Projections of small profiles by hand: figures from the specification and KCachegrind. */
#include "table/project.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/test_profiles.h"

static struct as_table *project(const struct as_profile *prof, struct as_project_opts opts)
{
	struct as_table *t;

	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	return t;
}

/* The row of a function or, with CYCLE, of the cycle it belongs to. */
static size_t row_of(const struct as_table *t, const char *name, bool cycle)
{
	uint32_t number = 0;

	for (size_t r = 0; r < t->n; r++)
		if (as_slice_is(as_table_func_name(t, (uint32_t)r), name) && !t->key[r].is_cycle) {
			if (!cycle)
				return r;
			number = t->key[r].cycle;
		}
	for (size_t r = 0; number && r < t->n; r++)
		if (t->key[r].is_cycle && t->key[r].cycle == number)
			return r;
	fail_msg("no row for %s", name);
	return 0;
}

static void check(
	const struct as_table *t, size_t row, long long incl, long long self, long long calls)
{
	assert_true(t->has_incl[row]);
	assert_true(t->has_calls[row]);
	assert_int_equal((long long)t->incl[row * t->n_events], incl);
	assert_int_equal((long long)t->self[row * t->n_events], self);
	assert_int_equal((long long)t->calls[row], calls);
}

/* "extended example" of the Callgrind format: main calls func1 once, func2 thrice; func1 calls
 * func2 twice; sums as the specification's text gives them. */
static struct as_profile *extended_example(void)
{
	struct as_build b;
	as_func main_, func1, func2;

	as_test_begin(&b, "Instructions");
	main_ = as_test_func(&b, "main", "", "file1.c");
	func1 = as_test_func(&b, "func1", "", "file1.c");
	func2 = as_test_func(&b, "func2", "", "file2.c");
	as_test_self(&b, main_, 16, 20);
	as_test_call(&b, main_, func1, 1, 400);
	as_test_call(&b, main_, func2, 3, 400);
	as_test_self(&b, func1, 51, 100);
	as_test_call(&b, func1, func2, 2, 300);
	as_test_self(&b, func2, 20, 700);
	return as_test_end(&b);
}

static void test_extended_example_of_the_specification(void **state)
{
	struct as_profile *prof = extended_example();
	struct as_table *t = project(prof, (struct as_project_opts){.want_edges = true});

	(void)state;
	assert_int_equal(t->n, 3);
	assert_int_equal(t->n_cycles, 0);
	check(t, row_of(t, "main", false), 820, 20, 0);
	check(t, row_of(t, "func1", false), 400, 100, 1);
	check(t, row_of(t, "func2", false), 700, 700, 5);
	assert_int_equal((long long)t->total[0], 820);
	assert_int_equal(t->n_edges, 3);
	assert_int_equal((long long)t->edge[0].cost[0], 400);
	assert_int_equal((long long)t->edge[0].count, 1);
	as_table_free(t);
	as_profile_free(prof);
}

static void test_lines_have_their_own_cost_and_the_calls_made_there(void **state)
{
	struct as_profile *prof = extended_example();
	struct as_table *t = project(prof, (struct as_project_opts){.by = AS_BY_LINE});
	uint32_t order[8];

	(void)state;
	as_table_sort(t, prof, 0, true, order);
	/* main's calls stand at line 0 here: 800; then func2:20, main:16 and func1's. */
	assert_int_equal(t->n, 5);
	assert_int_equal((long long)t->incl[order[0]], 800);
	assert_int_equal((long long)t->incl[order[1]], 700);
	assert_int_equal(t->key[order[1]].line, 20);
	assert_int_equal((long long)t->incl[order[2]], 300);
	assert_int_equal((long long)t->incl[order[3]], 100);
	assert_int_equal((long long)t->incl[order[4]], 20);
	assert_false(t->has_calls[order[0]]);
	as_table_free(t);
	as_profile_free(prof);
}

static void test_files_sum_their_functions(void **state)
{
	struct as_profile *prof = extended_example();
	struct as_table *t = project(prof, (struct as_project_opts){.by = AS_BY_FILE});
	uint32_t order[2];

	(void)state;
	assert_int_equal(t->n, 2);
	as_table_sort(t, prof, 0, true, order);
	check(t, order[0], 820, 120, 0);
	check(t, order[1], 700, 700, 5);
	assert_true(as_slice_is(as_file_path(prof, t->key[order[0]].file), "file1.c"));
	as_table_free(t);
	as_profile_free(prof);
}

/* data/callgrind/edge/e62: "fib self 100 incl 100 (not 1000)" */
static void test_recursive_calls_do_not_add_up(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_func main_, fib;

	(void)state;
	as_test_begin(&b, "I");
	main_ = as_test_func(&b, "main", "", "a.c");
	fib = as_test_func(&b, "fib", "", "a.c");
	as_test_self(&b, main_, 1, 1);
	as_test_call(&b, main_, fib, 1, 100);
	as_test_self(&b, fib, 9, 100);
	as_test_call(&b, fib, fib, 20, 900);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){.want_edges = true});
	assert_int_equal(t->n, 2);
	check(t, row_of(t, "main", false), 101, 1, 0);
	check(t, row_of(t, "fib", false), 100, 100, 21);
	assert_int_equal(t->n_edges, 2);
	assert_int_equal((long long)t->edge[1].cost[0], 900);
	as_table_free(t);
	as_profile_free(prof);
}

/* data/callgrind/edge/e43: KCachegrind says 0 here, less than the function's own cost */
static void test_a_function_that_only_calls_itself_has_no_callers(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_func f;

	(void)state;
	as_test_begin(&b, "I");
	f = as_test_func(&b, "f", "", "a.c");
	as_test_self(&b, f, 1, 1);
	as_test_call(&b, f, f, 4, 9);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){0});
	check(t, 0, 1, 1, 4);
	as_table_free(t);
	as_profile_free(prof);
}

/* data/callgrind/edge/e50: Qt Creator's test of a cycle of two */
static struct as_profile *two_cycle(void)
{
	struct as_build b;
	as_func main_, a, bb, c;

	as_test_begin(&b, "Ir");
	main_ = as_test_func(&b, "main", "", "");
	a = as_test_func(&b, "A()", "", "");
	bb = as_test_func(&b, "B(bool)", "", "");
	c = as_test_func(&b, "C(bool)", "", "");
	as_test_self(&b, main_, 0, 15);
	as_test_call(&b, main_, a, 1, 50);
	as_test_self(&b, main_, 0, 15);
	as_test_self(&b, a, 0, 10);
	as_test_call(&b, a, bb, 1, 20);
	as_test_call(&b, a, c, 1, 20);
	as_test_self(&b, c, 0, 20);
	as_test_call(&b, c, bb, 1, 10);
	as_test_self(&b, bb, 0, 20);
	as_test_call(&b, bb, c, 1, 10);
	return as_test_end(&b);
}

static void test_a_cycle_is_one_row_and_nothing_exceeds_the_total(void **state)
{
	struct as_profile *prof = two_cycle();
	struct as_table *t = project(prof, (struct as_project_opts){0});

	(void)state;
	assert_int_equal(t->n, 5);
	assert_int_equal(t->n_cycles, 1);
	assert_true(t->key[4].is_cycle);
	check(t, row_of(t, "main", false), 80, 30, 0);
	check(t, row_of(t, "A()", false), 50, 10, 1);
	check(t, row_of(t, "B(bool)", false), 20, 20, 2);
	check(t, row_of(t, "C(bool)", false), 20, 20, 2);
	check(t, row_of(t, "B(bool)", true), 40, 40, 2);
	as_table_free(t);
	t = project(prof, (struct as_project_opts){.no_cycles = true});
	assert_int_equal(t->n, 4);
	check(t, row_of(t, "B(bool)", false), 30, 20, 2);
	as_table_free(t);
	as_profile_free(prof);
}

static void test_a_path_counts_once_however_deep_the_recursion(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_func m, f, g;

	(void)state;
	as_test_begin(&b, "samples");
	m = as_test_func(&b, "main", "/bin/a", "a.c");
	f = as_test_func(&b, "f", "/bin/a", "a.c");
	g = as_test_func(&b, "g", "/bin/a", "b.c");
	as_test_stack(&b, 0, (as_func[]){m, f, g, f, g, {0}}, 7);
	as_test_stack(&b, 0, (as_func[]){m, f, f, f, {0}}, 5);
	as_test_stack(&b, 0, (as_func[]){m, g, {0}}, 3);
	as_test_stack(&b, 0, (as_func[]){{0}}, 2);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){.want_edges = true});
	assert_int_equal((long long)t->incl[row_of(t, "main", false)], 15);
	assert_int_equal((long long)t->incl[row_of(t, "f", false)], 12);
	assert_int_equal((long long)t->incl[row_of(t, "g", false)], 10);
	assert_int_equal((long long)t->self[row_of(t, "g", false)], 10);
	assert_int_equal((long long)t->incl[row_of(t, "", false)], 2);
	assert_int_equal((long long)t->total[0], 17);
	assert_false(t->has_calls[0]);
	/* main-f 12, main-g 3, f-f 5, f-g 7, g-f 7 */
	assert_int_equal(t->n_edges, 5);
	for (size_t i = 0; i < t->n_edges; i++) {
		size_t from = t->edge[i].from, to = t->edge[i].to;
		long long want = 7;

		if (as_slice_is(as_table_func_name(t, (uint32_t)from), "main"))
			want = as_slice_is(as_table_func_name(t, (uint32_t)to), "f") ? 12 : 3;
		else if (from == to)
			want = 5;
		assert_int_equal((long long)t->edge[i].cost[0], want);
	}
	as_table_free(t);
	as_profile_free(prof);
}

static void test_places_alone_say_nothing_of_inclusive_cost(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_func f;
	uint32_t order[2];

	(void)state;
	/* As a DCPI profile is read: one nameless function for the image. */
	as_test_begin(&b, "cycles");
	f = as_test_func(&b, "", "/vmunix", "");
	for (uint64_t i = 0; i < 3; i++) {
		struct as_pos pos = {.func = f, .addr = 0x100 + 4 * (i % 2)};
		as_val cost = 1 + (as_val)i;

		assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	}
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){.by = AS_BY_FUNC});
	assert_int_equal(t->n, 2);
	as_table_sort(t, prof, 0, false, order);
	assert_int_equal(t->key[order[0]].addr, 0x100);
	assert_int_equal(t->key[order[0]].func.i, f.i);
	assert_int_equal((long long)t->self[order[0]], 4);
	assert_int_equal(t->key[order[1]].addr, 0x104);
	assert_false(t->has_incl[0]);
	assert_false(t->has_calls[0]);
	as_table_free(t);
	t = project(prof, (struct as_project_opts){.by = AS_BY_OBJECT});
	assert_int_equal(t->n, 1);
	assert_int_equal((long long)t->self[0], 6);
	as_table_free(t);
	as_profile_free(prof);
}

/* KCachegrind, part by part: in the second dump f is active but not called, so there its own
 * cost and its calls count. */
static void test_parts_decide_for_themselves_who_was_called(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_func m, f, g;
	struct as_pos pos;
	uint32_t part;
	as_val v;

	(void)state;
	as_test_begin(&b, "Ir");
	m = as_test_func(&b, "main", "", "");
	f = as_test_func(&b, "f", "", "");
	g = as_test_func(&b, "g", "", "");
	as_test_call(&b, m, f, 1, 30);
	as_test_self(&b, f, 0, 30);
	assert_int_equal(as_build_part(&b, &part), AS_OK);
	pos = (struct as_pos){.func = m};
	assert_int_equal(
		as_build_call(&b, part, &pos, &(struct as_call){.callee = f}, (as_val[]){9}, 1),
		AS_OK);
	pos.func = f;
	v = 5;
	assert_int_equal(as_build_self(&b, part, &pos, &v, 1), AS_OK);
	v = 7;
	assert_int_equal(
		as_build_call(&b, part, &pos, &(struct as_call){.callee = g, .count = 1}, &v, 1),
		AS_OK);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){0});
	check(t, row_of(t, "f", false), 30 + 5 + 7, 35, 1);
	as_table_free(t);
	as_profile_free(prof);
}

static void costs(struct as_build *b, as_func from, const as_func *to, as_val x, as_val y)
{
	struct as_pos pos = {.func = from};
	struct as_call call = {.callee = to ? *to : from, .count = 2};
	as_val v[] = {x, y};

	if (to)
		assert_int_equal(as_build_call(b, 0, &pos, &call, v, 2), AS_OK);
	else
		assert_int_equal(as_build_self(b, 0, &pos, v, 2), AS_OK);
}

/* A thread begins in a function that is called for next to nothing; by event, more counts. */
static void test_no_function_costs_less_than_it_and_its_callees(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_func start, clone, thread;

	(void)state;
	as_test_begin(&b, "Ir Dr");
	start = as_test_func(&b, "start", "", "");
	clone = as_test_func(&b, "clone", "", "");
	thread = as_test_func(&b, "thread", "", "");
	costs(&b, start, NULL, 10, 1);
	costs(&b, start, &clone, 36, 9);
	costs(&b, clone, NULL, 50, 4);
	costs(&b, clone, &thread, 4000, 1);
	costs(&b, thread, NULL, 4000, 1);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){0});
	assert_true(t->incl[2 * row_of(t, "clone", false)] == 4050);
	assert_true(t->incl[2 * row_of(t, "clone", false) + 1] == 9);
	assert_true(t->incl[2 * row_of(t, "start", false)] == 46);
	as_table_free(t);
	as_profile_free(prof);
}

static void test_inlined_code_belongs_to_its_file_and_is_called_by_the_functions(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	struct as_pos pos;
	as_func f;
	uint32_t order[2];
	as_val v = 40;

	(void)state;
	as_test_begin(&b, "Ir");
	f = as_test_func(&b, "f", "", "a.c");
	as_test_self(&b, f, 3, 2);
	pos = (struct as_pos){.func = f, .line = 9};
	assert_int_equal(as_build_file(&b, as_slice_of("vec.h"), &pos.file), AS_OK);
	assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	as_test_call(&b, f, f, 1, 1);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){.by = AS_BY_FILE, .want_edges = true});
	as_table_sort(t, prof, 0, true, order);
	assert_true(as_slice_is(as_file_path(prof, t->key[order[0]].file), "a.c"));
	assert_int_equal((long long)t->incl[order[0]], 42);
	assert_int_equal((long long)t->self[order[0]], 2);
	assert_int_equal((long long)t->incl[order[1]], 40);
	assert_int_equal(t->n_edges, 2);
	as_table_free(t);
	as_profile_free(prof);
}

static void test_objects_in_a_cycle_have_no_inclusive_cost(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_func m, q, cmp, z;
	int known = 0;

	(void)state;
	as_test_begin(&b, "Ir");
	z = as_test_func(&b, "_start", "ld.so", "");
	m = as_test_func(&b, "main", "prog", "");
	q = as_test_func(&b, "qsort", "libc.so", "");
	cmp = as_test_func(&b, "cmp", "prog", "");
	as_test_call(&b, z, m, 1, 30);
	as_test_self(&b, m, 1, 10);
	as_test_call(&b, m, q, 1, 20);
	as_test_self(&b, q, 1, 15);
	as_test_call(&b, q, cmp, 3, 5);
	as_test_self(&b, cmp, 1, 5);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){.by = AS_BY_OBJECT});
	assert_int_equal(t->n, 3);
	assert_int_equal(t->n_cycles, 0);
	for (size_t r = 0; r < t->n; r++)
		if (t->has_incl[r]) {
			known++;
			assert_int_equal((long long)t->incl[r], 30);
		}
	assert_int_equal(known, 1);
	as_table_free(t);
	as_profile_free(prof);
}

static void test_an_address_of_two_functions_is_one_row(void **state)
{
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_val v = 1;

	(void)state;
	as_test_begin(&b, "Ir");
	for (int i = 0; i < 3; i++) {
		const char *names[] = {"zeta", "alpha", "beta"};
		struct as_pos pos = {.func = as_test_func(&b, names[i], "prog", "a.c"),
			.line = (uint64_t)i + 1,
			.addr = 0x40};

		assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	}
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){.by = AS_BY_ADDR});
	assert_int_equal(t->n, 1);
	assert_int_equal((long long)t->self[0], 3);
	assert_true(as_slice_is(as_func_name(prof, t->key[0].func), "alpha"));
	assert_int_equal(t->key[0].line, 2);
	as_table_free(t);
	as_profile_free(prof);
}

/* A long chain must not use the C stack. */
static void test_a_million_deep_recursion_and_a_long_cycle_are_fine(void **state)
{
	enum { DEEP = 1000000, LONG = 100000 };
	struct as_build b;
	struct as_profile *prof;
	struct as_table *t;
	as_node node = {0};
	as_place place[2];
	as_val v = 1;
	char name[32];
	as_func prev = {0}, first = {0};

	(void)state;
	as_test_begin(&b, "n");
	for (int i = 0; i < 2; i++) {
		struct as_pos pos = {.func = as_test_func(&b, i ? "odd" : "even", "", "")};

		assert_int_equal(as_build_place(&b, &pos, &place[i]), AS_OK);
	}
	for (int i = 0; i < DEEP; i++)
		assert_int_equal(as_build_push(&b, node, place[i % 2], &node), AS_OK);
	assert_int_equal(as_build_sample(&b, 0, node, &v), AS_OK);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){.want_edges = true});
	assert_int_equal(t->n, 2);
	assert_int_equal((long long)t->incl[0], 1);
	assert_int_equal((long long)t->incl[1], 1);
	assert_int_equal(t->n_edges, 2);
	as_table_free(t);
	as_profile_free(prof);

	as_test_begin(&b, "n");
	for (int i = 0; i < LONG; i++) {
		as_func f;

		snprintf(name, sizeof(name), "f%d", i);
		f = as_test_func(&b, name, "", "");
		as_test_self(&b, f, 0, 1);
		if (i)
			as_test_call(&b, prev, f, 1, 1);
		else
			first = f;
		prev = f;
	}
	as_test_call(&b, prev, first, 1, 1);
	prof = as_test_end(&b);
	t = project(prof, (struct as_project_opts){0});
	assert_int_equal(t->n_cycles, 1);
	assert_int_equal((long long)t->incl[LONG], LONG);
	as_table_free(t);
	as_profile_free(prof);
}

/* At 0x10 of b.so stands outer, into which mid is inlined, into which inner. By address that is one
 * row, the innermost function's, which calls nobody; also when the paths have become calls. */
static void test_an_address_with_inlined_code_is_the_innermost_functions(void **state)
{
	static const char *const name[] = {"a_outer", "b_mid", "inner"};
	struct as_profile *prof, *calls;
	struct as_build b;
	as_val cost = 7;
	as_node node = {0};

	(void)state;
	as_test_begin(&b, "Ir");
	for (int i = 0; i < 3; i++) {
		struct as_pos pos = {.func = as_test_func(&b, name[i], "b.so", "x.c"),
			.line = (uint64_t)i + 1,
			.addr = 0x10,
			.inlined = i > 0};
		as_place place;

		assert_int_equal(as_build_place(&b, &pos, &place), AS_OK);
		assert_int_equal(as_build_push(&b, node, place, &node), AS_OK);
	}
	assert_int_equal(as_build_sample(&b, 0, node, &cost), AS_OK);
	prof = as_test_end(&b);
	assert_int_equal(as_to_calls(prof, &calls, NULL, NULL), AS_OK);
	for (int i = 0; i < 2; i++) {
		const struct as_profile *p = i ? calls : prof;
		struct as_table *t = project(p, (struct as_project_opts){.by = AS_BY_ADDR});

		assert_int_equal(t->n, 1);
		assert_string_equal(as_func_name(p, t->key[0].func).p, "inner");
		assert_int_equal(t->key[0].line, 3);
		assert_int_equal((long long)t->self[0], 7);
		assert_int_equal((long long)t->incl[0], 7);
		assert_false(t->recursive[0]);
		as_table_free(t);
	}
	as_profile_free(calls);
	as_profile_free(prof);
}

/* Start lines do not tell functions apart, linkage names do; one that is the name is none. */
static void test_start_lines_and_linkage_names(void **state)
{
	static const struct {
		const char *system;
		uint64_t line;
		as_val cost;
	} f[] = {{"", 10, 1}, {"", 20, 2}, {"f", 30, 4}, {"_Z1fi", 10, 8}, {"_Z1fd", 10, 16},
		{"_Z1fd", 11, 32}};
	struct as_project_opts opts = {.by = AS_BY_FUNC};
	struct as_profile *prof;
	struct as_table *t;
	struct as_build b;
	uint32_t order[8];

	(void)state;
	as_test_begin(&b, "Ir");
	for (size_t i = 0; i < AS_ARRAY_LEN(f); i++) {
		struct as_func_row row = {.line = f[i].line};
		as_func func;

		assert_int_equal(as_build_str(&b, as_slice_of("f"), &row.name), AS_OK);
		assert_int_equal(as_build_str(&b, as_slice_of(f[i].system), &row.system), AS_OK);
		assert_int_equal(as_build_func_row(&b, &row, &func), AS_OK);
		assert_int_equal(func.i, i + 1);
		as_test_stack(&b, 0, (as_func[]){func, {0}}, f[i].cost);
	}
	prof = as_test_end(&b);
	assert_int_equal(as_project(prof, &opts, &t, NULL), AS_OK);
	assert_int_equal(t->n, 3);
	as_table_sort(t, prof, 0, false, order);
	assert_true(t->self[order[0]] == 48 && t->self[order[1]] == 8 && t->self[order[2]] == 7);
	as_table_free(t);
	as_profile_free(prof);
}

int project_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_extended_example_of_the_specification),
		cmocka_unit_test(test_lines_have_their_own_cost_and_the_calls_made_there),
		cmocka_unit_test(test_files_sum_their_functions),
		cmocka_unit_test(test_recursive_calls_do_not_add_up),
		cmocka_unit_test(test_a_function_that_only_calls_itself_has_no_callers),
		cmocka_unit_test(test_a_cycle_is_one_row_and_nothing_exceeds_the_total),
		cmocka_unit_test(test_a_path_counts_once_however_deep_the_recursion),
		cmocka_unit_test(test_places_alone_say_nothing_of_inclusive_cost),
		cmocka_unit_test(test_parts_decide_for_themselves_who_was_called),
		cmocka_unit_test(test_no_function_costs_less_than_it_and_its_callees),
		cmocka_unit_test(
			test_inlined_code_belongs_to_its_file_and_is_called_by_the_functions),
		cmocka_unit_test(test_objects_in_a_cycle_have_no_inclusive_cost),
		cmocka_unit_test(test_an_address_of_two_functions_is_one_row),
		cmocka_unit_test(test_an_address_with_inlined_code_is_the_innermost_functions),
		cmocka_unit_test(test_a_million_deep_recursion_and_a_long_cycle_are_fine),
		cmocka_unit_test(test_start_lines_and_linkage_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
