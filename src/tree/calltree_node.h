/* SPDX-License-Identifier: Apache-2.0 */
/* Trees that are made path by path. */
#ifndef AS_TREE_CALLTREE_NODE_H
#define AS_TREE_CALLTREE_NODE_H

#include "base/index.h"
#include "tree/calltree.h"

/* RC in the words of trees. */
static inline enum as_code as_calltree_said(enum as_code rc, struct as_err *err)
{
	if (rc == AS_E_LIMIT)
		return as_err_set(err, rc, "more than 2^32 call paths");
	return rc == AS_OK ? AS_OK : as_err_no_memory(err);
}

/* A new child of PARENT. AS_E_LIMIT: more than 2^32. */
static inline enum as_code as_calltree_push(
	struct as_calltree *ct, uint32_t parent, uint32_t key, uint32_t *node)
{
	size_t at = ct->cost.n;

	if (ct->parent.n >= UINT32_MAX - 2)
		return AS_E_LIMIT;
	*node = (uint32_t)ct->parent.n;
	if (!as_vec_push(ct->al, &ct->parent, parent) || !as_vec_push(ct->al, &ct->key_of, key) ||
		(ct->estimated && !as_vec_push(ct->al, &ct->exact, UINT8_MAX)) ||
		!as_vec_reserve(ct->al, &ct->cost, at + ct->e))
		return AS_E_NOMEM;
	if (ct->e)
		memset(ct->cost.p + at, 0, ct->e * sizeof(*ct->cost.p));
	ct->cost.n = at + ct->e;
	return AS_OK;
}

/* The child of PARENT in CT that KEY names, a new one if there is none; the first one is the root.
 * NODES: those of CT by parent and key. */
static inline enum as_code as_calltree_node(struct as_calltree *ct, struct as_index *nodes,
	uint32_t parent, uint32_t key, uint32_t *node)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_mix(parent, key);

	while (as_index_find(nodes, hash, &pos, node))
		if (ct->parent.p[*node] == parent && ct->key_of.p[*node] == key)
			return AS_OK;
	AS_TRY(as_calltree_push(ct, parent, key, node));
	return !*node || as_index_add(nodes, hash, *node) ? AS_OK : AS_E_NOMEM;
}

#endif
