/* SPDX-License-Identifier: Apache-2.0 */
/* What is too old, or more than there may be, goes: whole epochs, the earliest first. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>

#include "store/store_impl.h"

enum { KEEP = 3 };

struct gc_epoch {
	int64_t end; /* of its last segment; INT64_MIN: it has none */
	uint64_t bytes;
};

struct gc {
	struct as_store *st;
	struct as_store_epochs epochs;
	AS_VEC(struct gc_epoch) size; /* of each */
	uint64_t bytes;               /* of all */
	struct as_err *err;
};

/* What PATH, a file or a folder of files, takes of the disk. */
static enum as_code gc_bytes(struct gc *gc, const char *path, uint64_t *bytes)
{
	struct as_store_names ns;
	char part[PATH_MAX];
	struct stat sb;
	enum as_code rc;

	if (lstat(path, &sb))
		return errno == ENOENT ? AS_OK
				       : as_store_sys(gc->err, errno, path, "cannot be looked at");
	*bytes += (uint64_t)sb.st_blocks * 512;
	if (!S_ISDIR(sb.st_mode))
		return AS_OK;
	rc = as_store_names_read(&ns, gc->st->al, path, gc->err);
	for (size_t i = 0; rc == AS_OK && i < ns.row.n; i++) {
		rc = as_store_join(part, path, ns.row.p[i].p, gc->err);
		if (rc == AS_OK && lstat(part, &sb) == 0)
			*bytes += (uint64_t)sb.st_blocks * 512;
	}
	as_store_names_release(&ns);
	return rc;
}

static enum as_code gc_path(struct gc *gc, size_t i, char path[PATH_MAX])
{
	char name[AS_STORE_NAME];

	as_assert(i < gc->epochs.row.n);
	return as_store_join(
		path, gc->st->dir, as_store_epoch_text(&gc->epochs.row.p[i], name), gc->err);
}

static enum as_code gc_look(struct gc *gc, size_t i)
{
	struct gc_epoch e = {.end = INT64_MIN};
	char path[PATH_MAX], part[PATH_MAX];
	struct as_store_names ns;
	struct as_store_span span;
	enum as_code rc;

	AS_TRY(gc_path(gc, i, path));
	rc = as_store_names_read(&ns, gc->st->al, path, gc->err);
	for (size_t k = 0; rc == AS_OK && k < ns.row.n; k++) {
		rc = as_store_join(part, path, ns.row.p[k].p, gc->err);
		AS_THEN(rc, gc_bytes(gc, part, &e.bytes));
		if (as_store_span_parse(ns.row.p[k], &span) && span.end > e.end)
			e.end = span.end;
	}
	as_store_names_release(&ns);
	gc->bytes += e.bytes;
	AS_TRY(rc);
	return as_err_memory(gc->err, as_vec_push(gc->st->al, &gc->size, e));
}

static enum as_code gc_remove(struct gc *gc, size_t i)
{
	char path[PATH_MAX], gone[PATH_MAX], name[AS_STORE_NAME], hidden[AS_STORE_NAME + 16];

	as_assert(i < gc->epochs.row.n);
	as_store_epoch_text(&gc->epochs.row.p[i], name);
	snprintf(hidden, sizeof(hidden), ".%s.assay-gone", name);
	AS_TRY(gc_path(gc, i, path));
	AS_TRY(as_store_join(gone, gc->st->dir, hidden, gc->err));
	AS_TRY(as_store_retire(path, gone, gc->err));
	gc->bytes -= gc->size.p[i].bytes;
	return AS_OK;
}

static enum as_code gc_run(struct gc *gc, int64_t now, int64_t max_age, uint64_t max_bytes)
{
	size_t n = gc->epochs.row.n, later = 0; /* that hold something */
	char name[AS_STORE_NAME];

	for (size_t i = 0; i < n; i++) {
		AS_TRY(gc_look(gc, i));
		later += gc->size.p[i].end != INT64_MIN;
	}
	for (size_t i = 0; i < n && later > KEEP; i++) {
		bool old = max_age > 0 && gc->size.p[i].end < now - max_age;

		later -= gc->size.p[i].end != INT64_MIN;
		if (strcmp(as_store_epoch_text(&gc->epochs.row.p[i], name), gc->st->epoch) == 0)
			continue;
		if (gc->st->holds &&
			as_store_epoch_cmp(&gc->epochs.row.p[i], &gc->st->hold.epoch) >= 0)
			continue;
		if (old || (max_bytes && gc->bytes > max_bytes))
			AS_TRY(gc_remove(gc, i));
	}
	return AS_OK;
}

enum as_code as_store_gc(struct as_store *st, int64_t now_ns, int64_t max_age_ns,
	uint64_t max_bytes, struct as_err *err)
{
	struct gc gc = {.st = st, .err = err};
	enum as_code rc = as_store_epochs_read(&gc.epochs, st->al, st->dir, err);

	AS_THEN(rc, gc_run(&gc, now_ns, max_age_ns, max_bytes));
	as_store_epochs_release(&gc.epochs);
	as_vec_free(st->al, &gc.size);
	return rc;
}
