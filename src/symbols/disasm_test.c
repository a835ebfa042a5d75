/* SPDX-License-Identifier: Apache-2.0 */
/* Disassembly of bytes that were assembled by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "lib/fail_alloc.h"
#include "symbols/disasm.h"

static struct as_disasm *open_or_skip(enum as_elf_machine machine, bool big, bool intel)
{
	struct as_disasm *d;
	struct as_err err;

	as_err_clear(&err);
	if (as_disasm_open(&d, &as_alloc_libc, machine, big, intel, &err) == AS_E_UNSUPPORTED) {
		assert_non_null(strstr(err.msg, "capstone"));
		skip();
	}
	assert_non_null(d);
	return d;
}

struct expected {
	const char *text;
	uint32_t size;
	bool is_jump, is_call, has_target;
	uint64_t target;
};

static void expect(struct as_disasm *d, const uint8_t *code, size_t size, uint64_t addr,
	const struct expected *e, size_t n)
{
	struct as_insn insn;

	for (size_t i = 0; i < n; i++) {
		assert_true(as_disasm_next(d, code, size, addr, &insn));
		assert_string_equal(insn.text, e[i].text);
		assert_int_equal(insn.addr, addr);
		assert_int_equal(insn.size, e[i].size);
		assert_int_equal(insn.is_jump, e[i].is_jump);
		assert_int_equal(insn.is_call, e[i].is_call);
		assert_int_equal(insn.has_target, e[i].has_target);
		if (e[i].has_target)
			assert_int_equal(insn.target, e[i].target);
		code += insn.size;
		size -= insn.size;
		addr += insn.size;
	}
	assert_int_equal(size, 0);
	assert_false(as_disasm_next(d, code, size, addr, &insn));
}

static const uint8_t x86[] = {
	0x48, 0x89, 0x07,             /* mov %rax,(%rdi) */
	0x75, 0xfb,                   /* jne back to the start */
	0xe8, 0x0b, 0x00, 0x00, 0x00, /* call 0x1015 */
	0xff, 0xe0,                   /* jmp *%rax */
	0x06,                         /* none in 64-bit mode */
	0xc3,                         /* ret */
	0x0f,                         /* cut off */
};

static void test_x86_64_in_the_syntax_of_at_and_t(void **state)
{
	static const struct expected e[] = {
		{"movq %rax, (%rdi)", 3, false, false, false, 0},
		{"jne 0x1000", 2, true, false, true, 0x1000},
		{"callq 0x1015", 5, false, true, true, 0x1015},
		{"jmpq *%rax", 2, true, false, false, 0},
		{".byte 0x06", 1, false, false, false, 0},
		{"retq", 1, false, false, false, 0},
		{".byte 0x0f", 1, false, false, false, 0},
	};
	struct as_disasm *d = open_or_skip(AS_ELF_X86_64, false, false);

	(void)state;
	expect(d, x86, sizeof(x86), 0x1000, e, AS_ARRAY_LEN(e));
	as_disasm_close(d);
}

static void test_x86_64_in_the_syntax_of_intel(void **state)
{
	struct as_disasm *d = open_or_skip(AS_ELF_X86_64, false, true);
	struct as_insn insn;

	(void)state;
	assert_true(as_disasm_next(d, x86, sizeof(x86), 0, &insn));
	assert_string_equal(insn.text, "mov qword ptr [rdi], rax");
	as_disasm_close(d);
}

static void test_aarch64(void **state)
{
	static const uint8_t code[] = {
		0xfd, 0x7b, 0xbf, 0xa9, /* stp x29, x30, [sp, #-16]! */
		0xff, 0xff, 0xff, 0x17, /* b back by 4 */
		0x02, 0x00, 0x00, 0x94, /* bl forward by 8 */
		0x40, 0x00, 0x00, 0xb4, /* cbz x0, forward by 8 */
		0xc1, 0xff, 0xff, 0x54, /* b.ne back by 8 */
		0x40, 0x00, 0x18, 0x36, /* tbz w0, #3, forward by 8 */
		0x00, 0x00, 0x3f, 0xd6, /* blr x0 */
		0x00, 0x00, 0x1f, 0xd6, /* br x0 */
		0xff, 0xff, 0xff, 0xff, /* none */
	};
	static const struct expected e[] = {
		{"stp x29, x30, [sp, #-0x10]!", 4, false, false, false, 0},
		{"b #0x2000", 4, true, false, true, 0x2000},
		{"bl #0x2010", 4, false, true, true, 0x2010},
		{"cbz x0, #0x2014", 4, true, false, true, 0x2014},
		{"b.ne #0x2008", 4, true, false, true, 0x2008},
		{"tbz w0, #3, #0x201c", 4, true, false, true, 0x201c},
		{"blr x0", 4, false, true, false, 0},
		{"br x0", 4, true, false, false, 0},
		{".word 0xffffffff", 4, false, false, false, 0},
	};
	struct as_disasm *d = open_or_skip(AS_ELF_AARCH64, false, false);

	(void)state;
	expect(d, code, sizeof(code), 0x2000, e, AS_ARRAY_LEN(e));
	as_disasm_close(d);
}

static void test_unknown_machines_are_words(void **state)
{
	static const uint8_t code[] = {0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc};
	static const struct expected little[] = {{".word 0x78563412", 4, false, false, false, 0},
		{".byte 0x9a", 1, false, false, false, 0},
		{".byte 0xbc", 1, false, false, false, 0}};
	static const struct expected big[] = {{".word 0x12345678", 4, false, false, false, 0},
		{".byte 0x9a", 1, false, false, false, 0},
		{".byte 0xbc", 1, false, false, false, 0}};
	struct as_disasm *d;

	(void)state;
	assert_int_equal(
		as_disasm_open(&d, &as_alloc_libc, AS_ELF_ALPHA, false, false, NULL), AS_OK);
	expect(d, code, sizeof(code), 0, little, AS_ARRAY_LEN(little));
	as_disasm_close(d);
	assert_int_equal(
		as_disasm_open(&d, &as_alloc_libc, AS_ELF_OTHER, true, false, NULL), AS_OK);
	expect(d, code, sizeof(code), 0, big, AS_ARRAY_LEN(big));
	as_disasm_close(d);
}

static void test_every_machine_opens_and_survives_noise(void **state)
{
	uint8_t noise[512];
	uint32_t x = 12345;

	(void)state;
	for (size_t i = 0; i < sizeof(noise); i++) {
		x = x * 1664525 + 1013904223;
		noise[i] = (uint8_t)(x >> 24);
	}
	for (int machine = AS_ELF_OTHER; machine <= AS_ELF_ALPHA; machine++) {
		struct as_disasm *d = open_or_skip((enum as_elf_machine)machine, false, false);
		struct as_insn insn;
		size_t at = 0;

		while (as_disasm_next(d, noise + at, sizeof(noise) - at, at, &insn)) {
			assert_true(insn.size > 0 && insn.size <= sizeof(noise) - at);
			at += insn.size;
		}
		assert_int_equal(at, sizeof(noise));
		as_disasm_close(d);
	}
}

static void test_out_of_memory_is_told(void **state)
{
	struct as_disasm *d;
	struct fail_alloc fa;
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	fail_alloc_init(&fa, 1);
	assert_int_equal(as_disasm_open(&d, &fa.al, AS_ELF_ALPHA, false, false, &err), AS_E_NOMEM);
	assert_null(d);
	as_disasm_close(d);
}

int disasm_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_x86_64_in_the_syntax_of_at_and_t),
		cmocka_unit_test(test_x86_64_in_the_syntax_of_intel),
		cmocka_unit_test(test_aarch64),
		cmocka_unit_test(test_unknown_machines_are_words),
		cmocka_unit_test(test_every_machine_opens_and_survives_noise),
		cmocka_unit_test(test_out_of_memory_is_told),
	};

	return cmocka_run_group_tests_name("disasm", tests, NULL, NULL);
}
