/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of unwind tables, as libdw finds them, kept by address: a program's stacks lead through the
 * same few thousand places, and what libdw computes anew each time takes a microsecond a frame.
 */
#ifndef AS_RECORD_PERF_ROWS_H
#define AS_RECORD_PERF_ROWS_H

#include <elfutils/libdwfl.h>

#include "base/alloc.h"
#include "base/index.h"

/* x86-64's numbers in DWARF; those that a function gives back unchanged. */
enum { AS_ROW_BX = 3, AS_ROW_BP = 6, AS_ROW_SP = 7, AS_ROW_R12 = 12, AS_ROW_PC = 16, AS_ROW_REGS };

enum as_row_rule {
	AS_ROW_SAME,
	AS_ROW_AT, /* at CFA + OFF */
	AS_ROW_UNDEFINED,
};

struct as_row {
	uint64_t pc;
	bool plain; /* all rules are of these kinds; else libdw has to do it */
	uint8_t cfa_reg;
	uint8_t rule[AS_ROW_REGS];
	int32_t cfa_off, off[AS_ROW_REGS];
};

struct as_rowset {
	const struct as_alloc *al;
	struct as_index index;
	AS_VEC(struct as_row) row;
};

void as_rowset_init(struct as_rowset *set, const struct as_alloc *al);
void as_rowset_release(struct as_rowset *set);

/* The row for the instruction at PC; valid until the next call. NULL if out of memory. */
const struct as_row *as_rowset_find(struct as_rowset *set, Dwfl *dwfl, uint64_t pc);

#endif
