/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An allocator for tests: it fails from the n-th request on, knows what is still held, and
 * checks that everybody who frees or grows says the size they were given.
 *
 *	for (uint64_t n = 1;; n++) {
 *		struct fail_alloc fa;
 *		enum as_code rc;
 *
 *		fail_alloc_init(&fa, n);
 *		rc = work(&fa.al);
 *		assert_int_equal(fa.held, 0);
 *		if (rc == AS_OK)
 *			break;
 *		assert_int_equal(rc, AS_E_NOMEM);
 *	}
 */
#ifndef AS_TESTS_FAIL_ALLOC_H
#define AS_TESTS_FAIL_ALLOC_H

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { FAIL_ALLOC_HEAD = 16 }; /* the size is kept in front, aligned as malloc aligns */

struct fail_alloc {
	struct as_alloc al;
	uint64_t n_requests; /* of memory, so far */
	uint64_t fail_from;  /* the first that fails; 0: none */
	size_t held;         /* bytes */
	size_t peak;         /* the most bytes ever held */
	bool wrong_size;     /* somebody gave another size than the true one */
};

static inline void *fail_alloc_resize(void *ctx, void *p, size_t old, size_t size)
{
	struct fail_alloc *fa = ctx;
	char *base = p ? (char *)p - FAIL_ALLOC_HEAD : NULL;
	char *grown;

	if (base && *(size_t *)(void *)base != old)
		fa->wrong_size = true;
	if (!base && old)
		fa->wrong_size = true;
	if (size == 0) {
		fa->held -= old;
		free(base);
		return NULL;
	}
	fa->n_requests++;
	if (fa->fail_from && fa->n_requests >= fa->fail_from)
		return NULL;
	/* Always moves, so that stale pointers show under ASan. */
	grown = malloc(FAIL_ALLOC_HEAD + size);
	if (!grown)
		return NULL;
	*(size_t *)(void *)grown = size;
	if (base)
		memcpy(grown + FAIL_ALLOC_HEAD, p, old < size ? old : size);
	free(base);
	fa->held = fa->held - old + size;
	if (fa->held > fa->peak)
		fa->peak = fa->held;
	return grown + FAIL_ALLOC_HEAD;
}

/* Start over; the N-th request and all after it fail (0: none does). */
static inline void fail_alloc_init(struct fail_alloc *fa, uint64_t n)
{
	*fa = (struct fail_alloc){
		.al = {.resize = fail_alloc_resize, .ctx = fa},
		.fail_from = n,
	};
}

/* From now on N requests are granted and no more. */
static inline void fail_alloc_after(struct fail_alloc *fa, uint64_t n)
{
	fa->fail_from = fa->n_requests + n + 1;
}

static inline void fail_alloc_never(struct fail_alloc *fa)
{
	fa->fail_from = 0;
}

static inline void *fail_alloc_resize_once(void *ctx, void *p, size_t old, size_t size)
{
	void *got = fail_alloc_resize(ctx, p, old, size);

	if (size && !got)
		fail_alloc_never(ctx);
	return got;
}

/* The request that fails is the only one: what is smaller may still be there. */
static inline void fail_alloc_once(struct fail_alloc *fa)
{
	fa->al.resize = fail_alloc_resize_once;
}

/* Whether a request has failed that was to fail once. */
static inline bool fail_alloc_has_failed(const struct fail_alloc *fa)
{
	return !fa->fail_from;
}

#endif
