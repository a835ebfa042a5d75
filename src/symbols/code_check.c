/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/code_check.h"

#include "symbols/disasm.h"
#include "symbols/names/demangle.h"

enum {
	FUNCTION_MAX = 4 << 20, /* bytes of one function that are looked at */
	DATA_REACH = 32,        /* bytes behind data in which instructions may be read wrongly */
	LOCK_PREFIX = 0xf0,     /* of x86: glibc jumps over it where there is one thread */
	ODD_INSN = 1000,        /* one address in so many may be odd without proving anything */
	ODD_FUNC = 20,          /* assembly may jump into a neighbour's middle */
};

struct checker {
	struct as_elf *elf;
	struct as_disasm *disasm;
	const struct as_code_claim *claim;
	size_t n;
	struct as_code_verdict *out;
	struct as_arena arena;
	struct as_strings names; /* of the claims' functions, then others */
	size_t n_names;
	struct {
		uint64_t n_elsewhere; /* claims in functions of another name, which others have */
		bool has_symbol;
	} * function; /* of each of the names */
};

/* ---- functions ---- */

static bool code_check_add_names(struct checker *c)
{
	for (size_t i = 0; i < c->n; i++) {
		as_str s;

		if (i && c->claim[i].func.p == c->claim[i - 1].func.p)
			continue;
		if (!as_strings_add(&c->names, c->claim[i].func, &s))
			return false;
	}
	c->n_names = c->names.row.n;
	return as_arena_array(&c->arena, &c->function, c->n_names);
}

/* Claims FROM to TO, of which the symbol table says that they are in SYM. */
static bool compare_names(
	struct checker *c, size_t from, size_t to, const struct as_elf_symbol *sym)
{
	struct as_slice readable = as_demangle(&c->arena, sym->name, AS_NAMES_FULL);
	as_str name, other, own; /* at least n_names if no claim has it */
	bool claimed = false;

	if (!readable.p || !as_strings_add(&c->names, sym->name, &name) ||
		!as_strings_add(&c->names, readable, &other))
		return false;
	if (name.i < c->n_names)
		claimed = c->function[name.i].has_symbol = true;
	if (other.i < c->n_names)
		claimed = c->function[other.i].has_symbol = true;
	for (size_t i = from; i < to && claimed; i++) {
		if (!as_strings_add(&c->names, c->claim[i].func, &own))
			return false;
		c->function[own.i].n_elsewhere += own.i && own.i != name.i && own.i != other.i;
	}
	return true;
}

/* Only functions that the symbol table has at other claims count: one that it does not have may
 * have been inlined. */
static void sum_elsewhere(struct checker *c)
{
	for (size_t i = 1; i < c->n_names; i++)
		if (c->function[i].has_symbol)
			c->out->n_elsewhere += c->function[i].n_elsewhere;
}

/* ---- instructions ---- */

/* Whether CLAIM, which lies inside of INSN, whose bytes are CODE, may be meant all the same. */
static bool is_excused(
	const struct as_code_claim *claim, const struct as_insn *insn, const uint8_t *code)
{
	if (claim->call_only && insn->is_call && claim->addr == insn->addr + insn->size - 1)
		return true;
	return code[0] == LOCK_PREFIX && claim->addr == insn->addr + 1;
}

/* Claims FROM to TO, which are inside of SYM. */
static void compare_code(struct checker *c, size_t from, size_t to, const struct as_elf_symbol *sym)
{
	uint64_t size = sym->limit - sym->start, addr = sym->start, unsure = 0;
	const uint8_t *code = as_elf_code(c->elf, addr, size);
	struct as_insn insn;
	size_t i = from;

	if (!code || size > FUNCTION_MAX) { /* its size is wrong, or too much */
		for (i = from; i < to; i++)
			c->out->n_no_insn += !as_elf_code(c->elf, c->claim[i].addr, 1);
		return;
	}
	while (i < to && as_disasm_next(c->disasm, code, size, addr, &insn)) {
		if (insn.is_data)
			unsure = addr + DATA_REACH;
		for (; i < to && c->claim[i].addr < addr + insn.size; i++)
			c->out->n_no_insn += c->claim[i].addr != addr && addr >= unsure &&
					     !is_excused(&c->claim[i], &insn, code);
		addr += insn.size;
		code += insn.size;
		size -= insn.size;
	}
}

/* ADDR is in SYM, not in a function that lies inside of it. */
static bool is_in(struct as_elf *elf, uint64_t addr, const struct as_elf_symbol *sym)
{
	struct as_elf_symbol own;

	return as_elf_symbol_at(elf, addr, &own) && own.start == sym->start;
}

static bool check_all(struct checker *c)
{
	for (size_t i = 0, next; i < c->n; i = next) {
		uint64_t addr = c->claim[i].addr;
		struct as_elf_symbol sym;

		next = i + 1;
		if (!as_elf_symbol_at(c->elf, addr, &sym) || sym.start > addr ||
			sym.limit <= addr) { /* nobody knows where its code begins */
			c->out->n_no_insn += !as_elf_code(c->elf, addr, 1);
			continue;
		}
		while (next < c->n && c->claim[next].addr < sym.limit &&
			is_in(c->elf, c->claim[next].addr, &sym))
			next++;
		compare_code(c, i, next, &sym);
		if (!as_slice_ends(sym.name, "@plt") && !compare_names(c, i, next, &sym))
			return false;
	}
	return true;
}

enum as_code as_code_check(struct as_elf *elf, const struct as_alloc *al,
	const struct as_code_claim *claim, size_t n, struct as_code_verdict *out,
	struct as_err *err)
{
	struct checker c = {.elf = elf, .claim = claim, .n = n, .out = out};
	bool ok;

	*out = (struct as_code_verdict){.n = n};
	AS_TRY(as_disasm_open(
		&c.disasm, al, as_elf_facts(elf)->machine, as_elf_facts(elf)->big, false, err));
	as_arena_init(&c.arena, al);
	ok = as_strings_init(&c.names, &c.arena) && code_check_add_names(&c) && check_all(&c);
	if (ok)
		sum_elsewhere(&c);
	as_strings_release(&c.names);
	as_arena_release(&c.arena);
	as_disasm_close(c.disasm);
	return ok ? AS_OK : as_err_no_memory(err);
}

struct as_slice as_code_verdict_text(
	const struct as_code_verdict *v, struct as_slice path, struct as_arena *arena)
{
	static const char start[] = "is not the binary that was recorded";

	if (v->n_no_insn && v->n_no_insn * ODD_INSN >= v->n)
		return as_arena_printf(arena,
			"%.*s %s: %" PRIu64 " of %" PRIu64
			" costed addresses are no beginnings of instructions",
			AS_SLICE_FMT(path), start, v->n_no_insn, v->n);
	if (v->n_elsewhere && v->n_elsewhere * ODD_FUNC >= v->n)
		return as_arena_printf(arena,
			"%.*s %s: %" PRIu64 " of %" PRIu64
			" costed addresses are in other functions there",
			AS_SLICE_FMT(path), start, v->n_elsewhere, v->n);
	return as_slice_of("");
}
