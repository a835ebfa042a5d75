/* SPDX-License-Identifier: Apache-2.0 */
#include "session/store/pushing.h"

#include <sys/stat.h>

#include "base/date.h"
#include "io/threads.h"
#include "session/begin.h"
#include "session/filtering.h"

#define NS_PER_S INT64_C(1000000000)
/* Of what is sent together: batches, and bytes. An INSERT takes a server some ms, however small. */
enum { TOGETHER = 256, TOGETHER_BYTES = 64 << 20 };

/* Profiles that are sent together. */
struct push_group {
	AS_VEC(struct as_fleet_rows) rows;
	uint64_t bytes;
	enum as_exit rc; /* of reading them: what is there is pushed first */
};

/* ---- one profile ---- */

/* When IN began: as it says, else as the user does, else as its name in a database, else when the
 * file was written. */
static enum as_exit push_when(
	const struct as_pushing *p, const struct as_inputs *in, const char *path, int64_t *ns)
{
	char text[AS_DATE_NANOS];
	struct as_store_span span;
	struct stat st;

	*ns = p->at_ns;
	if (in->prof->epoch.i || p->has_at)
		return AS_EXIT_OK;
	if (as_begin_of_segment(path, &span)) {
		*ns = span.begin;
		return AS_EXIT_OK;
	}
	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return as_say_usage(p->ses, "the profile does not say when it was",
			"say it: --at 2026-11-23T10:45");
	*ns = (int64_t)st.st_mtime * NS_PER_S;
	as_say_note(p->ses, "the profile does not say when it was: as its file, %s",
		as_date_nanos_text(*ns, "T", "Z", text));
	return AS_EXIT_OK;
}

static void push_tell_again(void *ctx, const struct as_err *err)
{
	const struct as_pushing *p = ctx;

	as_say_note(p->ses, "it is pushed again: %s: %s", err->name, err->msg);
}

static void push_tell_losses(const struct as_pushing *p, const struct as_losses *l)
{
	char number[AS_VAL_TEXT];

	for (size_t i = 0; i < l->row.n; i++)
		as_say_once(p->ses, "lost: %s %.*s", as_loss_number(&l->row.p[i], number),
			AS_SLICE_FMT(l->row.p[i].text));
}

static uint64_t push_size(const struct as_fleet_rows *rows)
{
	uint64_t size = rows->frames.n + rows->stacks.n + rows->series.n;

	for (size_t i = 0; i < rows->batch.n; i++)
		size += rows->batch.p[i].samples.n;
	return size;
}

static enum as_exit push_profile(struct as_pushing *p, struct as_inputs *in,
	const struct as_push_item *item, struct push_group *to)
{
	struct as_fleet_rows_opts opts = {.service = p->service,
		.host = item->host,
		.label = p->label,
		.n_label = p->n_label,
		.run = p->run};
	struct as_fleet_rows rows;
	struct as_err err = AS_ERR_NONE;

	AS_DO(push_when(p, in, item->path, &opts.begin_ns));
	as_escape(err.name, sizeof(err.name), item->path, strlen(item->path));
	if (as_fleet_rows_make(p->ses->al, in->prof, &opts, &rows, &in->losses, &err) != AS_OK) {
		as_fleet_rows_release(&rows);
		return as_say_failed(p->ses, &err, NULL);
	}
	if (!as_vec_push(p->ses->al, &to->rows, rows)) {
		as_fleet_rows_release(&rows);
		return as_say_no_memory(p->ses);
	}
	to->bytes += push_size(&rows);
	push_tell_losses(p, &in->losses);
	return AS_EXIT_OK;
}

static enum as_exit push_read(
	struct as_pushing *p, const struct as_push_item *item, struct push_group *to)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL};
	struct as_inputs in;
	enum as_exit rc =
		as_inputs_load(p->ses, (struct as_files){&item->path, 1}, &opts, false, &in);

	AS_THEN(rc, as_inputs_view(p->ses, &in));
	AS_THEN(rc, push_profile(p, &in, item, to));
	as_inputs_release(&in);
	return rc;
}

/* ---- many together ---- */

static void push_release(const struct as_pushing *p, struct push_group *g)
{
	for (size_t i = 0; i < g->rows.n; i++)
		as_fleet_rows_release(&g->rows.p[i]);
	as_vec_free(p->ses->al, &g->rows);
	*g = (struct push_group){0};
}

/* What was read last, and does not fit to what is before it, begins the group that comes NEXT. */
static bool push_begin_next(struct as_pushing *p, struct push_group *g, struct push_group *next)
{
	const struct as_fleet_rows *last = &g->rows.p[g->rows.n - 1];

	as_assert(g->rows.p && g->rows.n > 0);
	if (as_fleet_push_fits(p->f, &g->rows.p[0], last))
		return false;
	if (!as_vec_push(p->ses->al, &next->rows, *last)) {
		g->rc = as_say_no_memory(p->ses);
		return true;
	}
	next->bytes = push_size(last);
	g->bytes -= next->bytes;
	g->rows.n--;
	return true;
}

static void push_fill(struct as_pushing *p, struct push_group *g, struct push_group *next)
{
	while (g->rc == AS_EXIT_OK && p->next < p->item.n && g->rows.n < TOGETHER &&
		g->bytes < TOGETHER_BYTES) {
		g->rc = push_read(p, &p->item.p[p->next++], g);
		if (g->rc == AS_EXIT_OK && push_begin_next(p, g, next))
			break;
	}
}

/* GROUP[0] is sent, GROUP[1] read; what does not belong there is GROUP[2]'s. */
struct push_step {
	struct as_pushing *p;
	struct push_group group[3];
	enum as_code sent;
	struct as_err err;
};

static void push_do(void *arg, unsigned i)
{
	struct push_step *s = arg;
	struct as_pushing *p = s->p;
	struct push_group *g = &s->group[0];
	struct as_fleet_push_opts opts = {
		.shards = &p->shards, .known = p->known, .again = push_tell_again, .ctx = p};

	if (i)
		push_fill(p, &s->group[1], &s->group[2]);
	else
		s->sent = as_fleet_push(p->f, g->rows.p, g->rows.n, &opts, &p->done, &s->err);
}

enum as_exit as_push_found(struct as_pushing *p)
{
	struct push_step s = {.p = p, .err = AS_ERR_NONE};
	enum as_exit rc;

	push_fill(p, &s.group[0], &s.group[1]);
	do {
		bool more = s.group[1].rows.n || p->next < p->item.n;

		rc = s.group[0].rc;
		if (s.group[0].rows.n)
			as_threads_run(2, push_do, &s, more && rc == AS_EXIT_OK ? 2 : 1);
		if (s.sent != AS_OK)
			rc = as_say_failed(p->ses, &s.err, as_fleet_way(p->f));
		push_release(p, &s.group[0]);
		memmove(&s.group[0], &s.group[1], 2 * sizeof(s.group[0]));
		s.group[2] = (struct push_group){0};
	} while (rc == AS_EXIT_OK && (s.group[0].rows.n || s.group[0].rc != AS_EXIT_OK));
	for (size_t i = 0; i < AS_ARRAY_LEN(s.group); i++)
		push_release(p, &s.group[i]);
	as_vec_free(p->ses->al, &p->item);
	p->next = 0;
	return rc;
}

/* ---- all of a path ---- */

/* HOST of DB/HOST/EPOCH/SEGMENT. */
static struct as_slice push_host_of(struct as_slice path)
{
	for (int i = 0; i < 2; i++) {
		path.len = as_slice_up_to_last(path, '/');
		path.len -= path.len > 0;
	}
	return as_slice_skip(path, as_slice_up_to_last(path, '/'));
}

static bool push_is_within(const struct as_inputs *in, const char *file)
{
	struct as_slice path = as_slice_of(file);

	for (size_t i = 0; i < in->flat.n; i++) {
		size_t n = strlen(in->flat.p[i]);

		if (as_slice_starts(path, in->flat.p[i]) && path.len > n && path.p[n] == '/')
			return true;
	}
	return false;
}

static enum as_exit push_add_item(struct as_pushing *p, const char *path, bool of_database)
{
	struct as_slice copy = as_arena_dup(p->arena, as_slice_of(path));
	struct as_push_item item = {copy.p, of_database ? push_host_of(copy) : p->host};

	return copy.p && as_vec_push(p->ses->al, &p->item, item) ? AS_EXIT_OK
								 : as_say_no_memory(p->ses);
}

/* A folder of addresses is one profile of many files. */
static enum as_exit push_database(struct as_pushing *p, const struct as_inputs *in)
{
	for (size_t i = 0; i < in->flat.n; i++)
		AS_DO(push_add_item(p, in->flat.p[i], true));
	for (size_t i = 0; i < in->file.n; i++)
		if (!push_is_within(in, in->file.p[i]))
			AS_DO(push_add_item(p, in->file.p[i], true));
	return AS_EXIT_OK;
}

enum as_exit as_push_find(struct as_pushing *p, const char *path)
{
	struct as_inputs in;
	enum as_exit rc = as_inputs_find(p->ses, (struct as_files){&path, 1}, &in);

	AS_THEN(rc, in.database ? push_database(p, &in) : push_add_item(p, path, false));
	as_inputs_release(&in);
	return rc;
}
