/* SPDX-License-Identifier: Apache-2.0 */
#include "change/filter/pprof_labels.h"

static bool pprof_labels_find(const struct as_pprof_units *u, as_str key, uint32_t *row)
{
	uint64_t pos = AS_INDEX_START;

	while (as_index_find(&u->index, as_hash_mix(key.i, 1), &pos, row))
		if (u->prof->label.p[*row].key.i == key.i)
			return true;
	return false;
}

bool as_pprof_units_make(struct as_pprof_units *u, const struct as_profile *prof)
{
	*u = (struct as_pprof_units){.prof = prof};
	as_index_init(&u->index, prof->al);
	for (uint32_t i = 0; i < prof->label.n; i++) {
		const struct as_label *l = &prof->label.p[i];
		uint32_t row;

		if (as_pprof_is_number(l) && l->unit.i && !pprof_labels_find(u, l->key, &row) &&
			!as_index_add(&u->index, as_hash_mix(l->key.i, 1), i))
			return false;
	}
	return true;
}

struct as_slice as_pprof_unit_of(const struct as_pprof_units *u, as_str key)
{
	struct as_slice name = as_str_get(u->prof, key);
	uint32_t row;

	if (pprof_labels_find(u, key, &row))
		return as_str_get(u->prof, u->prof->label.p[row].unit);
	if (as_slice_is(name, "alignment") || as_slice_is(name, "request"))
		return as_slice_of("bytes");
	return name;
}

void as_pprof_units_release(struct as_pprof_units *u)
{
	as_index_release(&u->index);
}
