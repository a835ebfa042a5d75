/* SPDX-License-Identifier: Apache-2.0 */
#include "model/shown.h"

void as_shown_init(struct as_shown *s, const struct as_alloc *al, const struct as_renamer *how)
{
	*s = (struct as_shown){.al = al, .how = *how};
	as_arena_init(&s->arena, al);
	as_index_init(&s->index, al);
}

void as_shown_release(struct as_shown *s)
{
	if (!s->al)
		return;
	as_vec_free(s->al, &s->name);
	as_index_release(&s->index);
	as_arena_release(&s->arena);
}

bool as_shown_add(struct as_shown *s, struct as_slice whole, struct as_slice shown)
{
	struct as_shown_name row = {as_arena_dup(&s->arena, whole), as_arena_dup(&s->arena, shown)};

	return row.whole.p && row.shown.p && as_vec_push(s->al, &s->name, row) &&
	       as_index_add(&s->index, as_hash_bytes(whole.p, whole.len), (uint32_t)s->name.n - 1);
}

bool as_shown_complete(struct as_shown *s)
{
	if (s->add && !s->add(s, (struct as_slice){NULL, 0}))
		return false;
	s->add = NULL;
	return true;
}

static bool find_added(const struct as_shown *s, struct as_slice *name)
{
	uint64_t pos = AS_INDEX_START, hash = as_hash_bytes(name->p, name->len);
	uint32_t row;

	while (as_index_find(&s->index, hash, &pos, &row))
		if (as_slice_eq(s->name.p[row].whole, *name)) {
			*name = s->name.p[row].shown;
			return true;
		}
	return false;
}

static bool shown_find(struct as_shown *s, struct as_slice *name)
{
	if (!name->len)
		return false;
	return find_added(s, name) || (s->add && s->add(s, *name) && find_added(s, name));
}

struct as_slice as_shown_find(struct as_shown *s, struct as_slice name)
{
	if (s)
		(void)shown_find(s, &name);
	return name;
}

struct as_slice as_shown_beside(struct as_shown *s, struct as_arena *arena, struct as_slice name)
{
	if (!s || !name.len || shown_find(s, &name))
		return name;
	return s->how.rename(s->how.ctx, arena, name);
}
