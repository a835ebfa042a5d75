/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAGIC_MAX = 4 };

struct file_src {
	struct as_src src;
	const struct as_alloc *al;
	struct as_progress *progress;
	int fd;
	bool own_fd;   /* close it with the source */
	uint64_t base; /* where the input begins in the file: stdin may have been read from */
	uint64_t at;   /* next byte to read, from BASE, of a file that can seek */
	char magic[MAGIC_MAX]; /* first bytes of a pipe, read to recognise it */
	size_t n_magic, magic_at;
};

static struct file_src *file_of(struct as_src *src)
{
	return (struct file_src *)(void *)src;
}

static ptrdiff_t file_moved(struct file_src *f, ptrdiff_t n)
{
	if (n > 0 && f->progress)
		f->progress->moved(f->progress, (uint64_t)n, 0);
	return n;
}

static ptrdiff_t pread_retry(int fd, void *buf, size_t n, uint64_t off)
{
	ssize_t got;

	do
		got = pread(fd, buf, n, (off_t)off);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static ptrdiff_t read_retry(int fd, void *buf, size_t n)
{
	ssize_t got;

	do
		got = read(fd, buf, n);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static ptrdiff_t file_pread(struct as_src *src, void *buf, size_t n, uint64_t off)
{
	struct file_src *f = file_of(src);

	return file_moved(f, pread_retry(f->fd, buf, n, f->base + off));
}

static ptrdiff_t file_read(struct as_src *src, void *buf, size_t n)
{
	struct file_src *f = file_of(src);
	ptrdiff_t got = file_pread(src, buf, n, f->at);

	if (got > 0)
		f->at += (uint64_t)got;
	return got;
}

static ptrdiff_t pipe_read(struct as_src *src, void *buf, size_t n)
{
	struct file_src *f = file_of(src);
	size_t left = f->n_magic - f->magic_at;

	if (left) {
		n = n < left ? n : left;
		memcpy(buf, f->magic + f->magic_at, n);
		f->magic_at += n;
		return (ptrdiff_t)n;
	}
	return file_moved(f, read_retry(f->fd, buf, n));
}

static void file_close(struct as_src *src)
{
	struct file_src *f = file_of(src);

	if (f->own_fd)
		close(f->fd);
	as_alloc_free(f->al, f, sizeof(*f));
}

/* A regular file with a known size is read by position, everything else as a stream. The
 * files of /proc claim to be regular and empty: they are streams, too. */
static enum as_code file_classify(struct file_src *f, struct as_err *err)
{
	struct stat st;
	off_t at;

	if (fstat(f->fd, &st))
		return as_err_sys(err, errno, "cannot open");
	if (S_ISDIR(st.st_mode))
		return as_err_sys(err, EISDIR, "cannot open");
	f->src.read = pipe_read;
	f->src.size = AS_SIZE_UNKNOWN;
	at = S_ISREG(st.st_mode) && st.st_size > 0 ? lseek(f->fd, 0, SEEK_CUR) : -1;
	if (at < 0)
		return AS_OK;
	f->base = (uint64_t)at;
	f->src.read = file_read;
	f->src.pread = file_pread;
	f->src.again = true;
	f->src.size = st.st_size > at ? (uint64_t)(st.st_size - at) : 0;
	(void)posix_fadvise(f->fd, at, 0, POSIX_FADV_SEQUENTIAL);
	if (f->progress)
		f->progress->moved(f->progress, 0, f->src.size);
	return AS_OK;
}

static enum as_code file_magic(struct file_src *f, struct as_err *err)
{
	while (f->n_magic < MAGIC_MAX) {
		char *to = f->magic + f->n_magic;
		size_t room = MAGIC_MAX - f->n_magic;
		ptrdiff_t n = f->src.pread ? pread_retry(f->fd, to, room, f->base + f->n_magic)
					   : read_retry(f->fd, to, room);

		if (n < 0)
			return as_err_sys(err, (int)-n, "cannot read");
		if (n == 0)
			break;
		f->n_magic += (size_t)n;
	}
	return AS_OK;
}

#define GZIP_MAGIC "\x1f\x8b"
#define ZSTD_MAGIC "\x28\xb5\x2f\xfd"

enum as_code as_file_unpack(const struct as_alloc *al, struct as_src *src, struct as_slice magic,
	struct as_src **out, struct as_err *err)
{
	if (as_slice_starts(magic, GZIP_MAGIC))
		return as_gzip_open(al, src, out, err);
	if (as_slice_starts(magic, ZSTD_MAGIC))
		return as_zstd_open(al, src, out, err);
	*out = src;
	return AS_OK;
}

/* Open the file, without the layer that decompresses it. */
static enum as_code file_begin(const struct as_alloc *al, const char *path, struct as_progress *pr,
	struct file_src **out, struct as_err *err)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct file_src *f;
	enum as_code rc;
	int fd;

	*out = NULL;
	if (err)
		as_escape(err->name, sizeof(err->name), is_stdin ? "<stdin>" : path,
			is_stdin ? 7 : strlen(path));
	fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return as_err_sys(err, errno, "cannot open");
	f = as_alloc_new(al, sizeof(*f));
	if (!f) {
		if (!is_stdin)
			close(fd);
		return as_err_no_memory(err);
	}
	*f = (struct file_src){
		.src = {.close = file_close, .name = is_stdin ? "<stdin>" : path},
		.al = al,
		.progress = pr,
		.fd = fd,
		.own_fd = !is_stdin,
	};
	rc = file_classify(f, err);
	AS_THEN(rc, file_magic(f, err));
	if (rc != AS_OK) {
		file_close(&f->src);
		return rc;
	}
	*out = f;
	return AS_OK;
}

enum as_code as_file_open(const struct as_alloc *al, const char *path, struct as_progress *pr,
	struct as_src **out, struct as_err *err)
{
	struct file_src *f;

	*out = NULL;
	AS_TRY(file_begin(al, path, pr, &f, err));
	return as_file_unpack(al, &f->src, (struct as_slice){f->magic, f->n_magic}, out, err);
}

enum as_code as_file_open_raw(const struct as_alloc *al, const char *path, struct as_progress *pr,
	struct as_src **out, struct as_err *err)
{
	struct file_src *f;

	*out = NULL;
	AS_TRY(file_begin(al, path, pr, &f, err));
	*out = &f->src;
	return AS_OK;
}

void as_file_close(struct as_src *src)
{
	if (src && src->close)
		src->close(src);
}
