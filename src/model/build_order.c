/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Depth-first order of the nodes. Readers make the nodes of a path one behind the other, each the
 * first child of the one before. Such stretches stay together, so it is they that are ordered: of
 * one with a dozen nodes there is one to be moved, and its parents need not be moved at all.
 */
#include "model/build_order.h"

#include "base/sort.h"

enum { BLOCK = 64 };

struct stretch {
	uint32_t first;  /* its first node */
	uint32_t up;     /* the stretch that it stands on */
	uint32_t number; /* what its first node will be */
	uint32_t above;  /* and what that one's parent will be */
	uint32_t size;   /* nodes in it and in all that stand on it */
};

struct order {
	struct as_profile *prof;
	uint32_t nodes, n;  /* how many there are of them, and stretches */
	struct stretch *s;  /* one more, behind the last */
	uint32_t *block;    /* the stretch of every node whose number is a multiple of BLOCK */
	uint32_t *child;    /* stretches by what they stand on, those furthest up first */
	uint32_t *children; /* of each where in CHILD they begin; n + 1 */
	size_t words;       /* from BLOCK on */
};

static bool is_first(const struct as_profile *prof, uint32_t node)
{
	return !node || prof->node.parent.p[node].i != node - 1;
}

static uint32_t stretch_of(const struct order *o, uint32_t node)
{
	uint32_t s = o->block[node / BLOCK];

	while (o->s[s + 1].first <= node)
		s++;
	return s;
}

/* What NODE will be. */
static uint32_t number_of(const struct order *o, uint32_t node)
{
	const struct stretch *s = &o->s[stretch_of(o, node)];

	return s->number + (node - s->first);
}

static bool make_room(struct order *o)
{
	const struct as_alloc *al = o->prof->al;
	size_t blocks = o->nodes / BLOCK + 1;

	for (uint32_t i = 0; i < o->nodes; i++)
		o->n += is_first(o->prof, i);
	o->words = blocks + 2 * (size_t)o->n + 1;
	o->s = as_alloc_new(al, ((size_t)o->n + 1) * sizeof(*o->s));
	o->block = as_alloc_new(al, o->words * sizeof(*o->block));
	if (!o->s || !o->block)
		return false;
	o->child = o->block + blocks;
	o->children = o->child + o->n;
	return true;
}

static void find_stretches(struct order *o)
{
	const as_node *parent = o->prof->node.parent.p;
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->nodes; i++) {
		if (is_first(o->prof, i))
			o->s[n++].first = i;
		if (i % BLOCK == 0)
			o->block[i / BLOCK] = n - 1;
	}
	o->s[n].first = o->nodes;
	for (uint32_t s = 1; s < n; s++)
		o->s[s].up = stretch_of(o, parent[o->s[s].first].i);
	for (uint32_t s = n; s-- > 0;) {
		o->s[s].size += o->s[s + 1].first - o->s[s].first;
		if (s)
			o->s[o->s[s].up].size += o->s[s].size;
	}
}

/* What stands further up comes first: it is below a child that came earlier. */
static int cmp_above(const void *ctx, uint32_t a, uint32_t b)
{
	const struct order *o = ctx;
	const as_node *parent = o->prof->node.parent.p;
	uint32_t x = parent[o->s[a].first].i, y = parent[o->s[b].first].i;

	return x > y ? -1 : x < y;
}

static bool order_children(struct order *o)
{
	uint32_t *next = o->children;

	for (uint32_t s = 1; s < o->n; s++)
		next[o->s[s].up + 1]++;
	for (uint32_t s = 0; s < o->n; s++)
		next[s + 1] += next[s];
	for (uint32_t s = 1; s < o->n; s++)
		o->child[next[o->s[s].up]++] = s;
	memmove(next + 1, next, o->n * sizeof(*next)); /* each has become the next one's */
	next[0] = 0;
	for (uint32_t s = 0; s < o->n; s++)
		if (!as_sort_rows(
			    o->prof->al, o->child + next[s], next[s + 1] - next[s], cmp_above, o))
			return false;
	return true;
}

static void number(struct order *o)
{
	for (uint32_t s = 0; s < o->n; s++) {
		uint32_t next = o->s[s].number + (o->s[s + 1].first - o->s[s].first);

		for (uint32_t i = o->children[s]; i < o->children[s + 1]; i++) {
			o->s[o->child[i]].number = next;
			next += o->s[o->child[i]].size;
		}
	}
	for (uint32_t s = 1; s < o->n; s++)
		o->s[s].above = number_of(o, o->prof->node.parent.p[o->s[s].first].i);
}

/* PLACE is the column that will be. */
static void move(struct order *o, as_place *place)
{
	struct as_profile *prof = o->prof;

	for (uint32_t i = 0; i < o->n; i++) {
		const struct stretch *s = &o->s[i];
		uint32_t n = s[1].first - s->first;

		memcpy(place + s->number, prof->node.place.p + s->first, n * sizeof(*place));
		prof->node.parent.p[s->number].i = s->above;
		for (uint32_t k = 1; k < n; k++)
			prof->node.parent.p[s->number + k].i = s->number + k - 1;
	}
	for (size_t i = 0; i < prof->sample.node.n; i++)
		prof->sample.node.p[i].i = number_of(o, prof->sample.node.p[i].i);
	as_alloc_free(prof->al, prof->node.place.p, prof->node.place.cap * sizeof(*place));
	prof->node.place.p = place;
	prof->node.place.cap = o->nodes;
}

bool as_build_order_nodes(struct as_profile *prof)
{
	struct order o = {.prof = prof, .nodes = (uint32_t)prof->node.parent.n};
	const struct as_alloc *al = prof->al;
	as_place *place = NULL;
	bool fine = make_room(&o);

	if (fine) {
		find_stretches(&o);
		fine = order_children(&o);
	}
	if (fine)
		place = al->resize(al->ctx, NULL, 0, o.nodes * sizeof(*place));
	if (place) {
		number(&o);
		move(&o, place);
	}
	as_alloc_free(al, o.s, o.s ? ((size_t)o.n + 1) * sizeof(*o.s) : 0);
	as_alloc_free(al, o.block, o.block ? o.words * sizeof(*o.block) : 0);
	return place != NULL;
}
