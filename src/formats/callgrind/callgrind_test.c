/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Callgrind driver against hand-computed figures: the examples of the
 * specification, one case per trap of docs/formats/callgrind.md, and every
 * rejected line with its place.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "formats/callgrind/callgrind.h"

extern const struct as_format as_format_callgrind;

struct doc {
	struct as_profile *prof;
	struct as_findings findings;
	struct as_err err;
	enum as_code rc;
};

static void open_doc(
	struct doc *d, const char *text, size_t len, enum as_detail detail, bool strict)
{
	struct as_src_mem sm;
	struct as_build b;
	struct as_in in;
	struct as_rd rd = {.in = &in,
		.out = &b,
		.err = &d->err,
		.findings = &d->findings,
		.detail = detail,
		.strict = strict,
		.lim = {.depth = 1 << 16, .events = 1 << 12},
		.name = "dir/test.cg"};

	*d = (struct doc){0};
	as_err_clear(&d->err);
	as_findings_init(&d->findings, &as_alloc_libc);
	as_src_mem_init(&sm, (struct as_slice){text, len}, "test.cg");
	assert_int_equal(as_in_open(&in, &as_alloc_libc, &sm.src, &d->err), AS_OK);
	assert_int_equal(as_build_init(&b, NULL, &d->err), AS_OK);
	d->rc = as_format_callgrind.read(&rd);
	if (d->rc == AS_OK) {
		assert_int_equal(as_build_finish(&b, &d->prof), AS_OK);
		as_format_callgrind.check(&rd, d->prof);
	} else {
		as_build_free(&b);
	}
	as_in_close(&in);
}

static void open_text(struct doc *d, const char *text)
{
	open_doc(d, text, strlen(text), AS_DETAIL_FULL, false);
	assert_int_equal(d->rc, AS_OK);
}

static void close_doc(struct doc *d)
{
	as_profile_free(d->prof);
	as_findings_release(&d->findings);
}

static long long total(const struct doc *d, unsigned k)
{
	assert_true(k < d->prof->event.n);
	return (long long)d->prof->total[k];
}

/* The function NAME in FILE ("" = unknown, NULL = any); fails if there are several. */
static as_func find(const struct doc *d, const char *file, const char *name)
{
	as_func found = {UINT32_MAX};

	for (uint32_t i = 0; i < d->prof->func.name.n; i++) {
		as_func f = {i};

		if (!as_slice_is(as_func_name(d->prof, f), name) ||
			(file &&
				!as_slice_is(as_file_path(d->prof, d->prof->func.file.p[i]), file)))
			continue;
		assert_int_equal(found.i, UINT32_MAX);
		found = f;
	}
	assert_int_not_equal(found.i, UINT32_MAX);
	return found;
}

static long long self_of(const struct doc *d, as_func f, unsigned event)
{
	as_val v[64], sum = 0;
	struct as_rows_cur cur;

	assert_true(d->prof->self.width <= 64);
	for (size_t r = 0; r < d->prof->self.run.n; r++) {
		if (d->prof->self.run.p[r].func.i != f.i)
			continue;
		as_rows_begin(&cur, &d->prof->self, &d->prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			sum += v[event];
	}
	return (long long)sum;
}

static void calls_of(const struct doc *d, as_func from, as_func to, long long *n, long long *cost)
{
	struct as_rows_cur cur;
	as_val v[64];

	*n = *cost = 0;
	for (size_t r = 0; r < d->prof->call.run.n; r++) {
		if (d->prof->call.run.p[r].func.i != from.i)
			continue;
		as_rows_begin(&cur, &d->prof->call, &d->prof->call.run.p[r], v);
		while (as_rows_next(&cur))
			if (v[AS_CALL_FUNC] == to.i) {
				*n += (long long)v[AS_CALL_COUNT];
				*cost += (long long)v[AS_CALL_COST];
			}
	}
}

static void expect_call(
	const struct doc *d, const char *from, const char *to, long long n, long long cost)
{
	long long got_n, got_cost;

	calls_of(d, find(d, NULL, from), find(d, NULL, to), &got_n, &got_cost);
	assert_int_equal(got_n, n);
	assert_int_equal(got_cost, cost);
}

/* The self rows in order, as "line@addr:cost ..." of event 0. */
static void expect_rows(const struct doc *d, const char *want)
{
	struct as_rows_cur cur;
	char got[512] = "";
	size_t n = 0;
	as_val v[64];

	for (size_t r = 0; r < d->prof->self.run.n; r++) {
		as_rows_begin(&cur, &d->prof->self, &d->prof->self.run.p[r], v);
		while (as_rows_next(&cur))
			n += (size_t)snprintf(got + n, sizeof(got) - n,
				"%" PRIu64 "@%" PRIx64 ":%lld ", cur.line, cur.addr,
				(long long)v[0]);
	}
	assert_string_equal(got, want);
}

static void expect_finding(const struct doc *d, enum as_finding_id id, uint64_t line)
{
	for (size_t i = 0; i < d->findings.row.n; i++)
		if (d->findings.row.p[i].id == id) {
			assert_int_equal(d->findings.row.p[i].line, line);
			return;
		}
	fail_msg("finding %s is missing", as_finding_name(id));
}

static void expect_clean(const struct doc *d)
{
	for (size_t i = 0; i < d->findings.row.n; i++)
		print_message("%s: %.*s\n", as_finding_name(d->findings.row.p[i].id),
			AS_SLICE_FMT(d->findings.row.p[i].msg));
	assert_int_equal(d->findings.row.n, 0);
}

static char *written(const struct as_profile *prof, const char *const *opts, size_t n_opts)
{
	struct as_sink_mem sm;
	struct as_err err;
	struct as_out out;
	struct as_wr wr = {.out = &out, .err = &err, .opts = {.pair = opts, .n = n_opts}};
	char *text;

	as_err_clear(&err);
	as_sink_mem_init(&sm, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sm.sink, &err), AS_OK);
	assert_int_equal(as_format_callgrind.write(&wr, prof), AS_OK);
	assert_int_equal(as_out_finish(&out), AS_OK);
	text = test_malloc(sm.data.n + 1);
	memcpy(text, sm.data.p, sm.data.n);
	text[sm.data.n] = 0;
	as_sink_mem_release(&sm);
	return text;
}

/* ---- the specification's own examples ---- */

static void test_first_example_leaves_missing_costs_zero(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d,
		"events: Cycles Instructions Flops\nfl=file.f\nfn=main\n15 90 14 2\n16 20 12\n");
	assert_int_equal(total(&d, 0), 110);
	assert_int_equal(total(&d, 1), 26);
	assert_int_equal(total(&d, 2), 2);
	assert_int_equal(self_of(&d, find(&d, "file.f", "main"), 0), 110);
	expect_clean(&d);
	close_doc(&d);
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
	struct doc d;

	open_text(&d, text);
	assert_int_equal(total(&d, 0), 820);
	assert_int_equal(self_of(&d, find(&d, "file1.c", "main"), 0), 20);
	assert_int_equal(self_of(&d, find(&d, "file1.c", "func1"), 0), 100);
	assert_int_equal(self_of(&d, find(&d, "file2.c", "func2"), 0), 700);
	expect_call(&d, "main", "func1", 1, 400);
	expect_call(&d, "main", "func2", 3, 400);
	expect_call(&d, "func1", "func2", 2, 300);
	expect_clean(&d);
	close_doc(&d);
}

static void test_extended_example_plain_and_compressed_are_equal(void **state)
{
	struct doc a, b;
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
	close_doc(&a);
	close_doc(&b);
}

static void test_names_may_be_defined_ahead(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: Instructions\n\n# define file ID mapping\nfl=(1) file1.c\n"
		      "fl=(2) file2.c\nfn=(1) main\nfn=(2) func1\nfn=(3) func2\n\nfl=(1)\nfn=(1)\n"
		      "16 20\nfl=(2)\nfn=(3)\n20 700\n");
	assert_int_equal(self_of(&d, find(&d, "file1.c", "main"), 0), 20);
	assert_int_equal(self_of(&d, find(&d, "file2.c", "func2"), 0), 700);
	close_doc(&d);
}

static void test_relative_subpositions_equal_absolute_ones(void **state)
{
	static const char want[] = "90@80001234:1 90@80001237:5 91@80001238:6 ";
	struct doc d;

	(void)state;
	open_text(&d, "positions: instr line\nevents: ticks\n\nfn=func\n0x80001234 90 1\n"
		      "0x80001237 90 5\n0x80001238 91 6\n");
	expect_rows(&d, want);
	close_doc(&d);
	open_text(&d, "positions: instr line\nevents: ticks\n\nfn=func\n0x80001234 90 1\n"
		      "+3 * 5\n+1 +1 6\n");
	expect_rows(&d, want);
	close_doc(&d);
}

/* ---- the traps ---- */

static void test_t1_jcnd_is_followed_slash_executed_or_executed_followed(void **state)
{
	struct as_rows_cur cur;
	struct doc d;
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
	close_doc(&d);
}

static void test_t2_calls_and_jumps_do_not_move_the_base(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "positions: instr line\nevents: Ir\nfl=(1) a.c\nfn=(1) f\n0x1000 312 34\n"
		      "cfn=(2) g\ncalls=1 0x4110 2535\n+14 2155 4565\n+19 488 1\n\nfn=(2)\n"
		      "0x4110 2535 4565\n");
	expect_rows(&d, "312@1000:34 488@1013:1 2535@4110:4565 ");
	close_doc(&d);
}

static void test_t3_a_function_known_by_id_stands_where_its_block_says(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=(1) a.c\nfn=(1) f\nfi=(2) x.h\n1 1\ncfn=(2) g\ncalls=1 9\n"
		      "1 5\nfe=(1)\n\nfl=(1)\nfn=(2)\n9 5\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "g"), 0), 5);
	expect_call(&d, "f", "g", 1, 5);
	close_doc(&d);
}

static void test_t4_ids_live_on_over_parts_and_end_with_the_file(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d,
		"version: 1\ncreator: c\npart: 1\nthread: 1\nevents: I\nfl=(1) a.c\nfn=(1) f\n"
		"1 5\ntotals: 5\npart: 1\nthread: 2\nevents: I\nfl=(1)\nfn=(1)\n1 7\ntotals: 7\n");
	assert_int_equal(d.prof->part.n, 2);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 12);
	assert_int_equal(d.prof->part.p[1].tid, 2);
	expect_clean(&d);
	close_doc(&d);
	open_text(&d, "version: 1\npid: 10\nevents: I\nfl=(1) a.c\nfn=(1) f\n1 5\ntotals: 5\n"
		      "version: 1\npid: 11\nevents: I\nfl=(1) b.c\nfn=(1) g\n1 7\ntotals: 7\n");
	assert_int_equal(d.prof->part.n, 2);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 5);
	assert_int_equal(self_of(&d, find(&d, "b.c", "g"), 0), 7);
	assert_int_equal(d.prof->part.p[0].pid, 10);
	assert_int_equal(d.prof->part.p[1].pid, 11);
	expect_clean(&d);
	close_doc(&d);
}

static void test_t5_a_call_with_count_0_is_a_call_and_is_written_as_1(void **state)
{
	struct doc d;
	char *text;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 5\ncfn=g\ncalls=0 20\n1 30\nfn=g\n20 30\n");
	assert_int_equal(total(&d, 0), 35);
	expect_call(&d, "f", "g", 0, 30);
	text = written(d.prof, NULL, 0);
	close_doc(&d);
	assert_non_null(strstr(text, "# calls=0\ncalls=1 +19\n"));
	open_text(&d, text);
	expect_call(&d, "f", "g", 0, 30);
	test_free(text);
	close_doc(&d);
}

static void test_t11_hexadecimal_and_t12_tabs_and_t19_ranges(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n0x10 7\n+0x2 8\n-0x1 9\ncfn=g\ncalls=0x3 "
		      "0x20\n*\t0x1e\n");
	expect_rows(&d, "16@0:7 18@0:8 17@0:9 ");
	expect_call(&d, "f", "g", 3, 30);
	close_doc(&d);
	open_text(&d, "events:\tI\tJ\nfl= a.c\nfn=  f\n1\t5\t6\n 2 7\n3  8   9  \n");
	assert_int_equal(total(&d, 0), 20);
	assert_int_equal(total(&d, 1), 15);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 20);
	expect_clean(&d);
	close_doc(&d);
	open_text(&d, "positions: instr line\nevents: I\nfl=a.c\nfn=f\n0x100-0x10f 10-12 5\n"
		      "0x110+8 13+2 6\n0x120:0x130 20:22 7\n");
	expect_rows(&d, "10@100:5 13@110:6 20@120:7 ");
	expect_finding(&d, AS_F_CG_POSITION_RANGE, 5);
	close_doc(&d);
}

static void test_t13_ids_may_be_huge_and_zero(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=(0) a.c\nfn=(18446744073709551615) f\n1 5\nfn=(4294967295) g\n"
		      "2 6\nfn=(18446744073709551615)\n3 7\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 12);
	assert_int_equal(self_of(&d, find(&d, "a.c", "g"), 0), 6);
	close_doc(&d);
}

static void test_t14_nul_bytes_end_nothing(void **state)
{
	static const char text[] = "events: I\nfl=a.c\nfn=f\n1 5\n\0\0\n2 6\n3 7\0 1\n4 8\n";
	struct doc d;

	(void)state;
	open_doc(&d, text, sizeof(text) - 1, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_OK);
	assert_int_equal(total(&d, 0), 19);
	assert_true(d.prof->partial);
	expect_finding(&d, AS_F_CG_NUL_BYTE, 5);
	expect_finding(&d, AS_F_CG_COST_GARBAGE, 7);
	close_doc(&d);
}

static void test_t16_negative_counts_are_kept(void **state)
{
	struct doc d;
	char *text;

	(void)state;
	open_text(&d, "desc: Files compared: a; b\ncmd: a; b\nevents: Ir Dr\nfl=a.c\nfn=f\n0 -5 3\n"
		      "fn=g\n0 7 -9\nsummary: 2 -6\n");
	assert_int_equal(total(&d, 0), 2);
	assert_int_equal(total(&d, 1), -6);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), -5);
	expect_clean(&d);
	text = written(d.prof, NULL, 0);
	close_doc(&d);
	open_text(&d, text);
	assert_int_equal(self_of(&d, find(&d, "a.c", "g"), 1), -9);
	test_free(text);
	close_doc(&d);
}

static void test_t20_the_words_of_positions_are_counted(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d,
		"positions: instr bb line\nevents: I\nfl=a.c\nfn=f\n0x10 0x10 3 5\n+4 * +1 6\n");
	expect_rows(&d, "3@10:5 4@14:6 ");
	close_doc(&d);
	open_text(&d, "positions: line memAddr\nevents: Ir Time\nfl=a.c\nfn=f\n1 0x01 1 100\n"
		      "2 0x02 1 100\n");
	assert_int_equal(total(&d, 0), 2);
	assert_int_equal(total(&d, 1), 200);
	expect_finding(&d, AS_F_CG_POSITIONS_ODD, 1);
	close_doc(&d);
}

/* ---- the state machine ---- */

static void test_cob_and_cfi_hold_for_one_call(void **state)
{
	struct doc d;

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
	close_doc(&d);
}

static void test_the_callee_file_defaults_to_the_file_in_force(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\nfi=b.h\n1 1\ncfn=g\ncalls=1 9\n1 5\nfe=a.c\n2 3\n"
		      "cfn=k\ncalls=1 9\n2 6\n");
	find(&d, "b.h", "g");
	find(&d, "a.c", "k");
	close_doc(&d);
}

static void test_fn_goes_back_to_the_file_of_fl(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=(1) a.c\nfn=(1) f\n1 1\nfi=(2) b.h\n7 2\n\nfn=(3) h\n10 6\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "h"), 0), 6);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 3);
	close_doc(&d);
}

static void test_calls_without_cfn_repeats_the_last_one(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 1\ncfn=g\ncalls=1 9\n1 5\ncalls=2 9\n2 "
		      "6\nfn=g\n9 11\n");
	expect_call(&d, "f", "g", 3, 11);
	close_doc(&d);
}

static void test_a_dangling_cfn_takes_its_file_with_it(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 1\ncfi=b.c\ncfn=g\ncfn=h\ncalls=1 9\n1 5\n");
	find(&d, "a.c", "h");
	expect_finding(&d, AS_F_CG_CFN_DANGLING, 7);
	close_doc(&d);
}

static void test_cfi_may_follow_cfn(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 1\ncfn=g\ncfi=b.c\ncalls=1\n1 5\n");
	find(&d, "b.c", "g");
	expect_call(&d, "f", "g", 1, 5);
	close_doc(&d);
}

static void test_comments_and_blanks_may_stand_between_call_and_cost(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 1\ncfn=g\ncalls=1 9\n\n# why not\n1 5\n");
	expect_call(&d, "f", "g", 1, 5);
	assert_int_equal(total(&d, 0), 1);
	close_doc(&d);
}

static void test_blocks_of_one_function_add_up(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d,
		"events: I\nfl=(1) a\nfn=(1) f\n1 5\nfn=(2) g\n2 6\nfn=(1)\n1 7\nfn=(9) f\n1 1\n");
	assert_int_equal(self_of(&d, find(&d, "a", "f"), 0), 13);
	close_doc(&d);
}

static void test_parts_are_matched_by_event_name(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "part: 1\nevents: A B\nfl=a\nfn=f\n1 5 6\n\npart: 2\nevents: B "
		      "C\nfl=a\nfn=f\n1 7 8\n");
	assert_int_equal(d.prof->event.n, 3);
	assert_int_equal(total(&d, 0), 5);
	assert_int_equal(total(&d, 1), 13);
	assert_int_equal(total(&d, 2), 8);
	close_doc(&d);
}

static void test_the_base_of_positions_is_0_where_a_part_begins(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "part: 1\npositions: line\nevents: I\nfl=a\nfn=f\n9 5\n\npart: 2\n"
		      "positions: instr line\nevents: I\nfl=a\nfn=f\n0x100 +1 7\n");
	expect_rows(&d, "9@0:5 1@100:7 ");
	close_doc(&d);
}

static void test_names_with_parentheses_are_not_ids(void **state)
{
	struct doc d;

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
	close_doc(&d);
}

static void test_counts_of_64_bits_are_exact(void **state)
{
	struct doc d;
	char text[AS_VAL_TEXT];

	(void)state;
	open_text(&d,
		"events: I\nfl=a.c\nfn=f\n1 18446744073709551615\n2 18446744073709551616\nfn=g\n"
		"4294967296 9007199254740993\n");
	assert_string_equal(as_val_text(d.prof->total[0], text), "18455751272964292608");
	expect_finding(&d, AS_F_COUNT_RANGE, 5);
	assert_true(d.prof->partial);
	close_doc(&d);
}

static void test_events_with_long_names_and_formulas(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "event: sysTime : sysTime (elapsed ns)\nevent:Sum=Ir + 2 Dr: Weighted\n"
		      "event: Bare\nevents: Ir Dr sysTime\nfl=a\nfn=f\n1 5 3 100\n");
	assert_true(
		as_slice_is(as_str_get(d.prof, d.prof->event.p[2].title), "sysTime (elapsed ns)"));
	assert_int_equal(d.prof->derived.n, 2);
	assert_true(as_slice_is(as_str_get(d.prof, d.prof->derived.p[0].formula), "Ir + 2 Dr"));
	assert_true(as_slice_is(as_str_get(d.prof, d.prof->derived.p[0].title), "Weighted"));
	close_doc(&d);
}

static void test_dots_are_zero_and_crlf_is_a_line_end(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d,
		"cmd: a\r\nevents: Ir Dr\r\nfl=a.c\r\nfn=f\r\n1 5 .\r\n2 . 6\r\nsummary: 5 6\r\n");
	assert_int_equal(total(&d, 0), 5);
	assert_int_equal(total(&d, 1), 6);
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 1), 6);
	expect_clean(&d);
	close_doc(&d);
}

static void test_fl_without_fn_is_another_function_in_full_names(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 5\nfl=b.c\n2 6\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 5);
	assert_int_equal(self_of(&d, find(&d, "b.c", "f"), 0), 6);
	close_doc(&d);
}

static void test_inlined_functions_of_codspeed_are_known(void **state)
{
	struct doc d;
	char *text;

	(void)state;
	open_text(&d, "events: I\nfl=a.c\nfn=f\n1 5\ncfni=tiny\n2 6\ncfni=???\n3 7\n");
	assert_int_equal(self_of(&d, find(&d, "a.c", "f"), 0), 18);
	assert_int_equal(d.prof->self.run.n, 3);
	assert_true(as_slice_is(as_func_name(d.prof, d.prof->self.run.p[1].inl), "tiny"));
	text = written(d.prof, NULL, 0);
	assert_non_null(strstr(text, "cfni=tiny\n"));
	test_free(text);
	close_doc(&d);
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
		struct doc d;

		open_text(&d, cases[i].text);
		expect_finding(&d, cases[i].id, cases[i].line);
		close_doc(&d);
	}
}

static void test_strict_reading_stops_at_the_first_error(void **state)
{
	static const char text[] = "events: I\nfl=a\nfn=f\n1 5\n2 x\n3 7\n";
	struct doc d;

	(void)state;
	open_doc(&d, text, strlen(text), AS_DETAIL_FULL, true);
	assert_int_equal(d.rc, AS_E_FORMAT);
	assert_int_equal(d.err.line, 5);
	assert_int_equal(d.err.off, 26);
	assert_string_equal(d.err.msg, "expected a count, found 'x'");
	close_doc(&d);
	open_doc(&d, "", 0, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_E_TRUNC);
	close_doc(&d);
	open_doc(&d, "hello\n", 6, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_E_FORMAT);
	close_doc(&d);
	open_doc(&d, "fl=a\nfn=f\n1 5\n", 14, AS_DETAIL_FULL, false);
	assert_int_equal(d.rc, AS_E_FORMAT);
	expect_finding(&d, AS_F_CG_NO_EVENTS, 4);
	close_doc(&d);
}

static void test_summary_that_says_the_sum_is_no_information(void **state)
{
	struct doc d;

	(void)state;
	open_text(&d, "events: I\nsummary: 5\nfl=a\nfn=f\n1 5\ntotals: 5\n");
	assert_null(d.prof->part.p[0].summary);
	assert_null(d.prof->part.p[0].totals);
	expect_clean(&d);
	close_doc(&d);
}

/* ---- details agree, and writing is stable ---- */

static const char mixed[] =
	"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd:  ./x a\npart: "
	"1\n\n"
	"desc: I1 cache: \ndesc: Trigger: Program termination\n\npositions: instr line\n"
	"event: Ir : Instruction Fetch\nevents: Ir Dr\nsummary: 40 4\n\nob=(1) /bin/x\nfl=(1) x.c\n"
	"fn=(1) main\n0x10 1 10 1\n+4 +1 5\nfi=(2) i.h\n+2 7 3 3\nfe=(1)\ncob=(2) /lib/l.so\n"
	"cfi=(3) ???\ncfn=(2) puts\ncalls=2 0x900 0 \n* -6 20\njcnd=1/2 +8 +1 \n* "
	"*\n\nob=(2)\nfl=(3)\n"
	"fn=(2)\n0x900 0 20\n\ntotals: 38 4\n";

static void test_all_details_have_the_same_sums(void **state)
{
	struct doc d[3];

	(void)state;
	for (int i = 0; i < 3; i++) {
		open_doc(&d[i], mixed, strlen(mixed), (enum as_detail)i, false);
		assert_int_equal(d[i].rc, AS_OK);
		assert_int_equal(total(&d[i], 0), 38);
		assert_int_equal(total(&d[i], 1), 4);
		assert_int_equal(self_of(&d[i], find(&d[i], NULL, "main"), 0), 18);
		expect_call(&d[i], "main", "puts", 2, 20);
	}
	assert_int_equal(d[0].prof->self.n, 2);
	assert_int_equal(d[0].prof->jump.n, 0);
	assert_int_equal(d[1].prof->self.n, 4);
	assert_int_equal(d[2].prof->jump.n, 1);
	for (int i = 0; i < 3; i++)
		close_doc(&d[i]);
}

static void test_a_file_is_written_as_it_was_meant(void **state)
{
	static const char want[] =
		"# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./x a\n"
		"part: 1\ndesc: I1 cache:\ndesc: Trigger: Program termination\n\n"
		"positions: instr line\nevent: Ir : Instruction Fetch\nevents: Ir Dr\n"
		"summary: 40 4\n\nob=(1) /bin/x\nfl=(1) x.c\nfn=(1) main\n0x10 1 10 1\n+4 +1 5\n"
		"cob=(2) /lib/l.so\ncfi=(2) ???\ncfn=(2) puts\ncalls=2 +2284 -2\n+2 -1 20\n"
		"jcnd=1/2 0x1e 8\n0x16 7\nfi=(3) i.h\n0x16 7 3 3\nfe=(1)\n\n"
		"ob=(2)\nfl=(2)\nfn=(2)\n0x900 0 20\n\ntotals: 38 4\n";
	struct doc d;
	char *text, *again;

	(void)state;
	open_text(&d, mixed);
	text = written(d.prof, NULL, 0);
	assert_string_equal(text, want);
	close_doc(&d);
	open_text(&d, text);
	again = written(d.prof, NULL, 0);
	assert_string_equal(text, again);
	test_free(text);
	test_free(again);
	close_doc(&d);
}

static void test_uncompressed_writing_reads_back_equal(void **state)
{
	static const char *const plain[] = {"compress-strings=no", "compress-pos=no"};
	struct doc d;
	char *text, *a, *b;

	(void)state;
	open_text(&d, mixed);
	a = written(d.prof, NULL, 0);
	text = written(d.prof, plain, 2);
	assert_null(strstr(text, "=("));
	assert_null(strstr(text, "\n+"));
	assert_null(strstr(text, "\n*"));
	close_doc(&d);
	open_text(&d, text);
	b = written(d.prof, NULL, 0);
	assert_string_equal(a, b);
	test_free(a);
	test_free(b);
	test_free(text);
	close_doc(&d);
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

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		cmocka_unit_test(test_fl_without_fn_is_another_function_in_full_names),
		cmocka_unit_test(test_inlined_functions_of_codspeed_are_known),
		cmocka_unit_test(test_every_deviation_is_found_at_its_line),
		cmocka_unit_test(test_strict_reading_stops_at_the_first_error),
		cmocka_unit_test(test_summary_that_says_the_sum_is_no_information),
		cmocka_unit_test(test_all_details_have_the_same_sums),
		cmocka_unit_test(test_a_file_is_written_as_it_was_meant),
		cmocka_unit_test(test_uncompressed_writing_reads_back_equal),
		cmocka_unit_test(test_digits_at_once_equal_digits_one_by_one),
		cmocka_unit_test(test_the_probe_knows_callgrind_and_leaves_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
