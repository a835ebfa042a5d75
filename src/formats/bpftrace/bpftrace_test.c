/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/bpftrace/bpftrace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_bpftrace;

static const struct mem_how full = {.fmt = &as_format_bpftrace, .detail = AS_DETAIL_FULL};

static void is_frame(const char *text, const char *name, uint64_t addr)
{
	struct as_slice is;
	uint64_t at;

	as_bpftrace_frame(as_slice_of(text), &is, &at);
	if (!as_slice_is(is, name) || at != addr)
		fail_msg("'%s': '%.*s'", text, AS_SLICE_FMT(is));
}

static void test_a_frame_is_a_name_or_an_address(void **state)
{
	(void)state;
	is_frame("main+251", "main", 0);
	is_frame("run(int) const [clone .isra.0]+51", "run(int) const [clone .isra.0]", 0);
	is_frame("operator+(A)", "operator+(A)", 0);
	is_frame("0x7f770a6d44a3", "", 0x7f770a6d44a3);
	is_frame("ffffffff813a2293 schedule+35", "schedule", UINT64_C(0xffffffff813a2293));
	is_frame("ffffffff813a2293", "", UINT64_C(0xffffffff813a2293));
	is_frame("+1", "+1", 0);
}

/* The stacks of TEXT as "root;leaf COUNT", by names. */
static void stacks_are(const char *text, const char *opt, const char *want)
{
	struct mem_how how = full;
	struct mem_read r;
	char is[512] = "";

	how.opt = opt;
	mem_read(&r, &how, as_slice_of(text));
	if (r.rc != AS_OK)
		fail_msg("%s", r.err.msg);
	for (size_t i = 0; i < r.prof->sample.node.n; i++) {
		char line[256] = "", longer[256];

		for (as_node n = r.prof->sample.node.p[i]; n.i; n = r.prof->node.parent.p[n.i]) {
			as_func f = r.prof->place.func.p[r.prof->node.place.p[n.i].i];

			snprintf(longer, sizeof(longer), "%.*s;%.200s",
				AS_SLICE_FMT(as_func_name(r.prof, f)), line);
			memcpy(line, longer, sizeof(line));
		}
		snprintf(is + strlen(is), sizeof(is) - strlen(is), "%s %d\n", line,
			(int)r.prof->sample.cost.p[i * r.prof->event.n]);
	}
	assert_string_equal(is, want);
	mem_read_free(&r);
}

static void test_the_kernel_is_called_by_the_program(void **state)
{
	static const char user_first[] = "@[\n    read+1\n    main+2\n, \n    vfs+1\n"
					 "    entry_SYSCALL_64_after_hwframe+9\n]: 5\n";
	static const char kernel_first[] = "@[\n    vfs+1\n    el0t_64_sync+9\n, \n    read+1\n"
					   "    main+2\n, cat]: 5\n";
	static const char unknown[] = "@[\n    a+1\n    b+2\n, \n    c+1\n    d+9\n]: 5\n";

	(void)state;
	stacks_are(user_first, NULL, "main;read;entry_SYSCALL_64_after_hwframe;vfs; 5\n");
	stacks_are(kernel_first, NULL, "main;read;el0t_64_sync;vfs; 5\n");
	stacks_are(unknown, NULL, "b;a;d;c; 5\n");
	stacks_are(unknown, "stacks=kernel,user", "d;c;b;a; 5\n");
}

static void test_entries_may_be_of_one_line(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &full, as_slice_of("@[a]: 5, ]: 7\n@x[\n    f+1\n, b]: 2\n@[1, ls]: 3\n"));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.row.n, 0);
	assert_int_equal(r.prof->event.n, 2);
	assert_int_equal(r.prof->total[0], 10);
	assert_int_equal(r.prof->part.n, 3);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[0].thread), "a]: 5"));
	assert_true(as_slice_is(as_event_name(r.prof, 1), "x"));
	mem_read_free(&r);
}

static void finds(const char *text, enum as_finding_id id, bool partial)
{
	struct mem_read r;

	mem_read(&r, &full, as_slice_of(text));
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.row.n, 1);
	assert_int_equal(r.findings.row.p[0].id, id);
	assert_int_equal(r.prof->partial, partial);
	assert_int_equal(r.prof->total[0], 3);
	mem_read_free(&r);
}

static void test_what_is_odd_is_said(void **state)
{
	(void)state;
	finds("@[\n    f+1\n]: 3\n@[\n    f+1\n", AS_F_BT_CUT, true);
	finds("@[\n    f+1\n@[\n    f+1\n]: 3\n", AS_F_BT_CUT, true);
	finds("Lost 5 events\n@[\n    f+1\n]: 3\n", AS_F_BT_LOST, false);
	finds("@x: 5\n@[\n    f+1\n]: 3\n", AS_F_BT_OTHER, false);
	finds("@[\n    f+1\n]: \n[4, 8)  3 |@|\n@[\n    f+1\n]: 3\n", AS_F_BT_OTHER, false);
	finds("@[\n    f+1\n, \n    g+1\n]: 3\n", AS_F_BT_ORDER, false);
}

static void test_an_order_that_is_none_is_refused(void **state)
{
	struct mem_how how = full;
	struct mem_read r;

	(void)state;
	how.opt = "stacks=both";
	mem_read(&r, &how, as_slice_of("@[\n    f+1\n]: 1\n"));
	assert_int_equal(r.rc, AS_E_ARG);
	mem_read_free(&r);
}

static void test_json_that_is_cut_is_refused(void **state)
{
	struct mem_read r;

	(void)state;
	mem_read(&r, &full,
		as_slice_of("{\"type\": \"map\", \"data\": {\"@\": {\"\\n    f+1\\n\": 3"));
	assert_int_equal(r.rc, AS_E_TRUNC);
	mem_read_free(&r);
}

static void test_other_text_is_none(void **state)
{
	static const char *const text[] = {"", "@foo\n    bar\n", "@[bash]: 5\n",
		"{\"type\": \"x\", \"data\": {}}", "{\"data\": {\"@\": 1}}", "x\n@a: b\n    c\n"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++) {
		struct as_peek pk = {.head = as_slice_of(text[i]), .whole = true};

		assert_int_equal(as_format_bpftrace.probe(&pk), AS_PROBE_NO);
	}
}

static void test_memory_may_run_out(void **state)
{
	(void)state;
	mem_starve_sums(
		&as_format_bpftrace, as_slice_of("@x[a, \n    f+1\n    0x12\n, \n    g+1\n]: 5\n"));
	mem_starve_sums(&as_format_bpftrace,
		as_slice_of("{\"type\": \"map\", \"data\": {\"@x\": {\"\\n    f+1\\n,a\": 3}}}"));
}

int bpftrace_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_frame_is_a_name_or_an_address),
		cmocka_unit_test(test_the_kernel_is_called_by_the_program),
		cmocka_unit_test(test_entries_may_be_of_one_line),
		cmocka_unit_test(test_what_is_odd_is_said),
		cmocka_unit_test(test_an_order_that_is_none_is_refused),
		cmocka_unit_test(test_json_that_is_cut_is_refused),
		cmocka_unit_test(test_other_text_is_none),
		cmocka_unit_test(test_memory_may_run_out),
	};

	return cmocka_run_group_tests_name("bpftrace", tests, NULL, NULL);
}
