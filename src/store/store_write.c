/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/gzip_best.h"
#include "io/gzip_sections.h"
#include "io/out_file.h"
#include "store/store_impl.h"

enum { FILE_MODE = 0644, FOLDER_MODE = 0755, DEPTH_MAX = 4 };
enum { SECTION = 128 /* samples; with fewer it takes more room than it saves time */ };

struct writing {
	const struct as_alloc *al;
	const struct as_format *fmt;
	const struct as_profile *prof;
	const struct as_store_facts *facts;
	char folder[PATH_MAX]; /* under its temporary name */
	bool small;
	struct as_err *err;
};

/* ---- bytes ---- */

static enum as_code store_write_piece(
	const struct writing *w, struct as_sink *sink, uint32_t piece, bool small)
{
	struct as_out out;
	struct as_wr wr = {
		.out = &out, .err = w->err, .sections = SECTION, .piece = piece, .small = small};
	enum as_code rc, end;

	AS_TRY(as_out_open(&out, w->al, sink, w->err));
	rc = as_format_write(w->fmt, &wr, w->prof);
	end = as_out_finish(&out);
	return rc == AS_OK ? end : rc;
}

/* ---- stacks: a file ---- */

static enum as_code write_gzip(const struct writing *w, struct as_sink *sink)
{
	enum as_gzip_effort effort = w->small ? AS_GZIP_SMALL : AS_GZIP_QUICK;
	struct as_sink_sections ss;
	enum as_code rc;

	AS_TRY(as_sink_sections_open(&ss, w->al, sink, effort, w->err));
	rc = store_write_piece(w, &ss.sink, 0, w->small);
	if (rc == AS_OK)
		return as_sink_sections_finish(&ss, w->err);
	as_sink_sections_abort(&ss);
	return rc;
}

static enum as_code write_stacks(const struct writing *w, const char *path)
{
	struct as_out_file of;
	enum as_code rc;

	AS_TRY(as_out_file_open(&of, w->al, path, false, w->err));
	rc = write_gzip(w, &of.sink);
	if (rc == AS_OK)
		return as_out_file_commit(&of, w->err);
	as_out_file_abort(&of);
	return rc;
}

/* ---- addresses: a folder ---- */

static enum as_code write_close(int fd, const char *path, enum as_code rc, struct as_err *err)
{
	int number = 0;

	if (rc == AS_OK && fsync(fd) && errno != EINVAL && errno != ENOSYS)
		number = errno;
	if (close(fd) && !number && errno != EINTR)
		number = errno;
	return rc == AS_OK && number ? as_store_sys(err, number, path, "cannot write") : rc;
}

static enum as_code write_open(struct writing *w, const char *name, char path[PATH_MAX], int *fd)
{
	AS_TRY(as_store_join(path, w->folder, name, w->err));
	*fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, FILE_MODE);
	return *fd < 0 ? as_store_sys(w->err, errno, path, "cannot write") : AS_OK;
}

/* The value of the header's line "path" in BYTES, a DCPI profile; else NAME. */
static struct as_slice write_path_of(struct as_slice bytes, struct as_slice name)
{
	struct as_slice line, word;

	while (as_slice_cut(&bytes, '\n', &line) && !as_slice_starts(line, "samples"))
		if (as_slice_word(&line, &word) && as_slice_is(word, "path"))
			return as_slice_ltrim(line);
	return name;
}

static enum as_code write_bytes(struct writing *w, const char *name, struct as_slice bytes)
{
	char path[PATH_MAX];
	struct as_sink_fd sink;
	enum as_code rc = AS_OK;
	int fd, number;

	AS_TRY(write_open(w, name, path, &fd));
	as_sink_fd_init(&sink, fd);
	number = sink.sink.write(&sink.sink, bytes.p, bytes.len);
	if (number)
		rc = as_store_sys(w->err, -number, path, "cannot write");
	return write_close(fd, path, rc, w->err);
}

/* A profile as it is, or, to stay, as gzip has it: most of its bytes are zeros. */
static enum as_code write_image_bytes(struct writing *w, const char *name, struct as_slice bytes)
{
	struct as_gzip_best gz;
	enum as_code rc;

	if (!w->small)
		return write_bytes(w, name, bytes);
	rc = as_gzip_best(&gz, w->al, bytes, w->err);
	AS_THEN(rc, write_bytes(w, name, (struct as_slice){gz.p, gz.n}));
	as_gzip_best_release(&gz, w->al);
	return rc;
}

static enum as_code store_write_image(struct writing *w, uint32_t piece, struct as_out *list)
{
	char name[NAME_MAX + 1];
	size_t n;
	struct as_sink_mem mem;
	struct as_slice bytes;
	enum as_code rc;

	w->fmt->piece_name(w->prof, piece, name, sizeof(name) - strlen(AS_STORE_PACKED));
	n = strlen(name);
	if (w->small)
		snprintf(name + n, sizeof(name) - n, "%s", AS_STORE_PACKED);
	as_sink_mem_init(&mem, w->al);
	rc = store_write_piece(w, &mem.sink, piece, false);
	bytes = (struct as_slice){mem.data.p, mem.data.n};
	AS_THEN(rc, write_image_bytes(w, name, bytes));
	if (rc == AS_OK) {
		as_out_printf(list, "%s\t", name);
		as_out_slice(list, write_path_of(bytes, as_slice_of(name)));
		as_out_char(list, '\n');
	}
	as_sink_mem_release(&mem);
	return rc;
}

static enum as_code write_all_images(struct writing *w, struct as_out *list)
{
	uint32_t n = w->fmt->pieces(w->prof);

	AS_TRY(as_err_memory(w->err, n));
	for (uint32_t i = 0; i < n; i++)
		AS_TRY(store_write_image(w, i, list));
	return AS_OK;
}

static enum as_code write_images(struct writing *w)
{
	struct as_sink_mem mem;
	struct as_out list;
	enum as_code rc, end;

	as_sink_mem_init(&mem, w->al);
	rc = as_out_open(&list, w->al, &mem.sink, w->err);
	if (rc == AS_OK) {
		rc = write_all_images(w, &list);
		end = as_out_finish(&list);
		rc = rc == AS_OK ? end : rc;
	}
	AS_THEN(rc, write_bytes(w, AS_STORE_IMAGES, (struct as_slice){mem.data.p, mem.data.n}));
	as_sink_mem_release(&mem);
	return rc;
}

static enum as_code write_facts(struct writing *w)
{
	struct as_sink_mem mem;
	struct as_out out;
	enum as_code rc;

	as_sink_mem_init(&mem, w->al);
	rc = as_out_open(&out, w->al, &mem.sink, w->err);
	if (rc == AS_OK) {
		as_store_facts_print(&out, w->facts);
		rc = as_out_finish(&out);
	}
	AS_THEN(rc, write_bytes(w, AS_STORE_FACTS, (struct as_slice){mem.data.p, mem.data.n}));
	as_sink_mem_release(&mem);
	return rc;
}

static enum as_code write_segment(struct writing *w)
{
	AS_TRY(write_images(w));
	AS_TRY(write_facts(w));
	return as_store_sync_dir(w->folder, w->err);
}

/* Nothing is replaced: a folder with files in it cannot be. */
static enum as_code write_folder(struct writing *w, const char *dir, const char *name)
{
	char temporary[AS_STORE_NAME + 40], path[PATH_MAX];
	enum as_code rc;

	snprintf(temporary, sizeof(temporary), ".%s.assay-%ld", name, (long)getpid());
	AS_TRY(as_store_join(w->folder, dir, temporary, w->err));
	AS_TRY(as_store_join(path, dir, name, w->err));
	AS_TRY(as_store_remove(w->folder, w->err));
	if (mkdir(w->folder, FOLDER_MODE))
		return as_store_sys(w->err, errno, w->folder, "cannot make the folder");
	rc = write_segment(w);
	if (rc == AS_OK && rename(w->folder, path))
		rc = as_store_sys(w->err, errno, path, "cannot write");
	if (rc == AS_OK)
		(void)as_store_sync_dir(dir, NULL); /* it is there; not every file system can */
	else
		(void)as_store_remove(w->folder, NULL);
	return rc;
}

enum as_code as_store_write(const char *dir, const struct as_store_span *span,
	const struct as_profile *prof, const struct as_store_facts *facts, bool small,
	struct as_err *err)
{
	struct writing w = {.al = prof->al,
		.fmt = as_format_by_name(as_slice_of(span->flat ? "dcpi" : "pprof")),
		.prof = prof,
		.facts = facts,
		.small = small,
		.err = err};
	char name[AS_STORE_NAME], path[PATH_MAX];
	struct as_profile *adapted = NULL;
	struct as_adapt_opts how = {0};
	enum as_code rc;

	as_assert(w.fmt && w.fmt->write);
	as_store_span_name(span, name);
	AS_TRY(as_store_join(path, dir, name, err));
	AS_TRY(as_adapt(prof, w.fmt, &how, &adapted, NULL, err));
	w.prof = adapted ? adapted : prof;
	rc = span->flat ? write_folder(&w, dir, name) : write_stacks(&w, path);
	as_profile_free(adapted);
	return rc;
}

/* ---- folders ---- */

enum as_code as_store_sync_dir(const char *dir, struct as_err *err)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC), number = 0;

	if (fd < 0)
		return as_store_sys(err, errno, dir, "cannot open");
	if (fsync(fd) && errno != EINVAL && errno != ENOSYS)
		number = errno;
	close(fd);
	return number ? as_store_sys(err, number, dir, "cannot write") : AS_OK;
}

/* An entry NAME of the folder AT and what is in it: 0, or an errno. Links are not followed. */
static int write_remove_at(int at, const char *name, int depth)
{
	struct dirent *e;
	int fd, number = 0;
	DIR *d;

	if (unlinkat(at, name, 0) == 0 || errno == ENOENT)
		return 0;
	if ((errno != EISDIR && errno != EPERM) || depth == DEPTH_MAX)
		return errno;
	fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return errno;
	d = fdopendir(fd);
	if (!d) {
		number = errno;
		close(fd);
		return number;
	}
	while (!number && (e = readdir(d)))
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			number = write_remove_at(fd, e->d_name, depth + 1);
	closedir(d);
	if (!number && unlinkat(at, name, AT_REMOVEDIR) && errno != ENOENT)
		number = errno;
	return number;
}

enum as_code as_store_remove(const char *path, struct as_err *err)
{
	int number = write_remove_at(AT_FDCWD, path, 0);

	return number ? as_store_sys(err, number, path, "cannot remove") : AS_OK;
}

enum as_code as_store_retire(const char *path, const char *hidden, struct as_err *err)
{
	if (unlink(path) == 0 || errno == ENOENT)
		return AS_OK;
	if (errno != EISDIR && errno != EPERM)
		return as_store_sys(err, errno, path, "cannot remove");
	AS_TRY(as_store_remove(hidden, err));
	if (rename(path, hidden))
		return as_store_sys(err, errno, path, "cannot remove");
	return as_store_remove(hidden, err);
}
