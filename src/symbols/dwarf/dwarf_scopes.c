/* SPDX-License-Identifier: Apache-2.0 */
/* What the entries of a unit stand in, and names with it. */
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>

#include "formats/format.h"

enum { DEPTH_MAX = 4096, NAME_MAX = UINT16_MAX };

static bool is_class(uint16_t tag)
{
	switch (tag) {
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
	case DW_TAG_interface_type:
		return true;
	}
	return false;
}

/* Functions, too: there may be classes with functions in them. */
static bool is_container(uint16_t tag)
{
	return is_class(tag) || tag == DW_TAG_namespace || tag == DW_TAG_module ||
	       tag == DW_TAG_subprogram;
}

/* A stretch of entries that is gone through. */
struct scan {
	struct as_dw_scopes *s;
	struct as_dw_cur cur;
	uint32_t inside; /* row + 1 of the container around CUR */
	AS_VEC(uint32_t) stack;
};

/* The entry at OFF, behind whose code the cursor is. False if out of memory. */
static bool dw_scopes_entry(struct scan *sc, const struct as_dw_abbrev *ab, uint64_t off)
{
	struct as_dw_scopes *s = sc->s;
	struct as_dw_container c = {.off = off, .parent = sc->inside, .tag = ab->tag};
	struct as_dw_die die;

	c.end = UINT64_MAX;
	if (!ab->children || !is_container(ab->tag)) {
		as_dw_values_skip(s->unit, &s->abbrevs, &sc->cur, ab);
		return !ab->children || as_vec_push(s->abbrevs.al, &sc->stack, sc->inside);
	}
	(void)as_dw_die_read(s->unit, &sc->cur, as_dw_attrs(&s->abbrevs, ab), ab->n, &die);
	c.name = as_dw_val_text(s->unit, &die.name);
	if (!die.name.form && ab->tag == DW_TAG_namespace)
		c.name = as_slice_of("(anonymous namespace)");
	if (ab->tag == DW_TAG_subprogram && die.sibling.u > die.next &&
		die.sibling.u < s->unit->end) {
		c.end = die.sibling.u;
		c.closed = die.next;
		sc->cur.p = s->unit->file->sec[AS_DW_INFO].p + c.end;
	}
	if (s->container.n >= UINT32_MAX || !as_vec_push(s->abbrevs.al, &s->container, c))
		return false;
	if (c.closed)
		return true;
	if (!as_vec_push(s->abbrevs.al, &sc->stack, sc->inside))
		return false;
	sc->inside = (uint32_t)s->container.n;
	return true;
}

/* Add the containers from FROM up to END, those in INSIDE, in the order of their offsets. Functions
 * are not looked into. False if out of memory. */
static bool find_containers(struct as_dw_scopes *s, uint64_t from, uint64_t end, uint32_t inside)
{
	const uint8_t *info = s->unit->file->sec[AS_DW_INFO].p;
	struct scan sc = {.s = s, .inside = inside};
	bool ok = true;

	sc.cur = as_dw_bytes_at(s->unit->file, AS_DW_INFO, from, end);
	while (ok && sc.cur.p < sc.cur.end && sc.stack.n < DEPTH_MAX) {
		uint64_t off = (uint64_t)(sc.cur.p - info), code = as_dw_uleb(&sc.cur);
		const struct as_dw_abbrev *ab = as_dw_abbrev_find(&s->abbrevs, code);

		if (code == 0 && sc.stack.n) {
			uint32_t left = sc.inside;

			sc.inside = sc.stack.p[--sc.stack.n];
			if (left != sc.inside)
				s->container.p[left - 1].end = off;
		} else if (!ab) {
			break;
		} else {
			ok = dw_scopes_entry(&sc, ab, off);
		}
	}
	as_vec_free(s->abbrevs.al, &sc.stack);
	return ok;
}

/* Where row + 1 number ROW comes to be when N rows are put behind those up to number AT, which are
 * now the last ones, from LAST on. */
static uint32_t dw_scopes_moved(uint32_t row, uint32_t at, uint32_t last, uint32_t n)
{
	if (row <= at)
		return row;
	return row > last ? row - last + at : row + n;
}

/* Look into function C after all. */
static bool open_func(struct as_dw_namer *namer, struct as_dw_scopes *s, uint32_t c)
{
	struct as_dw_container *row = &s->container.p[c - 1], *copy;
	uint32_t last = (uint32_t)s->container.n, n;
	uint64_t from = row->closed;

	row->closed = 0;
	if (!as_dw_spend(namer, row->end - from + last))
		return true;
	if (!find_containers(s, from, row->end, c))
		return false;
	n = (uint32_t)s->container.n - last;
	if (!n)
		return true;
	copy = as_arena_get(namer->arena, n * sizeof(*copy));
	if (!copy)
		return false;
	row = s->container.p;
	memcpy(copy, row + last, n * sizeof(*copy));
	memmove(row + c + n, row + c, (last - c) * sizeof(*row));
	memcpy(row + c, copy, n * sizeof(*copy));
	for (size_t i = c; i < s->container.n; i++)
		row[i].parent = dw_scopes_moved(row[i].parent, c, last, n);
	return true;
}

bool as_dw_scopes_load(
	struct as_dw_namer *namer, struct as_dw_scopes *scopes, const struct as_dw_unit *unit)
{
	bool fits = as_dw_abbrevs_fit(&scopes->abbrevs, unit);

	if (scopes->unit == unit)
		return true;
	scopes->unit = NULL;
	scopes->container.n = 0;
	if (!as_dw_abbrevs_load(&scopes->abbrevs, unit)) {
		namer->nomem = true;
		return false;
	}
	if (!as_dw_spend(namer, unit->end - unit->off + (fits ? 0 : scopes->abbrevs.attr.n)))
		return false;
	scopes->unit = unit;
	namer->nomem |= !find_containers(scopes, unit->die, unit->end, 0);
	if (namer->nomem)
		scopes->unit = NULL;
	return !namer->nomem;
}

/* The row + 1 of the innermost container around OFF of those that are known, 0 if there is none. */
static uint32_t dw_scopes_known_at(const struct as_dw_scopes *s, uint64_t off)
{
	uint32_t c = (uint32_t)as_rows_below(s->container.p, s->container.n, off, off);

	for (; c; c = s->container.p[c - 1].parent)
		if (off < s->container.p[c - 1].end)
			break;
	return c;
}

/* The row + 1 of the innermost container around OFF, 0 if there is none. */
static uint32_t container_at(struct as_dw_namer *namer, struct as_dw_scopes *s, uint64_t off)
{
	uint32_t c = dw_scopes_known_at(s, off);

	while (c && s->container.p[c - 1].closed) {
		namer->nomem |= !open_func(namer, s, c);
		c = dw_scopes_known_at(s, off);
	}
	return c;
}

struct as_slice as_dw_unnamed(
	struct as_dw_namer *namer, const struct as_dw_unit *unit, const struct as_dw_die *die)
{
	struct as_slice file = {"", 0}, name;

	if (die->decl_file.form)
		file = as_dw_decl_path(namer, unit, die->decl_file.u);
	file = as_base_name(file);
	name = as_arena_printf(namer->arena, "{unnamed#%.*s:%" PRIu64 ":%" PRIu64 "}",
		AS_SLICE_FMT(file), die->decl_line.u, die->decl_column.u);
	namer->nomem |= !name.p;
	return name.p ? name : (struct as_slice){"", 0};
}

/* What container C adds to the name of something in it; OUTSIDE: of a class in it. */
static struct as_slice dw_scopes_part_of(
	struct as_dw_namer *namer, struct as_dw_scopes *s, uint32_t c, bool outside)
{
	struct as_dw_container *row = &s->container.p[c - 1];
	struct as_dw_die die;

	if (row->tag == DW_TAG_subprogram && !(outside && namer->cxx))
		return (struct as_slice){"", 0};
	if (!row->name.len && is_class(row->tag) &&
		as_dw_die_at(s->unit, &s->abbrevs, row->off, &die))
		row->name = as_dw_unnamed(namer, s->unit, &die);
	return row->name;
}

struct as_slice as_dw_qualify(struct as_dw_namer *namer, struct as_dw_scopes *s,
	struct as_slice name, uint64_t off, const char *sep)
{
	uint32_t inner = container_at(namer, s, off);
	size_t len = name.len, at, n_sep = strlen(sep);
	struct as_slice part;
	char *p;

	for (uint32_t c = inner; c; c = s->container.p[c - 1].parent) {
		part = dw_scopes_part_of(namer, s, c, len > name.len);
		len += part.len ? part.len + n_sep : 0;
	}
	if (len == name.len || len > NAME_MAX)
		return name;
	p = as_arena_get(namer->arena, len);
	if (!p) {
		namer->nomem = true;
		return name;
	}
	at = len - name.len;
	memcpy(p + at, name.p, name.len);
	for (uint32_t c = inner; c; c = s->container.p[c - 1].parent) {
		part = dw_scopes_part_of(namer, s, c, at + name.len < len);
		if (!part.len)
			continue;
		at -= n_sep;
		memcpy(p + at, sep, n_sep);
		at -= part.len;
		memcpy(p + at, part.p, part.len);
	}
	return (struct as_slice){p, len};
}
