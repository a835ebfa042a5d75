/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of addresses: of an entry, of a unit, of .debug_aranges. */
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>

/* All bits of an address set: in an old list, "what follows is a base". */
static uint64_t dw_ranges_ones(const struct as_dw_unit *unit)
{
	return unit->addr_size == 8 ? UINT64_MAX : UINT32_MAX;
}

static void list_at(struct as_dw_ranges *it, const struct as_dw_val *val)
{
	const struct as_dw_unit *unit = it->unit;
	const struct as_dw_unit *owner = unit->skeleton ? unit->skeleton : unit;
	const struct as_dw_file *file = unit->version >= 5 ? unit->file : owner->file;
	enum as_dw_section sec = unit->version >= 5 ? AS_DW_RNGLISTS : AS_DW_RANGES;
	uint64_t off = val->u;

	if (val->form == DW_FORM_rnglistx) {
		if (!as_dw_table_entry(
			    file, sec, unit->rnglists_base, unit->off_size, val->u, &off))
			return;
		off += unit->rnglists_base;
	} else if (unit->skeleton && unit->version < 5) {
		off += owner->ranges_base;
	}
	it->cur = as_dw_bytes_at(file, sec, off, UINT64_MAX);
	if (!as_dw_left(&it->cur))
		return;
	it->base = owner->low_pc;
	it->state = unit->version >= 5 ? AS_DW_RANGES_LIST : AS_DW_RANGES_OLD;
}

void as_dw_ranges_of(
	struct as_dw_ranges *it, const struct as_dw_unit *unit, const struct as_dw_die *die)
{
	it->unit = unit;
	it->state = AS_DW_RANGES_NONE;
	if (die->ranges.form) {
		list_at(it, &die->ranges);
	} else if (die->low.form && die->high.form &&
		   as_dw_val_addr(unit, &die->low, &it->one.start)) {
		if (!as_dw_val_addr(unit, &die->high, &it->one.limit))
			it->one.limit = it->one.start + die->high.u;
		it->state = AS_DW_RANGES_ONE;
	}
}

void as_dw_ranges_of_unit(struct as_dw_ranges *it, const struct as_dw_unit *unit)
{
	struct as_dw_val val = {.form = unit->ranges_form, .u = unit->ranges};

	it->unit = unit;
	it->state = AS_DW_RANGES_NONE;
	if (unit->has_ranges) {
		list_at(it, &val);
	} else if (unit->has_low && unit->high_pc > unit->low_pc) {
		it->one = (struct as_dw_range){unit->low_pc, unit->high_pc};
		it->state = AS_DW_RANGES_ONE;
	}
}

static bool old_next(struct as_dw_ranges *it, struct as_dw_range *out)
{
	unsigned size = it->unit->addr_size;

	for (;;) {
		uint64_t start = as_dw_uint(&it->cur, size), limit = as_dw_uint(&it->cur, size);

		if (it->cur.bad || (start == 0 && limit == 0)) {
			it->state = AS_DW_RANGES_NONE;
			return false;
		}
		if (start != dw_ranges_ones(it->unit)) {
			*out = (struct as_dw_range){it->base + start, it->base + limit};
			return true;
		}
		it->base = limit;
	}
}

static uint64_t dw_ranges_indexed(struct as_dw_ranges *it)
{
	struct as_dw_val val = {.form = DW_FORM_addrx, .u = as_dw_uleb(&it->cur)};
	uint64_t addr;

	if (as_dw_val_addr(it->unit, &val, &addr))
		return addr;
	as_dw_fail(&it->cur);
	return 0;
}

/* One entry of .debug_rnglists; true if it is a range. */
static bool list_entry(struct as_dw_ranges *it, struct as_dw_range *out)
{
	unsigned size = it->unit->addr_size;

	switch (as_dw_u8(&it->cur)) {
	case DW_RLE_base_addressx:
		it->base = dw_ranges_indexed(it);
		return false;
	case DW_RLE_base_address:
		it->base = as_dw_uint(&it->cur, size);
		return false;
	case DW_RLE_startx_endx:
		out->start = dw_ranges_indexed(it);
		out->limit = dw_ranges_indexed(it);
		break;
	case DW_RLE_startx_length:
		out->start = dw_ranges_indexed(it);
		out->limit = out->start + as_dw_uleb(&it->cur);
		break;
	case DW_RLE_offset_pair:
		out->start = it->base + as_dw_uleb(&it->cur);
		out->limit = it->base + as_dw_uleb(&it->cur);
		break;
	case DW_RLE_start_end:
		out->start = as_dw_uint(&it->cur, size);
		out->limit = as_dw_uint(&it->cur, size);
		break;
	case DW_RLE_start_length:
		out->start = as_dw_uint(&it->cur, size);
		out->limit = out->start + as_dw_uleb(&it->cur);
		break;
	default: /* DW_RLE_end_of_list, or damaged */
		it->state = AS_DW_RANGES_NONE;
		return false;
	}
	if (it->cur.bad)
		it->state = AS_DW_RANGES_NONE;
	return !it->cur.bad;
}

bool as_dw_ranges_next(struct as_dw_ranges *it, struct as_dw_range *out)
{
	switch (it->state) {
	case AS_DW_RANGES_ONE:
		*out = it->one;
		it->state = AS_DW_RANGES_NONE;
		return true;
	case AS_DW_RANGES_OLD:
		return old_next(it, out);
	case AS_DW_RANGES_LIST:
		while (it->state == AS_DW_RANGES_LIST)
			if (list_entry(it, out))
				return true;
		return false;
	default:
		return false;
	}
}

void as_dw_aranges_begin(struct as_dw_aranges *it, const struct as_dw_file *file)
{
	*it = (struct as_dw_aranges){.all = as_dw_bytes_at(file, AS_DW_ARANGES, 0, UINT64_MAX)};
	it->set = it->all;
	it->set.end = it->set.p;
}

/* The header of the next set; the tuples behind it are aligned to their own size. */
static bool aranges_set(struct as_dw_aranges *it)
{
	const uint8_t *start = it->all.p;
	uint8_t off_size, segment;
	uint64_t length = as_dw_length(&it->all, &off_size);
	size_t header;

	if (it->all.bad || length > as_dw_left(&it->all))
		return false;
	it->set = it->all;
	it->set.end = it->set.p + length;
	it->all.p += length;
	(void)as_dw_uint(&it->set, 2);
	it->unit_off = as_dw_uint(&it->set, off_size);
	it->addr_size = as_dw_u8(&it->set);
	segment = as_dw_u8(&it->set);
	if (it->set.bad || segment || (it->addr_size != 4 && it->addr_size != 8)) {
		it->set.p = it->set.end;
		return true;
	}
	header = (size_t)(it->set.p - start) % (2u * it->addr_size);
	as_dw_skip(&it->set, header ? 2u * it->addr_size - header : 0);
	return true;
}

bool as_dw_aranges_next(struct as_dw_aranges *it, struct as_dw_range *out)
{
	for (;;) {
		while (as_dw_left(&it->set) >= 2u * it->addr_size && it->addr_size) {
			out->start = as_dw_uint(&it->set, it->addr_size);
			out->limit = out->start + as_dw_uint(&it->set, it->addr_size);
			if (out->limit > out->start)
				return true;
		}
		if (it->all.p == it->all.end || !aranges_set(it))
			return false;
	}
}
