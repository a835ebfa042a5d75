/* SPDX-License-Identifier: Apache-2.0 */
/* Who wants sums of functions gets stacks, which have what the paths of the same text have. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "change/transform.h"
#include "lib/mem_io.h"
#include "lib/starve.h"
#include "lib/sums_oracle.h"
#include "lib/told.h"

int perfscript_stacks_tests(void);

extern const struct as_format as_format_perfscript;

static const struct mem_how paths_of = {.fmt = &as_format_perfscript, .detail = AS_DETAIL_FULL};
static const struct mem_how stacks_of = {
	.fmt = &as_format_perfscript, .detail = AS_DETAIL_FULL, .sums = true, .stacks = true};

static struct as_profile *sums_of(const struct as_profile *prof)
{
	struct as_profile *sums;
	struct as_chains none;

	assert_true(as_chains_init(&none, &as_alloc_libc));
	assert_int_equal(as_expand(prof, &none, &sums, NULL), AS_OK);
	as_chains_release(&none);
	return sums;
}

static void are_alike(struct as_slice text)
{
	struct as_profile *sums;
	struct mem_read a, b;

	mem_read(&a, &paths_of, text);
	mem_read(&b, &stacks_of, text);
	assert_int_equal(a.rc, AS_OK);
	assert_int_equal(b.rc, AS_OK);
	assert_true(a.prof->sample.node.n && !a.prof->stacks.n);
	assert_true(b.prof->stacks.n && !b.prof->sample.node.n);
	sums = sums_of(b.prof);
	assert_true(sums_are_right(a.prof, sums));
	assert_int_equal(a.prof->part.n, b.prof->part.n);
	assert_int_equal(a.prof->moments.left, b.prof->moments.left);
	assert_int_equal(a.prof->duration, b.prof->duration);
	assert_int_equal(a.findings.row.n, b.findings.row.n);
	as_profile_free(sums);
	mem_read_free(&a);
	mem_read_free(&b);
}

static void test_stacks_are_the_paths_of_all_threads(void **state)
{
	static const char *const golden[] = {"inlined.perf", "layouts.perf", "no_chain.perf",
		"no_time.perf", "odd_lines.perf", "only_frames.perf", "srcline.perf", "sums.perf",
		"tracepoint.perf"};

	(void)state;
	for (size_t i = 0; i < AS_ARRAY_LEN(golden); i++)
		are_alike(mem_golden(&as_format_perfscript, golden[i]));
}

static void test_code_that_is_inlined_into_itself_does_not_call_itself(void **state)
{
	(void)state;
	are_alike(as_slice_of("p 1  1.0:  3 cycles: \n"
			      "\t     1c56 leaf+0x16 (inlined)\n"
			      "\t     1c56 f+0x16 (inlined)\n"
			      "\t     1c56 f+0x16 (/bin/p)\n"
			      "\t     1c14 g+0x24 (/bin/p)\n"
			      "\t     1c24 g+0x34 (/bin/p)\n"
			      "\n"
			      "p 2  2.0:  4 cycles: \n"
			      "\t     1c56 f+0x16 (inlined)\n"
			      "\t     1c56 f+0x16 (/bin/p)\n"
			      "\n"));
}

static void test_events_of_a_stack_are_told_apart(void **state)
{
	(void)state;
	are_alike(as_slice_of("p 1  1.0:  3 cycles: \n\t     1c14 g+0x24 (/bin/p)\n\n"
			      "p 1  2.0:  5 faults: \n\t     1c14 g+0x24 (/bin/p)\n\n"
			      "p 1  3.0:  7 cycles: \n\t     1c14 g+0x24 (/bin/p)\n\n"
			      "p 1  4.0:  sched:x: \n\t     1c14 g+0x24 (/bin/p)\n\n"
			      "p 1  4.0:  0 cycles: \n\t     1c18 h+0x24 (/bin/p)\n\n"));
}

static void has_paths_instead(struct as_slice text)
{
	struct mem_read a, b;

	mem_read(&a, &paths_of, text);
	mem_read(&b, &stacks_of, text);
	assert_int_equal(a.rc, AS_OK);
	assert_int_equal(b.rc, AS_OK);
	assert_true(b.prof->sample.node.n && !b.prof->stacks.n);
	assert_int_equal(a.prof->node.parent.n, b.prof->node.parent.n);
	assert_int_equal(a.prof->event.n, b.prof->event.n);
	for (size_t k = 0; k < a.prof->event.n; k++)
		assert_true(a.prof->total[k] == b.prof->total[k] && a.prof->total[k] > 0);
	assert_int_equal(a.prof->duration, b.prof->duration);
	mem_read_free(&a);
	mem_read_free(&b);
}

static void test_what_stacks_cannot_hold_becomes_paths(void **state)
{
	enum { DEEP = AS_STACKS_DEEPEST + 1, LINE = 40 };
	static char text[LINE * (DEEP + 2)];
	size_t n = (size_t)snprintf(text, LINE, "p 1  1.0:  3 cycles: \n");

	(void)state;
	for (uint32_t i = 0; i < DEEP; i++)
		n += (size_t)snprintf(text + n, LINE, "\t%16x f%u+0x1 (/bin/p)\n", 0x1000 + i, i);
	text[n++] = '\n';
	has_paths_instead((struct as_slice){text, n});
	has_paths_instead(as_slice_of(
		"p 1  1.0:  18446744073709551615 cycles: \n\t     1c14 g+0x24 (/bin/p)\n\n"
		"q 2  2.0:  1 cycles: \n\t     1c14 g+0x24 (/bin/p)\n\n"));
	has_paths_instead(as_slice_of("p 1  1.0:  1 cycles: \n# samples: 4294967296\n"
				      "\t     1c14 g+0x24 (/bin/p)\n\n"));
}

static void test_who_asks_for_moments_gets_paths(void **state)
{
	struct mem_how how = stacks_of;
	struct mem_read r;

	(void)state;
	how.moments = true;
	mem_read(&r, &how, mem_golden(&as_format_perfscript, "inlined.perf"));
	assert_int_equal(r.rc, AS_OK);
	assert_true(r.prof->sample.node.n && !r.prof->stacks.n && r.prof->moments.n);
	mem_read_free(&r);
}

static void test_memory_that_runs_out_is_told(void **state)
{
	(void)state;
	mem_starve_reading(stacks_of, mem_golden(&as_format_perfscript, "srcline.perf"));
	mem_starve_reading(stacks_of, as_slice_of("p 1  1.0:  1 cycles: \n# samples: 4294967296\n"
						  "\t     1c14 g+0x24 (/bin/p)\n\n"));
}

int perfscript_stacks_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stacks_are_the_paths_of_all_threads),
		cmocka_unit_test(test_code_that_is_inlined_into_itself_does_not_call_itself),
		cmocka_unit_test(test_events_of_a_stack_are_told_apart),
		cmocka_unit_test(test_what_stacks_cannot_hold_becomes_paths),
		cmocka_unit_test(test_who_asks_for_moments_gets_paths),
		cmocka_unit_test(test_memory_that_runs_out_is_told),
	};

	return cmocka_run_group_tests_name("perfscript_stacks", tests, NULL, NULL);
}
