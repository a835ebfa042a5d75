/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks in the order of a walk through their tree: root first, frame by frame. So neighbours
 * share all that they can, and the tree is made without looking anything up.
 */
#ifndef AS_FORMATS_STACK_ORDER_H
#define AS_FORMATS_STACK_ORDER_H

#include "model/build.h"

/* A stack on its way into the order. */
struct as_stack_item {
	uint64_t key;  /* two of its frames, for sorting */
	uint32_t root; /* its outermost frame in id */
	uint32_t row;
};

/* How frames stand in ID: the next one is STEP words away, 1 or -1. A stack ends at a word that is
 * 0 with BIAS added to it, and one word more can be read behind each. */
struct as_stack_words {
	const uint32_t *id;
	int step;
	uint32_t bias;
};

/* Sort N items by their stacks, which say the roots and the rows that they have. */
void as_stack_order(struct as_stack_words words, struct as_stack_item *item, size_t n);

/* The nodes of stacks that come in that order; their words and BIAS are places + 1. No other nodes
 * are made meanwhile. */
struct as_stack_tree {
	struct as_build *b;
	const struct as_alloc *al;
	struct as_stack_words words;
	const uint32_t *before; /* the stack before; at first a word that ends one */
	AS_VEC(as_node) path;   /* its nodes */
};

/* The node of the stack at ROOT: what it shares with the one before is there, the rest is new. */
enum as_code as_stack_node(struct as_stack_tree *t, const uint32_t *root, as_node *node)
	AS_NODISCARD;

#endif
