/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Directories that are still to be read stand in a list, so that neither depth nor the number of
 * open files grows with the tree. A directory is read whole, and its names sorted: the same tree
 * gives the same list.
 */
#define _GNU_SOURCE /* realpath(), O_NOFOLLOW, O_DIRECTORY */
#include <stdlib.h>
#undef alloca /* a macro under _GNU_SOURCE, where base/banned.h wants to poison the name */

#include "symbols/cache/image_scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/sort.h"
#include "symbols/elf/elf_image.h"

struct scan_walk {
	struct as_image_scan *scan;
	AS_VEC(struct as_slice) dir; /* still to be read, the next one last */
	bool no_memory;
};

void as_image_scan_begin(struct as_image_scan *scan, const struct as_alloc *al)
{
	*scan = (struct as_image_scan){.al = al};
	as_arena_init(&scan->arena, al);
}

void as_image_scan_end(struct as_image_scan *scan)
{
	as_vec_free(scan->al, &scan->image);
	as_arena_release(&scan->arena);
}

static void scan_unreadable(struct scan_walk *w, const char *path, int sys_errno)
{
	struct as_image_scan *scan = w->scan;

	scan->unreadable++;
	if (scan->first_error.p)
		return;
	scan->first_error = as_arena_printf(&scan->arena, "%s: %s", path, strerror(sys_errno));
	w->no_memory |= !scan->first_error.p;
}

/* ---- files ---- */

static void scan_add(struct scan_walk *w, const char *id, const char *path)
{
	struct as_arena *ar = &w->scan->arena;
	struct as_image image = {
		as_arena_dup(ar, as_slice_of(id)), as_arena_dup(ar, as_slice_of(path))};

	w->no_memory |=
		!image.id.p || !image.path.p || !as_vec_push(w->scan->al, &w->scan->image, image);
}

static bool scan_is_elf(int fd)
{
	char magic[4];

	return pread(fd, magic, sizeof(magic), 0) == (ssize_t)sizeof(magic) &&
	       memcmp(magic, "\177ELF", sizeof(magic)) == 0;
}

/* FD is another file than was listed if somebody has replaced it meanwhile. */
static void scan_fd(struct scan_walk *w, int fd, const char *path)
{
	char id[AS_ELF_ID_MAX + 1];
	enum as_elf_image kind;
	struct stat st;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		w->scan->others++;
		return;
	}
	w->scan->files++;
	if (!scan_is_elf(fd))
		return;
	kind = as_elf_image_id(fd, id);
	/* A line of the map cannot hold such a path. */
	if (kind == AS_ELF_IMAGE && strchr(path, '\n'))
		kind = AS_ELF_IMAGE_NO_ID;
	w->scan->no_id += kind == AS_ELF_IMAGE_NO_ID;
	if (kind == AS_ELF_IMAGE)
		scan_add(w, id, path);
}

static void scan_file(struct scan_walk *w, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);

	if (fd < 0) {
		scan_unreadable(w, path, errno);
		return;
	}
	scan_fd(w, fd, path);
	close(fd);
}

/* ---- directories ---- */

static bool scan_is_kernels(int fd)
{
	static const uint32_t magic[] = {PROC_SUPER_MAGIC, SYSFS_MAGIC, DEBUGFS_MAGIC,
		TRACEFS_MAGIC, CGROUP_SUPER_MAGIC, CGROUP2_SUPER_MAGIC, SECURITYFS_MAGIC,
		DEVPTS_SUPER_MAGIC, BPF_FS_MAGIC};
	struct statfs fs;

	if (fstatfs(fd, &fs) != 0)
		return false;
	for (size_t i = 0; i < AS_ARRAY_LEN(magic); i++)
		if ((uint32_t)fs.f_type == magic[i])
			return true;
	return false;
}

static void scan_entry(struct scan_walk *w, const char *path)
{
	struct as_slice copy;
	struct stat st;

	if (lstat(path, &st) != 0) {
		if (errno != ENOENT) /* somebody has just removed it */
			scan_unreadable(w, path, errno);
	} else if (S_ISREG(st.st_mode)) {
		scan_file(w, path);
	} else if (S_ISDIR(st.st_mode)) {
		copy = as_arena_dup(&w->scan->arena, as_slice_of(path));
		w->no_memory |= !copy.p || !as_vec_push(w->scan->al, &w->dir, copy);
	} else if (S_ISLNK(st.st_mode)) {
		w->scan->links++;
	} else {
		w->scan->others++;
	}
}

static int scan_cmp_names(const void *ctx, uint32_t a, uint32_t b)
{
	const struct as_slice *name = ctx;

	return as_slice_cmp(name[a], name[b]);
}

struct scan_names {
	struct as_arena arena;
	AS_VEC(struct as_slice) name;
};

static bool scan_read_names(struct scan_names *names, DIR *stream, const struct as_alloc *al)
{
	const struct dirent *d;

	while ((d = readdir(stream)) != NULL) {
		struct as_slice name;

		if (strcmp(d->d_name, ".") == 0 || strcmp(d->d_name, "..") == 0)
			continue;
		name = as_arena_dup(&names->arena, as_slice_of(d->d_name));
		if (!name.p || !as_vec_push(al, &names->name, name))
			return false;
	}
	return true;
}

/* Directories are put into the list backwards: the last one of it is read next. */
static void scan_turn(struct scan_walk *w, size_t from)
{
	for (size_t end = w->dir.n; from + 1 < end; from++, end--) {
		struct as_slice dir = w->dir.p[from];

		w->dir.p[from] = w->dir.p[end - 1];
		w->dir.p[end - 1] = dir;
	}
}

static void scan_names_of(struct scan_walk *w, struct as_slice dir, const struct scan_names *names)
{
	size_t n = names->name.n, from = w->dir.n;
	uint32_t *order = as_sorted_rows(w->scan->al, n, scan_cmp_names, names->name.p);
	char path[PATH_MAX];

	w->no_memory |= !order;
	for (size_t i = 0; i < n && !w->no_memory; i++) {
		int len = snprintf(path, sizeof(path), "%s/%s", dir.len == 1 ? "" : dir.p,
			names->name.p[order[i]].p);

		if (len > 0 && (size_t)len < sizeof(path))
			scan_entry(w, path);
		else
			scan_unreadable(w, dir.p, ENAMETOOLONG);
	}
	scan_turn(w, from);
	as_alloc_free(w->scan->al, order, order ? n * sizeof(*order) + 1 : 0);
}

static void scan_directory(struct scan_walk *w, struct as_slice dir)
{
	int fd = open(dir.p, O_RDONLY | O_CLOEXEC | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK);
	DIR *stream = fd < 0 ? NULL : fdopendir(fd);
	struct scan_names names = {.name = {0}};

	if (!stream) {
		scan_unreadable(w, dir.p, errno);
		if (fd >= 0)
			close(fd);
		return;
	}
	w->scan->dirs++;
	as_arena_init(&names.arena, w->scan->al);
	if (!scan_is_kernels(fd) && !scan_read_names(&names, stream, w->scan->al))
		w->no_memory = true;
	closedir(stream);
	if (!w->no_memory)
		scan_names_of(w, dir, &names);
	as_vec_free(w->scan->al, &names.name);
	as_arena_release(&names.arena);
}

enum as_code as_image_scan_dir(struct as_image_scan *scan, const char *dir, struct as_err *err)
{
	struct scan_walk w = {.scan = scan};
	char real[PATH_MAX];
	int fd;

	if (!realpath(dir, real))
		return as_err_sys(err, errno, "cannot read");
	fd = open(real, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return as_err_sys(err, errno, "cannot read");
	close(fd);
	scan_entry(&w, real);
	while (w.dir.n && !w.no_memory)
		scan_directory(&w, w.dir.p[--w.dir.n]);
	as_vec_free(scan->al, &w.dir);
	return w.no_memory ? as_err_no_memory(err) : AS_OK;
}
