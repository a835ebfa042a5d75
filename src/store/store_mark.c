/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Up to where a host's segments went elsewhere. What is behind a mark waits: it is neither rolled
 * up, so that it goes as it was written, nor removed.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "store/store_impl.h"

enum { MARK_MODE = 0644, MARK_TEXT = AS_STORE_NAME + 32 };

/* ---- the file: "EPOCH NANOSECONDS" ---- */

enum as_code as_store_mark_read(const struct as_store *st, const char *name,
	struct as_store_mark *mark, bool *there, struct as_err *err)
{
	char path[PATH_MAX], text[MARK_TEXT];
	struct as_slice line = {text, 0}, epoch;
	uint64_t end = 0;
	ssize_t n;
	int fd;

	AS_TRY(as_store_join(path, st->dir, name, err));
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	*there = fd >= 0 || errno != ENOENT;
	if (fd < 0)
		return *there ? as_store_sys(err, errno, path, "cannot open") : AS_OK;
	n = read(fd, text, sizeof(text));
	close(fd);
	line.len = n > 0 ? (size_t)n : 0;
	line.len = as_slice_find(line, '\n');
	if (as_slice_word(&line, &epoch) && as_store_epoch_parse(epoch, &mark->epoch) &&
		as_slice_dec(as_slice_trim(line), &end) && end <= INT64_MAX) {
		mark->end = (int64_t)end;
		return AS_OK;
	}
	as_escape(err->name, sizeof(err->name), path, strlen(path));
	return as_err_set(err, AS_E_FORMAT, "it does not say up to where segments were pushed");
}

enum as_code as_store_mark_write(const struct as_store *st, const char *name,
	const struct as_store_mark *mark, struct as_err *err)
{
	char hidden[AS_STORE_NAME + 16], epoch[AS_STORE_NAME], text[MARK_TEXT];
	char path[PATH_MAX], temporary[PATH_MAX];
	int n = snprintf(text, sizeof(text), "%s %" PRId64 "\n",
		as_store_epoch_text(&mark->epoch, epoch), mark->end);
	int fd, number = 0;

	snprintf(hidden, sizeof(hidden), ".%s.new", name);
	AS_TRY(as_store_join(path, st->dir, name, err));
	AS_TRY(as_store_join(temporary, st->dir, hidden, err));
	fd = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, MARK_MODE);
	if (fd < 0)
		return as_store_sys(err, errno, temporary, "cannot write");
	if (write(fd, text, (size_t)n) != n || (fsync(fd) && errno != EINVAL && errno != ENOSYS))
		number = errno ? errno : EIO;
	if (close(fd) && !number)
		number = errno;
	if (!number && rename(temporary, path))
		number = errno;
	if (number)
		return as_store_sys(err, number, path, "cannot write");
	return as_store_sync_dir(st->dir, err);
}

enum as_code as_store_file(
	const struct as_store *st, const char *name, char *path, struct as_err *err)
{
	return as_store_join(path, st->dir, name, err);
}

void as_store_hold(struct as_store *st, const struct as_store_mark *mark)
{
	st->holds = true;
	st->hold = *mark;
}

/* ---- what is behind it ---- */

/* Segments of EPOCH, the folder PATH. */
static enum as_code mark_spans(const struct as_store *st, const struct as_store_mark *mark,
	const struct as_store_epoch_id *epoch, struct as_store_spool *spool, struct as_err *err)
{
	int64_t from = as_store_epoch_cmp(epoch, &mark->epoch) == 0 ? mark->end : INT64_MIN;
	char name[AS_STORE_NAME], dir[PATH_MAX];
	struct as_store_spans ss;
	enum as_code rc;

	AS_TRY(as_store_join(dir, st->dir, as_store_epoch_text(epoch, name), err));
	rc = as_store_spans_read(&ss, st->al, dir, err);
	for (size_t i = 0; rc == AS_OK && i < ss.row.n; i++) {
		const struct as_store_span *span = &ss.row.p[i];

		if (span->end <= from)
			continue;
		if (span->begin < from) {
			spool->across++;
			continue;
		}
		if (spool->n++)
			continue;
		spool->begin = span->begin;
		spool->next = (struct as_store_mark){*epoch, span->end};
		rc = as_store_join(spool->path, dir, as_store_span_name(span, name), err);
	}
	as_store_spans_release(&ss);
	return rc;
}

enum as_code as_store_spool(const struct as_store *st, const struct as_store_mark *mark,
	struct as_store_spool *spool, struct as_err *err)
{
	struct as_store_epochs es;
	enum as_code rc = as_store_epochs_read(&es, st->al, st->dir, err);

	*spool = (struct as_store_spool){0};
	for (size_t i = 0; rc == AS_OK && i < es.row.n; i++)
		if (as_store_epoch_cmp(&es.row.p[i], &mark->epoch) >= 0)
			rc = mark_spans(st, mark, &es.row.p[i], spool, err);
	as_store_epochs_release(&es);
	return rc;
}
