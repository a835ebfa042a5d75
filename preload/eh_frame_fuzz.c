/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Any bytes as unwind tables, and any words as a stack: the reader stays within what it was given
 * and comes to an end. The first 8 bytes are the address that is looked up.
 */
#include "preload/eh_frame.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { BASE = 0x10000 };

struct input {
	const uint8_t *p;
	size_t n;
};

static bool fetch(void *ctx, uint64_t addr, void *p, size_t n)
{
	const struct input *in = ctx;

	if (addr < BASE || addr - BASE > in->n || n > in->n - (addr - BASE))
		return false;
	memcpy(p, in->p + (addr - BASE), n);
	return true;
}

static bool read_word(void *ctx, uint64_t addr, uint64_t *value)
{
	return fetch(ctx, addr, value, sizeof(*value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct as_eh_work work;
	struct input in = {data, size};
	struct as_eh eh = {BASE + 8, BASE, BASE + size, fetch, &in};
	struct as_eh_regs regs = {.known = (1u << AS_REGS) - 1};
	uint64_t pc, value;

	if (size < 8)
		return 0;
	memcpy(&pc, data, sizeof(pc));
	for (unsigned i = 0; i < AS_REGS; i++)
		regs.value[i] = BASE + i * 8;
	if (as_eh_find(&eh, pc, &work))
		(void)as_eh_step(&work.row, &regs, read_word, &in);
	(void)as_eh_eval(data, size, pc, &regs, read_word, &in, &value);
	return 0;
}
