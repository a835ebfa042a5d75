/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stacks to the tree of paths. The frames of a line that are new get nodes one behind the other,
 * and are found again so: only where paths part is there an entry in a table. Most lines of a
 * large file part from the others once, so the table stays small. Entries are found by all frames
 * up to theirs, whatever their nodes are: so those of a line are fetched before the first one is
 * looked at.
 */
#include "formats/folded/folded_read.h"

enum { FORKS_MIN = 64 };

static inline struct as_folded_fork *folded_paths_home(
	const struct as_folded_reader *r, uint64_t hash)
{
	return &r->fork[(hash >> 32) & (r->forks - 1)];
}

static inline struct as_folded_fork *folded_paths_behind(
	const struct as_folded_reader *r, struct as_folded_fork *fork)
{
	return fork + 1 < r->fork + r->forks ? fork + 1 : r->fork;
}

static void put_fork(struct as_folded_reader *r, const struct as_folded_fork *fork)
{
	struct as_folded_fork *at = folded_paths_home(r, (uint64_t)fork->hash << 32);

	while (at->node.i)
		at = folded_paths_behind(r, at);
	*at = *fork;
}

static AS_NOINLINE bool make_room(struct as_folded_reader *r)
{
	struct as_folded_fork *old = r->fork;
	size_t n = r->forks, size = n ? 2 * n : FORKS_MIN;

	if (size > SIZE_MAX / sizeof(*old))
		return false;
	r->fork = as_alloc_new(r->al, size * sizeof(*old));
	if (!r->fork) {
		r->fork = old;
		return false;
	}
	r->forks = size;
	for (size_t i = 0; i < n; i++)
		if (old[i].node.i)
			put_fork(r, &old[i]);
	as_alloc_free(r->al, old, n * sizeof(*old));
	return true;
}

/* The child of PARENT at PLACE, if it is a fork; its path has HASH. */
static inline bool find_fork(const struct as_folded_reader *r, as_node parent, as_place place,
	uint64_t hash, as_node *node)
{
	struct as_folded_fork *at = folded_paths_home(r, hash);

	for (; at->node.i; at = folded_paths_behind(r, at))
		if (at->parent.i == parent.i && at->place.i == place.i) {
			*node = at->node;
			return true;
		}
	return false;
}

/* As as_build_push(). The node behind PARENT may be its child; others are forks. The last node has
 * no child yet. */
static inline enum as_code folded_paths_push(
	struct as_folded_reader *r, as_node parent, as_place place, uint64_t hash, as_node *node)
{
	struct as_profile *prof = r->rd->out->prof;
	uint32_t n = (uint32_t)prof->node.parent.n, next = parent.i + 1;

	if (next < n) {
		struct as_folded_fork fork = {parent, place, {n}, (uint32_t)(hash >> 32)};

		if (find_fork(r, parent, place, hash, node))
			return AS_OK;
		node->i = next;
		if (prof->node.parent.p[next].i == parent.i &&
			prof->node.place.p[next].i == place.i)
			return AS_OK;
		if (r->n_forks >= r->forks - r->forks / 4 && !make_room(r))
			return as_err_no_memory(r->rd->err);
		put_fork(r, &fork);
		r->n_forks++;
	}
	if (n >= UINT32_MAX - 2)
		return as_err_set(r->rd->err, AS_E_LIMIT, "more than 2^32 path nodes");
	node->i = n;
	return as_err_memory(r->rd->err, as_vec_push(prof->al, &prof->node.parent, parent) &&
						 as_vec_push(prof->al, &prof->node.place, place));
}

/* The frames of STACK become levels, those behind the first KEPT with their places: as many have
 * their nodes, which STACK has in common with the last one. */
static enum as_code folded_paths_find_places(
	struct as_folded_reader *r, struct as_slice stack, size_t *kept)
{
	size_t at = as_folded_keep_common(r, stack), end;
	uint64_t hash = r->level.n ? r->level.p[r->level.n - 1].hash : 0;
	uint32_t place;

	*kept = r->level.n;
	for (; stack.len && at <= stack.len; at = end + 1) {
		AS_TRY(as_folded_frame_at(r, stack, at, &end, &place));
		hash = as_hash_mix(hash, place);
		AS_PREFETCH(folded_paths_home(r, hash));
		AS_TRY(as_err_memory(r->rd->err, as_folded_push_level(r, end, place, hash)));
	}
	return AS_OK;
}

static enum as_code node_of(struct as_folded_reader *r, struct as_slice stack, as_node *node)
{
	size_t kept;

	if (!r->forks && !make_room(r))
		return as_err_no_memory(r->rd->err);
	AS_TRY(folded_paths_find_places(r, stack, &kept));
	node->i = kept ? r->level.p[kept - 1].to : 0;
	for (size_t i = kept; i < r->level.n; i++) {
		struct as_folded_level *level = &r->level.p[i];

		AS_TRY(folded_paths_push(r, *node, (as_place){level->to}, level->hash, node));
		level->to = node->i;
	}
	return AS_OK;
}

static uint64_t folded_paths_hash(as_node node)
{
	return as_hash_mix(node.i, 0);
}

/* The samples since the last time get into the index. It is not needed until a node is met again,
 * which in a sorted file does not happen. */
static bool folded_paths_index(struct as_folded_reader *r)
{
	const struct as_profile *prof = r->rd->out->prof;
	size_t n = prof->sample.node.n;

	for (; r->n_indexed < n; r->n_indexed++)
		if (!as_index_add(&r->samples, folded_paths_hash(prof->sample.node.p[r->n_indexed]),
			    (uint32_t)r->n_indexed))
			return false;
	return true;
}

/* The sample of NODE, if it has one. */
static bool find_sample(const struct as_folded_reader *r, as_node node, uint32_t *sample)
{
	uint64_t pos = AS_INDEX_START;

	while (as_index_find(&r->samples, folded_paths_hash(node), &pos, sample))
		if (r->rd->out->prof->sample.node.p[*sample].i == node.i)
			return true;
	return false;
}

enum as_code as_folded_add_path(
	struct as_folded_reader *r, struct as_slice stack, const as_val *count)
{
	struct as_profile *prof = r->rd->out->prof;
	size_t nodes = prof->node.parent.n;
	as_node node = {0};
	uint32_t sample;

	AS_TRY(node_of(r, stack, &node));
	if (node.i >= nodes)
		return as_build_sample(r->rd->out, 0, node, count);
	AS_TRY(as_err_memory(r->rd->err, folded_paths_index(r)));
	if (!find_sample(r, node, &sample))
		return as_build_sample(r->rd->out, 0, node, count);
	for (unsigned i = 0; i < r->columns; i++)
		prof->sample.cost.p[(size_t)sample * r->columns + i] += count[i];
	return AS_OK;
}
