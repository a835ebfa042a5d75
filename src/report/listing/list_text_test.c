/* SPDX-License-Identifier: Apache-2.0 */
/* Arrows of jumps, and instructions beside costs, with code made by hand. */
#include "report/listing/list_print_impl.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "model/build.h"

static void draw(const struct as_arrow *arrow, size_t n, uint32_t rows, bool utf8, const char *want)
{
	struct as_arrows a = {.al = &as_alloc_libc};
	struct as_sink_mem sink;
	struct as_arena ar;
	struct as_out out;
	struct as_err err;

	as_arena_init(&ar, &as_alloc_libc);
	as_sink_mem_init(&sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, &err), AS_OK);
	for (size_t i = 0; i < n; i++)
		assert_true(as_vec_push(a.al, &a.arrow, arrow[i]));
	assert_true(as_arrows_arrange(&a, rows, &ar));
	for (uint32_t i = 0; i < rows; i++) {
		as_arrows_put(&a, i, utf8, &out);
		as_out_text(&out, "\n");
	}
	as_out_bytes(&out, "", 1);
	assert_int_equal(as_out_finish(&out), AS_OK);
	assert_string_equal(sink.data.p, want);
	as_sink_mem_release(&sink);
	as_arrows_release(&a);
	as_arena_release(&ar);
}

static void test_arrows_of_one_target_share_a_line(void **state)
{
	static const struct as_arrow back[] = {{3, 1}, {4, 1}};

	(void)state;
	draw(back, 2, 6, false, "   \n,> \n|  \n+- \n'- \n   \n");
}

static void test_short_arrows_are_inside(void **state)
{
	static const struct as_arrow nested[] = {{0, 4}, {1, 3}, {2, 2}};

	(void)state;
	draw(nested, 3, 5, false, ",--- \n|,-- \n||-> \n|'-> \n'--> \n");
}

static void test_arrows_cross(void **state)
{
	static const struct as_arrow cross[] = {{0, 2}, {1, 3}};

	(void)state;
	draw(cross, 2, 4, false, " ,- \n,+- \n|'> \n'-> \n");
	draw(cross, 2, 4, true,
		" \u256d\u2500 \n\u256d\u253c\u2500 \n\u2502\u2570> \n\u2570\u2500> \n");
}

static void test_too_many_arrows_are_counted(void **state)
{
	struct as_arrows a = {.al = &as_alloc_libc};
	struct as_arena ar;

	(void)state;
	as_arena_init(&ar, &as_alloc_libc);
	for (uint32_t i = 0; i < AS_ARROWS_MAX + 5; i++)
		assert_true(as_vec_push(a.al, &a.arrow, ((struct as_arrow){i, 100 + i})));
	assert_true(as_arrows_arrange(&a, 200, &ar));
	assert_int_equal(a.n_lanes, AS_ARROWS_MAX);
	assert_int_equal(a.n_left_out, 5);
	as_arrows_release(&a);
	as_arena_release(&ar);
}

static struct as_profile *profile(void)
{
	struct as_profile *prof;
	struct as_build b;
	struct as_pos pos = {.line = 3, .addr = 0x10};
	struct as_call call = {.count = 2};
	as_object o;
	as_val cost = 60;
	uint32_t i;

	assert_int_equal(as_build_init(&b, NULL, NULL), AS_OK);
	assert_int_equal(as_build_event(&b, as_slice_of("Ir"), as_slice_of(""), &i), AS_OK);
	assert_int_equal(as_build_part(&b, &i), AS_OK);
	assert_int_equal(as_build_object(&b, as_slice_of("app"), as_slice_of(""), &o), AS_OK);
	assert_int_equal(as_build_file(&b, as_slice_of("a.c"), &pos.file), AS_OK);
	assert_int_equal(as_build_func(&b, as_slice_of("f"), o, pos.file, 0, &pos.func), AS_OK);
	assert_int_equal(as_build_func(&b, as_slice_of("g"), o, pos.file, 0, &call.callee), AS_OK);
	assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	pos.addr = 0x14;
	pos.line = 4;
	cost = 40;
	assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	cost = 10;
	assert_int_equal(as_build_call(&b, 0, &pos, &call, &cost, 1), AS_OK);
	pos.func = call.callee;
	cost = 10;
	assert_int_equal(as_build_self(&b, 0, &pos, &cost, 1), AS_OK);
	assert_int_equal(as_build_finish(&b, &prof), AS_OK);
	return prof;
}

static bool line(void *ctx, as_file file, uint64_t n, struct as_slice *text)
{
	(void)ctx;
	(void)file;
	*text = as_slice_of(n == 3 ? "\tx++;\x1b[2J" : "\tg();");
	return n < 5;
}

static struct as_slice where(void *ctx, as_file file, struct as_slice *note)
{
	(void)ctx;
	(void)file;
	*note = (struct as_slice){0};
	return as_slice_of("a.c");
}

/* What stands at 0x10 to 0x17: a word, a jump to the start, a call. */
static void add_code(struct as_code_list *code)
{
	static const struct as_code_insn insn[] = {
		{.addr = 0x10, .size = 3, .text = {"inc x", 5}},
		{.addr = 0x13,
			.size = 1,
			.text = {"jne 0x10", 8},
			.is_jump = true,
			.has_target = true,
			.target = 0x10,
			.file = {"a.c", 3},
			.line = 3},
		{.addr = 0x14,
			.size = 4,
			.text = {"call 0x99", 9},
			.is_call = true,
			.has_target = true,
			.target = 0x99,
			.target_name = {"g", 1},
			.target_off = 2},
	};

	*code = (struct as_code_list){.al = &as_alloc_libc};
	as_arena_init(&code->arena, code->al);
	for (size_t i = 0; i < AS_ARRAY_LEN(insn); i++)
		assert_true(as_vec_push(code->al, &code->insn, insn[i]));
}

typedef enum as_code text_fn(const struct as_list_print *, const struct as_list_item *, size_t);

/* The text of f, which WANT is; or whether there was memory for it, if WANT is NULL. */
static enum as_code print(struct as_profile *prof, bool by_addr, text_fn *text, const char *want)
{
	static const uint32_t event[] = {0};
	static const struct as_style plain = {0};
	struct as_listing_opts lo = {0};
	struct as_list_source source = {.line = line, .where = where};
	struct as_list_opts opts = {.view = {.event = event, .n_events = 1}};
	struct as_list_print p = {.prof = prof, .opts = &opts, .source = &source, .style = &plain};
	struct as_list_item item = {0};
	const struct as_alloc *al = prof->al;
	struct as_code_list code;
	struct as_sink_mem sink;
	struct as_listings *ls;
	struct as_listing l;
	struct as_out out;
	struct as_err err;
	enum as_code rc;

	add_code(&code);
	as_sink_mem_init(&sink, &as_alloc_libc);
	assert_int_equal(as_out_open(&out, &as_alloc_libc, &sink.sink, &err), AS_OK);
	prof->al = &as_alloc_libc;
	assert_int_equal(as_listings_open(&ls, prof, &lo, NULL), AS_OK);
	assert_int_equal(as_listings_find(ls, as_slice_of("f"), NULL, NULL), AS_OK);
	as_listings_by_addr(ls, by_addr);
	assert_int_equal(as_listing_make(ls, 0, &l, NULL), AS_OK);
	prof->al = al;
	item.code = &code;
	item.insns = by_addr ? &l : NULL;
	item.lines = by_addr ? NULL : &l;
	p.out = &out;
	p.listings = ls;
	rc = text(&p, &item, 0);
	as_out_bytes(&out, "", 1);
	assert_int_equal(as_out_finish(&out), AS_OK);
	if (want)
		assert_string_equal(sink.data.p, want);
	as_listing_release(&l);
	as_listings_free(ls);
	as_sink_mem_release(&sink);
	as_vec_free(code.al, &code.insn);
	as_arena_release(&code.arena);
	return rc;
}

static void test_instructions_beside_costs(void **state)
{
	struct as_profile *prof = profile();
	enum as_code rc;

	(void)state;
	rc = print(prof, true, as_asm_text,
		"f  a.c  [app]\n"
		"Ir: self 100 (90.9 %), inclusive 110 (100.0 %)\n"
		"\n"
		"self Ir     %  incl Ir     %     address  instruction\n"
		"     60  54.5       60  54.5  ,> 0x10  inc x              a.c:3  x++;\\x1b[2J\n"
		"                              '- 0x13  jne 0x10\n"
		"     40  36.4       50  45.5     0x14  call 0x99 <g+0x2>  a.c:4  g();\n"
		"                    10   9.1           => g (2 x)\n");
	assert_int_equal(rc, AS_OK);
	as_profile_free(prof);
}

static void test_source_beside_costs(void **state)
{
	struct as_profile *prof = profile();
	enum as_code rc;

	(void)state;
	rc = print(prof, false, as_list_text,
		"f  a.c  [app]\n"
		"Ir: self 100 (90.9 %), inclusive 110 (100.0 %)\n"
		"\n"
		"self Ir     %  incl Ir     %   line  a.c\n"
		"     60  54.5       60  54.5      3          x++;\\x1b[2J\n"
		"     40  36.4       50  45.5      4          g();\n"
		"                    10   9.1             => g (2 x)\n");
	assert_int_equal(rc, AS_OK);
	as_profile_free(prof);
}

static void test_every_lack_of_memory_is_told(void **state)
{
	struct as_profile *prof = profile();
	const struct as_alloc *own = prof->al;

	(void)state;
	for (int by_addr = 0; by_addr < 2; by_addr++) {
		for (uint64_t n = 1;; n++) {
			struct fail_alloc fa;
			enum as_code rc;

			fail_alloc_init(&fa, n);
			prof->al = &fa.al;
			rc = print(prof, by_addr, by_addr ? as_asm_text : as_list_text, NULL);
			prof->al = own;
			assert_int_equal(fa.held, 0);
			if (rc == AS_OK)
				break;
			assert_int_equal(rc, AS_E_NOMEM);
		}
	}
	as_profile_free(prof);
}

int list_text_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_arrows_of_one_target_share_a_line),
		cmocka_unit_test(test_short_arrows_are_inside),
		cmocka_unit_test(test_arrows_cross),
		cmocka_unit_test(test_too_many_arrows_are_counted),
		cmocka_unit_test(test_instructions_beside_costs),
		cmocka_unit_test(test_source_beside_costs),
		cmocka_unit_test(test_every_lack_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("list_text", tests, NULL, NULL);
}
