/* SPDX-License-Identifier: Apache-2.0 */
/* From the registers of a function to those of its caller, as libdw has it. */
#ifndef AS_SYMBOLS_UNWIND_PERF_STEP_H
#define AS_SYMBOLS_UNWIND_PERF_STEP_H

#include "symbols/unwind/perf_tables.h"

struct as_step_regs {
	uint64_t value[AS_CFI_REGS]; /* by DWARF's numbers */
	uint32_t known;              /* bit i: value[i] is known */
};

/* The 8 bytes at ADDR; false: they are not among those that are kept. */
typedef bool as_step_read_fn(void *ctx, uint64_t addr, uint64_t *word);

struct as_step_memory {
	as_step_read_fn *read;
	void *ctx;
};

enum as_step {
	AS_STEP_ON,
	AS_STEP_END,    /* there is no caller */
	AS_STEP_BROKEN, /* it can't be told */
};

enum as_step as_step_row(
	const struct as_row *row, const struct as_step_memory *memory, struct as_step_regs *regs);
/* The same by rules of any kind. */
enum as_step as_step_special(const struct as_cfi_row *row, const struct as_step_memory *memory,
	struct as_step_regs *regs);
/* By the frame pointer, in code that no table speaks of. */
enum as_step as_step_framed(const struct as_step_memory *memory, struct as_step_regs *regs);

/* The value of the DWARF expression of N bytes at P, which begins with *INITIAL on its stack if
 * INITIAL is not NULL. */
bool as_step_eval(const uint8_t *p, size_t n, const uint64_t *initial,
	const struct as_step_memory *memory, const struct as_step_regs *regs, uint64_t *value);

#endif
