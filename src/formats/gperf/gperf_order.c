/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The distinct stacks in the order of a walk through their tree: root first, frame by frame. So
 * neighbours share all that they can, and the tree is made without looking anything up.
 *
 * Multikey quicksort with two frames to a key. Keys are fetched once for each two frames that
 * a stack shares with its group; small groups are compared directly.
 */
#include "formats/gperf/gperf.h"

enum { SMALL = 12 };

/* The frame at LEVEL from the root, which stands at P, and the next one; 0 beyond the leaf. */
static inline uint64_t key_at(const uint32_t *root, uint32_t level)
{
	uint32_t first = root[-(ptrdiff_t)level] + 1; /* AS_GP_END becomes 0 */

	return (uint64_t)first << 32 | (first ? root[-(ptrdiff_t)level - 1] + 1 : 0);
}

static bool is_less(
	const uint32_t *id, const struct as_gp_item *a, const struct as_gp_item *b, uint32_t level)
{
	uint64_t x = a->key, y = b->key;

	while (x == y && (uint32_t)x) {
		level += 2;
		x = key_at(id + a->root, level);
		y = key_at(id + b->root, level);
	}
	return x < y;
}

static void sort_small(const uint32_t *id, struct as_gp_item *it, size_t n, uint32_t level)
{
	for (size_t i = 1; i < n; i++) {
		struct as_gp_item one = it[i];
		size_t k = i;

		for (; k > 0 && is_less(id, &one, &it[k - 1], level); k--)
			it[k] = it[k - 1];
		it[k] = one;
	}
}

/* The middle one of three that no file can foresee well. */
static uint64_t pick_pivot(const struct as_gp_item *it, size_t n)
{
	uint64_t h = as_hash_mix(n, it[n / 2].key);
	uint64_t a = it[h % n].key, b = it[(h >> 20) % n].key, c = it[(h >> 40) % n].key;

	if ((a < b) == (b < c))
		return b;
	return (a < b) == (a < c) ? (b < c ? b : c) : a;
}

static inline void swap(struct as_gp_item *a, struct as_gp_item *b)
{
	struct as_gp_item t = *a;

	*a = *b;
	*b = t;
}

/* Three parts: below the pivot [0, *LT), equal [*LT, *GT), above. */
static void partition(struct as_gp_item *it, size_t n, size_t *lt, size_t *gt)
{
	uint64_t pivot = pick_pivot(it, n);
	size_t i = 0;

	*lt = 0;
	*gt = n;
	while (i < *gt) {
		if (it[i].key < pivot)
			swap(&it[i++], &it[(*lt)++]);
		else if (it[i].key > pivot)
			swap(&it[i], &it[--(*gt)]);
		else
			i++;
	}
}

/* A part that is still to be sorted. */
struct group {
	struct as_gp_item *it;
	size_t n;
	uint32_t level;
};

/* The equal part goes on with the next two frames. */
static struct group descend(const uint32_t *id, struct group g)
{
	if (g.n && !(uint32_t)g.it[0].key) /* they have ended */
		g.n = 0;
	g.level += 2;
	for (size_t i = 0; g.n > 1 && i < g.n; i++) {
		if (i + GP_AHEAD < g.n)
			GP_PREFETCH(id + g.it[i + GP_AHEAD].root - g.level);
		g.it[i].key = key_at(id + g.it[i].root, g.level);
	}
	return g;
}

static void swap_groups(struct group *a, struct group *b)
{
	struct group t = *a;

	*a = *b;
	*b = t;
}

/* Calls itself for parts of at most half the size, so it nests no deeper than log2 N. */
static void sort(const uint32_t *id, struct group g)
{
	while (g.n > SMALL) {
		struct group below = g, equal = g, above = g;
		size_t lt, gt;

		partition(g.it, g.n, &lt, &gt);
		below.n = lt;
		above.it += gt;
		above.n -= gt;
		equal.it += lt;
		equal.n = gt - lt;
		equal = descend(id, equal);
		if (below.n > above.n)
			swap_groups(&below, &above);
		if (equal.n > above.n)
			swap_groups(&equal, &above);
		sort(id, below);
		sort(id, equal);
		g = above;
	}
	sort_small(id, g.it, g.n, g.level);
}

void as_gp_stacks_order(const struct as_gp_stacks *st, struct as_gp_item *items)
{
	for (uint32_t i = 0; i < st->row.n; i++) {
		const struct as_gp_stack *s = &st->row.p[i];
		uint32_t root = s->first + s->depth - 1;

		items[i] = (struct as_gp_item){key_at(st->id.p + root, 0), root, i};
	}
	sort(st->id.p, (struct group){.it = items, .n = st->row.n});
}
