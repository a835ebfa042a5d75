/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/unwind/perf_cfi.h"

#include <dwarf.h>

#include "symbols/dwarf/dwarf_cursor.h"

enum { PE_SIZE = 0x07, PE_FORM = 0x0f, PE_APPLY = 0x70, KEPT_MAX = 16 };

static struct as_dw_cur cursor_of(struct as_slice s)
{
	const uint8_t *p = (const uint8_t *)s.p;

	return (struct as_dw_cur){p, p + s.len, false, false};
}

static struct as_slice perf_cfi_rest(const struct as_dw_cur *c)
{
	return (struct as_slice){(const char *)c->p, as_dw_left(c)};
}

/* ---- entries ---- */

/* A pointer written as ENC says; AT is where. */
static uint64_t perf_cfi_pointer(struct as_dw_cur *c, unsigned enc, uint64_t at)
{
	static const uint8_t sizes[] = {8, 0, 2, 4, 8, 0, 0, 0};
	unsigned size = sizes[enc & PE_SIZE];
	uint64_t v;

	if (!size || (enc & DW_EH_PE_indirect) ||
		((enc & PE_APPLY) && (enc & PE_APPLY) != DW_EH_PE_pcrel)) {
		as_dw_fail(c);
		return 0;
	}
	v = as_dw_uint(c, size);
	if ((enc & DW_EH_PE_signed) && size < 8 && v >> (8 * size - 1))
		v |= UINT64_MAX << (8 * size);
	return (enc & PE_APPLY) == DW_EH_PE_pcrel ? v + at : v;
}

bool as_cfi_is_cie(struct as_slice bytes, bool debug)
{
	struct as_dw_cur c = cursor_of(bytes);

	return as_dw_uint(&c, 4) == (debug ? UINT32_MAX : 0);
}

uint64_t as_cfi_cie_addr(struct as_slice bytes, uint64_t addr, bool debug)
{
	struct as_dw_cur c = cursor_of(bytes);
	uint64_t at = as_dw_uint(&c, 4);

	return debug ? at : addr - at;
}

/* "zPLRS": what stands behind the augmentation's length. */
static bool perf_cfi_augmentation(
	struct as_dw_cur *c, struct as_slice letters, struct as_cfi_cie *cie)
{
	uint64_t n = as_dw_uleb(c);
	struct as_dw_cur in = *c;

	as_dw_skip(c, n);
	in.end = c->p;
	for (size_t i = 1; i < letters.len; i++)
		switch (letters.p[i]) {
		case 'R':
			cie->enc = as_dw_u8(&in);
			break;
		case 'P': /* the value is of no interest */
			(void)perf_cfi_pointer(&in, as_dw_u8(&in) & PE_FORM, 0);
			break;
		case 'L':
			as_dw_u8(&in);
			break;
		case 'S':
			cie->signal = true;
			break;
		case 'B':
			break;
		default:
			return false;
		}
	return !in.bad && !c->bad;
}

bool as_cfi_read_cie(struct as_slice bytes, bool debug, struct as_cfi_cie *cie)
{
	struct as_dw_cur c = cursor_of(bytes);
	struct as_slice letters;
	unsigned version;

	memset(cie, 0, sizeof(*cie));
	if (as_dw_uint(&c, 4) != (debug ? UINT32_MAX : 0))
		return false;
	version = as_dw_u8(&c);
	letters = as_dw_text(&c);
	if (version != 1 && version != 3 && !(debug && version == 4))
		return false;
	if (version == 4 && as_dw_uint(&c, 2) != 8) /* bytes of an address, of a segment */
		return false;
	cie->code_align = as_dw_uleb(&c);
	cie->data_align = as_dw_sleb(&c);
	if ((version == 1 ? as_dw_u8(&c) : as_dw_uleb(&c)) != AS_CFI_PC)
		return false;
	cie->augmented = letters.len && letters.p[0] == 'z';
	if (letters.len && (!cie->augmented || !perf_cfi_augmentation(&c, letters, cie)))
		return false;
	cie->code = perf_cfi_rest(&c);
	return !c.bad;
}

bool as_cfi_read_fde(
	struct as_slice bytes, uint64_t addr, const struct as_cfi_cie *cie, struct as_cfi_fde *out)
{
	struct as_dw_cur c = cursor_of(bytes);
	uint64_t size;

	as_dw_skip(&c, 4);
	out->cie = *cie;
	out->start = perf_cfi_pointer(&c, cie->enc, addr + 4);
	size = perf_cfi_pointer(&c, cie->enc & PE_SIZE, 0);
	out->limit = out->start + size;
	if (cie->augmented)
		as_dw_skip(&c, as_dw_uleb(&c));
	out->code = perf_cfi_rest(&c);
	return !c.bad && out->limit > out->start;
}

/* ---- instructions ---- */

struct cfi_machine {
	struct as_dw_cur c;
	const struct as_cfi_cie *cie;
	struct as_cfi_row row, initial, kept[KEPT_MAX];
	unsigned n_kept;
	bool begun; /* INITIAL is what the CIE says */
	uint64_t loc;
	/* what is asked */
	uint64_t row_start, from, limit;
	as_cfi_row_fn *each;
	void *ctx;
	bool done;
};

static void cfi_set(struct cfi_machine *m, uint64_t reg, enum as_cfi_kind kind, uint64_t off)
{
	if (reg < AS_CFI_REGS)
		m->row.reg[reg] = (struct as_cfi_rule){.kind = kind, .off = (int64_t)off};
}

static struct as_cfi_rule cfi_expr(struct cfi_machine *m, enum as_cfi_kind kind)
{
	uint64_t n = as_dw_uleb(&m->c);
	struct as_cfi_rule rule = {.kind = kind, .n_expr = (uint32_t)n, .expr = m->c.p};

	as_dw_skip(&m->c, n);
	return rule;
}

static uint64_t cfi_scaled(const struct cfi_machine *m, uint64_t v)
{
	return v * (uint64_t)m->cie->data_align;
}

static void cfi_restore(struct cfi_machine *m, uint64_t reg)
{
	if (!m->begun)
		as_dw_fail(&m->c);
	else if (reg < AS_CFI_REGS)
		m->row.reg[reg] = m->initial.reg[reg];
}

/* What is kept is the CFA, too, as gcc and libdw have it. */
static void cfi_keep(struct cfi_machine *m, bool keep)
{
	if (keep ? m->n_kept == KEPT_MAX : !m->n_kept)
		as_dw_fail(&m->c);
	else if (keep)
		m->kept[m->n_kept++] = m->row;
	else
		m->row = m->kept[--m->n_kept];
}

static void cfi_def_cfa(struct cfi_machine *m, uint64_t reg, uint64_t off)
{
	m->row.cfa = (struct as_cfi_rule){.kind = AS_CFI_IS, .off = (int64_t)off};
	m->row.cfa_reg = reg;
}

/* Code up to LOC has the row as it is. */
static void cfi_advance(struct cfi_machine *m, uint64_t loc)
{
	uint64_t start = m->row_start > m->from ? m->row_start : m->from;
	uint64_t end = loc < m->limit ? loc : m->limit;

	if (!m->begun || m->c.bad || loc < m->loc) {
		as_dw_fail(&m->c);
		return;
	}
	if (start < end && !m->each(m->ctx, start, end, &m->row))
		m->done = true;
	m->done |= loc >= m->limit;
	m->loc = m->row_start = loc;
}

/* Where the CFA is; false: OP says nothing of it. */
static bool run_cfa(struct cfi_machine *m, unsigned op)
{
	struct as_dw_cur *c = &m->c;
	uint64_t reg;

	switch (op) {
	case DW_CFA_def_cfa:
		reg = as_dw_uleb(c);
		cfi_def_cfa(m, reg, as_dw_uleb(c));
		return true;
	case DW_CFA_def_cfa_register:
		cfi_def_cfa(m, as_dw_uleb(c), (uint64_t)m->row.cfa.off);
		return true;
	case DW_CFA_def_cfa_offset:
		cfi_def_cfa(m, m->row.cfa_reg, as_dw_uleb(c));
		return true;
	case DW_CFA_def_cfa_expression:
		m->row.cfa = cfi_expr(m, AS_CFI_EXPR_IS);
		return true;
	case DW_CFA_def_cfa_sf:
		reg = as_dw_uleb(c);
		cfi_def_cfa(m, reg, cfi_scaled(m, (uint64_t)as_dw_sleb(c)));
		return true;
	case DW_CFA_def_cfa_offset_sf:
		cfi_def_cfa(m, m->row.cfa_reg, cfi_scaled(m, (uint64_t)as_dw_sleb(c)));
		return true;
	default:
		return false;
	}
}

/* Where a register was saved; false: OP is unknown. */
static bool run_register(struct cfi_machine *m, unsigned op)
{
	struct as_dw_cur *c = &m->c;
	uint64_t reg = as_dw_uleb(c);

	switch (op) {
	case DW_CFA_offset_extended:
		cfi_set(m, reg, AS_CFI_AT, cfi_scaled(m, as_dw_uleb(c)));
		return true;
	case DW_CFA_restore_extended:
		cfi_restore(m, reg);
		return true;
	case DW_CFA_undefined:
		cfi_set(m, reg, AS_CFI_UNDEFINED, 0);
		return true;
	case DW_CFA_same_value:
		cfi_set(m, reg, AS_CFI_SAME, 0);
		return true;
	case DW_CFA_register:
		cfi_set(m, reg, AS_CFI_REG, as_dw_uleb(c));
		return true;
	case DW_CFA_offset_extended_sf:
		cfi_set(m, reg, AS_CFI_AT, cfi_scaled(m, (uint64_t)as_dw_sleb(c)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		cfi_set(m, reg, AS_CFI_AT, 0 - cfi_scaled(m, as_dw_uleb(c)));
		return true;
	case DW_CFA_val_offset:
		cfi_set(m, reg, AS_CFI_IS, cfi_scaled(m, as_dw_uleb(c)));
		return true;
	case DW_CFA_val_offset_sf:
		cfi_set(m, reg, AS_CFI_IS, cfi_scaled(m, (uint64_t)as_dw_sleb(c)));
		return true;
	case DW_CFA_expression:
	case DW_CFA_val_expression: {
		bool at = op == DW_CFA_expression;
		struct as_cfi_rule rule = cfi_expr(m, at ? AS_CFI_EXPR_AT : AS_CFI_EXPR_IS);

		if (reg < AS_CFI_REGS)
			m->row.reg[reg] = rule;
		return true;
	}
	default:
		return false;
	}
}

static bool run_other(struct cfi_machine *m, unsigned op)
{
	struct as_dw_cur *c = &m->c;

	switch (op) {
	case DW_CFA_nop:
		return true;
	case DW_CFA_advance_loc1:
		cfi_advance(m, m->loc + as_dw_u8(c) * m->cie->code_align);
		return true;
	case DW_CFA_advance_loc2:
		cfi_advance(m, m->loc + as_dw_uint(c, 2) * m->cie->code_align);
		return true;
	case DW_CFA_advance_loc4:
		cfi_advance(m, m->loc + as_dw_uint(c, 4) * m->cie->code_align);
		return true;
	case DW_CFA_remember_state:
		cfi_keep(m, true);
		return true;
	case DW_CFA_restore_state:
		cfi_keep(m, false);
		return true;
	case DW_CFA_GNU_args_size:
		as_dw_skip_leb(c);
		return true;
	default: /* DW_CFA_set_loc, which no compiler makes, is not among them */
		return run_cfa(m, op) || run_register(m, op);
	}
}

static bool perf_cfi_run(struct cfi_machine *m, struct as_slice code)
{
	m->c = cursor_of(code);
	while (as_dw_left(&m->c) && !m->done) {
		unsigned op = as_dw_u8(&m->c), low = op & 0x3f;

		switch (op & 0xc0) {
		case DW_CFA_advance_loc:
			cfi_advance(m, m->loc + low * m->cie->code_align);
			break;
		case DW_CFA_offset:
			cfi_set(m, low, AS_CFI_AT, cfi_scaled(m, as_dw_uleb(&m->c)));
			break;
		case DW_CFA_restore:
			cfi_restore(m, low);
			break;
		default:
			if (!run_other(m, op))
				return false;
		}
	}
	return !m->c.bad;
}

/* What the ABI says of registers that no instruction speaks of. */
static void cfi_begin_row(struct as_cfi_row *row)
{
	memset(row, 0, sizeof(*row));
	row->reg[AS_CFI_BX].kind = row->reg[AS_CFI_BP].kind = AS_CFI_SAME;
	for (unsigned i = AS_CFI_R12; i < AS_CFI_PC; i++)
		row->reg[i].kind = AS_CFI_SAME;
	row->reg[AS_CFI_SP].kind = AS_CFI_IS;
}

bool as_cfi_rows(
	const struct as_cfi_fde *fde, uint64_t from, uint64_t limit, as_cfi_row_fn *each, void *ctx)
{
	struct cfi_machine m; /* large: what is kept needs no beginning */

	m.cie = &fde->cie;
	m.n_kept = 0;
	m.begun = m.done = false;
	m.loc = m.row_start = fde->start;
	m.from = from;
	m.limit = limit < fde->limit ? limit : fde->limit;
	m.each = each;
	m.ctx = ctx;
	cfi_begin_row(&m.row);
	m.row.signal = fde->cie.signal;
	if (!perf_cfi_run(&m, fde->cie.code))
		return false;
	m.initial = m.row;
	m.begun = true;
	if (!perf_cfi_run(&m, fde->code))
		return false;
	if (!m.done)
		cfi_advance(&m, m.limit);
	return !m.c.bad;
}
