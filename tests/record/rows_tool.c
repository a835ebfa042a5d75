/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows_tool FILE: for each address on stdin, in hex, the row of FILE's unwind tables, in the words
 * of readelf --debug-dump=frames-interp: CFA, rbx, rbp, r12 ... r15 and ra; "-" if there is none.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "preload/eh_frame.h"

struct image {
	const uint8_t *p;
	size_t n;
	const Elf64_Phdr *load;
	unsigned n_load;
};

static bool fetch(void *ctx, uint64_t addr, void *p, size_t n)
{
	const struct image *im = ctx;

	for (unsigned i = 0; i < im->n_load; i++) {
		const Elf64_Phdr *ph = &im->load[i];

		if (ph->p_type != PT_LOAD || addr < ph->p_vaddr ||
			addr + n > ph->p_vaddr + ph->p_filesz)
			continue;
		memcpy(p, im->p + ph->p_offset + (addr - ph->p_vaddr), n);
		return true;
	}
	return false;
}

static const char *name_of(uint64_t reg)
{
	static const char *const name[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp",
		"r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "rip"};

	return reg < AS_REGS ? name[reg] : "?";
}

static void print_rule(const struct as_eh_rule *r, unsigned reg)
{
	switch (r->kind) {
	case AS_EH_UNDEFINED:
		printf(" u");
		break;
	case AS_EH_SAME:
		printf(reg == AS_REG_PC ? " u" : " s");
		break;
	case AS_EH_AT:
		printf(" c%+" PRId64, r->off);
		break;
	case AS_EH_IS:
		printf(" v%+" PRId64, r->off);
		break;
	case AS_EH_REG:
		printf(" %s", name_of((uint64_t)r->off));
		break;
	default:
		printf(r->kind == AS_EH_EXPR_AT ? " exp" : " vexp");
		break;
	}
}

static void print_row(const struct as_eh_row *row)
{
	static const unsigned shown[] = {3, 6, 12, 13, 14, 15, AS_REG_PC};

	if (row->cfa.kind == AS_EH_IS)
		printf("%s%+" PRId64, name_of(row->cfa_reg), row->cfa.off);
	else
		printf("exp");
	for (unsigned i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
		print_rule(&row->reg[shown[i]], shown[i]);
	printf("\n");
}

int main(int argc, char **argv)
{
	static struct as_eh_work work;
	struct image im = {0};
	struct as_eh eh = {.fetch = fetch, .ctx = &im};
	const Elf64_Ehdr *h;
	struct stat st;
	uint64_t pc;
	int fd = argc > 1 ? open(argv[1], O_RDONLY) : -1;

	if (fd < 0 || fstat(fd, &st) < 0)
		return 2;
	im.n = (size_t)st.st_size;
	im.p = mmap(NULL, im.n, PROT_READ, MAP_PRIVATE, fd, 0);
	if (im.p == MAP_FAILED)
		return 2;
	h = (const void *)im.p;
	im.load = (const void *)(im.p + h->e_phoff);
	im.n_load = h->e_phnum;
	eh.hi = UINT64_MAX;
	for (unsigned i = 0; i < im.n_load; i++)
		if (im.load[i].p_type == PT_GNU_EH_FRAME)
			eh.hdr = im.load[i].p_vaddr;
	while (scanf("%" SCNx64, &pc) == 1)
		if (as_eh_find(&eh, pc, &work))
			print_row(&work.row);
		else
			printf("-\n");
	return 0;
}
