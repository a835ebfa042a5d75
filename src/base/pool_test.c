/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

/* The sanitizer sees what is left. */
static void test_all_of_it_goes_at_once(void **state)
{
	AS_VEC(uint64_t) list = {NULL, 0, 0};
	struct as_pool pool;
	char *a, *b;

	(void)state;
	as_pool_init(&pool, &as_alloc_libc);
	assert_true(as_alloc_array(&pool.al, &a, 10));
	for (uint64_t i = 0; i < 1000; i++) { /* it moves, between two others */
		assert_true(as_vec_push(&pool.al, &list, i));
		if (i == 10)
			assert_true(as_alloc_array(&pool.al, &b, 10));
	}
	for (uint64_t i = 0; i < 1000; i++)
		assert_int_equal(list.p[i], i);
	assert_int_equal((uintptr_t)list.p % 16, 0);
	as_alloc_free(&pool.al, a, 11);
	as_pool_release(&pool);
	as_pool_release(&pool);
}

static void test_what_the_inner_one_refuses_leaves_all_as_it_is(void **state)
{
	struct fail_alloc fa;
	struct as_pool pool;
	char *a;

	(void)state;
	fail_alloc_init(&fa, 2);
	as_pool_init(&pool, &fa.al);
	a = as_alloc_new(&pool.al, 4);
	assert_non_null(a);
	a[3] = 'x';
	assert_null(pool.al.resize(pool.al.ctx, a, 4, 100));
	assert_null(pool.al.resize(pool.al.ctx, NULL, 0, SIZE_MAX));
	assert_int_equal(a[3], 'x');
	as_pool_release(&pool);
}

int pool_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all_of_it_goes_at_once),
		cmocka_unit_test(test_what_the_inner_one_refuses_leaves_all_as_it_is),
	};

	return cmocka_run_group_tests_name("pool", tests, NULL, NULL);
}
