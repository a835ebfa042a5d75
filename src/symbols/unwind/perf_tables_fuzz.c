/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as an object's file, as an entry of unwind tables, and as the words of a stack: reading
 * stays within them and comes to an end, and a row is either said or looked up again.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols/unwind/perf_step.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { STACK = 0x10000, ASKED = 64 };

static bool read_word(void *ctx, uint64_t addr, uint64_t *word)
{
	const struct as_slice *s = ctx;

	if (addr < STACK || addr - STACK > s->len || s->len - (addr - STACK) < sizeof(*word))
		return false;
	memcpy(word, s->p + (addr - STACK), sizeof(*word));
	return true;
}

static void begin_registers(struct as_step_regs *regs)
{
	for (unsigned i = 0; i < AS_CFI_REGS; i++)
		regs->value[i] = STACK + i * 8;
	regs->known = (1u << AS_CFI_REGS) - 1;
}

static bool step(void *ctx, uint64_t start, uint64_t limit, const struct as_cfi_row *row)
{
	struct as_step_memory memory = {read_word, ctx};
	struct as_step_regs regs;

	if (start >= limit)
		abort();
	begin_registers(&regs);
	(void)as_step_special(row, &memory, &regs);
	return true;
}

/* The first half is a CIE. */
static void as_entries(struct as_slice s)
{
	struct as_slice first = {s.p, s.len / 2}, second = as_slice_skip(s, s.len / 2);
	struct as_step_memory memory = {read_word, &s};
	struct as_step_regs regs;
	struct as_cfi_cie cie;
	struct as_cfi_fde fde;
	uint64_t value = 1;
	bool debug = s.len % 2;

	if (as_cfi_read_cie(first, debug, &cie) && as_cfi_read_fde(second, STACK, &cie, &fde))
		(void)as_cfi_rows(&fde, 0, UINT64_MAX, step, &s);
	begin_registers(&regs);
	(void)as_step_eval((const uint8_t *)s.p, s.len, &value, &memory, &regs, &value);
}

static void ask(struct as_unwind_tables *t, const struct as_unwind_asker *asker, uint64_t addr,
	struct as_slice stack)
{
	const struct as_row *row = as_tables_row(t, asker, addr);
	struct as_step_memory memory = {read_word, &stack};
	struct as_step_regs regs;
	struct as_cfi_row cfi;

	begin_registers(&regs);
	if (row && row->special && as_tables_special(t, asker, addr, &cfi))
		(void)as_step_special(&cfi, &memory, &regs);
	else if (row && !row->special)
		(void)as_step_row(row, &memory, &regs);
}

static void as_object_file(struct as_slice s, const char *path)
{
	const struct as_slice none = {NULL, 0};
	struct as_perf_range range = {.start = 0x400000,
		.limit = 0x400000 + s.len,
		.path = as_slice_of(path),
		.exec = true};
	struct as_unwind_tables *t = as_unwind_tables_new(&as_alloc_libc);
	struct as_unwind_asker asker = {
		.pid = (uint32_t)getpid(), .start = range.start, .limit = range.limit};
	uint64_t bias;

	if (!t)
		abort();
	asker.object = as_tables_object(t, asker.pid, &range, none, &bias);
	for (unsigned i = 0; asker.object != AS_NO_OBJECT && i < ASKED; i++)
		ask(t, &asker, range.start - bias + s.len * i / ASKED, s);
	as_unwind_tables_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct as_slice s = {(const char *)data, size};
	int fd = memfd_create("object", MFD_CLOEXEC);
	char path[64];

	as_entries(s);
	if (fd < 0)
		return 0;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (size && write(fd, data, size) == (ssize_t)size)
		as_object_file(s, path);
	close(fd);
	return 0;
}
