/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/legacy/legacy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"
#include "lib/told.h"

extern const struct as_format as_format_legacy;

static void read_text(struct mem_read *r, const char *text, bool strict)
{
	struct mem_how how = {.fmt = &as_format_legacy,
		.detail = AS_DETAIL_FULL,
		.strict = strict,
		.name = "dir/x.heap"};

	mem_read(r, &how, as_slice_of(text));
}

static void total_is(const struct as_profile *prof, const char *event, int64_t want, bool estimated)
{
	uint32_t k = 0;

	if (!as_profile_event(prof, as_slice_of(event), &k))
		fail_msg("no event %s", event);
	if (prof->total[k] != want)
		fail_msg("%s: %lld, not %lld", event, (long long)prof->total[k], (long long)want);
	assert_int_equal(prof->event.p[k].estimated, estimated);
}

/* 1 / (1 - exp(-1)) = 1.58197670686932642438...: of objects as large as the mean distance between
 * two samples 63 % are sampled. */
static void test_a_sampled_heap_is_scaled_up_row_by_row(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r,
		"heap profile: 101: 52953088 [101: 52953088] @ heap_v2/524288\n"
		"1: 524288 [1: 524288] @ 0x10 0x20\n"
		"100: 52428800 [100: 52428800] @ 0x10 0x20\n",
		false);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->event.n, 4);
	/* 1 + 158, 829411 + 82941140: each without what is behind the point */
	total_is(r.prof, "objects", 159, true);
	total_is(r.prof, "space", 829411 + 82941140, true);
	total_is(r.prof, "sampled_objects", 101, false);
	total_is(r.prof, "sampled_space", 52953088, false);
	assert_int_equal(r.prof->sample.node.n, 1);
	assert_true(as_slice_is(as_event_name(r.prof, 0), "space"));
	mem_read_free(&r);
}

static void test_gos_rate_is_twice_the_mean_distance(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r,
		"heap profile: 1: 524288 [2: 1048576] @ heap/1048576\n"
		"1: 524288 [2: 1048576] @ 0x10 0x20\n",
		true);
	assert_int_equal(r.rc, AS_OK);
	total_is(r.prof, "inuse_space", 829411, true);
	total_is(r.prof, "alloc_space", 1658822, true);
	total_is(r.prof, "alloc_objects", 3, true);
	total_is(r.prof, "sampled_alloc_objects", 2, false);
	assert_true(as_slice_is(as_event_name(r.prof, 0), "inuse_space"));
	assert_int_equal(r.prof->first_column, 3);
	mem_read_free(&r);
}

static void test_exact_heaps_have_no_estimates(void **state)
{
	static const char *const kind[] = {"heapprofile", "growth", "growthz", "fragmentation",
		"fragmentationz", "heap_v2/1", "heap/2", "heap_v2"};
	char text[200];

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(kind); i++) {
		struct mem_read r;

		snprintf(text, sizeof(text), "heap profile: 1: 8 [1: 8] @ %s\n1: 8 [1: 8] @ 0x10\n",
			kind[i]);
		read_text(&r, text, true);
		assert_int_equal(r.rc, AS_OK);
		assert_int_equal(r.prof->event.n, 2);
		total_is(r.prof, "space", 8, false);
		mem_read_free(&r);
	}
}

/* 1000 cycles of 2 GHz are 500 ns; one in ten was sampled. */
static void test_delays_are_time(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r,
		"--- contentionz 1 ---\ncycles/second = 2000000000\nsampling period = 10\n"
		"ms since reset = 7\ndiscarded samples = 0\n1000 3 @ 0x10 0x20\n",
		true);
	assert_int_equal(r.rc, AS_OK);
	total_is(r.prof, "delay", 5000, true);
	total_is(r.prof, "contentions", 30, true);
	total_is(r.prof, "sampled_contentions", 3, false);
	total_is(r.prof, "sampled_delay_cycles", 1000, false);
	assert_int_equal(r.prof->duration, 7000000);
	mem_read_free(&r);
	read_text(&r, "--- mutex:\ncycles/second=2000000000\n1000 3 @ 0x10 0x20\n", true);
	assert_int_equal(r.rc, AS_OK);
	total_is(r.prof, "delay", 500, false);
	total_is(r.prof, "contentions", 3, false);
	total_is(r.prof, "delay_cycles", 1000, false);
	mem_read_free(&r);
}

/* The address of a leaf and of its caller in TEXT's only sample. */
static void addresses_are(const char *text, uint64_t leaf, uint64_t caller)
{
	struct mem_read r;
	as_node n;

	read_text(&r, text, false);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->sample.node.n, 1);
	n = r.prof->sample.node.p[0];
	assert_int_equal(as_place_addr(r.prof, r.prof->node.place.p[n.i]), leaf);
	n = r.prof->node.parent.p[n.i];
	assert_int_equal(as_place_addr(r.prof, r.prof->node.place.p[n.i]), caller);
	assert_int_equal(r.prof->node.parent.p[n.i].i, 0);
	mem_read_free(&r);
}

static void test_addresses_are_those_of_calls(void **state)
{
	(void)state;
	addresses_are("heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x110 0x220\n", 0x10f,
		0x21f);
	addresses_are(
		"heap_v2/64\nt*: 1: 8 [0: 0]\n@ 0x110 0x220\n t*: 1: 8 [0: 0]\n", 0x10f, 0x21f);
	addresses_are("goroutine profile: total 1\n1 @ 0x110 0x220\n", 0x10f, 0x21f);
	/* The innermost one of a thread is where it was. */
	addresses_are("--- Thread 1 (name: a/1) stack: ---\n PC: 0x110 0x220\n", 0x110, 0x21f);
	/* In a file, they are offsets. */
	addresses_are("heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x110 0x220\n"
		      "MAPPED_LIBRARIES:\n100-300 r-xp 00001000 08:01 1 /a\n",
		0x100f, 0x111f);
	/* Those that would become something else stay. */
	addresses_are("heap profile: 1: 8 [1: 8] @ heapprofile\n1: 8 [1: 8] @ 0x1 0x0\n", 1, 0);
}

static void test_sums_beyond_64_bits_are_kept(void **state)
{
	struct as_slice half = as_slice_of("9223372036854775807 @ 0x10\n");
	char text[200];
	struct mem_read r;
	as_val want = 3 * (as_val)INT64_MAX;

	(void)state;
	snprintf(text, sizeof(text), "a profile: total 1\n%s%s%s", half.p, half.p, half.p);
	read_text(&r, text, false);
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->total[0] == want);
	mem_read_free(&r);
}

static void test_what_is_beyond_63_bits_is_left_out(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r,
		"heap profile: 9: 9 [9: 9] @ heap_v2/9223372036854775807\n"
		"9223372036854775807: 9223372036854775807 [0: 0] @ 0x10\n1: 1 [0: 0] @ 0x10\n",
		false);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.count[AS_F_COUNT_RANGE], 2);
	assert_int_equal(r.prof->sample.node.n, 0);
	mem_read_free(&r);
}

static void probe_is(const char *text, enum as_probe want)
{
	struct as_peek pk = {.head = as_slice_of(text), .whole = true};

	assert_int_equal(as_format_legacy.probe(&pk), want);
}

static void test_the_first_line_decides(void **state)
{
	(void)state;
	probe_is("heap profile: 1: 2 [3: 4] @ heapprofile\n", AS_PROBE_SURE);
	probe_is("# a comment\n\n heap profile:  1:  2 [  3:  4] @ heap/512\r\n", AS_PROBE_SURE);
	probe_is("heap profile: 1: 2\n", AS_PROBE_MAGIC);
	probe_is("heap_v2/524288\n", AS_PROBE_SURE);
	probe_is("heap_v2/many\n", AS_PROBE_NO);
	probe_is("my/leaks profile: total 3\n", AS_PROBE_SURE);
	probe_is(" profile: total 3\n", AS_PROBE_NO);
	probe_is("--- threadz 1 ---\n", AS_PROBE_SURE);
	probe_is("goroutine 1 [running]:\n", AS_PROBE_NO);
	probe_is("", AS_PROBE_NO);
}

/* What is asked for where a table of functions is all that is made. */
static void read_stacks(struct mem_read *r, const char *text)
{
	struct mem_how how = {
		.fmt = &as_format_legacy, .name = "dir/x.heap", .sums = true, .stacks = true};

	mem_read(r, &how, as_slice_of(text));
	assert_int_equal(r->rc, AS_OK);
}

static void test_code_without_names_is_given_as_stacks(void **state)
{
	struct as_stacks_cur cur;
	struct mem_read r;
	as_place room[2];

	(void)state;
	read_stacks(&r, "heap profile: 4: 40 [12: 120] @ heapprofile\n"
			"1: 10 [ 2: 20] @ 0x10 0x20\n"
			"0: 0 [ 0: 0] @ 0x30 0x20\n"
			"2: 20 [ 4: 40] @\n"
			"1: 10 [ 6: 60] @ 0x10 0x20\n");
	assert_true(r.prof->stacks.n == 2 && !r.prof->sample.node.n);
	total_is(r.prof, "inuse_space", 40, false);
	total_is(r.prof, "alloc_objects", 12, false);
	as_stacks_begin(&cur, &r.prof->stacks, room);
	assert_true(as_stacks_next(&cur) && cur.n == 2);
	assert_int_equal(as_place_addr(r.prof, room[0]), 0xf);
	assert_int_equal(as_place_addr(r.prof, room[1]), 0x1f);
	for (uint32_t k = 0; k < as_n_events(r.prof); k++) {
		bool space = as_slice_find_text(as_event_name(r.prof, k), "space") <
			     as_event_name(r.prof, k).len;
		bool alloc = as_slice_starts(as_event_name(r.prof, k), "alloc");

		assert_int_equal(cur.cost[k], (alloc ? 8 : 2) * (space ? 10 : 1));
	}
	assert_true(as_stacks_next(&cur) && cur.n == 0 && !as_stacks_next(&cur));
	mem_read_free(&r);
}

static void test_code_with_names_is_given_as_paths(void **state)
{
	struct mem_read r;

	(void)state;
	read_stacks(&r, "heap profile: 1: 10 [1: 10] @ heap/1\n"
			"1: 10 [1: 10] @ 0x10\n"
			"#\t0xf\tmain.f+0x1\ta.go:3\n");
	assert_true(!r.prof->stacks.n && r.prof->sample.node.n == 1);
	mem_read_free(&r);
}

static void test_no_memory_is_told_and_nothing_leaks(void **state)
{
	static const char text[] =
		"heap profile: 1: 8 [3: 24] @ heap/1048576\n1: 8 [3: 24] @ 0x11 0x21\n"
		"# labels: "
		"{\"k\":\"v\"}\n#\t0x10\tmain.f+0x10\ta.go:3\n#\t0x20\tmain.g+0x20\ta.go:4\n"
		"MAPPED_LIBRARIES:\nbuild=/srv\n10-40 r-xp 00000000 08:01 1 $build/a\n";

	static const char nameless[] = "heap profile: 1: 8 [3: 24] @ heap/1048576\n"
				       "1: 8 [3: 24] @ 0x11 0x21\n";

	(void)state;
	mem_starve_reading((struct mem_how){.fmt = &as_format_legacy, .detail = AS_DETAIL_FULL},
		as_slice_of(text));
	mem_starve_reading((struct mem_how){.fmt = &as_format_legacy, .detail = AS_DETAIL_FULL},
		mem_golden(&as_format_legacy, "cpp.contention"));
	mem_starve_reading((struct mem_how){.fmt = &as_format_legacy, .sums = true, .stacks = true},
		as_slice_of(nameless));
}

int legacy_tests(void);
int legacy_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_sampled_heap_is_scaled_up_row_by_row),
		cmocka_unit_test(test_gos_rate_is_twice_the_mean_distance),
		cmocka_unit_test(test_exact_heaps_have_no_estimates),
		cmocka_unit_test(test_delays_are_time),
		cmocka_unit_test(test_addresses_are_those_of_calls),
		cmocka_unit_test(test_sums_beyond_64_bits_are_kept),
		cmocka_unit_test(test_what_is_beyond_63_bits_is_left_out),
		cmocka_unit_test(test_the_first_line_decides),
		cmocka_unit_test(test_code_without_names_is_given_as_stacks),
		cmocka_unit_test(test_code_with_names_is_given_as_paths),
		cmocka_unit_test(test_no_memory_is_told_and_nothing_leaks),
	};

	return cmocka_run_group_tests_name("legacy", tests, NULL, NULL);
}
