/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an object of a profile to a file. The places are tried in this order: the files that the
 * user names, the path as it is mapped to others, below the directory of all objects, and, by the
 * build id, perf's copies and where `assay cache scan` has seen it. The first that is there and is
 * no other file holds; names of another file would be wrong ones.
 */
#define _POSIX_C_SOURCE 200809L
#include "symbols/symbol_file.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/path.h"
#include "formats/format.h"
#include "symbols/cache/image_map.h"

struct search {
	const struct as_profile *prof;
	const struct as_symbol_opts *opts;
	as_object object;
	struct as_arena *arena;
	struct as_slice path, id; /* as the profile has them */
	struct as_symfile *out;
	bool deleted;
	bool no_memory, unsupported;
};

bool as_file_facts(const char *path, struct as_file_facts *facts)
{
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	*facts = (struct as_file_facts){(uint64_t)st.st_size, (uint64_t)st.st_mtime};
	return true;
}

/* ---- one candidate ---- */

static void sym_file_say(struct search *s, enum as_object_state state, struct as_slice note)
{
	s->out->state = state;
	s->out->note = note;
	s->no_memory |= !note.p;
}

/* The kernel says of a mapping whose file is gone, or was replaced. */
static bool is_deleted(const struct as_profile *prof, as_object o)
{
	for (uint32_t i = prof->object.p[o.i].map; i; i = prof->map.p[i - 1].next)
		if (as_slice_ends(as_str_get(prof, prof->map.p[i - 1].text), " (deleted)"))
			return true;
	return as_slice_ends(as_object_path(prof, o), " (deleted)");
}

/* DCPI's image ids are no build ids: they have 20 digits, and no linker makes such. */
static bool is_build_id(struct as_slice id)
{
	return id.len == 16 || id.len == 32 || id.len == 40 || id.len == 64;
}

static bool has_mapping(const struct as_profile *prof, as_object o)
{
	for (uint32_t i = prof->object.p[o.i].map; i; i = prof->map.p[i - 1].next)
		if (prof->map.p[i - 1].exec && !as_map_is_made_up(prof, &prof->map.p[i - 1]))
			return true;
	return false;
}

/* Whether the file is the one that was recorded, as far as anyone can tell. */
static bool is_same(struct search *s, const char *path, const struct as_elf *elf, bool named)
{
	struct as_slice id = as_elf_facts(elf)->build_id;
	struct as_file_facts facts;

	if (id.len && (is_build_id(s->id) || s->id.len == id.len)) {
		if (as_slice_eq(s->id, id))
			return true;
		sym_file_say(s, AS_OBJECT_CHANGED,
			as_arena_printf(s->arena,
				"another build than the one that was recorded (build id %.*s, "
				"not %.*s)",
				AS_SLICE_FMT(id), AS_SLICE_FMT(s->id)));
		return false;
	}
	if (!as_elf_layout_fits(s->prof, s->object, elf)) {
		sym_file_say(s, AS_OBJECT_CHANGED,
			as_slice_of("not the file that was recorded: other code was mapped"));
		return false;
	}
	if (s->deleted && !named) {
		sym_file_say(s, AS_OBJECT_CHANGED,
			as_slice_of("deleted or replaced while the program ran"));
		return false;
	}
	s->out->unproven = !named && !has_mapping(s->prof, s->object);
	if (s->opts->recorded && as_file_facts(path, &facts) && facts.mtime > s->opts->recorded)
		sym_file_say(s, AS_OBJECT_NAMED,
			as_slice_of("newer than the profile: if it was rebuilt since, its names "
				    "and lines are wrong"));
	return true;
}

/* Something is at PATH, or may be, that is no file: the search goes on, but this is what is told
 * if it finds nothing. */
static void not_a_file(struct search *s, struct as_slice path)
{
	struct stat st;

	if (s->out->state != AS_OBJECT_MISSING || s->out->path.len)
		return;
	if (stat(path.p, &st) == 0)
		sym_file_say(s, AS_OBJECT_MISSING,
			as_slice_of(S_ISDIR(st.st_mode) ? "is a directory" : "is no regular file"));
	else if (errno != ENOENT && errno != ENOTDIR)
		sym_file_say(
			s, AS_OBJECT_MISSING, as_arena_dup(s->arena, as_slice_of(strerror(errno))));
	else
		return;
	s->out->path = path;
}

/* Open PATH, and keep it if it may be used. True ends the search. */
static bool try_file(struct search *s, struct as_slice path, bool named)
{
	struct as_file_facts facts;
	struct as_err err;
	enum as_code rc;
	struct as_elf *elf;

	if (!path.p) {
		s->no_memory = true;
		return true;
	}
	if (!as_file_facts(path.p, &facts)) {
		not_a_file(s, path);
		return s->no_memory;
	}
	as_err_clear(&err);
	rc = as_elf_open(&elf, s->prof->al, path.p, &s->opts->elf, &err);
	if (rc != AS_OK) {
		s->no_memory |= rc == AS_E_NOMEM;
		s->unsupported |= rc == AS_E_UNSUPPORTED;
		s->out->path = path;
		sym_file_say(s, AS_OBJECT_DAMAGED, as_arena_dup(s->arena, as_slice_of(err.msg)));
		return s->no_memory || s->unsupported;
	}
	s->out->path = path;
	s->out->state = AS_OBJECT_NAMED;
	s->out->note = as_slice_of("");
	if (!is_same(s, path.p, elf, named)) {
		if (!s->opts->force) {
			as_elf_close(elf);
			return s->no_memory;
		}
		s->out->state = AS_OBJECT_NAMED;
		s->out->note = as_arena_printf(s->arena, "%.*s; used all the same, as --force says",
			AS_SLICE_FMT(s->out->note));
	}
	s->out->elf = elf;
	return true;
}

/* ---- where to look ---- */

/* --binary: whoever has the id; without one, whoever has the name; a program without a name is any.
 */
static bool try_named(struct search *s)
{
	struct as_slice base = as_base_name(s->path);
	bool any = s->id.len || as_slice_is(s->path, AS_PATH_PROGRAM);

	for (size_t i = 0; i < s->opts->n_object; i++) {
		struct as_slice path = as_slice_of(s->opts->object[i]);

		if ((any || as_slice_eq(as_base_name(path), base)) && try_file(s, path, true))
			return true;
	}
	return false;
}

/* PATH as the first map that knows it has it. */
static struct as_slice mapped_path(struct search *s)
{
	char moved[PATH_MAX];

	for (size_t i = 0; i < s->opts->n_path_map; i++)
		if (as_path_map(s->opts->path_map[i], s->path, moved, sizeof(moved)))
			return as_arena_dup(s->arena, as_slice_of(moved));
	return as_arena_dup(s->arena, s->path);
}

static bool try_below(struct search *s, struct as_slice path)
{
	const char *dir = s->opts->symfs;

	if (!path.p) {
		s->no_memory = true;
		return true;
	}
	if (!dir)
		return try_file(s, path, false);
	return try_file(s, as_arena_printf(s->arena, "%s/%.*s", dir, AS_SLICE_FMT(path)), false) ||
	       try_file(s,
		       as_arena_printf(s->arena, "%s/%.*s", dir, AS_SLICE_FMT(as_base_name(path))),
		       false);
}

static bool try_perf_copy(struct search *s)
{
	if (!s->opts->perf_copies)
		return false;
	return try_file(s,
		as_arena_printf(s->arena, "%s/.build-id/%.2s/%.*s/elf", s->opts->perf_copies,
			s->id.p, AS_SLICE_FMT(as_slice_skip(s->id, 2))),
		true);
}

/* Where `assay cache scan` has seen it. */
static bool try_scanned(struct search *s)
{
	struct as_image_map map;
	struct as_slice path;
	bool found = false;
	size_t pos = 0;

	as_image_map_open(&map, &s->opts->cache);
	while (!found && as_image_map_next(&map, s->id, &pos, &path))
		found = try_file(s, as_arena_dup(s->arena, path), true);
	as_image_map_close(&map);
	return found;
}

/* What was said of the other places stays, unless the file is found now. */
static bool try_by_id(struct search *s)
{
	struct as_symfile before = *s->out;

	if (!is_build_id(s->id) || s->no_memory || s->unsupported)
		return false;
	if (try_perf_copy(s) || try_scanned(s))
		return true;
	*s->out = before;
	return false;
}

static void cut_deleted(struct as_slice *path)
{
	static const char mark[] = " (deleted)";

	if (as_slice_ends(*path, mark))
		path->len -= sizeof(mark) - 1;
}

enum as_code as_symfile_find(const struct as_profile *prof, as_object o,
	const struct as_symbol_opts *opts, struct as_arena *arena, struct as_symfile *out)
{
	struct search s = {.prof = prof,
		.opts = opts,
		.object = o,
		.arena = arena,
		.path = as_object_path(prof, o),
		.id = as_str_get(prof, prof->object.p[o.i].id),
		.out = out,
		.deleted = is_deleted(prof, o)};
	struct as_slice mapped;
	bool found;

	*out = (struct as_symfile){.state = AS_OBJECT_MISSING, .note = as_slice_of("not found")};
	cut_deleted(&s.path);
	if (!as_path_is_file(s.path)) {
		out->state = AS_OBJECT_NOT_A_FILE;
		out->note = as_slice_of("");
		return AS_OK;
	}
	if (opts->no_files)
		return AS_OK;
	mapped = mapped_path(&s);
	found = try_named(&s);
	if (!found && !as_slice_is(s.path, AS_PATH_PROGRAM))
		found = try_below(&s, mapped) || try_by_id(&s);
	if (out->state == AS_OBJECT_MISSING && mapped.p && !as_slice_eq(mapped, s.path)) {
		out->note = as_arena_printf(arena, "not found as '%.*s'", AS_SLICE_FMT(mapped));
		s.no_memory |= !out->note.p;
	}
	if (!s.no_memory && !s.unsupported)
		return AS_OK;
	if (found)
		as_elf_close(out->elf);
	out->elf = NULL;
	return s.no_memory ? AS_E_NOMEM : AS_E_UNSUPPORTED;
}
