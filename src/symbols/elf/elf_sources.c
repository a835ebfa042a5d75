/* SPDX-License-Identifier: Apache-2.0 */
/* Which source files the line tables of an object name. */
#include "base/path.h"
#include "base/pool.h"
#include "formats/format.h"
#include "symbols/elf/elf_parts.h"

struct wanted {
	struct as_elf *elf;
	const struct as_alloc *al; /* for scratch */
	struct as_elf_source *source;
	size_t n, n_left;
	struct as_index by_name; /* hash of the last part */
	struct as_slice *path;   /* of each, as line tables have it */
	struct as_arena arena;   /* of those, and of one unit's paths */
};

static uint64_t hash_name(struct as_slice path)
{
	struct as_slice name = as_base_name(path);

	return as_hash_bytes(name.p, name.len);
}

static bool wanted_index(struct wanted *w)
{
	w->path = as_arena_get(&w->arena, (w->n + 1) * sizeof(*w->path));
	if (!w->path || w->n >= UINT32_MAX)
		return false;
	for (size_t i = 0; i < w->n; i++) {
		struct as_slice path = as_arena_dup(&w->arena, w->source[i].path);

		if (!path.p)
			return false;
		path.len = as_path_tidy((char *)(uintptr_t)path.p, path.len);
		w->path[i] = path;
		w->n_left += !w->source[i].named;
		if (!as_index_add(&w->by_name, hash_name(path), (uint32_t)i))
			return false;
	}
	return true;
}

static bool elf_sources_is_wanted(const struct wanted *w, struct as_slice name)
{
	uint64_t pos = AS_INDEX_START;
	uint32_t i;

	return as_index_find(&w->by_name, hash_name(name), &pos, &i);
}

static void elf_sources_found(struct wanted *w, struct as_slice path)
{
	uint64_t pos = AS_INDEX_START, hash = hash_name(path);
	uint32_t i;

	while (as_index_find(&w->by_name, hash, &pos, &i))
		if (!w->source[i].named && as_slice_eq(w->path[i], path)) {
			w->source[i].named = true;
			w->n_left--;
		}
}

/* The names of one line table; only those that may be wanted become paths. */
static bool elf_sources_look(struct wanted *w, struct as_dw_lines *lines)
{
	struct as_arena arena;
	bool ok = true;

	as_arena_init(&arena, w->elf->al);
	for (size_t i = 0; i < lines->file.n && ok; i++) {
		struct as_slice path;

		if (!elf_sources_is_wanted(w, lines->file.p[i].name))
			continue;
		path = as_dw_lines_path(lines, lines->version < 5 ? i + 1 : i, &arena);
		ok = path.p;
		if (ok)
			elf_sources_found(w, path);
	}
	as_arena_release(&arena);
	return ok;
}

/* Units of a damaged file may all name one long table: what is read is paid for. */
static enum as_code elf_sources_look_at_all(struct wanted *w)
{
	const struct as_dw_file *dw = &w->elf->dw;
	uint64_t budget = dw->sec[AS_DW_LINE].n + (1 << 20);
	struct as_dw_lines lines = {.al = w->al};
	bool damaged = false;

	for (size_t i = 0; i < dw->unit.n && w->n_left; i++) {
		const struct as_dw_unit *unit = &dw->unit.p[i];
		bool again = i && dw->unit.p[i - 1].stmt_list == unit->stmt_list &&
			     as_slice_eq(dw->unit.p[i - 1].comp_dir, unit->comp_dir);

		if (!unit->has_stmt || again)
			continue;
		if (!as_dw_lines_read(&lines, unit, &damaged) || !elf_sources_look(w, &lines))
			return AS_E_NOMEM;
		if (budget < lines.file.n + lines.dir.n)
			break;
		budget -= lines.file.n + lines.dir.n;
	}
	return AS_OK;
}

enum as_code as_elf_sources(struct as_elf *elf, struct as_elf_source *source, size_t n)
{
	struct as_pool pool;
	struct wanted w = {.elf = elf, .al = &pool.al, .source = source, .n = n};
	enum as_code rc = as_elf_debug(elf);

	if (rc != AS_OK || !elf->dw.unit.n)
		return rc;
	as_pool_init(&pool, elf->al);
	as_arena_init(&w.arena, w.al);
	as_index_init(&w.by_name, w.al);
	rc = wanted_index(&w) ? elf_sources_look_at_all(&w) : AS_E_NOMEM;
	as_pool_release(&pool);
	return rc;
}
