/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/vg_frame.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void expect(const char *text, struct as_vg_frame f)
{
	struct as_vg_frame got;

	as_vg_frame_parse(as_slice_of(text), &got);
	assert_int_equal(got.addr, f.addr);
	assert_true(as_slice_eq(got.name, f.name));
	assert_true(as_slice_eq(got.file, f.file));
	assert_true(as_slice_eq(got.object, f.object));
	assert_int_equal(got.line, f.line);
	assert_int_equal(got.column, f.column);
}

#define S(text) ((struct as_slice){text, sizeof(text) - 1})

static void test_frames_are_taken_apart(void **state)
{
	(void)state;
	expect("0x10920E: push (heap.c:5)",
		(struct as_vg_frame){
			.addr = 0x10920e, .name = S("push"), .file = S("heap.c"), .line = 5});
	expect("0x1084ac139: alloc::exchange (src/alloc.rs:316:11)",
		(struct as_vg_frame){.addr = 0x1084ac139,
			.name = S("alloc::exchange"),
			.file = S("src/alloc.rs"),
			.line = 316,
			.column = 11});
	expect("0x48417B4: malloc (in /usr/lib/a (b)/x.so)",
		(struct as_vg_frame){.addr = 0x48417b4,
			.name = S("malloc"),
			.object = S("/usr/lib/a (b)/x.so")});
	expect("0x4001: ??? (in /x.so)",
		(struct as_vg_frame){.addr = 0x4001, .object = S("/x.so")});
	expect("0x4001: (below main) (libc-start.c:308)", (struct as_vg_frame){.addr = 0x4001,
								  .name = S("(below main)"),
								  .file = S("libc-start.c"),
								  .line = 308});
	expect("0x4001: (below main)",
		(struct as_vg_frame){.addr = 0x4001, .name = S("(below main)")});
	expect("0x1: A::operator()(int) const (a.cc:7)",
		(struct as_vg_frame){.addr = 1,
			.name = S("A::operator()(int) const"),
			.file = S("a.cc"),
			.line = 7});
	expect("0x1: f(void (*)(int))",
		(struct as_vg_frame){.addr = 1, .name = S("f(void (*)(int))")});
	expect("0x1: f (a:b)", (struct as_vg_frame){.addr = 1, .name = S("f (a:b)")});
}

static void test_what_is_no_frame_is_a_name(void **state)
{
	(void)state;
	expect("???", (struct as_vg_frame){.addr = 0});
	expect("", (struct as_vg_frame){.addr = 0});
	expect("[root]", (struct as_vg_frame){.name = S("[root]")});
	expect("0xgg: f", (struct as_vg_frame){.name = S("0xgg: f")});
	expect("0x12", (struct as_vg_frame){.name = S("0x12")});
	expect("0x11112222333344445: f", (struct as_vg_frame){.name = S("0x11112222333344445: f")});
	expect(" (a:1)", (struct as_vg_frame){.name = S(" (a:1)")});
	expect(")", (struct as_vg_frame){.name = S(")")});
}

static void test_inlined_code_is_at_its_callers_address(void **state)
{
	struct as_vg_frame inner, outer;

	(void)state;
	as_vg_frame_parse(as_slice_of("0x1: f (a.c:1)"), &inner);
	as_vg_frame_parse(as_slice_of("0x1: g (a.c:9)"), &outer);
	assert_true(as_vg_frame_is_inlined(&inner, &outer));
	assert_false(as_vg_frame_is_inlined(&inner, &inner)); /* it called itself from there */
	outer.addr = 2;
	assert_false(as_vg_frame_is_inlined(&inner, &outer));
	inner.addr = outer.addr = 0;
	assert_false(as_vg_frame_is_inlined(&inner, &outer));
}

int vg_frame_tests(void);
int vg_frame_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_frames_are_taken_apart),
		cmocka_unit_test(test_what_is_no_frame_is_a_name),
		cmocka_unit_test(test_inlined_code_is_at_its_callers_address),
	};

	return cmocka_run_group_tests_name("vg_frame", tests, NULL, NULL);
}
