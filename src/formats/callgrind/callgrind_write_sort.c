/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a function's rows. Nearly always a row's place fits one 64-bit
 * number (file, address, line, kind, and the row's own number, which keeps equal
 * places in their order), and sorting numbers is several times faster than
 * comparing rows. What does not fit is compared row by row.
 */
#include "base/sort.h"
#include "formats/callgrind/callgrind_write.h"

enum { KIND_BITS = 2, FEW = 24, RADIX_BITS = 8, RADIX = 1 << RADIX_BITS };

static int cmp_u64(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

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
			p = p ? w->file_rank[(uint32_t)p - 1] : 0;
			q = q ? w->file_rank[(uint32_t)q - 1] : 0;
		}
		if (p != q)
			return p < q ? -1 : 1;
	}
	return 0;
}

int as_cgw_cmp_item(const void *ctx, uint32_t a, uint32_t b)
{
	const struct cgw *w = ctx;
	const struct cgw_item *x = &w->item.p[a], *y = &w->item.p[b];
	const struct cgw_run *r = &w->run.p[x->run], *s = &w->run.p[y->run];
	int c;

	if (r->file != s->file)
		return r->file < s->file ? -1 : 1;
	if ((c = cmp_u64(x->addr, y->addr)) != 0 || (c = cmp_u64(x->line, y->line)) != 0)
		return c;
	if (r->inl.i != s->inl.i)
		return w->func_row[r->inl.i].rank < w->func_row[s->inl.i].rank ? -1 : 1;
	if (r->kind != s->kind)
		return r->kind < s->kind ? -1 : 1;
	if (r->kind == CGW_SELF)
		return 0;
	return cmp_target(w, w->value.p + x->value, w->value.p + y->value, r->kind == CGW_CALL);
}

/* The bits that a place needs. */
struct packing {
	unsigned item_bits, line_bits, addr_bits, bits; /* in all */
};

static unsigned bits_of(uint64_t v)
{
	return v ? 64 - (unsigned)__builtin_clzll(v) : 0;
}

/* False if a place may need more than 64 bits. */
static bool plan(const struct cgw *w, struct packing *pk)
{
	uint32_t file = 0;

	for (size_t i = 0; i < w->run.n; i++) {
		if (w->run.p[i].inl.i)
			return false;
		file = w->run.p[i].file > file ? w->run.p[i].file : file;
	}
	pk->item_bits = bits_of(w->item.n);
	pk->line_bits = bits_of(w->high.line - w->low.line);
	pk->addr_bits = bits_of(w->high.addr - w->low.addr);
	pk->bits = pk->item_bits + KIND_BITS + pk->line_bits + pk->addr_bits + bits_of(file);
	return pk->bits < 64;
}

/* True if the keys come out in order. */
static bool make_keys(struct cgw *w, const struct packing *pk)
{
	uint64_t last = 0;
	bool sorted = true;

	for (size_t i = 0; i < w->item.n; i++) {
		const struct cgw_item *it = &w->item.p[i];
		const struct cgw_run *run = &w->run.p[it->run];
		uint64_t k = run->file;

		k = k << pk->addr_bits | (it->addr - w->low.addr);
		k = k << pk->line_bits | (it->line - w->low.line);
		k = k << KIND_BITS | (uint64_t)run->kind;
		k = k << pk->item_bits | i;
		w->key.p[i] = k;
		sorted &= k >= last;
		last = k;
	}
	return sorted;
}

static void insertion(uint64_t *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint64_t x = v[i];
		size_t j = i;

		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* One pass over the bits from SHIFT on. False, with nothing done, if all keys agree in them. */
static bool radix_pass(const uint64_t *from, uint64_t *to, size_t n, unsigned shift)
{
	uint32_t next[RADIX] = {0}, at = 0;

	for (size_t i = 0; i < n; i++)
		next[from[i] >> shift & (RADIX - 1)]++;
	if (next[from[0] >> shift & (RADIX - 1)] == n)
		return false;
	for (size_t k = 0; k < RADIX; k++) {
		uint32_t here = next[k];

		next[k] = at;
		at += here;
	}
	for (size_t i = 0; i < n; i++)
		to[next[from[i] >> shift & (RADIX - 1)]++] = from[i];
	return true;
}

/* TMP has room for N. The bits below SKIP are in order already. */
static void sort_keys(uint64_t *v, size_t n, uint64_t *tmp, unsigned skip, unsigned bits)
{
	uint64_t *from = v, *to = tmp;

	if (n <= FEW) {
		insertion(v, n);
		return;
	}
	for (; skip < bits; skip += RADIX_BITS)
		if (radix_pass(from, to, n, skip)) {
			uint64_t *done = to;

			to = from;
			from = done;
		}
	if (from != v)
		memcpy(v, from, n * sizeof(*v));
}

/* Calls and jumps at one position stand in the order of their targets. */
static bool order_targets(struct cgw *w)
{
	size_t n = w->order.n, next;

	for (size_t i = 0; i < n; i = next) {
		uint64_t place = w->key.p[i] >> w->key_skip;

		for (next = i + 1; next < n && w->key.p[next] >> w->key_skip == place; next++)
			continue;
		if (next - i > 1 && (place & ((1u << KIND_BITS) - 1)) != CGW_SELF &&
			!as_sort_rows(w->al, w->order.p + i, next - i, as_cgw_cmp_item, w))
			return false;
	}
	return true;
}

bool as_cgw_sort_items(struct cgw *w)
{
	size_t n = w->item.n;
	struct packing pk = {0};

	if (!as_vec_reserve(w->al, &w->order, n + 1))
		return false;
	w->order.n = n;
	w->packed = plan(w, &pk);
	w->key_skip = pk.item_bits;
	if (!w->packed) {
		for (size_t i = 0; i < n; i++)
			w->order.p[i] = (uint32_t)i;
		return as_sort_rows(w->al, w->order.p, n, as_cgw_cmp_item, w);
	}
	if (!as_vec_reserve(w->al, &w->key, 2 * n + 1))
		return false;
	if (!make_keys(w, &pk))
		sort_keys(w->key.p, n, w->key.p + n, pk.item_bits, pk.bits);
	for (size_t i = 0; i < n; i++)
		w->order.p[i] = (uint32_t)(w->key.p[i] & ((UINT64_C(1) << pk.item_bits) - 1));
	return order_targets(w);
}
