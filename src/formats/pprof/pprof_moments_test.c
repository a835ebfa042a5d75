/* SPDX-License-Identifier: Apache-2.0 */
/* Moments and parts in a file of ours: they are read again, and what is damaged is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "formats/pprof/pprof.h"
#include "lib/fail_alloc.h"
#include "lib/told.h"

extern const struct as_format as_format_pprof, as_format_otlp, as_format_perfscript, as_format_dump;

enum { MAX = 1 << 16 };

/* The golden NAME, with its moments. */
static struct as_profile *source(const struct as_format *fmt, const char *name)
{
	struct mem_how how = {.fmt = fmt, .detail = AS_DETAIL_FULL, .moments = true, .name = "x"};
	struct mem_read r;

	mem_read(&r, &how, mem_golden(fmt, name));
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->moments.n > 0);
	return mem_take(&r);
}

static void write_moments(struct mem_written *w, const struct as_profile *prof, bool moments)
{
	mem_write_as(w, &as_format_pprof, prof, (struct as_wr){.moments = moments});
	assert_int_equal(w->rc, AS_OK);
}

static struct as_profile *read_moments(struct as_slice bytes, bool moments)
{
	struct mem_how how = {.fmt = &as_format_pprof,
		.detail = AS_DETAIL_FULL,
		.moments = moments,
		.strict = true,
		.name = "x"};
	struct mem_read r;

	mem_read(&r, &how, bytes);
	if (r.rc != AS_OK)
		fail_msg("%s", r.err.msg);
	return mem_take(&r);
}

/* The lines of a dump that begin with one of WORDS, in the order of the dump. */
static void lines_of(struct as_slice dump, char *to, size_t size)
{
	static const char *const words[] = {"part ", "sample ", "moment "};
	struct as_slice line;
	size_t n = 0;

	while (as_slice_cut(&dump, '\n', &line))
		for (size_t i = 0; i < AS_ARRAY_LEN(words); i++)
			if (as_slice_starts(line, words[i]))
				n += (size_t)snprintf(
					to + n, size - n, "%.*s\n", AS_SLICE_FMT(line));
	assert_true(n < size);
}

static void assert_same_moments(const struct as_profile *a, const struct as_profile *b)
{
	static char x[MAX], y[MAX];
	struct mem_written w;

	mem_write_as(&w, &as_format_dump, a, (struct as_wr){.piece = 0});
	lines_of(mem_bytes(&w), x, sizeof(x));
	mem_written_free(&w);
	mem_write_as(&w, &as_format_dump, b, (struct as_wr){.piece = 0});
	lines_of(mem_bytes(&w), y, sizeof(y));
	mem_written_free(&w);
	assert_non_null(strstr(x, "moment "));
	assert_string_equal(x, y);
}

static void check_round_trip(const struct as_format *fmt, const char *name)
{
	struct as_profile *prof = source(fmt, name), *again, *counted;
	struct mem_written w, plain;

	write_moments(&w, prof, true);
	write_moments(&plain, prof, false);
	assert_true(mem_bytes(&plain).len < mem_bytes(&w).len);
	again = read_moments(mem_bytes(&w), true);
	assert_same_moments(prof, again);
	counted = read_moments(mem_bytes(&w), false);
	assert_int_equal(counted->moments.n, 0);
	assert_int_equal(counted->moments.left, prof->moments.n);
	as_profile_free(counted);
	as_profile_free(again);
	mem_written_free(&plain);
	mem_written_free(&w);
	as_profile_free(prof);
}

static void test_moments_and_parts_are_read_as_they_were_written(void **state)
{
	(void)state;
	check_round_trip(&as_format_otlp, "times.otlp");
	check_round_trip(&as_format_perfscript, "layouts.perf");
}

/* Cut off, or with another byte, at every place: an error or a profile, and never moments that do
 * not add up, which the builder sees to. */
static void test_damage_is_told(void **state)
{
	struct as_profile *prof = source(&as_format_otlp, "times.otlp");
	struct mem_how how = {.fmt = &as_format_pprof, .moments = true, .strict = true};
	struct mem_written w;
	struct as_slice all;
	size_t refused = 0;
	char copy[MAX];

	(void)state;
	write_moments(&w, prof, true);
	all = mem_bytes(&w);
	for (size_t i = 0; i < 2 * all.len; i++) {
		struct as_slice bytes = {copy, i < all.len ? all.len : i - all.len};
		struct mem_read r;

		memcpy(copy, all.p, all.len);
		if (i < all.len)
			copy[i] = (char)~copy[i];
		mem_read(&r, &how, bytes);
		refused += r.rc != AS_OK;
		mem_read_free(&r);
	}
	assert_true(refused > all.len / 2);
	mem_written_free(&w);
	as_profile_free(prof);
}

static void test_what_is_no_table_is_named(void **state)
{
	/* a type, a sample of no stack with the value 1, and strings */
	static const char head[] = "\x0a\x04\x08\x01\x10\x02\x12\x02\x10\x01\x32\x00\x32\x01"
				   "a\x32\x01"
				   "b";
	/* ours, of one part, and a moment whose time does not end */
	static const char moments[] =
		"\xfa\x5d\x0c\x08\xf9\xe6\xcd\x8b\x06\x12\x00\x1a\x02\x00\x80";
	struct mem_how how = {.fmt = &as_format_pprof, .moments = true};
	struct mem_read r;
	char data[64];
	size_t n = sizeof(head) - 1;

	(void)state;
	memcpy(data, head, n);
	memcpy(data + n, moments, sizeof(moments) - 1);
	mem_read(&r, &how, (struct as_slice){data, n + sizeof(moments) - 1});
	assert_int_equal(r.rc, AS_E_FORMAT);
	assert_string_equal(r.err.msg, "the table of moments is damaged");
	mem_read_free(&r);
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	struct as_profile *prof = source(&as_format_otlp, "times.otlp");
	struct mem_written w;
	enum as_code rc = AS_E_NOMEM;

	(void)state;
	write_moments(&w, prof, true);
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct fail_alloc fa;
		struct mem_how how = {.fmt = &as_format_pprof, .al = &fa.al, .moments = true};
		struct mem_written again;
		struct mem_read r;

		fail_alloc_init(&fa, n);
		mem_read(&r, &how, mem_bytes(&w));
		rc = r.rc;
		if (rc == AS_OK) {
			mem_write_as(
				&again, &as_format_pprof, r.prof, (struct as_wr){.moments = true});
			rc = again.rc;
			mem_written_free(&again);
		}
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM || rc == AS_E_IO);
	}
	mem_written_free(&w);
	as_profile_free(prof);
}

int pprof_moments_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_moments_and_parts_are_read_as_they_were_written),
		cmocka_unit_test(test_damage_is_told),
		cmocka_unit_test(test_what_is_no_table_is_named),
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
	};

	return cmocka_run_group_tests_name("pprof_moments", tests, NULL, NULL);
}
