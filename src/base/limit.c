/* SPDX-License-Identifier: Apache-2.0 */
#include "base/limit.h"

/* Count BYTES as freed. A limit of as_limit_new() is freed with its last byte. */
static void limit_drop(struct as_limit *limit, uint64_t bytes)
{
	const struct as_alloc *inner = limit->inner;

	if (bytes && atomic_fetch_sub(&limit->held, bytes) == bytes)
		as_alloc_free(inner, limit, sizeof(*limit));
}

static bool limit_take(struct as_limit *limit, uint64_t bytes)
{
	uint64_t held = atomic_fetch_add(&limit->held, bytes) + bytes;

	as_assert(held > bytes); /* it was not left yet */
	if (held - 1 <= atomic_load(&limit->max))
		return true;
	atomic_store(&limit->hit, true);
	atomic_fetch_sub(&limit->held, bytes);
	return false;
}

static void *limit_resize(void *ctx, void *p, size_t old, size_t size)
{
	struct as_limit *limit = ctx;
	size_t more = size > old ? size - old : 0;
	void *q;

	if (more && !limit_take(limit, more))
		return NULL;
	q = limit->inner->resize(limit->inner->ctx, p, old, size);
	if (size && !q)
		limit_drop(limit, more);
	else if (size < old)
		limit_drop(limit, old - size);
	return q;
}

void as_limit_init(struct as_limit *limit, const struct as_alloc *inner, uint64_t max)
{
	as_assert(inner && inner != &limit->al);
	*limit = (struct as_limit){.al = {.resize = limit_resize, .ctx = limit}, .inner = inner};
	atomic_store(&limit->held, 1);
	atomic_store(&limit->max, max);
}

struct as_limit *as_limit_new(const struct as_alloc *inner, uint64_t max)
{
	struct as_limit *limit = as_alloc_new(inner, sizeof(*limit));

	if (limit)
		as_limit_init(limit, inner, max);
	return limit;
}

void as_limit_leave(struct as_limit *limit)
{
	limit_drop(limit, 1);
}
