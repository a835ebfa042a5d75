/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/symbols.h"

#include "symbols/cache/symbol_cache_dir.h"
#include "symbols/names/demangle.h"

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
	as_symcache_unmap(set->lent);
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

/* ---- readable names ---- */

struct readable {
	struct as_symset *to;
	const struct as_symset *from;
	as_str *name, *path; /* of the strings of FROM in TO; 0 = not yet */
};

static bool symset_name(struct readable *r, as_str *name)
{
	as_str *to = &r->name[name->i];
	struct as_arena arena;
	struct as_slice text;
	bool ok = true;

	if (!to->i) {
		as_arena_init(&arena, r->to->al);
		text = as_demangle(&arena, as_strings_get(&r->from->str, *name), AS_NAMES_FULL);
		ok = text.p && as_strings_add(&r->to->str, text, to);
		as_arena_release(&arena);
	}
	*name = *to;
	return ok;
}

static bool symset_path(struct readable *r, as_str *path)
{
	as_str *to = &r->path[path->i];

	if (!to->i && !as_strings_add(&r->to->str, as_strings_get(&r->from->str, *path), to))
		return false;
	*path = *to;
	return true;
}

static bool symset_copy(struct readable *r)
{
	const struct as_symset *from = r->from;
	struct as_symset *to = r->to;

	if (!as_vec_append(to->al, &to->first, from->first.p, from->first.n) ||
		!as_vec_append(to->al, &to->frame, from->frame.p, from->frame.n))
		return false;
	for (size_t i = 0; i < to->frame.n; i++) {
		struct as_symframe *frame = &to->frame.p[i];

		if (!symset_name(r, &frame->name) || !symset_path(r, &frame->file) ||
			!symset_path(r, &frame->decl))
			return false;
	}
	return true;
}

bool as_symset_readable(struct as_symset *to, const struct as_symset *from)
{
	struct readable r = {.to = to, .from = from};
	struct as_arena arena;
	bool ok;

	as_arena_init(&arena, to->al);
	ok = as_arena_array(&arena, &r.name, from->str.row.n) &&
	     as_arena_array(&arena, &r.path, from->str.row.n) && symset_copy(&r);
	as_arena_release(&arena);
	return ok;
}
