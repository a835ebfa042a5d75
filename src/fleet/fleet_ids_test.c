/* SPDX-License-Identifier: Apache-2.0 */
#include "fleet/fleet_ids.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

/* Odd numbers apart by STEP, so that the low bits of many are the same. */
static void ids_fill(uint64_t step, size_t n)
{
	struct as_fleet_ids ids = {.al = &as_alloc_libc};
	bool fresh;

	assert_false(as_fleet_ids_has(&ids, 1));
	for (int again = 0; again < 2; again++)
		for (size_t i = 0; i < n; i++) {
			assert_true(as_fleet_ids_add(&ids, 1 + i * step, &fresh));
			assert_int_equal(fresh, !again);
		}
	assert_int_equal(ids.n, n);
	for (size_t i = 0; i < n; i++) {
		assert_true(as_fleet_ids_has(&ids, 1 + i * step));
		assert_false(as_fleet_ids_has(&ids, 2 + i * step));
	}
	as_fleet_ids_release(&ids);
	assert_false(as_fleet_ids_has(&ids, 1));
}

static void test_what_was_added_is_there(void **state)
{
	(void)state;
	ids_fill(2, 100000);
	ids_fill(UINT64_C(1) << 40, 10000);
	ids_fill(UINT64_C(0x9e3779b97f4a7c16), 3);
}

static void test_without_memory_it_stays_as_it_was(void **state)
{
	struct as_fleet_ids ids = {0};
	struct fail_alloc fa;
	uint64_t id = 1;
	bool fresh;

	(void)state;
	fail_alloc_init(&fa, 2);
	ids.al = &fa.al;
	while (as_fleet_ids_add(&ids, id, &fresh))
		id++;
	assert_int_equal(ids.n, id - 1);
	while (--id)
		assert_true(as_fleet_ids_has(&ids, id));
	as_fleet_ids_release(&ids);
	assert_int_equal(fa.held, 0);
}

int fleet_ids_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_was_added_is_there),
		cmocka_unit_test(test_without_memory_it_stays_as_it_was),
	};

	return cmocka_run_group_tests_name("fleet_ids", tests, NULL, NULL);
}
