/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The index of a .dwp: which part of each section belongs to which unit. Offsets in a unit count
 * from the beginning of its parts; here they are made to count from that of the sections.
 */
#include "symbols/elf/elf_parts.h"

#include <dwarf.h>

/* The numbers of the sections that matter, as the header of version 2 and of version 5 has them. */
enum { IN_INFO = 1, IN_ABBREV = 3, IN_LINE = 4, IN_STR_OFFSETS = 6, IN_RNGLISTS = 8, COLUMNS = 16 };

struct index {
	uint32_t version, n_columns, n_units;
	uint32_t column[COLUMNS];
	struct as_dw_cur rows; /* offsets, N_COLUMNS to a row */
};

static bool index_read(const struct as_dw_file *file, struct index *ix)
{
	struct as_dw_cur cur = as_dw_bytes_at(file, AS_DW_CU_INDEX, 0, UINT64_MAX);
	uint64_t n_slots;

	ix->version = (uint32_t)as_dw_uint(&cur, 4);
	if (file->big ? ix->version >> 16 == 5 : (ix->version & 0xffff) == 5)
		ix->version = 5; /* two bytes, and two of padding */
	ix->n_columns = (uint32_t)as_dw_uint(&cur, 4);
	ix->n_units = (uint32_t)as_dw_uint(&cur, 4);
	n_slots = as_dw_uint(&cur, 4);
	if ((ix->version != 2 && ix->version != 5) || ix->n_columns > COLUMNS)
		return false;
	as_dw_skip(&cur, n_slots * 12); /* hashes, and the rows that they stand for */
	for (uint32_t c = 0; c < ix->n_columns; c++)
		ix->column[c] = (uint32_t)as_dw_uint(&cur, 4);
	ix->rows = cur;
	return !cur.bad;
}

/* Row by row: where a unit is, and where its parts of the other sections begin. */
static bool unit_place(struct as_dw_file *file, struct index *ix)
{
	uint64_t at[COLUMNS] = {0};
	struct as_dw_unit unit;

	for (uint32_t c = 0; c < ix->n_columns; c++) {
		uint64_t off = as_dw_uint(&ix->rows, 4);

		if (ix->column[c] < COLUMNS)
			at[ix->column[c]] = off;
	}
	if (ix->rows.bad || at[IN_INFO] >= file->sec[AS_DW_INFO].n ||
		!as_dw_unit_read(file, at[IN_INFO], &unit))
		return true; /* a unit that cannot be read has no names, but others have */
	as_dw_unit_bases(&unit);
	unit.abbrev_off += at[IN_ABBREV];
	unit.line_off = at[IN_LINE];
	unit.str_offsets_base += at[IN_STR_OFFSETS];
	unit.rnglists_base += at[IN_RNGLISTS];
	if (!as_dw_unit_root(&unit))
		return true;
	return as_vec_push(file->al, &file->unit, unit);
}

bool as_elf_dwp_index(struct as_elf_split *split)
{
	struct index ix;

	if (!index_read(&split->dw, &ix))
		return false;
	for (uint32_t u = 0; u < ix.n_units && !ix.rows.bad; u++)
		if (!unit_place(&split->dw, &ix))
			return false;
	return split->dw.unit.n != 0;
}
