/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions without symbols: this program looks a copy of itself up whose symbols are gone. Where
 * its functions are it knows from their addresses, how long they are from the symbols it has.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/elf/elf_file.h"

#include <cmocka.h>

/* What is done to the copy. */
enum {
	NO_SYMBOLS = 1,  /* strip */
	NO_SECTIONS = 2, /* the table of sections is gone */
	NO_HDR = 4,      /* .eh_frame_hdr is not announced */
	BAD_HDR = 8,     /* its table leads elsewhere */
	SHORT = 16,      /* looked_up() has a size of 1 */
	UNSIZED = 32,    /* and here none */
};

__attribute__((noinline)) static int looked_up(int n)
{
	for (int i = 0; i < n; i++)
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

struct copy {
	unsigned char *p;
	size_t size;
	int fd;
	struct as_elf *elf;
};

static void change_symbols(struct copy *c, const ElfW(Shdr) * sh, unsigned how)
{
	ElfW(Sym) *sym = (void *)(c->p + sh->sh_offset);
	uint64_t addr = address();

	for (size_t i = 0; i < sh->sh_size / sizeof(*sym); i++) {
		if (sym[i].st_value == addr)
			sym[i].st_size = how & SHORT ? 1 : 0;
		if (how & UNSIZED) /* as if the local ones were gone */
			sym[i].st_info = ELF64_ST_INFO(STB_GLOBAL, ELF64_ST_TYPE(sym[i].st_info));
	}
}

static void change_sections(struct copy *c, unsigned how)
{
	ElfW(Ehdr) *eh = (void *)c->p;
	ElfW(Shdr) *sh = (void *)(c->p + eh->e_shoff);

	for (size_t i = 0; i < eh->e_shnum; i++) {
		if (sh[i].sh_type == SHT_SYMTAB && (how & (SHORT | UNSIZED)))
			change_symbols(c, &sh[i], how);
		if (sh[i].sh_type == SHT_SYMTAB && (how & NO_SYMBOLS))
			sh[i].sh_type = SHT_PROGBITS;
	}
	if (how & NO_SECTIONS) {
		eh->e_shoff = 0;
		eh->e_shnum = eh->e_shstrndx = 0;
	}
}

static void change_segments(struct copy *c, unsigned how)
{
	ElfW(Ehdr) *eh = (void *)c->p;
	ElfW(Phdr) *ph = (void *)(c->p + eh->e_phoff);

	for (size_t i = 0; i < eh->e_phnum; i++) {
		if (ph[i].p_type != PT_GNU_EH_FRAME)
			continue;
		if (how & NO_HDR)
			ph[i].p_type = PT_NULL;
		if (how & BAD_HDR) /* each entry one further on than it says */
			for (size_t at = 12; at + 16 <= ph[i].p_filesz; at += 8)
				memcpy(c->p + ph[i].p_offset + at + 4,
					c->p + ph[i].p_offset + at + 12, 4);
	}
}

static struct copy open_copy(unsigned how)
{
	const struct as_elf_opts opts = {.no_debuginfo = true};
	int self = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct copy c = {.fd = memfd_create("copy", MFD_CLOEXEC)};
	struct as_err err;
	struct stat st;
	char path[64];

	assert_true(self >= 0 && c.fd >= 0 && fstat(self, &st) == 0);
	c.size = (size_t)st.st_size;
	c.p = malloc(c.size);
	assert_non_null(c.p);
	assert_int_equal(read(self, c.p, c.size), c.size);
	close(self);
	change_segments(&c, how);
	change_sections(&c, how);
	assert_int_equal(write(c.fd, c.p, c.size), c.size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", c.fd);
	assert_int_equal(as_elf_open(&c.elf, &as_alloc_libc, path, &opts, &err), AS_OK);
	return c;
}

static void close_copy(struct copy *c)
{
	as_elf_close(c->elf);
	close(c->fd);
	free(c->p);
}

/* Bytes of looked_up(), by its symbol. */
static uint64_t length(void)
{
	struct copy c = open_copy(0);
	struct as_elf_symbol sym;

	assert_true(as_elf_symbol_at(c.elf, address(), &sym));
	assert_int_equal(sym.start, address());
	assert_true(sym.limit - sym.start > 8);
	close_copy(&c);
	return sym.limit - sym.start;
}

/* In the copy, the function at OFFSET of looked_up() is called NAME, or has none (""), or no
 * function is known there (NULL). */
static void is(const struct copy *c, uint64_t offset, const char *name)
{
	uint64_t at = address() + offset;
	struct as_elf_symbol sym;
	struct as_symset set;
	struct as_err err;

	assert_true(as_symset_init(&set, &as_alloc_libc));
	assert_int_equal(as_elf_lookup(c->elf, &at, 1, true, &set, &err), AS_OK);
	assert_int_equal(set.frame.n, name != NULL);
	assert_int_equal(as_elf_function_at(c->elf, at, &sym), name != NULL);
	if (name) {
		assert_true(as_slice_is(as_strings_get(&set.str, set.frame.p[0].name), name));
		assert_int_equal(set.frame.p[0].start, *name ? 0 : address());
		assert_true(as_slice_is(sym.name, name));
		assert_int_equal(sym.start, address());
		assert_int_equal(as_elf_symbol_at(c->elf, at, &sym), *name != 0);
	}
	as_symset_release(&set);
}

/* All of looked_up() is one function without a name, and nothing more. */
static void is_one_function(unsigned how)
{
	uint64_t n = length();
	struct copy c = open_copy(how);
	struct as_elf_symbol sym;

	is(&c, 0, "");
	is(&c, 1, "");
	is(&c, n - 1, "");
	assert_true(as_elf_function_at(c.elf, address(), &sym));
	assert_int_equal(sym.limit - sym.start, n);
	if (as_elf_function_at(c.elf, address() + n, &sym))
		assert_true(sym.start >= address() + n);
	close_copy(&c);
}

static void test_a_stripped_function_is_found_by_the_table(void **state)
{
	(void)state;
	is_one_function(NO_SYMBOLS);
}

static void test_it_is_found_without_a_table_as_well(void **state)
{
	(void)state;
	is_one_function(NO_SYMBOLS | NO_HDR);
}

static void test_it_is_found_where_there_are_no_sections(void **state)
{
	(void)state;
	is_one_function(NO_SECTIONS);
}

static void test_without_table_and_sections_nothing_is_known(void **state)
{
	struct copy c = open_copy(NO_SECTIONS | NO_HDR);

	(void)state;
	is(&c, 0, NULL);
	is(&c, 4, NULL);
	close_copy(&c);
}

static void test_a_table_that_lies_is_not_believed(void **state)
{
	struct copy c = open_copy(NO_SYMBOLS | BAD_HDR);

	(void)state;
	is(&c, 0, NULL);
	is(&c, 4, NULL);
	close_copy(&c);
}

static void test_what_lies_behind_a_symbol_is_not_its(void **state)
{
	struct copy c = open_copy(SHORT);

	(void)state;
	is(&c, 0, "looked_up");
	is(&c, 1, "");
	is(&c, length() - 1, "");
	close_copy(&c);
}

static void test_a_symbol_without_size_has_that_of_its_function(void **state)
{
	uint64_t n = length();
	struct copy c = open_copy(UNSIZED);
	struct as_elf_symbol sym;

	(void)state;
	is(&c, 0, "looked_up");
	is(&c, n - 1, "looked_up");
	if (as_elf_function_at(c.elf, address() + n, &sym))
		assert_true(sym.start >= address() + n);
	close_copy(&c);
}

int elf_frames_tests(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_stripped_function_is_found_by_the_table),
		cmocka_unit_test(test_it_is_found_without_a_table_as_well),
		cmocka_unit_test(test_it_is_found_where_there_are_no_sections),
		cmocka_unit_test(test_without_table_and_sections_nothing_is_known),
		cmocka_unit_test(test_a_table_that_lies_is_not_believed),
		cmocka_unit_test(test_what_lies_behind_a_symbol_is_not_its),
		cmocka_unit_test(test_a_symbol_without_size_has_that_of_its_function),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
