/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_rows.h"

#include <dwarf.h>
#include <stdlib.h>

#include "base/slice.h"

static const uint8_t kept[] = {AS_ROW_BX, AS_ROW_BP, AS_ROW_R12, AS_ROW_R12 + 1, AS_ROW_R12 + 2,
	AS_ROW_R12 + 3, AS_ROW_PC};

void as_rowset_init(struct as_rowset *set, const struct as_alloc *al)
{
	memset(set, 0, sizeof(*set));
	set->al = al;
	as_index_init(&set->index, al);
}

void as_rowset_release(struct as_rowset *set)
{
	as_index_release(&set->index);
	as_vec_free(set->al, &set->row);
}

static bool perf_rows_fits(Dwarf_Word off)
{
	return (int64_t)off >= INT32_MIN && (int64_t)off <= INT32_MAX;
}

/* A register and an offset. */
static bool read_cfa(Dwarf_Frame *frame, struct as_row *row)
{
	Dwarf_Op *op;
	size_t n;

	if (dwarf_frame_cfa(frame, &op, &n) || n != 1 || op->atom != DW_OP_bregx ||
		op->number >= AS_ROW_PC || !perf_rows_fits(op->number2))
		return false;
	row->cfa_reg = (uint8_t)op->number;
	row->cfa_off = (int32_t)op->number2;
	/* other registers are not followed */
	for (size_t i = 0; i < AS_ARRAY_LEN(kept); i++)
		if (kept[i] == row->cfa_reg && kept[i] != AS_ROW_PC)
			return true;
	return row->cfa_reg == AS_ROW_SP;
}

static bool read_rule(Dwarf_Frame *frame, unsigned reg, struct as_row *row)
{
	Dwarf_Op mem[3], *op;
	size_t n;

	if (dwarf_frame_register(frame, (int)reg, mem, &op, &n))
		return false;
	row->off[reg] = 0;
	if (n == 0) {
		row->rule[reg] = op ? AS_ROW_UNDEFINED : AS_ROW_SAME;
		return true;
	}
	if (op[0].atom != DW_OP_call_frame_cfa || n > 2)
		return false;
	if (n == 2) {
		if (op[1].atom != DW_OP_plus_uconst || !perf_rows_fits(op[1].number))
			return false;
		row->off[reg] = (int32_t)op[1].number;
	}
	row->rule[reg] = AS_ROW_AT;
	return true;
}

static bool perf_rows_read_row(Dwfl *dwfl, uint64_t pc, struct as_row *row)
{
	Dwfl_Module *mod = dwfl_addrmodule(dwfl, pc);
	Dwarf_Frame *frame = NULL;
	Dwarf_Addr bias = 0;
	bool signal = false, ok;
	Dwarf_CFI *cfi;

	cfi = mod ? dwfl_module_eh_cfi(mod, &bias) : NULL;
	if (!cfi || dwarf_cfi_addrframe(cfi, pc - bias, &frame))
		return false;
	ok = dwarf_frame_info(frame, NULL, NULL, &signal) == AS_ROW_PC && !signal &&
	     read_cfa(frame, row);
	for (size_t i = 0; ok && i < AS_ARRAY_LEN(kept); i++)
		ok = read_rule(frame, kept[i], row);
	free(frame);
	return ok && row->rule[AS_ROW_PC] != AS_ROW_SAME;
}

const struct as_row *as_rowset_find(struct as_rowset *set, Dwfl *dwfl, uint64_t pc)
{
	uint64_t at = AS_INDEX_START, hash = as_hash_mix(pc, 1);
	struct as_row row = {.pc = pc};
	uint32_t i;

	while (as_index_find(&set->index, hash, &at, &i))
		if (set->row.p[i].pc == pc)
			return &set->row.p[i];
	row.plain = perf_rows_read_row(dwfl, pc, &row);
	i = (uint32_t)set->row.n;
	if (set->row.n >= UINT32_MAX - 1 || !as_vec_push(set->al, &set->row, row) ||
		!as_index_add(&set->index, hash, i))
		return NULL;
	return &set->row.p[i];
}
