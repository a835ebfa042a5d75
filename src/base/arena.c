/* SPDX-License-Identifier: Apache-2.0 */
#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>

/*
 * AddressSanitizer knows the blocks that malloc returns, but not the allocations inside of a block,
 * and would not notice a write behind one. So it is told of each, and between any two lies a zone
 * that nobody may touch. It works in granules of eight bytes: every allocation begins with one.
 */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WATCHED 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WATCHED 1
#endif
#ifdef WATCHED
#include <sanitizer/asan_interface.h>
enum { RED_ZONE = 16, STRING_ALIGN = 8 };
#define arena_forbid(p, n) ASAN_POISON_MEMORY_REGION(p, n)
#define arena_allow(p, n) ASAN_UNPOISON_MEMORY_REGION(p, n)
#else
enum { RED_ZONE = 0, STRING_ALIGN = 1 };
#define arena_forbid(p, n) ((void)0)
#define arena_allow(p, n) ((void)0)
#endif

enum { BLOCK_MIN = 4096, BLOCK_MAX = 1 << 20 };

struct as_arena_block {
	struct as_arena_block *next;
	size_t size; /* of the whole block, this header included */
};

#define ALIGN 16u

void as_arena_init(struct as_arena *ar, const struct as_alloc *al)
{
	*ar = (struct as_arena){.al = al};
}

void as_arena_release(struct as_arena *ar)
{
	struct as_arena_block *b = ar->head;

	while (b) {
		struct as_arena_block *next = b->next;

		arena_allow(b, b->size);
		as_alloc_free(ar->al, b, b->size);
		b = next;
	}
	as_arena_init(ar, ar->al);
}

static bool arena_add_block(struct as_arena *ar, size_t need)
{
	size_t head = (sizeof(struct as_arena_block) + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	size_t size = ar->allocated < BLOCK_MIN ? BLOCK_MIN : ar->allocated;
	struct as_arena_block *b;

	as_assert(ar->p <= ar->end);
	if (size > BLOCK_MAX)
		size = BLOCK_MAX;
	if (need > SIZE_MAX / 2)
		return false;
	if (size < need + head)
		size = need + head;
	b = ar->al->resize(ar->al->ctx, NULL, 0, size);
	if (!b)
		return false;
	*b = (struct as_arena_block){.next = ar->head, .size = size};
	ar->head = b;
	ar->allocated += size;
	ar->p = (char *)b + head;
	ar->end = (char *)b + size;
	arena_forbid(ar->p, (size_t)(ar->end - ar->p));
	return true;
}

/* SIZE bytes at a multiple of ALIGN, which is a power of two. */
static inline char *arena_take(struct as_arena *ar, size_t size, size_t align)
{
	size_t pad = (size_t)(-(uintptr_t)ar->p & (align - 1));
	char *p;

	if (!ar->end || (size_t)(ar->end - ar->p) < pad + RED_ZONE ||
		(size_t)(ar->end - ar->p) - pad - RED_ZONE < size) {
		if (size > SIZE_MAX / 2 || !arena_add_block(ar, size + RED_ZONE)) {
			ar->failed = true;
			return NULL;
		}
		pad = (size_t)(-(uintptr_t)ar->p & (align - 1));
	}
	p = ar->p + pad;
	ar->p += pad + size + RED_ZONE;
	arena_allow(p, size);
	return p;
}

void *as_arena_get(struct as_arena *ar, size_t size)
{
	return arena_take(ar, size, ALIGN);
}

void *as_arena_new(struct as_arena *ar, size_t size)
{
	void *p = as_arena_get(ar, size);

	return p ? memset(p, 0, size) : NULL;
}

/* Strings need no alignment, which keeps a large table of short names dense. */
struct as_slice as_arena_dup(struct as_arena *ar, struct as_slice s)
{
	char *p = arena_take(ar, s.len + 1, STRING_ALIGN);

	if (!p)
		return (struct as_slice){NULL, 0};
	if (s.len)
		memcpy(p, s.p, s.len);
	p[s.len] = 0;
	return (struct as_slice){p, s.len};
}

struct as_slice as_arena_printf(struct as_arena *ar, const char *fmt, ...)
{
	va_list ap;
	char *p;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		return (struct as_slice){NULL, 0};
	p = as_arena_get(ar, (size_t)n + 1);
	if (!p)
		return (struct as_slice){NULL, 0};
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return (struct as_slice){p, (size_t)n};
}

struct as_slice as_arena_plural(struct as_arena *ar, const char *words, uint64_t n)
{
	enum { ALWAYS, ONE, MANY } form = ALWAYS;
	char *p = as_arena_get(ar, strlen(words) + 1);
	size_t len = 0;

	if (!p)
		return (struct as_slice){NULL, 0};
	for (; *words; words++)
		if (*words == '{')
			form = ONE;
		else if (*words == '|' && form == ONE)
			form = MANY;
		else if (*words == '}')
			form = ALWAYS;
		else if (form == ALWAYS || (form == ONE) == (n == 1))
			p[len++] = *words;
	p[len] = 0;
	return (struct as_slice){p, len};
}
