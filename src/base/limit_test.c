/* SPDX-License-Identifier: Apache-2.0 */
/* Memory with an end. */
#include "base/limit.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

static void test_no_more_than_the_limit_is_held(void **state)
{
	struct as_limit limit;
	void *a, *b;

	(void)state;
	as_limit_init(&limit, &as_alloc_libc, 1000);
	a = as_alloc_new(&limit.al, 600);
	assert_non_null(a);
	assert_null(as_alloc_new(&limit.al, 401));
	assert_true(limit.hit);
	b = as_alloc_new(&limit.al, 400);
	assert_non_null(b);
	assert_null(limit.al.resize(limit.al.ctx, b, 400, 401)); /* and B stays */
	b = limit.al.resize(limit.al.ctx, b, 400, 100);
	assert_non_null(b);
	a = limit.al.resize(limit.al.ctx, a, 600, 900);
	assert_non_null(a);
	as_alloc_free(&limit.al, a, 900);
	as_alloc_free(&limit.al, b, 100);
	a = as_alloc_new(&limit.al, 1000);
	assert_non_null(a);
	as_alloc_free(&limit.al, a, 1000);
}

static void test_what_the_inner_one_refuses_is_not_held(void **state)
{
	struct fail_alloc fa;
	struct as_limit limit;

	(void)state;
	fail_alloc_init(&fa, 1);
	as_limit_init(&limit, &fa.al, 1000);
	assert_null(as_alloc_new(&limit.al, 1000));
	assert_false(limit.hit);
	assert_int_equal(limit.held, 1);
}

static void test_one_of_its_own_goes_with_its_last_byte(void **state)
{
	struct fail_alloc fa;
	struct as_limit *limit;
	const struct as_alloc *al;
	void *p;

	(void)state;
	fail_alloc_init(&fa, UINT64_MAX);
	limit = as_limit_new(&fa.al, 1000);
	assert_non_null(limit);
	al = &limit->al;
	p = as_alloc_new(al, 10);
	assert_non_null(p);
	as_limit_leave(limit);
	p = al->resize(al->ctx, p, 10, 20);
	assert_non_null(p);
	as_alloc_free(al, p, 20);
	assert_int_equal(fa.held, 0);
	assert_false(fa.wrong_size);
	limit = as_limit_new(&fa.al, 1000);
	assert_non_null(limit);
	as_limit_leave(limit);
	assert_int_equal(fa.held, 0);
}

int limit_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_more_than_the_limit_is_held),
		cmocka_unit_test(test_what_the_inner_one_refuses_is_not_held),
		cmocka_unit_test(test_one_of_its_own_goes_with_its_last_byte),
	};

	return cmocka_run_group_tests_name("limit", tests, NULL, NULL);
}
