/* SPDX-License-Identifier: Apache-2.0 */
/* Formats that write rows of self cost as they are write what they do of paths of one frame. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "io/out.h"
#include "lib/test_profiles.h"

enum { SEEDS = 60 };

static const char *const names[] = {"pprof", "folded", "gperf"};
enum { NAMED = 2 }; /* those of them that take rows of functions with names */

/* PROF as FMT; returns whether its rows were written. The caller releases both. */
static bool write_as(const struct as_format *fmt, const struct as_profile *prof,
	struct as_sink_mem *mem, struct as_losses *l, enum as_code *rc)
{
	struct as_profile *out;
	struct as_out file;
	struct as_err err;
	struct as_wr wr = {.out = &file, .err = &err, .losses = l};
	bool rows;

	as_err_clear(&err);
	as_losses_init(l, &as_alloc_libc);
	as_sink_mem_init(mem, &as_alloc_libc);
	assert_int_equal(as_adapt(prof, fmt, &(struct as_adapt_opts){0}, &out, l, &err), AS_OK);
	rows = out && out->self.n;
	assert_int_equal(as_out_open(&file, &as_alloc_libc, &mem->sink, &err), AS_OK);
	*rc = as_format_write(fmt, &wr, out ? out : prof);
	assert_int_equal(as_out_finish(&file), AS_OK);
	as_profile_free(out);
	return rows;
}

/* Whether the rows of PROF were written as they are. What cannot be written cannot as paths. */
static bool check_written(const char *name, const struct as_profile *prof)
{
	const struct as_format *fmt = as_format_by_name(as_slice_of(name));
	struct as_format plain = *fmt;
	struct as_sink_mem a, b;
	struct as_losses l, m;
	enum as_code rc, plain_rc;
	bool rows;

	plain.self_rows = false;
	plain.takes_rows = NULL;
	rows = write_as(fmt, prof, &a, &l, &rc);
	assert_false(write_as(&plain, prof, &b, &m, &plain_rc));
	assert_int_equal(rc, plain_rc);
	assert_true(rc == AS_OK || (rc == AS_E_LIMIT && strcmp(name, "gperf") == 0));
	if (rc == AS_OK) {
		assert_int_equal(a.data.n, b.data.n);
		assert_memory_equal(a.data.p, b.data.p, a.data.n);
	}
	assert_int_equal(l.row.n, m.row.n);
	for (size_t i = 0; i < l.row.n; i++)
		assert_int_equal(as_test_lost(&m, l.row.p[i].kind), l.row.p[i].amount);
	as_losses_release(&l);
	as_losses_release(&m);
	as_sink_mem_release(&a);
	as_sink_mem_release(&b);
	return rows;
}

static void test_rows_are_written_as_paths_of_one_frame(void **state)
{
	static const unsigned whats[] = {
		AS_TEST_SELF | AS_TEST_NAMED,
		AS_TEST_SELF | AS_TEST_NAMED | AS_TEST_CALLS | AS_TEST_CONTEXTS | AS_TEST_JUMPS,
		AS_TEST_SELF | AS_TEST_NAMED | AS_TEST_NEGATIVE | AS_TEST_FACTS,
		AS_TEST_SELF,
		AS_TEST_SELF | AS_TEST_CALLS | AS_TEST_RARE,
		AS_TEST_SELF | AS_TEST_PATHS,
		AS_TEST_PATHS,
	};

	(void)state;
	for (size_t k = 0; k < AS_ARRAY_LEN(names); k++)
		for (size_t i = 0; i < AS_ARRAY_LEN(whats); i++) {
			uint64_t n = 0;

			for (uint64_t seed = 1; seed <= SEEDS; seed++) {
				struct as_profile *prof = as_test_random(seed, whats[i]);

				n += check_written(names[k], prof);
				as_profile_free(prof);
			}
			if (whats[i] & AS_TEST_NAMED && k < NAMED)
				assert_true(n > SEEDS / 2);
			else
				assert_true(n < SEEDS / 2);
		}
}

/* Of a file that is the function's and one that is not, a name with a line in it, and what other
 * formats write otherwise. Two functions are one where their objects do not tell them apart. */
static struct as_profile *odd_names(void)
{
	static const char *const name[] = {"work", "a;b", " blank", "#mark", "f 12", "f 12"};
	struct as_build b;

	as_test_begin(&b, "Ir Dr");
	for (uint32_t i = 0; i < AS_ARRAY_LEN(name); i++) {
		struct as_pos pos = {.func = as_test_func(&b, name[i], i == 5 ? "lib" : "prog",
					     i % 2 ? "lib/a.py" : "")};
		as_val v[2] = {(as_val)1 << (7 * i), i};

		for (uint32_t k = 0; k < 6; k++) {
			pos.line = k / 2;
			assert_int_equal(as_build_self(&b, 0, &pos, v, 2), AS_OK);
		}
		assert_int_equal(as_build_file(&b, as_slice_of("lib/a.py"), &pos.file), AS_OK);
		for (pos.line = 0; pos.line < 4; pos.line++)
			assert_int_equal(as_build_self(&b, 0, &pos, v, 1 + i % 2), AS_OK);
	}
	return as_test_end(&b);
}

/* Code that addresses alone tell apart, in objects whose texts are alike, or the same; of half of
 * them there are lines and another file. */
static struct as_profile *nameless_code(uint64_t first, uint32_t n, bool lines)
{
	static const char *const object[] = {
		"prog", "lib", "/a/lib", "lib+0x10]", "lib+0x1]x", "[kernel.kallsyms]", "[lost]"};
	struct as_build b;

	as_test_begin(&b, "cycles");
	for (uint32_t i = 0; i < n; i++) {
		struct as_pos pos = {.func = as_test_func(&b, "", object[i], "")};
		as_val v = 5 + i;

		for (uint32_t k = 0; k < 50; k++, v += 3) {
			pos.addr = k % 2 ? first + 4 * (k - 1) : 0x10000 - 4 * k;
			pos.line = lines && i % 2 ? k / 7 : 0;
			assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
		}
		if (!lines)
			continue;
		assert_int_equal(as_build_file(&b, as_slice_of("a.c"), &pos.file), AS_OK);
		assert_int_equal(as_build_self(&b, 0, &pos, &v, 1), AS_OK);
	}
	return as_test_end(&b);
}

static void test_code_without_names_is_written_by_its_addresses(void **state)
{
	static const uint64_t first[] = {0, 0xff80, 0x400000, UINT64_C(0x120006a80)};
	static const uint32_t n[] = {1, 3, 7}; /* objects */

	(void)state;
	for (size_t k = 0; k < AS_ARRAY_LEN(names); k++)
		for (size_t i = 0; i < 6 * AS_ARRAY_LEN(first); i++) {
			struct as_profile *prof = nameless_code(first[i / 6], n[i / 2 % 3], i % 2);

			/* Address 0 and the kernel's code are written as paths. */
			assert_int_equal(check_written(names[k], prof),
				k < NAMED || (first[i / 6] && n[i / 2 % 3] < 7));
			as_profile_free(prof);
		}
}

/* Code of three objects, in order but perhaps for the last address, as many addresses
 * at equal distances and as rows of their own. Where there are two events some rows have both. */
static struct as_profile *code_in_order(uint64_t first, bool two, bool time, uint64_t last)
{
	static const char *const object[] = {"code", "lib", "prog"};
	uint8_t count[4 * 40 + AS_SPAN_SLACK] = {0};
	struct as_build b;

	as_test_begin(&b, two ? "cycles misses" : "cycles");
	if (time) {
		b.prof->event.p[0].period = 10;
		assert_int_equal(as_build_str(&b, as_slice_of("milliseconds"),
					 &b.prof->event.p[0].period_unit),
			AS_OK);
	}
	for (uint32_t i = 0; i < 40; i++)
		count[4 * i] = (uint8_t)(i % 3 ? 5 * i : 0);
	count[4 * 20 + 1] = count[4 * 31 + 2] = 1;
	for (uint32_t i = 0; i < AS_ARRAY_LEN(object); i++) {
		struct as_rows_span span = {first, 4, count, 40};
		struct as_rows *rows = &b.prof->self;
		as_val v[2] = {(as_val)1 << 36, 7};

		assert_true(as_rows_run(
			rows, 0, as_test_func(&b, "", object[i], ""), (as_file){0}, (as_func){0}));
		assert_true(as_rows_add_span(rows, &span));
		assert_true(as_rows_add(rows, 0, first + 4 * 40, v, two ? 2 : 1));
		span.addr = first + 4 * 50;
		assert_true(as_rows_add_span(rows, &span));
		assert_true(as_rows_add(rows, 0, i < 2 ? first + 4 * 99 : last, v, 1));
	}
	return as_test_end(&b);
}

static void test_code_in_order_is_written_by_its_addresses(void **state)
{
	static const uint64_t first[] = {0, 0x1000, UINT64_C(0x120006a80)};

	(void)state;
	for (size_t k = 0; k < NAMED; k++)
		for (size_t i = 0; i < AS_ARRAY_LEN(first) * 8; i++) {
			uint64_t at = first[i / 8];
			/* an address of its own, or one that is there */
			struct as_profile *prof =
				code_in_order(at, i & 1, i & 2, i & 4 ? at + 4 * 95 : at + 4 * 88);

			assert_true(check_written(names[k], prof));
			as_profile_free(prof);
		}
}

static void test_odd_names_of_rows_are_counted_as_those_of_paths_are(void **state)
{
	struct as_profile *prof = odd_names();

	(void)state;
	for (size_t k = 0; k < NAMED; k++)
		assert_true(check_written(names[k], prof));
	assert_false(check_written("gperf", prof));
	as_profile_free(prof);
}

/* The rows of one place stand apart; some are beyond 64 bits, and what they add up to is not. */
static void test_rows_of_one_place_are_added_up_before_their_range_matters(void **state)
{
	static const char *const events[] = {"Ir", "Ir Dr Dw"};

	(void)state;
	for (size_t k = 0; k < AS_ARRAY_LEN(events); k++) {
		as_val v[3] = {-1, (as_val)1 << 63, -((as_val)1 << 100)}, many = (as_val)1 << 100;
		struct as_pos f = {.line = 7}, g = {.line = 7};
		uint32_t n = k ? 3 : 1;
		struct as_profile *prof;
		struct as_build b;

		as_test_begin(&b, events[k]);
		f.func = as_test_func(&b, "f", "prog", "a.c");
		g.func = as_test_func(&b, "g", "prog", "a.c");
		assert_int_equal(as_build_self(&b, 0, &f, v, n), AS_OK);
		assert_int_equal(as_build_self(&b, 0, &g, (as_val[]){1, 2, 3}, n), AS_OK);
		assert_int_equal(
			as_build_self(&b, 0, &f, (as_val[]){(as_val)1 << 63, -1, many + 5}, n),
			AS_OK);
		prof = as_test_end(&b);
		assert_true(check_written("pprof", prof));
		as_profile_free(prof);
	}
}

int self_rows_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows_are_written_as_paths_of_one_frame),
		cmocka_unit_test(test_code_without_names_is_written_by_its_addresses),
		cmocka_unit_test(test_code_in_order_is_written_by_its_addresses),
		cmocka_unit_test(test_odd_names_of_rows_are_counted_as_those_of_paths_are),
		cmocka_unit_test(test_rows_of_one_place_are_added_up_before_their_range_matters),
	};

	return cmocka_run_group_tests_name("self_rows", tests, NULL, NULL);
}
