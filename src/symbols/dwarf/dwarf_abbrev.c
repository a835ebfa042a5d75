/* SPDX-License-Identifier: Apache-2.0 */
/* Abbreviations: how the entries of a unit are laid out. */
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>
#include <stdlib.h>

static int by_code(const void *a, const void *b)
{
	uint64_t x = ((const struct as_dw_abbrev *)a)->code;
	uint64_t y = ((const struct as_dw_abbrev *)b)->code;

	return (x > y) - (x < y);
}

/* Where code can be below: a class of C++ holds declarations only, one of Rust or D functions. */
static bool types_hold_code(uint16_t lang)
{
	switch (lang) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
		return false;
	}
	return true;
}

static enum as_dw_kind dw_abbrev_kind_of(uint16_t tag, bool has_pc, bool types_plain)
{
	switch (tag) {
	case DW_TAG_subprogram:
		return has_pc ? AS_DW_CODE : AS_DW_FUNC_DECL;
	case DW_TAG_inlined_subroutine:
		return has_pc ? AS_DW_CODE : AS_DW_PLAIN;
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
		return types_plain ? AS_DW_PLAIN : AS_DW_TYPE;
	case DW_TAG_enumeration_type:
	case DW_TAG_array_type:
	case DW_TAG_subroutine_type:
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		return AS_DW_TYPE;
	}
	return AS_DW_PLAIN;
}

/* The attributes at CUR. */
static bool attrs_read(struct as_dw_abbrevs *abbrevs, const struct as_dw_unit *unit,
	struct as_dw_cur *cur, struct as_dw_abbrev *ab)
{
	bool has_pc = false;

	ab->first = (uint32_t)abbrevs->attr.n;
	ab->size = 0;
	for (;;) {
		uint64_t name = as_dw_uleb(cur), form = as_dw_uleb(cur);
		struct as_dw_attr attr = {.name = name > UINT16_MAX ? 0 : (uint16_t)name,
			.form = form > UINT16_MAX ? 0 : (uint16_t)form};

		if (form == DW_FORM_implicit_const)
			attr.implicit = as_dw_sleb(cur);
		if ((name == 0 && form == 0) || cur->bad)
			break;
		attr.size = as_dw_form_size(unit, attr.form);
		attr.slot = as_dw_slot(attr.name);
		if (attr.size < 0 || ab->size < 0 || ab->size > INT32_MAX - 64)
			ab->size = -1;
		else
			ab->size += attr.size;
		has_pc |= name == DW_AT_low_pc || name == DW_AT_ranges;
		ab->sibling |= name == DW_AT_sibling;
		if (abbrevs->attr.n == UINT32_MAX ||
			!as_vec_push(abbrevs->al, &abbrevs->attr, attr))
			return false;
	}
	ab->n = (uint32_t)abbrevs->attr.n - ab->first;
	ab->kind = (uint8_t)dw_abbrev_kind_of(ab->tag, has_pc, types_hold_code(unit->lang));
	return true;
}

bool as_dw_abbrevs_fit(const struct as_dw_abbrevs *a, const struct as_dw_unit *unit)
{
	return a->file == unit->file && a->off == unit->abbrev_off && a->version == unit->version &&
	       a->addr_size == unit->addr_size && a->off_size == unit->off_size &&
	       a->types_plain == types_hold_code(unit->lang);
}

bool as_dw_abbrevs_load(struct as_dw_abbrevs *abbrevs, const struct as_dw_unit *unit)
{
	struct as_dw_cur cur =
		as_dw_bytes_at(unit->file, AS_DW_ABBREV, unit->abbrev_off, UINT64_MAX);
	bool sorted = true;

	if (as_dw_abbrevs_fit(abbrevs, unit))
		return true;
	abbrevs->row.n = abbrevs->attr.n = 0;
	abbrevs->file = NULL;
	for (;;) {
		struct as_dw_abbrev ab = {.code = as_dw_uleb(&cur)};
		uint64_t tag = ab.code ? as_dw_uleb(&cur) : 0;

		if (ab.code == 0 || cur.bad)
			break;
		ab.tag = tag > UINT16_MAX ? 0 : (uint16_t)tag;
		ab.children = as_dw_u8(&cur) == DW_CHILDREN_yes;
		if (!attrs_read(abbrevs, unit, &cur, &ab))
			return false;
		if (cur.bad)
			break;
		if (abbrevs->row.n && abbrevs->row.p[abbrevs->row.n - 1].code >= ab.code)
			sorted = false;
		if (!as_vec_push(abbrevs->al, &abbrevs->row, ab))
			return false;
	}
	if (!sorted)
		qsort(abbrevs->row.p, abbrevs->row.n, sizeof(*abbrevs->row.p), by_code);
	abbrevs->file = unit->file;
	abbrevs->off = unit->abbrev_off;
	abbrevs->version = unit->version;
	abbrevs->addr_size = unit->addr_size;
	abbrevs->off_size = unit->off_size;
	abbrevs->types_plain = types_hold_code(unit->lang);
	return true;
}

const struct as_dw_abbrev *as_dw_abbrev_find(const struct as_dw_abbrevs *abbrevs, uint64_t code)
{
	const struct as_dw_abbrev *row = abbrevs->row.p;
	size_t n = abbrevs->row.n, i;

	/* Codes are 1, 2, 3 ... nearly always. */
	if (AS_LIKELY(code - 1 < n && row[code - 1].code == code))
		return &row[code - 1];
	i = as_rows_below(row, n, code, code);
	return i < n && row[i].code == code ? &row[i] : NULL;
}
