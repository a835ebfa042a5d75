/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a function's rows. Nearly always a row's place fits one 64-bit
 * number (file, address, line, kind, and the row's own number), and sorting
 * numbers is several times faster than comparing rows. What does not fit is
 * compared row by row.
 */
#include "formats/callgrind/callgrind_write.h"

/* The values that tell two calls or jumps at one position apart. */
static int cmp_target(const struct cgw *w, const as_val *a, const as_val *b, bool call)
{
	uint32_t from = call ? AS_CALL_LINE : AS_JUMP_COND;
	uint32_t to = call ? AS_CALL_ADDR : AS_JUMP_ADDR;

	if (call && a[AS_CALL_FUNC] != b[AS_CALL_FUNC])
		return w->func_row[(uint32_t)a[AS_CALL_FUNC]].rank <
				       w->func_row[(uint32_t)b[AS_CALL_FUNC]].rank
			       ? -1
			       : 1;
	for (uint32_t k = from; k <= to; k++) {
		as_val p = a[k], q = b[k];

		if (!call && k == AS_JUMP_FUNC) {
			p = w->func_row[(uint32_t)p].rank;
			q = w->func_row[(uint32_t)q].rank;
		} else if (!call && k == AS_JUMP_FILE) {
			p = p ? (as_val)w->files.rank[(uint32_t)p - 1] + 1 : 0;
			q = q ? (as_val)w->files.rank[(uint32_t)q - 1] + 1 : 0;
		}
		if (p != q)
			return p < q ? -1 : 1;
	}
	return 0;
}

static int cmp_item(const void *ctx, uint32_t i, uint32_t j)
{
	const struct cgw_block *b = ctx;
	const struct as_rows_packed *x = &b->item.p[i], *y = &b->item.p[j];
	const struct cgw_run *r = &b->run.p[x->tag], *s = &b->run.p[y->tag];
	uint32_t inl_r = r->run->inl.i, inl_s = s->run->inl.i;
	int c;

	if (r->file != s->file)
		return r->file < s->file ? -1 : 1;
	if ((c = as_cmp_u64(x->addr, y->addr)) != 0 || (c = as_cmp_u64(x->line, y->line)) != 0)
		return c;
	if (inl_r != inl_s)
		return b->w->func_row[inl_r].rank < b->w->func_row[inl_s].rank ? -1 : 1;
	if (r->kind != s->kind)
		return r->kind < s->kind ? -1 : 1;
	if (r->kind == CGW_SELF)
		return 0;
	return cmp_target(b->w, b->value.p + x->value, b->value.p + y->value, r->kind == CGW_CALL);
}

/* ---- items ---- */

/* The bits that a place needs. */
struct packing {
	unsigned item_bits, line_bits, addr_bits;
};

static unsigned bits_of(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* False if a place may need more than 64 bits. */
static bool cg_sort_plan(const struct cgw_block *b, struct packing *pk)
{
	uint64_t line = 0, addr = 0; /* the bits in which the items differ */

	for (size_t i = 0; i < b->run.n; i++)
		if (b->run.p[i].run->inl.i)
			return false;
	for (size_t i = 1; i < b->item.n; i++) {
		line |= b->item.p[i].line ^ b->item.p[0].line;
		addr |= b->item.p[i].addr ^ b->item.p[0].addr;
	}
	pk->item_bits = bits_of(b->item.n);
	pk->line_bits = bits_of(line);
	pk->addr_bits = bits_of(addr);
	return pk->item_bits + CGW_KIND_BITS + pk->line_bits + pk->addr_bits +
		       bits_of(b->run.p[b->run.n - 1].file) <
	       64;
}

/* The keys of the items of RUN, up to TO. */
static void make_keys(
	struct cgw_block *b, const struct packing *pk, const struct cgw_run *run, size_t to)
{
	unsigned line_shift = pk->item_bits + CGW_KIND_BITS;
	unsigned addr_shift = line_shift + pk->line_bits;
	uint64_t base = (uint64_t)run->kind << pk->item_bits;
	uint64_t lines = (UINT64_C(1) << pk->line_bits) - 1;
	uint64_t addrs = (UINT64_C(1) << pk->addr_bits) - 1;

	if (run->file)
		base |= (uint64_t)run->file << (addr_shift + pk->addr_bits);
	for (size_t i = run->first; i < to; i++) {
		const struct as_rows_packed *it = &b->item.p[i];

		b->key.p[i] = base | i | (it->addr & addrs) << addr_shift |
			      (it->line & lines) << line_shift;
	}
}

/* The keys of all items; those of one file are put in order together. */
static void make_order(struct cgw_block *b, const struct packing *pk)
{
	size_t begin = 0, n = b->run.n;

	for (size_t i = 0; i < n; i++) {
		const struct cgw_run *run = &b->run.p[i];
		size_t to = i + 1 < n ? run[1].first : b->item.n;

		make_keys(b, pk, run, to);
		if (i + 1 < n && run[1].file == run->file)
			continue;
		as_sort_numbers(b->key.p + begin, to - begin, b->key.p + b->item.n, pk->item_bits);
		begin = to;
	}
}

/* Of two calls or jumps at one place. */
static int cmp_tied(const void *ctx, uint32_t i, uint32_t j)
{
	const struct cgw_block *b = ctx;
	const struct as_rows_packed *x = &b->item.p[i], *y = &b->item.p[j];

	return cmp_target(b->w, b->value.p + x->value, b->value.p + y->value,
		b->run.p[x->tag].kind == CGW_CALL);
}

/* The items of keys [FROM, TO), which stand at one place, in the order of CMP. */
static bool sort_ties(
	struct cgw_block *b, size_t from, size_t to, int (*cmp)(const void *, uint32_t, uint32_t))
{
	size_t n = to - from;

	b->tied = to;
	if (!as_vec_reserve(b->w->al, &b->tie, n))
		return false;
	for (size_t i = 0; i < n; i++)
		b->tie.p[i] = (uint32_t)(b->key.p[from + i] & b->key_item);
	if (!as_sort_rows(b->w->al, b->tie.p, n, cmp, b))
		return false;
	for (size_t i = 0; i < n; i++)
		b->key.p[from + i] = (b->key.p[from + i] & ~b->key_item) | b->tie.p[i];
	return true;
}

bool as_cgw_sort_targets(struct cgw_block *b, size_t i)
{
	size_t to = i + 1;

	while (to < b->item.n && (b->key.p[to] ^ b->key.p[i]) >> b->key_skip == 0)
		to++;
	return to == i + 1 || sort_ties(b, i, to, cmp_tied);
}

/* The bits in which keys of one file and kind agree. One more is set, so that all differ from what
 * is behind the last one. */
static void cg_sort_seal(struct cgw_block *b, const struct packing *pk)
{
	unsigned below = pk->item_bits + CGW_KIND_BITS + pk->line_bits + pk->addr_bits;
	size_t n = b->item.n;

	b->key_kin = ~UINT64_C(0) << below | (uint64_t)CGW_KIND_MASK << pk->item_bits;
	b->key.p[n] = b->key.p[n - 1] ^ UINT64_C(1) << 63;
}

bool as_cgw_same_place(const struct cgw_block *b, size_t i, size_t j)
{
	uint64_t k = b->key.p[i], l = b->key.p[j];

	if (!b->packed)
		return cmp_item(b, (uint32_t)k, (uint32_t)l) == 0;
	if ((k ^ l) >> b->key_skip)
		return false;
	return (k >> b->key_skip & CGW_KIND_MASK) == CGW_SELF ||
	       cmp_tied(b, (uint32_t)(k & b->key_item), (uint32_t)(l & b->key_item)) == 0;
}

bool as_cgw_sort_items(struct cgw_block *b)
{
	size_t n = b->item.n;
	struct packing pk = {0};

	if (!as_vec_reserve(b->w->al, &b->key, 2 * n + 1))
		return false;
	b->packed = cg_sort_plan(b, &pk);
	b->key_skip = b->packed ? pk.item_bits : 32;
	b->key_item = (UINT64_C(1) << b->key_skip) - 1;
	b->tied = 0;
	if (b->packed) {
		make_order(b, &pk);
		cg_sort_seal(b, &pk);
		return true;
	}
	for (size_t i = 0; i < n; i++)
		b->key.p[i] = i;
	return sort_ties(b, 0, n, cmp_item);
}
