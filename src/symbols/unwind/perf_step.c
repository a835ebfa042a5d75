/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/unwind/perf_step.h"

#include <dwarf.h>

#include "symbols/dwarf/dwarf_cursor.h"

enum { STACK_MAX = 64, STEPS_MAX = 4096 };

static bool perf_step_known(const struct as_step_regs *regs, uint64_t reg)
{
	return reg < AS_CFI_REGS && (regs->known >> reg & 1);
}

static void perf_step_set(struct as_step_regs *regs, unsigned reg, uint64_t value)
{
	regs->value[reg] = value;
	regs->known |= UINT32_C(1) << reg;
}

/* ---- expressions ---- */

struct step_machine {
	struct as_dw_cur c;
	const uint8_t *begin;
	const struct as_step_memory *memory;
	const struct as_step_regs *regs;
	uint64_t stack[STACK_MAX];
	unsigned n;
};

static void step_push(struct step_machine *m, uint64_t v)
{
	if (m->n == STACK_MAX)
		as_dw_fail(&m->c);
	else
		m->stack[m->n++] = v;
}

static uint64_t step_pop(struct step_machine *m)
{
	if (!m->n) {
		as_dw_fail(&m->c);
		return 0;
	}
	return m->stack[--m->n];
}

/* The I-th from above. */
static uint64_t step_peek(struct step_machine *m, uint64_t i)
{
	if (i >= m->n) {
		as_dw_fail(&m->c);
		return 0;
	}
	return m->stack[m->n - 1 - i];
}

static void push_register(struct step_machine *m, uint64_t reg, int64_t off)
{
	if (perf_step_known(m->regs, reg))
		step_push(m, m->regs->value[reg] + (uint64_t)off);
	else
		as_dw_fail(&m->c);
}

static void step_deref(struct step_machine *m, unsigned size)
{
	uint64_t v = 0;

	if (size > 8 || !m->memory->read(m->memory->ctx, step_pop(m), &v))
		as_dw_fail(&m->c);
	step_push(m, size < 8 ? v & ((UINT64_C(1) << 8 * size) - 1) : v);
}

static uint64_t step_constant(struct as_dw_cur *c, unsigned op)
{
	switch (op) {
	case DW_OP_const1u:
		return as_dw_u8(c);
	case DW_OP_const1s:
		return (uint64_t)(int64_t)(int8_t)as_dw_u8(c);
	case DW_OP_const2u:
		return as_dw_uint(c, 2);
	case DW_OP_const2s:
		return (uint64_t)(int64_t)(int16_t)as_dw_uint(c, 2);
	case DW_OP_const4u:
		return as_dw_uint(c, 4);
	case DW_OP_const4s:
		return (uint64_t)(int64_t)(int32_t)as_dw_uint(c, 4);
	case DW_OP_constu:
		return as_dw_uleb(c);
	case DW_OP_consts:
		return (uint64_t)as_dw_sleb(c);
	default:
		return as_dw_uint(c, 8);
	}
}

static uint64_t step_shifted(unsigned op, uint64_t a, uint64_t b)
{
	if (op == DW_OP_shra)
		return (uint64_t)((int64_t)a >> (b < 63 ? b : 63));
	if (b > 63)
		return 0;
	return op == DW_OP_shl ? a << b : a >> b;
}

/* Of two values; false: OP is of another kind. */
static bool step_binary(unsigned op, uint64_t a, uint64_t b, uint64_t *v)
{
	int64_t x = (int64_t)a, y = (int64_t)b;

	switch (op) {
	case DW_OP_and:
		return *v = a & b, true;
	case DW_OP_or:
		return *v = a | b, true;
	case DW_OP_xor:
		return *v = a ^ b, true;
	case DW_OP_plus:
		return *v = a + b, true;
	case DW_OP_minus:
		return *v = a - b, true;
	case DW_OP_mul:
		return *v = a * b, true;
	case DW_OP_shl:
	case DW_OP_shr:
	case DW_OP_shra:
		return *v = step_shifted(op, a, b), true;
	case DW_OP_eq:
		return *v = x == y, true;
	case DW_OP_ne:
		return *v = x != y, true;
	case DW_OP_lt:
		return *v = x < y, true;
	case DW_OP_le:
		return *v = x <= y, true;
	case DW_OP_gt:
		return *v = x > y, true;
	case DW_OP_ge:
		return *v = x >= y, true;
	default:
		return false;
	}
}

static void step_branch(struct step_machine *m, bool taken)
{
	int16_t by = (int16_t)as_dw_uint(&m->c, 2);
	ptrdiff_t to = m->c.p - m->begin + by;

	if (!taken || m->c.bad)
		return;
	if (to < 0 || to > m->c.end - m->begin)
		as_dw_fail(&m->c);
	else
		m->c.p = m->begin + to;
}

/* What only moves values on the stack; false: OP is of another kind. */
static bool step_move(struct step_machine *m, unsigned op)
{
	uint64_t a, b, c;

	switch (op) {
	case DW_OP_dup:
		step_push(m, step_peek(m, 0));
		return true;
	case DW_OP_drop:
		step_pop(m);
		return true;
	case DW_OP_over:
		step_push(m, step_peek(m, 1));
		return true;
	case DW_OP_pick:
		step_push(m, step_peek(m, as_dw_u8(&m->c)));
		return true;
	case DW_OP_swap:
		a = step_pop(m);
		b = step_pop(m);
		step_push(m, a);
		step_push(m, b);
		return true;
	case DW_OP_rot:
		a = step_pop(m);
		b = step_pop(m);
		c = step_pop(m);
		step_push(m, a);
		step_push(m, c);
		step_push(m, b);
		return true;
	default:
		return false;
	}
}

static void step_other(struct step_machine *m, unsigned op)
{
	struct as_dw_cur *c = &m->c;
	uint64_t a, b, v;

	switch (op) {
	case DW_OP_nop:
		return;
	case DW_OP_bregx:
		a = as_dw_uleb(c);
		push_register(m, a, as_dw_sleb(c));
		return;
	case DW_OP_deref:
		step_deref(m, 8);
		return;
	case DW_OP_deref_size:
		step_deref(m, as_dw_u8(c));
		return;
	case DW_OP_plus_uconst:
		a = step_pop(m);
		step_push(m, a + as_dw_uleb(c));
		return;
	case DW_OP_neg:
		step_push(m, 0 - step_pop(m));
		return;
	case DW_OP_not:
		step_push(m, ~step_pop(m));
		return;
	case DW_OP_skip:
		step_branch(m, true);
		return;
	case DW_OP_bra:
		step_branch(m, step_pop(m) != 0);
		return;
	default:
		b = step_pop(m);
		a = step_pop(m);
		if (!step_binary(op, a, b, &v))
			as_dw_fail(c);
		else
			step_push(m, v);
	}
}

bool as_step_eval(const uint8_t *p, size_t n, const uint64_t *initial,
	const struct as_step_memory *memory, const struct as_step_regs *regs, uint64_t *value)
{
	struct step_machine m = {
		.c = {p, p + n, false, false}, .begin = p, .memory = memory, .regs = regs};

	if (initial)
		step_push(&m, *initial);
	for (unsigned steps = 0; as_dw_left(&m.c) && steps < STEPS_MAX; steps++) {
		unsigned op = as_dw_u8(&m.c);

		if (op >= DW_OP_lit0 && op <= DW_OP_lit31)
			step_push(&m, op - DW_OP_lit0);
		else if (op >= DW_OP_breg0 && op <= DW_OP_breg31)
			push_register(&m, op - DW_OP_breg0, as_dw_sleb(&m.c));
		else if (op >= DW_OP_const1u && op <= DW_OP_consts)
			step_push(&m, step_constant(&m.c, op));
		else if (!step_move(&m, op))
			step_other(&m, op);
	}
	if (m.c.bad || as_dw_left(&m.c) || !m.n)
		return false;
	*value = m.stack[m.n - 1];
	return true;
}

/* ---- a step ---- */

static enum as_step step_done(const struct as_step_regs *regs)
{
	if (!perf_step_known(regs, AS_CFI_PC))
		return AS_STEP_BROKEN;
	return regs->value[AS_CFI_PC] ? AS_STEP_ON : AS_STEP_END;
}

/* A register that was saved below what is kept of the stack has its value again: its function is
 * about to return. */
enum as_step as_step_row(
	const struct as_row *row, const struct as_step_memory *memory, struct as_step_regs *regs)
{
	static const uint8_t number[AS_ROW_RULES] = {
		AS_CFI_BX, AS_CFI_BP, AS_CFI_R12, 13, 14, 15, AS_CFI_PC};
	uint32_t known = regs->known;
	uint64_t cfa, word;

	as_assert(!row->special);
	if (row->kind[AS_ROW_PC] == AS_CFI_UNDEFINED)
		return AS_STEP_END;
	if (!perf_step_known(regs, row->cfa_reg))
		return AS_STEP_BROKEN;
	cfa = regs->value[row->cfa_reg] + (uint64_t)(int64_t)row->cfa_off;
	regs->known = 0;
	for (unsigned i = 0; i < AS_ROW_RULES; i++) {
		uint32_t bit = UINT32_C(1) << number[i];

		if (row->kind[i] == AS_CFI_AT &&
			memory->read(memory->ctx, cfa + (uint64_t)(int64_t)row->off[i], &word))
			perf_step_set(regs, number[i], word);
		else if (row->kind[i] != AS_CFI_UNDEFINED && i != AS_ROW_PC)
			regs->known |= known & bit;
	}
	perf_step_set(regs, AS_CFI_SP, cfa);
	return step_done(regs);
}

/* The value that RULE gives. */
static bool step_rule(const struct as_cfi_rule *rule, uint64_t cfa, uint64_t same,
	const struct as_step_memory *memory, const struct as_step_regs *regs, uint64_t *value)
{
	uint64_t at;

	switch (rule->kind) {
	case AS_CFI_SAME:
	case AS_CFI_REG:
		at = rule->kind == AS_CFI_SAME ? same : (uint64_t)rule->off;
		if (!perf_step_known(regs, at))
			return false;
		*value = regs->value[at];
		return true;
	case AS_CFI_IS:
		*value = cfa + (uint64_t)rule->off;
		return true;
	case AS_CFI_AT:
		return memory->read(memory->ctx, cfa + (uint64_t)rule->off, value);
	case AS_CFI_EXPR_AT:
		return as_step_eval(rule->expr, rule->n_expr, &cfa, memory, regs, &at) &&
		       memory->read(memory->ctx, at, value);
	case AS_CFI_EXPR_IS:
		return as_step_eval(rule->expr, rule->n_expr, &cfa, memory, regs, value);
	default:
		return false;
	}
}

static bool step_cfa(const struct as_cfi_row *row, const struct as_step_memory *memory,
	const struct as_step_regs *regs, uint64_t *cfa)
{
	if (row->cfa.kind == AS_CFI_EXPR_IS)
		return as_step_eval(row->cfa.expr, row->cfa.n_expr, NULL, memory, regs, cfa);
	if (row->cfa.kind != AS_CFI_IS || !perf_step_known(regs, row->cfa_reg))
		return false;
	*cfa = regs->value[row->cfa_reg] + (uint64_t)row->cfa.off;
	return true;
}

enum as_step as_step_special(const struct as_cfi_row *row, const struct as_step_memory *memory,
	struct as_step_regs *regs)
{
	struct as_step_regs next = {.known = 0};
	uint64_t cfa, value;

	if (row->reg[AS_CFI_PC].kind == AS_CFI_UNDEFINED)
		return AS_STEP_END;
	if (!step_cfa(row, memory, regs, &cfa))
		return AS_STEP_BROKEN;
	for (unsigned i = 0; i < AS_CFI_REGS; i++)
		if (step_rule(&row->reg[i], cfa, i, memory, regs, &value))
			perf_step_set(&next, i, value);
	*regs = next;
	return step_done(regs);
}

enum as_step as_step_framed(const struct as_step_memory *memory, struct as_step_regs *regs)
{
	uint64_t fp = regs->value[AS_CFI_BP], sp = regs->value[AS_CFI_SP], caller = 0, pc;

	if (!perf_step_known(regs, AS_CFI_BP))
		return AS_STEP_BROKEN;
	if (!perf_step_known(regs, AS_CFI_SP))
		sp = 0;
	if (!memory->read(memory->ctx, fp, &caller))
		caller = 0;
	if (!memory->read(memory->ctx, fp + 8, &pc) || fp + 16 <= sp)
		return AS_STEP_BROKEN;
	regs->known = 0;
	perf_step_set(regs, AS_CFI_BP, caller);
	perf_step_set(regs, AS_CFI_SP, fp + 16);
	perf_step_set(regs, AS_CFI_PC, pc);
	return step_done(regs);
}
