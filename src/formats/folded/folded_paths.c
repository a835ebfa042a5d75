/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks to the tree of paths. The frames of a line that are new get nodes one behind the other,
 * and are found again so: only where paths part is there an entry in the index. Most lines of a
 * large file part from the others once, so the index stays small.
 */
#include "formats/folded/folded_read.h"

/* As as_build_push(). The node behind PARENT may be its child; others are in the index. */
static inline enum as_code push(
	struct as_folded_reader *r, as_node parent, as_place place, as_node *node)
{
	struct as_profile *prof = r->rd->out->prof;
	uint64_t pos = AS_INDEX_START, hash;
	uint32_t n = (uint32_t)prof->node.parent.n;

	node->i = parent.i + 1;
	if (node->i < n && prof->node.parent.p[node->i].i == parent.i &&
		prof->node.place.p[node->i].i == place.i)
		return AS_OK;
	hash = as_hash_mix(parent.i, place.i);
	while (node->i < n && as_index_find(&r->nodes, hash, &pos, &node->i))
		if (prof->node.parent.p[node->i].i == parent.i &&
			prof->node.place.p[node->i].i == place.i)
			return AS_OK;
	if (n >= UINT32_MAX - 2)
		return as_err_set(r->rd->err, AS_E_LIMIT, "more than 2^32 path nodes");
	node->i = n;
	if (!as_vec_push(r->al, &prof->node.parent, parent) ||
		!as_vec_push(r->al, &prof->node.place, place))
		return as_folded_no_memory(r);
	if (n != parent.i + 1 && !as_index_add(&r->nodes, hash, n))
		return as_folded_no_memory(r);
	return AS_OK;
}

static enum as_code node_of(struct as_folded_reader *r, struct as_slice stack, as_node *node)
{
	size_t at = as_folded_keep_common(r, stack), end;
	uint32_t place;

	node->i = r->level.n ? r->level.p[r->level.n - 1].to : 0;
	for (; stack.len && at <= stack.len; at = end + 1) {
		AS_TRY(as_folded_frame_at(r, stack, at, &end, &place));
		AS_TRY(push(r, *node, (as_place){place}, node));
		if (!as_folded_push_level(r, end, node->i))
			return as_folded_no_memory(r);
	}
	return AS_OK;
}

enum as_code as_folded_add_path(
	struct as_folded_reader *r, struct as_slice stack, const as_val *count)
{
	struct as_profile *prof = r->rd->out->prof;
	uint32_t sample;
	as_node node;

	AS_TRY(node_of(r, stack, &node));
	while (r->sample_of.n <= node.i)
		if (!as_vec_push(r->al, &r->sample_of, 0))
			return as_folded_no_memory(r);
	sample = r->sample_of.p[node.i];
	if (sample) {
		for (unsigned i = 0; i < r->columns; i++)
			prof->sample.cost.p[(size_t)(sample - 1) * r->columns + i] += count[i];
		return AS_OK;
	}
	AS_TRY(as_build_sample(r->rd->out, 0, node, count));
	r->sample_of.p[node.i] = (uint32_t)prof->sample.node.n;
	return AS_OK;
}
