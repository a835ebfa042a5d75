/* SPDX-License-Identifier: Apache-2.0 */
#include "base/sort.h"

enum { INSERTION = 12 };

static void insertion(
	uint32_t *v, size_t n, int (*cmp)(const void *, uint32_t, uint32_t), const void *ctx)
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
static void merge(uint32_t *v, size_t mid, size_t n, uint32_t *tmp,
	int (*cmp)(const void *, uint32_t, uint32_t), const void *ctx)
{
	size_t i = 0, j = mid, out = 0;

	if (cmp(ctx, v[mid - 1], v[mid]) <= 0)
		return;
	memcpy(tmp, v, mid * sizeof(*v));
	while (i < mid && j < n)
		v[out++] = cmp(ctx, tmp[i], v[j]) <= 0 ? tmp[i++] : v[j++];
	memcpy(v + out, tmp + i, (mid - i) * sizeof(*v));
}

bool as_sort_rows(const struct as_alloc *al, uint32_t *v, size_t n,
	int (*cmp)(const void *, uint32_t, uint32_t), const void *ctx)
{
	size_t size = n * sizeof(*v) + 1;
	uint32_t *tmp;

	if (n <= INSERTION) {
		insertion(v, n, cmp, ctx);
		return true;
	}
	tmp = al->resize(al->ctx, NULL, 0, size);
	if (!tmp)
		return false;
	for (size_t i = 0; i < n; i += INSERTION)
		insertion(v + i, n - i < INSERTION ? n - i : INSERTION, cmp, ctx);
	for (size_t width = INSERTION; width < n; width *= 2)
		for (size_t i = 0; i + width < n; i += 2 * width)
			merge(v + i, width, n - i < 2 * width ? n - i : 2 * width, tmp, cmp, ctx);
	as_alloc_free(al, tmp, size);
	return true;
}
