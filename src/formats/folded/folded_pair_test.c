/* SPDX-License-Identifier: Apache-2.0 */
/* Two threads make of a file what one makes: all tables in their order, and all that is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_folded;

enum { SIZE = 2 << 20, ROOM = SIZE + (1 << 20), JOBS_MAX = 3 };

/* One after the other, the last one first where they are two jobs. */
static void pair_test_run(
	struct as_exec *ex, void (*task)(void *arg, unsigned i), void *arg, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		task(arg, ex->jobs == 2 ? n - 1 - i : i);
}

static struct mem_how pair_test_how(struct as_exec *exec, unsigned jobs, const char *opt)
{
	*exec = (struct as_exec){.run = pair_test_run, .jobs = jobs};
	return (struct mem_how){
		.fmt = &as_format_folded, .detail = AS_DETAIL_FULL, .opt = opt, .exec = exec};
}

#define SAME(a, b, column)                                                \
	do {                                                              \
		assert_int_equal((a)->column.n, (b)->column.n);           \
		if ((a)->column.n)                                        \
			assert_memory_equal((a)->column.p, (b)->column.p, \
				(a)->column.n * sizeof(*(a)->column.p));  \
	} while (0)

static void expect_same_tables(const struct as_profile *a, const struct as_profile *b)
{
	assert_int_equal(a->strings.row.n, b->strings.row.n);
	for (uint32_t i = 0; i < a->strings.row.n; i++)
		assert_true(as_slice_eq(as_str_get(a, (as_str){i}), as_str_get(b, (as_str){i})));
	SAME(a, b, object);
	SAME(a, b, file);
	SAME(a, b, func.name);
	SAME(a, b, func.object);
	SAME(a, b, func.file);
	SAME(a, b, place.func);
	SAME(a, b, place.line);
	SAME(a, b, place.inlined);
	SAME(a, b, node.parent);
	SAME(a, b, node.place);
	SAME(a, b, sample.part);
	SAME(a, b, sample.node);
	SAME(a, b, sample.cost);
}

static void expect_same_findings(const struct as_findings *a, const struct as_findings *b)
{
	assert_memory_equal(a->count, b->count, sizeof(a->count));
	assert_int_equal(a->row.n, b->row.n);
	for (size_t i = 0; i < a->row.n; i++) {
		assert_int_equal(a->row.p[i].id, b->row.p[i].id);
		assert_int_equal(a->row.p[i].off, b->row.p[i].off);
		assert_int_equal(a->row.p[i].line, b->row.p[i].line);
		assert_true(as_slice_eq(a->row.p[i].msg, b->row.p[i].msg));
	}
}

static void expect_same(struct as_slice text, const char *opt, bool strict)
{
	struct mem_read one, many;
	struct as_exec exec;
	struct mem_how how = pair_test_how(&exec, 1, opt);

	how.strict = strict;
	mem_read(&one, &how, text);
	for (exec.jobs = 2; exec.jobs <= JOBS_MAX; exec.jobs++) {
		mem_read(&many, &how, text);
		assert_int_equal(one.rc, many.rc);
		assert_string_equal(one.err.msg, many.err.msg);
		assert_int_equal(one.err.line, many.err.line);
		assert_int_equal(one.err.off, many.err.off);
		if (one.rc == AS_OK)
			expect_same_tables(one.prof, many.prof);
		expect_same_findings(&one.findings, &many.findings);
		mem_read_free(&many);
	}
	mem_read_free(&one);
}

static uint64_t pair_test_next(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

/* A stack of as many frames as the file is far, of names that are there from the beginning, come
 * later, or are those of the kernel, inlined or Python's. */
static size_t pair_test_stack(char *to, size_t size, size_t far, uint64_t *seed)
{
	static const char *const name[] = {"main", "f%zu", "g%zu_[i]", "sys%zu_[k]", "jit%zu_[j]",
		"run (x.py:%zu)", "std::map<int, %zu>", " blank%zu "};
	size_t depth = 1 + pair_test_next(seed) % (2 + far / (SIZE / 8)), n = 0;

	for (size_t i = 0; i < depth && n + 64 < size; i++) {
		const char *text = name[pair_test_next(seed) % AS_ARRAY_LEN(name)];
		size_t v = pair_test_next(seed) % (8 + far / (SIZE / 64));

		n += (size_t)snprintf(to + n, size - n, i ? ";" : "");
/* the formats are those above */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		n += (size_t)snprintf(to + n, size - n, text, v);
#pragma GCC diagnostic pop
	}
	return n;
}

/* Lines up to SIZE bytes, with as many counts as COLUMNS; one of EVERY is an odd one. */
static struct as_slice pair_test_text(char *text, unsigned columns, size_t every)
{
	static const char *const odd[] = {"no count\n", "a;;b 1 1\n", "# a comment\n", "\n",
		" 7 7\n", "a;b 1.5 2.5\n", "x 99999999999999999999 1\n", "a;_[k];b 1 1\n",
		"one 1\n", "a;b 1 1\r\n"};
	uint64_t seed = columns + every;
	size_t n = 0;

	while (n < SIZE) {
		uint64_t v = pair_test_next(&seed) % 1000;

		if (every && pair_test_next(&seed) % every == 0) {
			n += (size_t)snprintf(text + n, ROOM - n, "%s", odd[v % AS_ARRAY_LEN(odd)]);
			continue;
		}
		n += pair_test_stack(text + n, 1024, n, &seed);
		n += (size_t)snprintf(text + n, ROOM - n, " %d", (int)v - 100);
		n += (size_t)snprintf(text + n, ROOM - n, columns == 2 ? " 3\n" : "\n");
	}
	return (struct as_slice){text, n};
}

static int pair_test_setup(void **state)
{
	*state = malloc(ROOM);
	return *state ? 0 : -1;
}

static int pair_test_teardown(void **state)
{
	free(*state);
	return 0;
}

static void test_two_threads_make_the_same_tables_as_one(void **state)
{
	expect_same(pair_test_text(*state, 1, 0), NULL, false);
	expect_same(pair_test_text(*state, 2, 0), NULL, false);
	expect_same(pair_test_text(*state, 1, 0), "scale=100", false);
}

static void test_what_is_odd_is_told_as_by_one(void **state)
{
	static const size_t every[] = {10, 20000};

	for (size_t i = 0; i < AS_ARRAY_LEN(every); i++) {
		expect_same(pair_test_text(*state, 1, every[i]), NULL, false);
		expect_same(pair_test_text(*state, 2, every[i]), NULL, false);
		expect_same(pair_test_text(*state, 1, every[i]), NULL, true);
	}
}

/* Ends of a file: cut off within a line, within a short or a very long one. */
static void test_a_last_line_without_an_end_is_told(void **state)
{
	struct as_slice text = pair_test_text(*state, 1, 0);
	char *end = (char *)*state + text.len;

	text.len--;
	expect_same(text, NULL, false);
	memset(end, 'x', 100000);
	text.len += 100000;
	expect_same(text, NULL, false);
	memcpy(end + 99990, "yyyyyyyy 5", 10);
	text.len = (size_t)(end - (char *)*state) + 100000;
	expect_same(text, NULL, false);
}

static void test_a_line_may_be_as_long_as_the_file(void **state)
{
	char *text = *state;
	size_t n;

	memset(text, 'a', SIZE);
	memcpy(text, "b;c 1\n", 6);
	memcpy(text + SIZE - 8, " 1\nb;d 2\n", 9);
	n = SIZE + 1;
	expect_same((struct as_slice){text, n}, NULL, false);
	memset(text, 'a', SIZE);
	memcpy(text + SIZE - 3, " 1\n", 3);
	expect_same((struct as_slice){text, SIZE}, NULL, false);
}

static void test_a_stack_that_is_too_deep_is_refused_where_it_is(void **state)
{
	struct as_slice text = pair_test_text(*state, 1, 0);
	char *at = (char *)*state + SIZE - SIZE / 8;

	while (at[-1] != '\n')
		at++;
	for (size_t i = 0; i < (1 << 16) + 1; i++)
		memcpy(at + 2 * i, "a;", 2);
	expect_same(text, NULL, false);
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	char *text = *state;
	struct as_exec exec;
	struct mem_how how = pair_test_how(&exec, 2, NULL);
	size_t n = 0;

	for (size_t i = 0; n < SIZE; i++)
		n += (size_t)snprintf(text + n, ROOM - n, "%s;f%01000zu;g%zu_[i] 1\n",
			n < 1 << 20 ? "a" : "b", i % 7, i % 5);
	mem_starve_reading(how, (struct as_slice){text, n});
}

int folded_pair_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_two_threads_make_the_same_tables_as_one),
		cmocka_unit_test(test_what_is_odd_is_told_as_by_one),
		cmocka_unit_test(test_a_last_line_without_an_end_is_told),
		cmocka_unit_test(test_a_line_may_be_as_long_as_the_file),
		cmocka_unit_test(test_a_stack_that_is_too_deep_is_refused_where_it_is),
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
	};

	return cmocka_run_group_tests_name(
		"folded_pair", tests, pair_test_setup, pair_test_teardown);
}
