/* SPDX-License-Identifier: Apache-2.0 */
/* Whole functions around addresses: this program reads its own. */
#include "symbols/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static struct as_elf *own_program(void)
{
	struct as_elf_opts opts = {.no_debuginfo = true};
	struct as_elf *elf;
	struct as_err err;

	as_err_clear(&err);
	if (as_elf_open(&elf, &as_alloc_libc, "/proc/self/exe", &opts, &err) != AS_OK)
		skip();
	return elf;
}

static struct as_elf_symbol symbol(struct as_elf *elf, const char *name)
{
	struct as_elf_symbol sym;

	for (size_t i = 0; as_elf_symbol_nth(elf, i, &sym); i++)
		if (as_slice_is(sym.name, name))
			return sym;
	skip(); /* stripped */
	return sym;
}

static void read_or_skip(
	struct as_code_list *list, struct as_elf *elf, const struct as_code_query *query)
{
	struct as_err err;
	enum as_code rc;

	as_err_clear(&err);
	rc = as_code_read(list, &as_alloc_libc, elf, query, &err);
	if (rc == AS_E_UNSUPPORTED) {
		as_code_list_release(list);
		as_elf_close(elf);
		skip();
	}
	assert_int_equal(rc, AS_OK);
}

static void test_one_address_gives_its_whole_function(void **state)
{
	struct as_elf *elf = own_program();
	struct as_elf_symbol sym = symbol(elf, "as_code_read");
	uint64_t addr[] = {sym.start + 1, sym.start + 5}, next = sym.start;
	struct as_code_query query = {.addr = addr, .n = AS_ARRAY_LEN(addr)};
	struct as_code_list list;
	bool calls = false;

	(void)state;
	read_or_skip(&list, elf, &query);
	assert_true(list.insn.n > 10);
	for (size_t i = 0; i < list.insn.n; i++) {
		const struct as_code_insn *insn = &list.insn.p[i];

		assert_int_equal(insn->addr, next);
		assert_true(insn->text.len > 0);
		next += insn->size;
		calls |= insn->is_call && insn->has_target &&
			 as_slice_is(insn->target_name, "as_disasm_open") && !insn->target_off;
	}
	assert_int_equal(next, sym.limit);
	assert_true(calls);
	as_code_list_release(&list);
	as_elf_close(elf);
}

static void test_offsets_in_the_file_stay_offsets(void **state)
{
	struct as_elf *elf = own_program();
	struct as_elf_symbol sym = symbol(elf, "as_disasm_next");
	uint64_t addr = 0, vaddr;
	struct as_code_query query = {.addr = &addr, .n = 1, .file_offsets = true};
	struct as_code_list list;

	(void)state;
	while (addr < sym.start + 0x1000000 &&
		!(as_elf_vaddr(elf, addr, &vaddr) && vaddr == sym.start))
		addr++;
	read_or_skip(&list, elf, &query);
	assert_true(list.insn.n > 0);
	assert_int_equal(list.insn.p[0].addr, addr);
	as_code_list_release(&list);
	as_elf_close(elf);
}

static void test_addresses_without_code_are_left_out(void **state)
{
	static const uint64_t addr[] = {UINT64_MAX - 20, UINT64_MAX};
	struct as_elf *elf = own_program();
	struct as_code_query query = {.addr = addr, .n = AS_ARRAY_LEN(addr)};
	struct as_code_list list;

	(void)state;
	read_or_skip(&list, elf, &query);
	assert_int_equal(list.insn.n, 0);
	as_code_list_release(&list);
	as_elf_close(elf);
}

static void test_lines_of_several_functions_are_asked_for_at_once(void **state)
{
	struct as_elf *elf = own_program();
	/* The second one stands before the first, as often as not, and the third is the first. */
	static const char *const name[] = {"as_disasm_next", "as_code_read", "as_disasm_next"};
	static const char *const file[] = {"disasm.c", "code.c", "disasm.c"};
	struct as_code_list list[3], *all[3] = {&list[0], &list[1], &list[2]};
	struct as_elf *debug = NULL;
	struct as_err err;

	(void)state;
	as_err_clear(&err);
	assert_int_equal(as_elf_open(&debug, &as_alloc_libc, "/proc/self/exe", NULL, &err), AS_OK);
	for (size_t i = 0; i < 3; i++) {
		uint64_t addr = symbol(elf, name[i]).start;
		struct as_code_query query = {.addr = &addr, .n = 1};

		read_or_skip(&list[i], debug, &query);
		assert_int_equal(list[i].insn.p[0].line, 0);
	}
	assert_int_equal(as_code_lines(all, 3, debug, &err), AS_OK);
	for (size_t i = 0; i < 3; i++) {
		assert_true(as_slice_ends(list[i].insn.p[0].file, file[i]));
		assert_in_range(list[i].insn.p[0].line, 50, 400);
	}
	assert_int_equal(list[0].insn.p[0].line, list[2].insn.p[0].line);
	for (size_t i = 0; i < 3; i++)
		as_code_list_release(&list[i]);
	as_elf_close(debug);
	as_elf_close(elf);
}

static inline __attribute__((always_inline)) void code_test_inner(volatile uint64_t *p)
{
	for (int i = 0; i < 9; i++) {
		*p ^= *p >> 7;
		*p *= 0x9e3779b97f4a7c15u;
	}
}

__attribute__((noinline)) static uint64_t code_test_outer(volatile uint64_t *p)
{
	*p += 1;
	code_test_inner(p);
	*p += 2;
	return *p;
}

static size_t count(const struct as_code_list *list, const char *func)
{
	size_t n = 0;

	for (size_t i = 0; i < list->insn.n; i++)
		n += as_slice_is(list->insn.p[i].func, func);
	return n;
}

static void test_code_of_an_inlined_function_is_cut_out(void **state)
{
	static const char *const func[] = {"code_test_outer", "code_test_inner", "nobody"};
	struct as_elf *elf;
	struct as_err err;
	size_t all, inlined;
	volatile uint64_t x = 3;
	struct as_code_list list, *one[] = {&list};

	(void)state;
	assert_int_not_equal(code_test_outer(&x), 0);
	as_err_clear(&err);
	if (as_elf_open(&elf, &as_alloc_libc, "/proc/self/exe", NULL, &err) != AS_OK)
		skip();
	for (size_t i = 0; i < AS_ARRAY_LEN(func); i++) {
		uint64_t addr = symbol(elf, "code_test_outer").start;
		struct as_code_query query = {.addr = &addr, .n = 1, .func = as_slice_of(func[i])};

		read_or_skip(&list, elf, &query);
		assert_int_equal(as_code_lines(one, 1, elf, &err), AS_OK);
		as_code_only(&list, &addr, 1);
		if (!i) {
			all = list.insn.n;
			inlined = count(&list, "code_test_inner");
			assert_in_range(inlined, 3, all - 2);
		} else if (i == 1) { /* and the instruction that was asked for */
			assert_int_equal(list.insn.n, inlined + 1);
			assert_int_equal(list.insn.p[0].addr, addr);
			assert_int_equal(count(&list, ""), list.insn.n);
		} else {
			assert_int_equal(list.insn.n, all);
			assert_int_equal(count(&list, "code_test_inner"), inlined);
		}
		as_code_list_release(&list);
	}
	as_elf_close(elf);
}

int code_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_address_gives_its_whole_function),
		cmocka_unit_test(test_offsets_in_the_file_stay_offsets),
		cmocka_unit_test(test_addresses_without_code_are_left_out),
		cmocka_unit_test(test_lines_of_several_functions_are_asked_for_at_once),
		cmocka_unit_test(test_code_of_an_inlined_function_is_cut_out),
	};

	return cmocka_run_group_tests_name("code", tests, NULL, NULL);
}
