/* SPDX-License-Identifier: Apache-2.0 */
/* Ids that are for ever: what xxhsum(1) says of the same bytes. */
#include "fleet/fleet_hash.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"

static void test_hash_is_that_of_xxhsum(void **state)
{
	uint8_t counting[101];

	(void)state;
	for (size_t i = 0; i < sizeof(counting); i++)
		counting[i] = (uint8_t)i;
	assert_true(as_fleet_hash("", 0) == 0xef46db3751d8e999);
	assert_true(as_fleet_hash("a", 1) == 0xd24ec4f1a98c6e5b);
	assert_true(as_fleet_hash("abc", 3) == 0x44bc2cf5ad770999);
	assert_true(as_fleet_hash(counting, sizeof(counting)) == 0xe99038495f85381e);
}

static void test_numbers_have_their_low_byte_first(void **state)
{
	struct as_fleet_bytes b = {.al = &as_alloc_libc};

	(void)state;
	as_fleet_put_number(&b, 0x0102030405060708, 8);
	as_fleet_put_number(&b, (uint64_t)INT64_C(-2), 4);
	as_fleet_put_number(&b, 0x1ff, 1);
	assert_false(b.failed);
	assert_int_equal(b.v.n, 13);
	assert_memory_equal(b.v.p, "\x08\7\6\5\4\3\2\1\xfe\xff\xff\xff\xff", 13);
	as_vec_free(b.al, &b.v);
}

static void test_strings_have_their_length_in_front(void **state)
{
	struct as_fleet_bytes b = {.al = &as_alloc_libc};
	static const char zeros[300];

	(void)state;
	as_fleet_put_string(&b, as_slice_of("ab"));
	as_fleet_put_string(&b, (struct as_slice){NULL, 0});
	as_fleet_put_string(&b, (struct as_slice){zeros, sizeof(zeros)});
	assert_int_equal(b.v.n, 3 + 1 + 2 + 300);
	assert_memory_equal(b.v.p, "\2ab\0\xac\2\0", 7);
	as_vec_free(b.al, &b.v);
}

static void test_without_memory_is_told(void **state)
{
	struct as_fleet_bytes b = {0};
	struct fail_alloc fa;

	(void)state;
	fail_alloc_init(&fa, 1);
	b.al = &fa.al;
	as_fleet_put_string(&b, as_slice_of("ab"));
	assert_true(b.failed);
	assert_int_equal(fa.held, 0);
}

int fleet_hash_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hash_is_that_of_xxhsum),
		cmocka_unit_test(test_numbers_have_their_low_byte_first),
		cmocka_unit_test(test_strings_have_their_length_in_front),
		cmocka_unit_test(test_without_memory_is_told),
	};

	return cmocka_run_group_tests_name("fleet_hash", tests, NULL, NULL);
}
