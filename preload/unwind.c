/* SPDX-License-Identifier: Apache-2.0 */
#include "preload/unwind.h"

#include <string.h>

#include "preload/call_site.h"

/*
 * A remembered rule: KIND | flags | rbp's place | CFA's offset. Only the common shape is packed
 * (CFA from rsp or rbp, return address below it); the others are looked up each time.
 */
enum {
	KIND = 7,
	FROM_SP = 1, /* CFA is rsp + offset */
	FROM_BP = 2,
	LAST = 3, /* there is no caller */
	LOOK_UP = 4,
	NO_TABLE = 5,
	OURS = 1 << 3,  /* a frame of the profiler: not shown */
	LOSSY = 1 << 4, /* other registers were saved, and are not followed */
	BP_AT = 1 << 5, /* rbp was saved at CFA + offset */
	BP_LOST = 1 << 6,
	HAS_TABLES = 1 << 7, /* of a file that has tables for other code */
	BP_SHIFT = 8,
	CFA_SHIFT = 32,
	WORD = 8,
};

#define BP_MAX (1 << 22)

static uint64_t unwind_slot_of(uint64_t pc)
{
	return (pc * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - 14);
}

static uint64_t unwind_remembered(struct as_unwinder *u, uint64_t pc)
{
	struct as_rule_slot *s = &u->rule[unwind_slot_of(pc)];
	uint64_t rule = atomic_load_explicit(&s->rule, memory_order_relaxed);
	uint64_t key = atomic_load_explicit(&s->key, memory_order_relaxed);

	return (key ^ rule) == pc ? rule : 0;
}

static void unwind_remember(struct as_unwinder *u, uint64_t pc, uint64_t rule)
{
	struct as_rule_slot *s = &u->rule[unwind_slot_of(pc)];

	atomic_store_explicit(&s->rule, rule, memory_order_relaxed);
	atomic_store_explicit(&s->key, pc ^ rule, memory_order_relaxed);
}

void as_unwind_forget(struct as_unwinder *u)
{
	for (size_t i = 0; i < AS_RULES; i++) {
		atomic_store_explicit(&u->rule[i].key, 0, memory_order_relaxed);
		atomic_store_explicit(&u->rule[i].rule, 0, memory_order_relaxed);
	}
}

/* ROW in the packed form, or LOOK_UP. */
static uint64_t unwind_pack(const struct as_eh_row *row, bool signal)
{
	const struct as_eh_rule *bp = &row->reg[AS_REG_BP], *pc = &row->reg[AS_REG_PC];
	uint64_t rule = row->cfa_reg == AS_REG_SP ? FROM_SP : FROM_BP;

	if (pc->kind == AS_EH_UNDEFINED)
		return LAST;
	if (signal || row->cfa.kind != AS_EH_IS || pc->kind != AS_EH_AT || pc->off != -WORD ||
		row->reg[AS_REG_SP].kind != AS_EH_SAME ||
		(row->cfa_reg != AS_REG_SP && row->cfa_reg != AS_REG_BP) ||
		row->cfa.off != (int32_t)row->cfa.off)
		return LOOK_UP;
	if (bp->kind == AS_EH_AT && bp->off % WORD == 0 && bp->off / WORD > -BP_MAX &&
		bp->off / WORD < BP_MAX)
		rule |= BP_AT | (uint64_t)((bp->off / WORD) & 0xffffff) << BP_SHIFT;
	else if (bp->kind == AS_EH_UNDEFINED)
		rule |= BP_LOST;
	else if (bp->kind != AS_EH_SAME)
		return LOOK_UP;
	for (unsigned i = 0; i < AS_REG_PC; i++)
		if (i != AS_REG_BP && i != AS_REG_SP && row->reg[i].kind != AS_EH_SAME)
			rule |= LOSSY;
	return rule | (uint64_t)(uint32_t)(int32_t)row->cfa.off << CFA_SHIFT;
}

static bool find_object(struct as_unwinder *u, uint64_t pc, struct as_object *o)
{
	return as_objects_find(u->objects, pc, o) ||
	       (u->missed && u->missed(u->ctx, pc) && as_objects_find(u->objects, pc, o));
}

static struct as_eh tables_of(const struct as_object *o)
{
	return (struct as_eh){o->hdr, o->lo, o->hi,
		o->stays ? as_memory_fetch_direct : as_memory_fetch_careful, NULL};
}

/* The row for PC into W->eh, and its packed form. */
static uint64_t look_up(struct as_unwinder *u, struct as_walk *w, uint64_t pc)
{
	struct as_object o;
	struct as_eh eh;
	uint64_t rule;

	if (!find_object(u, pc, &o))
		return NO_TABLE;
	eh = tables_of(&o);
	if (!o.hdr || (!o.stays && !w->mem.syscalls) || !as_eh_find(&eh, pc, &w->eh))
		rule = NO_TABLE;
	else
		rule = unwind_pack(&w->eh.row, w->eh.signal);
	rule |= (o.ours ? OURS : 0) | (o.hdr ? HAS_TABLES : 0);
	unwind_remember(u, pc, rule);
	return rule;
}

static bool step_packed(struct as_walk *w, uint64_t rule)
{
	struct as_eh_regs *r = &w->regs;
	unsigned from = (rule & KIND) == FROM_SP ? AS_REG_SP : AS_REG_BP;
	int64_t bp_off = ((int64_t)(rule << 32) >> 40) * WORD;
	uint64_t cfa, pc, bp = r->value[AS_REG_BP];

	if (!(r->known >> from & 1))
		return false;
	cfa = r->value[from] + (uint64_t)((int64_t)rule >> CFA_SHIFT);
	if (!as_memory_read(&w->mem, cfa - WORD, &pc) ||
		((rule & BP_AT) && !as_memory_read(&w->mem, cfa + (uint64_t)bp_off, &bp)))
		return false;
	r->value[AS_REG_PC] = pc;
	r->value[AS_REG_SP] = cfa;
	r->value[AS_REG_BP] = bp;
	if (rule & BP_AT)
		r->known |= 1u << AS_REG_BP;
	if (rule & BP_LOST)
		r->known &= ~(1u << AS_REG_BP);
	if (rule & LOSSY)
		r->known &= 1u << AS_REG_BP | 1u << AS_REG_SP | 1u << AS_REG_PC;
	return true;
}

/* The caller's frame at CFA, if what stands below it is a return address. */
static bool step_to(struct as_unwinder *u, struct as_walk *w, uint64_t cfa, const uint64_t *bp)
{
	struct as_eh_regs *r = &w->regs;
	uint64_t pc;

	if (cfa <= r->value[AS_REG_SP] || cfa % WORD || !as_memory_read(&w->mem, cfa - WORD, &pc) ||
		!as_call_before(u->objects, &w->mem, pc))
		return false;
	r->value[AS_REG_PC] = pc;
	r->value[AS_REG_SP] = cfa;
	if (bp)
		r->value[AS_REG_BP] = *bp;
	r->known &= 1u << AS_REG_BP | 1u << AS_REG_SP | 1u << AS_REG_PC;
	return true;
}

/* Code without a table: the frame pointer, unless the interrupted code has not made it yet. */
static bool step_frame(struct as_unwinder *u, struct as_walk *w, bool exact)
{
	struct as_eh_regs *r = &w->regs;
	uint64_t sp = r->value[AS_REG_SP], frame = r->value[AS_REG_BP], bp;

	if (exact) {
		unsigned pushed;

		if (as_frame_not_made(u->objects, &w->mem, r->value[AS_REG_PC], &pushed))
			return step_to(u, w, sp + (pushed + 1) * WORD, NULL);
	}
	if (!(r->known >> AS_REG_BP & 1) || frame < sp || frame % WORD ||
		!as_memory_read(&w->mem, frame, &bp))
		return false;
	return step_to(u, w, frame + 2 * WORD, &bp);
}

static bool unwind_step(
	struct as_unwinder *u, struct as_walk *w, uint64_t rule, uint64_t pc, bool *exact)
{
	bool was_exact = *exact;

	*exact = false;
	switch (rule & KIND) {
	case FROM_SP:
	case FROM_BP:
		return step_packed(w, rule);
	case NO_TABLE:
		return step_frame(u, w, was_exact);
	default:
		break;
	}
	if ((look_up(u, w, pc) & KIND) == NO_TABLE ||
		!as_eh_step(&w->eh.row, &w->regs, as_memory_read, &w->mem))
		return false;
	*exact = w->eh.signal;
	return true;
}

/* The address to write for a frame: readers subtract 1 from all but the first. */
static void unwind_add_frame(struct as_walk *w, uint64_t pc, bool exact)
{
	if (w->n == 0)
		w->pc[w->n++] = exact ? pc : pc - 1;
	else
		w->pc[w->n++] = exact ? pc + 1 : pc;
}

/* SLOWLY: every row is looked up, so that all registers are followed. False: do it slowly. */
static bool unwind_walk(struct as_unwinder *u, struct as_walk *w, bool slowly)
{
	bool exact = true, lossy = false;

	w->n = w->n_leaf;
	w->end = AS_STACK_WHOLE;
	for (;;) {
		uint64_t pc = w->regs.value[AS_REG_PC], sp = w->regs.value[AS_REG_SP];
		uint64_t at = exact ? pc : pc - 1, rule;
		bool was_exact = exact;

		if (pc == 0)
			return true;
		if (w->n == AS_FRAMES_MAX) {
			w->end = AS_STACK_DEEP;
			return true;
		}
		rule = unwind_remembered(u, at);
		if (!rule)
			rule = look_up(u, w, at);
		if (!(rule & OURS))
			unwind_add_frame(w, pc, exact);
		if ((rule & KIND) == LAST)
			return true;
		lossy |= rule & LOSSY;
		if (slowly && (rule & KIND) != NO_TABLE)
			rule = LOOK_UP;
		if (!unwind_step(u, w, rule, at, &exact)) {
			/* Code that calls and has no table is where stacks end, by convention. */
			if ((rule & KIND) == NO_TABLE && !was_exact && (rule & HAS_TABLES))
				return true;
			w->end = AS_STACK_BROKEN;
			return !lossy;
		}
		if (w->regs.value[AS_REG_SP] <= sp && !exact && !was_exact) {
			w->end = AS_STACK_BROKEN;
			return true;
		}
	}
}

static void unwind_begin(struct as_walk *w, const ucontext_t *context)
{
	static const uint8_t greg[AS_REGS] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI,
		REG_RBP, REG_RSP, REG_R8, REG_R9, REG_R10, REG_R11, REG_R12, REG_R13, REG_R14,
		REG_R15, REG_RIP};

	for (unsigned i = 0; i < AS_REGS; i++)
		w->regs.value[i] = (uint64_t)context->uc_mcontext.gregs[greg[i]];
	w->regs.known = (1u << AS_REGS) - 1;
}

void as_unwind_none(struct as_walk *w, const ucontext_t *context)
{
	w->pc[0] = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	w->pc[1] = AS_PC_TRUNCATED;
	w->n = 2;
	w->end = AS_STACK_BROKEN;
}

/* Marks the frames that are missing. */
static void mark_end(struct as_walk *w)
{
	if (w->end == AS_STACK_WHOLE && w->n)
		return;
	if (w->n == AS_FRAMES_MAX)
		w->n--;
	w->pc[w->n++] = AS_PC_TRUNCATED;
}

void as_unwind(struct as_unwinder *u, struct as_walk *w, const ucontext_t *context)
{
	w->mem.n_window = 0;
	w->n_leaf = 0;
	unwind_begin(w, context);
	if (!unwind_walk(u, w, false)) {
		unwind_begin(w, context);
		unwind_walk(u, w, true);
	}
	mark_end(w);
}

static void begin_here(struct as_walk *w, const struct as_here *here)
{
	uint64_t *v = w->regs.value;

	v[AS_REG_PC] = here->pc;
	v[AS_REG_SP] = here->sp;
	v[AS_REG_BP] = here->bp;
	v[AS_REG_BX] = here->bx;
	v[AS_REG_R12] = here->r12;
	v[AS_REG_R12 + 1] = here->r13;
	v[AS_REG_R12 + 2] = here->r14;
	v[AS_REG_R12 + 3] = here->r15;
	w->regs.known = 1u << AS_REG_PC | 1u << AS_REG_SP | 1u << AS_REG_BP | 1u << AS_REG_BX |
			15u << AS_REG_R12;
}

void as_unwind_here(
	struct as_unwinder *u, struct as_walk *w, const struct as_here *here, uint64_t leaf)
{
	w->mem.n_window = 0;
	w->n_leaf = leaf != 0;
	w->pc[0] = leaf;
	begin_here(w, here);
	if (!unwind_walk(u, w, false)) {
		begin_here(w, here);
		unwind_walk(u, w, true);
	}
	mark_end(w);
}
