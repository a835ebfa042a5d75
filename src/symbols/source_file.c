/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A source is looked for where the user says it is (path map), then where the profile says, then
 * below the source directories by its last parts, as many as possible first: dir/a/b/x.c is
 * better evidence than dir/x.c.
 */
#define _XOPEN_SOURCE 700
#include "symbols/source_file.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "io/plain.h"

enum { SOURCE_MAX = 256 << 20, TOLD_MAX = 3 };

#define LEFT_OUT \
	"it is left out of what is passed on: %s; --source-path DIR lets in what is below DIR"

struct search {
	struct as_source *out;
	const struct as_source_opts *opts;
	struct as_slice path;
	struct as_err *err;
	char told[300]; /* the first places that were looked at */
	size_t told_len;
	unsigned n_tried;
	int denied; /* errno of a file that is there and cannot be read */
	char denied_path[PATH_MAX];
	const char *forbidden; /* why it is not let out */
	char forbidden_path[PATH_MAX];
};

static void source_file_tell(struct search *sr, const char *path)
{
	int n;

	if (sr->n_tried++ >= TOLD_MAX)
		return;
	n = snprintf(sr->told + sr->told_len, sizeof(sr->told) - sr->told_len, "%s'%.90s'",
		sr->told_len ? ", " : "", path);
	if (n > 0 && sr->told_len + (size_t)n < sizeof(sr->told))
		sr->told_len += (size_t)n;
}

static enum as_code source_file_read_all(struct search *sr, int fd, size_t size)
{
	struct as_source *out = sr->out;
	ssize_t got;

	/* A file may shrink while it is read; one that grows is cut. */
	for (out->size = 0; out->size < size; out->size += (size_t)got) {
		got = read(fd, out->text + out->size, size - out->size);
		if (got < 0 && errno == EINTR)
			got = 0;
		else if (got < 0)
			return as_err_sys(sr->err, errno, "cannot read the source");
		else if (got == 0)
			break;
	}
	return AS_OK;
}

static enum as_code index_lines(struct search *sr)
{
	struct as_source *out = sr->out;
	size_t at = 0;

	while (at < out->size) {
		AS_TRY(as_err_memory(sr->err, as_vec_push(out->al, &out->start, at)));
		at += as_slice_find((struct as_slice){out->text + at, out->size - at}, '\n') + 1;
	}
	out->n_lines = (uint32_t)out->start.n;
	return as_vec_push(out->al, &out->start, out->size) ? AS_OK : as_err_no_memory(sr->err);
}

static bool keep_path(struct search *sr, const char *path)
{
	size_t len = strlen(path);
	char *copy = as_alloc_new(sr->out->al, len + 1);

	if (!copy)
		return false;
	memcpy(copy, path, len);
	sr->out->path = (struct as_slice){copy, len};
	return true;
}

static enum as_code source_file_take(
	struct search *sr, const char *path, int fd, const struct stat *st)
{
	struct as_source *out = sr->out;

	if (sr->err)
		as_escape(sr->err->name, sizeof(sr->err->name), path, strlen(path));
	if (st->st_size > SOURCE_MAX)
		return as_err_set(sr->err, AS_E_LIMIT,
			"a source file of %" PRIu64 " MB is not read, the limit is %d MB",
			(uint64_t)st->st_size >> 20, SOURCE_MAX >> 20);
	AS_TRY(as_err_memory(sr->err, keep_path(sr, path)));
	out->mtime = st->st_mtime > 0 ? (uint64_t)st->st_mtime : 0;
	out->cap = (size_t)st->st_size + 1;
	out->text = as_alloc_new(out->al, out->cap);
	AS_TRY(as_err_memory(sr->err, out->text));
	AS_TRY(source_file_read_all(sr, fd, (size_t)st->st_size));
	return index_lines(sr);
}

/* -1 if nothing is at PATH that has lines. */
static int open_plain(struct search *sr, const char *path, struct stat *st)
{
	char real[PATH_MAX];
	int fd;

	if (as_is_system_path(as_slice_of(path)) ||
		(realpath(path, real) && as_is_system_path(as_slice_of(real))))
		return -1;
	fd = as_plain_open(path, st);
	if (fd < 0 && errno != ENOENT && errno != ENOTDIR && errno != EINVAL && !sr->denied) {
		sr->denied = errno;
		snprintf(sr->denied_path, sizeof(sr->denied_path), "%s", path);
	}
	return fd;
}

/* Note that the file is forbidden. The search goes on, as there may be one that is allowed. */
static bool is_forbidden(struct search *sr, const char *path, const struct stat *st)
{
	const char *why = NULL;

	if (sr->opts->guard)
		why = as_source_forbidden(sr->opts->guard, path, st, sr->path);
	if (!why)
		return false;
	if (!sr->forbidden) {
		sr->forbidden = why;
		snprintf(sr->forbidden_path, sizeof(sr->forbidden_path), "%s", path);
	}
	return true;
}

/* AS_END: it is not at PATH. */
static enum as_code source_file_try_path(struct search *sr, const char *path)
{
	enum as_code rc = AS_END;
	struct stat st;
	int fd;

	source_file_tell(sr, path);
	fd = open_plain(sr, path, &st);
	if (fd < 0)
		return AS_END;
	if (!is_forbidden(sr, path, &st))
		rc = source_file_take(sr, path, fd, &st);
	close(fd);
	return rc;
}

static enum as_code try_joined(struct search *sr, struct as_slice a, struct as_slice b)
{
	char path[PATH_MAX];

	return as_path_join(a, b, path, sizeof(path)) ? source_file_try_path(sr, path) : AS_END;
}

static enum as_code try_maps(struct search *sr, struct as_slice path)
{
	enum as_code rc = AS_END;
	char moved[PATH_MAX];

	for (size_t i = 0; rc == AS_END && i < sr->opts->n_path_map; i++)
		if (as_path_map(sr->opts->path_map[i], path, moved, sizeof(moved)))
			rc = source_file_try_path(sr, moved);
	return rc;
}

static enum as_code try_tails(struct search *sr, struct as_slice path)
{
	char buf[PATH_MAX];
	struct as_slice tail, part;
	enum as_code rc = AS_END;

	if (!sr->opts->n_source_path || path.len + 2 > sizeof(buf))
		return AS_END;
	buf[0] = '/'; /* so that ".." ends there */
	memcpy(buf + 1, path.p, path.len);
	tail = (struct as_slice){buf + 1, as_path_tidy(buf, path.len + 1) - 1};
	while (rc == AS_END && tail.len) {
		for (size_t i = 0; rc == AS_END && i < sr->opts->n_source_path; i++)
			rc = try_joined(sr, as_slice_of(sr->opts->source_path[i]), tail);
		if (!as_slice_cut(&tail, '/', &part) || !tail.p)
			break;
	}
	return rc;
}

static enum as_code source_file_not_found(struct search *sr)
{
	unsigned more = sr->n_tried > TOLD_MAX ? sr->n_tried - TOLD_MAX : 0;
	char places[32] = "";

	if (sr->err)
		as_escape(sr->err->name, sizeof(sr->err->name), sr->path.p, sr->path.len);
	if (sr->forbidden) {
		sr->out->forbidden = sr->forbidden;
		AS_TRY(as_err_memory(sr->err, keep_path(sr, sr->forbidden_path)));
		return as_err_set(sr->err, AS_E_IO, LEFT_OUT, sr->forbidden);
	}
	if (sr->denied) {
		if (sr->err)
			as_escape(sr->err->name, sizeof(sr->err->name), sr->denied_path,
				strlen(sr->denied_path));
		return as_err_sys(sr->err, sr->denied, "cannot read the source");
	}
	if (sr->err)
		sr->err->sys_errno = ENOENT;
	if (more)
		snprintf(places, sizeof(places), " and %u more", more);
	return as_err_set(sr->err, AS_E_IO,
		"no such source file; looked at %s%s; say where it is with --source-path DIR or "
		"--path-map OLD=NEW",
		sr->n_tried ? sr->told : "nothing", places);
}

/* A relative path below the compilation directory, in BUF of PATH_MAX; else the path itself. */
static struct as_slice whole_path(const struct search *sr, char *buf)
{
	struct as_slice dir = as_slice_of(sr->opts->dir);

	if (!dir.len || sr->path.p[0] == '/' || !as_path_join(dir, sr->path, buf, PATH_MAX))
		return sr->path;
	return as_slice_of(buf);
}

static int source_file_digit(char c)
{
	const char *hex = "0123456789abcdef", *at = c ? strchr(hex, c | 0x20) : NULL;

	return at ? (int)(at - hex) : -1;
}

/* "file:///a%20b", as V8 calls its modules: the path "/a b", in BUF of PATH_MAX; else the path
 * itself. */
static struct as_slice path_of_url(struct as_slice url, char *buf)
{
	static const char scheme[] = "file://";
	struct as_slice rest;
	size_t n = 0;

	if (!as_slice_starts(url, "file:///") || url.len >= PATH_MAX)
		return url;
	rest = as_slice_skip(url, sizeof(scheme) - 1);
	for (size_t i = 0; i < rest.len; i++) {
		int high = i + 2 < rest.len && rest.p[i] == '%' ? source_file_digit(rest.p[i + 1])
								: -1;
		int low = high >= 0 ? source_file_digit(rest.p[i + 2]) : -1;

		buf[n++] = (char)(low >= 0 ? high * 16 + low : rest.p[i]);
		i += low >= 0 ? 2 : 0;
	}
	return (struct as_slice){buf, n};
}

/* URL is sr->path as it was asked for. */
static enum as_code source_file_search(struct search *sr, struct as_slice url)
{
	struct as_slice none = {"", 0}, whole;
	char buf[PATH_MAX];
	enum as_code rc;

	if (!sr->path.len || memchr(sr->path.p, 0, sr->path.len))
		return source_file_not_found(sr);
	whole = whole_path(sr, buf);
	rc = try_maps(sr, whole);
	if (rc == AS_END && url.p != sr->path.p)
		rc = try_maps(sr, url);
	if (rc == AS_END && whole.p != sr->path.p)
		rc = try_maps(sr, sr->path);
	if (rc == AS_END)
		rc = try_joined(sr, none, whole);
	if (rc == AS_END && whole.p != sr->path.p)
		rc = try_joined(sr, none, sr->path);
	if (rc == AS_END)
		rc = try_tails(sr, whole);
	return rc == AS_END ? source_file_not_found(sr) : rc;
}

enum as_code as_source_open(struct as_source *out, const struct as_alloc *al, struct as_slice path,
	const struct as_source_opts *opts, struct as_err *err)
{
	char of_url[PATH_MAX];
	struct search sr = {
		.out = out, .opts = opts, .path = path_of_url(path, of_url), .err = err};

	*out = (struct as_source){.al = al};
	if (err)
		as_err_clear(err);
	return source_file_search(&sr, path);
}

void as_source_release(struct as_source *src)
{
	if (src->path.p)
		as_alloc_free(src->al, (char *)(uintptr_t)src->path.p, src->path.len + 1);
	as_alloc_free(src->al, src->text, src->cap);
	as_vec_free(src->al, &src->start);
	*src = (struct as_source){.al = src->al};
}

struct as_slice as_source_line(const struct as_source *src, uint64_t n)
{
	struct as_slice line;

	if (n == 0 || n > src->n_lines)
		return (struct as_slice){"", 0};
	line.p = src->text + src->start.p[n - 1];
	line.len = src->start.p[n] - src->start.p[n - 1];
	if (line.len && line.p[line.len - 1] == '\n')
		line.len--;
	return as_slice_chop(line);
}
