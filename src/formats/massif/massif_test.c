/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/massif/massif.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_massif;

static void massif_read_it(struct mem_read *r, const char *text, const char *opt)
{
	struct mem_how how = {.fmt = &as_format_massif, .detail = AS_DETAIL_FULL, .opt = opt};

	mem_read(r, &how, as_slice_of(text));
}

#define MARK "#-----------\n"
#define SNAPSHOT(n, heap, tree)                                                          \
	MARK "snapshot=" n "\n" MARK "time=1\nmem_heap_B=" heap "\nmem_heap_extra_B=2\n" \
	     "mem_stacks_B=3\nheap_tree=" tree "\n"
#define HEAD "desc: (none)\ncmd: ./a\ntime_unit: i\n"
#define TOP "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.\n"

static const char whole[] = HEAD SNAPSHOT("0", "900", "empty")
	SNAPSHOT("1", "50", "detailed") "n1: 50 " TOP " n0: 50 0x1: f (a.c:1)\n" SNAPSHOT("2", "40",
		"peak") "n2: 40 " TOP " n1: 30 0x1: f (a.c:1)\n"
			"  n0: 30 0x2: main (a.c:9)\n"
			" n0: 10 in 3 places, all below massif's threshold (1.00%)\n" SNAPSHOT(
				"3", "60", "detailed") "n1: 60 " TOP " n0: 60 0x1: g (a.c:1)\n";

static as_val heap_of(const char *text, const char *opt)
{
	struct mem_read r;
	as_val heap;

	massif_read_it(&r, text, opt);
	assert_int_equal(r.rc, AS_OK);
	heap = r.prof->total[0];
	mem_read_free(&r);
	return heap;
}

static void test_the_peak_is_shown(void **state)
{
	struct mem_read r;

	(void)state;
	massif_read_it(&r, whole, NULL);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[0] == 40 && r.prof->total[1] == 2 && r.prof->total[2] == 3);
	assert_int_equal(r.findings.count[AS_F_MF_THRESHOLD], 1);
	assert_int_equal(r.findings.count[AS_F_MF_SNAPSHOTS], 1);
	assert_false(r.prof->partial);
	mem_read_free(&r);
}

static void test_without_a_peak_the_largest_tree_is_shown(void **state)
{
	(void)state;
	assert_true(heap_of(HEAD SNAPSHOT("0", "900", "empty")
				    SNAPSHOT("1", "50", "detailed") "n0: 50 " TOP SNAPSHOT(
					    "2", "60", "detailed") "n0: 60 " TOP SNAPSHOT("3", "55",
					    "detailed") "n0: 55 " TOP,
			    NULL) == 60);
	assert_true(heap_of(HEAD SNAPSHOT("0", "7", "empty") SNAPSHOT("1", "9", "empty")
				    SNAPSHOT("2", "8", "empty"),
			    NULL) == 9);
}

static void test_any_snapshot_can_be_asked_for(void **state)
{
	struct mem_read r;

	(void)state;
	assert_true(heap_of(whole, "snapshot=0") == 900);
	assert_true(heap_of(whole, "snapshot=1") == 50);
	assert_true(heap_of(whole, "snapshot=3") == 60);
	massif_read_it(&r, whole, "snapshot=4");
	assert_int_equal(r.rc, AS_E_ARG);
	mem_read_free(&r);
	massif_read_it(&r, whole, "snapshot=peak");
	assert_int_equal(r.rc, AS_E_ARG);
	mem_read_free(&r);
}

static void test_what_does_not_add_up_is_told(void **state)
{
	struct mem_read r;

	(void)state;
	massif_read_it(&r,
		HEAD SNAPSHOT("0", "50", "peak") "n2: 50 " TOP " n0: 30 0x1: f (a.c:1)\n", NULL);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->partial);
	assert_true(r.prof->total[0] == 50); /* 20 without a stack */
	assert_int_equal(r.findings.count[AS_F_MF_SUM], 1);
	mem_read_free(&r);
	massif_read_it(&r, HEAD SNAPSHOT("0", "50", "peak") "n0: 40 " TOP "what\n", NULL);
	assert_int_equal(r.findings.count[AS_F_MF_SUM], 1);
	assert_int_equal(r.findings.count[AS_F_MF_LINE], 1);
	mem_read_free(&r);
}

/* Every beginning: it is refused, or nothing is more than before, and a cut line is told. */
static void test_a_cut_file_is_told(void **state)
{
	char text[sizeof(whole)];

	(void)state;
	for (size_t n = 1; n < sizeof(whole) - 1; n++) {
		struct mem_read r;

		memcpy(text, whole, n);
		text[n] = '\0';
		massif_read_it(&r, text, NULL);
		if (r.rc != AS_OK) {
			assert_true(r.rc == AS_E_FORMAT || r.rc == AS_E_TRUNC);
			assert_true(n < sizeof(HEAD) - 1);
		} else if (text[n - 1] != '\n') {
			assert_int_equal(r.findings.count[AS_F_TRUNCATED], 1);
			assert_true(r.prof->partial);
		}
		mem_read_free(&r);
	}
}

static void test_only_massif_is_taken_for_it(void **state)
{
	static const struct {
		const char *text;
		enum as_probe sure;
	} cases[] = {{whole, AS_PROBE_SURE}, {"cmd: a\r\ntime_unit: B\r\n", AS_PROBE_SURE},
		{"desc: a\ndesc: b\ncmd: c\ntime_unit: ms", AS_PROBE_SURE},
		{"time_unit: i\n", AS_PROBE_NO},
		{"desc: a\nevents: Ir\ntime_unit: i\n", AS_PROBE_NO}, {"", AS_PROBE_NO},
		{"desc: a\n", AS_PROBE_NO}};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_peek pk = {.head = as_slice_of(cases[i].text), .whole = true};

		assert_int_equal(as_format_massif.probe(&pk), cases[i].sure);
	}
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	(void)state;
	mem_starve_reading((struct mem_how){.fmt = &as_format_massif, .detail = AS_DETAIL_FULL},
		as_slice_of(whole));
}

int massif_tests(void);
int massif_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_peak_is_shown),
		cmocka_unit_test(test_without_a_peak_the_largest_tree_is_shown),
		cmocka_unit_test(test_any_snapshot_can_be_asked_for),
		cmocka_unit_test(test_what_does_not_add_up_is_told),
		cmocka_unit_test(test_a_cut_file_is_told),
		cmocka_unit_test(test_only_massif_is_taken_for_it),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("massif", tests, NULL, NULL);
}
