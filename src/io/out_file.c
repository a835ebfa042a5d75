/* SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "io/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LINKS_MAX = 40, TRIES_MAX = 1000, NEW_MODE = 0666 };

static int out_file_write_all(int fd, const char *p, size_t n)
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
	return out_file_write_all(((struct as_sink_fd *)(void *)sink)->fd, buf, n);
}

void as_sink_fd_init(struct as_sink_fd *sf, int fd)
{
	*sf = (struct as_sink_fd){.sink = {.write = sink_fd_write}, .fd = fd};
}

static int out_file_write(struct as_sink *sink, const void *buf, size_t n)
{
	return out_file_write_all(((struct as_out_file *)(void *)sink)->fd, buf, n);
}

/* Bytes of PATH up to and with its last slash. */
static size_t dir_len(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? (size_t)(slash - path) + 1 : 0;
}

/* ---- where it goes ---- */

/* The directory of PATH; false with errno if that is too long. */
static bool out_file_dir_of(const char *path, char dir[PATH_MAX])
{
	size_t n = dir_len(path);

	errno = ENAMETOOLONG;
	if (n >= PATH_MAX)
		return false;
	memcpy(dir, n ? path : ".", n ? n : 1);
	dir[n ? n : 1] = 0;
	return true;
}

/* Open the directory of PATH; -1 with errno. */
static int open_dir(const char *path, int flags)
{
	char dir[PATH_MAX];

	return out_file_dir_of(path, dir) ? open(dir, flags | O_CLOEXEC, NEW_MODE) : -1;
}

/*
 * What the link PATH leads to, into TO of PATH_MAX: its bytes; -1 with errno, EINVAL if it is no
 * link. In a directory that everybody may write into, as /tmp, one that is neither the user's nor
 * the directory's owner's may have been put there to lead astray: EACCES. The kernel says so, too,
 * to who opens a file there (fs.protected_symlinks), but names are exchanged here, not opened.
 */
static ssize_t read_link(const char *path, char *to)
{
	struct stat dir, link;
	int fd = open_dir(path, O_RDONLY | O_DIRECTORY);
	const char *name = path + dir_len(path);
	ssize_t n = -1;
	int saved;

	if (fd < 0) /* one may enter a directory, and not list it */
		return errno == EACCES ? readlink(path, to, PATH_MAX - 1) : -1;
	if (fstat(fd, &dir) == 0 && fstatat(fd, name, &link, AT_SYMLINK_NOFOLLOW) == 0)
		n = readlinkat(fd, name, to, PATH_MAX - 1);
	saved = errno;
	if (n >= 0 && (dir.st_mode & S_IWOTH) && link.st_uid != geteuid() &&
		link.st_uid != dir.st_uid) {
		saved = EACCES;
		n = -1;
	}
	close(fd);
	errno = saved;
	return n;
}

/* PATH is one of a process's open files, by the name that the system gives it. */
static bool leads_to_open_file(const char *path)
{
	char dir[PATH_MAX], real[PATH_MAX];

	return dir_len(path) && out_file_dir_of(path, dir) && realpath(dir, real) &&
	       strncmp(real, "/proc/", 6) == 0;
}

/* Follow the links that PATH (room for PATH_MAX) ends in; the last one may dangle. */
static int follow_links(char *path)
{
	char to[PATH_MAX];

	for (int i = 0; i < LINKS_MAX && !leads_to_open_file(path); i++) {
		ssize_t n = read_link(path, to);
		size_t dir;

		if (n < 0)
			return errno == EINVAL || errno == ENOENT ? 0 : errno;
		to[n] = 0;
		dir = to[0] == '/' ? 0 : dir_len(path);
		if (dir + (size_t)n >= PATH_MAX)
			return ENAMETOOLONG;
		memcpy(path + dir, to, (size_t)n + 1);
	}
	return leads_to_open_file(path) ? 0 : ELOOP;
}

bool as_out_is_open_file(const char *path)
{
	char target[PATH_MAX];
	size_t len = strlen(path);

	if (len >= sizeof(target))
		return false;
	memcpy(target, path, len + 1);
	return follow_links(target) == 0 && leads_to_open_file(target);
}

static void open_file_path(int fd, char *path, size_t size)
{
	snprintf(path, size, "/proc/self/fd/%d", fd);
}

/* A file without a name, which is gone if we are killed; false where there are none such. */
static bool make_unnamed(struct as_out_file *of)
{
	char path[64];

	of->fd = open_dir(of->target, O_TMPFILE | O_WRONLY);
	if (of->fd < 0)
		return false;
	open_file_path(of->fd, path, sizeof(path));
	if (access(path, F_OK) == 0) /* it can get a name */
		return true;
	close(of->fd);
	of->fd = -1;
	return false;
}

/* Make the temporary ".NAME.assay-PID-TRY" beside the target, or give it that name. */
static int make_named(struct as_out_file *of)
{
	size_t dir = dir_len(of->target);
	const char *name = of->target + dir;
	/* A name may have 255 bytes: leave room for what is added. */
	int cut = (int)(strlen(name) < 200 ? strlen(name) : 200);
	char from[64];

	open_file_path(of->fd, from, sizeof(from));
	for (unsigned i = 0; i < TRIES_MAX; i++) {
		snprintf(of->tmp, of->tmp_cap, "%.*s.%.*s.assay-%ld-%u", (int)dir, of->target, cut,
			name, (long)getpid(), i);
		if (of->fd >= 0) {
			if (linkat(AT_FDCWD, from, AT_FDCWD, of->tmp, AT_SYMLINK_FOLLOW) == 0)
				return 0;
		} else {
			of->fd = open(of->tmp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, NEW_MODE);
			if (of->fd >= 0)
				return 0;
		}
		if (errno != EEXIST)
			break;
	}
	of->tmp[0] = 0;
	return errno;
}

static void out_file_release(struct as_out_file *of)
{
	as_alloc_free(of->al, of->target, of->tmp_cap);
	as_alloc_free(of->al, of->tmp, of->tmp_cap);
	of->target = of->tmp = NULL;
	of->fd = -1;
}

/* Not a regular file: there is nothing to replace, so write to it. */
static enum as_code open_directly(struct as_out_file *of, struct as_err *err)
{
	int follow = leads_to_open_file(of->target) ? 0 : O_NOFOLLOW; /* that was done */

	of->fd = open(of->target, O_WRONLY | O_CLOEXEC | O_NOCTTY | follow);
	if (of->fd < 0)
		return as_err_sys(err, errno, "cannot open for writing");
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
		return as_err_sys(err, rc, "cannot write");
	exists = stat(of->target, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		return as_err_sys(err, EISDIR, "cannot write");
	if (exists && (!S_ISREG(st.st_mode) || leads_to_open_file(of->target)))
		return open_directly(of, err);
	if (exists && !of->force)
		return as_err_sys(err, EEXIST, "not overwritten");
	if (exists && access(of->target, W_OK))
		return as_err_sys(err, errno, "cannot write");
	rc = make_unnamed(of) ? 0 : make_named(of);
	if (rc)
		return as_err_sys(err, rc, "cannot write");
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
		return as_err_sys(err, ENAMETOOLONG, "cannot write");
	if (len == 0)
		return as_err_sys(err, ENOENT, "cannot write");
	of->target = as_alloc_new(al, of->tmp_cap);
	of->tmp = as_alloc_new(al, of->tmp_cap);
	if (!of->target || !of->tmp) {
		out_file_release(of);
		return as_err_no_memory(err);
	}
	memcpy(of->target, path, len + 1);
	rc = open_target(of, err);
	if (rc != AS_OK)
		out_file_release(of);
	return rc;
}

/* The name now stands in the folder; make that last, too. Not every file system can. */
static void sync_dir(const struct as_out_file *of)
{
	int fd = open_dir(of->target, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		return;
	(void)fsync(fd);
	close(fd);
}

/* Give the temporary its name. Without FORCE a file that has come up since is kept: link()
 * fails where rename() would replace; file systems without links fall back on a look. */
static int put_in_place(struct as_out_file *of)
{
	as_assert(of->tmp[0]);
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

	as_assert(of->fd >= 0 && of->target); /* it is committed or aborted once */
	if (of->tmp && fsync(of->fd) && errno != EINVAL && errno != ENOSYS)
		rc = errno;
	if (of->tmp && !of->tmp[0] && !rc)
		rc = make_named(of);
	if (close(of->fd) && !rc && errno != EINTR)
		rc = errno;
	of->fd = -1;
	if (of->tmp && !rc)
		rc = put_in_place(of);
	if (rc) {
		as_out_file_abort(of);
		return as_err_sys(err, rc, rc == EEXIST ? "not overwritten" : "cannot write");
	}
	if (of->tmp)
		sync_dir(of);
	out_file_release(of);
	return AS_OK;
}

void as_out_file_abort(struct as_out_file *of)
{
	if (of->fd >= 0)
		close(of->fd);
	if (of->tmp && of->tmp[0])
		(void)unlink(of->tmp);
	out_file_release(of);
}
