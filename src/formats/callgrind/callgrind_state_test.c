/* SPDX-License-Identifier: Apache-2.0 */
/* What lines mean for the lines behind them: positions, callees, parts, events. */
#include "formats/callgrind/callgrind_testing.h"

/* ---- the state machine ---- */

static void test_cob_and_cfi_hold_for_one_call(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d,
		"events: I\nob=(1) main\nfl=(1) a.c\nfn=(1) f\n1 1\ncob=(2) libc\ncfi=(2) l.c\n"
		"cfn=(2) h\ncalls=1 0\n1 10\ncfn=(3) k\ncalls=1 0\n1 20\nob=(2)\nfl=(2)\n"
		"fn=(2)\n0 10\nob=(1)\nfl=(1)\nfn=(3)\n5 20\n");
	expect_call(&d, "f", "h", 1, 10);
	expect_call(&d, "f", "k", 1, 20);
	assert_int_equal(self_of(&d, find(&d, "l.c", "h"), 0), 10);
	assert_int_equal(self_of(&d, find(&d, "a.c", "k"), 0), 20);
	assert_int_equal(total(&d, 0), 31);
	mem_read_free(&d);
}

static void test_the_callee_file_defaults_to_the_file_in_force(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\nfi=b.h\n1 1\ncfn=g\ncalls=1 9\n1 5\nfe=a.c\n2 3\n"
		      "cfn=k\ncalls=1 9\n2 6\n");
	find(&d, "b.h", "g");
	find(&d, "a.c", "k");
	mem_read_free(&d);
}

static void test_fn_goes_back_to_the_file_of_fl(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=(1) a.c\nfn=(1) f\n1 1\nfi=(2) b.h\n7 2\n\nfn=(3) h\n10 6\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "h"), 0), 6);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 3);
	mem_read_free(&d);
}

static void test_calls_without_cfn_repeats_the_last_one(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 1\ncfn=g\ncalls=1 9\n1 5\ncalls=2 9\n2 "
		      "6\nfn=g\n9 11\n");
	expect_call(&d, "f", "g", 3, 11);
	mem_read_free(&d);
}

static void test_a_dangling_cfn_takes_its_file_with_it(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 1\ncfi=b.c\ncfn=g\ncfn=h\ncalls=1 9\n1 5\n");
	find(&d, "a.c", "h");
	expect_finding(&d, AS_F_CG_CFN_DANGLING, 7);
	mem_read_free(&d);
}

static void test_cfi_may_follow_cfn(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 1\ncfn=g\ncfi=b.c\ncalls=1\n1 5\n");
	find(&d, "b.c", "g");
	expect_call(&d, "f", "g", 1, 5);
	mem_read_free(&d);
}

static void test_comments_and_blanks_may_stand_between_call_and_cost(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 1\ncfn=g\ncalls=1 9\n\n# why not\n1 5\n");
	expect_call(&d, "f", "g", 1, 5);
	assert_int_equal(total(&d, 0), 1);
	mem_read_free(&d);
}

static void test_blocks_of_one_function_add_up(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d,
		"events: I\nfl=(1) a\nfn=(1) f\n1 5\nfn=(2) g\n2 6\nfn=(1)\n1 7\nfn=(9) f\n1 1\n");
	assert_int_equal(self_of(&d, find(&d, "a", "f"), 0), 13);
	mem_read_free(&d);
}

static void test_parts_are_matched_by_event_name(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "part: 1\nevents: A B\nfl=a\nfn=f\n1 5 6\n\npart: 2\nevents: B "
		      "C\nfl=a\nfn=f\n1 7 8\n");
	assert_int_equal(d.prof->event.n, 3);
	assert_int_equal(total(&d, 0), 5);
	assert_int_equal(total(&d, 1), 13);
	assert_int_equal(total(&d, 2), 8);
	mem_read_free(&d);
}

static void test_the_base_of_positions_is_0_where_a_part_begins(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "part: 1\npositions: line\nevents: I\nfl=a\nfn=f\n9 5\n\npart: 2\n"
		      "positions: instr line\nevents: I\nfl=a\nfn=f\n0x100 +1 7\n");
	expect_rows(&d, "9@0:5 1@100:7 ");
	mem_read_free(&d);
}

static void test_names_with_parentheses_are_not_ids(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d,
		"events: I\nfl=a b.c\nfn=(below main)\n1 1\nfn=(anonymous namespace)::f(int)\n2 2\n"
		"fn=(1abc) x\n3 4\nfn=(7)foo\n4 8\nfn=(8)  two  spaces \n5 16\nfn=(7)\n7 64\n"
		"fn=a=b:c#d\n9 256\nfn=((9) odd\n10 512\n");
	assert_int_equal(self_of(&d, find(&d, "a b.c", "(below main)"), 0), 1);
	assert_int_equal(self_of(&d, find(&d, NULL, "(1abc) x"), 0), 4);
	assert_int_equal(self_of(&d, find(&d, NULL, "foo"), 0), 72);
	assert_int_equal(self_of(&d, find(&d, NULL, "two  spaces"), 0), 16);
	assert_int_equal(self_of(&d, find(&d, NULL, "((9) odd"), 0), 512);
	mem_read_free(&d);
}

static void test_counts_of_64_bits_are_exact(void **state)
{
	struct mem_read d;
	char text[AS_VAL_TEXT];

	(void)state;
	open_text(&d,
		"events: I\nfl=a.c\nfn=f\n1 18446744073709551615\n2 18446744073709551616\nfn=g\n"
		"4294967296 9007199254740993\n");
	assert_string_equal(as_val_text(d.prof->total[0], text), "18455751272964292608");
	expect_finding(&d, AS_F_COUNT_RANGE, 5);
	assert_true(d.prof->partial);
	mem_read_free(&d);
}

static void test_events_with_long_names_and_formulas(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "event: sysTime : sysTime (elapsed ns)\nevent:Sum=Ir + 2 Dr: Weighted\n"
		      "event: Bare\nevents: Ir Dr sysTime\nfl=a\nfn=f\n1 5 3 100\n");
	assert_true(
		as_slice_is(as_str_get(d.prof, d.prof->event.p[2].title), "sysTime (elapsed ns)"));
	assert_int_equal(d.prof->derived.n, 2);
	assert_true(as_slice_is(as_str_get(d.prof, d.prof->derived.p[0].formula), "Ir + 2 Dr"));
	assert_true(as_slice_is(as_str_get(d.prof, d.prof->derived.p[0].title), "Weighted"));
	mem_read_free(&d);
}

static void test_dots_are_zero_and_crlf_is_a_line_end(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d,
		"cmd: a\r\nevents: Ir Dr\r\nfl=a.c\r\nfn=f\r\n1 5 .\r\n2 . 6\r\nsummary: 5 6\r\n");
	assert_int_equal(total(&d, 0), 5);
	assert_int_equal(total(&d, 1), 6);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 1), 6);
	expect_clean(&d);
	mem_read_free(&d);
}

static void test_lines_that_end_twice_are_written_with_one_end(void **state)
{
	struct mem_read d;
	char *one, *two;

	(void)state;
	open_text(&d, "desc: Trigger: ab\r\r\r\nevents: Ir\r\r\nfl=a.c\nfn=f\n1 5\n");
	one = written(d.prof, NULL, 0);
	assert_non_null(strstr(one, "desc: Trigger: ab\n"));
	mem_read_free(&d);
	open_text(&d, one);
	two = written(d.prof, NULL, 0);
	assert_string_equal(one, two);
	mem_read_free(&d);
	test_free(one);
	test_free(two);
}

static void test_fl_without_fn_is_another_function_in_full_names(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 5\nfl=b.c\n2 6\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 5);
	assert_int_equal(self_of(&d, find(&d, "b.c", "f"), 0), 6);
	mem_read_free(&d);
}

static void test_inlined_functions_of_codspeed_are_known(void **state)
{
	struct mem_read d;
	char *text;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 5\ncfni=tiny\n2 6\ncfni=???\n3 7\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 18);
	assert_int_equal(d.prof->self.run.n, 3);
	assert_true(as_slice_is(as_func_name(d.prof, d.prof->self.run.p[1].inl), "tiny"));
	text = written(d.prof, NULL, 0);
	assert_non_null(strstr(text, "cfni=tiny\n"));
	test_free(text);
	mem_read_free(&d);
}

static long long cost_of_call(const struct mem_read *d, as_func from, as_func to)
{
	long long n, cost;

	calls_of(d, from, to, &n, &cost);
	return cost;
}

/* go's pprof gives two static functions of one name one id. */
static void test_a_call_moves_no_self_cost_of_an_id_for_a_name(void **state)
{
	struct mem_read d;
	as_func main_of, a, b;

	(void)state;
	open_text(&d,
		"events: I\nob=(1) x\nfl=(1) a.c\nfn=(1) f\n1 10\nob=(2) y\nfl=(2) b.c\nfn=(1)\n"
		"1 20\nfn=(2) main\n2 1\ncfn=(1)\ncalls=3 1\n2 5\ncob=(1)\ncfi=(1)\ncfn=(1)\n"
		"calls=4 1\n2 6\n");
	a = find(&d, "a.c", "f");
	b = find(&d, "b.c", "f");
	main_of = find(&d, "b.c", "main");
	assert_int_equal(self_of(&d, a, 0), 10);
	assert_int_equal(self_of(&d, b, 0), 20);
	assert_int_equal(cost_of_call(&d, main_of, a), 6);
	assert_int_equal(cost_of_call(&d, main_of, b), 5);
	assert_true(as_slice_is(as_object_path(d.prof, d.prof->func.object.p[a.i]), "x"));
	assert_true(as_slice_is(as_object_path(d.prof, d.prof->func.object.p[b.i]), "y"));
	mem_read_free(&d);
}

static void test_a_call_before_the_blocks_of_an_id_goes_where_it_says(void **state)
{
	static const char calls[] = "events: I\nfl=(1) a.c\nfn=(1) main\n1 1\ncfi=(3) c.c\ncfn=(2) "
				    "f\ncalls=1 1\n1 20\n";
	static const char *const blocks[] = {
		"fl=(2) b.c\nfn=(2)\n1 10\nfl=(3)\nfn=(2)\n1 20\n",
		"fl=(2) b.c\nfn=(2)\n1 10\nfl=(4) d.c\nfn=(2)\n1 7\nfl=(3)\nfn=(2)\n1 20\n",
		"fl=(3)\nfn=(2)\n1 20\nfl=(2) b.c\nfn=(2)\n1 10\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(blocks) / sizeof(*blocks); i++) {
		struct mem_read d;
		char text[512];

		snprintf(text, sizeof(text), "%s%s", calls, blocks[i]);
		open_text(&d, text);
		assert_int_equal(self_of(&d, find(&d, "c.c", "f"), 0), 20);
		assert_int_equal(self_of(&d, find(&d, "b.c", "f"), 0), 10);
		assert_int_equal(
			cost_of_call(&d, find(&d, "a.c", "main"), find(&d, "c.c", "f")), 20);
		mem_read_free(&d);
	}
}

/* A producer that names no file in its calls, or a wrong one, means the only block there is. */
static void test_a_callee_without_a_block_where_a_call_says_is_the_one_that_has_one(void **state)
{
	struct mem_read d;

	(void)state;
	open_text(&d, "events: I\nfl=(1) a.c\nfn=(1) main\n1 1\ncfi=(3) c.c\ncfn=(2) f\ncalls=1 1\n"
		      "1 20\nfl=(2) b.c\nfn=(2)\n1 20\n");
	assert_int_equal(cost_of_call(&d, find(&d, "a.c", "main"), find(&d, "b.c", "f")), 20);
	assert_int_equal(self_of(&d, find(&d, "b.c", "f"), 0), 20);
	mem_read_free(&d);
}

static void test_ob_without_fn_is_another_function_in_full_names(void **state)
{
	struct mem_read d;
	long long self[2] = {0};

	(void)state;
	open_text(&d, "events: I\nob=/x\nfl=a.c\nfn=f\n1 10\nob=/y\n1 20\n");
	for (uint32_t f = 1; f < d.prof->func.name.n; f++) {
		struct as_slice ob = as_object_path(d.prof, d.prof->func.object.p[f]);

		self[as_slice_is(ob, "/y")] += self_of(&d, (as_func){f}, 0);
	}
	assert_int_equal(self[0], 10);
	assert_int_equal(self[1], 20);
	mem_read_free(&d);
}

static void test_a_jump_does_not_say_where_a_called_function_is(void **state)
{
	struct mem_read d;
	as_func g;

	(void)state;
	open_text(&d, "events: I\nob=(1) x\nfl=(1) a.c\nfn=(1) main\n1 1\njfn=(2) g\njump=1 3\n1\n"
		      "cob=(2) y\ncfi=(2) b.c\ncfn=(2)\ncalls=1 1\n1 5\n");
	g = find(&d, "b.c", "g");
	assert_true(as_slice_is(as_object_path(d.prof, d.prof->func.object.p[g.i]), "y"));
	mem_read_free(&d);
}

int callgrind_state_tests(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cob_and_cfi_hold_for_one_call),
		cmocka_unit_test(test_the_callee_file_defaults_to_the_file_in_force),
		cmocka_unit_test(test_fn_goes_back_to_the_file_of_fl),
		cmocka_unit_test(test_calls_without_cfn_repeats_the_last_one),
		cmocka_unit_test(test_a_dangling_cfn_takes_its_file_with_it),
		cmocka_unit_test(test_cfi_may_follow_cfn),
		cmocka_unit_test(test_comments_and_blanks_may_stand_between_call_and_cost),
		cmocka_unit_test(test_blocks_of_one_function_add_up),
		cmocka_unit_test(test_parts_are_matched_by_event_name),
		cmocka_unit_test(test_the_base_of_positions_is_0_where_a_part_begins),
		cmocka_unit_test(test_names_with_parentheses_are_not_ids),
		cmocka_unit_test(test_counts_of_64_bits_are_exact),
		cmocka_unit_test(test_events_with_long_names_and_formulas),
		cmocka_unit_test(test_dots_are_zero_and_crlf_is_a_line_end),
		cmocka_unit_test(test_lines_that_end_twice_are_written_with_one_end),
		cmocka_unit_test(test_fl_without_fn_is_another_function_in_full_names),
		cmocka_unit_test(test_inlined_functions_of_codspeed_are_known),
		cmocka_unit_test(test_a_call_moves_no_self_cost_of_an_id_for_a_name),
		cmocka_unit_test(test_a_call_before_the_blocks_of_an_id_goes_where_it_says),
		cmocka_unit_test(
			test_a_callee_without_a_block_where_a_call_says_is_the_one_that_has_one),
		cmocka_unit_test(test_ob_without_fn_is_another_function_in_full_names),
		cmocka_unit_test(test_a_jump_does_not_say_where_a_called_function_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
