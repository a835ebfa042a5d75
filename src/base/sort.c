/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"

enum { INSERTION = 12 };

int as_costs_cmp(const as_val *a, const as_val *b, uint32_t n, uint32_t first)
{
	if (first < n && a[first] != b[first])
		return a[first] > b[first] ? -1 : 1;
	for (uint32_t k = 0; k < n; k++)
		if (a[k] != b[k])
			return a[k] > b[k] ? -1 : 1;
	return 0;
}

static void sort_insertion(uint32_t *v, size_t n, as_sort_cmp *cmp, const void *ctx)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t x = v[i];
		size_t j = i;

		for (; j > 0 && cmp(ctx, v[j - 1], x) > 0; j--)
			v[j] = v[j - 1];
		v[j] = x;
	}
}

/* Merge [0, mid) and [mid, n); the left half goes through TMP. */
static void sort_merge(
	uint32_t *v, size_t mid, size_t n, uint32_t *tmp, as_sort_cmp *cmp, const void *ctx)
{
	size_t i = 0, j = mid, out = 0;

	as_assert(mid && mid < n);
	if (cmp(ctx, v[mid - 1], v[mid]) <= 0)
		return;
	memcpy(tmp, v, mid * sizeof(*v));
	while (i < mid && j < n)
		v[out++] = cmp(ctx, tmp[i], v[j]) <= 0 ? tmp[i++] : v[j++];
	memcpy(v + out, tmp + i, (mid - i) * sizeof(*v));
}

bool as_sort_rows(
	const struct as_alloc *al, uint32_t *v, size_t n, as_sort_cmp *cmp, const void *ctx)
{
	size_t size = n * sizeof(*v) + 1;
	uint32_t *tmp;

	if (n <= INSERTION) {
		sort_insertion(v, n, cmp, ctx);
		return true;
	}
	tmp = al->resize(al->ctx, NULL, 0, size);
	if (!tmp)
		return false;
	for (size_t i = 0; i < n; i += INSERTION)
		sort_insertion(v + i, n - i < INSERTION ? n - i : INSERTION, cmp, ctx);
	for (size_t width = INSERTION; width < n; width *= 2)
		for (size_t i = 0; i + width < n; i += 2 * width)
			sort_merge(
				v + i, width, n - i < 2 * width ? n - i : 2 * width, tmp, cmp, ctx);
	as_alloc_free(al, tmp, size);
	return true;
}

uint32_t *as_sorted_rows(const struct as_alloc *al, size_t n, as_sort_cmp *cmp, const void *ctx)
{
	uint32_t *row;

	as_assert(n <= UINT32_MAX);
	if (!as_alloc_array(al, &row, n))
		return NULL;
	for (size_t i = 0; i < n; i++)
		row[i] = (uint32_t)i;
	if (as_sort_rows(al, row, n, cmp, ctx))
		return row;
	as_alloc_free(al, row, n * sizeof(*row) + 1);
	return NULL;
}

bool as_move_rows(const struct as_alloc *al, void *p, size_t n, size_t size, const uint32_t *at)
{
	char *moved;

	if (n < 2 || !size)
		return true;
	moved = al->resize(al->ctx, NULL, 0, n * size);
	for (size_t i = 0; moved && i < n; i++)
		memcpy(moved + i * size, (const char *)p + at[i] * size, size);
	if (moved)
		memcpy(p, moved, n * size);
	as_alloc_free(al, moved, n * size);
	return moved != NULL;
}

bool as_sort_elements(const struct as_alloc *al, void *p, size_t n, size_t size, as_sort_cmp *cmp,
	const void *ctx)
{
	uint32_t *at;
	bool ok;

	if (n < 2)
		return true;
	at = as_sorted_rows(al, n, cmp, ctx);
	ok = at && as_move_rows(al, p, n, size, at);
	as_alloc_free(al, at, n * sizeof(*at) + 1);
	return ok;
}

bool as_order_init(
	struct as_order *o, const struct as_alloc *al, size_t n, as_sort_cmp *cmp, const void *ctx)
{
	*o = (struct as_order){.n = (uint32_t)n, .at = as_sorted_rows(al, n, cmp, ctx)};
	if (!o->at || !as_alloc_array(al, &o->rank, n)) {
		as_order_release(o, al);
		return false;
	}
	for (uint32_t i = 0; i < o->n; i++)
		o->rank[o->at[i]] = i;
	return true;
}

void as_order_release(struct as_order *o, const struct as_alloc *al)
{
	as_alloc_free(al, o->at, o->n * sizeof(*o->at) + 1);
	as_alloc_free(al, o->rank, o->n * sizeof(*o->rank) + 1);
	*o = (struct as_order){0};
}

/* ---- by keys ---- */

enum { DIGIT = 11, DIGITS = (64 + DIGIT - 1) / DIGIT, VALUES = 1 << DIGIT };
enum { UPPER = 3 }; /* from this digit on there are 31 bits, which tell most hashes apart */

struct digits {
	size_t at[DIGITS][VALUES]; /* how often each value is there, then where it comes */
};

static size_t digit_of(uint64_t key, unsigned d)
{
	return (size_t)(key >> (d * DIGIT)) & (VALUES - 1);
}

/* Find where the values of digit D begin; false if all rows have the same digit. */
static bool sort_find_places(struct digits *ds, unsigned d, uint64_t some, size_t n)
{
	size_t place = 0;

	if (ds->at[d][digit_of(some, d)] == n)
		return false;
	for (size_t i = 0; i < VALUES; i++) {
		size_t here = ds->at[d][i];

		ds->at[d][i] = place;
		place += here;
	}
	as_assert(place == n);
	return true;
}

/* By the digits from FIRST on; from KEY and V to KEY2 and V2, or back. */
static void sort_digits(struct digits *ds, unsigned first, uint64_t *key, uint32_t *v,
	uint64_t *key2, uint32_t *v2, size_t n)
{
	uint64_t *from = key, *to = key2;
	uint32_t *v_from = v, *v_to = v2;

	for (size_t i = 0; i < n; i++)
		for (unsigned d = first; d < DIGITS; d++)
			ds->at[d][digit_of(key[i], d)]++;
	for (unsigned d = first; d < DIGITS; d++) {
		if (!sort_find_places(ds, d, key[0], n))
			continue;
		for (size_t i = 0; i < n; i++) {
			size_t at = ds->at[d][digit_of(from[i], d)]++;

			to[at] = from[i];
			v_to[at] = v_from[i];
		}
		to = from;
		v_to = v_from;
		from = from == key ? key2 : key;
		v_from = v_from == v ? v2 : v;
	}
	if (from == key)
		return;
	memcpy(key, key2, n * sizeof(*key));
	memcpy(v, v2, n * sizeof(*v));
}

static bool sort_keys_from(
	const struct as_alloc *al, unsigned first, uint64_t *key, uint32_t *v, size_t n)
{
	struct digits *ds = as_alloc_new(al, sizeof(*ds));
	uint64_t *key2 = al->resize(al->ctx, NULL, 0, n * sizeof(*key2) + 1);
	uint32_t *v2 = al->resize(al->ctx, NULL, 0, n * sizeof(*v2) + 1);
	bool fine = ds && key2 && v2;

	if (fine && n)
		sort_digits(ds, first, key, v, key2, v2, n);
	as_alloc_free(al, ds, sizeof(*ds));
	as_alloc_free(al, key2, n * sizeof(*key2) + 1);
	as_alloc_free(al, v2, n * sizeof(*v2) + 1);
	return fine;
}

bool as_sort_keys(const struct as_alloc *al, uint64_t *key, uint32_t *v, size_t n)
{
	return sort_keys_from(al, 0, key, v, n);
}

/* Rows that are nearly in order come into it. False, and they are in some order, with equal keys as
 * they were: too many would have to move. */
static bool sort_settle(uint64_t *key, uint32_t *v, size_t n)
{
	size_t moved = 0;

	for (size_t i = 1; i < n && moved <= n; i++) {
		uint64_t k = key[i];
		uint32_t x = v[i];
		size_t j = i;

		for (; j > 0 && key[j - 1] > k; j--, moved++) {
			key[j] = key[j - 1];
			v[j] = v[j - 1];
		}
		key[j] = k;
		v[j] = x;
	}
	return moved <= n;
}

bool as_sort_hashes(const struct as_alloc *al, uint64_t *key, uint32_t *v, size_t n)
{
	return sort_keys_from(al, UPPER, key, v, n) &&
	       (sort_settle(key, v, n) || as_sort_keys(al, key, v, n));
}
