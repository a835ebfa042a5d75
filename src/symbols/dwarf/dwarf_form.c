/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes and entries. */
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>

int16_t as_dw_form_size(const struct as_dw_unit *unit, uint16_t form)
{
	switch (form) {
	case DW_FORM_flag_present:
	case DW_FORM_implicit_const:
		return 0;
	case DW_FORM_data1:
	case DW_FORM_ref1:
	case DW_FORM_flag:
	case DW_FORM_strx1:
	case DW_FORM_addrx1:
		return 1;
	case DW_FORM_data2:
	case DW_FORM_ref2:
	case DW_FORM_strx2:
	case DW_FORM_addrx2:
		return 2;
	case DW_FORM_strx3:
	case DW_FORM_addrx3:
		return 3;
	case DW_FORM_data4:
	case DW_FORM_ref4:
	case DW_FORM_ref_sup4:
	case DW_FORM_strx4:
	case DW_FORM_addrx4:
		return 4;
	case DW_FORM_data8:
	case DW_FORM_ref8:
	case DW_FORM_ref_sig8:
	case DW_FORM_ref_sup8:
		return 8;
	case DW_FORM_data16:
		return 16;
	case DW_FORM_addr:
		return unit->addr_size;
	case DW_FORM_ref_addr:
		return (int16_t)(unit->version < 3 ? unit->addr_size : unit->off_size);
	case DW_FORM_strp:
	case DW_FORM_line_strp:
	case DW_FORM_sec_offset:
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
	case DW_FORM_GNU_ref_alt:
		return unit->off_size;
	default:
		return -1;
	}
}

/* The bytes of a value that is not of one size. */
static void val_read_varying(struct as_dw_cur *cur, struct as_dw_val *out)
{
	switch (out->form) {
	case DW_FORM_sdata:
		out->u = (uint64_t)as_dw_sleb(cur);
		break;
	case DW_FORM_udata:
	case DW_FORM_ref_udata:
	case DW_FORM_strx:
	case DW_FORM_addrx:
	case DW_FORM_loclistx:
	case DW_FORM_rnglistx:
	case DW_FORM_GNU_str_index:
	case DW_FORM_GNU_addr_index:
		out->u = as_dw_uleb(cur);
		break;
	case DW_FORM_string:
		out->text = as_dw_text(cur).p;
		break;
	case DW_FORM_block1:
		as_dw_skip(cur, as_dw_u8(cur));
		break;
	case DW_FORM_block2:
		as_dw_skip(cur, as_dw_uint(cur, 2));
		break;
	case DW_FORM_block4:
		as_dw_skip(cur, as_dw_uint(cur, 4));
		break;
	case DW_FORM_block:
	case DW_FORM_exprloc:
		as_dw_skip(cur, as_dw_uleb(cur));
		break;
	default:
		as_dw_fail(cur);
	}
}

bool as_dw_val_read(const struct as_dw_unit *unit, struct as_dw_cur *cur,
	const struct as_dw_attr *attr, struct as_dw_val *out)
{
	int16_t size = attr->size;

	out->form = attr->form;
	out->u = 0;
	if (out->form == DW_FORM_indirect) {
		uint64_t real = as_dw_uleb(cur);

		if (real > UINT16_MAX || real == DW_FORM_indirect) {
			as_dw_fail(cur);
			return false;
		}
		out->form = (uint16_t)real;
		size = as_dw_form_size(unit, out->form);
	}
	if (size < 0) {
		val_read_varying(cur, out);
	} else if (size > 8) {
		as_dw_skip(cur, (uint64_t)size);
	} else if (size > 0) {
		out->u = as_dw_uint(cur, (unsigned)size);
	} else {
		out->u = out->form == DW_FORM_implicit_const ? (uint64_t)attr->implicit : 1;
	}
	switch (out->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		out->u += unit->off;
	}
	return !cur->bad;
}

void as_dw_val_skip(
	const struct as_dw_unit *unit, struct as_dw_cur *cur, const struct as_dw_attr *attr)
{
	struct as_dw_val val;

	if (attr->size >= 0)
		as_dw_skip(cur, (uint64_t)attr->size);
	else
		(void)as_dw_val_read(unit, cur, attr, &val);
}

static struct as_slice text_at(const struct as_dw_file *file, enum as_dw_section s, uint64_t off)
{
	struct as_dw_cur cur = {.p = NULL};

	if (file)
		cur = as_dw_bytes_at(file, s, off, UINT64_MAX);
	return as_dw_text(&cur);
}

bool as_dw_table_entry(const struct as_dw_file *file, enum as_dw_section s, uint64_t base,
	unsigned size, uint64_t i, uint64_t *out)
{
	uint64_t n = file->sec[s].n;
	struct as_dw_cur cur;

	as_assert(s < AS_DW_N_SECTIONS && size && size <= sizeof(*out));
	if (base > n || i >= (n - base) / size)
		return false;
	cur = as_dw_bytes_at(file, s, base + i * size, UINT64_MAX);
	*out = as_dw_uint(&cur, size);
	return !cur.bad;
}

struct as_slice as_dw_val_text(const struct as_dw_unit *unit, const struct as_dw_val *val)
{
	uint64_t off;

	switch (val->form) {
	case DW_FORM_string:
		return as_slice_of(val->text);
	case DW_FORM_strp:
		return text_at(unit->file, AS_DW_STR, val->u);
	case DW_FORM_line_strp:
		return text_at(unit->file, AS_DW_LINE_STR, val->u);
	case DW_FORM_strp_sup:
	case DW_FORM_GNU_strp_alt:
		return text_at(unit->file->alt, AS_DW_STR, val->u);
	case DW_FORM_strx:
	case DW_FORM_strx1:
	case DW_FORM_strx2:
	case DW_FORM_strx3:
	case DW_FORM_strx4:
	case DW_FORM_GNU_str_index:
		if (as_dw_table_entry(unit->file, AS_DW_STR_OFFSETS, unit->str_offsets_base,
			    unit->off_size, val->u, &off))
			return text_at(unit->file, AS_DW_STR, off);
	}
	return (struct as_slice){"", 0};
}

bool as_dw_val_addr(const struct as_dw_unit *unit, const struct as_dw_val *val, uint64_t *addr)
{
	const struct as_dw_unit *owner = unit->skeleton ? unit->skeleton : unit;

	switch (val->form) {
	case DW_FORM_addr:
		*addr = val->u;
		return true;
	case DW_FORM_addrx:
	case DW_FORM_addrx1:
	case DW_FORM_addrx2:
	case DW_FORM_addrx3:
	case DW_FORM_addrx4:
	case DW_FORM_GNU_addr_index:
		return as_dw_table_entry(
			owner->file, AS_DW_ADDR, owner->addr_base, unit->addr_size, val->u, addr);
	}
	return false;
}

const struct as_dw_unit *as_dw_val_ref(
	const struct as_dw_unit *unit, const struct as_dw_val *val, uint64_t *off)
{
	*off = val->u;
	switch (val->form) {
	case DW_FORM_ref1:
	case DW_FORM_ref2:
	case DW_FORM_ref4:
	case DW_FORM_ref8:
	case DW_FORM_ref_udata:
		return val->u >= unit->die && val->u < unit->end ? unit : NULL;
	case DW_FORM_ref_addr:
		if (val->u >= unit->die && val->u < unit->end)
			return unit;
		return as_dw_unit_at(unit->file, val->u);
	case DW_FORM_GNU_ref_alt:
	case DW_FORM_ref_sup4:
	case DW_FORM_ref_sup8:
		return unit->file->alt ? as_dw_unit_at(unit->file->alt, val->u) : NULL;
	}
	return NULL;
}

#define SLOT(member) offsetof(struct as_dw_die, member)

uint16_t as_dw_slot(uint16_t name)
{
	static const uint16_t slot[] = {
		[DW_AT_sibling] = SLOT(sibling),
		[DW_AT_name] = SLOT(name),
		[DW_AT_linkage_name] = SLOT(linkage),
		[DW_AT_abstract_origin] = SLOT(origin),
		[DW_AT_specification] = SLOT(origin),
		[DW_AT_low_pc] = SLOT(low),
		[DW_AT_high_pc] = SLOT(high),
		[DW_AT_ranges] = SLOT(ranges),
		[DW_AT_call_file] = SLOT(call_file),
		[DW_AT_call_line] = SLOT(call_line),
		[DW_AT_decl_file] = SLOT(decl_file),
		[DW_AT_decl_line] = SLOT(decl_line),
		[DW_AT_decl_column] = SLOT(decl_column),
		[DW_AT_type] = SLOT(type),
		[DW_AT_external] = SLOT(external),
		[DW_AT_artificial] = SLOT(artificial),
		[DW_AT_stmt_list] = SLOT(stmt_list),
		[DW_AT_comp_dir] = SLOT(comp_dir),
		[DW_AT_language] = SLOT(lang),
		[DW_AT_dwo_name] = SLOT(dwo_name),
		[DW_AT_str_offsets_base] = SLOT(str_offsets_base),
		[DW_AT_addr_base] = SLOT(addr_base),
		[DW_AT_rnglists_base] = SLOT(rnglists_base),
	};

	switch (name) {
	case DW_AT_MIPS_linkage_name:
		return SLOT(linkage);
	case DW_AT_GNU_dwo_name:
		return SLOT(dwo_name);
	case DW_AT_GNU_dwo_id:
		return SLOT(dwo_id);
	case DW_AT_GNU_addr_base:
		return SLOT(addr_base);
	case DW_AT_GNU_ranges_base:
		return SLOT(ranges_base);
	}
	return name < AS_ARRAY_LEN(slot) ? slot[name] : 0;
}

bool as_dw_die_read(const struct as_dw_unit *unit, struct as_dw_cur *cur,
	const struct as_dw_attr *attr, size_t n, struct as_dw_die *out)
{
	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < n; i++) {
		if (attr[i].slot) {
			void *slot = (char *)out + attr[i].slot;

			(void)as_dw_val_read(unit, cur, &attr[i], slot);
		} else {
			as_dw_val_skip(unit, cur, &attr[i]);
		}
	}
	out->next = (uint64_t)(cur->p - unit->file->sec[AS_DW_INFO].p);
	return !cur->bad;
}

void as_dw_values_skip(const struct as_dw_unit *unit, const struct as_dw_abbrevs *abbrevs,
	struct as_dw_cur *cur, const struct as_dw_abbrev *ab)
{
	const struct as_dw_attr *attr = as_dw_attrs(abbrevs, ab);

	if (ab->size >= 0) {
		as_dw_skip(cur, (uint64_t)ab->size);
		return;
	}
	for (uint32_t i = 0; i < ab->n; i++)
		as_dw_val_skip(unit, cur, &attr[i]);
}

bool as_dw_die_at(const struct as_dw_unit *unit, const struct as_dw_abbrevs *abbrevs, uint64_t off,
	struct as_dw_die *out)
{
	struct as_dw_cur cur = as_dw_entries_at(unit, off);
	const struct as_dw_abbrev *ab;

	if (off < unit->die || off >= unit->end)
		return false;
	ab = as_dw_abbrev_find(abbrevs, as_dw_uleb(&cur));
	if (!ab || !as_dw_die_read(unit, &cur, as_dw_attrs(abbrevs, ab), ab->n, out))
		return false;
	out->tag = ab->tag;
	out->children = ab->children;
	return true;
}
