/* SPDX-License-Identifier: Apache-2.0 */
/* Tables of compressed names. */
#include "formats/callgrind/callgrind.h"

/* One megabyte: ids are met before the bytes that would pay for them when calls come first. */
enum { DENSE_SLACK = 256 * 1024 };

void as_cg_ids_init(struct cg_ids *ids, const struct as_alloc *al)
{
	*ids = (struct cg_ids){0};
	as_index_init(&ids->index, al);
}

void as_cg_ids_release(struct cg_ids *ids, const struct as_alloc *al)
{
	as_vec_free(al, &ids->dense);
	as_vec_free(al, &ids->key);
	as_vec_free(al, &ids->value);
	as_index_release(&ids->index);
}

static uint32_t *sparse_find(const struct cg_ids *ids, uint64_t id)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t row;

	while (as_index_find(&ids->index, as_hash_mix(id, 3), &pos, &row))
		if (ids->key.p[row] == id)
			return &ids->value.p[row];
	return NULL;
}

uint32_t as_cg_ids_get(const struct cg_ids *ids, uint64_t id)
{
	const uint32_t *value;

	if (AS_LIKELY(id < ids->dense.n && ids->dense.p[id]))
		return ids->dense.p[id];
	if (!ids->key.n)
		return 0;
	value = sparse_find(ids, id);
	return value ? *value : 0;
}

bool as_cg_ids_set(
	struct cg_ids *ids, const struct as_alloc *al, uint64_t id, uint32_t value, uint64_t off)
{
	uint32_t *old = ids->key.n ? sparse_find(ids, id) : NULL;

	if (old) {
		*old = value;
		return true;
	}
	if (id < ids->dense.n || id < off + DENSE_SLACK) {
		while (ids->dense.n <= id)
			if (!as_vec_push(al, &ids->dense, 0))
				return false;
		ids->dense.p[id] = value;
		return true;
	}
	return as_vec_push(al, &ids->key, id) && as_vec_push(al, &ids->value, value) &&
	       as_index_add(&ids->index, as_hash_mix(id, 3), (uint32_t)(ids->key.n - 1));
}
