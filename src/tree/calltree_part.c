/* SPDX-License-Identifier: Apache-2.0 */
/* A part of a tree: all of it, or what begins with one function. */
#include "base/pool.h"
#include "table/project_impl.h"
#include "tree/calltree_node.h"

/* TO: of each node of ALL the one of CT + 1. */
static enum as_code copy_nodes(struct as_calltree *ct, const struct as_calltree *all,
	const struct as_calltree_root *below, struct as_index *nodes, uint32_t *to)
{
	uint32_t node;

	AS_TRY(as_calltree_node(ct, nodes, 0, 0, &node));
	for (uint32_t i = 1; i < all->parent.n; i++) {
		uint32_t above = to[all->parent.p[i]];

		if (!above && !as_calltree_is(&all->key.p[all->key_of.p[i]], below))
			continue;
		AS_TRY(as_calltree_node(ct, nodes, above ? above - 1 : 0, all->key_of.p[i], &node));
		to[i] = node + 1;
		ct->exact.p[node] &= all->exact.p[i];
		as_vals_add(
			ct->cost.p + (size_t)node * ct->e, all->cost.p + (size_t)i * ct->e, ct->e);
	}
	return AS_OK;
}

enum as_code as_calltree_part(struct as_calltree *ct, const struct as_calltree *all,
	const struct as_calltree_root *below, struct as_err *err)
{
	enum as_code rc = AS_E_NOMEM;
	struct as_index nodes;
	struct as_pool pool;
	uint32_t *to;

	as_assert(all->estimated && !all->inclusive);
	*ct = (struct as_calltree){.al = all->al,
		.prof = all->prof,
		.e = all->e,
		.how = all->how,
		.estimated = all->estimated};
	as_pool_init(&pool, all->al);
	as_index_init(&nodes, &pool.al);
	if (as_alloc_array(&pool.al, &to, all->parent.n) &&
		as_vec_append(ct->al, &ct->key, all->key.p, all->key.n) &&
		as_vec_append(ct->al, &ct->row, all->row.p, all->row.n) &&
		as_vec_append(ct->al, &ct->several, all->several.p, all->several.n))
		rc = copy_nodes(ct, all, below, &nodes, to);
	as_pool_release(&pool);
	return rc == AS_OK ? AS_OK : as_err_no_memory(err);
}
