/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions: through declarations and abstract instances, and what they stand in. */
#include "symbols/dwarf_info.h"

#include <dwarf.h>

enum { HOPS_MAX = 16, DEPTH_MAX = 4096 };

static bool is_container(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
		return true;
	}
	return false;
}

/* Languages whose names have parts. */
static const char *separator(uint16_t lang)
{
	switch (lang) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2b: /* C++17, C++20: later than the header */
	case 0x2c:
	case DW_LANG_Rust:
		return "::";
	case DW_LANG_D:
		return ".";
	}
	return NULL;
}

bool as_dw_mangles(const struct as_dw_unit *unit)
{
	return separator(unit->lang) != NULL;
}

static bool container_begin(struct as_dw_namer *namer, const struct as_dw_abbrev *ab,
	struct as_dw_cur *cur, uint64_t off, uint32_t *inside)
{
	struct as_dw_container c = {.off = off, .end = UINT64_MAX, .parent = *inside};
	struct as_dw_die die;

	(void)as_dw_die_read(namer->unit, cur, as_dw_attrs(&namer->far, ab), ab->n, &die);
	if (!ab->children || !is_container(ab->tag))
		return true;
	c.name = as_dw_val_text(namer->unit, &die.name);
	if (!die.name.form && ab->tag == DW_TAG_namespace)
		c.name = as_slice_of("(anonymous namespace)");
	if (namer->container.n >= UINT32_MAX || !as_vec_push(namer->al, &namer->container, c))
		return false;
	*inside = (uint32_t)namer->container.n;
	return true;
}

/* The containers of UNIT, in the order of their offsets. */
static bool containers(struct as_dw_namer *namer, const struct as_dw_unit *unit)
{
	const uint8_t *info = unit->file->sec[AS_DW_INFO].p;
	struct as_dw_cur cur = {
		.p = info + unit->die, .end = info + unit->end, .big = unit->file->big};
	AS_VEC(uint32_t) stack = {NULL, 0, 0};
	uint32_t inside = 0;
	bool fine = true;

	if (namer->unit == unit)
		return true;
	namer->container.n = 0;
	namer->unit = unit;
	while (fine && cur.p < cur.end && stack.n < DEPTH_MAX) {
		uint64_t off = (uint64_t)(cur.p - info), code = as_dw_uleb(&cur);
		const struct as_dw_abbrev *ab = as_dw_abbrev_find(&namer->far, code);
		uint32_t above = inside;

		if (code == 0 && stack.n) {
			uint32_t left = inside;

			inside = stack.p[--stack.n];
			if (left != inside)
				namer->container.p[left - 1].end = off;
		} else if (!ab) {
			break;
		} else {
			fine = container_begin(namer, ab, &cur, off, &inside);
			if (fine && ab->children)
				fine = as_vec_push(namer->al, &stack, above);
		}
	}
	as_vec_free(namer->al, &stack);
	if (!fine)
		namer->unit = NULL;
	return fine;
}

/* The row + 1 of the innermost container around OFF, 0 if there is none. */
static uint32_t container_at(const struct as_dw_namer *namer, uint64_t off)
{
	size_t lo = 0, hi = namer->container.n;
	uint32_t c;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (namer->container.p[mid].off < off)
			lo = mid + 1;
		else
			hi = mid;
	}
	for (c = (uint32_t)lo; c; c = namer->container.p[c - 1].parent)
		if (off < namer->container.p[c - 1].end)
			break;
	return c;
}

/* NAME behind the names of what it stands in. */
static struct as_slice qualify(
	struct as_dw_namer *namer, struct as_slice name, uint64_t off, const char *sep)
{
	uint32_t inner = container_at(namer, off);
	size_t len = name.len, at;
	struct as_slice out;
	char *p;

	for (uint32_t c = inner; c; c = namer->container.p[c - 1].parent)
		if (namer->container.p[c - 1].name.len)
			len += namer->container.p[c - 1].name.len + strlen(sep);
	if (len == name.len || len > UINT16_MAX)
		return name;
	p = as_arena_get(namer->arena, len);
	out = (struct as_slice){p, len};
	if (!p) {
		namer->nomem = true;
		return name;
	}
	at = len - name.len;
	memcpy(p + at, name.p, name.len);
	for (uint32_t c = inner; c; c = namer->container.p[c - 1].parent) {
		struct as_slice part = namer->container.p[c - 1].name;

		if (!part.len)
			continue;
		at -= strlen(sep);
		memcpy(p + at, sep, strlen(sep));
		at -= part.len;
		memcpy(p + at, part.p, part.len);
	}
	return out;
}

/* Pay for COST steps; false if there is not as much left. */
static bool spend(struct as_dw_namer *namer, uint64_t cost)
{
	if (*namer->budget < cost)
		return false;
	*namer->budget -= cost;
	return true;
}

static const struct as_dw_abbrevs *far_abbrevs(
	struct as_dw_namer *namer, const struct as_dw_unit *unit)
{
	if (as_dw_abbrevs_load(&namer->far, unit))
		return spend(namer, namer->far.attr.n) ? &namer->far : NULL;
	namer->nomem = true;
	return NULL;
}

static const struct as_dw_abbrevs *abbrevs_of(
	struct as_dw_namer *namer, const struct as_dw_unit *unit)
{
	if (namer->near.file == unit->file && namer->near.off == unit->abbrev_off &&
		namer->near.version == unit->version && namer->near.off_size == unit->off_size &&
		namer->near.addr_size == unit->addr_size)
		return &namer->near;
	return far_abbrevs(namer, unit);
}

/* The name that is found from the entry at OFF on, and the last entry of that way. */
struct way {
	const struct as_dw_unit *unit;
	uint64_t off;
	struct as_slice name;
	bool linkage;
};

static struct as_dw_known *known_at(struct as_dw_namer *namer, uint64_t off)
{
	return &namer->known[(off * 0x9e3779b97f4a7c15u) >> 56];
}

/* Follow the entry's references. What it refers to itself is TARGET, if its name is not known. */
static struct way follow(struct as_dw_namer *namer, const struct as_dw_unit *unit, uint64_t off,
	struct as_dw_known *target)
{
	struct way way = {.unit = unit, .off = off, .name = {"", 0}};

	for (unsigned hop = 0; unit && hop < HOPS_MAX; hop++) {
		const struct as_dw_abbrevs *abbrevs = abbrevs_of(namer, unit);
		struct as_dw_die die;

		if (!abbrevs || !as_dw_die_at(unit, abbrevs, off, &die))
			break;
		way.unit = unit;
		way.off = off;
		if (die.linkage.form) {
			struct as_slice linkage = as_dw_val_text(unit, &die.linkage);

			way.linkage = linkage.len != 0;
			if (way.linkage)
				way.name = linkage;
			if (way.linkage)
				break;
		}
		if (die.name.form && way.name.len == 0)
			way.name = as_dw_val_text(unit, &die.name);
		if (!die.origin.form)
			break;
		unit = as_dw_val_ref(unit, &die.origin, &off);
		if (hop == 0 && unit && !way.name.len) {
			const struct as_dw_known *known = known_at(namer, off);

			way.linkage = known->unit == unit && known->off == off;
			if (way.linkage) { /* or as good as one */
				way.name = known->name;
				break;
			}
			*target = (struct as_dw_known){.unit = unit, .off = off};
		}
	}
	return way;
}

struct as_slice as_dw_name(struct as_dw_namer *namer, const struct as_dw_unit *unit, uint64_t off)
{
	const char *sep = separator(unit->lang);
	struct as_dw_known target = {.unit = NULL};
	struct way way = follow(namer, unit, off, &target);
	struct as_slice name = way.name;

	if (!way.linkage && name.len && sep) {
		if (namer->unit != way.unit && !spend(namer, way.unit->end - way.unit->off))
			return name;
		if (!far_abbrevs(namer, way.unit))
			return name;
		if (!containers(namer, way.unit)) {
			namer->nomem = true;
			return name;
		}
		name = qualify(namer, name, way.off, sep);
	}
	if (target.unit) {
		target.name = name;
		*known_at(namer, target.off) = target;
	}
	return name;
}

void as_dw_namer_release(struct as_dw_namer *namer)
{
	as_dw_abbrevs_release(&namer->near);
	as_dw_abbrevs_release(&namer->far);
	as_vec_free(namer->al, &namer->container);
}
