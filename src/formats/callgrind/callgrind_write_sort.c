/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The order of a function's rows. Nearly always a row's place fits one 128-bit
 * number (file, address, line, kind, and the row's own number, which keeps equal
 * places in their order), and sorting numbers is several times faster than
 * comparing rows. What does not fit is compared row by row.
 */
#include "base/sort.h"
#include "formats/callgrind/callgrind_write.h"

enum { ITEM_BITS = 22, KIND_BITS = 2, LINE_BITS = 32, ADDR_BITS = 48, INSERTION = 16 };

static bool fits(const struct cgw_item *it, size_t n)
{
	return it->file < 1u << 24 && it->addr >> ADDR_BITS == 0 && it->line >> LINE_BITS == 0 &&
	       it->inl.i == 0 && n < (size_t)1 << ITEM_BITS;
}

static as_uval key_of(const struct cgw_item *it, size_t i)
{
	as_uval k = it->file;

	k = k << ADDR_BITS | it->addr;
	k = k << LINE_BITS | it->line;
	k = k << KIND_BITS | (as_uval)it->kind;
	return k << ITEM_BITS | i;
}

static void insertion(as_uval *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		as_uval x = v[i];
		size_t j = i;

		for (; j > 0 && v[j - 1] > x; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

static void merge(as_uval *v, size_t mid, size_t n, as_uval *tmp)
{
	size_t i = 0, j = mid, out = 0;

	if (v[mid - 1] <= v[mid])
		return;
	memcpy(tmp, v, mid * sizeof(*v));
	while (i < mid && j < n) {
		bool left = tmp[i] <= v[j];

		v[out++] = left ? tmp[i] : v[j];
		i += left;
		j += !left;
	}
	memcpy(v + out, tmp + i, (mid - i) * sizeof(*v));
}

static void sort_keys(as_uval *v, size_t n, as_uval *tmp)
{
	for (size_t i = 0; i < n; i += INSERTION)
		insertion(v + i, n - i < INSERTION ? n - i : INSERTION);
	for (size_t width = INSERTION; width < n; width *= 2)
		for (size_t i = 0; i + width < n; i += 2 * width)
			merge(v + i, width, n - i < 2 * width ? n - i : 2 * width, tmp);
}

/* Calls and jumps at one position stand in the order of their targets. */
static bool order_targets(struct cgw *w)
{
	size_t n = w->order.n, next;

	for (size_t i = 0; i < n; i = next) {
		as_uval place = w->key.p[i] >> ITEM_BITS;

		for (next = i + 1; next < n && w->key.p[next] >> ITEM_BITS == place; next++)
			continue;
		if (next - i > 1 && w->item.p[w->order.p[i]].kind != CGW_SELF &&
			!as_sort_rows(w->al, w->order.p + i, next - i, as_cgw_cmp_item, w))
			return false;
	}
	return true;
}

bool as_cgw_sort_items(struct cgw *w)
{
	size_t n = w->item.n;
	bool all_fit = true;

	for (size_t i = 0; i < n && all_fit; i++)
		all_fit = fits(&w->item.p[i], n);
	if (!as_vec_reserve(w->al, &w->order, n + 1) || !as_vec_reserve(w->al, &w->key, 2 * n + 1))
		return false;
	w->order.n = n;
	if (!all_fit) {
		for (size_t i = 0; i < n; i++)
			w->order.p[i] = (uint32_t)i;
		return as_sort_rows(w->al, w->order.p, n, as_cgw_cmp_item, w);
	}
	for (size_t i = 0; i < n; i++)
		w->key.p[i] = key_of(&w->item.p[i], i);
	sort_keys(w->key.p, n, w->key.p + n);
	for (size_t i = 0; i < n; i++)
		w->order.p[i] = (uint32_t)w->key.p[i] & ((1u << ITEM_BITS) - 1);
	return order_targets(w);
}
