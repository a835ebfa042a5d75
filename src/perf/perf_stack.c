/* SPDX-License-Identifier: Apache-2.0 */
#include "perf/perf_stack.h"

enum {
	X86_R8 = 16, /* the kernel's number */
	X86_REGS = 24,
	ABI_64 = 2,
};

bool as_stack_is_x86(uint64_t mask)
{
	const uint64_t high = (UINT64_C(1) << X86_REGS) - (UINT64_C(1) << X86_R8);

	return (mask & high) == high && mask >> X86_REGS == 0;
}

bool as_stack_of(
	const struct as_perf_rec *rec, const struct as_perf_layout *layout, struct as_stack *stack)
{
	/* DWARF's number of each of the kernel's; flags and segments have none */
	static const uint8_t number[X86_REGS] = {0, 3, 2, 1, 4, 5, 6, 7, 16, 255, 255, 255, 255,
		255, 255, 255, 8, 9, 10, 11, 12, 13, 14, 15};
	const uint32_t needed = UINT32_C(1) << AS_STACK_SP | UINT32_C(1) << AS_STACK_PC;
	size_t n = 0;

	*stack = (struct as_stack){.bytes = rec->stack, .more = rec->stack_more};
	if (rec->regs_abi != ABI_64)
		return false;
	for (unsigned i = 0; i < X86_REGS && 8 * n < rec->regs.len; i++) {
		if (!(layout->regs >> i & 1))
			continue;
		if (number[i] < AS_STACK_REGS) {
			stack->reg[number[i]] = as_perf_word_of(layout, rec->regs, n);
			stack->known |= UINT32_C(1) << number[i];
		}
		n++;
	}
	return (stack->known & needed) == needed;
}
