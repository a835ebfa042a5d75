/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE
#include "io/host_alloc.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdlib.h>
#include <sys/mman.h>

enum { BLOCK_MIN = 128 * 1024, BLOCK_MAX = 256 * 1024, LARGE = 1 << 20, PAGE = 4096 };
enum { KEEP_BLOCK = 1 << 20, KEEP_ALL = 64 << 20 };

/* Ask for all pages of a block at once, instead of one by one as they are first touched. Blocks of
 * rows and names will be filled from the beginning to the end, and large tables are cleared first.
 * This is only advice to the system. */
static void host_alloc_populate(void *p, size_t size)
{
#ifdef MADV_POPULATE_WRITE
	uintptr_t first = ((uintptr_t)p + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
	uintptr_t end = ((uintptr_t)p + size) & ~(uintptr_t)(PAGE - 1);

	if (end > first)
		(void)madvise((void *)first, end - first, MADV_POPULATE_WRITE);
#else
	(void)p;
	(void)size;
#endif
}

static void *host_resize(void *ctx, void *p, size_t old, size_t size)
{
	void *q;

	(void)ctx;
	(void)old;
	if (size == 0) {
		free(p);
		return NULL;
	}
	q = realloc(p, size);
	if (q && !p && ((size >= BLOCK_MIN && size <= BLOCK_MAX) || size >= LARGE))
		host_alloc_populate(q, size);
	return q;
}

void as_host_give_back(void)
{
#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, BLOCK_MIN);
#endif
}

void as_host_keep(void)
{
#ifdef M_MMAP_THRESHOLD
	(void)mallopt(M_MMAP_THRESHOLD, KEEP_BLOCK);
	(void)mallopt(M_TRIM_THRESHOLD, KEEP_ALL);
#endif
}

const struct as_alloc as_alloc_host = {.resize = host_resize, .ctx = NULL};
