/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/pb.h"

enum { ROUNDS = 200000, ROOM = 16 };

static uint64_t next_random(uint64_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return *seed;
}

/* How many bytes the number at P has, out of N that are there; 0: it does not end, or too late.
 * What does not fit into 64 bits is left out. */
static size_t slow_varint(const uint8_t *p, size_t n, uint64_t *v)
{
	size_t i = 0;

	*v = 0;
	for (; i < n && i < AS_PB_VARINT_MAX; i++) {
		*v += (uint64_t)(p[i] % 128) << 7 * i;
		if (p[i] < 128)
			return i + 1;
	}
	return 0;
}

static void assert_varint(const uint8_t *p, size_t n)
{
	uint64_t v = 0, want;
	const uint8_t *q = p;
	size_t size = slow_varint(p, n, &want);
	bool ok = as_pb_varint(&q, p + n, &v);

	assert_int_equal(ok, size != 0);
	assert_ptr_equal(q, p + size);
	if (ok)
		assert_true(v == want);
}

static void test_numbers_of_any_length_are_read_up_to_any_end(void **state)
{
	uint64_t seed = 88172645463325252u;
	uint8_t buf[ROOM];

	(void)state;
	for (size_t i = 0; i < ROUNDS; i++) {
		size_t more = next_random(&seed) % 13, n = next_random(&seed) % (ROOM + 1);

		for (size_t k = 0; k < ROOM; k++)
			buf[k] = (uint8_t)(next_random(&seed) >> 24 | (k < more ? 0x80 : 0));
		if (more < ROOM)
			buf[more] &= 0x7f;
		assert_varint(buf, n);
	}
}

static void test_what_is_put_is_read(void **state)
{
	char buf[AS_PB_VARINT_MAX];

	(void)state;
	for (unsigned bits = 0; bits <= 64; bits++) {
		uint64_t high = bits ? UINT64_C(1) << (bits - 1) : 0, v;
		const uint8_t *p = (const uint8_t *)buf;
		const char *end = as_pb_put_varint(buf, high | high / 3);

		assert_true(as_pb_varint(&p, (const uint8_t *)end, &v));
		assert_ptr_equal(p, end);
		assert_true(v == (high | high / 3));
	}
}

int pb_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_of_any_length_are_read_up_to_any_end),
		cmocka_unit_test(test_what_is_put_is_read),
	};

	return cmocka_run_group_tests_name("pb", tests, NULL, NULL);
}
