/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an ELF object with debug information: opening it and asking for every few of its
 * addresses ends, leaks nothing, and does not depend on the inlined frames. The object is read
 * from a file in memory, for libelf reads files only; always the same one, so that a seed can say
 * that its split units are there, too.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/fuzz_must.h"
#include "symbols/elf/elf_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ADDRESSES = 512, FD = 99 };

static void check(const struct as_symset *set, size_t n)
{
	must(set->first.n == n + 1 && set->first.p[n] == set->frame.n);
	for (size_t i = 0; i < n; i++)
		must(set->first.p[i] <= set->first.p[i + 1]);
	for (size_t f = 0; f < set->frame.n; f++)
		must(set->frame.p[f].name.i < set->str.row.n &&
			set->frame.p[f].file.i < set->str.row.n);
}

static void ask(struct as_elf *elf, const uint64_t *addr, size_t n, bool inlines)
{
	struct as_symset set;
	struct as_err err;
	enum as_code rc;

	as_err_clear(&err);
	must(as_symset_init(&set, &as_alloc_libc));
	rc = as_elf_lookup(elf, addr, n, inlines, &set, &err);
	must(rc == AS_OK || rc == AS_E_NOMEM);
	if (rc == AS_OK)
		check(&set, n);
	as_symset_release(&set);
}

/* Addresses of the first functions, and of what surrounds them. */
static size_t addresses(struct as_elf *elf, uint64_t *addr)
{
	struct as_elf_symbol sym;
	uint64_t last = 0;
	size_t n = 0;

	for (size_t i = 0; as_elf_symbol_nth(elf, i, &sym); i++) {
		must(sym.start < sym.limit && (i == 0 || sym.start > last));
		last = sym.start;
		for (uint64_t a = sym.start; n < ADDRESSES && a < sym.limit && a - sym.start < 256;
			a += 5)
			if (n == 0 || addr[n - 1] < a)
				addr[n++] = a;
	}
	if (n == 0)
		while (n < ADDRESSES) {
			addr[n] = 0x1000 + 8 * n;
			n++;
		}
	return n;
}

/* A function holds the address that it was found by, whether it has a symbol or not. */
static void ask_function(struct as_elf *elf, uint64_t addr)
{
	struct as_elf_symbol sym;

	if (as_elf_function_at(elf, addr, &sym))
		must(sym.start <= addr && addr < sym.limit);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct as_elf_opts opts = {.n_debug_dir = 0};
	int fd = memfd_create("fuzz", MFD_CLOEXEC), moved = dup2(fd, FD);
	uint64_t addr[ADDRESSES], vaddr;
	struct as_elf *elf = NULL;
	char path[64];
	struct as_err err;

	must(moved == FD && write(fd, data, size) == (ssize_t)size);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", FD);
	as_err_clear(&err);
	if (as_elf_open(&elf, &as_alloc_libc, path, &opts, &err) == AS_OK) {
		size_t n = addresses(elf, addr);

		ask(elf, addr, n, true);
		ask(elf, addr, n, false);
		for (size_t i = 0; i < n; i++)
			ask_function(elf, addr[i]);
		for (size_t i = 0; i < n; i++)
			(void)as_elf_code(elf, addr[i], 16);
		(void)as_elf_vaddr(elf, 0x1000, &vaddr);
		must(as_elf_facts(elf)->build_id.len % 2 == 0);
	}
	as_elf_close(elf);
	close(fd);
	close(FD);
	return 0;
}
