/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/code.h"

#include "base/pool.h"
#include "base/sort.h"

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

static bool vaddr_of(struct as_elf *elf, bool file_offset, uint64_t addr, uint64_t *vaddr)
{
	*vaddr = addr;
	return !file_offset || as_elf_vaddr(elf, addr, vaddr);
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
static struct as_slice code_readable(struct as_code_list *list, struct as_slice name)
{
	struct as_slice s = as_demangle(&list->arena, name, list->names);

	return as_arena_dup(&list->arena, s.p ? s : name);
}

static void code_name_target(struct reader *r, struct as_code_insn *insn)
{
	struct as_elf_symbol sym;

	if (!insn->has_target || !as_elf_symbol_at(r->elf, insn->target + r->delta, &sym))
		return;
	insn->target_name = code_readable(r->out, sym.name);
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
	code_name_target(r, &insn);
	return as_vec_push(r->al, &r->out->insn, insn);
}

/* Instructions from VADDR up to LIMIT. */
static bool code_disassemble(struct reader *r, uint64_t vaddr, uint64_t limit)
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
	}
	return true;
}

/* ---- code of no known function ---- */

static bool code_decode(struct reader *r, uint64_t addr, size_t want, struct as_insn *in)
{
	const uint8_t *code = NULL;
	size_t size = code_at(r, addr + r->delta, want, &code);

	return as_disasm_next(r->disasm, code, size, addr, in);
}

/* Where the call begins whose last byte is at ADDR; ADDR if there is none. */
static uint64_t call_start(struct reader *r, uint64_t addr)
{
	static const uint8_t before[] = {4, 3, 5, 6, 2, 1}; /* the commonest first */
	struct as_insn in;

	for (size_t i = 0; i < AS_ARRAY_LEN(before); i++)
		if (addr >= before[i] && code_decode(r, addr - before[i], before[i] + 1u, &in) &&
			in.is_call && in.size == before[i] + 1u)
			return in.addr;
	return addr;
}

static bool code_is_caller(const struct as_code_query *q, size_t i)
{
	return q->caller && q->caller[i];
}

static bool in_function(struct reader *r, uint64_t addr)
{
	struct as_elf_symbol sym;

	return as_elf_function_at(r->elf, addr + r->delta, &sym);
}

/*
 * Instructions from address number I on, as far as the next one is within reach. Nobody says where
 * they begin but the addresses themselves, so reading starts anew at one that it would step over.
 */
static bool read_stretch(struct reader *r, size_t i, uint64_t *done)
{
	const struct as_code_query *q = r->query;
	uint64_t at = code_is_caller(q, i) ? call_start(r, q->addr[i]) : q->addr[i];
	struct as_insn in;

	if (at < *done)
		at = q->addr[i] + 1;
	*done = q->addr[i] + 1;
	for (size_t k = i;;) {
		while (k < q->n && q->addr[k] < at)
			k++;
		if (k == q->n || (k > i && q->addr[k] - q->addr[k - 1] > q->reach) ||
			in_function(r, at) || !code_decode(r, at, INSN_MAX, &in))
			return true;
		if (q->addr[k] > at && q->addr[k] < at + in.size && !code_is_caller(q, k)) {
			at = q->addr[k];
			continue;
		}
		if (!add_insn(r, &in))
			return false;
		at += in.size;
		*done = at > *done ? at : *done;
	}
}

static bool code_read_all(struct reader *r)
{
	const struct as_code_query *q = r->query;
	uint64_t done = 0, vaddr; /* DONE: end of what was read, as the profile counts */

	for (size_t i = 0; i < q->n; i++) {
		struct as_elf_symbol sym = {0};

		if ((i && q->addr[i] < done) ||
			!vaddr_of(r->elf, q->file_offsets, q->addr[i], &vaddr))
			continue;
		r->delta = vaddr - q->addr[i];
		if (!as_elf_function_at(r->elf, vaddr, &sym) || sym.start > vaddr ||
			sym.limit <= vaddr) {
			if (!read_stretch(r, i, &done))
				return false;
			continue;
		}
		if (sym.start - r->delta < done && i)
			sym.start = done + r->delta; /* two names for one stretch */
		if (!code_disassemble(r, sym.start, sym.limit))
			return false;
		done = sym.limit - r->delta;
	}
	return true;
}

enum as_code as_code_read(struct as_code_list *out, const struct as_alloc *al, struct as_elf *elf,
	const struct as_code_query *query, struct as_err *err)
{
	struct reader r = {.out = out, .al = al, .elf = elf, .query = query};
	bool ok;

	*out = (struct as_code_list){.al = al,
		.file_offsets = query->file_offsets,
		.no_inlines = query->no_inlines,
		.names = query->names,
		.func = query->func};
	as_arena_init(&out->arena, al);
	AS_TRY(as_disasm_open(&r.disasm, al, as_elf_facts(elf)->machine, as_elf_facts(elf)->big,
		query->intel, err));
	ok = code_read_all(&r);
	as_disasm_close(r.disasm);
	return ok ? AS_OK : as_err_no_memory(err);
}

/* An instruction of one of several lists. */
struct spot {
	uint64_t vaddr;
	struct as_code_list *list;
	size_t insn;
};

struct spots {
	const struct as_alloc *al; /* for scratch */
	AS_VEC(struct spot) spot;
	uint32_t *order;        /* by link-time address */
	AS_VEC(uint64_t) vaddr; /* distinct, ascending */
};

static int spot_cmp(const void *ctx, uint32_t a, uint32_t b)
{
	const struct spot *spot = ctx;

	return as_cmp_u64(spot[a].vaddr, spot[b].vaddr);
}

static bool spots_add(struct spots *s, struct as_code_list *list, struct as_elf *elf)
{
	for (size_t i = 0; i < list->insn.n; i++) {
		struct spot spot = {.list = list, .insn = i};

		if (!vaddr_of(elf, list->file_offsets, list->insn.p[i].addr, &spot.vaddr))
			continue;
		if (s->spot.n == UINT32_MAX || !as_vec_push(s->al, &s->spot, spot))
			return false;
	}
	return true;
}

static bool spots_sort(struct spots *s)
{
	s->order = as_sorted_rows(s->al, s->spot.n, spot_cmp, s->spot.p);
	if (!s->order)
		return false;
	for (size_t i = 0; i < s->spot.n; i++) {
		uint64_t vaddr = s->spot.p[s->order[i]].vaddr;

		if ((!s->vaddr.n || s->vaddr.p[s->vaddr.n - 1] != vaddr) &&
			!as_vec_push(s->al, &s->vaddr, vaddr))
			return false;
	}
	return true;
}

/* Answers, and the readable form of each of their names that was asked for. */
struct answers {
	struct as_symset set;
	struct as_arena arena;
	struct as_slice *name; /* p == NULL: not asked for yet */
	enum as_name_level level;
};

/* p == NULL: out of memory. */
static struct as_slice frame_name(struct answers *a, const struct as_symframe *frame)
{
	struct as_slice *name = &a->name[frame->name.i];

	if (!name->p)
		*name = as_demangle(&a->arena, as_strings_get(&a->set.str, frame->name), a->level);
	return *name;
}

/* What was found out about address number I. */
static bool code_take_line(const struct spot *spot, struct answers *a, size_t i)
{
	const struct as_symframe *frame = as_at(a->set.frame.p, a->set.first.p[i]);
	struct as_code_list *list = spot->list;
	struct as_code_insn *insn = &list->insn.p[spot->insn];
	uint32_t n = a->set.first.p[i + 1] - a->set.first.p[i];
	struct as_slice inner = {0};

	as_assert(i < a->set.first.n);
	if (!n)
		return true;
	for (uint32_t k = 0; k < n; k++) {
		struct as_slice name = frame_name(a, &frame[k]);

		if (!name.p)
			return false;
		inner = k ? inner : name;
		insn->inside |= list->func.len && as_slice_eq(name, list->func);
	}
	/* What a function was inlined into is no part of it, but what was inlined there is. */
	if (n > 1 && !(insn->inside && as_slice_eq(inner, list->func)))
		insn->func = as_arena_dup(&list->arena, inner);
	insn->file = as_arena_dup(&list->arena, as_strings_get(&a->set.str, frame->file));
	insn->line = frame->line;
	return insn->file.p && (n == 1 || insn->func.p || insn->inside);
}

static enum as_code code_take_lines(
	const struct spots *s, struct as_elf *elf, struct answers *a, struct as_err *err)
{
	bool inlines = !s->spot.p[0].list->no_inlines;
	size_t at = 0;

	AS_TRY(as_elf_lookup(elf, s->vaddr.p, s->vaddr.n, inlines, &a->set, err));
	as_assert(a->set.first.n == s->vaddr.n + 1);
	AS_TRY(as_memory(as_arena_array(&a->arena, &a->name, a->set.str.row.n)));
	for (size_t i = 0; i < s->spot.n; i++) {
		const struct spot *spot = &s->spot.p[s->order[i]];

		at += spot->vaddr != s->vaddr.p[at];
		AS_TRY(as_memory(code_take_line(spot, a, at)));
	}
	as_assert(at + 1 == s->vaddr.n);
	return AS_OK;
}

static enum as_code ask_lines(const struct spots *s, struct as_elf *elf, struct as_err *err)
{
	struct answers a = {.level = s->spot.p[0].list->names};
	enum as_code rc = AS_E_NOMEM;

	as_arena_init(&a.arena, s->al);
	if (as_symset_init(&a.set, s->al))
		rc = code_take_lines(s, elf, &a, err);
	as_symset_release(&a.set);
	as_arena_release(&a.arena);
	return rc == AS_E_NOMEM ? as_err_no_memory(err) : rc;
}

enum as_code as_code_lines(
	struct as_code_list *const *list, size_t n, struct as_elf *elf, struct as_err *err)
{
	struct as_pool pool;
	struct spots s = {.al = &pool.al};
	enum as_code rc = AS_OK;
	bool ok = true;

	if (!n)
		return AS_OK;
	as_pool_init(&pool, list[0]->al);
	for (size_t i = 0; ok && i < n; i++)
		ok = spots_add(&s, list[i], elf);
	if (!ok || !spots_sort(&s))
		rc = as_err_no_memory(err);
	else if (s.vaddr.n)
		rc = ask_lines(&s, elf, err);
	as_pool_release(&pool);
	return rc;
}

void as_code_only(struct as_code_list *list, const uint64_t *addr, size_t n)
{
	size_t kept = 0, at = 0;
	bool any = false;

	for (size_t i = 0; i < list->insn.n; i++)
		any |= list->insn.p[i].inside;
	for (size_t i = 0; i < list->insn.n && any; i++) {
		const struct as_code_insn *insn = &list->insn.p[i];

		while (at < n && addr[at] < insn->addr)
			at++;
		if (insn->inside || (at < n && addr[at] - insn->addr < insn->size))
			list->insn.p[kept++] = *insn;
	}
	list->insn.n = any ? kept : list->insn.n;
}

void as_code_list_release(struct as_code_list *list)
{
	if (!list->al)
		return;
	as_vec_free(list->al, &list->insn);
	as_arena_release(&list->arena);
}
