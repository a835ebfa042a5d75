/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/pstats/pstats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"
#include "lib/told.h"

extern const struct as_format as_format_pstats;

#define BYTES(text) ((struct as_slice){text, sizeof(text) - 1})

/* {('a', 1, 'f'): (2, 3, 0.5, 0.5, {('a', 1, 'f'): (1, 1, 0.25, 0.25)})}, as Python 3 writes it:
 * the tuple and the text are referred to. */
#define HALF "g\0\0\0\0\0\0\xe0\x3f"
#define QUARTER "g\0\0\0\0\0\0\xd0\x3f"
static const char python3[] = "{\xa9\3\xda\1a\xe9\1\0\0\0Z\1f"
			      ")\5i\2\0\0\0i\3\0\0\0" HALF HALF "{r\0\0\0\0"
			      ")\4r\2\0\0\0r\2\0\0\0" QUARTER QUARTER "00";

static void pstats_read_it(struct mem_read *r, struct as_slice bytes)
{
	struct mem_how how = {.fmt = &as_format_pstats, .detail = AS_DETAIL_FULL};

	mem_read(r, &how, bytes);
}

static uint64_t bits_of(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

static void expect_nanos(double seconds, enum py_exact exact, int64_t nanos)
{
	int64_t got;

	assert_int_equal(as_py_nanos(bits_of(seconds), &got), exact);
	assert_true(got == nanos);
}

static void test_seconds_become_nanoseconds(void **state)
{
	(void)state;
	expect_nanos(0, PY_EXACT, 0);
	expect_nanos(-0.0, PY_EXACT, 0);
	expect_nanos(1e-9, PY_EXACT, 1);
	expect_nanos(9.210000000000001e-07, PY_EXACT, 921);
	expect_nanos(0.1 + 0.2, PY_EXACT, 300000000);
	expect_nanos(3.2116999999998175e-05, PY_EXACT, 32117);
	expect_nanos(-1.5, PY_EXACT, -1500000000);
	expect_nanos(86400.000000001, PY_EXACT, INT64_C(86400000000001));
	expect_nanos(9e9, PY_EXACT, INT64_C(9000000000000000000));
	expect_nanos(1.6e-9, PY_ROUNDED, 2);
	expect_nanos(1.4e-9, PY_ROUNDED, 1);
	expect_nanos(1e-11, PY_ROUNDED, 0);
	expect_nanos(5e-324, PY_ROUNDED, 0);
	expect_nanos(9.3e9, PY_NO_TIME, 0);
	expect_nanos(1e300, PY_NO_TIME, 0);
}

static void test_what_is_no_number_is_no_time(void **state)
{
	int64_t nanos;

	(void)state;
	assert_int_equal(as_py_nanos(UINT64_C(0x7ff) << 52, &nanos), PY_NO_TIME);
	assert_int_equal(as_py_nanos((UINT64_C(0xfff) << 52) + 1, &nanos), PY_NO_TIME);
	assert_true(nanos == 0);
}

/* The clock of cProfile counts nanoseconds, and gives them as so many times a billionth. */
static void test_all_nanoseconds_come_back(void **state)
{
	(void)state;
	for (uint64_t n = 1; n < UINT64_C(1) << 52; n = n * 7 / 3 + 5)
		expect_nanos((double)n * 1e-9, PY_EXACT, (int64_t)n);
}

static void test_references_are_followed(void **state)
{
	struct mem_read r;

	(void)state;
	pstats_read_it(&r, BYTES(python3));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->self.n, 1);
	assert_int_equal(r.prof->call.n, 1);
	assert_int_equal(r.prof->func.name.n, 2);
	assert_true(r.prof->total[0] == 500000000);
	assert_true(r.prof->total[1] == 3);
	assert_true(r.prof->total[2] == 2);
	mem_read_free(&r);
}

/* Values of one function, of which VALUE is the number of calls; its total number of calls. */
static int64_t calls_of(struct as_slice value)
{
	static const char before[] = "{)\3s\1\0\0\0aFt\1\0\0\0f)\5F", after[] = HALF HALF "{00";
	char bytes[128];
	struct mem_read r;
	int64_t calls;
	size_t n = sizeof(before) - 1;

	memcpy(bytes, before, n);
	memcpy(bytes + n, value.p, value.len);
	memcpy(bytes + n + value.len, after, sizeof(after) - 1);
	pstats_read_it(&r, (struct as_slice){bytes, n + value.len + sizeof(after) - 1});
	calls = r.rc == AS_OK ? (int64_t)r.prof->total[1] : -1;
	mem_read_free(&r);
	return calls;
}

static void test_numbers_of_all_kinds_are_read(void **state)
{
	(void)state;
	assert_int_equal(calls_of(BYTES("F")), 0);
	assert_int_equal(calls_of(BYTES("T")), 1);
	assert_int_equal(calls_of(BYTES("i\1\2\0\0")), 0x201);
	assert_int_equal(calls_of(BYTES("I\0\0\0\0\1\0\0\0")), INT64_C(1) << 32);
	assert_int_equal(calls_of(BYTES("l\3\0\0\0\0\0\0\0\1\0")), INT64_C(1) << 30);
	assert_int_equal(
		calls_of(BYTES("l\5\0\0\0\xff\x7f\xff\x7f\xff\x7f\xff\x7f\7\0")), INT64_MAX);
	assert_int_equal(calls_of(BYTES("l\5\0\0\0\xff\x7f\xff\x7f\xff\x7f\xff\x7f\x0f\0")), -1);
	assert_int_equal(calls_of(BYTES("l\1\0\0\0\xff\xff")), -1);
	assert_int_equal(calls_of(BYTES("l\x80\0\0\0")), -1);
	assert_int_equal(calls_of(BYTES("i\xff\xff\xff\xff")), -1);
	assert_int_equal(calls_of(BYTES("l\xff\xff\xff\xff\1\0")), -1);
	assert_int_equal(calls_of(BYTES("r\0\0\0\0")), -1);
	assert_int_equal(calls_of(BYTES("R\0\0\0\0")), -1);
}

/* Every beginning of a file: it is refused, or what came before is kept and said to be cut. */
static void test_a_cut_profile_is_told(void **state)
{
	(void)state;
	for (size_t n = 1; n < sizeof(python3) - 1; n++) {
		struct mem_read r;

		pstats_read_it(&r, (struct as_slice){python3, n});
		if (r.rc == AS_OK) {
			assert_true(r.prof->partial);
			assert_int_equal(r.findings.count[AS_F_TRUNCATED], 1);
			assert_true(r.prof->total[0] == 500000000);
		} else {
			assert_int_equal(r.rc, AS_E_TRUNC);
		}
		mem_read_free(&r);
	}
}

static struct as_slice golden(const char *name)
{
	return mem_golden(&as_format_pstats, name);
}

static void expect_finding(const char *name, enum as_finding_id id)
{
	struct mem_read r;

	pstats_read_it(&r, golden(name));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.count[id], 1);
	mem_read_free(&r);
}

static void test_what_is_odd_is_told(void **state)
{
	(void)state;
	expect_finding("cut.pstats", AS_F_TRUNCATED);
	expect_finding("damaged.pstats", AS_F_PY_DAMAGED);
	expect_finding("odd_times.pstats", AS_F_PY_MORE);
	expect_finding("odd_times.pstats", AS_F_PY_ROUNDED);
	expect_finding("odd_times.pstats", AS_F_PY_TIME);
	expect_finding("odd_times.pstats", AS_F_PY_CUMULATIVE);
	expect_finding("profile.pstats", AS_F_PY_UNTIMED);
	expect_finding("sampled_twice.pstats", AS_F_PY_INTERVAL);
	expect_finding("empty.pstats", AS_F_NO_SAMPLES);
}

static void test_what_is_sound_is_not_told(void **state)
{
	static const char *const names[] = {"python27.pstats", "python38.pstats",
		"python313.pstats", "sampled.pstats", "yappi_order.pstats"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++) {
		struct mem_read r;

		pstats_read_it(&r, golden(names[i]));
		assert_int_equal(r.rc, AS_OK);
		assert_false(r.prof->partial);
		for (size_t id = 0; id < AS_F_COUNT; id++)
			assert_int_equal(r.findings.count[id], 0);
		mem_read_free(&r);
	}
}

static void test_other_dictionaries_are_not_taken(void **state)
{
	static const struct as_slice others[] = {{"{", 1}, {"{}", 2}, {"{0 ", 3}, {"{\"a\":1}", 7},
		{"{)\2s\1\0\0\0a", 9}, {"{s\1\0\0\0aT0", 9}, {"{)\3s\1\0\0\0aTs\1\0\0\0fT", 17}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(others); i++) {
		struct as_peek pk = {.head = others[i], .whole = true};

		assert_int_equal(as_format_pstats.probe(&pk), AS_PROBE_NO);
	}
}

/* As any other text that begins so. */
static void test_an_empty_dictionary_is_all_there_is(void **state)
{
	struct mem_read r;

	(void)state;
	pstats_read_it(&r, BYTES("{0"));
	assert_int_equal(r.rc, AS_OK);
	mem_read_free(&r);
	pstats_read_it(&r, BYTES("{00"));
	assert_int_equal(r.rc, AS_E_FORMAT);
	mem_read_free(&r);
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	mem_starve_reading((struct mem_how){.fmt = &as_format_pstats, .detail = AS_DETAIL_FULL},
		BYTES(python3));
}

int pstats_tests(void);
int pstats_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_seconds_become_nanoseconds),
		cmocka_unit_test(test_what_is_no_number_is_no_time),
		cmocka_unit_test(test_all_nanoseconds_come_back),
		cmocka_unit_test(test_references_are_followed),
		cmocka_unit_test(test_numbers_of_all_kinds_are_read),
		cmocka_unit_test(test_a_cut_profile_is_told),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_what_is_sound_is_not_told),
		cmocka_unit_test(test_other_dictionaries_are_not_taken),
		cmocka_unit_test(test_an_empty_dictionary_is_all_there_is),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("pstats", tests, NULL, NULL);
}
