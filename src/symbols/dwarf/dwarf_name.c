/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: their names and files, through declarations and abstract instances. */
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>

enum { HOPS_MAX = 16 };

static bool dw_name_is_cxx(const struct as_dw_unit *unit)
{
	switch (unit->lang) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2b: /* C++17, C++20: later than the header */
	case 0x2c:
		return true;
	}
	return false;
}

/* Of languages whose names have parts. */
static const char *dw_name_separator(const struct as_dw_unit *unit)
{
	if (dw_name_is_cxx(unit) || unit->lang == DW_LANG_Rust)
		return "::";
	return unit->lang == DW_LANG_D ? "." : NULL;
}

bool as_dw_mangles(const struct as_dw_unit *unit)
{
	return dw_name_separator(unit) != NULL;
}

static const struct as_dw_abbrevs *dw_name_abbrevs_of(
	struct as_dw_namer *namer, const struct as_dw_unit *unit)
{
	struct as_dw_abbrevs *far = &namer->func.abbrevs;

	if (as_dw_abbrevs_fit(&namer->near, unit))
		return &namer->near;
	if (as_dw_abbrevs_fit(far, unit))
		return far;
	namer->func.unit = NULL;
	if (as_dw_abbrevs_load(far, unit))
		return as_dw_spend(namer, far->attr.n) ? far : NULL;
	namer->nomem = true;
	return NULL;
}

/* What is found from the entry at OFF on, and the last entry of that way. */
struct way {
	const struct as_dw_unit *unit;
	uint64_t off;
	struct as_dw_func func;
	bool linkage, known;
	bool declared; /* by the program or the compiler, not only named in a table of lines */
	bool external;
	const struct as_dw_unit *decl_unit; /* whose file number DECL is; NULL: none was found */
	uint64_t decl;
};

static struct as_dw_known *dw_name_known_at(struct as_dw_namer *namer, uint64_t off)
{
	return &namer->known[(off * 0x9e3779b97f4a7c15u) >> 56];
}

struct as_slice as_dw_decl_path(
	struct as_dw_namer *namer, const struct as_dw_unit *unit, uint64_t number)
{
	const struct as_slice none = {"", 0};
	struct as_dw_lines *lines = namer->near_lines;
	struct as_slice path;
	bool damaged = false;

	if (unit->skeleton && !unit->has_stmt)
		unit = unit->skeleton; /* whose numbers it uses */
	if (lines->unit != unit) {
		lines = &namer->far_lines;
		if (lines->unit != unit && !as_dw_lines_read(lines, unit, &damaged)) {
			namer->nomem = true;
			return none;
		}
		if (!as_dw_spend(namer, lines->file.n + lines->dir.n))
			return none;
	}
	path = as_dw_lines_path(lines, number, namer->arena);
	namer->nomem |= !path.p;
	return path.p ? path : none;
}

/* Take what DIE says of the function, where nothing has yet. False at the end of the way. */
static bool dw_name_take(struct way *way, const struct as_dw_die *die)
{
	if (die->linkage.form && !way->linkage) {
		struct as_slice linkage = as_dw_val_text(way->unit, &die->linkage);

		way->linkage = linkage.len != 0;
		if (way->linkage)
			way->func.name = linkage;
	}
	if (die->name.form && way->func.name.len == 0)
		way->func.name = as_dw_val_text(way->unit, &die->name);
	if (die->decl_file.form && !way->decl_unit) {
		way->decl_unit = way->unit;
		way->decl = die->decl_file.u;
	}
	way->declared |= die->decl_file.form || die->artificial.form;
	way->external |= die->external.form && die->external.u;
	return die->origin.form && !(way->linkage && way->decl_unit);
}

/* Follow the entry's references. What it refers to itself is TARGET, if that is not known. */
static struct way dw_name_follow(struct as_dw_namer *namer, const struct as_dw_unit *unit,
	uint64_t off, struct as_dw_known *target)
{
	struct way way = {.unit = unit, .off = off, .func = {{"", 0}, {"", 0}}};

	for (unsigned hop = 0; unit && hop < HOPS_MAX; hop++) {
		const struct as_dw_abbrevs *abbrevs = dw_name_abbrevs_of(namer, unit);
		struct as_dw_die die;

		if (!abbrevs || !as_dw_die_at(unit, abbrevs, off, &die))
			break;
		way.unit = unit;
		way.off = off;
		if (!dw_name_take(&way, &die))
			break;
		unit = as_dw_val_ref(unit, &die.origin, &off);
		if (hop == 0 && unit && !way.func.name.len && !way.decl_unit) {
			const struct as_dw_known *known = dw_name_known_at(namer, off);

			way.known = known->unit == unit && known->off == off;
			if (way.known) {
				way.func = known->func;
				break;
			}
			*target = (struct as_dw_known){.unit = unit, .off = off};
		}
	}
	return way;
}

/* The name that WAY has found, with what the function stands in, and its parameters where they tell
 * it from others: functions that other units can call have linkage names, or none of C++'s. */
static struct as_slice dw_name_full(
	struct as_dw_namer *namer, const struct way *way, const char *sep)
{
	struct as_slice name = way->func.name;

	if (way->linkage || !name.len || !sep || !as_dw_scopes_load(namer, &namer->func, way->unit))
		return name;
	name = as_dw_qualify(namer, &namer->func, name, way->off, sep);
	if (!namer->cxx || way->external || !way->declared)
		return name;
	return as_dw_with_params(namer, name, way->unit, way->off);
}

struct as_dw_func as_dw_func(struct as_dw_namer *namer, const struct as_dw_unit *unit, uint64_t off)
{
	struct as_dw_known target = {.unit = NULL};
	struct way way = dw_name_follow(namer, unit, off, &target);

	if (way.known)
		return way.func;
	namer->cxx = dw_name_is_cxx(unit);
	way.func.name = dw_name_full(namer, &way, dw_name_separator(unit));
	if (way.decl_unit)
		way.func.decl = as_dw_decl_path(namer, way.decl_unit, way.decl);
	if (target.unit) {
		target.func = way.func;
		*dw_name_known_at(namer, target.off) = target;
	}
	return way.func;
}

void as_dw_namer_init(struct as_dw_namer *namer, const struct as_alloc *al, struct as_arena *arena)
{
	*namer = (struct as_dw_namer){.al = al, .arena = arena};
	namer->near.al = namer->func.abbrevs.al = namer->type.abbrevs.al = namer->far_lines.al = al;
}
