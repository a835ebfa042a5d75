/* SPDX-License-Identifier: Apache-2.0 */
#include "session/store/pushing.h"

#include <sys/stat.h>

#include "base/date.h"
#include "session/begin.h"
#include "session/filtering.h"

#define NS_PER_S INT64_C(1000000000)

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
		return as_say_end(p->ses, AS_EXIT_USAGE, "the profile does not say when it was",
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

static enum as_exit push_rows(struct as_pushing *p, const struct as_fleet_rows *rows)
{
	struct as_fleet_push_opts opts = {.shards = &p->shards, .again = push_tell_again, .ctx = p};
	struct as_err err = AS_ERR_NONE;

	if (as_fleet_push(p->f, rows, &opts, &p->done, &err) != AS_OK)
		return as_say_failed(p->ses, &err, as_fleet_way(p->f));
	return AS_EXIT_OK;
}

static void push_tell_losses(const struct as_pushing *p, const struct as_losses *l)
{
	char number[AS_VAL_TEXT];

	for (size_t i = 0; i < l->row.n; i++)
		as_say_once(p->ses, "lost: %s %.*s", as_loss_number(&l->row.p[i], number),
			AS_SLICE_FMT(l->row.p[i].text));
}

static enum as_exit push_profile(
	struct as_pushing *p, struct as_inputs *in, const char *path, struct as_slice host)
{
	struct as_fleet_rows_opts opts = {.service = p->service,
		.host = host,
		.label = p->label,
		.n_label = p->n_label,
		.run = p->run};
	struct as_fleet_rows rows;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc;

	AS_DO(push_when(p, in, path, &opts.begin_ns));
	as_escape(err.name, sizeof(err.name), path, strlen(path));
	if (as_fleet_rows_make(p->ses->al, in->prof, &opts, &rows, &in->losses, &err) != AS_OK)
		rc = as_say_failed(p->ses, &err, NULL);
	else
		rc = push_rows(p, &rows);
	as_fleet_rows_release(&rows);
	if (rc == AS_EXIT_OK)
		push_tell_losses(p, &in->losses);
	return rc;
}

static enum as_exit push_one(struct as_pushing *p, const char *path, struct as_slice host)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL};
	struct as_inputs in;
	enum as_exit rc = as_inputs_load(p->ses, (struct as_files){&path, 1}, &opts, false, &in);

	if (rc == AS_EXIT_OK)
		rc = as_inputs_view(p->ses, &in);
	if (rc == AS_EXIT_OK)
		rc = push_profile(p, &in, path, host);
	as_inputs_release(&in);
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

/* A folder of addresses is one profile of many files. */
static enum as_exit push_database(struct as_pushing *p, const struct as_inputs *in)
{
	for (size_t i = 0; i < in->flat.n; i++)
		AS_DO(push_one(p, in->flat.p[i], push_host_of(as_slice_of(in->flat.p[i]))));
	for (size_t i = 0; i < in->file.n; i++)
		if (!push_is_within(in, in->file.p[i]))
			AS_DO(push_one(p, in->file.p[i], push_host_of(as_slice_of(in->file.p[i]))));
	return AS_EXIT_OK;
}

enum as_exit as_push_path(struct as_pushing *p, const char *path)
{
	struct as_inputs in;
	enum as_exit rc = as_inputs_find(p->ses, (struct as_files){&path, 1}, &in);

	if (rc == AS_EXIT_OK)
		rc = in.database ? push_database(p, &in) : push_one(p, path, p->host);
	as_inputs_release(&in);
	return rc;
}
