/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds of symbols, and which of several names is taken. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include "symbols/elf/elf_parts.h"

#include <cmocka.h>

static const struct as_dw_range code[] = {{0x1000, 0x2000}, {0x3000, 0x3800}};

struct table {
	struct as_elf_symtab symtab;
};

static void add(struct table *t, const char *name, uint64_t start, uint64_t size, uint8_t rank)
{
	struct as_elf_row row = {.start = start,
		.limit = start + size,
		.name = as_slice_of(name),
		.rank = rank,
		.sized = size != 0};

	assert_true(as_vec_push(&as_alloc_libc, &t->symtab.row, row));
}

static void finish(struct table *t)
{
	assert_int_equal(as_elf_symtab_finish(&t->symtab, &as_alloc_libc, code, 2), AS_OK);
}

static void is(const struct table *t, uint64_t addr, const char *name)
{
	const struct as_elf_row *row = as_elf_symtab_find(&t->symtab, addr);

	if (!name) {
		assert_null(row);
		return;
	}
	assert_non_null(row);
	assert_int_equal(row->name.len, strlen(name));
	assert_memory_equal(row->name.p, name, strlen(name));
}

static void release(struct table *t)
{
	as_vec_free(&as_alloc_libc, &t->symtab.row);
}

static void test_an_address_outside_every_symbol_has_no_name(void **state)
{
	struct table t = {0};

	(void)state;
	add(&t, "b", 0x1100, 0x10, 0);
	add(&t, "a", 0x1010, 0x10, 0);
	finish(&t);
	is(&t, 0x100f, NULL);
	is(&t, 0x1010, "a");
	is(&t, 0x101f, "a");
	is(&t, 0x1020, NULL);
	is(&t, 0x10ff, NULL);
	is(&t, 0x1100, "b");
	is(&t, 0x1110, NULL);
	is(&t, 0, NULL);
	is(&t, UINT64_MAX, NULL);
	release(&t);
}

static void test_a_function_without_size_ends_at_the_next_or_with_its_section(void **state)
{
	struct table t = {0};

	(void)state;
	t.symtab.whole = true;
	add(&t, "bare", 0x1000, 0, 0);
	add(&t, "next", 0x1040, 8, 0);
	add(&t, "last", 0x1ff0, 0, 0);
	add(&t, "other", 0x3000, 0, 0);
	finish(&t);
	is(&t, 0x103f, "bare");
	is(&t, 0x1040, "next");
	is(&t, 0x1048, NULL);
	is(&t, 0x1fff, "last");
	is(&t, 0x2000, NULL);
	is(&t, 0x2fff, NULL);
	is(&t, 0x37ff, "other");
	is(&t, 0x3800, NULL);
	release(&t);
}

static void test_one_without_size_is_its_address_where_symbols_are_stripped(void **state)
{
	struct table t = {0};

	(void)state;
	add(&t, "bare", 0x1000, 0, 0);
	add(&t, "next", 0x1040, 8, 0);
	finish(&t);
	is(&t, 0x1000, "bare");
	is(&t, 0x1001, NULL);
	is(&t, 0x103f, NULL);
	is(&t, 0x1040, "next");
	release(&t);
}

static void test_a_symbol_inside_another_is_left_again(void **state)
{
	struct table t = {0};

	(void)state;
	add(&t, "outer", 0x1000, 0x100, 0);
	add(&t, "inner", 0x1010, 0x10, 0);
	add(&t, "innermost", 0x1014, 0x4, 0);
	finish(&t);
	is(&t, 0x100f, "outer");
	is(&t, 0x1012, "inner");
	is(&t, 0x1015, "innermost");
	is(&t, 0x1018, "inner");
	is(&t, 0x1020, "outer");
	is(&t, 0x10ff, "outer");
	is(&t, 0x1100, NULL);
	release(&t);
}

static void test_names_of_one_address_are_global_then_local_then_weak_then_by_spelling(void **state)
{
	struct table t = {0};

	(void)state;
	add(&t, "weak", 0x1000, 8, 2);
	add(&t, "local", 0x1000, 8, 1);
	add(&t, "z_global", 0x1000, 8, 0);
	add(&t, "a_global", 0x1000, 8, 0);
	add(&t, "no_size", 0x1000, 0, 0);
	add(&t, "weak2", 0x1010, 8, 2);
	add(&t, "local2", 0x1010, 8, 1);
	finish(&t);
	is(&t, 0x1000, "a_global");
	is(&t, 0x1017, "local2");
	assert_int_equal(t.symtab.row.n, 2);
	release(&t);
}

/* What is called __GI_x inside of glibc: programs call it x. */
static void test_code_has_the_name_that_other_objects_know(void **state)
{
	struct table t = {0};

	(void)state;
	add(&t, "__GI_alloc", 0x1000, 8, AS_ELF_LOCAL);
	add(&t, "__lib_alloc", 0x1000, 8, AS_ELF_GLOBAL);
	add(&t, "alloc", 0x1000, 8, AS_ELF_GLOBAL);
	add(&t, "_IO_put", 0x1010, 8, AS_ELF_GLOBAL);
	add(&t, "put", 0x1010, 8, AS_ELF_WEAK);
	add(&t, "shorter", 0x1020, 4, AS_ELF_GLOBAL);
	add(&t, "__GI_own", 0x1020, 8, AS_ELF_LOCAL);
	finish(&t);
	is(&t, 0x1000, "alloc");
	is(&t, 0x1010, "_IO_put");
	is(&t, 0x1020, "__GI_own");
	assert_true(as_slice_is(as_elf_symtab_find(&t.symtab, 0x1000)->shared, "alloc"));
	assert_true(as_slice_is(as_elf_symtab_find(&t.symtab, 0x1010)->shared, "put"));
	assert_int_equal(as_elf_symtab_find(&t.symtab, 0x1020)->shared.len, 0);
	release(&t);
}

static void test_an_empty_table_has_no_names(void **state)
{
	struct table t = {0};

	(void)state;
	finish(&t);
	is(&t, 0x1000, NULL);
	release(&t);
}

int elf_symtab_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_address_outside_every_symbol_has_no_name),
		cmocka_unit_test(test_a_function_without_size_ends_at_the_next_or_with_its_section),
		cmocka_unit_test(test_one_without_size_is_its_address_where_symbols_are_stripped),
		cmocka_unit_test(test_a_symbol_inside_another_is_left_again),
		cmocka_unit_test(
			test_names_of_one_address_are_global_then_local_then_weak_then_by_spelling),
		cmocka_unit_test(test_code_has_the_name_that_other_objects_know),
		cmocka_unit_test(test_an_empty_table_has_no_names),
	};

	return cmocka_run_group_tests_name("elf_symtab", tests, NULL, NULL);
}
