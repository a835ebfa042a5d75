/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of the same code, several times: what is left is compared with sums in plain arrays. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "change/kit/change.h"

enum { SEEDS = 200, SPACE = 20000, FUNCS = 3, COUNTS = 100 };

struct truth {
	uint64_t sum[FUNCS][SPACE]; /* of each address */
	uint64_t n;                 /* that are not zero */
	uint64_t all;
};

static uint64_t next_number(uint64_t *state, uint64_t below)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (*state >> 33) % below;
}

static uint32_t some_count(uint64_t *state)
{
	static const uint32_t scale[] = {0, 2, 2, 2, 200, 70000, UINT32_MAX};

	return (uint32_t)next_number(state, (uint64_t)scale[next_number(state, 7)] + 1);
}

static void truth_add(struct truth *t, uint32_t func, uint64_t addr, uint64_t count)
{
	t->n += count && !t->sum[func][addr];
	t->sum[func][addr] += count;
	t->all += count;
}

/* Some stretches and rows of FUNC. MIXED: an address may be there twice. The truth has addresses
 * without BASE. */
static void add_some(struct as_rows *rows, struct truth *t, uint32_t func, uint64_t base,
	uint64_t *state, bool mixed)
{
	static const uint32_t strides[] = {4, 4, 4, 4, 1, 12};
	uint8_t le32[4 * COUNTS + AS_SPAN_SLACK] = {0};
	uint64_t addr = next_number(state, 400) * 4;

	assert_true(as_rows_run(rows, 0, (as_func){func}, (as_file){0}, (as_func){0}));
	while (addr < SPACE - COUNTS * 12) {
		struct as_rows_span span = {base + addr, strides[next_number(state, 6)], le32,
			next_number(state, COUNTS)};

		for (size_t i = 0; i < span.n; i++) {
			uint32_t v = some_count(state);

			truth_add(t, func, addr + i * span.stride, v);
			for (unsigned k = 0; k < 4; k++)
				le32[4 * i + k] = (uint8_t)(v >> 8 * k);
		}
		assert_true(as_rows_add_span(rows, &span));
		addr += span.n * span.stride +
			4 * next_number(state, next_number(state, 9) ? 9 : 2000);
		if (addr < SPACE && next_number(state, 3) == 0) {
			uint64_t v = (uint64_t)1 << next_number(state, 50);

			truth_add(t, func, addr, v);
			assert_true(as_rows_add_u64(rows, 0, base + addr, &v, 1));
			addr += mixed ? 0 : 4;
		}
	}
}

static void expect_truth(const struct as_rows *rows, const struct truth *t, uint64_t base)
{
	as_val v[2] = {0}, total[2] = {0};
	struct as_rows_cur cur;

	assert_int_equal(rows->n, t->n);
	assert_int_equal(rows->run.n, FUNCS - 1);
	for (size_t r = 0; r < rows->run.n; r++) {
		const struct as_run *run = &rows->run.p[r];
		uint64_t next = 0;

		assert_int_equal(run->func.i, r + 1);
		as_rows_begin(&cur, rows, run, v);
		while (as_rows_next(&cur)) {
			assert_true(cur.addr - base >= next && cur.addr - base < SPACE);
			assert_int_equal(cur.line, 0);
			assert_true(v[0] == t->sum[run->func.i][cur.addr - base] && !v[1]);
			next = cur.addr - base + 1;
		}
	}
	as_rows_total(rows, total);
	assert_true(total[0] == t->all);
}

/* WIDTH: values in a row at the most. */
static void check_sums(uint64_t seed, uint32_t width)
{
	uint64_t state = seed, base = next_number(&state, 2) ? 0x120000000 : 0;
	bool mixed = next_number(&state, 5) == 0;
	static struct truth t;
	struct as_rows rows;

	t = (struct truth){0};
	as_rows_init(&rows, &as_alloc_libc, width);
	for (uint64_t n = 1 + next_number(&state, next_number(&state, 9) ? 5 : 80); n; n--)
		for (uint32_t f = 1; f < FUNCS; f++)
			add_some(&rows, &t, f, base, &state, mixed);
	assert_true(as_rows_compact(&rows, AS_KEYS_SELF));
	expect_truth(&rows, &t, base);
	as_rows_release(&rows);
}

static void test_counts_of_the_same_code_are_added_up(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++)
		check_sums(seed, 1 + seed % 2);
}

/* Rows that are no plain counts are added up, too: of a line, negative, of two values, zero. */
static void test_other_rows_between_counts_are_kept(void **state)
{
	static const struct {
		uint64_t line, addr;
		as_val v[2];
	} odd[] = {{7, 0x2000, {1}}, {0, 0x2000, {-3}}, {0, 0x2000, {1, 5}}, {0, 0x2000, {0}},
		{0, 0x2000, {(as_val)1 << 90}}};
	uint8_t le32[4 * 4 + AS_SPAN_SLACK] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};
	struct as_rows_span span = {0x1000, 4, le32, 4};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(odd); i++) {
		as_val total[2] = {0};
		struct as_rows rows;

		as_rows_init(&rows, &as_alloc_libc, 2);
		for (int k = 0; k < 2; k++) {
			assert_true(
				as_rows_run(&rows, 0, (as_func){1}, (as_file){0}, (as_func){0}));
			assert_true(as_rows_add_span(&rows, &span));
			assert_true(as_rows_add(&rows, odd[i].line, odd[i].addr, odd[i].v, 2));
		}
		assert_true(as_rows_compact(&rows, AS_KEYS_SELF));
		assert_int_equal(rows.n, 5);
		as_rows_total(&rows, total);
		assert_true(total[0] == 20 + 2 * odd[i].v[0] && total[1] == 2 * odd[i].v[1]);
		as_rows_release(&rows);
	}
}

/* The last addresses there are, and stretches that leave them at the top. */
static void test_addresses_at_the_end_of_memory(void **state)
{
	uint8_t le32[4 * 4 + AS_SPAN_SLACK] = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4};

	(void)state;
	for (uint64_t start = UINT64_MAX - 40; start < UINT64_MAX - 11; start++) {
		struct as_rows_span span = {start, 4, le32, 4};
		as_val total[1] = {0};
		struct as_rows rows;

		as_rows_init(&rows, &as_alloc_libc, 1);
		assert_true(as_rows_run(&rows, 0, (as_func){1}, (as_file){0}, (as_func){0}));
		for (int k = 0; k < 3; k++)
			assert_true(as_rows_add_span(&rows, &span));
		assert_true(as_rows_compact(&rows, AS_KEYS_SELF));
		assert_int_equal(rows.n, 4);
		as_rows_total(&rows, total);
		assert_true(total[0] == 30);
		as_rows_release(&rows);
	}
}

int compact_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counts_of_the_same_code_are_added_up),
		cmocka_unit_test(test_other_rows_between_counts_are_kept),
		cmocka_unit_test(test_addresses_at_the_end_of_memory),
	};

	return cmocka_run_group_tests_name("compact", tests, NULL, NULL);
}
