/* SPDX-License-Identifier: Apache-2.0 */
#include "io/out.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static void expect_number(uint64_t v)
{
	char got[64], want[32];
	char *end;

	memset(got, '#', sizeof(got));
	end = as_put_u64(got, v);
	assert_int_equal(got[AS_OUT_NUM], '#'); /* no more than was promised */
	*end = 0;
	snprintf(want, sizeof(want), "%" PRIu64, v);
	assert_string_equal(got, want);
	memset(got, '#', sizeof(got));
	end = as_put_hex(got, v);
	assert_int_equal(got[AS_OUT_NUM], '#');
	*end = 0;
	snprintf(want, sizeof(want), "0x%" PRIx64, v);
	assert_string_equal(got, want);
}

static void test_numbers_are_those_of_printf(void **state)
{
	uint64_t v = 1, seed = UINT64_C(88172645463325252);

	(void)state;
	for (uint64_t i = 0; i < 20000; i++)
		expect_number(i);
	for (int i = 0; i < 20; i++, v *= 10) {
		expect_number(v - 1);
		expect_number(v);
		expect_number(v + 1);
	}
	expect_number(UINT64_MAX);
	for (unsigned i = 0; i < 100000; i++) {
		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		expect_number(seed >> i % 64);
	}
}

static void test_room_is_made_by_writing_out(void **state)
{
	struct as_sink_mem mem;
	struct as_out out;

	(void)state;
	as_sink_mem_init(&mem, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &mem.sink, NULL), AS_OK);
	for (uint64_t i = 0; i < 300000; i++) {
		as_out_u64(&out, i % 10);
		as_out_char(&out, ' ');
	}
	assert_int_equal(as_out_finish(&out), AS_OK);
	assert_int_equal(mem.data.n, 600000);
	for (size_t i = 0; i < mem.data.n; i += 2)
		assert_int_equal(mem.data.p[i], '0' + (int)(i / 2 % 10));
	as_sink_mem_release(&mem);
}

int out_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_numbers_are_those_of_printf),
		cmocka_unit_test(test_room_is_made_by_writing_out),
	};

	return cmocka_run_group_tests_name("out", tests, NULL, NULL);
}
