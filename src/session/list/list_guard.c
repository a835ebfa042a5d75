/* SPDX-License-Identifier: Apache-2.0 */
/* A page is passed on: what the user names for it, and what stays out of it. */
#include "session/list/list.h"

/* NEW of "OLD=NEW"; NULL: it is no map. */
static const char *map_end(const char *map)
{
	const char *eq = strchr(map, '=');

	return eq && eq[1] ? eq + 1 : NULL;
}

bool as_guard_init(struct as_source_guard *guard, const struct as_session *ses,
	const struct as_list *source_path, struct as_arena *arena)
{
	const struct as_asked_name *opt = &ses->opt.name;
	size_t n = opt->path_map.n + (source_path ? source_path->n : opt->binary.n + 1);
	const char **root = as_arena_get(arena, (n + 1) * sizeof(*root));

	*guard = (struct as_source_guard){.root = root};
	if (!root)
		return false;
	for (size_t i = 0; i < opt->path_map.n; i++) {
		root[guard->n_root] = map_end(opt->path_map.p[i]);
		guard->n_root += root[guard->n_root] != NULL;
	}
	for (size_t i = 0; source_path && i < source_path->n; i++)
		root[guard->n_root++] = source_path->p[i];
	for (size_t i = 0; !source_path && i < opt->binary.n; i++)
		root[guard->n_root++] = opt->binary.p[i];
	if (!source_path && opt->symfs)
		root[guard->n_root++] = opt->symfs;
	return true;
}

void as_left_out(struct as_left_outs *page, struct as_slice path, const char *why)
{
	struct as_left_out one = {as_arena_dup(&page->arena, path), why};

	for (size_t i = 0; i < page->file.n; i++)
		if (as_slice_eq(page->file.p[i].path, path))
			return;
	if (one.path.p)
		(void)!as_vec_push(page->arena.al, &page->file, one);
}

void as_left_outs_release(struct as_left_outs *page)
{
	if (!page->arena.al)
		return;
	as_vec_free(page->arena.al, &page->file);
	as_arena_release(&page->arena);
}
