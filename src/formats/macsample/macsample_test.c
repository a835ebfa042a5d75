/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/macsample/macsample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_macsample;

static void macsample_read_it(struct mem_read *r, const char *text)
{
	struct mem_how how = {.fmt = &as_format_macsample, .detail = AS_DETAIL_FULL};

	mem_read(r, &how, as_slice_of(text));
}

#define HEAD "Analysis of sampling a b (pid 7) every 1 millisecond\n\nCall graph:\n"

static const char whole[] = HEAD "    10 Thread_1   DispatchQueue_1: main  (serial)\n"
				 "    + 9 start  (in lib.dylib) + 1  [0x1]\n"
				 "    +   4 f  (in a)  f.c:3  [0x2]\n"
				 "    +   ! 4 g  (in a) + 5,6  [0x3,0x4]\n"
				 "    +   3 f  (in a) + 9  [0x2]\n"
				 "    2 Thread_2\n"
				 "    + 2 ???  (in a)  load address 0x1000 + 0x12  [0x1012]\n\n"
				 "Total number in stack\n    5 Thread_9\n";

static void expect_frame(const char *text, const char *name, const char *object, uint64_t line)
{
	struct ms_frame f;

	as_ms_frame(as_slice_of(text), &f);
	assert_true(as_slice_is(f.name, name));
	assert_true(as_slice_is(f.object, object));
	assert_int_equal(f.line, line);
}

static void test_frames_are_taken_apart(void **state)
{
	(void)state;
	expect_frame("main  (in rg) + 41  [0x10384b549]", "main", "rg", 0);
	expect_frame("f (.llvm.78)  (in my app) + 41  [0x1]", "f (.llvm.78)", "my app", 0);
	expect_frame("a(int)  (in b)  a b.c:12  [0x1]", "a(int)", "b", 0);
	expect_frame("a(int)  (in b)  a.c:12  [0x1]", "a(int)", "b", 12);
	expect_frame("???  (in b)  load address 0x10 + 0x2  [0x12]", "", "b", 0);
	expect_frame("???  [0x12]", "", "", 0);
	expect_frame("-[A b:]", "-[A b:]", "", 0);
	expect_frame("x  (in ", "x", "", 0);
}

static void test_lines_have_what_those_below_leave(void **state)
{
	struct mem_read r;

	(void)state;
	macsample_read_it(&r, whole);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[0] == 12);
	assert_int_equal(r.prof->part.n, 2);
	assert_int_equal(r.prof->part.p[0].pid, 7);
	assert_int_equal(r.prof->event.p[0].period, 1000);
	assert_int_equal(r.prof->sample.node.n, 5); /* thread, start, f, g; ??? */
	assert_false(r.prof->partial);
	for (size_t id = 0; id < AS_F_COUNT; id++)
		assert_int_equal(r.findings.count[id], 0);
	mem_read_free(&r);
}

/* The last component of a path is what the graph calls a binary; two of one name are neither. */
static void test_binaries_have_paths_and_ids(void **state)
{
	struct mem_read r;
	uint32_t n = 0;

	(void)state;
	macsample_read_it(&r, HEAD
		"    3 Thread_1\n    + 2 f  (in a b) + 1  [0x1]\n    + 1 g  (in c) + 1  [0x2]\n\n"
		"Binary Images:\n"
		"       0x1000 -        0x1fff +com.x <y> (1 - 2) <DE46DD52-4994> /p q/a b\n"
		"       0x3000 -        0x3fff  c (0) <01> /x/c\n"
		"       0x5000 -        0x5fff  c (0) <02> /y/c\n   nothing <03> /z/d\n");
	assert_int_equal(r.rc, AS_OK);
	for (uint32_t i = 1; i < r.prof->object.n; i++) {
		struct as_slice path = as_str_get(r.prof, r.prof->object.p[i].path);
		struct as_slice id = as_str_get(r.prof, r.prof->object.p[i].id);

		n += as_slice_is(path, "/p q/a b") && as_slice_is(id, "DE46DD524994");
		n += as_slice_is(path, "c") && !id.len;
	}
	assert_int_equal(n, 2);
	mem_read_free(&r);
}

static void test_binaries_are_where_they_were_loaded(void **state)
{
	struct mem_read r;
	const struct as_map *map;

	(void)state;
	macsample_read_it(&r,
		HEAD "    9 Thread_1\n    + 2 f  (in a)\n    + 2 g  (in b)\n    + 2 h  (in c)\n"
		     "    + 2 i  (in d)\n    + 1 j  (in e)\n\n"
		     "Binary Images:\n"
		     "       0x1000 -        0x1fff +a (0) <01> /x/a\n"
		     "       0x3000 -        0x2fff  b (0) <02> /x/b\n"
		     "       0x5000 - 0xffffffffffffffff  c (0) <03> /x/c\n"
		     "       0x6000   0x6fff  d (0) <04> /x/d\n"
		     "       0x7000 - 0x7000  e (0) <05> /x/e\n");
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->map.n, 1);
	map = &r.prof->map.p[0];
	assert_true(map->start == 0x1000 && map->limit == 0x2000 && !map->offset && map->exec);
	assert_true(as_slice_is(as_object_path(r.prof, map->object), "/x/a"));
	mem_read_free(&r);
}

static void test_what_is_odd_is_told(void **state)
{
	struct mem_read r;

	(void)state;
	macsample_read_it(
		&r, HEAD "    1 nobody\n    5 Thread_1\n    + f\n    + 3 f\n    +   4 g\n");
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->partial);
	assert_true(r.prof->total[0] == 6); /* 2 + 4 */
	assert_int_equal(r.findings.count[AS_F_MS_LINE], 2);
	assert_int_equal(r.findings.count[AS_F_MS_SUM], 1);
	assert_int_equal(r.findings.count[AS_F_TRUNCATED], 1);
	mem_read_free(&r);
}

static void test_a_line_that_cannot_stand_beside_another_is_below_it(void **state)
{
	struct mem_read r;

	(void)state;
	macsample_read_it(&r, HEAD "    5 Thread_1\n    + 5 a\n    +     5 b\n    +     5 c\n"
				   "    +       5 d\n\n");
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[0] == 5);
	assert_int_equal(r.prof->node.parent.n, 5); /* a, b, c, d: one path */
	assert_int_equal(r.findings.count[AS_F_MS_SUM], 1);
	mem_read_free(&r);
}

/* Every beginning: it is refused, or what came before is kept and said to be cut. */
static void test_a_cut_text_is_told(void **state)
{
	size_t end = (size_t)(strstr(whole, "\n\nTotal") - whole) + 2;
	char text[sizeof(whole)];

	(void)state;
	for (size_t n = 0; n < sizeof(whole) - 1; n++) {
		struct mem_read r;

		memcpy(text, whole, n);
		text[n] = '\0';
		macsample_read_it(&r, text);
		if (r.rc == AS_OK)
			assert_int_equal(r.findings.count[AS_F_TRUNCATED], n < end);
		else
			assert_true(n < sizeof("Analysis of sampling ") - 1);
		mem_read_free(&r);
	}
}

static void test_other_text_is_not_taken(void **state)
{
	struct as_peek pk = {.head = as_slice_of("Analysis of samplings\n"), .whole = true};

	(void)state;
	assert_int_equal(as_format_macsample.probe(&pk), AS_PROBE_NO);
	pk.head = as_slice_of(whole);
	assert_int_equal(as_format_macsample.probe(&pk), AS_PROBE_SURE);
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	mem_starve_reading((struct mem_how){.fmt = &as_format_macsample, .detail = AS_DETAIL_FULL},
		as_slice_of(whole));
}

int macsample_tests(void);
int macsample_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_are_taken_apart),
		cmocka_unit_test(test_lines_have_what_those_below_leave),
		cmocka_unit_test(test_binaries_have_paths_and_ids),
		cmocka_unit_test(test_binaries_are_where_they_were_loaded),
		cmocka_unit_test(test_what_is_odd_is_told),
		cmocka_unit_test(test_a_line_that_cannot_stand_beside_another_is_below_it),
		cmocka_unit_test(test_a_cut_text_is_told),
		cmocka_unit_test(test_other_text_is_not_taken),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("macsample", tests, NULL, NULL);
}
