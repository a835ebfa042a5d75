/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/siblings.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* "", ".N", "-NN" or ".N-NN". */
static bool parse_suffix(struct as_slice rest, struct as_sibling *sib)
{
	if (rest.len && rest.p[0] == '.') {
		rest = as_slice_skip(rest, 1);
		if (!as_slice_take_dec(&rest, &sib->dump))
			return false;
	}
	if (rest.len && rest.p[0] == '-') {
		rest = as_slice_skip(rest, 1);
		if (!as_slice_take_dec(&rest, &sib->thread))
			return false;
	}
	return rest.len == 0;
}

static int siblings_compare(const void *pa, const void *pb)
{
	const struct as_sibling *a = pa, *b = pb;
	/* 0 wraps round to the largest number: the base file is written last. */
	uint64_t da = a->dump - 1, db = b->dump - 1;

	if (da != db)
		return da < db ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return as_slice_cmp(a->path, b->path);
}

static enum as_code add_entry(
	struct as_siblings *sb, struct as_slice dir, struct as_slice base, const char *entry)
{
	struct as_slice name = as_slice_of(entry);
	struct as_sibling sib = {0};
	struct stat st;

	if (name.len < base.len || memcmp(name.p, base.p, base.len) != 0 ||
		!parse_suffix(as_slice_skip(name, base.len), &sib))
		return AS_OK;
	sib.path = as_arena_printf(&sb->arena, "%.*s%s", AS_SLICE_FMT(dir), entry);
	AS_TRY(as_memory(sib.path.p));
	if (stat(sib.path.p, &st) || !S_ISREG(st.st_mode))
		return AS_OK;
	sib.empty = st.st_size == 0;
	return as_vec_push(sb->arena.al, &sb->row, sib) ? AS_OK : AS_E_NOMEM;
}

enum as_code as_siblings_find(
	struct as_siblings *sb, const struct as_alloc *al, const char *prefix, struct as_err *err)
{
	const char *slash = strrchr(prefix, '/');
	struct as_slice dir = {prefix, slash ? (size_t)(slash - prefix) + 1 : 0};
	struct as_slice base = as_slice_of(prefix + dir.len), folder;
	enum as_code rc = AS_OK;
	struct dirent *de;
	DIR *d;

	*sb = (struct as_siblings){0};
	as_arena_init(&sb->arena, al);
	if (err)
		as_escape(err->name, sizeof(err->name), prefix, strlen(prefix));
	folder = dir.len ? as_arena_dup(&sb->arena, dir) : as_slice_of(".");
	AS_TRY(as_err_memory(err, folder.p));
	d = opendir(folder.p);
	if (!d)
		return as_err_sys(err, errno, "cannot open its folder");
	while (rc == AS_OK && (de = readdir(d)))
		rc = add_entry(sb, dir, base, de->d_name);
	closedir(d);
	if (rc != AS_OK)
		return as_err_no_memory(err);
	if (sb->row.n)
		qsort(sb->row.p, sb->row.n, sizeof(*sb->row.p), siblings_compare);
	return AS_OK;
}

void as_siblings_release(struct as_siblings *sb)
{
	as_vec_free(sb->arena.al, &sb->row);
	as_arena_release(&sb->arena);
}
