/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "store/store_list.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "base/path.h"

enum { LOOKS_MAX = 20 };

bool as_store_path(char *buf, size_t size, const char *a, const char *b)
{
	return as_path_join(as_slice_of(a), as_slice_of(b), buf, size);
}

void as_store_names_release(struct as_store_names *ns)
{
	as_vec_free(ns->arena.al, &ns->row);
	as_arena_release(&ns->arena);
}

static int store_list_by_name(const void *a, const void *b)
{
	return as_slice_cmp(*(const struct as_slice *)a, *(const struct as_slice *)b);
}

static enum as_code list_cannot_read(const char *dir, int number, struct as_err *err)
{
	if (err)
		as_escape(err->name, sizeof(err->name), dir, strlen(dir));
	return as_err_sys(err, number, "cannot read the folder");
}

enum as_code as_store_names_read(
	struct as_store_names *ns, const struct as_alloc *al, const char *dir, struct as_err *err)
{
	DIR *d = opendir(dir);
	int number = errno;
	struct dirent *e;

	*ns = (struct as_store_names){.row = {0}};
	as_arena_init(&ns->arena, al);
	if (!d)
		return list_cannot_read(dir, number, err);
	while ((errno = 0, e = readdir(d))) {
		struct as_slice name = as_slice_of(e->d_name);

		if (as_slice_is(name, ".") || as_slice_is(name, ".."))
			continue;
		name = as_arena_dup(&ns->arena, name);
		if (!name.p || !as_vec_push(al, &ns->row, name)) {
			closedir(d);
			return as_err_no_memory(err);
		}
	}
	number = errno;
	closedir(d);
	if (number)
		return list_cannot_read(dir, number, err);
	if (ns->row.n)
		qsort(ns->row.p, ns->row.n, sizeof(*ns->row.p), store_list_by_name);
	return AS_OK;
}

/* ---- epochs ---- */

void as_store_epochs_release(struct as_store_epochs *es)
{
	as_vec_free(es->al, &es->row);
}

static int list_by_epoch(const void *a, const void *b)
{
	return as_store_epoch_cmp(a, b);
}

enum as_code as_store_epochs_read(
	struct as_store_epochs *es, const struct as_alloc *al, const char *host, struct as_err *err)
{
	struct as_store_names ns;
	enum as_code rc;

	*es = (struct as_store_epochs){.al = al};
	rc = as_store_names_read(&ns, al, host, err);
	for (size_t i = 0; rc == AS_OK && i < ns.row.n; i++) {
		struct as_store_epoch_id id;

		if (as_store_epoch_parse(ns.row.p[i], &id))
			rc = as_err_memory(err, as_vec_push(al, &es->row, id));
	}
	if (es->row.n)
		qsort(es->row.p, es->row.n, sizeof(*es->row.p), list_by_epoch);
	as_store_names_release(&ns);
	return rc;
}

/* ---- segments ---- */

void as_store_spans_release(struct as_store_spans *ss)
{
	as_vec_free(ss->al, &ss->row);
	as_vec_free(ss->al, &ss->covered);
}

/* By begin, the longer one first. */
static int list_by_span(const void *pa, const void *pb)
{
	const struct as_store_span *a = pa, *b = pb;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return a->flat - b->flat;
}

static bool list_same(const struct as_store_names *a, const struct as_store_names *b)
{
	bool same = a->row.n == b->row.n;

	for (size_t i = 0; same && i < a->row.n; i++)
		same = as_slice_eq(a->row.p[i], b->row.p[i]);
	return same;
}

/*
 * Names as they are at one moment: a file that comes while others go may be missed by one look
 * that has seen the others go. So it is looked until two looks see the same.
 */
static enum as_code list_settled(
	struct as_store_names *ns, const struct as_alloc *al, const char *dir, struct as_err *err)
{
	AS_TRY(as_store_names_read(ns, al, dir, err));
	for (int i = 0; i < LOOKS_MAX; i++) {
		struct as_store_names again;
		enum as_code rc = as_store_names_read(&again, al, dir, err);
		bool same = rc == AS_OK && list_same(ns, &again);

		as_store_names_release(ns);
		*ns = again;
		if (rc != AS_OK || same)
			return rc;
	}
	return AS_OK;
}

/* Sorted by begin, a segment is covered if one of its kind before it ends no earlier. */
static enum as_code list_part_covered(struct as_store_spans *ss, struct as_err *err)
{
	int64_t end[2] = {INT64_MIN, INT64_MIN};
	size_t n = 0;

	for (size_t i = 0; i < ss->row.n; i++) {
		struct as_store_span span = ss->row.p[i];

		if (span.end > end[span.flat]) {
			ss->row.p[n++] = span;
			end[span.flat] = span.end;
		} else if (!as_vec_push(ss->al, &ss->covered, span)) {
			return as_err_no_memory(err);
		}
	}
	ss->row.n = n;
	return AS_OK;
}

enum as_code as_store_spans_read(
	struct as_store_spans *ss, const struct as_alloc *al, const char *epoch, struct as_err *err)
{
	struct as_store_names ns = {.row = {0}};
	enum as_code rc;

	*ss = (struct as_store_spans){.al = al};
	rc = list_settled(&ns, al, epoch, err);
	for (size_t i = 0; rc == AS_OK && i < ns.row.n; i++) {
		struct as_store_span span;

		if (as_store_span_parse(ns.row.p[i], &span))
			rc = as_err_memory(err, as_vec_push(al, &ss->row, span));
	}
	as_store_names_release(&ns);
	if (rc == AS_OK && ss->row.n) {
		qsort(ss->row.p, ss->row.n, sizeof(*ss->row.p), list_by_span);
		rc = list_part_covered(ss, err);
	}
	return rc;
}
