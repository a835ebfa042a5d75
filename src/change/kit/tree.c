/* SPDX-License-Identifier: Apache-2.0 */
#include "change/kit/tree.h"

void as_tree_live(const struct as_profile *prof, uint8_t *live)
{
	bool rootless = false;

	as_assert(prof->node.parent.n); /* the root is always there */
	memset(live, 0, prof->node.parent.n);
	for (size_t i = 0; i < prof->sample.node.n; i++) {
		live[prof->sample.node.p[i].i] = 1;
		rootless |= !prof->sample.node.p[i].i;
	}
	for (size_t i = prof->node.parent.n; i-- > 1;)
		live[prof->node.parent.p[i].i] |= live[i];
	live[0] = rootless;
}

/* Child and sibling of each node, 0 = none; children in ascending order. */
static void tree_link_children(
	const struct as_profile *prof, const uint8_t *live, uint32_t *first, uint32_t *next)
{
	for (size_t i = prof->node.parent.n; i-- > 1;) {
		uint32_t parent = prof->node.parent.p[i].i;

		if (!live[i])
			continue;
		next[i] = first[parent];
		first[parent] = (uint32_t)i;
	}
}

/* Depth first, without a stack: the parents lead back. ON_PATH counts the nodes of each key
 * between the root and where the walk is. */
struct walk {
	const as_node *parent;
	uint32_t *first, *next, *on_path;
	const uint32_t *key;
};

static void tree_walk(struct walk *w, uint8_t *outer)
{
	uint32_t node = w->first[0];

	while (node) {
		outer[node] = w->on_path[w->key[node]]++ == 0;
		if (w->first[node]) {
			node = w->first[node];
			continue;
		}
		while (node && !w->next[node]) {
			w->on_path[w->key[node]]--;
			node = w->parent[node].i;
		}
		if (node) {
			w->on_path[w->key[node]]--;
			node = w->next[node];
		}
	}
}

bool as_tree_outermost(const struct as_profile *prof, const uint8_t *live, const uint32_t *key,
	size_t n_keys, uint8_t *outer)
{
	size_t n = prof->node.parent.n, size = (2 * n + n_keys) * sizeof(uint32_t) + 1;
	struct walk w = {.parent = prof->node.parent.p, .key = key};

	w.first = as_alloc_new(prof->al, size);
	if (!w.first)
		return false;
	w.next = w.first + n;
	w.on_path = w.next + n;
	memset(outer, 0, n);
	tree_link_children(prof, live, w.first, w.next);
	tree_walk(&w, outer);
	as_alloc_free(prof->al, w.first, size);
	return true;
}
