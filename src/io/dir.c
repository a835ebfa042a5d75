/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

enum { DIR_NAME_MAX = 255, DIR_FILES_MAX = 1 << 16 };

static const char dir_magic[] = "assay-files 1\n";

struct dir_file {
	const char *name;
	uint64_t size;
};

struct dir_src {
	struct as_src src;
	const struct as_alloc *al;
	struct as_arena arena;
	AS_VEC(struct dir_file) file;
	size_t next;                  /* file to open */
	int dir, fd;                  /* of the directory; of the file that is read, -1: none */
	uint64_t left;                /* bytes of it */
	char text[DIR_NAME_MAX + 64]; /* what stands before it, or behind */
	size_t n_text, text_at;
	char fault[DIR_NAME_MAX + 64];
};

static struct dir_src *dir_of(struct as_src *src)
{
	return (struct dir_src *)(void *)src;
}

static void dir_close(struct as_src *src)
{
	struct dir_src *d = dir_of(src);

	if (d->fd >= 0)
		close(d->fd);
	if (d->dir >= 0)
		close(d->dir);
	as_vec_free(d->al, &d->file);
	as_arena_release(&d->arena);
	as_alloc_free(d->al, d, sizeof(*d));
}

/* ---- which files ---- */

static int dir_rank(const char *name)
{
	size_t n = strlen(name);

	if (strcmp(name, "info") == 0 || strcmp(name, "data") == 0)
		return 0;
	if (n < 4 || strcmp(name + n - 4, ".dat") != 0)
		return 1;
	return strncmp(name, "perf-", 5) == 0 ? 2 : 3;
}

static int dir_cmp(const void *a, const void *b)
{
	const struct dir_file *x = a, *y = b;
	int rx = dir_rank(x->name), ry = dir_rank(y->name);

	return rx != ry ? rx - ry : strcmp(x->name, y->name);
}

static enum as_code dir_add(struct dir_src *d, const char *name, struct as_err *err)
{
	struct dir_file file;
	struct stat st;

	if (strchr(name, '\n') || strlen(name) > DIR_NAME_MAX ||
		fstatat(d->dir, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISREG(st.st_mode))
		return AS_OK;
	if (d->file.n == DIR_FILES_MAX)
		return as_err_set(
			err, AS_E_LIMIT, "the directory has more than %d files", DIR_FILES_MAX);
	file.name = as_arena_dup(&d->arena, as_slice_of(name)).p;
	file.size = (uint64_t)st.st_size;
	return as_err_memory(err, file.name && as_vec_push(d->al, &d->file, file));
}

static enum as_code dir_list(struct dir_src *d, struct as_err *err)
{
	int fd = dup(d->dir);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	enum as_code rc = AS_OK;
	struct dirent *e;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return as_err_sys(err, errno, "cannot open");
	}
	while (rc == AS_OK && (e = readdir(dir)))
		rc = dir_add(d, e->d_name, err);
	closedir(dir);
	if (rc == AS_OK && d->file.n)
		qsort(d->file.p, d->file.n, sizeof(*d->file.p), dir_cmp);
	return rc;
}

/* ---- their bytes ---- */

static ptrdiff_t dir_failed(struct dir_src *d, const char *why)
{
	as_assert(d->next && d->next <= d->file.n);
	snprintf(d->fault, sizeof(d->fault), "cannot read '%s': %s", d->file.p[d->next - 1].name,
		why);
	d->src.fault = d->fault;
	return -EIO;
}

/* The head of the next file, behind the line end of the one before. */
static ptrdiff_t dir_begin_file(struct dir_src *d)
{
	const struct dir_file *file = &d->file.p[d->next++];
	struct stat st;

	if (d->fd >= 0)
		close(d->fd);
	d->fd = openat(
		d->dir, file->name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	if (d->fd < 0)
		return dir_failed(d, strerror(errno));
	if (fstat(d->fd, &st) || !S_ISREG(st.st_mode))
		return dir_failed(d, "it is no file any more");
	d->left = file->size;
	d->text_at = 0;
	d->n_text = (size_t)snprintf(d->text, sizeof(d->text), "%sfile %" PRIu64 " %s\n",
		d->next > 1 ? "\n" : dir_magic, file->size, file->name);
	return 1;
}

static ptrdiff_t dir_file_read(struct dir_src *d, void *buf, size_t n)
{
	ssize_t got;

	do
		got = read(d->fd, buf, n < d->left ? n : (size_t)d->left);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return dir_failed(d, strerror(errno));
	if (!got)
		return dir_failed(d, "it became shorter");
	d->left -= (uint64_t)got;
	return got;
}

static ptrdiff_t dir_read(struct as_src *src, void *buf, size_t n)
{
	struct dir_src *d = dir_of(src);
	ptrdiff_t rc;

	while (d->text_at == d->n_text && !d->left) {
		if (d->next == d->file.n)
			return 0;
		rc = dir_begin_file(d);
		if (rc < 0)
			return rc;
	}
	if (d->text_at == d->n_text)
		return dir_file_read(d, buf, n);
	n = n < d->n_text - d->text_at ? n : d->n_text - d->text_at;
	memcpy(buf, d->text + d->text_at, n);
	d->text_at += n;
	return (ptrdiff_t)n;
}

enum as_code as_dir_open(
	const struct as_alloc *al, const char *path, struct as_src **out, struct as_err *err)
{
	struct dir_src *d = as_alloc_new(al, sizeof(*d));
	enum as_code rc = AS_OK;

	*out = NULL;
	AS_TRY(as_err_memory(err, d));
	*d = (struct dir_src){.src = {.read = dir_read,
				      .close = dir_close,
				      .size = AS_SIZE_UNKNOWN,
				      .again = true,
				      .name = path},
		.al = al,
		.fd = -1};
	as_arena_init(&d->arena, al);
	d->dir = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	if (d->dir < 0)
		rc = as_err_sys(err, errno, "cannot open");
	AS_THEN(rc, dir_list(d, err));
	if (rc == AS_OK)
		*out = &d->src;
	else
		dir_close(&d->src);
	return rc;
}

bool as_dir_begins(const char *path, const char *name, char *buf, size_t n)
{
	int dir = open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY);
	int fd = dir < 0 ? -1
			 : openat(dir, name,
				   O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	struct stat st;
	bool ok = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		  pread(fd, buf, n, 0) == (ssize_t)n;

	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	return ok;
}
