/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stacks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

enum { DEEP = 6, STACKS = 20000, ADDS = 60000 };

/* What is added, kept as it is. */
struct plain {
	uint32_t kind, n;
	as_place place[DEEP];
	as_uval value, times;
};

static uint32_t next(uint32_t *state)
{
	*state = *state * 1664525 + 1013904223;
	return *state >> 8;
}

/* Places of one, two, three and four bytes. */
static as_place some_place(uint32_t *state)
{
	uint32_t any = next(state) << 8 | next(state) % 256;

	return (as_place){any >> next(state) % 4 * 8};
}

static int cmp_plain(const void *left, const void *right)
{
	const struct plain *a = left, *b = right;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->n != b->n)
		return a->n < b->n ? -1 : 1;
	return memcmp(a->place, b->place, a->n * sizeof(*a->place));
}

/* One row for all equal ones; how many. */
static size_t unite(struct plain *all, size_t n)
{
	size_t out = 0;

	qsort(all, n, sizeof(*all), cmp_plain);
	for (size_t i = 0; i < n; i++) {
		if (out && cmp_plain(&all[out - 1], &all[i]) == 0) {
			all[out - 1].value += all[i].value;
			all[out - 1].times += all[i].times;
		} else {
			all[out++] = all[i];
		}
	}
	return out;
}

/* The rows of S; how many. */
static size_t read_all(const struct as_stacks *s, struct plain *got)
{
	struct as_stacks_cur cur;
	as_place place[DEEP];
	size_t n = 0;

	assert_true(s->deepest <= DEEP);
	as_stacks_begin(&cur, s, place);
	while (as_stacks_next(&cur)) {
		struct plain *one = &got[n++];

		memset(one, 0, sizeof(*one));
		one->kind = cur.kind;
		one->n = cur.n;
		one->value = cur.value;
		one->times = cur.times;
		for (uint32_t i = 0; i < cur.n; i++)
			one->place[i] = place[cur.n - 1 - i];
	}
	return n;
}

/* The walk over the innermost places meets what the other one does. */
static void check_leaves(const struct as_stacks *s)
{
	struct as_stacks_cur all, leaf;
	as_place place[DEEP], one[1] = {{0}};

	as_stacks_begin(&all, s, place);
	as_stacks_begin(&leaf, s, one);
	while (as_stacks_next(&all)) {
		assert_true(as_stacks_next_leaf(&leaf));
		assert_true(leaf.kind == all.kind && leaf.value == all.value);
		assert_true(leaf.times == all.times && leaf.n == (all.n != 0));
		assert_true(!leaf.n || one[0].i == place[0].i);
	}
	assert_false(as_stacks_next_leaf(&leaf));
}

static void assert_same(const struct plain *a, size_t n_a, const struct plain *b, size_t n_b)
{
	assert_int_equal(n_a, n_b);
	for (size_t i = 0; i < n_a; i++) {
		assert_int_equal(cmp_plain(&a[i], &b[i]), 0);
		assert_true(a[i].value == b[i].value && a[i].times == b[i].times);
	}
}

static void test_each_stack_is_kept_once_with_what_was_counted(void **state)
{
	struct plain *want = test_calloc(ADDS, sizeof(*want));
	struct plain *got = test_calloc(ADDS, sizeof(*got));
	struct as_stacks s;
	as_val values = 0, times = 0;
	uint32_t seed = 1;
	size_t n;

	(void)state;
	for (size_t i = 0; i < ADDS; i++) {
		struct plain *one = &want[i];

		if (i >= STACKS) {
			*one = want[next(&seed) % STACKS];
		} else {
			one->kind = next(&seed) % 3;
			one->n = next(&seed) % (DEEP + 1);
			for (uint32_t k = 0; k < one->n; k++)
				one->place[k] = some_place(&seed);
		}
		one->value = next(&seed);
		one->times = next(&seed) % 4;
		times += (as_val)one->times;
	}
	as_stacks_init(&s, &as_alloc_libc);
	for (uint32_t k = 0; k < 3; k++)
		assert_true(as_stacks_kind(&s, 2 * k, 2 * k + 1));
	for (size_t i = 0; i < ADDS; i++) {
		assert_true(as_stacks_add(&s, want[i].kind, want[i].place, want[i].n,
			(uint64_t)want[i].value, (uint32_t)want[i].times));
		values += (as_val)want[i].value;
	}
	assert_true(as_stacks_end(&s));
	n = unite(want, ADDS);
	assert_int_equal(s.n, n);
	check_leaves(&s);
	assert_int_equal(read_all(&s, got), n);
	qsort(got, n, sizeof(*got), cmp_plain);
	assert_same(got, n, want, n);
	for (uint32_t k = 0; k < 3; k++) {
		values -= s.kind.p[k].values;
		times -= s.kind.p[k].all_times;
	}
	assert_true(values == 0 && times == 0);
	as_stacks_release(&s);
	test_free(want);
	test_free(got);
}

/* A number of 64 bits holds less than what some files count. */
static void test_what_a_row_cannot_hold_begins_another_one(void **state)
{
	const as_place place[] = {{1}, {70000}};
	struct plain got[8] = {{0}};
	struct as_stacks s;

	(void)state;
	as_stacks_init(&s, &as_alloc_libc);
	assert_true(as_stacks_kind(&s, 0, AS_STACK_NO_EVENT));
	for (int i = 0; i < 3; i++)
		assert_true(as_stacks_add(&s, 0, place, 2, UINT64_MAX - 1, 1));
	assert_true(as_stacks_add(&s, 0, place, 2, 1, UINT32_MAX));
	assert_true(as_stacks_add(&s, 0, place, 2, 0, UINT32_MAX));
	assert_true(as_stacks_end(&s));
	assert_int_equal(read_all(&s, got), 5);
	assert_int_equal(unite(got, 5), 1);
	assert_true(got[0].value == 3 * (as_uval)(UINT64_MAX - 1) + 1);
	assert_true(got[0].times == 3 + 2 * (as_uval)UINT32_MAX && got[0].n == 2 &&
		    got[0].place[1].i == 70000);
	assert_true(s.kind.p[0].values == 3 * (as_val)(UINT64_MAX - 1) + 1);
	as_stacks_release(&s);
}

static void test_wide_rows_have_a_cost_of_each_event(void **state)
{
	enum { ROWS = 5000, EVENTS = 3 };
	struct plain *want = test_calloc(ROWS, sizeof(*want));
	as_val sum[EVENTS] = {0}, total[EVENTS] = {0};
	struct as_stacks_cur cur;
	struct as_stacks s;
	as_place room[DEEP];
	uint32_t seed = 3;

	(void)state;
	as_stacks_init(&s, &as_alloc_libc);
	assert_true(as_stacks_widen(&s, EVENTS));
	for (uint64_t i = 0; i < ROWS; i++) {
		const uint64_t cost[EVENTS] = {UINT64_MAX - i, i, next(&seed)};

		want[i].n = next(&seed) % (DEEP + 1);
		for (uint32_t k = 0; k < want[i].n; k++)
			want[i].place[k] = some_place(&seed);
		want[i].value = cost[2];
		assert_true(as_stacks_add_wide(&s, want[i].place, want[i].n, cost));
		for (int k = 0; k < EVENTS; k++)
			sum[k] += cost[k];
	}
	assert_true(as_stacks_end(&s));
	assert_true(s.n == ROWS && s.deepest == DEEP && as_stacks_any(&s));
	as_stacks_total(&s, total);
	assert_memory_equal(total, sum, sizeof(sum));
	as_stacks_begin(&cur, &s, room);
	for (uint64_t i = 0; i < ROWS; i++) {
		assert_true(as_stacks_next(&cur));
		assert_true(cur.cost[0] == UINT64_MAX - i && cur.cost[1] == i);
		assert_true(cur.cost[2] == want[i].value && cur.n == want[i].n);
		for (uint32_t k = 0; k < cur.n; k++)
			assert_int_equal(room[k].i, want[i].place[cur.n - 1 - k].i);
	}
	assert_false(as_stacks_next(&cur));
	as_stacks_release(&s);
	test_free(want);
}

/* The stack of row I, of I % 4 places, I + 1 the innermost; every third has no count. */
static void add_flat(struct as_stacks *s, uint32_t i)
{
	struct as_stack_flat row = {i % 3 ? UINT64_MAX - i : 0, (uint32_t)s->flat_place.n, i % 4};

	for (uint32_t k = 1; k <= row.depth; k++)
		assert_true(as_vec_push(s->index.al, &s->flat_place, i + k));
	assert_true(as_vec_push(s->index.al, &s->flat, row));
}

static void test_flat_rows_are_wide_ones_of_one_event(void **state)
{
	enum { ROWS = 100 };
	struct as_stacks_cur all, leaf;
	struct as_stacks s;
	as_place room[4], one;
	as_val sum = 0, total = 0;

	(void)state;
	as_stacks_init(&s, &as_alloc_libc);
	assert_true(as_stacks_widen(&s, 1));
	for (uint32_t i = 0; i < ROWS; i++)
		add_flat(&s, i);
	as_stacks_flat(&s);
	assert_true(as_stacks_end(&s));
	assert_true(s.n == ROWS - (ROWS + 2) / 3 && s.deepest == 3 && as_stacks_any(&s));
	as_stacks_begin(&all, &s, room);
	as_stacks_begin(&leaf, &s, &one);
	for (uint32_t i = 0; i < ROWS; i++) {
		if (i % 3 == 0)
			continue;
		sum += UINT64_MAX - i;
		assert_true(as_stacks_next(&all) && as_stacks_next_leaf(&leaf));
		assert_true(all.cost[0] == UINT64_MAX - i && leaf.cost[0] == UINT64_MAX - i);
		assert_true(all.n == i % 4 && leaf.n == (i % 4 ? 1 : 0));
		for (uint32_t k = 0; k < all.n; k++)
			assert_int_equal(all.place[k].i, i + 1 + k);
		assert_true(!leaf.n || leaf.place->i == i + 1);
	}
	assert_false(as_stacks_next(&all) || as_stacks_next_leaf(&leaf));
	as_stacks_total(&s, &total);
	assert_true(total == sum);
	as_stacks_release(&s);
}

static void test_places_take_the_bytes_that_the_largest_needs(void **state)
{
	static const uint32_t edge[] = {
		0, 0xff, 0x100, 0xffff, 0x10000, 0xffffff, 0x1000000, UINT32_MAX};
	struct as_stacks_cur cur;
	struct as_stacks s;
	as_place room[3];

	(void)state;
	as_stacks_init(&s, &as_alloc_libc);
	for (uint32_t i = 0; i < AS_ARRAY_LEN(edge); i++) {
		const as_place place[] = {{edge[i]}, {1}, {edge[i] / 2}};

		assert_true(as_stacks_kind(&s, 0, 1));
		assert_true(as_stacks_add(&s, i, place, 3, 1, 1));
	}
	assert_true(as_stacks_end(&s));
	as_stacks_begin(&cur, &s, room);
	for (uint32_t i = 0; i < AS_ARRAY_LEN(edge); i++) {
		assert_true(as_stacks_next(&cur));
		assert_true(cur.kind == i && cur.n == 3);
		assert_true(room[0].i == edge[i] / 2 && room[1].i == 1 && room[2].i == edge[i]);
	}
	as_stacks_begin(&cur, &s, room);
	for (uint32_t i = 0; i < AS_ARRAY_LEN(edge); i++) {
		assert_true(as_stacks_next_leaf(&cur));
		assert_true(cur.kind == i && cur.n == 1 && room[0].i == edge[i] / 2);
	}
	assert_false(as_stacks_next_leaf(&cur));
	as_stacks_release(&s);
}

static void test_without_memory_a_stack_is_refused(void **state)
{
	as_place place[DEEP] = {{1}};
	bool done = false;

	(void)state;
	for (uint64_t i = 1; !done; i++) {
		struct fail_alloc fail;
		struct as_stacks s;

		fail_alloc_init(&fail, i);
		as_stacks_init(&s, &fail.al);
		done = as_stacks_kind(&s, 0, 1);
		for (uint32_t k = 0; done && k < 2000; k++) {
			place[1].i = k;
			done = as_stacks_add(&s, 0, place, DEEP, 1, 1);
		}
		done = done && as_stacks_end(&s);
		as_stacks_release(&s);
		assert_int_equal(fail.held, 0);
		assert_false(fail.wrong_size);
	}
}

int stacks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_stack_is_kept_once_with_what_was_counted),
		cmocka_unit_test(test_what_a_row_cannot_hold_begins_another_one),
		cmocka_unit_test(test_wide_rows_have_a_cost_of_each_event),
		cmocka_unit_test(test_flat_rows_are_wide_ones_of_one_event),
		cmocka_unit_test(test_places_take_the_bytes_that_the_largest_needs),
		cmocka_unit_test(test_without_memory_a_stack_is_refused),
	};

	return cmocka_run_group_tests_name("stacks", tests, NULL, NULL);
}
