/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/dtrace/dtrace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/mem_io.h"
#include "lib/starve.h"

extern const struct as_format as_format_dtrace;

static const struct mem_how full = {.fmt = &as_format_dtrace, .detail = AS_DETAIL_FULL};

static void is_line(const char *text, bool open, enum dtrace_kind kind)
{
	struct dtrace_line line;

	as_dtrace_line(as_slice_of(text), open, &line);
	if (line.kind != kind)
		fail_msg("'%s' is %d", text, (int)line.kind);
}

static void test_lines_are_told_apart(void **state)
{
	(void)state;
	is_line("", false, DTRACE_EMPTY);
	is_line("CPU     ID                    FUNCTION:NAME", false, DTRACE_HEADER);
	is_line("  8  35077                        :tick-60s ", false, DTRACE_HEADER);
	is_line("              unix`trap+0x2c7", false, DTRACE_FRAME);
	is_line("              0x104d08831", false, DTRACE_FRAME);
	is_line("              java/lang/Thread.run()V", false, DTRACE_FRAME);
	is_line("                1", true, DTRACE_COUNT);
	is_line("                1", false, DTRACE_COUNT);
	is_line("               -3", true, DTRACE_COUNT);
	is_line("  1234", false, DTRACE_KEY);
	is_line("  bash                 1234", false, DTRACE_KEY);
}

static void is_frame(const char *text, const char *module, const char *name, uint64_t addr)
{
	struct dtrace_line line;

	as_dtrace_line(as_slice_of(text), true, &line);
	assert_int_equal(line.kind, DTRACE_FRAME);
	if (!as_slice_is(line.module, module) || !as_slice_is(line.name, name) || line.addr != addr)
		fail_msg("'%s': '%.*s' '%.*s'", text, AS_SLICE_FMT(line.module),
			AS_SLICE_FMT(line.name));
}

static void test_a_frame_is_module_and_name(void **state)
{
	(void)state;
	is_frame("  unix`trap+0x2c7", "unix", "trap", 0);
	is_frame("  genunix`segvn_fault", "genunix", "segvn_fault", 0);
	is_frame("  unix`0xfffffffffb8001d6", "unix", "", UINT64_C(0xfffffffffb8001d6));
	is_frame("  0x104d08831", "", "", 0x104d08831);
	is_frame("  a.out`f(A<B`C>*)+0x1", "a.out", "f(A<B`C>*)", 0);
	is_frame("  rg`call (.llvm.17)+0x25", "rg", "call (.llvm.17)", 0);
	is_frame("  x`a+b", "x", "a+b", 0);
	is_frame("  x`+0x1", "x", "+0x1", 0);
}

static void read_text(struct mem_read *r, const char *text)
{
	mem_read(r, &full, as_slice_of(text));
	assert_int_equal(r->rc, AS_OK);
}

static void test_stacks_of_one_key_are_joined(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, "\n              unix`a+0x1\n              unix`b\n\n"
		      "              libc`c\n              x`main\n                5\n\n"
		      "              unix`b\n\n                7\n");
	assert_int_equal(r.findings.row.n, 0);
	assert_int_equal(r.prof->sample.node.n, 2);
	assert_int_equal(r.prof->total[0], 12);
	assert_int_equal(r.prof->node.parent.n, 1 + 4 + 1);
	mem_read_free(&r);
}

static void test_keys_are_threads(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, "  bash                 12\n              unix`a\n                5\n\n"
		      "  1234\n              unix`a\n                6\n\n"
		      "              unix`a\n                7\n"
		      "                8\n");
	assert_int_equal(r.prof->part.n, 3);
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[0].thread), "bash 12"));
	assert_true(as_slice_is(as_str_get(r.prof, r.prof->part.p[1].thread), "1234"));
	assert_int_equal(r.prof->total[0], 26);
	mem_read_free(&r);
}

static void test_a_stack_without_a_count_is_told(void **state)
{
	struct mem_read r;

	(void)state;
	read_text(&r, "              unix`a\n                5\n              unix`b\n");
	assert_int_equal(r.findings.row.n, 1);
	assert_int_equal(r.findings.row.p[0].id, AS_F_DT_CUT);
	assert_true(r.prof->partial && r.prof->total[0] == 5);
	mem_read_free(&r);
	read_text(&r, "              unix`a\n  oops it\n              unix`b\n"
		      "                5\n");
	assert_int_equal(r.findings.row.p[0].id, AS_F_DT_LINE);
	assert_int_equal(r.findings.row.p[0].line, 2);
	assert_true(r.prof->partial && r.prof->total[0] == 5);
	mem_read_free(&r);
}

static void test_other_text_is_none(void **state)
{
	static const char *const text[] = {"", "hello\nworld\n", "  12\n  13\n",
		"a;b;c 12\nd;e 3\n", "`x` is code\n in a text\n", "   12 T main\n    3 T f\n"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(text); i++) {
		struct as_peek pk = {.head = as_slice_of(text[i]), .whole = true};

		assert_int_equal(as_format_dtrace.probe(&pk), AS_PROBE_NO);
	}
}

/* What stackcollapse.pl and difffolded.pl make of DTrace's stacks has its modules, too. */
static void test_folded_stacks_of_modules_are_none(void **state)
{
	static const char *const line[] = {"unix`a;genunix`b 12\n", "unix`a;genunix`b 12 13\n",
		"unix`a;genunix`b 1.5\n", "unix`a;genunix`b 12\n 3\n"};
	char text[64 * 32];

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(line); i++) {
		struct as_peek pk = {.head = {text, 0}, .whole = true};

		for (; pk.head.len + strlen(line[i]) <= sizeof(text);
			pk.head.len += strlen(line[i]))
			memcpy(text + pk.head.len, line[i], strlen(line[i]));
		assert_int_equal(as_format_dtrace.probe(&pk), AS_PROBE_NO);
	}
}

static void test_a_stack_may_be_deeper_than_a_probe_looks(void **state)
{
	static const char line[] = "              a`f<int, 3>(b, 4)+0x12\n";
	char text[100 * (sizeof(line) - 1)];
	struct as_peek pk = {.head = {text, sizeof(text)}};

	(void)state;
	for (size_t i = 0; i < sizeof(text); i += sizeof(line) - 1)
		memcpy(text + i, line, sizeof(line) - 1);
	assert_int_equal(as_format_dtrace.probe(&pk), AS_PROBE_MAGIC);
}

static void test_memory_may_run_out(void **state)
{
	(void)state;
	mem_starve_sums(&as_format_dtrace,
		as_slice_of(
			"  bash 1\n              unix`a\n              0x12\n                5\n"));
}

int dtrace_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_are_told_apart),
		cmocka_unit_test(test_a_frame_is_module_and_name),
		cmocka_unit_test(test_stacks_of_one_key_are_joined),
		cmocka_unit_test(test_keys_are_threads),
		cmocka_unit_test(test_a_stack_without_a_count_is_told),
		cmocka_unit_test(test_other_text_is_none),
		cmocka_unit_test(test_folded_stacks_of_modules_are_none),
		cmocka_unit_test(test_a_stack_may_be_deeper_than_a_probe_looks),
		cmocka_unit_test(test_memory_may_run_out),
	};

	return cmocka_run_group_tests_name("dtrace", tests, NULL, NULL);
}
