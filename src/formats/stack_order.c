/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Multikey quicksort with two frames to a key. Keys are fetched once for each two frames that a
 * stack shares with its group; small groups are compared directly.
 */
#include "formats/stack_order.h"

#include "base/slice.h"

enum { SMALL = 12, AHEAD = 12 };

/* The frame at LEVEL from the root, and the next one; 0 where the stack has ended. */
static inline uint64_t stack_key(struct as_stack_words w, uint32_t root, uint32_t level)
{
	const uint32_t *p = w.id + root + (ptrdiff_t)level * w.step;
	uint32_t first = p[0] + w.bias;

	return (uint64_t)first << 32 | (first ? p[w.step] + w.bias : 0);
}

static bool stack_is_less(struct as_stack_words w, const struct as_stack_item *a,
	const struct as_stack_item *b, uint32_t level)
{
	uint64_t x = a->key, y = b->key;

	while (x == y && (uint32_t)x) {
		level += 2;
		x = stack_key(w, a->root, level);
		y = stack_key(w, b->root, level);
	}
	return x < y || (x == y && a->row < b->row);
}

static void stack_sort_small(
	struct as_stack_words w, struct as_stack_item *it, size_t n, uint32_t level)
{
	for (size_t i = 1; i < n; i++) {
		struct as_stack_item one = it[i];
		size_t k = i;

		for (; k > 0 && stack_is_less(w, &one, &it[k - 1], level); k--)
			it[k] = it[k - 1];
		it[k] = one;
	}
}

/* The middle one of three that no file can foresee well. */
static uint64_t stack_pivot(const struct as_stack_item *it, size_t n)
{
	uint64_t h = as_hash_mix(n, it[n / 2].key);
	uint64_t a = it[h % n].key, b = it[(h >> 20) % n].key, c = it[(h >> 40) % n].key;

	if ((a < b) == (b < c))
		return b;
	return (a < b) == (a < c) ? (b < c ? b : c) : a;
}

static inline void stack_swap(struct as_stack_item *a, struct as_stack_item *b)
{
	struct as_stack_item t = *a;

	*a = *b;
	*b = t;
}

/* A part that is still to be sorted. */
struct stack_group {
	struct as_stack_item *it;
	size_t n;
	uint32_t level;
};

/* Three parts: below the pivot, equal, above. */
static void stack_partition(struct stack_group g, struct stack_group part[3])
{
	uint64_t pivot = stack_pivot(g.it, g.n);
	size_t lt = 0, gt = g.n, i = 0;

	while (i < gt) {
		if (g.it[i].key < pivot)
			stack_swap(&g.it[i++], &g.it[lt++]);
		else if (g.it[i].key > pivot)
			stack_swap(&g.it[i], &g.it[--gt]);
		else
			i++;
	}
	part[0] = (struct stack_group){g.it, lt, g.level};
	part[1] = (struct stack_group){g.it + lt, gt - lt, g.level};
	part[2] = (struct stack_group){g.it + gt, g.n - gt, g.level};
}

/* The equal part goes on with the next two frames; stacks that have ended are equal. */
static void stack_descend(struct as_stack_words w, struct stack_group *g)
{
	if (g->n && !(uint32_t)g->it[0].key) {
		g->n = 0;
		return;
	}
	g->level += 2;
	for (size_t i = 0; g->n > 1 && i < g->n; i++) {
		if (i + AHEAD < g->n)
			AS_PREFETCH(w.id + g->it[i + AHEAD].root + (ptrdiff_t)g->level * w.step);
		g->it[i].key = stack_key(w, g->it[i].root, g->level);
	}
}

/* Calls itself for parts of at most half the size, so it nests no deeper than log2 N. */
static void stack_sort(struct as_stack_words w, struct stack_group g)
{
	while (g.n > SMALL) {
		struct stack_group part[3];
		unsigned most = 0;

		stack_partition(g, part);
		stack_descend(w, &part[1]);
		for (unsigned i = 1; i < 3; i++)
			most = part[i].n > part[most].n ? i : most;
		for (unsigned i = 0; i < 3; i++)
			if (i != most)
				stack_sort(w, part[i]);
		g = part[most];
	}
	stack_sort_small(w, g.it, g.n, g.level);
}

void as_stack_order(struct as_stack_words words, struct as_stack_item *item, size_t n)
{
	for (size_t i = 0; i < n; i++)
		item[i].key = stack_key(words, item[i].root, 0);
	stack_sort(words, (struct stack_group){item, n, 0});
}

static enum as_code stack_append(struct as_stack_tree *t, uint32_t word, as_node *node)
{
	struct as_profile *prof = t->b->prof;
	as_place place = {word + t->words.bias - 1};
	as_node parent = *node;

	if (prof->node.parent.n >= UINT32_MAX - 2)
		return as_err_set(t->b->err, AS_E_LIMIT, "more than 2^32 path nodes");
	node->i = (uint32_t)prof->node.parent.n;
	return as_err_memory(t->b->err, as_vec_push(prof->al, &prof->node.parent, parent) &&
						as_vec_push(prof->al, &prof->node.place, place) &&
						as_vec_push(t->al, &t->path, *node));
}

enum as_code as_stack_node(struct as_stack_tree *t, const uint32_t *root, as_node *node)
{
	const uint32_t *p = root, *before = t->before, end = 0 - t->words.bias;
	size_t same = 0;

	for (; *p == *before && *p != end; p += t->words.step, before += t->words.step)
		same++;
	node->i = same ? t->path.p[same - 1].i : 0;
	t->path.n = same;
	for (; *p != end; p += t->words.step)
		AS_TRY(stack_append(t, *p, node));
	t->before = root;
	return AS_OK;
}
