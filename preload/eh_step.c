/* SPDX-License-Identifier: Apache-2.0 */
/* From a row to the caller's registers; DWARF expressions (DWARF 5 §2.5) as unwind tables have. */
#include "preload/eh_cursor.h"
#include "preload/eh_frame.h"

enum { DEPTH = 16, STEPS = 256 };

/* The stack of an expression. */
struct eval {
	struct as_eh_cur c;
	const struct as_eh_regs *regs;
	as_eh_read_fn *read;
	void *ctx;
	uint64_t stack[DEPTH];
	unsigned n;
};

static bool eh_known(const struct as_eh_regs *r, uint64_t reg)
{
	return reg < AS_REGS && (r->known >> reg & 1);
}

static void eh_push(struct eval *e, uint64_t v)
{
	if (e->n == DEPTH)
		e->c.bad = true;
	else
		e->stack[e->n++] = v;
}

static uint64_t eh_pop(struct eval *e)
{
	if (e->n)
		return e->stack[--e->n];
	e->c.bad = true;
	return 0;
}

static void push_reg(struct eval *e, uint64_t reg, int64_t off)
{
	if (eh_known(e->regs, reg))
		eh_push(e, e->regs->value[reg] + (uint64_t)off);
	else
		e->c.bad = true;
}

static void eh_deref(struct eval *e)
{
	uint64_t v;

	if (e->read(e->ctx, eh_pop(e), &v))
		eh_push(e, v);
	else
		e->c.bad = true;
}

static void eh_pick(struct eval *e, uint64_t depth)
{
	if (depth < e->n)
		eh_push(e, e->stack[e->n - 1 - depth]);
	else
		e->c.bad = true;
}

/* Operands A below B, as they stood on the stack; false: OP takes no two. */
static bool eh_binary(struct eval *e, unsigned op)
{
	uint64_t a, b, v;

	if (op < 0x1a || (op > 0x2e) || op == 0x1f || op == 0x20 || op == 0x23 || op == 0x28)
		return false;
	b = eh_pop(e);
	a = eh_pop(e);
	switch (op) {
	case 0x1a:
		v = a & b;
		break;
	case 0x1c:
		v = a - b;
		break;
	case 0x1e:
		v = a * b;
		break;
	case 0x21:
		v = a | b;
		break;
	case 0x22:
		v = a + b;
		break;
	case 0x24:
		v = b < 64 ? a << b : 0;
		break;
	case 0x25:
		v = b < 64 ? a >> b : 0;
		break;
	case 0x26:
		v = (uint64_t)((int64_t)a >> (b < 64 ? b : 63));
		break;
	case 0x27:
		v = a ^ b;
		break;
	case 0x29:
		v = a == b;
		break;
	case 0x2a:
		v = (int64_t)a >= (int64_t)b;
		break;
	case 0x2b:
		v = (int64_t)a > (int64_t)b;
		break;
	case 0x2c:
		v = (int64_t)a <= (int64_t)b;
		break;
	case 0x2d:
		v = (int64_t)a < (int64_t)b;
		break;
	case 0x2e:
		v = a != b;
		break;
	default:
		return false;
	}
	eh_push(e, v);
	return true;
}

static void eh_jump(struct eval *e, bool always)
{
	int64_t by = as_eh_sint(&e->c, 2);

	/* Backwards would be a loop: unwind tables have none. */
	if (always || eh_pop(e))
		as_eh_take(&e->c, (uint64_t)by);
}

static void eh_constant(struct eval *e, unsigned op)
{
	switch (op) {
	case 0x08:
		eh_push(e, as_eh_uint(&e->c, 1));
		return;
	case 0x09:
		eh_push(e, (uint64_t)as_eh_sint(&e->c, 1));
		return;
	case 0x0a:
		eh_push(e, as_eh_uint(&e->c, 2));
		return;
	case 0x0b:
		eh_push(e, (uint64_t)as_eh_sint(&e->c, 2));
		return;
	case 0x0c:
		eh_push(e, as_eh_uint(&e->c, 4));
		return;
	case 0x0d:
		eh_push(e, (uint64_t)as_eh_sint(&e->c, 4));
		return;
	case 0x03:
	case 0x0e:
	case 0x0f:
		eh_push(e, as_eh_uint(&e->c, 8));
		return;
	case 0x10:
		eh_push(e, as_eh_uleb(&e->c));
		return;
	case 0x11:
		eh_push(e, (uint64_t)as_eh_sleb(&e->c));
		return;
	default:
		e->c.bad = true;
	}
}

static void eh_swap(struct eval *e)
{
	uint64_t a = eh_pop(e), b = eh_pop(e);

	eh_push(e, a);
	eh_push(e, b);
}

static void eh_operation(struct eval *e, unsigned op)
{
	if (op >= 0x30 && op <= 0x4f) {
		eh_push(e, op - 0x30);
	} else if (op >= 0x70 && op <= 0x8f) {
		push_reg(e, op - 0x70, as_eh_sleb(&e->c));
	} else if (op == 0x92) {
		uint64_t reg = as_eh_uleb(&e->c);

		push_reg(e, reg, as_eh_sleb(&e->c));
	} else if (op == 0x03 || (op >= 0x08 && op <= 0x11)) {
		eh_constant(e, op);
	} else if (!eh_binary(e, op)) {
		switch (op) {
		case 0x06:
			eh_deref(e);
			break;
		case 0x12:
			eh_pick(e, 0);
			break;
		case 0x13:
			eh_pop(e);
			break;
		case 0x14:
			eh_pick(e, 1);
			break;
		case 0x15:
			eh_pick(e, as_eh_uint(&e->c, 1));
			break;
		case 0x16:
			eh_swap(e);
			break;
		case 0x1f:
			eh_push(e, 0 - eh_pop(e));
			break;
		case 0x20:
			eh_push(e, ~eh_pop(e));
			break;
		case 0x23:
			eh_push(e, eh_pop(e) + as_eh_uleb(&e->c));
			break;
		case 0x28:
			eh_jump(e, false);
			break;
		case 0x2f:
			eh_jump(e, true);
			break;
		case 0x96:
			break;
		default:
			e->c.bad = true;
		}
	}
}

bool as_eh_eval(const uint8_t *p, size_t n, uint64_t initial, const struct as_eh_regs *regs,
	as_eh_read_fn *read, void *ctx, uint64_t *value)
{
	struct eval e = {.c = {p, p + n, 0, false}, .regs = regs, .read = read, .ctx = ctx};

	eh_push(&e, initial);
	for (unsigned i = 0; i < STEPS && !e.c.bad && e.c.p < e.c.end; i++)
		eh_operation(&e, (unsigned)as_eh_uint(&e.c, 1));
	*value = eh_pop(&e);
	return !e.c.bad && e.c.p == e.c.end;
}

static bool find_cfa(const struct as_eh_row *row, const struct as_eh_regs *regs,
	as_eh_read_fn *read, void *ctx, uint64_t *cfa)
{
	if (row->cfa.kind == AS_EH_EXPR_IS)
		return as_eh_eval(row->cfa.expr, row->cfa.n_expr, 0, regs, read, ctx, cfa);
	if (row->cfa.kind != AS_EH_IS || !eh_known(regs, row->cfa_reg))
		return false;
	*cfa = regs->value[row->cfa_reg] + (uint64_t)row->cfa.off;
	return true;
}

/* The caller's value of a register by RULE; false: it is not known. */
static bool eh_apply(const struct as_eh_rule *rule, unsigned reg, uint64_t cfa,
	const struct as_eh_regs *regs, as_eh_read_fn *read, void *ctx, uint64_t *v)
{
	uint64_t from = rule->kind == AS_EH_REG ? (uint64_t)rule->off : reg;

	switch (rule->kind) {
	case AS_EH_REG:
	case AS_EH_SAME:
		*v = eh_known(regs, from) ? regs->value[from] : 0;
		return eh_known(regs, from);
	case AS_EH_IS:
		*v = cfa + (uint64_t)rule->off;
		return true;
	case AS_EH_AT:
		return read(ctx, cfa + (uint64_t)rule->off, v);
	case AS_EH_EXPR_IS:
		return as_eh_eval(rule->expr, rule->n_expr, cfa, regs, read, ctx, v);
	case AS_EH_EXPR_AT:
		return as_eh_eval(rule->expr, rule->n_expr, cfa, regs, read, ctx, v) &&
		       read(ctx, *v, v);
	default:
		return false;
	}
}

bool as_eh_step(
	const struct as_eh_row *row, struct as_eh_regs *regs, as_eh_read_fn *read, void *ctx)
{
	struct as_eh_regs to = {.known = 0};
	uint64_t cfa;

	if (!find_cfa(row, regs, read, ctx, &cfa))
		return false;
	for (unsigned i = 0; i < AS_REGS; i++) {
		if (i == AS_REG_SP && row->reg[i].kind == AS_EH_SAME)
			to.value[i] = cfa;
		else if (!eh_apply(&row->reg[i], i, cfa, regs, read, ctx, &to.value[i]))
			continue;
		to.known |= 1u << i;
	}
	if (!eh_known(&to, AS_REG_PC) || !eh_known(&to, AS_REG_SP))
		return false;
	*regs = to;
	return true;
}
