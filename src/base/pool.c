/* SPDX-License-Identifier: Apache-2.0 */
#include "base/pool.h"

/* The head of each block; its size keeps what follows aligned for any type. */
struct as_pool_block {
	_Alignas(16) struct as_pool_block *next;
	struct as_pool_block **link; /* where the address of this one is kept */
	size_t size;                 /* of the whole block */
};

static void *pool_resize(void *ctx, void *p, size_t old, size_t size)
{
	struct as_pool *pool = ctx;
	struct as_pool_block *b = p ? (struct as_pool_block *)p - 1 : NULL, *fresh;
	size_t whole = size + sizeof(*b);

	(void)old;
	as_assert(!b || (*b->link == b && b->size > sizeof(*b))); /* it is one of ours, and whole */
	if (b && !size) {
		*b->link = b->next;
		if (b->next)
			b->next->link = b->link;
		as_alloc_free(pool->inner, b, b->size);
	}
	if (!size || whole < size)
		return NULL;
	fresh = pool->inner->resize(pool->inner->ctx, b, b ? b->size : 0, whole);
	if (!fresh)
		return NULL;
	if (!b) {
		fresh->next = pool->first;
		fresh->link = &pool->first;
	}
	fresh->size = whole;
	*fresh->link = fresh;
	if (fresh->next)
		fresh->next->link = &fresh->next;
	return fresh + 1;
}

void as_pool_init(struct as_pool *pool, const struct as_alloc *inner)
{
	as_assert(inner && inner != &pool->al);
	*pool = (struct as_pool){.al = {.resize = pool_resize, .ctx = pool}, .inner = inner};
}

void as_pool_release(struct as_pool *pool)
{
	while (pool->first)
		pool_resize(pool, pool->first + 1, 0, 0);
}
