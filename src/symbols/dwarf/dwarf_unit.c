/* SPDX-License-Identifier: Apache-2.0 */
/* Unit headers, and what the first entry of each unit says. */
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>

enum { ROOT_SEARCH = 1 << 16 }; /* bytes of abbreviations in which a first entry's is looked for */

const char *const as_dw_section_name[AS_DW_N_SECTIONS] = {
	[AS_DW_INFO] = "info",
	[AS_DW_ABBREV] = "abbrev",
	[AS_DW_STR] = "str",
	[AS_DW_LINE_STR] = "line_str",
	[AS_DW_STR_OFFSETS] = "str_offsets",
	[AS_DW_ADDR] = "addr",
	[AS_DW_RANGES] = "ranges",
	[AS_DW_RNGLISTS] = "rnglists",
	[AS_DW_LINE] = "line",
	[AS_DW_ARANGES] = "aranges",
	[AS_DW_CU_INDEX] = "cu_index",
};

bool as_dw_unit_read(const struct as_dw_file *file, uint64_t off, struct as_dw_unit *out)
{
	struct as_dw_bytes info = file->sec[AS_DW_INFO];
	struct as_dw_cur cur = as_dw_bytes_at(file, AS_DW_INFO, off, UINT64_MAX);
	uint64_t length;

	*out = (struct as_dw_unit){.file = file, .off = off};
	length = as_dw_length(&cur, &out->off_size);
	if (cur.bad || length > as_dw_left(&cur))
		return false;
	cur.end = cur.p + length;
	out->end = (uint64_t)(cur.end - info.p);
	out->version = (uint8_t)as_dw_uint(&cur, 2);
	if (out->version < 2 || out->version > 5)
		return false;
	if (out->version >= 5) {
		out->type = as_dw_u8(&cur);
		out->addr_size = as_dw_u8(&cur);
		out->abbrev_off = as_dw_uint(&cur, out->off_size);
		if (out->type == DW_UT_skeleton || out->type == DW_UT_split_compile)
			out->dwo_id = as_dw_uint(&cur, 8);
		else if (out->type == DW_UT_type || out->type == DW_UT_split_type)
			as_dw_skip(&cur, 8u + out->off_size);
	} else {
		out->abbrev_off = as_dw_uint(&cur, out->off_size);
		out->addr_size = as_dw_u8(&cur);
	}
	out->die = (uint64_t)(cur.p - info.p);
	return !cur.bad && (out->addr_size == 4 || out->addr_size == 8);
}

/* The attributes of the first entry, without decoding the whole table of abbreviations. */
static bool root_attrs(
	const struct as_dw_unit *unit, struct as_dw_cur *cur, uint64_t code, struct as_dw_die *out)
{
	/* The first entry's comes first or soon; a damaged table has no end. */
	struct as_dw_cur ab = as_dw_bytes_at(
		unit->file, AS_DW_ABBREV, unit->abbrev_off, unit->abbrev_off + ROOT_SEARCH);
	struct as_dw_attr attr[64];

	for (;;) {
		uint64_t this_code = as_dw_uleb(&ab);
		size_t n = 0;

		out->tag = this_code ? (uint16_t)as_dw_uleb(&ab) : 0;
		(void)as_dw_u8(&ab);
		for (;;) {
			uint64_t name = as_dw_uleb(&ab), form = as_dw_uleb(&ab);
			int64_t implicit = form == DW_FORM_implicit_const ? as_dw_sleb(&ab) : 0;

			if ((name == 0 && form == 0) || ab.bad)
				break;
			if (n < AS_ARRAY_LEN(attr))
				attr[n++] = (struct as_dw_attr){(uint16_t)name, (uint16_t)form,
					as_dw_slot((uint16_t)name),
					as_dw_form_size(unit, (uint16_t)form), implicit};
		}
		if (this_code == 0 || ab.bad)
			return false;
		if (this_code == code)
			return as_dw_die_read(unit, cur, attr, n, out);
	}
}

/* Where the tables of a unit begin that does not say so: behind the header of the section. */
void as_dw_unit_bases(struct as_dw_unit *unit)
{
	uint64_t header = unit->off_size == 8 ? 16 : 8;

	if (unit->version < 5)
		return;
	unit->str_offsets_base = header;
	unit->addr_base = header;
	unit->rnglists_base = unit->off_size == 8 ? 20 : 12;
}

bool as_dw_unit_root(struct as_dw_unit *unit)
{
	struct as_dw_cur cur = as_dw_entries_at(unit, unit->die);
	struct as_dw_die die;
	uint64_t code = as_dw_uleb(&cur);

	if (code == 0 || !root_attrs(unit, &cur, code, &die))
		return false;
	if (die.str_offsets_base.form)
		unit->str_offsets_base = die.str_offsets_base.u;
	if (die.addr_base.form)
		unit->addr_base = die.addr_base.u;
	if (die.rnglists_base.form)
		unit->rnglists_base = die.rnglists_base.u;
	unit->ranges_base = die.ranges_base.u;
	if (die.dwo_id.form)
		unit->dwo_id = die.dwo_id.u;
	unit->lang = (uint16_t)die.lang.u;
	unit->has_stmt = die.stmt_list.form != 0;
	unit->stmt_list = unit->line_off + die.stmt_list.u;
	unit->comp_dir = as_dw_val_text(unit, &die.comp_dir);
	unit->dwo_name = as_dw_val_text(unit, &die.dwo_name);
	unit->has_low = die.low.form && as_dw_val_addr(unit, &die.low, &unit->low_pc);
	if (unit->has_low && die.high.form && !as_dw_val_addr(unit, &die.high, &unit->high_pc))
		unit->high_pc = unit->low_pc + die.high.u;
	unit->has_ranges = die.ranges.form != 0;
	unit->ranges = die.ranges.u;
	unit->ranges_form = die.ranges.form;
	return true;
}

enum as_code as_dw_units(struct as_dw_file *file)
{
	uint64_t off = 0;

	while (off < file->sec[AS_DW_INFO].n) {
		struct as_dw_unit unit;
		bool ok = as_dw_unit_read(file, off, &unit);

		if (ok) {
			as_dw_unit_bases(&unit);
			ok = as_dw_unit_root(&unit);
		}
		if (ok && !as_vec_push(file->al, &file->unit, unit))
			return AS_E_NOMEM;
		file->damaged |= !ok;
		if (unit.end <= off)
			break;
		off = unit.end;
	}
	return AS_OK;
}

/* The last unit that begins at OFF or before, or NULL. */
static const struct as_dw_unit *unit_before(const struct as_dw_file *file, uint64_t off)
{
	size_t n = as_rows_up_to(file->unit.p, file->unit.n, off, off);

	return n ? &file->unit.p[n - 1] : NULL;
}

const struct as_dw_unit *as_dw_unit_at(const struct as_dw_file *file, uint64_t off)
{
	const struct as_dw_unit *unit = unit_before(file, off);

	return unit && off >= unit->die && off < unit->end ? unit : NULL;
}

const struct as_dw_unit *as_dw_unit_from(const struct as_dw_file *file, uint64_t off)
{
	const struct as_dw_unit *unit = unit_before(file, off);

	return unit && unit->off == off ? unit : NULL;
}

void as_dw_file_release(struct as_dw_file *file)
{
	for (unsigned s = 0; s < AS_DW_N_SECTIONS; s++)
		if (file->owned[s])
			as_alloc_free(file->al, (void *)(uintptr_t)file->sec[s].p, file->owned[s]);
	as_vec_free(file->al, &file->unit);
}
