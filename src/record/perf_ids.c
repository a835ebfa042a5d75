/* SPDX-License-Identifier: Apache-2.0 */
#include "record/perf_ids.h"

void as_known_ids_init(struct as_known_ids *ids, const struct as_alloc *al)
{
	memset(ids, 0, sizeof(*ids));
	as_arena_init(&ids->arena, al);
	as_index_init(&ids->index, al);
}

void as_known_ids_release(struct as_known_ids *ids)
{
	as_vec_free(ids->arena.al, &ids->row);
	as_index_release(&ids->index);
	as_arena_release(&ids->arena);
}

/* What can't be kept is asked again. */
static void perf_ids_keep(struct as_known_ids *ids, const struct as_perf_range *range,
	struct as_slice id, uint64_t hash)
{
	struct as_known_id row = {range->dev, range->ino, as_arena_dup(&ids->arena, range->path),
		as_arena_dup(&ids->arena, id)};

	if (row.path.p && row.id.p && as_vec_push(ids->arena.al, &ids->row, row))
		(void)!as_index_add(&ids->index, hash, (uint32_t)ids->row.n - 1);
}

struct as_slice as_known_id(struct as_known_ids *ids, uint32_t pid,
	const struct as_perf_range *range, char text[AS_BUILD_ID_TEXT])
{
	uint64_t at = AS_INDEX_START, hash = as_hash_mix(range->dev, range->ino);
	struct as_slice id;
	uint32_t i;

	if (!ids || !range->ino || range->deleted)
		return as_object_build_id(pid, range, text);
	while (as_index_find(&ids->index, hash, &at, &i)) {
		const struct as_known_id *row = &ids->row.p[i];

		if (row->dev == range->dev && row->ino == range->ino &&
			as_slice_eq(row->path, range->path))
			return row->id;
	}
	id = as_object_build_id(pid, range, text);
	if (id.len) /* another process may have a way to it */
		perf_ids_keep(ids, range, id, hash);
	return id;
}
