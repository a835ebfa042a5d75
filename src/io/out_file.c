/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "io/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, TRIES_MAX = 1000, NEW_MODE = 0666 };

static int write_all(int fd, const char *p, size_t n)
{
	while (n) {
		ssize_t done = write(fd, p, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		p += done;
		n -= (size_t)done;
	}
	return 0;
}

static int sink_fd_write(struct as_sink *sink, const void *buf, size_t n)
{
	return write_all(((struct as_sink_fd *)(void *)sink)->fd, buf, n);
}

void as_sink_fd_init(struct as_sink_fd *sf, int fd)
{
	*sf = (struct as_sink_fd){.sink = {.write = sink_fd_write}, .fd = fd};
}

static int out_file_write(struct as_sink *sink, const void *buf, size_t n)
{
	return write_all(((struct as_out_file *)(void *)sink)->fd, buf, n);
}

static enum as_code fail(struct as_err *err, int sys_errno, const char *what)
{
	if (err)
		err->sys_errno = sys_errno;
	return as_err_set(err, AS_E_IO, "%s: %s", what, strerror(sys_errno));
}

/* Bytes of PATH up to and with its last slash. */
static size_t dir_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Follow the links that PATH (room for PATH_MAX) ends in; the last one may dangle. */
static int follow_links(char *path)
{
	char to[PATH_MAX];

	for (int i = 0; i < LINKS_MAX; i++) {
		ssize_t n = readlink(path, to, sizeof(to) - 1);
		size_t dir;

		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : errno;
		to[n] = 0;
		dir = to[0] == '/' ? 0 : dir_len(path);
		if (dir + (size_t)n >= PATH_MAX)
			return ENAMETOOLONG;
		memcpy(path + dir, to, (size_t)n + 1);
	}
	return ELOOP;
}

/* Make the temporary ".NAME.assay-PID-TRY" beside the target. */
static int make_tmp(struct as_out_file *of)
{
	size_t dir = dir_len(of->target);
	const char *name = of->target + dir;
	/* A name may have 255 bytes: leave room for what is added. */
	int cut = (int)(strlen(name) < 200 ? strlen(name) : 200);

	for (unsigned i = 0; i < TRIES_MAX; i++) {
		snprintf(of->tmp, of->tmp_cap, "%.*s.%.*s.assay-%ld-%u", (int)dir, of->target, cut,
			name, (long)getpid(), i);
		of->fd = open(of->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_MODE);
		if (of->fd >= 0)
			return 0;
		if (errno != EEXIST)
			return errno;
	}
	return EEXIST;
}

static void release(struct as_out_file *of)
{
	as_alloc_free(of->al, of->target, of->tmp_cap);
	as_alloc_free(of->al, of->tmp, of->tmp_cap);
	of->target = of->tmp = NULL;
	of->fd = -1;
}

/* Not a regular file: there is nothing to replace, so write to it. */
static enum as_code open_directly(struct as_out_file *of, struct as_err *err)
{
	of->fd = open(of->target, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (of->fd < 0)
		return fail(err, errno, "cannot open for writing");
	as_alloc_free(of->al, of->tmp, of->tmp_cap);
	of->tmp = NULL;
	return AS_OK;
}

static enum as_code open_target(struct as_out_file *of, struct as_err *err)
{
	struct stat st;
	int rc = follow_links(of->target);
	bool exists;

	if (rc)
		return fail(err, rc, "cannot write");
	exists = stat(of->target, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		return fail(err, EISDIR, "cannot write");
	if (exists && !S_ISREG(st.st_mode))
		return open_directly(of, err);
	if (exists && !of->force)
		return fail(err, EEXIST, "not overwritten");
	if (exists && access(of->target, W_OK))
		return fail(err, errno, "cannot write");
	rc = make_tmp(of);
	if (rc)
		return fail(err, rc, "cannot write");
	if (exists)
		(void)fchmod(of->fd, st.st_mode & 0777);
	return AS_OK;
}

enum as_code as_out_file_open(struct as_out_file *of, const struct as_alloc *al, const char *path,
	bool force, struct as_err *err)
{
	enum as_code rc;
	size_t len = strlen(path);

	*of = (struct as_out_file){
		.sink = {.write = out_file_write},
		.al = al,
		.fd = -1,
		.force = force,
		.tmp_cap = PATH_MAX + 64,
	};
	if (err)
		as_escape(err->name, sizeof(err->name), path, len);
	if (len >= PATH_MAX)
		return fail(err, ENAMETOOLONG, "cannot write");
	if (len == 0)
		return fail(err, ENOENT, "cannot write");
	of->target = as_alloc_new(al, of->tmp_cap);
	of->tmp = as_alloc_new(al, of->tmp_cap);
	if (!of->target || !of->tmp) {
		release(of);
		return as_err_set(err, AS_E_NOMEM, "out of memory");
	}
	memcpy(of->target, path, len + 1);
	rc = open_target(of, err);
	if (rc != AS_OK)
		release(of);
	return rc;
}

/* The name now stands in the folder; make that last, too. Not every file system can. */
static void sync_dir(const struct as_out_file *of)
{
	char dir[PATH_MAX];
	size_t n = dir_len(of->target);
	int fd;

	if (n >= sizeof(dir))
		return;
	memcpy(dir, of->target, n);
	dir[n] = 0;
	fd = open(n ? dir : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/* Give the temporary its name. Without FORCE a file that has come up since is kept: link()
 * fails where rename() would replace; file systems without links fall back on a look. */
static int put_in_place(struct as_out_file *of)
{
	if (of->force)
		return rename(of->tmp, of->target) ? errno : 0;
	if (link(of->tmp, of->target) == 0) {
		(void)unlink(of->tmp);
		return 0;
	}
	if (errno == EEXIST)
		return EEXIST;
	if (access(of->target, F_OK) == 0)
		return EEXIST;
	return rename(of->tmp, of->target) ? errno : 0;
}

enum as_code as_out_file_commit(struct as_out_file *of, struct as_err *err)
{
	int rc = 0;

	if (of->tmp && fsync(of->fd) && errno != EINVAL && errno != ENOSYS)
		rc = errno;
	if (close(of->fd) && !rc && errno != EINTR)
		rc = errno;
	of->fd = -1;
	if (of->tmp && !rc)
		rc = put_in_place(of);
	if (rc) {
		as_out_file_abort(of);
		return fail(err, rc, rc == EEXIST ? "not overwritten" : "cannot write");
	}
	if (of->tmp)
		sync_dir(of);
	release(of);
	return AS_OK;
}

void as_out_file_abort(struct as_out_file *of)
{
	if (of->fd >= 0)
		close(of->fd);
	if (of->tmp)
		(void)unlink(of->tmp);
	release(of);
}
