/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading against hand-computed figures: the examples of the specification, one case per trap of
 * docs/formats/callgrind.md, and every rejected line with its place.
 */
#include "formats/callgrind/callgrind_testing.h"

/* ---- the specification's own examples ---- */

static void test_first_example_leaves_missing_costs_zero(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d,
		"events: Cycles Instructions Flops\nfl=file.f\nfn=main\n15 90 14 2\n16 20 12\n");
	assert_int_equal(total(&d, 0), 110);
	assert_int_equal(total(&d, 1), 26);
	assert_int_equal(total(&d, 2), 2);
	assert_int_equal(self_of(&d, find(&d, "file.f", "main"), 0), 110);
	expect_clean(&d);
	mem_read_free(&d);
}

static const char extended[] =
	"events: Instructions\n\nfl=file1.c\nfn=main\n16 20\ncfn=func1\ncalls=1 50\n16 400\n"
	"cfl=file2.c\ncfn=func2\ncalls=3 20\n16 400\n\nfn=func1\n51 100\ncfl=file2.c\ncfn=func2\n"
	"calls=2 20\n51 300\n\nfl=file2.c\nfn=func2\n20 700\n";
static const char compressed[] =
	"events: Instructions\n\nfl=(1) file1.c\nfn=(1) main\n16 20\ncfn=(2) func1\ncalls=1 50\n"
	"16 400\ncfl=(2) file2.c\ncfn=(3) func2\ncalls=3 20\n16 400\n\nfn=(2)\n51 100\ncfl=(2)\n"
	"cfn=(3)\ncalls=2 20\n51 300\n\nfl=(2)\nfn=(3)\n20 700\n";

static void check_extended(const char *text)
{
	struct mem_read d;

	open_text(&d, text);
	assert_int_equal(total(&d, 0), 820);
	assert_int_equal(self_of(&d, find(&d, "file1.c", "main"), 0), 20);
	assert_int_equal(self_of(&d, find(&d, "file1.c", "func1"), 0), 100);
	assert_int_equal(self_of(&d, find(&d, "file2.c", "func2"), 0), 700);
	expect_call(&d, "main", "func1", 1, 400);
	expect_call(&d, "main", "func2", 3, 400);
	expect_call(&d, "func1", "func2", 2, 300);
	expect_clean(&d);
	mem_read_free(&d);
}

static void test_extended_example_plain_and_compressed_are_equal(void **state)
{
	struct mem_read a, b;
	char *x, *y;

	(void)state;
	check_extended(extended);
	check_extended(compressed);
	open_text(&a, extended);
	open_text(&b, compressed);
	x = written(a.prof, NULL, 0);
	y = written(b.prof, NULL, 0);
	assert_string_equal(x, y);
	test_free(x);
	test_free(y);
	mem_read_free(&a);
	mem_read_free(&b);
}

static void test_names_may_be_defined_ahead(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: Instructions\n\n# define file ID mapping\nfl=(1) file1.c\n"
		      "fl=(2) file2.c\nfn=(1) main\nfn=(2) func1\nfn=(3) func2\n\nfl=(1)\nfn=(1)\n"
		      "16 20\nfl=(2)\nfn=(3)\n20 700\n");
	assert_int_equal(self_of(&d, find(&d, "file1.c", "main"), 0), 20);
	assert_int_equal(self_of(&d, find(&d, "file2.c", "func2"), 0), 700);
	mem_read_free(&d);
}

static void test_relative_subpositions_equal_absolute_ones(void **state)
{
	static const char want[] = "90@80001234:1 90@80001237:5 91@80001238:6 ";
	struct mem_read d;

	(void)state;
	open_text(&d, "positions: instr line\nevents: ticks\n\nfn=func\n0x80001234 90 1\n"
		      "0x80001237 90 5\n0x80001238 91 6\n");
	expect_rows(&d, want);
	mem_read_free(&d);
	open_text(&d, "positions: instr line\nevents: ticks\n\nfn=func\n0x80001234 90 1\n"
		      "+3 * 5\n+1 +1 6\n");
	expect_rows(&d, want);
	mem_read_free(&d);
}

/* ---- the traps ---- */

static void test_t1_jcnd_is_followed_slash_executed_or_executed_followed(void **state)
{
	struct as_rows_cur cur;
	struct mem_read d;
	as_val v[AS_JUMP_WIDTH];

	(void)state;
	open_text(&d,
		"events: I\nfl=a\nfn=f\n10 5\njcnd=3/4 12\n10\njcnd=4 3 12\n10\njump=7 20\n10\n");
	as_rows_begin(&cur, &d.prof->jump, &d.prof->jump.run.p[0], v);
	for (int i = 0; i < 2; i++) {
		assert_true(as_rows_next(&cur));
		assert_int_equal((long long)v[AS_JUMP_COND], 1);
		assert_int_equal((long long)v[AS_JUMP_EXECUTED], 4);
		assert_int_equal((long long)v[AS_JUMP_FOLLOWED], 3);
		assert_int_equal((long long)v[AS_JUMP_LINE], 12);
	}
	assert_true(as_rows_next(&cur));
	assert_int_equal((long long)v[AS_JUMP_COND], 0);
	assert_int_equal((long long)v[AS_JUMP_EXECUTED], 7);
	assert_false(as_rows_next(&cur));
	expect_finding(&d, AS_F_CG_JCND_SPEC_FORM, 7);
	mem_read_free(&d);
}

static void test_t2_calls_and_jumps_do_not_move_the_base(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "positions: instr line\nevents: Ir\nfl=(1) a.c\nfn=(1) f\n0x1000 312 34\n"
		      "cfn=(2) g\ncalls=1 0x4110 2535\n+14 2155 4565\n+19 488 1\n\nfn=(2)\n"
		      "0x4110 2535 4565\n");
	expect_rows(&d, "312@1000:34 488@1013:1 2535@4110:4565 ");
	mem_read_free(&d);
}

static void test_t3_a_function_known_by_id_stands_where_its_block_says(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=(1) a.c\nfn=(1) f\nfi=(2) x.h\n1 1\ncfn=(2) g\ncalls=1 9\n"
		      "1 5\nfe=(1)\n\nfl=(1)\nfn=(2)\n9 5\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "g"), 0), 5);
	expect_call(&d, "f", "g", 1, 5);
	mem_read_free(&d);
}

static void test_t4_ids_live_on_over_parts_and_end_with_the_file(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d,
		"version: 1\ncreator: c\npart: 1\nthread: 1\nevents: I\nfl=(1) a.c\nfn=(1) f\n"
		"1 5\ntotals: 5\npart: 1\nthread: 2\nevents: I\nfl=(1)\nfn=(1)\n1 7\ntotals: 7\n");
	assert_int_equal(d.prof->part.n, 2);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 12);
	assert_int_equal(d.prof->part.p[1].tid, 2);
	expect_clean(&d);
	mem_read_free(&d);
	open_text(&d, "version: 1\npid: 10\nevents: I\nfl=(1) a.c\nfn=(1) f\n1 5\ntotals: 5\n"
		      "version: 1\npid: 11\nevents: I\nfl=(1) b.c\nfn=(1) g\n1 7\ntotals: 7\n");
	assert_int_equal(d.prof->part.n, 2);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 5);
	assert_int_equal(self_of(&d, find(&d, "b.c", "g"), 0), 7);
	assert_int_equal(d.prof->part.p[0].pid, 10);
	assert_int_equal(d.prof->part.p[1].pid, 11);
	expect_clean(&d);
	mem_read_free(&d);
}

static void test_t5_a_call_with_count_0_is_a_call_and_is_written_as_1(void **state)
{
	struct mem_read d;
	char *text;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 5\ncfn=g\ncalls=0 20\n1 30\nfn=g\n20 30\n");
	assert_int_equal(total(&d, 0), 35);
	expect_call(&d, "f", "g", 0, 30);
	text = written(d.prof, NULL, 0);
	mem_read_free(&d);
	assert_non_null(strstr(text, "# calls=0\ncalls=1 +19\n"));
	open_text(&d, text);
	expect_call(&d, "f", "g", 0, 30);
	test_free(text);
	mem_read_free(&d);
}

static void test_t11_hexadecimal_and_t12_tabs_and_t19_ranges(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n0x10 7\n+0x2 8\n-0x1 9\ncfn=g\ncalls=0x3 "
		      "0x20\n*\t0x1e\n");
	expect_rows(&d, "16@0:7 18@0:8 17@0:9 ");
	expect_call(&d, "f", "g", 3, 30);
	mem_read_free(&d);
	open_text(&d, "events:\tI\tJ\nfl= a.c\nfn=  f\n1\t5\t6\n 2 7\n3  8   9  \n");
	assert_int_equal(total(&d, 0), 20);
	assert_int_equal(total(&d, 1), 15);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 20);
	expect_clean(&d);
	mem_read_free(&d);
	open_text(&d, "positions: instr line\nevents: I\nfl=a.c\nfn=f\n0x100-0x10f 10-12 5\n"
		      "0x110+8 13+2 6\n0x120:0x130 20:22 7\n");
	expect_rows(&d, "10@100:5 13@110:6 20@120:7 ");
	expect_finding(&d, AS_F_CG_POSITION_RANGE, 5);
	mem_read_free(&d);
}

static void test_t13_ids_may_be_huge_and_zero(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=(0) a.c\nfn=(18446744073709551615) f\n1 5\nfn=(4294967295) g\n"
		      "2 6\nfn=(18446744073709551615)\n3 7\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 12);
	assert_int_equal(self_of(&d, find(&d, "a.c", "g"), 0), 6);
	mem_read_free(&d);
}

static void test_t14_nul_bytes_end_nothing(void **state)
{
	static const char text[] = "events: I\nfl=a.c\nfn=f\n1 5\n\0\0\n2 6\n3 7\0 1\n4 8\n";
	struct mem_read d;

	(void)state;
	open_doc(&d, text, sizeof(text) - 1, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_OK);
	assert_int_equal(total(&d, 0), 19);
	assert_true(d.prof->partial);
	expect_finding(&d, AS_F_CG_NUL_BYTE, 5);
	expect_finding(&d, AS_F_CG_COST_GARBAGE, 7);
	mem_read_free(&d);
}

static void test_t16_negative_counts_are_kept(void **state)
{
	struct mem_read d;
	char *text;

	(void)state;
	open_text(&d, "desc: Files compared: a; b\ncmd: a; b\nevents: Ir Dr\nfl=a.c\nfn=f\n0 -5 3\n"
		      "fn=g\n0 7 -9\nsummary: 2 -6\n");
	assert_int_equal(total(&d, 0), 2);
	assert_int_equal(total(&d, 1), -6);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), -5);
	expect_clean(&d);
	text = written(d.prof, NULL, 0);
	mem_read_free(&d);
	open_text(&d, text);
	assert_int_equal(self_of(&d, find(&d, "a.c", "g"), 1), -9);
	test_free(text);
	mem_read_free(&d);
}

static void test_t20_the_words_of_positions_are_counted(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d,
		"positions: instr bb line\nevents: I\nfl=a.c\nfn=f\n0x10 0x10 3 5\n+4 * +1 6\n");
	expect_rows(&d, "3@10:5 4@14:6 ");
	mem_read_free(&d);
	open_text(&d, "positions: line memAddr\nevents: Ir Time\nfl=a.c\nfn=f\n1 0x01 1 100\n"
		      "2 0x02 1 100\n");
	assert_int_equal(total(&d, 0), 2);
	assert_int_equal(total(&d, 1), 200);
	expect_finding(&d, AS_F_CG_POSITIONS_ODD, 1);
	mem_read_free(&d);
}

/* ---- what is odd or damaged ---- */

static void test_every_deviation_is_found_at_its_line(void **state)
{
	static const struct {
		const char *text;
		enum as_finding_id id;
		uint64_t line;
	} cases[] = {
		{"fl=a\nfn=f\n1 5\nevents: I\n", AS_F_CG_COST_BEFORE_EVENTS, 3},
		{"events: I\nfl=a\nfn=f\n1 5\nwhat is this\n", AS_F_CG_LINE_UNKNOWN, 5},
		{"events: I\nfl=a\nfn=f\n1 5x\n", AS_F_CG_COST_GARBAGE, 4},
		{"events: I\nfl=a\nfn=f\n1 5 6\n", AS_F_CG_COST_LONG, 4},
		{"events: I\nfl=a\nfn=f\n5 5\n-6 1\n", AS_F_CG_POSITION_NEGATIVE, 5},
		{"events: I\nfl=a\nfn=f\ncfn=g\ncalls=1 2\nfn=g\n1 5\n", AS_F_CG_CALL_NO_COST, 6},
		{"events: I\nfl=a\nfn=f\ncalls=1 2\n1 5\n", AS_F_CG_CALL_NO_CALLEE, 4},
		{"events: I\nfl=a\nfn=f\ncfn=g\ncalls=0 2\n1 5\n", AS_F_CG_CALL_ZERO, 5},
		{"events: I\nfl=a\nfn=f\njump=1 2\nfn=g\n1 5\n", AS_F_CG_JUMP_NO_SOURCE, 5},
		{"events: I\nfl=(1)\nfn=f\n1 5\n", AS_F_CG_ID_UNDEFINED, 2},
		{"events: I\nfl=(1) a\nfn=(1) f\n1 5\nfn=(1) g\n1 2\n", AS_F_CG_ID_REDEFINED, 5},
		{"events: I\nfl=a\nfn=f\n1 5\ntotals: 6\n", AS_F_CG_TOTALS_DIFFER, 5},
		{"events: I\nsummary: 4\nfl=a\nfn=f\n1 5\n", AS_F_CG_SUMMARY_BELOW, 2},
		{"events: I\nsummary: 6\nfl=a\nfn=f\n1 5\n", AS_F_CG_SUMMARY_ABOVE, 2},
		{"creator: callgrind-3.19.0\nevents: I\nsummary: 9\nfl=a\nfn=f\n1 5\n", AS_F_CG_CUT,
			7},
		{"desc: a\ncmd: b\nevents: I\nfl=a\nfn=f\n1 5\n", AS_F_CG_CUT, 7},
		{"events: I J\nsummary: 5\nfl=a\nfn=f\n1 5\n", AS_F_CG_SUMMARY_SHORT, 2},
		{"creator: a\ncreator: b\nevents: I\nfl=a\nfn=f\n1 5\n", AS_F_CG_HEADER_REPEATED,
			2},
		{"events: I I\nfl=a\nfn=f\n1 5 6\n", AS_F_CG_EVENT_DUPLICATE, 1},
		{"events: I\nfl=a\nfn=f\nbb=0x12 3\n1 5\n", AS_F_CG_UNKNOWN_SPEC, 4},
		{"version: 2\nevents: I\nfl=a\nfn=f\n1 5\n", AS_F_CG_VERSION_NEWER, 1},
		{"events: I\nfl=a\nfn=f\r\n1 5\n2 6\n", AS_F_CG_LINE_ENDS_MIXED, 0},
		{"events: I\nsummary: 0\n", AS_F_NO_SAMPLES, 0},
		{"events: I\nfl=a\nfn=f\n1 5\ncfn=g\ncalls=1 2\n1 6\n", AS_F_CG_CALLEE_UNDEFINED,
			0},
		{"events: I\nfl=a\nfn=f\n1 5\ncfn=g\ncalls=1 2\n1 6\nfn=g\n2 5\n",
			AS_F_CG_INCLUSIVE_UNBALANCED, 0},
		{"events: I\nfl=a\nfn=f\n1 5\ncfn=g\ncalls=1 2\n1 60\nfn=g\n2 5\n",
			AS_F_CG_INCLUSIVE_OVER_TOTAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct mem_read d;

		open_text(&d, cases[i].text);
		expect_finding(&d, cases[i].id, cases[i].line);
		mem_read_free(&d);
	}
}

static void test_strict_reading_stops_at_the_first_error(void **state)
{
	static const char text[] = "events: I\nfl=a\nfn=f\n1 5\n2 x\n3 7\n";
	struct mem_read d;

	(void)state;
	open_doc(&d, text, strlen(text), AS_DETAIL_FULL, true);
	assert_int_equal(d.rc, AS_E_FORMAT);
	assert_int_equal(d.err.line, 5);
	assert_int_equal(d.err.off, 26);
	assert_string_equal(d.err.msg, "expected a count, found 'x'");
	mem_read_free(&d);
	open_doc(&d, "", 0, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_E_TRUNC);
	mem_read_free(&d);
	open_doc(&d, "hello\n", 6, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_E_FORMAT);
	mem_read_free(&d);
	open_doc(&d, "fl=a\nfn=f\n1 5\n", 14, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_E_FORMAT);
	expect_finding(&d, AS_F_CG_NO_EVENTS, 4);
	mem_read_free(&d);
}

static void test_summary_that_says_the_sum_is_no_information(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nsummary: 5\nfl=a\nfn=f\n1 5\ntotals: 5\n");
	assert_null(d.prof->part.p[0].summary);
	assert_null(d.prof->part.p[0].totals);
	expect_clean(&d);
	mem_read_free(&d);
}

/* Cachegrind, which ends its files with a summary, writes no calls. */
static void test_a_file_with_calls_needs_no_summary(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d,
		"desc: a\ncmd: b\nevents: I\nfl=a\nfn=f\n1 10\ncfn=g\ncalls=1 1\n2 5\nfn=g\n1 5\n");
	expect_clean(&d);
	mem_read_free(&d);
}

/* ---- the fast way of reading numbers against the plain one ---- */

static void test_digits_at_once_equal_digits_one_by_one(void **state)
{
	static const char *const tails[] = {" ", "\n", "/", ":", "\xff", "\x80", "a", ""};
	uint64_t seed = 88172645463325252u;

	(void)state;
	for (int round = 0; round < 20000; round++) {
		char text[64] = {0};
		uint64_t a = 0, b = 0;
		const char *p, *q;
		size_t n;

		seed ^= seed << 13;
		seed ^= seed >> 7;
		seed ^= seed << 17;
		n = (size_t)(as_put_u64(text, seed >> (seed % 64)) - text);
		memcpy(text + n, tails[seed % AS_ARRAY_LEN(tails)], 1);
		p = as_cg_fast_dec(text, &a);
		q = as_cg_loop_dec(text, &b);
		assert_ptr_equal(p, q);
		if (p)
			assert_int_equal(a, b);
	}
	for (int c = 0; c < 256; c++) {
		char text[64] = {(char)c, '7', ' '};
		uint64_t a = 0, b = 0;

		assert_ptr_equal(as_cg_fast_dec(text, &a), as_cg_loop_dec(text, &b));
	}
}

static void test_the_probe_knows_callgrind_and_leaves_the_rest(void **state)
{
	static const struct {
		const char *text;
		enum as_probe want;
	} cases[] = {
		{"# callgrind format\nversion: 1\nevents: Ir\n", AS_PROBE_SURE},
		{"# callgrind format\n", AS_PROBE_MAGIC},
		{"desc: I1 cache: x\ncmd: a\nevents: Ir\n", AS_PROBE_LIKELY},
		{"events: Ticks\nfi=~\n", AS_PROBE_LIKELY},
		{"positions: instr line\nevents: cpu(ms)\n", AS_PROBE_LIKELY},
		{"fl=a\nfn=f\n1 5\n", AS_PROBE_WEAK},
		{"hello world\nthis is text\n", AS_PROBE_NO},
		{"main;a;b 12\n", AS_PROBE_NO},
		{"", AS_PROBE_NO},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(cases); i++) {
		struct as_peek pk = {.head = as_slice_of(cases[i].text), .whole = true};

		assert_int_equal(as_format_callgrind.probe(&pk), cases[i].want);
	}
}

int callgrind_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_first_example_leaves_missing_costs_zero),
		cmocka_unit_test(test_extended_example_plain_and_compressed_are_equal),
		cmocka_unit_test(test_names_may_be_defined_ahead),
		cmocka_unit_test(test_relative_subpositions_equal_absolute_ones),
		cmocka_unit_test(test_t1_jcnd_is_followed_slash_executed_or_executed_followed),
		cmocka_unit_test(test_t2_calls_and_jumps_do_not_move_the_base),
		cmocka_unit_test(test_t3_a_function_known_by_id_stands_where_its_block_says),
		cmocka_unit_test(test_t4_ids_live_on_over_parts_and_end_with_the_file),
		cmocka_unit_test(test_t5_a_call_with_count_0_is_a_call_and_is_written_as_1),
		cmocka_unit_test(test_t11_hexadecimal_and_t12_tabs_and_t19_ranges),
		cmocka_unit_test(test_t13_ids_may_be_huge_and_zero),
		cmocka_unit_test(test_t14_nul_bytes_end_nothing),
		cmocka_unit_test(test_t16_negative_counts_are_kept),
		cmocka_unit_test(test_t20_the_words_of_positions_are_counted),
		cmocka_unit_test(test_every_deviation_is_found_at_its_line),
		cmocka_unit_test(test_strict_reading_stops_at_the_first_error),
		cmocka_unit_test(test_summary_that_says_the_sum_is_no_information),
		cmocka_unit_test(test_a_file_with_calls_needs_no_summary),
		cmocka_unit_test(test_digits_at_once_equal_digits_one_by_one),
		cmocka_unit_test(test_the_probe_knows_callgrind_and_leaves_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
