/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/perfscript/perfscript.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_perfscript;

static const struct mem_how full = {
	.fmt = &as_format_perfscript, .detail = AS_DETAIL_FULL, .name = "dir/x.perf"};

/* ---- lines that begin samples: layouts that perf 2.6 to 6.16 print ---- */

struct head {
	const char *line, *comm, *event, *rest;
	int64_t time, period, pid, tid; /* -1: it does not say */
};

static void is_head(const struct head *want)
{
	struct ps_head h;

	if (!as_ps_head(as_slice_of(want->line), &h))
		fail_msg("no sample: %s", want->line);
	if (!as_slice_is(h.comm, want->comm) || !as_slice_is(h.event, want->event) ||
		!as_slice_is(h.rest, want->rest))
		fail_msg("%s: '%.*s', '%.*s', '%.*s'", want->line, AS_SLICE_FMT(h.comm),
			AS_SLICE_FMT(h.event), AS_SLICE_FMT(h.rest));
	assert_int_equal(h.has_time ? h.time : -1, want->time);
	assert_int_equal(h.has_period ? (int64_t)h.period : -1, want->period);
	assert_int_equal(h.has_pid ? (int64_t)h.pid : -1, want->pid);
	assert_int_equal(h.has_tid ? (int64_t)h.tid : -1, want->tid);
}

static void test_what_stands_behind_a_name_is_found_whatever_the_name(void **state)
{
	static const struct head heads[] = {
		{"prog 12  1.500000:    250000 cycles: ", "prog", "cycles", "", 1500000000, 250000,
			-1, 12},
		{"io pool 12 13295  1661.323673:    2004008 cpu-clock: ", "io pool 12", "cpu-clock",
			"", 1661323673000, 2004008, -1, 13295},
		{"web (x) 3/4 13296  0.000001:  7 cycles:ppp: ", "web (x) 3/4", "cycles:ppp", "",
			1000, 7, -1, 13296},
		{"[ET_NET 0] 7/8 [003] 2.000000: cpu_core/cycles/: ", "[ET_NET 0]",
			"cpu_core/cycles/", "", 2000000000, -1, 7, 8},
		{"a 1 2.5: b 3/4 [000] K 1.000000002: 9 cycles: ", "a 1 2.5: b", "cycles", "",
			1000000002, 9, 3, 4},
		{"x 1 2026-11-23 10:11:12.131415 3.000000: 1 cs: ", "x", "cs", "", 3000000000, 1,
			-1, 1},
		{":-1 -1 [001]  3.000000: 1 cycles: ", ":-1", "cycles", "", 3000000000, 1, -1, -1},
		{"p 1 [0] 3.0: sched:sched_switch: prev_comm=a 1 4.0: x", "p", "sched:sched_switch",
			"prev_comm=a 1 4.0: x", 3000000000, -1, -1, 1},
		{"    p 1 3.000000: 5 cycles:  5583f7478c15 fib+0x25 (/x)", "p", "cycles",
			"5583f7478c15 fib+0x25 (/x)", 3000000000, 5, -1, 1},
		{"p\t1\t[0]\t3.0:\t5\tcycles:", "p", "cycles", "", 3000000000, 5, -1, 1},
		{"p 1 3.000000: ", "p", "", "", 3000000000, -1, -1, 1},
		{"p 1 3.0:  401000 main (/x)", "p", "", "401000 main (/x)", 3000000000, -1, -1, 1},
		{"io pool 12 13295 cpu-clock: ", "io pool 12", "cpu-clock", "", -1, -1, -1, 13295},
		{"java 19983 cycles:", "java", "cycles", "", -1, -1, -1, 19983},
		{"p 7/8 [001] 5 cycles:", "p", "cycles", "", -1, 5, 7, 8},
		{"some thread 13", "some thread", "", "", -1, -1, -1, 13},
	};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(heads); i++)
		is_head(&heads[i]);
}

static void test_other_lines_begin_no_sample(void **state)
{
	static const char *const line[] = {"", "x", "12 3.5:", " 1", "word", "a;b;c 12x",
		"ffffffff8103d0ca native_write_msr_safe ([kernel.kallsyms])",
		"p 1 3.0000000001:", "p 1 99999999999999999999.0: cycles:", "p x 3.0: cycles:"};
	struct ps_head h;

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(line); i++)
		if (as_ps_head(as_slice_of(line[i]), &h) && h.has_time)
			fail_msg("a sample: %s", line[i]);
}

/* ---- frames ---- */

static void frame_is(
	const char *line, uint64_t addr, const char *name, const char *object, bool inlined)
{
	struct ps_frame f;

	assert_true(as_ps_frame(as_slice_of(line), &f));
	if (f.addr != addr || !as_slice_is(f.name, name) || !as_slice_is(f.object, object) ||
		f.inlined != inlined)
		fail_msg("%s: %llx '%.*s' '%.*s' %d", line, (unsigned long long)f.addr,
			AS_SLICE_FMT(f.name), AS_SLICE_FMT(f.object), f.inlined);
}

static void test_a_frame_is_address_name_and_object(void **state)
{
	struct ps_frame f;

	(void)state;
	frame_is("\t  1bd2 geo::spin+0x32 (/t/demo)", 0x1bd2, "geo::spin", "/t/demo", false);
	frame_is("\t 1 operator new(unsigned long)+0x1b (/lib/x.so)", 1,
		"operator new(unsigned long)", "/lib/x.so", false);
	frame_is("\t 1 run (void (*)(int)) (/memfd:x (deleted))", 1, "run (void (*)(int))",
		"/memfd:x (deleted)", false);
	frame_is("\t d44a3 [unknown] (/lib/x.so)", 0xd44a3, "", "/lib/x.so", false);
	frame_is("\t 7f [unknown] ([unknown])", 0x7f, "", "[unknown]", false);
	frame_is("\t 1c56 std::x<a, b>::y+0x16 (inlined)", 0x1c56, "std::x<a, b>::y", "", true);
	frame_is("\t 15b1 main", 0x15b1, "main", "", false);
	frame_is("\t 15b1 f(int)", 0x15b1, "f(int)", "", false);
	frame_is("\t 15b1  (/x)", 0x15b1, "", "/x", false);
	frame_is("\t 15b1", 0x15b1, "", "", false);
	frame_is("\t 15b1 f+0x2 (/x+0x15b1)", 0x15b1, "f", "/x", false);
	frame_is("\t 15b1 a+b (/x)", 0x15b1, "a+b", "/x", false);
	assert_false(as_ps_frame(as_slice_of("\t main (/x)"), &f));
	assert_false(as_ps_frame(as_slice_of(""), &f));
	assert_false(as_ps_frame(as_slice_of("\t 0x12 main (/x)"), &f));
}

/* The vDSO is a file in memory: perf gives its code by offsets, as that of others. */
static void test_addresses_are_offsets_but_for_the_kernel_s(void **state)
{
	(void)state;
	assert_int_equal(as_ps_addr_kind(as_slice_of("/lib/x.so")), AS_ADDR_FILE_OFFSET);
	assert_int_equal(as_ps_addr_kind(as_slice_of("[vdso]")), AS_ADDR_FILE_OFFSET);
	assert_int_equal(as_ps_addr_kind(as_slice_of("[kernel.kallsyms]")), AS_ADDR_ABSOLUTE);
	assert_int_equal(as_ps_addr_kind(as_slice_of("//anon")), AS_ADDR_ABSOLUTE);
	assert_int_equal(as_ps_addr_kind(as_slice_of("/tmp/perf-12.map")), AS_ADDR_ABSOLUTE);
}

/* What nm and uftrace write looks like frames, too. */
static void test_a_frame_alone_stands_in_its_column(void **state)
{
	static const char *const text[] = {"0000000000001234 T main\n0000000000001240 T f\n",
		"  12 apples\n  13 bad pears\n", "deadbeef 12\n"};

	(void)state;
	assert_true(as_ps_is_column(as_slice_of("\t            2384 worker+0xc4")));
	assert_true(as_ps_is_column(as_slice_of(" ffffffff813a2293 f")));
	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++) {
		struct as_peek pk = {.head = as_slice_of(text[i]), .whole = true};

		assert_false(as_ps_is_column(as_slice_of(text[i])));
		assert_int_equal(as_format_perfscript.probe(&pk), AS_PROBE_NO);
	}
}

/* A file that is one line about a thread that was switched says when, as a sample would. */
static void test_a_switch_alone_is_known_by_its_time(void **state)
{
	struct as_peek pk = {.head = as_slice_of("late 20/20 [002] 100.000007000: "
						 "PERF_RECORD_SWITCH OUT preempt\n"),
		.whole = true};

	(void)state;
	assert_int_equal(as_format_perfscript.probe(&pk), AS_PROBE_MAGIC);
	pk.whole = false;
	assert_int_equal(as_format_perfscript.probe(&pk), AS_PROBE_LIKELY);
}

static void source_is(const char *line, bool is, const char *file, uint64_t number, bool inlined)
{
	struct as_slice f;
	uint64_t n;
	bool in;

	assert_int_equal(as_ps_source(as_slice_of(line), &f, &n, &in), is);
	if (is && (!as_slice_is(f, file) || n != number || in != inlined))
		fail_msg("%s: '%.*s' %llu %d", line, AS_SLICE_FMT(f), (unsigned long long)n, in);
}

static void test_a_line_of_the_source_stands_below_its_frame(void **state)
{
	(void)state;
	source_is("  demo.cpp:24", true, "demo.cpp", 24, false);
	source_is("  new_allocator.h:137 (inlined)", true, "new_allocator.h", 137, true);
	source_is("  ??:0", true, "", 0, false);
	source_is("  [kernel.kallsyms][ffffffff813a2293]", true, "", 0, false);
	source_is("  word", false, "", 0, false);
	source_is("  :12", false, "", 0, false);
}

/* ---- files ---- */

static void read_text(struct mem_read *r, struct mem_how how, const char *text)
{
	mem_read(r, &how, as_slice_of(text));
}

static int64_t total(const struct as_profile *prof, const char *event)
{
	uint32_t k;

	if (!as_profile_event(prof, as_slice_of(event), &k))
		fail_msg("no event %s", event);
	return (int64_t)prof->total[k];
}

/* Samples are weighed by their periods, each event by itself. */
static void test_events_have_their_periods_and_their_samples(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, full,
		"a 1 1.0: 5 cycles:\n\t1 f (/x)\n\t2 main (/x)\n\n"
		"a 1 2.0: 7 cycles:\n\t1 f (/x)\n\t2 main (/x)\n\n"
		"a 1 2.0: 300 cpu-clock:u:\n\t2 main (/x)\n\n"
		"a 1 2.5: sched:sched_switch: prev=a\n\t2 main (/x)\n");
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->event.n, 5);
	assert_int_equal(total(r.prof, "cycles"), 12);
	assert_int_equal(total(r.prof, "cycles samples"), 2);
	assert_int_equal(total(r.prof, "cpu-clock:u"), 300);
	assert_int_equal(total(r.prof, "sched:sched_switch samples"), 1);
	assert_int_equal(r.prof->duration, 1500000000);
	assert_int_equal(r.prof->sample.node.n, 2); /* the last three are of one path */
	mem_read_free(&r);
}

/* perf record has named them in that order: the first is the one to show. */
static void test_events_stand_in_the_order_of_the_header(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, full,
		"# arch\n# event\n# event : name = cycles:u, , id = { 5 }\n# event : name = never, "
		", id = { 6 }\n"
		"# event : name = page-faults, , id = { 7 }\n"
		"a 1 1.0: 5 page-faults:\n\t1 f (/x)\n\na 1 2.0: 7 cycles:u:\n\t1 f (/x)\n\n");
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->event.n, 4);
	assert_true(as_slice_is(as_event_name(r.prof, 0), "cycles:u"));
	assert_true(as_slice_is(as_event_name(r.prof, 2), "page-faults"));
	mem_read_free(&r);
}

/* perf puts inlined frames before the one that they are part of, at its address. */
static void test_an_inlined_frame_is_part_of_the_next_at_its_address(void **state)
{
	struct mem_read r;
	unsigned inlined = 0;

	(void)state;
	read_text(&r, full,
		"a 1 1.0: 5 cycles:\n\t10 g (inlined)\n\t10 f (/x)\n\t30 lost (inlined)\n"
		"\t40 main (/y)\n\n");
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->place.func.n, 1 + 4);
	for (size_t i = 1; i < r.prof->place.func.n; i++) {
		as_func f = r.prof->place.func.p[i];
		struct as_slice object = as_object_path(r.prof, r.prof->func.object.p[f.i]);

		inlined += r.prof->place.inlined.p[i];
		if (as_slice_is(as_func_name(r.prof, f), "g"))
			assert_true(r.prof->place.inlined.p[i] && as_slice_is(object, "/x"));
		if (as_slice_is(as_func_name(r.prof, f), "lost"))
			assert_int_equal(object.len, 0);
	}
	assert_int_equal(inlined, 1);
	mem_read_free(&r);
}

/* perf-map-agent's names say what is inlined into what; C++ has arrows of its own. */
static void test_arrows_in_generated_code_are_inlined_frames(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, full,
		"java 1 1.0: 5 cycles:\n\t10 La;::b->Lc;::d (/tmp/perf-1.map)\n"
		"\t20 X::operator-> (/x)\n\n");
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.prof->place.func.n, 1 + 3);
	mem_read_free(&r);
}

static void test_threads_of_one_name_are_one_part_until_somebody_asks_when(void **state)
{
	static const char text[] = "a 1/2 1.0: 5 cycles:\n\t10 f (/x)\n\n"
				   "a 1/3 2.0: 5 cycles:\n\t10 f (/x)\n\n"
				   "b 1/1 3.0: 5 cycles:\n\t10 f (/x)\n\n";
	struct mem_how timed = full;
	struct mem_read r;

	(void)state;
	read_text(&r, full, text);
	assert_int_equal(r.prof->part.n, 2);
	assert_false(r.prof->part.p[0].has_tid);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[0].command), "b"));
	assert_int_equal(r.prof->moments.n, 0);
	assert_int_equal(r.prof->moments.left, 6);
	mem_read_free(&r);
	timed.moments = true;
	read_text(&r, timed, text);
	assert_int_equal(r.prof->part.n, 3);
	assert_int_equal(r.prof->moments.n, 6);
	mem_read_free(&r);
}

static void finds(const char *text, enum as_finding_id id, uint64_t line)
{
	struct mem_read r;
	struct mem_how strict = full;

	read_text(&r, full, text);
	assert_int_equal(r.rc, AS_OK);
	assert_int_equal(r.findings.row.n, 1);
	assert_int_equal(r.findings.row.p[0].id, id);
	assert_int_equal(r.findings.row.p[0].line, line);
	mem_read_free(&r);
	strict.strict = true;
	read_text(&r, strict, text);
	assert_int_equal(r.rc == AS_OK, as_finding_severity(id) != AS_ERROR);
	mem_read_free(&r);
}

static void test_what_is_odd_is_said(void **state)
{
	(void)state;
	finds("a 1 1.0: 5 cycles:\n\t10 f (/x)\n\nwhat is this\n", AS_F_PS_LINE, 4);
	finds("a 1 1.0: PERF_RECORD_LOST lost 12\na 1 1.0: 5 cycles:\n\t10 f (/x)\n\n",
		AS_F_PS_LOST, 0);
	finds("a 1 1.0: 5 cycles:\n\t10 f (/x)\n ABI:2 AX:0x1\n\n", AS_F_PS_MORE, 0);
	finds("a 1 cycles:\n\t10 f (/x)\n\n", AS_F_PS_THREAD, 0);
	finds("   a 1 1.0: 5 cycles: 7f0000001000 f (/x)\n", AS_F_PS_ADDRESS, 0);
	finds("a 1 1.0: 5 cycles:\n\t10 f (/x)\n", AS_F_PS_CUT, 2);
	finds("a 1 1.0: 5 cycles:\n\t10 f (/x", AS_F_PS_CUT, 2);
	finds("a 1 1.0: 18446744073709551616 cycles:\n\t10 f (/x)\n\n", AS_F_COUNT_RANGE, 1);
	finds("# ========\n# hostname : h\n", AS_F_NO_SAMPLES, 0);
}

/* Columns are as many as events, for each sample: a small file must not take all memory. */
static void test_thousands_of_events_are_refused(void **state)
{
	enum { EVENTS = 2049, LINE = 32 };
	char *text = calloc(EVENTS, LINE);
	size_t n = 0;
	struct mem_read r;

	(void)state;
	assert_non_null(text);
	for (unsigned i = 0; i < EVENTS; i++)
		n += (size_t)snprintf(text + n, LINE, "a 1 1.0: ev%u:\n\t1 f\n\n", i);
	read_text(&r, full, text);
	assert_int_equal(r.rc, AS_E_LIMIT);
	mem_read_free(&r);
	free(text);
}

static void test_every_allocation_may_fail(void **state)
{
	static const char text[] =
		"# hostname : h\na 1/1 1.0: 5 cycles:\n\t10 g (inlined)\n\t10 f (/x)\n"
		"  x.c:3\n\t20 x->y (perf-1.map)\n\t30 [unknown] ([unknown])\n\n";
	enum as_code rc = AS_E_NOMEM;

	(void)state;
	for (uint64_t n = 1; rc != AS_OK; n++) {
		struct mem_how how = full;
		struct fail_alloc fa;
		struct mem_read r;

		fail_alloc_init(&fa, n);
		how.al = &fa.al;
		how.moments = true;
		read_text(&r, how, text);
		rc = r.rc;
		mem_read_free(&r);
		assert_int_equal(fa.held, 0);
		assert_true(rc == AS_OK || rc == AS_E_NOMEM);
	}
}

int perfscript_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_stands_behind_a_name_is_found_whatever_the_name),
		cmocka_unit_test(test_other_lines_begin_no_sample),
		cmocka_unit_test(test_a_frame_is_address_name_and_object),
		cmocka_unit_test(test_a_frame_alone_stands_in_its_column),
		cmocka_unit_test(test_a_switch_alone_is_known_by_its_time),
		cmocka_unit_test(test_addresses_are_offsets_but_for_the_kernel_s),
		cmocka_unit_test(test_a_line_of_the_source_stands_below_its_frame),
		cmocka_unit_test(test_events_have_their_periods_and_their_samples),
		cmocka_unit_test(test_events_stand_in_the_order_of_the_header),
		cmocka_unit_test(test_an_inlined_frame_is_part_of_the_next_at_its_address),
		cmocka_unit_test(test_arrows_in_generated_code_are_inlined_frames),
		cmocka_unit_test(test_threads_of_one_name_are_one_part_until_somebody_asks_when),
		cmocka_unit_test(test_what_is_odd_is_said),
		cmocka_unit_test(test_thousands_of_events_are_refused),
		cmocka_unit_test(test_every_allocation_may_fail),
	};

	return cmocka_run_group_tests_name("perfscript", tests, NULL, NULL);
}
