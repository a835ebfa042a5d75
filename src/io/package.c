/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/package.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct package_look {
	const struct as_alloc *al;
	AS_VEC(char) text;   /* of a list */
	const char *line[2]; /* what is looked for, between the ends of two lines */
};

/* Whether the list NAME in the folder DIR has one of the lines. */
static bool package_has(struct package_look *look, int dir, const char *name)
{
	int file = openat(dir, name, O_RDONLY | O_CLOEXEC);
	struct as_slice text = {0};
	struct stat st;
	ssize_t n = -1;

	if (file < 0)
		return false;
	if (fstat(file, &st) == 0 && S_ISREG(st.st_mode) &&
		as_vec_reserve(look->al, &look->text, (size_t)st.st_size))
		n = read(file, look->text.p, (size_t)st.st_size);
	close(file);
	if (n <= 0)
		return false;
	text = (struct as_slice){look->text.p, (size_t)n};
	return as_slice_find_text(text, look->line[0]) < text.len ||
	       as_slice_find_text(text, look->line[1]) < text.len;
}

/* "zlib1g:amd64.list" is zlib1g's. */
static struct as_slice package_name(struct as_arena *arena, struct as_slice list)
{
	struct as_slice name;

	list.len -= sizeof(".list") - 1;
	return as_arena_dup(arena, as_slice_cut(&list, ':', &name) ? name : list);
}

/* Packages have files nowhere else; who builds programs keeps them elsewhere, and need not wait. */
static bool package_may_have(struct as_slice path)
{
	static const char *const tops[] = {"/usr/", "/lib", "/bin/", "/sbin/", "/opt/"};

	for (size_t i = 0; i < AS_ARRAY_LEN(tops); i++)
		if (as_slice_starts(path, tops[i]))
			return true;
	return false;
}

struct as_slice as_package_of(struct as_arena *arena, const char *info, struct as_slice path)
{
	/* Where /lib is a link to /usr/lib, lists have either. */
	bool in_usr = as_slice_starts(path, "/usr/");
	struct as_slice other = in_usr ? as_slice_skip(path, 4) : path, found = as_slice_of("");
	struct package_look look = {.al = arena->al};
	DIR *dir = package_may_have(path) ? opendir(info) : NULL;
	const struct dirent *entry;

	look.line[0] = as_arena_printf(arena, "\n%.*s\n", AS_SLICE_FMT(path)).p;
	look.line[1] =
		as_arena_printf(arena, "\n%s%.*s\n", in_usr ? "" : "/usr", AS_SLICE_FMT(other)).p;
	while (dir && look.line[0] && look.line[1] && !found.len && (entry = readdir(dir))) {
		struct as_slice name = as_slice_of(entry->d_name);

		if (as_slice_ends(name, ".list") && package_has(&look, dirfd(dir), entry->d_name))
			found = package_name(arena, name);
	}
	if (dir)
		closedir(dir);
	as_vec_free(look.al, &look.text);
	return found;
}

struct as_slice as_package_debug(struct as_arena *arena, struct as_slice package)
{
	bool is_libc = as_slice_is(package, "libc6"); /* it is older than automatic packages */

	return as_arena_printf(arena, "%.*s-%s", AS_SLICE_FMT(package), is_libc ? "dbg" : "dbgsym");
}
