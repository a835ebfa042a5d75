/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many segments become one. The new one gets a name that covers theirs, and with that name they
 * are no longer read; so it does not matter when they go, nor whether we live to remove them.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "store/store_impl.h"

enum { LOOKING = 60 /* seconds from a look at what there is to the end of reading it */ };
enum {
	FLAT = 16 /* times as many bytes of addresses are merged with the memory that stacks take */
};

#define HOUR (INT64_C(3600) * 1000000000)

struct roll {
	struct as_store *st;
	char dir[PATH_MAX]; /* the epoch's */
	bool whole;         /* all of it, not by the hour */
	int after;          /* above 0: behind the epoch of what is held; 0: it is that */
	int64_t before;     /* segments that begin before this */
	uint64_t *size;     /* bytes of the files of each */
	struct as_err *err;
	/* the run that is being made */
	struct as_merge *merge;
	struct as_store_span span;
	uint32_t n;
	uint64_t bytes; /* of their files */
	as_val sum;     /* of all costs, to see that nothing is lost */
	struct as_store_facts facts;
};

static as_val roll_sum(const struct as_profile *prof)
{
	as_val sum = 0;

	for (uint32_t i = 0; i < as_n_events(prof); i++)
		sum += prof->total[i];
	return sum;
}

static void roll_drop(struct roll *r)
{
	as_merge_free(r->merge);
	r->merge = NULL;
	r->n = 0;
}

static enum as_code roll_write(struct roll *r, const struct as_profile *prof)
{
	if (roll_sum(prof) != r->sum)
		return as_err_set(
			r->err, AS_E_LIMIT, "merging '%s' would change its costs", r->dir);
	return as_store_write(r->dir, &r->span, prof, &r->facts, true, r->err);
}

/* What was gathered becomes one, if it is several. */
static enum as_code roll_end(struct roll *r)
{
	struct as_profile *prof;
	enum as_code rc;

	if (r->n < 2) {
		roll_drop(r);
		return AS_OK;
	}
	r->n = 0;
	rc = as_merge_finish(r->merge, &prof);
	r->merge = NULL;
	AS_TRY(rc);
	rc = roll_write(r, prof);
	as_profile_free(prof);
	return rc;
}

static enum as_code roll_begin(struct roll *r, const struct as_store_span *span)
{
	struct as_merge_opts opts = {0};

	r->span = *span;
	r->sum = 0;
	r->bytes = 0;
	r->facts = (struct as_store_facts){0};
	return as_merge_new(r->st->al, &opts, &r->merge, r->err);
}

/* It stays alone, and what it stands between stays apart: nothing may cover it. */
static void roll_pass_over(struct roll *r, const char *path)
{
	char text[sizeof(r->err->name) + sizeof(r->err->msg)];

	as_err_text(r->err, text, sizeof(text));
	as_store_say(r->st, "%s is left as it is: %s", path, text);
	as_err_clear(r->err);
}

static enum as_code roll_add(struct roll *r, const struct as_store_span *span,
	const struct as_profile *prof, const struct as_store_facts *facts, bool again)
{
	enum as_code rc;

	if (!r->merge)
		AS_TRY(roll_begin(r, span));
	rc = as_merge_add(r->merge, prof, NULL);
	if (rc == AS_E_ARG && !again) { /* refused: they begin another run */
		as_err_clear(r->err);
		AS_TRY(roll_end(r));
		return roll_add(r, span, prof, facts, true);
	}
	AS_TRY(rc);
	r->sum += roll_sum(prof);
	as_store_facts_add(&r->facts, facts);
	r->span.end = span->end;
	r->n++;
	return AS_OK;
}

static enum as_code roll_one(struct roll *r, const struct as_store_span *span, uint64_t bytes)
{
	char name[AS_STORE_NAME], path[PATH_MAX];
	struct as_store_facts facts = {0};
	struct as_profile *prof;
	enum as_code rc;

	AS_TRY(as_store_join(path, r->dir, as_store_span_name(span, name), r->err));
	rc = as_store_read(r->st->al, path, span->flat, &prof, &facts, r->err);
	if (rc == AS_E_NOMEM)
		return rc;
	if (rc != AS_OK) {
		roll_pass_over(r, path);
		return roll_end(r);
	}
	rc = roll_add(r, span, prof, &facts, false);
	r->bytes += bytes;
	as_profile_free(prof);
	return rc;
}

static bool roll_together(
	const struct roll *r, const struct as_store_span *a, const struct as_store_span *b)
{
	return a->flat == b->flat && (r->whole || a->begin / HOUR == b->begin / HOUR);
}

/* The bytes of the file PATH of a folder, unpacked: gzip's last four say how many those are. */
static uint64_t roll_bytes_of(const char *path)
{
	unsigned char end[4];
	uint64_t bytes = 0;
	struct stat sb;
	int fd;

	if (lstat(path, &sb) || !S_ISREG(sb.st_mode))
		return 0;
	if (!as_slice_ends(as_slice_of(path), AS_STORE_PACKED))
		return (uint64_t)sb.st_size;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	if (fd < 0)
		return 0;
	if (pread(fd, end, sizeof(end), sb.st_size - (off_t)sizeof(end)) == (ssize_t)sizeof(end))
		for (size_t i = sizeof(end); i > 0; i--)
			bytes = bytes << 8 | end[i - 1];
	close(fd);
	return bytes;
}

/* What the files of SPAN have; a folder's are not in folders of their own. */
static enum as_code roll_look(struct roll *r, const struct as_store_span *span, uint64_t *bytes)
{
	char name[AS_STORE_NAME], path[PATH_MAX], part[PATH_MAX];
	struct as_store_names ns;
	struct stat sb;
	enum as_code rc;

	*bytes = 0;
	AS_TRY(as_store_join(path, r->dir, as_store_span_name(span, name), r->err));
	if (lstat(path, &sb) == 0 && !S_ISDIR(sb.st_mode))
		*bytes = (uint64_t)sb.st_size;
	if (!span->flat)
		return AS_OK;
	rc = as_store_names_read(&ns, r->st->al, path, r->err);
	for (size_t i = 0; rc == AS_OK && i < ns.row.n; i++)
		if (as_store_path(part, sizeof(part), path, ns.row.p[i].p))
			*bytes += roll_bytes_of(part);
	as_store_names_release(&ns);
	return rc;
}

/* Whether segment I can become one with those that have BYTES and end with the one before it. */
static bool roll_goes_on(
	const struct roll *r, const struct as_store_spans *ss, size_t i, uint64_t bytes)
{
	uint64_t limit = r->st->roll_bytes;

	if (i >= ss->row.n || ss->row.p[i].begin >= r->before ||
		!roll_together(r, &ss->row.p[i - 1], &ss->row.p[i]))
		return false;
	limit = ss->row.p[i].flat && limit < UINT64_MAX / FLAT ? limit * FLAT : limit;
	return bytes + r->size[i] <= limit;
}

/* What stays alone is not read. */
static enum as_code roll_spans(struct roll *r, const struct as_store_spans *ss)
{
	for (size_t i = 0; i < ss->row.n; i++)
		AS_TRY(roll_look(r, &ss->row.p[i], &r->size[i]));
	for (size_t i = 0; i < ss->row.n && ss->row.p[i].begin < r->before; i++) {
		if (r->n && !roll_goes_on(r, ss, i, r->bytes))
			AS_TRY(roll_end(r));
		if (r->n || roll_goes_on(r, ss, i + 1, r->size[i]))
			AS_TRY(roll_one(r, &ss->row.p[i], r->size[i]));
	}
	return roll_end(r);
}

/* Whether the one that covers SPAN has been there for a while. */
static bool roll_is_known(
	struct roll *r, const struct as_store_spans *ss, const struct as_store_span *span)
{
	char name[AS_STORE_NAME], path[PATH_MAX];
	struct timespec now;
	struct stat sb;

	if (r->st->remove_at_once || clock_gettime(CLOCK_REALTIME, &now))
		return true;
	for (size_t i = 0; i < ss->row.n; i++) {
		const struct as_store_span *by = &ss->row.p[i];

		if (by->flat == span->flat && by->begin <= span->begin && by->end >= span->end &&
			as_store_path(path, sizeof(path), r->dir, as_store_span_name(by, name)) &&
			stat(path, &sb) == 0 && sb.st_mtim.tv_sec <= now.tv_sec &&
			sb.st_mtim.tv_sec + LOOKING > now.tv_sec)
			return false;
	}
	return true;
}

/* What another one covers has no part in anything any more. A folder is not seen half removed. */
static enum as_code roll_remove(struct roll *r, const struct as_store_span *span)
{
	char name[AS_STORE_NAME], path[PATH_MAX], gone[PATH_MAX], hidden[AS_STORE_NAME + 16];

	as_store_span_name(span, name);
	snprintf(hidden, sizeof(hidden), ".%s.assay-gone", name);
	AS_TRY(as_store_join(path, r->dir, name, r->err));
	AS_TRY(as_store_join(gone, r->dir, hidden, r->err));
	return as_store_retire(path, gone, r->err);
}

static enum as_code roll_remove_covered(struct roll *r)
{
	struct as_store_spans ss;
	enum as_code rc = as_store_spans_read(&ss, r->st->al, r->dir, r->err);

	for (size_t i = 0; rc == AS_OK && i < ss.covered.n; i++)
		if (roll_is_known(r, &ss, &ss.covered.p[i]))
			rc = roll_remove(r, &ss.covered.p[i]);
	as_store_spans_release(&ss);
	return rc;
}

/* The open one by hours that are over; others whole, once they ended long enough ago. */
static void roll_plan(struct roll *r, const struct as_store_spans *ss, int64_t now, bool open)
{
	r->before = open ? now - now % HOUR : INT64_MAX;
	r->whole = !open && ss->row.n && ss->row.p[ss->row.n - 1].end <= now - r->st->keep_hours_ns;
	if (r->st->holds && r->after > 0)
		r->before = INT64_MIN;
	if (r->st->holds && r->after == 0 && r->before > r->st->hold.end)
		r->before = r->st->hold.end;
}

static enum as_code roll_epoch(struct roll *r, int64_t now, bool open)
{
	struct as_store_spans ss;
	enum as_code rc;

	AS_TRY(roll_remove_covered(r));
	rc = as_store_spans_read(&ss, r->st->al, r->dir, r->err);
	if (rc == AS_OK) {
		roll_plan(r, &ss, now, open);
		r->size = as_alloc_new(r->st->al, (ss.row.n + 1) * sizeof(*r->size));
		rc = r->size ? roll_spans(r, &ss) : as_err_no_memory(r->err);
		as_alloc_free(r->st->al, r->size, r->size ? (ss.row.n + 1) * sizeof(*r->size) : 0);
	}
	roll_drop(r);
	as_store_spans_release(&ss);
	return rc == AS_OK ? roll_remove_covered(r) : rc;
}

static enum as_code roll_next(
	struct as_store *st, const struct as_store_epoch_id *id, int64_t now, struct as_err *err)
{
	char name[AS_STORE_NAME];
	struct roll r = {.st = st, .err = err};
	bool open = strcmp(as_store_epoch_text(id, name), st->epoch) == 0;
	enum as_code rc;

	r.after = as_store_epoch_cmp(id, &st->hold.epoch);
	AS_TRY(as_store_join(r.dir, st->dir, name, err));
	rc = roll_epoch(&r, now, open);
	if (rc == AS_OK || rc == AS_E_IO || rc == AS_E_NOMEM)
		return rc;
	roll_pass_over(&r, r.dir);
	return AS_OK;
}

enum as_code as_store_roll(struct as_store *st, int64_t now_ns, struct as_err *err)
{
	struct as_store_epochs es;
	enum as_code rc = as_store_epochs_read(&es, st->al, st->dir, err);

	for (size_t i = 0; rc == AS_OK && i < es.row.n; i++)
		rc = roll_next(st, &es.row.p[i], now_ns, err);
	as_store_epochs_release(&es);
	return rc;
}
