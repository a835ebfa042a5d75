/* SPDX-License-Identifier: Apache-2.0 */
/* Dumps of code that is made, moved and replaced. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/alloc.h"
#include "perf/perf_jit.h"

int perf_jit_tests(void);

struct dump {
	char p[4096];
	size_t n, record;
	bool swap;
};

static void put(struct dump *d, const void *p, size_t n)
{
	assert_true(d->n + n <= sizeof(d->p));
	memcpy(d->p + d->n, p, n);
	d->n += n;
}

static void put_half(struct dump *d, uint32_t v)
{
	v = d->swap ? __builtin_bswap32(v) : v;
	put(d, &v, sizeof(v));
}

static void put_word(struct dump *d, uint64_t v)
{
	v = d->swap ? __builtin_bswap64(v) : v;
	put(d, &v, sizeof(v));
}

static void begin_dump(struct dump *d, bool swap)
{
	*d = (struct dump){.swap = swap};
	put_half(d, UINT32_C(0x4a695444));
	put_half(d, 1);
	put_half(d, 40);
	put_half(d, 62);
	put_half(d, 0);
	put_half(d, 7);
	put_word(d, 1);
	put_word(d, 0);
}

static void begin_record(struct dump *d, uint32_t type, uint64_t time)
{
	d->record = d->n;
	put_half(d, type);
	put_half(d, 0);
	put_word(d, time);
}

static void end_record(struct dump *d)
{
	uint32_t size = (uint32_t)(d->n - d->record);

	size = d->swap ? __builtin_bswap32(size) : size;
	memcpy(d->p + d->record + 4, &size, sizeof(size));
}

static void put_load(struct dump *d, uint64_t time, uint64_t start, uint64_t size, const char *name)
{
	begin_record(d, 0, time);
	put_half(d, 7);
	put_half(d, 7);
	put_word(d, start);
	put_word(d, start);
	put_word(d, size);
	put_word(d, 1);
	put(d, name, strlen(name) + 1);
	put(d, "code", 4);
	end_record(d);
}

static void put_move(struct dump *d, uint64_t time, uint64_t from, uint64_t to, uint64_t size)
{
	begin_record(d, 1, time);
	put_half(d, 7);
	put_half(d, 7);
	put_word(d, from);
	put_word(d, from);
	put_word(d, to);
	put_word(d, size);
	put_word(d, 1);
	end_record(d);
}

/* Two lines of a.js, whose second piece begins 16 bytes behind the first. */
static void put_lines(struct dump *d, uint64_t start, uint64_t first)
{
	begin_record(d, 2, 1);
	put_word(d, start);
	put_word(d, 2);
	put_word(d, first);
	put_half(d, 10);
	put_half(d, 0);
	put(d, "a.js", 5);
	put_word(d, first + 16);
	put_half(d, 11);
	put_half(d, 0);
	put(d, "\xff", 2);
	end_record(d);
}

static void read_dump(struct as_jit *jit, const struct dump *d)
{
	assert_int_equal(as_jit_read(jit, &as_alloc_libc, (struct as_slice){d->p, d->n}), AS_OK);
}

static void assert_name(
	const struct as_jit *jit, uint64_t time, uint64_t addr, const char *expected)
{
	const struct as_jit_code *code = as_jit_find(jit, time, addr);

	if (!expected)
		assert_null(code);
	else if (!code || !as_slice_is(code->name, expected))
		fail_msg("at %" PRIx64 ": %.*s, expected %s", addr, code ? (int)code->name.len : 4,
			code ? code->name.p : "none", expected);
}

static void assert_line(const struct as_jit *jit, uint64_t addr, uint32_t expected)
{
	const struct as_jit_code *code = as_jit_find(jit, UINT64_MAX, addr);
	const struct as_jit_line *line;

	assert_non_null(code);
	line = as_jit_line(jit, code, addr);
	assert_int_equal(line ? line->line : 0, expected);
	assert_true(!line || as_slice_is(line->file, "a.js"));
}

static void test_code_has_the_name_of_its_time(void **state)
{
	struct as_jit jit;
	struct dump d;

	(void)state;
	begin_dump(&d, false);
	put_load(&d, 100, 0x1000, 0x100, "f");
	put_load(&d, 200, 0x2000, 0x100, "g");
	put_load(&d, 300, 0x1080, 0x20, "h");
	read_dump(&jit, &d);
	assert_int_equal(jit.pid, 7);
	assert_name(&jit, 150, 0x1080, "f");
	assert_name(&jit, 300, 0x1080, "h");
	assert_name(&jit, 300, 0x109f, "h");
	assert_name(&jit, 300, 0x10a0, "f");
	assert_name(&jit, 300, 0x10ff, "f");
	assert_name(&jit, 300, 0x1100, NULL);
	assert_name(&jit, 300, 0xfff, NULL);
	assert_name(&jit, 50, 0x2000, "g"); /* it is told of when it is there already */
	assert_int_equal(as_jit_version(&jit, 250), as_jit_version(&jit, 299));
	assert_true(as_jit_version(&jit, 300) > as_jit_version(&jit, 299));
	assert_int_equal(jit.n_odd, 0);
	as_jit_release(&jit);
}

static void test_code_that_moves_keeps_its_name_and_lines(void **state)
{
	struct as_jit jit;
	struct dump d;

	(void)state;
	begin_dump(&d, false);
	put_lines(&d, 0x1000, 0x1000);
	put_load(&d, 100, 0x1000, 0x20, "f");
	put_load(&d, 110, 0x1020, 0x20, "g");
	put_move(&d, 200, 0x1000, 0x3000, 0x20);
	read_dump(&jit, &d);
	assert_name(&jit, 300, 0x3010, "f");
	assert_line(&jit, 0x1000, 10);
	assert_line(&jit, 0x100f, 10);
	assert_line(&jit, 0x1010, 11);
	assert_line(&jit, 0x1020, 0); /* g has none */
	assert_line(&jit, 0x300f, 10);
	assert_line(&jit, 0x3010, 11);
	as_jit_release(&jit);
}

/* V8 adds the bytes that perf puts before code when it makes files of it. */
static void test_lines_behind_an_elf_header_are_brought_back(void **state)
{
	struct as_jit jit;
	struct dump d;

	(void)state;
	begin_dump(&d, false);
	put_lines(&d, 0x1000, 0x1040);
	put_load(&d, 100, 0x1000, 0x20, "f");
	put_lines(&d, 0x2000, 0x2043);
	put_load(&d, 100, 0x2000, 0x20, "g");
	read_dump(&jit, &d);
	assert_line(&jit, 0x1000, 10);
	assert_line(&jit, 0x1010, 11);
	assert_line(&jit, 0x2002, 0);
	assert_line(&jit, 0x2003, 10);
	as_jit_release(&jit);
}

static void test_lines_of_what_is_no_file_are_left_out(void **state)
{
	struct as_jit jit;
	struct dump d;

	(void)state;
	begin_dump(&d, false);
	put_lines(&d, 0x1000, 0x1000);
	memcpy(d.p + d.record + 48, "53\1", 4); /* V8 of Node.js 20 */
	put_load(&d, 100, 0x1000, 0x20, "f");
	read_dump(&jit, &d);
	assert_name(&jit, 100, 0x1010, "f");
	assert_line(&jit, 0x1010, 0);
	as_jit_release(&jit);
}

static void test_other_byte_order_is_read(void **state)
{
	struct as_jit jit;
	struct dump d;

	(void)state;
	begin_dump(&d, true);
	put_lines(&d, 0x1000, 0x1000);
	put_load(&d, 100, 0x1000, 0x20, "f");
	read_dump(&jit, &d);
	assert_name(&jit, 100, 0x1010, "f");
	assert_line(&jit, 0x1010, 11);
	as_jit_release(&jit);
}

static void test_dump_that_is_cut_keeps_what_was_whole(void **state)
{
	struct as_jit jit;
	struct dump d;

	(void)state;
	begin_dump(&d, false);
	put_load(&d, 100, 0x1000, 0x20, "f");
	put_load(&d, 100, 0x2000, 0x20, "g");
	put_move(&d, 200, 0x9000, 0x3000, 0x20); /* nothing was there */
	d.n -= 8;
	read_dump(&jit, &d);
	assert_name(&jit, 100, 0x2010, "g");
	assert_int_equal(jit.n_odd, 1);
	as_jit_release(&jit);
	for (size_t n = 0; n < 40; n++) {
		assert_int_equal(
			as_jit_read(&jit, &as_alloc_libc, (struct as_slice){d.p, n}), AS_E_FORMAT);
		as_jit_release(&jit);
	}
}

/* It takes no longer than where each has a place of its own: a timeout tells. */
static void test_code_may_be_replaced_very_often(void **state)
{
	enum { TIMES = 300000, SIZE = 64 };
	struct dump one, move;
	struct as_jit jit;
	size_t n = 0;
	char *p = malloc((size_t)(TIMES + 2) * SIZE);

	(void)state;
	assert_non_null(p);
	begin_dump(&one, false);
	memcpy(p, one.p, n = one.n);
	begin_dump(&move, false);
	put_move(&move, TIMES, 0x1000, 0x2000, 0x20);
	for (uint64_t i = 0; i < TIMES; i++) {
		one.n = 0;
		put_load(&one, i, 0x1000, 0x20, i == TIMES - 1 ? "z" : "f");
		memcpy(p + n, one.p, one.n);
		n += one.n;
	}
	memcpy(p + n, move.p + 40, move.n - 40);
	n += move.n - 40;
	assert_true(n <= (size_t)(TIMES + 2) * SIZE);
	assert_int_equal(as_jit_read(&jit, &as_alloc_libc, (struct as_slice){p, n}), AS_OK);
	assert_int_equal(jit.n_odd, 0);
	assert_name(&jit, 5, 0x1010, "f");
	assert_name(&jit, TIMES, 0x1010, "z");
	assert_name(&jit, TIMES, 0x2010, "z"); /* what was there last is what moved */
	as_jit_release(&jit);
	free(p);
}

int perf_jit_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_has_the_name_of_its_time),
		cmocka_unit_test(test_code_that_moves_keeps_its_name_and_lines),
		cmocka_unit_test(test_lines_behind_an_elf_header_are_brought_back),
		cmocka_unit_test(test_lines_of_what_is_no_file_are_left_out),
		cmocka_unit_test(test_other_byte_order_is_read),
		cmocka_unit_test(test_dump_that_is_cut_keeps_what_was_whole),
		cmocka_unit_test(test_code_may_be_replaced_very_often),
	};

	return cmocka_run_group_tests_name("perf_jit", tests, NULL, NULL);
}
