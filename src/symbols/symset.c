/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/symbols.h"

bool as_symset_init(struct as_symset *set, const struct as_alloc *al)
{
	*set = (struct as_symset){.al = al};
	as_arena_init(&set->arena, al);
	return as_strings_init(&set->str, &set->arena);
}

void as_symset_release(struct as_symset *set)
{
	as_vec_free(set->al, &set->frame);
	as_vec_free(set->al, &set->first);
	as_strings_release(&set->str);
	as_arena_release(&set->arena);
}

bool as_symset_next(struct as_symset *set)
{
	return as_vec_push(set->al, &set->first, (uint32_t)set->frame.n);
}

bool as_symset_frame(struct as_symset *set, const struct as_symtext *text)
{
	struct as_symframe frame = {.start = text->start, .line = text->line};

	return as_strings_add(&set->str, text->name, &frame.name) &&
	       as_strings_add(&set->str, text->file, &frame.file) &&
	       as_strings_add(&set->str, text->decl, &frame.decl) &&
	       as_vec_push(set->al, &set->frame, frame);
}
