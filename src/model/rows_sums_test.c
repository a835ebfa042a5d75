/* SPDX-License-Identifier: Apache-2.0 */
#include "model/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { WIDTH = 3 + 5, ROWS = 20000, FUNCS = 7 };

/* Value K of row I: of all lengths from none to eight bytes. */
static uint64_t value(size_t i, uint32_t k)
{
	uint64_t v = (i * 2654435761u + k * 40503u) * UINT64_C(0x9e3779b97f4a7c15);
	unsigned bits = (unsigned)(i + k * 11) % 65;

	return bits ? v >> (64 - bits) | UINT64_C(1) << (bits - 1) : 0;
}

static void add_rows(struct as_rows *rows, size_t from, size_t to, uint32_t n)
{
	for (size_t i = from; i < to; i++) {
		uint64_t v[WIDTH];

		for (uint32_t k = 0; k < n; k++)
			v[k] = value(i, k);
		assert_true(as_rows_add_sum(rows, (uint32_t)(i % FUNCS), v));
	}
}

static void expect_rows(
	const struct as_rows *rows, const struct as_run *run, size_t from, uint32_t n)
{
	as_val v[WIDTH];
	struct as_rows_cur cur;
	size_t i = from;

	as_rows_begin(&cur, rows, run, v);
	for (; as_rows_next(&cur); i++) {
		assert_true(cur.line == 0 && cur.addr == 0);
		assert_true(v[0] == (as_val)(i % FUNCS) && v[1] == 0 && v[2] == 0);
		for (uint32_t k = 0; k < WIDTH - 3; k++)
			assert_true(v[3 + k] == (k < n ? (as_val)value(i, k) : 0));
	}
	assert_int_equal(i - from, run->n);
}

static bool run_sums(struct as_rows *rows, uint32_t func, uint32_t n)
{
	return as_rows_run_sums(rows, 0, (as_func){func}, (as_file){0}, n);
}

static void test_sums_come_back_as_they_went_in(void **state)
{
	struct as_rows rows;

	as_rows_init(&rows, &as_alloc_libc, WIDTH);
	for (uint32_t n = 1; n <= WIDTH - 3; n++) {
		assert_true(run_sums(&rows, 1, n));
		add_rows(&rows, n, n + ROWS, n);
	}
	assert_int_equal(rows.run.n, WIDTH - 3);
	assert_true(rows.chunk.n > 2);
	for (uint32_t n = 1; n <= WIDTH - 3; n++)
		expect_rows(&rows, &rows.run.p[n - 1], n, n);
	assert_int_equal(rows.n, ROWS * (WIDTH - 3));
	as_rows_release(&rows);
	(void)state;
}

static void test_sums_and_other_rows_do_not_share_a_run(void **state)
{
	static const as_val wide[] = {1, 2, 3, -4, (as_val)1 << 100};
	struct as_rows rows;
	struct as_rows_cur cur;
	as_val v[WIDTH];

	as_rows_init(&rows, &as_alloc_libc, WIDTH);
	assert_true(run_sums(&rows, 1, 2));
	add_rows(&rows, 0, 3, 2);
	assert_true(as_rows_run(&rows, 0, (as_func){1}, (as_file){0}, (as_func){0}));
	assert_true(as_rows_add(&rows, 7, 9, wide, 5));
	assert_true(run_sums(&rows, 1, 2));
	add_rows(&rows, 3, 6, 2);
	assert_true(run_sums(&rows, 1, 2)); /* goes on */
	add_rows(&rows, 6, 8, 2);
	assert_int_equal(rows.run.n, 3);
	expect_rows(&rows, &rows.run.p[0], 0, 2);
	expect_rows(&rows, &rows.run.p[2], 3, 2);
	as_rows_begin(&cur, &rows, &rows.run.p[1], v);
	assert_true(as_rows_next(&cur));
	assert_true(cur.line == 7 && cur.addr == 9 && cur.n == 5);
	assert_memory_equal(v, wide, sizeof(wide));
	assert_false(as_rows_next(&cur));
	as_rows_release(&rows);
	(void)state;
}

static void test_sums_are_taken_with_new_names(void **state)
{
	uint32_t map[FUNCS], count[2 * FUNCS] = {0};
	struct as_rows to, from;
	struct as_rows_cur cur;
	as_val v[WIDTH];
	size_t n = 0;

	for (uint32_t f = 0; f < FUNCS; f++)
		map[f] = 2 * FUNCS - 1 - f;
	as_rows_init(&to, &as_alloc_libc, WIDTH);
	as_rows_init(&from, &as_alloc_libc, WIDTH);
	assert_true(run_sums(&to, 1, 2));
	add_rows(&to, 0, 10, 2);
	assert_true(run_sums(&from, 2, 2));
	add_rows(&from, 10, 10 + ROWS, 2);
	assert_true(run_sums(&from, 3, 2));
	add_rows(&from, 0, 1, 2);
	assert_true(as_rows_take_sums(&to, &from, map));
	assert_int_equal(from.n, 0);
	assert_int_equal(to.n, 10 + ROWS + 1);
	assert_int_equal(to.run.n, 3);
	expect_rows(&to, &to.run.p[0], 0, 2);
	as_rows_begin(&cur, &to, &to.run.p[1], v);
	for (size_t i = 10; as_rows_next(&cur); i++, n++) {
		assert_true(v[0] == map[i % FUNCS]);
		assert_true(v[3] == (as_val)value(i, 0) && v[4] == (as_val)value(i, 1));
		count[(size_t)v[0]]++;
	}
	assert_int_equal(n, ROWS);
	assert_int_equal(count[0], 0);
	/* What follows stands behind them. */
	assert_true(run_sums(&to, 1, 2));
	add_rows(&to, 5, 9, 2);
	expect_rows(&to, &to.run.p[3], 5, 2);
	as_rows_release(&from);
	as_rows_release(&to);
	(void)state;
}

static void test_rows_that_are_no_sums_are_not_taken(void **state)
{
	static const as_val one[] = {1};
	static const uint32_t map[FUNCS] = {0};
	struct as_rows to, from;

	as_rows_init(&to, &as_alloc_libc, WIDTH);
	as_rows_init(&from, &as_alloc_libc, WIDTH);
	assert_true(run_sums(&from, 2, 2));
	add_rows(&from, 0, 3, 2);
	assert_true(as_rows_run(&from, 0, (as_func){1}, (as_file){0}, (as_func){0}));
	assert_true(as_rows_add(&from, 0, 0, one, 1));
	assert_false(as_rows_take_sums(&to, &from, map));
	assert_int_equal(to.n, 0);
	expect_rows(&from, &from.run.p[0], 0, 2);
	as_rows_release(&from);
	as_rows_release(&to);
	(void)state;
}

int rows_sums_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sums_come_back_as_they_went_in),
		cmocka_unit_test(test_sums_and_other_rows_do_not_share_a_run),
		cmocka_unit_test(test_sums_are_taken_with_new_names),
		cmocka_unit_test(test_rows_that_are_no_sums_are_not_taken),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
