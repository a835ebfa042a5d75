/* SPDX-License-Identifier: Apache-2.0 */
/* A unit's tree of entries, gone through once, for all the addresses in it. */
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>

enum { DEPTH_MAX = 4096 };

/* The stack's entry for what holds none of the addresses. */
#define DEAD UINT32_MAX

/* Give the addresses in DIE's ranges to scope number ID. How many there were. */
static size_t dw_walk_claim(struct as_dw_walk *walk, const struct as_dw_die *die, uint32_t id)
{
	struct as_dw_ranges it;
	struct as_dw_range range;
	size_t found = 0;

	as_dw_ranges_of(&it, walk->unit, die);
	while (*walk->budget && as_dw_ranges_next(&it, &range)) {
		*walk->budget -= 1;
		if (range.limit <= walk->addr[0] || range.start > walk->addr[walk->n - 1])
			continue;
		for (size_t i = as_numbers_below(walk->addr, walk->n, range.start);
			i < walk->n && walk->addr[i] < range.limit; i++) {
			walk->in[i] = id;
			found++;
		}
	}
	*walk->budget -= *walk->budget > found ? found : *walk->budget;
	return found;
}

/* A function or an inlined call that has addresses. What its children are in: its own scope, if
 * it holds an address that is asked for; or if it may: version 2 has no ranges, and gives the first
 * piece only of a call that is in several. */
static bool code_entry(
	struct as_dw_walk *walk, const struct as_dw_die *die, uint64_t off, uint32_t *inside)
{
	struct as_dw_scope scope = {.off = off, .parent = *inside};
	size_t id = walk->scope.n + 1;

	if (id >= DEAD || (!dw_walk_claim(walk, die, (uint32_t)id) && walk->unit->version > 2)) {
		*inside = DEAD;
		return true;
	}
	scope.inlined = die->tag == DW_TAG_inlined_subroutine;
	scope.call_file = die->call_file.u;
	scope.call_line = die->call_line.u > UINT32_MAX ? 0 : (uint32_t)die->call_line.u;
	if (scope.parent == DEAD)
		scope.parent = 0;
	*inside = (uint32_t)id;
	return as_vec_push(walk->al, &walk->scope, scope);
}

/* Skip the values, and remember where the next sibling is: 0, if it does not say. */
static uint64_t skip_to_children(
	const struct as_dw_walk *walk, struct as_dw_cur *cur, const struct as_dw_abbrev *ab)
{
	const struct as_dw_attr *attr = as_dw_attrs(walk->abbrevs, ab);
	struct as_dw_val val = {.u = 0};

	for (uint32_t i = 0; i < ab->n; i++) {
		if (attr[i].name == DW_AT_sibling)
			(void)as_dw_val_read(walk->unit, cur, &attr[i], &val);
		else
			as_dw_val_skip(walk->unit, cur, &attr[i]);
	}
	return val.u;
}

/* Whether there can be code of interest below an entry of this kind, in scope INSIDE. Types have
 * none, but for those in functions: gcc puts the code of lambdas there. */
static bool worth_a_look(const struct as_dw_walk *walk, enum as_dw_kind kind, uint32_t inside)
{
	if (kind == AS_DW_TYPE)
		return walk->thorough && walk->in_func;
	return walk->thorough || (kind != AS_DW_FUNC_DECL && inside != DEAD);
}

/* The entry at CUR, whose code has been read. False if out of memory. */
static bool dw_walk_entry(
	struct as_dw_walk *walk, struct as_dw_cur *cur, const struct as_dw_abbrev *ab, uint64_t off)
{
	const uint8_t *info = walk->unit->file->sec[AS_DW_INFO].p;
	uint32_t inside = walk->stack.p[walk->stack.n - 1];
	uint64_t sibling = 0;

	if (ab->kind == AS_DW_CODE && (inside != DEAD || walk->thorough)) {
		struct as_dw_die die;

		(void)as_dw_die_read(walk->unit, cur, as_dw_attrs(walk->abbrevs, ab), ab->n, &die);
		die.tag = ab->tag;
		sibling = die.sibling.u;
		if (!cur->bad && !code_entry(walk, &die, off, &inside))
			return false;
	} else if (ab->sibling && ab->children && ab->kind != AS_DW_PLAIN) {
		sibling = skip_to_children(walk, cur, ab);
	} else {
		as_dw_values_skip(walk->unit, walk->abbrevs, cur, ab);
	}
	if (!ab->children || cur->bad)
		return true;
	if (!worth_a_look(walk, ab->kind, inside)) {
		if (sibling > (uint64_t)(cur->p - info) && sibling < walk->unit->end) {
			cur->p = info + sibling;
			return true;
		}
		if (!walk->thorough)
			inside = DEAD;
	}
	if (walk->stack.n > DEPTH_MAX) {
		as_dw_fail(cur);
		return true;
	}
	if (!walk->in_func && (ab->kind == AS_DW_CODE || ab->kind == AS_DW_FUNC_DECL))
		walk->in_func = walk->stack.n + 1;
	return as_vec_push(walk->al, &walk->stack, inside);
}

bool as_dw_walk(struct as_dw_walk *walk)
{
	const struct as_dw_unit *unit = walk->unit;
	const uint8_t *info = unit->file->sec[AS_DW_INFO].p;
	struct as_dw_cur cur = as_dw_entries_at(unit, unit->die);

	as_assert(unit && walk->budget);
	walk->stack.n = walk->scope.n = walk->in_func = 0;
	memset(walk->in, 0, walk->n * sizeof(*walk->in));
	if (!walk->n || !as_vec_push(walk->al, &walk->stack, 0))
		return !walk->n;
	while (walk->stack.n && cur.p < cur.end && *walk->budget) {
		uint64_t off = (uint64_t)(cur.p - info), code = as_dw_uleb(&cur);
		const struct as_dw_abbrev *ab;

		*walk->budget -= 1;
		if (code == 0) {
			walk->stack.n--;
			if (walk->stack.n < walk->in_func)
				walk->in_func = 0;
			continue;
		}
		ab = as_dw_abbrev_find(walk->abbrevs, code);
		if (!ab) {
			as_dw_fail(&cur);
			break;
		}
		if (!dw_walk_entry(walk, &cur, ab, off))
			return false;
		if (walk->stack.n == 1 && !ab->children)
			break; /* a unit of one entry */
	}
	walk->damaged |= cur.bad || !*walk->budget;
	return true;
}
