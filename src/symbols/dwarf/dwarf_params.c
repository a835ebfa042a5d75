/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parameters of functions in C++, worded as a demangler does: "(int, char const*)". A function that
 * is inlined wherever it is called may have no linkage name; its overloads are told apart by these.
 */
#include "symbols/dwarf/dwarf_info.h"

#include <dwarf.h>

enum { TEXT_MAX = 4096, DEPTH_MAX = 24 };

struct params {
	struct as_dw_namer *namer;
	char text[TEXT_MAX];
	size_t n;
	bool too_long;
};

/* An entry that a value refers to. */
struct entry {
	const struct as_dw_unit *unit;
	uint64_t off;
	struct as_dw_die die;
};

static void dw_params_put(struct params *p, struct as_slice s)
{
	if (s.len > TEXT_MAX - p->n) {
		p->too_long = true;
		return;
	}
	if (s.len)
		memcpy(p->text + p->n, s.p, s.len);
	p->n += s.len;
}

static void dw_params_put_text(struct params *p, const char *text)
{
	dw_params_put(p, as_slice_of(text));
}

static const struct as_dw_abbrevs *dw_params_abbrevs_of(
	struct params *p, const struct as_dw_unit *unit)
{
	struct as_dw_namer *namer = p->namer;

	if (as_dw_abbrevs_fit(&namer->near, unit))
		return &namer->near;
	if (as_dw_abbrevs_fit(&namer->func.abbrevs, unit))
		return &namer->func.abbrevs;
	return as_dw_scopes_load(namer, &namer->type, unit) ? &namer->type.abbrevs : NULL;
}

static bool dw_params_entry_of(struct params *p, const struct as_dw_unit *unit,
	const struct as_dw_val *val, struct entry *out)
{
	const struct as_dw_abbrevs *abbrevs;

	out->unit = as_dw_val_ref(unit, val, &out->off);
	if (!out->unit || !as_dw_spend(p->namer, 1))
		return false;
	abbrevs = dw_params_abbrevs_of(p, out->unit);
	return abbrevs && as_dw_die_at(out->unit, abbrevs, out->off, &out->die);
}

/* Demanglers leave out the "int" of compilers' names. */
static const char *short_base(struct as_slice name)
{
	static const char *const names[][2] = {{"short int", "short"},
		{"short unsigned int", "unsigned short"}, {"long int", "long"},
		{"long unsigned int", "unsigned long"}, {"long long int", "long long"},
		{"long long unsigned int", "unsigned long long"}};

	for (size_t i = 0; i < AS_ARRAY_LEN(names); i++)
		if (as_slice_is(name, names[i][0]))
			return names[i][1];
	return NULL;
}

/* The name of the type at E, with what it stands in. */
static void put_named(struct params *p, const struct entry *e)
{
	struct as_dw_namer *namer = p->namer;
	struct as_dw_scopes *scopes = &namer->func;
	struct as_slice name = as_dw_val_text(e->unit, &e->die.name);

	if (!name.len)
		name = as_dw_unnamed(namer, e->unit, &e->die);
	if (scopes->unit != e->unit)
		scopes = &namer->type;
	if (as_dw_scopes_load(namer, scopes, e->unit))
		name = as_dw_qualify(namer, scopes, name, e->off, "::");
	dw_params_put(p, name);
}

static void dw_params_put_type(
	struct params *p, const struct as_dw_unit *unit, const struct as_dw_val *val, int depth);
static void put_params(struct params *p, const struct entry *func, int depth);

/* A type and what is made of it: "char const" and "*". */
static void put_derived(struct params *p, const struct entry *e, const char *mark, int depth)
{
	struct entry to;

	if (!e->die.type.form || !dw_params_entry_of(p, e->unit, &e->die.type, &to) ||
		to.die.tag != DW_TAG_subroutine_type) {
		dw_params_put_type(p, e->unit, &e->die.type, depth);
		dw_params_put_text(p, mark);
		return;
	}
	dw_params_put_type(p, to.unit, &to.die.type, depth);
	dw_params_put_text(p, " (");
	dw_params_put_text(p, mark);
	dw_params_put_text(p, ")");
	put_params(p, &to, depth);
}

/* "typedef struct { ... } T;" makes T its name. */
static bool names_the_unnamed(struct params *p, const struct entry *e)
{
	struct entry to;

	if (!dw_params_entry_of(p, e->unit, &e->die.type, &to) || to.die.name.form)
		return false;
	return to.die.tag == DW_TAG_structure_type || to.die.tag == DW_TAG_class_type ||
	       to.die.tag == DW_TAG_union_type || to.die.tag == DW_TAG_enumeration_type;
}

static void dw_params_put_entry(struct params *p, const struct entry *e, int depth)
{
	static const struct {
		uint16_t tag;
		const char *mark;
	} derived[] = {{DW_TAG_const_type, " const"}, {DW_TAG_volatile_type, " volatile"},
		{DW_TAG_pointer_type, "*"}, {DW_TAG_reference_type, "&"},
		{DW_TAG_rvalue_reference_type, "&&"}, {DW_TAG_array_type, " []"},
		{DW_TAG_ptr_to_member_type, " ::*"}};
	const char *base;

	for (size_t i = 0; i < AS_ARRAY_LEN(derived); i++)
		if (derived[i].tag == e->die.tag) {
			put_derived(p, e, derived[i].mark, depth);
			return;
		}
	switch (e->die.tag) {
	case DW_TAG_base_type:
		base = short_base(as_dw_val_text(e->unit, &e->die.name));
		dw_params_put(p, base ? as_slice_of(base) : as_dw_val_text(e->unit, &e->die.name));
		break;
	case DW_TAG_subroutine_type:
		dw_params_put_type(p, e->unit, &e->die.type, depth);
		dw_params_put_text(p, " ");
		put_params(p, e, depth);
		break;
	case DW_TAG_typedef:
		if (names_the_unnamed(p, e))
			put_named(p, e);
		else
			dw_params_put_type(p, e->unit, &e->die.type, depth);
		break;
	default:
		put_named(p, e);
	}
}

static void dw_params_put_type(
	struct params *p, const struct as_dw_unit *unit, const struct as_dw_val *val, int depth)
{
	struct entry e;

	if (!val->form)
		dw_params_put_text(p, "void");
	else if (depth >= DEPTH_MAX || p->too_long || !dw_params_entry_of(p, unit, val, &e))
		dw_params_put_text(p, "?"); /* the entry is damaged, or in a unit of types */
	else
		dw_params_put_entry(p, &e, depth + 1);
}

/* A parameter's own "const" is no part of the function. */
static void put_param(
	struct params *p, const struct as_dw_unit *unit, const struct as_dw_die *die, int depth)
{
	struct entry e;

	if (die->type.form && dw_params_entry_of(p, unit, &die->type, &e) &&
		(e.die.tag == DW_TAG_const_type || e.die.tag == DW_TAG_volatile_type))
		dw_params_put_type(p, e.unit, &e.die.type, depth);
	else
		dw_params_put_type(p, unit, &die->type, depth);
}

/* Whether DIE is "this" of a function that does not change it. */
static bool is_const_this(
	struct params *p, const struct as_dw_unit *unit, const struct as_dw_die *die)
{
	struct entry to;

	if (!die->artificial.form || !dw_params_entry_of(p, unit, &die->type, &to))
		return false;
	if (to.die.tag == DW_TAG_const_type && !dw_params_entry_of(p, to.unit, &to.die.type, &to))
		return false;
	return to.die.tag == DW_TAG_pointer_type &&
	       dw_params_entry_of(p, to.unit, &to.die.type, &to) && to.die.tag == DW_TAG_const_type;
}

/* What comes behind the parameters. */
static bool is_body(uint16_t tag)
{
	return tag == DW_TAG_variable || tag == DW_TAG_lexical_block || tag == DW_TAG_label ||
	       tag == DW_TAG_inlined_subroutine;
}

/* The entries below a function. */
struct below {
	const struct as_dw_unit *unit;
	struct as_dw_cur cur;
	unsigned level, pack; /* PACK: parameters are on level 1, those of a template's "..." */
};

/* The next entry, its tag in OUT->tag: 0 at the end of a level. False at the end of all. */
static bool next_entry(struct params *p, struct below *b, struct as_dw_die *out)
{
	/* Found anew each time: types may be in other units. */
	const struct as_dw_abbrevs *abbrevs = dw_params_abbrevs_of(p, b->unit);
	const struct as_dw_abbrev *ab;
	uint64_t code;

	if (!abbrevs || b->cur.p >= b->cur.end || !as_dw_spend(p->namer, 1))
		return false;
	code = as_dw_uleb(&b->cur);
	ab = as_dw_abbrev_find(abbrevs, code);
	out->tag = 0;
	out->children = false;
	if (code == 0)
		return b->level-- > 0;
	if (!ab || !as_dw_die_read(b->unit, &b->cur, as_dw_attrs(abbrevs, ab), ab->n, out))
		return false;
	out->tag = ab->tag;
	b->level += ab->children;
	out->children = ab->children;
	return true;
}

static bool next_param(struct params *p, struct below *b, struct as_dw_die *out)
{
	while (next_entry(p, b, out)) {
		unsigned level = b->level - out->children;

		if (out->tag == 0 && b->level == 0)
			b->pack = 0;
		if (out->tag == DW_TAG_GNU_formal_parameter_pack && level == 0)
			b->pack = 1;
		if (out->tag == 0 || level != b->pack)
			continue;
		if (is_body(out->tag))
			return false;
		if (out->tag == DW_TAG_formal_parameter ||
			out->tag == DW_TAG_unspecified_parameters)
			return true;
	}
	return false;
}

static void put_params(struct params *p, const struct entry *func, int depth)
{
	const struct as_dw_unit *unit = func->unit;
	struct below b = {.unit = unit, .cur = as_dw_entries_at(unit, func->die.next)};
	bool constant = false;
	struct as_dw_die die;
	unsigned n = 0;

	dw_params_put_text(p, "(");
	while (func->die.children && next_param(p, &b, &die)) {
		constant |= n == 0 && is_const_this(p, unit, &die);
		if (die.artificial.form)
			continue;
		dw_params_put_text(p, n++ ? ", " : "");
		if (die.tag == DW_TAG_formal_parameter)
			put_param(p, unit, &die, depth);
		else
			dw_params_put_text(p, "...");
	}
	dw_params_put_text(p, constant ? ") const" : ")");
}

struct as_slice as_dw_with_params(struct as_dw_namer *namer, struct as_slice name,
	const struct as_dw_unit *unit, uint64_t off)
{
	struct params p = {.namer = namer};
	struct entry func = {.unit = unit, .off = off};
	const struct as_dw_abbrevs *abbrevs = dw_params_abbrevs_of(&p, unit);
	struct as_slice full;

	if (!abbrevs || !as_dw_die_at(unit, abbrevs, off, &func.die))
		return name;
	dw_params_put(&p, name);
	put_params(&p, &func, 0);
	if (p.too_long)
		return name;
	full = as_arena_dup(namer->arena, (struct as_slice){p.text, p.n});
	namer->nomem |= !full.p;
	return full.p ? full : name;
}
