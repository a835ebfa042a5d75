/* SPDX-License-Identifier: Apache-2.0 */
/* This program looks itself up; other readers are the judges in tests/interop/run_symbols.py. */
#define _GNU_SOURCE
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */
#include <unistd.h>

#include "symbols/elf/elf_file.h"

#include <cmocka.h>

#include "lib/fail_alloc.h"

static const char self[] = "/proc/self/exe";

__attribute__((noinline)) static int looked_up(int n)
{
	__asm__ volatile("" : "+r"(n));
	return n + 3;
}

static int first_object(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uint64_t *)base = info->dlpi_addr;
	return 1;
}

/* The link-time address of looked_up(). */
static uint64_t address(void)
{
	uint64_t base = 0;

	assert_int_equal(looked_up(1), 4);
	(void)dl_iterate_phdr(first_object, &base);
	return (uint64_t)(uintptr_t)looked_up - base;
}

static struct as_elf *open_self(const struct as_elf_opts *opts)
{
	struct as_elf *elf = NULL;
	struct as_err err;

	assert_int_equal(as_elf_open(&elf, &as_alloc_libc, self, opts, &err), AS_OK);
	return elf;
}

static struct as_slice text(const struct as_symset *set, as_str s)
{
	return as_strings_get(&set->str, s);
}

static void test_a_function_is_found_with_its_file_and_line(void **state)
{
	struct as_elf *elf = open_self(NULL);
	uint64_t addr[3] = {1, address(), UINT64_MAX};
	struct as_symset set;
	struct as_err err;

	(void)state;
	assert_true(as_symset_init(&set, &as_alloc_libc));
	assert_int_equal(as_elf_lookup(elf, addr, 3, true, &set, &err), AS_OK);
	assert_int_equal(set.first.n, 4);
	assert_int_equal(set.first.p[1], 0);
	assert_int_equal(set.first.p[2], 1);
	assert_int_equal(set.first.p[3], 1);
	assert_true(as_slice_is(text(&set, set.frame.p[0].name), "looked_up"));
	assert_true(as_slice_ends(text(&set, set.frame.p[0].file), "symbols/elf/elf_file_test.c"));
	assert_int_equal(text(&set, set.frame.p[0].file).p[0], '/');
	assert_in_range(set.frame.p[0].line, 20, 30);
	assert_int_equal(as_elf_facts(elf)->complaint.len, 0);
	assert_true(as_slice_is(as_elf_debug_path(elf), self));
	as_symset_release(&set);
	as_elf_close(elf);
}

static void test_without_debug_information_the_symbol_table_answers(void **state)
{
	const struct as_elf_opts opts = {.no_debuginfo = true};
	struct as_elf *elf = open_self(&opts);
	uint64_t addr = address() + 1;
	struct as_symset set;
	struct as_err err;

	(void)state;
	assert_true(as_symset_init(&set, &as_alloc_libc));
	assert_int_equal(as_elf_lookup(elf, &addr, 1, true, &set, &err), AS_OK);
	assert_int_equal(set.frame.n, 1);
	assert_true(as_slice_is(text(&set, set.frame.p[0].name), "looked_up"));
	assert_int_equal(text(&set, set.frame.p[0].file).len, 0);
	assert_int_equal(set.frame.p[0].line, 0);
	assert_int_equal(as_elf_debug_path(elf).len, 0);
	as_symset_release(&set);
	as_elf_close(elf);
}

static void test_nothing_asked_is_nothing_answered(void **state)
{
	struct as_elf *elf = open_self(NULL);
	struct as_symset set;
	struct as_err err;

	(void)state;
	assert_true(as_symset_init(&set, &as_alloc_libc));
	assert_int_equal(as_elf_lookup(elf, NULL, 0, true, &set, &err), AS_OK);
	assert_int_equal(set.first.n, 1);
	as_symset_release(&set);
	as_elf_close(elf);
}

static void test_symbols_hold_their_code(void **state)
{
	struct as_elf *elf = open_self(NULL);
	struct as_elf_symbol sym, other;
	uint64_t last = 0, offset = 0, vaddr;
	const uint8_t *code;

	(void)state;
	assert_true(as_elf_symbol_at(elf, address(), &sym));
	assert_true(as_slice_is(sym.name, "looked_up"));
	assert_int_equal(sym.start, address());
	code = as_elf_code(elf, sym.start, sym.limit - sym.start);
	assert_non_null(code);
	assert_memory_equal(code, (const void *)(uintptr_t)looked_up, sym.limit - sym.start);
	assert_null(as_elf_code(elf, 0, SIZE_MAX));
	assert_null(as_elf_code(elf, UINT64_MAX, 1));
	for (size_t i = 0; as_elf_symbol_nth(elf, i, &other); i++) {
		assert_true(i == 0 || other.start > last);
		assert_true(other.limit > other.start);
		last = other.start;
	}
	assert_int_not_equal(last, 0);
	/* The first segment begins with the file. */
	assert_true(as_elf_vaddr(elf, offset, &vaddr));
	assert_memory_equal(as_elf_code(elf, vaddr, 4), "\177ELF", 4);
	assert_false(as_elf_vaddr(elf, UINT64_MAX, &vaddr));
	as_elf_close(elf);
}

static void test_calls_of_other_objects_go_through_stubs_with_names(void **state)
{
	struct as_elf *elf = open_self(NULL);
	struct as_elf_symbol sym;
	size_t n = 0;

	(void)state;
	for (size_t i = 0; as_elf_symbol_nth(elf, i, &sym); i++)
		if (as_slice_ends(sym.name, "@plt")) {
			assert_in_range(sym.limit - sym.start, 8, 16);
			assert_int_not_equal(sym.name.p[0], '@');
			n++;
		}
	if (as_elf_facts(elf)->machine == AS_ELF_X86_64)
		assert_int_not_equal(n, 0);
	as_elf_close(elf);
}

static void test_a_build_id_is_lower_case_hexadecimal(void **state)
{
	struct as_elf *elf = open_self(NULL);
	struct as_slice id = as_elf_facts(elf)->build_id;

	(void)state;
	assert_int_equal(id.len % 2, 0);
	for (size_t i = 0; i < id.len; i++)
		assert_non_null(memchr("0123456789abcdef", id.p[i], 16));
	as_elf_close(elf);
}

static void test_what_is_no_object_is_refused_with_a_message(void **state)
{
	struct as_elf *elf;
	struct as_err err;

	(void)state;
	assert_int_equal(as_elf_open(&elf, &as_alloc_libc, "/no/such/file", NULL, &err), AS_E_IO);
	assert_non_null(strstr(err.msg, "'/no/such/file' cannot be opened"));
	assert_null(elf);
	assert_int_equal(as_elf_open(&elf, &as_alloc_libc, "/", NULL, &err), AS_E_FORMAT);
	assert_int_equal(as_elf_open(&elf, &as_alloc_libc, "/dev/null", NULL, &err), AS_E_FORMAT);
	assert_int_equal(
		as_elf_open(&elf, &as_alloc_libc, "/proc/self/cmdline", NULL, &err), AS_E_FORMAT);
	assert_non_null(strstr(err.msg, "is no ELF object"));
	/* nothing is mapped at 0: pread() fails */
	assert_int_equal(as_elf_open(&elf, &as_alloc_libc, "/proc/self/mem", NULL, &err), AS_E_IO);
	assert_non_null(strstr(err.msg, "cannot be read: Input/output error"));
	as_elf_close(NULL);
}

static enum as_code ask(const struct as_alloc *al, uint64_t addr)
{
	struct as_elf *elf = NULL;
	struct as_symset set;
	struct as_err err;
	enum as_code rc = as_elf_open(&elf, al, self, NULL, &err);

	if (rc == AS_OK && !as_symset_init(&set, &as_alloc_libc))
		rc = AS_E_NOMEM;
	if (rc == AS_OK) {
		rc = as_elf_lookup(elf, &addr, 1, true, &set, &err);
		as_symset_release(&set);
	}
	as_elf_close(elf);
	return rc;
}

static void test_running_out_of_memory_is_an_answer(void **state)
{
	uint64_t addr = address();

	(void)state;
	for (uint64_t n = 1;; n++) {
		struct fail_alloc fa;
		enum as_code rc;

		fail_alloc_init(&fa, n);
		rc = ask(&fa.al, addr);
		assert_int_equal(fa.held, 0);
		assert_false(fa.wrong_size);
		if (rc == AS_OK)
			break;
		assert_int_equal(rc, AS_E_NOMEM);
	}
}

int elf_file_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_function_is_found_with_its_file_and_line),
		cmocka_unit_test(test_without_debug_information_the_symbol_table_answers),
		cmocka_unit_test(test_nothing_asked_is_nothing_answered),
		cmocka_unit_test(test_symbols_hold_their_code),
		cmocka_unit_test(test_calls_of_other_objects_go_through_stubs_with_names),
		cmocka_unit_test(test_a_build_id_is_lower_case_hexadecimal),
		cmocka_unit_test(test_what_is_no_object_is_refused_with_a_message),
		cmocka_unit_test(test_running_out_of_memory_is_an_answer),
	};

	return cmocka_run_group_tests_name("elf_file", tests, NULL, NULL);
}
