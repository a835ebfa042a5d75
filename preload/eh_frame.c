/* SPDX-License-Identifier: Apache-2.0 */
/* .eh_frame_hdr is searched for the function, its CIE and FDE are run up to the instruction. */
#include "preload/eh_frame.h"

#include "preload/eh_cursor.h"

enum { HDR_TABLE = AS_EH_PE_DATAREL | AS_EH_PE_S4, HDR_MAX = 32, ENTRY = 8 };

struct cie {
	struct as_eh_cur code; /* initial instructions */
	uint64_t code_align;
	int64_t data_align;
	unsigned enc; /* of the FDE's addresses */
	bool augmented, signal;
};

struct fde {
	struct cie cie;
	struct as_eh_cur code;
	uint64_t start, size;
};

struct hdr {
	uint64_t table; /* address */
	uint64_t n;
};

static bool eh_fetch(const struct as_eh *eh, uint64_t addr, void *p, size_t n)
{
	return addr >= eh->lo && addr <= eh->hi && n <= eh->hi - addr &&
	       eh->fetch(eh->ctx, addr, p, n);
}

static bool open_hdr(const struct as_eh *eh, struct hdr *h)
{
	uint8_t head[HDR_MAX] = {0};
	uint64_t room = eh->hdr >= eh->lo && eh->hdr < eh->hi ? eh->hi - eh->hdr : 0;
	size_t n = room < HDR_MAX ? (size_t)room : HDR_MAX;
	struct as_eh_cur c = {head, head + n, eh->hdr, false};
	unsigned frame_enc, count_enc, table_enc;

	if (!n || !eh_fetch(eh, eh->hdr, head, n) || as_eh_uint(&c, 1) != 1)
		return false;
	frame_enc = (unsigned)as_eh_uint(&c, 1);
	count_enc = (unsigned)as_eh_uint(&c, 1);
	table_enc = (unsigned)as_eh_uint(&c, 1);
	if (c.bad || table_enc != HDR_TABLE || count_enc == AS_EH_PE_OMIT)
		return false;
	if (frame_enc != AS_EH_PE_OMIT)
		as_eh_pointer(&c, frame_enc, eh->hdr);
	h->n = as_eh_pointer(&c, count_enc, eh->hdr);
	h->table = c.addr;
	return !c.bad && h->n > 0 && h->n <= (eh->hi - h->table) / ENTRY;
}

/* Address of the FDE of the last function that begins at or before PC; 0: there is none. */
static uint64_t eh_search(const struct as_eh *eh, const struct hdr *h, uint64_t pc)
{
	int64_t want = (int64_t)(pc - eh->hdr);
	uint64_t lo = 0, hi = h->n;
	int32_t entry[2];

	while (lo < hi) {
		uint64_t mid = lo + (hi - lo) / 2;

		if (!eh_fetch(eh, h->table + mid * ENTRY, entry, sizeof(entry)))
			return 0;
		if (entry[0] <= want)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || !eh_fetch(eh, h->table + (lo - 1) * ENTRY, entry, sizeof(entry)))
		return 0;
	return eh->hdr + (uint64_t)(int64_t)entry[1];
}

/* "zPLRS": what stands behind the augmentation's length. */
static void read_augmentation(struct as_eh_cur *c, const char *letters, struct cie *cie)
{
	uint64_t n = as_eh_uleb(c);
	struct as_eh_cur in = *c;

	if (!as_eh_take(c, n))
		return;
	in.end = c->p;
	for (; *letters && !in.bad; letters++)
		switch (*letters) {
		case 'R':
			cie->enc = (unsigned)as_eh_uint(&in, 1);
			break;
		case 'P':
			as_eh_pointer(&in, (unsigned)as_eh_uint(&in, 1) & 0x7f, 0);
			break;
		case 'L':
			as_eh_uint(&in, 1);
			break;
		case 'S':
			cie->signal = true;
			break;
		default:
			c->bad = true;
			return;
		}
	c->bad |= in.bad;
}

/* Copies the entry at ADDR to BUF; C is put behind its length. */
static bool open_entry(const struct as_eh *eh, uint64_t addr, uint8_t *buf, struct as_eh_cur *c)
{
	uint32_t n;

	if (!eh_fetch(eh, addr, &n, sizeof(n)) || n == 0 || n > AS_EH_ENTRY_MAX ||
		!eh_fetch(eh, addr + sizeof(n), buf, n))
		return false;
	*c = (struct as_eh_cur){buf, buf + n, addr + sizeof(n), false};
	return true;
}

static bool read_cie(const struct as_eh *eh, uint64_t addr, uint8_t *buf, struct cie *cie)
{
	struct as_eh_cur c;
	const char *letters;
	unsigned version;

	*cie = (struct cie){0};
	if (!open_entry(eh, addr, buf, &c) || as_eh_uint(&c, 4) != 0)
		return false;
	version = (unsigned)as_eh_uint(&c, 1);
	letters = (const char *)c.p;
	while (as_eh_uint(&c, 1) != 0)
		;
	if (c.bad || (version != 1 && version != 3))
		return false;
	cie->code_align = as_eh_uleb(&c);
	cie->data_align = as_eh_sleb(&c);
	if ((version == 1 ? as_eh_uint(&c, 1) : as_eh_uleb(&c)) != AS_REG_PC)
		return false;
	cie->augmented = *letters == 'z';
	if (cie->augmented)
		read_augmentation(&c, letters + 1, cie);
	else if (*letters)
		return false;
	cie->code = c;
	return !c.bad;
}

static bool read_fde(const struct as_eh *eh, uint64_t addr, struct as_eh_work *w, struct fde *fde)
{
	struct as_eh_cur c;
	uint64_t at, back;

	if (!open_entry(eh, addr, w->fde, &c))
		return false;
	at = c.addr;
	back = as_eh_uint(&c, 4);
	if (c.bad || back == 0 || !read_cie(eh, at - back, w->cie, &fde->cie))
		return false;
	fde->start = as_eh_pointer(&c, fde->cie.enc, 0);
	fde->size = as_eh_pointer(&c, fde->cie.enc & AS_EH_PE_FORM, 0);
	if (fde->cie.augmented)
		as_eh_take(&c, as_eh_uleb(&c));
	fde->code = c;
	return !c.bad && !(fde->cie.enc & AS_EH_PE_INDIRECT);
}

/* The machine that the instructions run on. */
struct machine {
	struct as_eh_cur c;
	const struct cie *cie;
	struct as_eh_work *w;
	bool begun; /* W->initial is what the CIE says */
	uint64_t loc, pc;
};

static void set_rule(struct machine *m, uint64_t reg, enum as_eh_kind kind, int64_t off)
{
	if (reg < AS_REGS)
		m->w->row.reg[reg] = (struct as_eh_rule){.kind = kind, .off = off};
}

static struct as_eh_rule eh_take_expr(struct machine *m, enum as_eh_kind kind)
{
	uint64_t n = as_eh_uleb(&m->c);
	const uint8_t *p = as_eh_take(&m->c, n);

	return (struct as_eh_rule){.kind = kind, .expr = p, .n_expr = p ? (uint32_t)n : 0};
}

static void restore_rule(struct machine *m, uint64_t reg)
{
	if (!m->begun)
		m->c.bad = true;
	else if (reg < AS_REGS)
		m->w->row.reg[reg] = m->w->initial.reg[reg];
}

static int64_t eh_scaled(const struct machine *m, int64_t v)
{
	return (int64_t)((uint64_t)v * (uint64_t)m->cie->data_align);
}

static void def_cfa(struct machine *m, uint64_t reg, int64_t off)
{
	m->w->row.cfa = (struct as_eh_rule){.kind = AS_EH_IS, .off = off};
	m->w->row.cfa_reg = reg;
}

static void keep_or_get(struct machine *m, bool keep)
{
	struct as_eh_work *w = m->w;

	if (keep ? w->n_kept == AS_EH_KEPT_MAX : w->n_kept == 0)
		m->c.bad = true;
	else if (keep)
		w->kept[w->n_kept++] = w->row;
	else
		w->row = w->kept[--w->n_kept];
}

/* The instructions that say where the CFA is; false: OP is none of them. */
static bool run_cfa_op(struct machine *m, unsigned op)
{
	struct as_eh_cur *c = &m->c;
	uint64_t reg;

	switch (op) {
	case 0x0c:
		reg = as_eh_uleb(c);
		def_cfa(m, reg, (int64_t)as_eh_uleb(c));
		return true;
	case 0x0d:
		def_cfa(m, as_eh_uleb(c), m->w->row.cfa.off);
		return true;
	case 0x0e:
		def_cfa(m, m->w->row.cfa_reg, (int64_t)as_eh_uleb(c));
		return true;
	case 0x0f:
		m->w->row.cfa = eh_take_expr(m, AS_EH_EXPR_IS);
		return true;
	case 0x12:
		reg = as_eh_uleb(c);
		def_cfa(m, reg, eh_scaled(m, as_eh_sleb(c)));
		return true;
	case 0x13:
		def_cfa(m, m->w->row.cfa_reg, eh_scaled(m, as_eh_sleb(c)));
		return true;
	default:
		return false;
	}
}

/* The instructions that say where a register was saved. */
static bool run_reg_op(struct machine *m, unsigned op)
{
	struct as_eh_cur *c = &m->c;
	uint64_t reg;

	if (op < 0x05 || op > 0x16 || op == 0x0a || op == 0x0b)
		return false;
	reg = as_eh_uleb(c);
	switch (op) {
	case 0x05:
		set_rule(m, reg, AS_EH_AT, eh_scaled(m, (int64_t)as_eh_uleb(c)));
		return true;
	case 0x06:
		restore_rule(m, reg);
		return true;
	case 0x07:
		set_rule(m, reg, AS_EH_UNDEFINED, 0);
		return true;
	case 0x08:
		set_rule(m, reg, AS_EH_SAME, 0);
		return true;
	case 0x09:
		set_rule(m, reg, AS_EH_REG, (int64_t)as_eh_uleb(c));
		return true;
	case 0x11:
		set_rule(m, reg, AS_EH_AT, eh_scaled(m, as_eh_sleb(c)));
		return true;
	case 0x14:
		set_rule(m, reg, AS_EH_IS, eh_scaled(m, (int64_t)as_eh_uleb(c)));
		return true;
	case 0x15:
		set_rule(m, reg, AS_EH_IS, eh_scaled(m, as_eh_sleb(c)));
		return true;
	case 0x10:
	case 0x16: {
		struct as_eh_rule r = eh_take_expr(m, op == 0x10 ? AS_EH_EXPR_AT : AS_EH_EXPR_IS);

		if (reg < AS_REGS)
			m->w->row.reg[reg] = r;
		return true;
	}
	default:
		return false;
	}
}

static bool run_op(struct machine *m, unsigned op)
{
	struct as_eh_cur *c = &m->c;

	switch (op) {
	case 0x00:
		return true;
	case 0x01:
		m->loc = as_eh_pointer(c, m->cie->enc, 0);
		return true;
	case 0x02:
		m->loc += as_eh_uint(c, 1) * m->cie->code_align;
		return true;
	case 0x03:
		m->loc += as_eh_uint(c, 2) * m->cie->code_align;
		return true;
	case 0x04:
		m->loc += as_eh_uint(c, 4) * m->cie->code_align;
		return true;
	case 0x0a:
		keep_or_get(m, true);
		return true;
	case 0x0b:
		keep_or_get(m, false);
		return true;
	case 0x2e:
		as_eh_uleb(c);
		return true;
	case 0x2f: {
		uint64_t reg = as_eh_uleb(c);

		set_rule(m, reg, AS_EH_AT, -eh_scaled(m, (int64_t)as_eh_uleb(c)));
		return true;
	}
	default:
		return run_cfa_op(m, op) || run_reg_op(m, op);
	}
}

/* Up to the end, or to the first instruction for what lies behind PC. */
static bool eh_run(struct machine *m, struct as_eh_cur code)
{
	m->c = code;
	while (m->c.p < m->c.end && !m->c.bad) {
		unsigned op = (unsigned)as_eh_uint(&m->c, 1), low = op & 0x3f;

		switch (op & 0xc0) {
		case 0x40:
			m->loc += low * m->cie->code_align;
			break;
		case 0x80:
			set_rule(m, low, AS_EH_AT, eh_scaled(m, (int64_t)as_eh_uleb(&m->c)));
			break;
		case 0xc0:
			restore_rule(m, low);
			break;
		default:
			if (!run_op(m, op))
				return false;
		}
		if (m->loc > m->pc)
			return !m->c.bad;
	}
	return !m->c.bad;
}

bool as_eh_find(const struct as_eh *eh, uint64_t pc, struct as_eh_work *w)
{
	struct machine m = {.w = w, .pc = UINT64_MAX};
	struct hdr h;
	struct fde fde;
	uint64_t at;

	if (!open_hdr(eh, &h))
		return false;
	at = eh_search(eh, &h, pc);
	if (!at || !read_fde(eh, at, w, &fde) || pc - fde.start >= fde.size)
		return false;
	memset(&w->row, 0, sizeof(w->row));
	for (unsigned i = 0; i < AS_REG_PC; i++)
		w->row.reg[i].kind = AS_EH_SAME;
	w->signal = fde.cie.signal;
	w->n_kept = 0;
	m.cie = &fde.cie;
	if (!eh_run(&m, fde.cie.code))
		return false;
	w->initial = w->row;
	m.begun = true;
	m.loc = fde.start;
	m.pc = pc;
	return eh_run(&m, fde.code) && w->row.cfa.kind != AS_EH_UNDEFINED;
}
