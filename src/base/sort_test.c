/* SPDX-License-Identifier: Apache-2.0 */
/* Sorting hashes, beside a sort that compares; and elements. */
#include "base/sort.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/slice.h"
#include "lib/fail_alloc.h"

enum { MANY = 5000 };

static const uint64_t *sort_test_key;

/* Equal keys stay in their order. */
static int by_key(const void *a, const void *b)
{
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	uint64_t p = sort_test_key[i], q = sort_test_key[j];

	return p != q ? (p > q) - (p < q) : (i > j) - (i < j);
}

static void check_sorted(const uint64_t *key, size_t n)
{
	static uint64_t moved[MANY];
	static uint32_t row[MANY], want[MANY];

	for (size_t i = 0; i < n; i++)
		row[i] = want[i] = (uint32_t)i;
	memcpy(moved, key, n * sizeof(*key));
	assert_true(as_sort_hashes(&as_alloc_libc, moved, row, n));
	sort_test_key = key;
	qsort(want, n, sizeof(*want), by_key);
	assert_memory_equal(row, want, n * sizeof(*row));
	for (size_t i = 0; i < n; i++)
		assert_true(moved[i] == key[want[i]]);
}

static uint64_t sort_test_hash(size_t i)
{
	return as_hash_mix(i, 1) * UINT64_C(0x9e3779b97f4a7c15);
}

static void test_hashes_are_sorted_and_equal_ones_keep_their_order(void **state)
{
	static uint64_t key[MANY];

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		key[i] = sort_test_hash(i % (MANY / 2));
	for (size_t n = 0; n < 40; n++)
		check_sorted(key, n);
	check_sorted(key, MANY);
}

static void test_hashes_with_equal_upper_halves_are_sorted(void **state)
{
	static uint64_t key[MANY];

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		key[i] = sort_test_hash(i / 2) >> 32 << 32 | (i % 2 ? 0 : 7);
	check_sorted(key, MANY);
}

static void test_keys_that_are_no_hashes_are_sorted(void **state)
{
	static uint64_t key[MANY];

	(void)state;
	for (size_t i = 0; i < MANY; i++)
		key[i] = (MANY - i) / 3;
	check_sorted(key, MANY);
}

static void test_sorting_says_that_memory_is_out(void **state)
{
	uint64_t key[] = {2, 1};
	uint32_t row[] = {0, 1};
	struct fail_alloc fa;

	(void)state;
	for (unsigned long long at = 1; at <= 3; at++) {
		fail_alloc_init(&fa, at);
		assert_false(as_sort_hashes(&fa.al, key, row, 2));
		assert_int_equal(fa.held, 0);
	}
}

struct pair {
	uint32_t key, place;
};

static int by_pair(const void *ctx, uint32_t a, uint32_t b)
{
	const struct pair *pair = ctx;

	return as_cmp_u64(pair[a].key, pair[b].key);
}

static void test_elements_are_sorted_and_equal_ones_keep_their_order(void **state)
{
	struct pair pair[40], none;
	struct fail_alloc fa;

	(void)state;
	for (uint32_t i = 0; i < 40; i++)
		pair[i] = (struct pair){(uint32_t)sort_test_hash(i) % 7, i};
	assert_true(as_sort_array(&as_alloc_libc, pair, 40, by_pair, pair));
	for (size_t i = 1; i < 40; i++) {
		assert_true(pair[i - 1].key <= pair[i].key);
		if (pair[i - 1].key == pair[i].key)
			assert_true(pair[i - 1].place < pair[i].place);
	}
	assert_true(as_sort_array(&as_alloc_libc, &none, 0, by_pair, &none));
	pair[0].key = 8;
	for (unsigned long long at = 1; at <= 3; at++) {
		fail_alloc_init(&fa, at);
		assert_false(as_sort_array(&fa.al, pair, 40, by_pair, pair));
		assert_int_equal(pair[0].key, 8);
		assert_int_equal(fa.held, 0);
	}
}

static int cmp_key(const void *a, const void *b)
{
	uint64_t p, q;

	memcpy(&p, a, sizeof(p));
	memcpy(&q, b, sizeof(q));
	return as_cmp_u64(p, q);
}

/* Few keys and many, in stretches of all lengths that ascend, and in one. */
static void test_numbers_are_sorted_however_they_come(void **state)
{
	enum { MOST = 3000 };
	static uint64_t key[MOST], want[MOST], tmp[MOST];
	uint64_t seed = 1;

	(void)state;
	for (size_t n = 1; n < MOST; n += n < 150 ? 1 : 97)
		for (size_t stretch = 1; stretch < 2 * n; stretch = 2 * stretch + 1) {
			for (size_t i = 0; i < n; i++) {
				seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
				key[i] = i % stretch ? key[i - 1] + (seed >> 40 << 12)
						     : seed >> (20 + stretch % 20) << 12;
				key[i] = (key[i] & ~(uint64_t)0xfff) | i;
			}
			memcpy(want, key, sizeof(key));
			qsort(want, n, sizeof(*want), cmp_key);
			as_sort_numbers(key, n, tmp, 12);
			assert_memory_equal(key, want, n * sizeof(*key));
		}
}

int sort_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hashes_are_sorted_and_equal_ones_keep_their_order),
		cmocka_unit_test(test_hashes_with_equal_upper_halves_are_sorted),
		cmocka_unit_test(test_keys_that_are_no_hashes_are_sorted),
		cmocka_unit_test(test_sorting_says_that_memory_is_out),
		cmocka_unit_test(test_elements_are_sorted_and_equal_ones_keep_their_order),
		cmocka_unit_test(test_numbers_are_sorted_however_they_come),
	};

	return cmocka_run_group_tests_name("sort", tests, NULL, NULL);
}
