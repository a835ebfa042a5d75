/* SPDX-License-Identifier: Apache-2.0 */
#include "model/rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { COUNTS_MAX = 1000 };

struct row {
	uint64_t line, addr;
	as_val v[2];
};

static const struct row none[1];

struct rows_state {
	struct as_rows rows;
	uint8_t le32[1 + 4 * COUNTS_MAX + AS_SPAN_SLACK]; /* used from byte 1 on: not aligned */
};

static int set_up(void **state)
{
	struct rows_state *st = as_alloc_new(&as_alloc_libc, sizeof(*st));

	as_rows_init(&st->rows, &as_alloc_libc, 2);
	assert_true(as_rows_run(&st->rows, 0, (as_func){1}, (as_file){0}, (as_func){0}));
	*state = st;
	return 0;
}

static int tear_down(void **state)
{
	struct rows_state *st = *state;

	as_rows_release(&st->rows);
	as_alloc_free(&as_alloc_libc, st, sizeof(*st));
	return 0;
}

static void add_span(
	struct rows_state *st, uint64_t addr, uint64_t stride, const uint32_t *v, size_t n)
{
	struct as_rows_span span = {addr, stride, st->le32 + 1, n};

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < 4; k++)
			st->le32[1 + 4 * i + k] = (uint8_t)(v[i] >> 8 * k);
	assert_true(as_rows_add_span(&st->rows, &span));
}

/* The rows of a run, taken in stretches, every other time after a single row. */
static void expect_views(const struct rows_state *st, const struct as_run *run, uint64_t sum)
{
	struct as_rows_view view;
	struct as_rows_cur cur;
	uint64_t rows = 0, values;
	bool single = false;
	as_val v[2];

	as_rows_begin(&cur, &st->rows, run, v);
	for (;; single = !single) {
		if (single ? !as_rows_next(&cur) : !as_rows_next_view(&cur, &view))
			break;
		if (single || !view.n) {
			sum -= (uint64_t)v[0];
			rows++;
			continue;
		}
		assert_int_not_equal(as_view_value(&view, view.n - 1), 0);
		assert_int_equal(cur.addr, view.addr + (view.n - 1) * view.stride);
		rows += view.rows;
		values = 0;
		sum -= as_view_sum(&view);
		for (uint32_t i = 0; i < view.n; i++) {
			view.rows -= as_view_value(&view, i) != 0;
			values += as_view_value(&view, i);
		}
		assert_int_equal(view.rows, 0);
		assert_int_equal(as_view_sum(&view), values);
	}
	assert_int_equal(rows, run->n);
	assert_int_equal(sum, 0);
}

/* Rows that were taken and added in stretches are the same ones. */
static void expect_copy(const struct rows_state *st)
{
	struct as_rows_cur from, cur;
	struct as_rows_view view;
	as_val v[2], w[2], total[4] = {0};
	struct as_rows copy;

	as_rows_init(&copy, &as_alloc_libc, 2);
	for (size_t r = 0; r < st->rows.run.n; r++) {
		assert_true(as_rows_run_like(&copy, &(struct as_run){.func = {(uint32_t)r + 1}}));
		as_rows_begin(&cur, &st->rows, &st->rows.run.p[r], v);
		while (as_rows_next_view(&cur, &view))
			assert_true(view.n ? as_rows_add_view(&copy, &view)
					   : as_rows_add(&copy, cur.line, cur.addr, v, 2));
		as_rows_begin(&from, &st->rows, &st->rows.run.p[r], v);
		as_rows_begin(&cur, &copy, &copy.run.p[copy.run.n - 1], w);
		while (as_rows_next(&from)) {
			assert_true(as_rows_next(&cur));
			assert_true(cur.line == from.line && cur.addr == from.addr);
			assert_true(v[0] == w[0] && v[1] == w[1]);
		}
		assert_false(as_rows_next(&cur));
	}
	assert_int_equal(copy.n, st->rows.n);
	as_rows_total(&copy, total);
	as_rows_total(&st->rows, total + 2);
	assert_true(total[0] == total[2] && total[1] == total[3]);
	as_rows_release(&copy);
}

/* The rows of all runs are WANT, and the totals are their sum. */
static void expect(const struct rows_state *st, const struct row *want, size_t n)
{
	as_val v[2], total[2] = {0}, sum[2] = {0};
	struct as_rows_cur cur;
	size_t i = 0;

	for (size_t r = 0; r < st->rows.run.n; r++) {
		uint64_t in_run = 0;

		as_rows_begin(&cur, &st->rows, &st->rows.run.p[r], v);
		while (as_rows_next(&cur)) {
			in_run += (uint64_t)v[0];
			assert_true(i < n);
			assert_int_equal(cur.line, want[i].line);
			assert_int_equal(cur.addr, want[i].addr);
			assert_true(v[0] == want[i].v[0] && v[1] == want[i].v[1]);
			for (uint32_t k = 0; k < cur.n; k++)
				sum[k] += v[k];
			i++;
		}
		expect_views(st, &st->rows.run.p[r], in_run);
	}
	expect_copy(st);
	assert_int_equal(i, n);
	assert_int_equal(st->rows.n, n);
	as_rows_total(&st->rows, total);
	assert_true(total[0] == sum[0] && total[1] == sum[1]);
}

static void test_a_span_is_a_row_for_every_count_that_is_not_zero(void **state)
{
	static const uint32_t v[] = {0, 10, 1, 0, 0, 3, 0};
	static const struct row want[] = {{0, 104, {10}}, {0, 108, {1}}, {0, 120, {3}}};
	struct rows_state *st = *state;

	add_span(st, 100, 4, v, AS_ARRAY_LEN(v));
	expect(st, want, AS_ARRAY_LEN(want));
	assert_int_equal(st->rows.counted.rows, 3);
	assert_int_equal(st->rows.counted.sum, 14);
}

static void test_counts_of_one_two_and_four_bytes(void **state)
{
	static const uint32_t one[] = {255, 1}, two[] = {256, 1}, two_max[] = {65535, 1};
	static const uint32_t four[] = {65536, 1}, four_max[] = {UINT32_MAX, UINT32_MAX};
	static const struct row want[] = {{0, 0, {255}}, {0, 1, {1}}, {0, 10, {256}}, {0, 11, {1}},
		{0, 20, {65535}}, {0, 21, {1}}, {0, 30, {65536}}, {0, 31, {1}},
		{0, 40, {UINT32_MAX}}, {0, 41, {UINT32_MAX}}};
	struct rows_state *st = *state;

	add_span(st, 0, 1, one, 2);
	add_span(st, 10, 1, two, 2);
	add_span(st, 20, 1, two_max, 2);
	add_span(st, 30, 1, four, 2);
	add_span(st, 40, 1, four_max, 2);
	expect(st, want, AS_ARRAY_LEN(want));
	assert_int_equal(st->rows.counted.sum,
		255 + 1 + 256 + 1 + 65535 + 1 + 65536 + 1 + 2 * (uint64_t)UINT32_MAX);
}

static void test_spans_of_every_length_with_every_width(void **state)
{
	static const uint32_t scale[] = {1, 250, 60000, UINT32_MAX / 4};
	static const struct rows_state empty;
	struct row want[COUNTS_MAX];
	uint32_t v[COUNTS_MAX];
	struct rows_state *st = *state;

	for (size_t n = 0; n < 300; n++) {
		size_t rows = 0;
		uint64_t sum = 0;

		for (size_t i = 0; i < n; i++) {
			v[i] = (uint32_t)(i * 7 % 5) * scale[(i + n) / 64 % 4];
			sum += v[i];
			if (v[i])
				want[rows++] = (struct row){0, 0x120000000 + 4 * i, {v[i]}};
		}
		as_rows_release(&st->rows);
		*st = empty;
		as_rows_init(&st->rows, &as_alloc_libc, 2);
		assert_true(as_rows_run(&st->rows, 0, (as_func){1}, (as_file){0}, (as_func){0}));
		add_span(st, 0x120000000, 4, v, n);
		expect(st, want, rows);
		assert_int_equal(st->rows.counted.sum, sum);
		assert_int_equal(st->rows.counted.rows, rows);
	}
}

static void test_only_zeros_are_no_rows(void **state)
{
	static const uint32_t v[200] = {0};
	struct rows_state *st = *state;

	add_span(st, 4, 4, v, 200);
	add_span(st, 4, 4, v, 0);
	expect(st, none, 0);
	assert_int_equal(st->rows.counted.rows, 0);
}

static void test_spans_and_other_rows_stand_beside_each_other(void **state)
{
	static const uint32_t v[] = {5, 0, 6};
	static const as_val wide[] = {-3, (as_val)1 << 100};
	static const struct row want[] = {{7, 50, {-3, (as_val)1 << 100}}, {0, 8, {5}}, {0, 4, {6}},
		{9, 2, {-3, (as_val)1 << 100}}, {0, UINT64_MAX - 1, {5}}, {0, 1, {6}}};
	struct rows_state *st = *state;

	assert_true(as_rows_add(&st->rows, 7, 50, wide, 2));
	add_span(st, 8, (uint64_t)-2, v, 3);
	assert_true(as_rows_add(&st->rows, 9, 2, wide, 2));
	assert_true(as_rows_run(&st->rows, 1, (as_func){1}, (as_file){0}, (as_func){0}));
	add_span(st, UINT64_MAX - 1, (uint64_t)3 / 2, v, 1);
	add_span(st, 1, 1, v + 2, 1);
	expect(st, want, AS_ARRAY_LEN(want));
}

/* Enough rows to fill several chunks of memory, before and after the mark. */
static void fill(struct rows_state *st, uint32_t from, uint32_t to)
{
	uint32_t v[3];

	for (uint32_t i = from; i < to; i++) {
		v[0] = i;
		v[1] = 0;
		v[2] = 1;
		add_span(st, (uint64_t)i << 32, 4, v, 3);
	}
}

static void test_what_was_added_since_a_mark_can_be_taken_back(void **state)
{
	enum { FIRST = 4000, LAST = 80000 };
	struct rows_state *st = *state;
	as_val total[2] = {0};
	struct as_rows_mark mark, empty = as_rows_mark(&st->rows);

	fill(st, 1, FIRST);
	mark = as_rows_mark(&st->rows);
	fill(st, FIRST, LAST);
	assert_true(as_rows_run(&st->rows, 2, (as_func){9}, (as_file){0}, (as_func){0}));
	fill(st, 1, 5);
	as_rows_rewind(&st->rows, &mark);
	assert_int_equal(st->rows.n, 2 * (FIRST - 1));
	assert_int_equal(st->rows.run.n, 1);
	fill(st, FIRST, FIRST + 1);
	as_rows_total(&st->rows, total);
	assert_true(total[0] == (as_val)FIRST * (FIRST + 1) / 2 + FIRST);
	as_rows_rewind(&st->rows, &empty);
	expect(st, none, 0);
	assert_int_equal(st->rows.chunk.n, 0);
}

/* A value of BITS bits, every second one of them with ones only at its ends. */
static as_uval of_bits(unsigned bits, unsigned i)
{
	as_uval top = bits ? (as_uval)1 << (bits - 1) : 0;

	return !bits ? 0 : i % 2 ? top | 1 : top | (top - 1);
}

static void test_numbers_of_every_length_come_back(void **state)
{
	struct rows_state *st = *state;
	as_val v[2] = {0}, total[2] = {0}, sum[2] = {0};
	struct as_rows_cur cur;

	for (int pass = 0; pass < 2; pass++) {
		if (pass)
			as_rows_begin(&cur, &st->rows, &st->rows.run.p[0], v);
		for (unsigned i = 0; i < 66 * 66 * 8; i++) {
			uint64_t line = (uint64_t)of_bits(i % 66 % 65, i);
			uint64_t addr = i / 66 % 3 ? 0 : (uint64_t)of_bits(i / 66 % 65, i);
			as_val x[2] = {(as_val)of_bits(i % 101, i), (as_val)of_bits(i % 64, i)};
			uint32_t n = i % 5 ? 1 : 2;

			x[0] = i % 7 == 0 ? -x[0] : x[0];
			x[1] = n == 1 ? 0 : x[1];
			if (!pass) {
				assert_true(as_rows_add(&st->rows, line, addr, x, n));
				sum[0] += x[0];
				sum[1] += x[1];
				continue;
			}
			v[1] = 0;
			assert_true(i % 2 ? as_rows_next(&cur) : as_rows_next_short(&cur));
			assert_int_equal(cur.line, line);
			assert_int_equal(cur.addr, addr);
			assert_true(cur.n == 0 || v[0] == x[0]);
			assert_true(cur.n > 0 || x[0] == 0);
			assert_true(v[1] == x[1]);
		}
	}
	assert_false(as_rows_next(&cur));
	as_rows_total(&st->rows, total);
	assert_true(total[0] == sum[0] && total[1] == sum[1]);
	assert_true(as_rows_first(&st->rows, &st->rows.run.p[0]) == sum[0]);
}

/* Rows of all kinds: plain ones mostly, and every now and then another one or a stretch. */
static void fill_mixed(struct rows_state *st)
{
	static const uint32_t counts[] = {5, 0, 6, 0, 0, 300};

	for (unsigned i = 0; i < 3000; i++) {
		as_val v[2] = {(as_val)of_bits(i % 20, i), i % 11 == 10};

		v[0] = i % 13 == 12 ? -v[0] : v[0];
		v[0] = i % 97 == 96 ? (as_val)1 << 90 : v[0];
		if (i % 101 == 100)
			add_span(st, 1000 * i, 4, counts, 6);
		assert_true(as_rows_add(&st->rows, i % 40, 1000 * i + i % 300, v, 2));
	}
}

/* The two values of ROW. What as_varint_get() says of those that are packed is checked. */
static void unpack(const struct as_rows_packed *row, as_val *v)
{
	const uint8_t *p = row->packed;
	uint64_t x;

	v[0] = row->n ? 0 : (as_val)row->value;
	v[1] = 0;
	if (!row->n)
		return;
	as_rows_unpack(row, v);
	for (uint32_t k = 0; k < (row->n & ~AS_ROWS_PACKED) && p; k++) {
		p = as_varint_get(p, &x);
		assert_true(!p ? v[k] >> 56 : v[k] == (as_val)x);
	}
}

static void test_plain_rows_come_many_at_a_time(void **state)
{
	struct rows_state *st = *state;
	struct as_rows_packed row[20] = {0};
	struct as_rows_cur cur, same;
	as_val v[2], w[2];
	uint32_t most = 0;

	fill_mixed(st);
	assert_true(st->rows.chunk.n > 1);
	as_rows_begin(&cur, &st->rows, &st->rows.run.p[0], v);
	as_rows_begin(&same, &st->rows, &st->rows.run.p[0], w);
	for (uint32_t i = 1; same.left; i++) {
		uint32_t max = i % 20 + 1, n = as_rows_next_packed(&cur, row, max, i);

		assert_true(n <= max);
		most = n > most ? n : most;
		for (uint32_t k = 0; k < n; k++) {
			assert_true(as_rows_next(&same));
			assert_int_equal(row[k].line, same.line);
			assert_int_equal(row[k].addr, same.addr);
			assert_int_equal(row[k].tag, i);
			unpack(&row[k], v);
			assert_memory_equal(v, w, sizeof(v));
		}
		if (n)
			continue;
		assert_true(as_rows_next(&cur) && as_rows_next(&same));
		assert_true(cur.line == same.line && cur.addr == same.addr);
		assert_true(v[0] == w[0] && v[1] == w[1]);
	}
	assert_false(as_rows_next(&cur));
	assert_int_equal(as_rows_next_packed(&cur, row, 20, 0), 0);
	assert_true(most > 5 || !AS_LITTLE_ENDIAN);
}

static void test_the_first_values_of_spans_are_added_up(void **state)
{
	static const uint32_t v[] = {5, 0, 6, 0, 0, 300};
	static const as_val wide[] = {-3, (as_val)1 << 100}, zero[] = {0};
	struct rows_state *st = *state;

	add_span(st, 8, 4, v, 6);
	assert_true(as_rows_add(&st->rows, 7, 50, wide, 2));
	assert_true(as_rows_add(&st->rows, 8, 50, zero, 1));
	add_span(st, 1000, 4, v, 6);
	assert_true(as_rows_run(&st->rows, 1, (as_func){1}, (as_file){0}, (as_func){0}));
	add_span(st, 8, 4, v, 6);
	assert_true(as_rows_first(&st->rows, &st->rows.run.p[0]) == 2 * 311 - 3);
	assert_true(as_rows_first(&st->rows, &st->rows.run.p[1]) == 311);
}

static void test_rows_of_one_number_are_counted_up_to_64_bits(void **state)
{
	static const uint64_t v[] = {7, 0, UINT64_MAX - 20, 14, 100};
	struct rows_state *st = *state;
	as_val total[1];

	st->rows.width = 1;
	for (uint64_t i = 0; i < AS_ARRAY_LEN(v); i++) {
		as_val want = 0;

		assert_true(as_rows_add_u64(&st->rows, i, 3, v + i, 1));
		for (uint64_t k = 0; k <= i; k++)
			want += v[k];
		total[0] = 0;
		as_rows_total(&st->rows, total);
		assert_true(total[0] == want);
	}
	assert_int_equal(st->rows.counted.rows, 3);
}

static void test_a_count_costs_little_more_than_a_byte(void **state)
{
	struct rows_state *st = *state;
	uint32_t v[COUNTS_MAX];
	size_t used = 0;

	for (uint32_t i = 0; i < COUNTS_MAX; i++)
		v[i] = 1 + i % 200;
	add_span(st, 0x120000000, 4, v, COUNTS_MAX);
	for (size_t c = 0; c < st->rows.chunk.n; c++)
		used += st->rows.chunk.p[c].n;
	assert_in_range(used, COUNTS_MAX, COUNTS_MAX * 6 / 5);
}

/* A run that is full is followed by another one; what is walked stays the same. */
static void test_a_full_run_goes_on_in_another_one(void **state)
{
	struct rows_state *st = *state;
	uint32_t counts[COUNTS_MAX];
	uint64_t n = 0, sum = 0, want_sum = 0, last = 0;
	struct as_rows_cur cur;
	as_val v[2];

	st->rows.run_max = 200;
	for (uint32_t i = 0; i < COUNTS_MAX; i++)
		want_sum += counts[i] = i % 3 * i;
	for (uint64_t i = 0; i < 500; i++) {
		uint64_t one = i + 1;

		want_sum += one;
		assert_true(as_rows_add_u64(&st->rows, i, 4 * i, &one, 1));
	}
	add_span(st, 1 << 20, 4, counts, COUNTS_MAX);
	for (size_t r = 0; r < st->rows.run.n; r++) {
		const struct as_run *run = &st->rows.run.p[r];

		assert_in_range(run->n, 1, 200);
		assert_int_equal(run->func.i, 1);
		as_rows_begin(&cur, &st->rows, run, v);
		for (; as_rows_next(&cur); n++) {
			assert_true(n == 0 || cur.addr > last);
			assert_true(n >= 500 || (cur.line == n && cur.addr == 4 * n));
			last = cur.addr;
			sum += (uint64_t)v[0];
		}
	}
	assert_int_equal(n, 500 + 666);
	assert_int_equal(n, st->rows.n);
	assert_int_equal(last, (1 << 20) + 4 * 998);
	assert_int_equal(sum, want_sum);
}

/* A reader may learn of more events when there are rows already. */
static void test_rows_stay_what_they_are_when_more_values_fit(void **state)
{
	const as_val minus = -5, four[] = {1, 0, 0, 7};
	struct rows_state *st = *state;
	struct as_rows_cur cur;
	as_val v[5];

	assert_true(as_rows_add(&st->rows, 0, 0, &minus, 1));
	assert_true(as_rows_add(&st->rows, 9, 0, &minus, 1));
	st->rows.width = 5;
	assert_true(as_rows_add(&st->rows, 9, 0, four, 4));
	as_rows_begin(&cur, &st->rows, &st->rows.run.p[0], v);
	for (int i = 0; i < 3; i++) {
		assert_true(as_rows_next(&cur));
		assert_true(v[0] == (i < 2 ? -5 : 1) && v[3] == (i < 2 ? 0 : 7));
		assert_true(!v[1] && !v[2] && !v[4]);
		assert_int_equal(cur.line, i ? 9 : 0);
	}
	assert_false(as_rows_next(&cur));
}

/* Rows of seven values, in every form that they are written in: with and without a place, with
 * zeros in every pattern, with one negative value only. */
static void test_wide_rows_come_back_as_they_went_in(void **state)
{
	enum { WIDTH = 7, N = 4 * 128 };
	static const uint64_t magnitude[] = {1, 0x7f, 0x80, 0x3fff, 0x123456789, UINT64_MAX};
	as_val v[WIDTH], want[N][WIDTH], total[WIDTH] = {0}, sum[WIDTH] = {0};
	struct as_rows rows;
	struct as_rows_cur cur;

	(void)state;
	as_rows_init(&rows, &as_alloc_libc, WIDTH);
	assert_true(as_rows_run(&rows, 0, (as_func){1}, (as_file){0}, (as_func){0}));
	for (uint32_t i = 0; i < N; i++) {
		uint64_t plain[WIDTH], line = i & 128 ? i : 0, addr = i & 128 ? UINT64_MAX - i : 0;

		for (uint32_t k = 0; k < WIDTH; k++) {
			plain[k] = i >> k & 1 ? magnitude[(i + k) % 6] : 0;
			want[i][k] = i & 256 ? -(as_val)plain[k] : (as_val)plain[k];
			sum[k] += want[i][k];
		}
		assert_true(i & 256 ? as_rows_add(&rows, line, addr, want[i], WIDTH)
				    : as_rows_add_u64(&rows, line, addr, plain, WIDTH));
	}
	as_rows_begin(&cur, &rows, &rows.run.p[0], v);
	for (uint32_t i = 0; i < N; i++) {
		assert_true(as_rows_next(&cur));
		assert_memory_equal(v, want[i], sizeof(v));
		assert_true(cur.line == (i & 128 ? i : 0));
		assert_true(cur.addr == (i & 128 ? UINT64_MAX - i : 0));
	}
	assert_false(as_rows_next(&cur));
	as_rows_total(&rows, total);
	assert_memory_equal(total, sum, sizeof(sum));
	assert_true(as_rows_first(&rows, &rows.run.p[0]) == sum[0]);
	as_rows_release(&rows);
}

int rows_tests(void)
{
	static const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		T(test_a_span_is_a_row_for_every_count_that_is_not_zero),
		T(test_counts_of_one_two_and_four_bytes),
		T(test_spans_of_every_length_with_every_width),
		T(test_only_zeros_are_no_rows),
		T(test_spans_and_other_rows_stand_beside_each_other),
		T(test_what_was_added_since_a_mark_can_be_taken_back),
		T(test_numbers_of_every_length_come_back),
		T(test_the_first_values_of_spans_are_added_up),
		T(test_rows_of_one_number_are_counted_up_to_64_bits),
		T(test_a_count_costs_little_more_than_a_byte),
		T(test_rows_stay_what_they_are_when_more_values_fit),
		T(test_a_full_run_goes_on_in_another_one),
		T(test_plain_rows_come_many_at_a_time),
		cmocka_unit_test(test_wide_rows_come_back_as_they_went_in),
#undef T
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
