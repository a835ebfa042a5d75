/* SPDX-License-Identifier: Apache-2.0 */
#include "base/alloc.h"

#include <stdlib.h>

static void *libc_resize(void *ctx, void *p, size_t old, size_t size)
{
	(void)ctx;
	(void)old;
	if (size == 0) {
		free(p);
		return NULL;
	}
	return realloc(p, size);
}

const struct as_alloc as_alloc_libc = {.resize = libc_resize, .ctx = NULL};

void *as_alloc_new(const struct as_alloc *al, size_t size)
{
	void *p = al->resize(al->ctx, NULL, 0, size);

	if (p)
		memset(p, 0, size);
	return p;
}

void as_alloc_free(const struct as_alloc *al, void *p, size_t size)
{
	if (p)
		al->resize(al->ctx, p, size, 0);
}

bool as_vec_resize(const struct as_alloc *al, void *pp, size_t *cap, size_t n, size_t size)
{
	void *old, *p;

	as_assert(size);
	if (n == *cap)
		return true;
	if (n > SIZE_MAX / 2 / size)
		return false;
	memcpy(&old, pp, sizeof(old));
	p = al->resize(al->ctx, old, *cap * size, n * size);
	if (!p && n)
		return false;
	memcpy(pp, &p, sizeof(p));
	*cap = n;
	return true;
}

bool as_vec_grow(const struct as_alloc *al, void *pp, size_t *cap, size_t need, size_t size)
{
	size_t want = *cap < 8 ? 8 : *cap + *cap / 2;
	void *old, *p;

	if (want < need)
		want = need;
	if (want > SIZE_MAX / 2 / size)
		return false;
	memcpy(&old, pp, sizeof(old));
	p = al->resize(al->ctx, old, *cap * size, want * size);
	if (!p)
		return false;
	memcpy(pp, &p, sizeof(p));
	*cap = want;
	return true;
}

/* NOLINTNEXTLINE(readability-function-size): the words of a macro, as_vec_append() */
bool as_vec_put(const struct as_alloc *al, void *pp, size_t *n, size_t *cap, size_t size,
	const void *from, size_t count)
{
	char *p;

	as_assert(*n <= *cap);
	if (*n + count > *cap && !as_vec_grow(al, pp, cap, *n + count, size))
		return false;
	memcpy(&p, pp, sizeof(p));
	if (count)
		memcpy(p + *n * size, from, count * size);
	*n += count;
	return true;
}
