/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/code.h"

enum {
	INSN_MAX = 16,          /* no machine's instructions are longer */
	FUNCTION_MAX = 4 << 20, /* bytes that are read as one function */
};

struct reader {
	struct as_code_list *out;
	const struct as_alloc *al;
	struct as_elf *elf;
	struct as_disasm *disasm;
	const struct as_code_query *query;
	uint64_t delta; /* link-time address less the profile's */
};

static bool vaddr_of(const struct reader *r, uint64_t addr, uint64_t *vaddr)
{
	*vaddr = addr;
	return !r->query->file_offsets || as_elf_vaddr(r->elf, addr, vaddr);
}

/* As many bytes of code as there are at VADDR, at most WANT. */
static size_t code_at(struct reader *r, uint64_t vaddr, size_t want, const uint8_t **code)
{
	for (; want; want /= 2) {
		*code = as_elf_code(r->elf, vaddr, want);
		if (*code)
			return want;
	}
	return 0;
}

/* A linkage name as people read it; what cannot be demangled stays. */
static struct as_slice readable(struct reader *r, struct as_slice name)
{
	struct as_slice s = as_demangle(&r->out->arena, name, r->query->names);

	return as_arena_dup(&r->out->arena, s.p ? s : name);
}

static void name_target(struct reader *r, struct as_code_insn *insn)
{
	struct as_elf_symbol sym;

	if (!insn->has_target || !as_elf_symbol_at(r->elf, insn->target + r->delta, &sym))
		return;
	insn->target_name = readable(r, sym.name);
	insn->target_off = insn->target + r->delta - sym.start;
}

static bool add_insn(struct reader *r, const struct as_insn *in)
{
	struct as_code_insn insn = {.addr = in->addr,
		.size = in->size,
		.is_jump = in->is_jump,
		.is_call = in->is_call,
		.has_target = in->has_target,
		.target = in->target,
		.text = as_arena_dup(&r->out->arena, as_slice_of(in->text))};

	if (!insn.text.p)
		return false;
	name_target(r, &insn);
	return as_vec_push(r->al, &r->out->insn, insn);
}

/* Instructions from VADDR up to LIMIT, or only the first. */
static bool disassemble(struct reader *r, uint64_t vaddr, uint64_t limit, bool one)
{
	size_t size = limit - vaddr < FUNCTION_MAX ? (size_t)(limit - vaddr) : FUNCTION_MAX;
	const uint8_t *code = NULL;
	struct as_insn in;

	size = code_at(r, vaddr, size, &code);
	while (as_disasm_next(r->disasm, code, size, vaddr - r->delta, &in)) {
		if (!add_insn(r, &in))
			return false;
		code += in.size;
		size -= in.size;
		vaddr += in.size;
		if (one)
			break;
	}
	return true;
}

static bool read_all(struct reader *r)
{
	const struct as_code_query *q = r->query;
	uint64_t done = 0, vaddr; /* DONE: end of what was read, as the profile counts */

	for (size_t i = 0; i < q->n; i++) {
		struct as_elf_symbol sym = {0};
		bool known;

		if ((i && q->addr[i] < done) || !vaddr_of(r, q->addr[i], &vaddr))
			continue;
		r->delta = vaddr - q->addr[i];
		known = as_elf_symbol_at(r->elf, vaddr, &sym) && sym.start <= vaddr &&
			sym.limit > vaddr;
		if (known && sym.start - r->delta < done && i)
			sym.start = done + r->delta; /* two names for one stretch */
		if (!disassemble(r, known ? sym.start : vaddr, known ? sym.limit : vaddr + INSN_MAX,
			    !known))
			return false;
		done = known ? sym.limit - r->delta : q->addr[i] + 1;
	}
	return true;
}

static enum as_code read_lines(struct reader *r, struct as_err *err)
{
	struct as_code_list *out = r->out;
	size_t n = out->insn.n;
	uint64_t *vaddr = as_arena_get(&out->arena, n * sizeof(*vaddr) + 1);
	struct as_symset set;
	enum as_code rc;

	if (!vaddr || !as_symset_init(&set, r->al))
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	for (size_t i = 0; i < n; i++) {
		bool ok = vaddr_of(r, out->insn.p[i].addr, &vaddr[i]);

		if (!ok || (i && vaddr[i] <= vaddr[i - 1]))
			n = 0; /* segments that overlap: not worth its names */
	}
	rc = n ? as_elf_lookup(r->elf, vaddr, n, true, &set, err) : AS_OK;
	for (size_t i = 0; i < n && rc == AS_OK && set.first.n == n + 1; i++) {
		const struct as_symframe *frame = &set.frame.p[set.first.p[i]];
		struct as_code_insn *insn = &out->insn.p[i];

		if (set.first.p[i] == set.first.p[i + 1])
			continue;
		if (set.first.p[i] + 1 < set.first.p[i + 1])
			insn->func = readable(r, as_strings_get(&set.str, frame->name));
		insn->file = as_arena_dup(&out->arena, as_strings_get(&set.str, frame->file));
		insn->line = frame->line;
	}
	as_symset_release(&set);
	return rc;
}

enum as_code as_code_read(struct as_code_list *out, const struct as_alloc *al, struct as_elf *elf,
	const struct as_code_query *query, struct as_err *err)
{
	struct reader r = {.out = out, .al = al, .elf = elf, .query = query};
	bool ok;

	*out = (struct as_code_list){.al = al};
	as_arena_init(&out->arena, al);
	AS_TRY(as_disasm_open(
		&r.disasm, al, as_elf_machine(elf), as_elf_big_endian(elf), query->intel, err));
	ok = read_all(&r);
	as_disasm_close(r.disasm);
	if (!ok)
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	return read_lines(&r, err);
}

void as_code_list_release(struct as_code_list *list)
{
	if (!list->al)
		return;
	as_vec_free(list->al, &list->insn);
	as_arena_release(&list->arena);
}
