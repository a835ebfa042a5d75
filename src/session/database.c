/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "session/database.h"

#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>

#include "base/date.h"
#include "session/filters.h"
#include "store/store_list.h"

#define SECOND INT64_C(1000000000)
#define PREFIX "db:"
#define NO_WORDS "when, in universal time: 2h, 7d, 2026-11-23, 2026-11-23T10:45, 10:45"
#define NO_EPOCH "latest, all, a name as 202611231045, or NAME..NAME"

enum { NAMES_SHOWN = 8, IMAGES_MAX = AS_LIST_MAX };

enum level { LEVEL_NONE, LEVEL_SEGMENT, LEVEL_EPOCH, LEVEL_HOST, LEVEL_DATABASE };

struct asking {
	const struct as_session *ses;
	const char *path; /* as it was typed */
	struct as_inputs *in;
	bool window;
	int64_t since, until;
	bool latest, has_low, has_high;
	struct as_store_epoch_id low, high;
	void *image[IMAGES_MAX]; /* regular expressions */
	size_t n_images;
	/* what there was */
	size_t n_hosts, n_epochs, n_segments, n_files;
	size_t n_chosen;    /* segments */
	int64_t first, end; /* of the chosen ones */
	int64_t last_end;   /* of all */
	char names[400];    /* of hosts or epochs there are, for people */
	bool is_flat;
};

/* ---- what a folder is ---- */

static struct as_slice last_part(const char *path)
{
	struct as_slice s = as_slice_of(path);

	while (s.len > 1 && s.p[s.len - 1] == '/')
		s.len--;
	return as_base_name(s);
}

static bool db_is_folder(const char *path)
{
	struct stat sb;

	return stat(path, &sb) == 0 && S_ISDIR(sb.st_mode);
}

static enum level level_of_names(const struct as_store_names *ns)
{
	struct as_store_epoch_id id;
	struct as_store_span span;

	for (size_t i = 0; i < ns->row.n; i++)
		if (as_store_span_parse(ns->row.p[i], &span))
			return LEVEL_EPOCH;
	for (size_t i = 0; i < ns->row.n; i++)
		if (as_store_epoch_parse(ns->row.p[i], &id))
			return LEVEL_HOST;
	return LEVEL_NONE;
}

static enum level level_of_contents(const struct as_alloc *al, const char *path, bool deeper)
{
	struct as_store_names ns;
	char part[PATH_MAX];
	enum level level = LEVEL_NONE;

	if (as_store_names_read(&ns, al, path, NULL) == AS_OK)
		level = level_of_names(&ns);
	for (size_t i = 0; deeper && level == LEVEL_NONE && i < ns.row.n; i++)
		if (ns.row.p[i].p[0] != '.' &&
			as_store_path(part, sizeof(part), path, ns.row.p[i].p) &&
			db_is_folder(part) && level_of_contents(al, part, false) == LEVEL_HOST)
			level = LEVEL_DATABASE;
	as_store_names_release(&ns);
	return level;
}

static enum level level_of(const struct as_alloc *al, const char *path)
{
	struct as_store_epoch_id id;
	struct as_store_span span;
	enum level level;

	if (!db_is_folder(path))
		return LEVEL_NONE;
	if (as_store_span_parse(last_part(path), &span))
		return LEVEL_SEGMENT;
	level = level_of_contents(al, path, true);
	if (level == LEVEL_NONE && as_store_epoch_parse(last_part(path), &id))
		return LEVEL_EPOCH;
	return level;
}

bool as_database_is(const struct as_session *ses, const char *path)
{
	return strncmp(path, PREFIX, strlen(PREFIX)) == 0 || level_of(ses->al, path) != LEVEL_NONE;
}

/* ---- what is asked ---- */

/* OPTION is TEXT, which IS wrong, be it one of its own or a word of --base. */
static enum as_exit wrong_option(const struct asking *a, const char *option, const char *text,
	const char *is, const char *hint)
{
	bool base = a->ses->opt.database.base;

	return as_say_endf(a->ses, AS_EXIT_USAGE, hint, "--%s%s%c'%.100s' %s", base ? "base " : "",
		option, base ? '=' : ' ', text, is);
}

static enum as_exit ask_times(struct asking *a)
{
	const struct as_asked_database *opt = &a->ses->opt.database;
	struct timespec ts = {0};
	int64_t now;

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	now = ts.tv_sec * SECOND + ts.tv_nsec;
	a->since = INT64_MIN;
	a->until = INT64_MAX;
	a->window = opt->since || opt->until;
	if (opt->since && !as_database_time(as_slice_of(opt->since), now, &a->since))
		return wrong_option(a, "since", opt->since, "is no time", NO_WORDS);
	if (opt->until && !as_database_time(as_slice_of(opt->until), now, &a->until))
		return wrong_option(a, "until", opt->until, "is no time", NO_WORDS);
	if (a->since >= a->until)
		return as_say_usage(a->ses,
			opt->base ? "--base: since is not before until"
				  : "--since is not before --until",
			NO_WORDS);
	return AS_EXIT_OK;
}

static bool take_epoch(struct as_slice text, bool *has, struct as_store_epoch_id *id)
{
	*has = text.len > 0;
	return !*has || as_store_epoch_parse(text, id);
}

/* "latest", "all", NAME, NAME..NAME; without a word it is the latest, or, where a time is given,
 * any. */
static enum as_exit ask_epochs(struct asking *a)
{
	const char *text = a->ses->opt.database.epoch;
	struct as_slice low = as_slice_of(text), high = low;
	size_t dots = as_slice_find_text(low, "..");

	a->latest = text ? strcmp(text, "latest") == 0 : !a->window;
	if (!text || a->latest || strcmp(text, "all") == 0)
		return AS_EXIT_OK;
	if (dots < low.len) {
		high = as_slice_skip(low, dots + 2);
		low.len = dots;
	}
	if (!text[0] || !take_epoch(low, &a->has_low, &a->low) ||
		!take_epoch(high, &a->has_high, &a->high))
		return wrong_option(a, "epoch", text, "is no epoch", NO_EPOCH);
	if (!a->has_low || !a->has_high || as_store_epoch_cmp(&a->low, &a->high) <= 0)
		return AS_EXIT_OK;
	return wrong_option(a, "epoch", text, "ends before it begins", NO_EPOCH);
}

/* Patterns are as those of --object; that they are right is known. */
static void ask_images(struct asking *a)
{
	const struct as_asked *opt = &a->ses->opt;
	struct as_err err = AS_ERR_NONE;
	struct as_pattern p;
	size_t place;

	if (opt->filter.word[AS_WORD_OBJECT].n)
		return; /* either is enough */
	for (size_t i = 0; i < opt->filter.image.n; i++)
		if (as_pattern_read(&p, AS_FILTER_OBJECT, as_slice_of(opt->filter.image.p[i]),
			    !opt->read.compat) &&
			as_regexes_re2.make(as_regexes_re2.ctx, p.text,
				p.ignore_case && !opt->read.compat, &a->image[a->n_images], &place,
				&err) == AS_OK)
			a->n_images++;
}

static bool wants_image(const struct asking *a, struct as_slice path)
{
	for (size_t i = 0; i < a->n_images; i++)
		if (as_regexes_re2.match(a->image[i], path))
			return true;
	return !a->n_images;
}

/* ---- files ---- */

static enum as_exit database_failed(const struct asking *a, const struct as_err *err)
{
	return as_say_failed(a->ses, err, NULL);
}

static enum as_exit too_long(const struct asking *a)
{
	return as_say_end(a->ses, AS_EXIT_INPUT, "the name of a file is too long", NULL);
}

static enum as_exit add_path(struct asking *a, const char *dir, const char *name)
{
	struct as_slice path = as_arena_printf(&a->in->arena, "%s/%s", dir, name);

	AS_DO(as_say_memory(a->ses, path.p && as_vec_push(a->ses->al, &a->in->file, path.p)));
	a->n_files++;
	return AS_EXIT_OK;
}

static enum as_exit db_add_flat(
	struct asking *a, const char *folder, const struct as_store_span *span)
{
	struct as_inputs *in = a->in;
	struct as_slice kept = as_arena_dup(&in->arena, as_slice_of(folder));

	AS_DO(as_say_memory(a->ses, kept.p && as_vec_push(a->ses->al, &in->flat, kept.p)));
	if (in->flat.n == 1 || span->begin < in->flat_begin)
		in->flat_begin = span->begin;
	in->flat_ns += span->end - span->begin;
	return AS_EXIT_OK;
}

/* The profiles in a folder whose images are wanted, by its list of them; without it all. */
static enum as_exit add_folder(
	struct asking *a, const char *folder, const struct as_store_span *span)
{
	struct as_store_images images;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = db_add_flat(a, folder, span);

	if (as_store_images_read(&images, a->ses->al, folder, &err) != AS_OK)
		rc = database_failed(a, &err);
	for (size_t i = 0; rc == AS_EXIT_OK && i < images.row.n; i++)
		if (!images.row.p[i].path.p || wants_image(a, images.row.p[i].path))
			rc = add_path(a, folder, images.row.p[i].file.p);
	as_store_images_release(&images);
	a->is_flat = true;
	return rc;
}

static enum as_exit add_segment(struct asking *a, const char *dir, const struct as_store_span *span)
{
	char name[AS_STORE_NAME], folder[PATH_MAX];

	a->first = !a->n_chosen || span->begin < a->first ? span->begin : a->first;
	a->end = !a->n_chosen || span->end > a->end ? span->end : a->end;
	a->n_chosen++;
	as_store_span_name(span, name);
	if (!span->flat)
		return add_path(a, dir, name);
	if (!as_store_path(folder, sizeof(folder), dir, name))
		return too_long(a);
	return add_folder(a, folder, span);
}

static enum as_exit add_epoch(struct asking *a, const char *dir)
{
	struct as_store_spans ss;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = AS_EXIT_OK;

	if (as_store_spans_read(&ss, a->ses->al, dir, &err) != AS_OK)
		rc = database_failed(a, &err);
	a->n_epochs++;
	for (size_t i = 0; rc == AS_EXIT_OK && i < ss.row.n; i++) {
		const struct as_store_span *span = &ss.row.p[i];

		a->last_end = !a->n_segments || span->end > a->last_end ? span->end : a->last_end;
		a->n_segments++;
		if (span->end > a->since && span->begin < a->until)
			rc = add_segment(a, dir, span);
	}
	as_store_spans_release(&ss);
	return rc;
}

/* ---- epochs and hosts ---- */

static void db_add_name(struct asking *a, const char *name, size_t left)
{
	size_t n = strlen(a->names);

	if (left < NAMES_SHOWN)
		snprintf(a->names + n, sizeof(a->names) - n, "%s%s", n ? " " : "", name);
	else if (left == NAMES_SHOWN)
		snprintf(a->names + n, sizeof(a->names) - n, "%s...", n ? " " : "");
}

static bool is_chosen(const struct asking *a, const struct as_store_epoch_id *id)
{
	return (!a->has_low || as_store_epoch_cmp(id, &a->low) >= 0) &&
	       (!a->has_high || as_store_epoch_cmp(id, &a->high) <= 0);
}

static enum as_exit add_epoch_of(
	struct asking *a, const char *host, const struct as_store_epoch_id *id)
{
	char dir[PATH_MAX], name[AS_STORE_NAME];

	if (!as_store_path(dir, sizeof(dir), host, as_store_epoch_text(id, name)))
		return too_long(a);
	return add_epoch(a, dir);
}

/* The last epoch that holds something. */
static enum as_exit add_latest(struct asking *a, const char *host, const struct as_store_epochs *es)
{
	size_t before = a->n_segments;

	for (size_t i = es->row.n; i > 0 && a->n_segments == before; i--)
		AS_DO(add_epoch_of(a, host, &es->row.p[i - 1]));
	return AS_EXIT_OK;
}

static enum as_exit add_host(struct asking *a, const char *host)
{
	struct as_store_epochs es;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = AS_EXIT_OK;
	char name[AS_STORE_NAME];

	if (as_store_epochs_read(&es, a->ses->al, host, &err) != AS_OK)
		rc = database_failed(a, &err);
	a->n_hosts++;
	for (size_t i = 0; i < es.row.n; i++)
		db_add_name(a, as_store_epoch_text(&es.row.p[i], name), es.row.n - 1 - i);
	if (rc == AS_EXIT_OK && a->latest)
		rc = add_latest(a, host, &es);
	for (size_t i = 0; rc == AS_EXIT_OK && !a->latest && i < es.row.n; i++)
		if (is_chosen(a, &es.row.p[i]))
			rc = add_epoch_of(a, host, &es.row.p[i]);
	as_store_epochs_release(&es);
	return rc;
}

static enum as_exit no_host(const struct asking *a, const struct as_store_names *ns)
{
	char hint[500] = "there are:";
	size_t n = strlen(hint);

	for (size_t i = 0; i < ns->row.n && n < sizeof(hint); i++)
		if (ns->row.p[i].p[0] != '.')
			n += (size_t)snprintf(hint + n, sizeof(hint) - n, " %s", ns->row.p[i].p);
	return as_say_endf(a->ses, AS_EXIT_NO, hint, "the database '%.200s' has no host '%.100s'",
		a->path, a->ses->opt.database.host);
}

static enum as_exit add_database(struct asking *a, const char *dir)
{
	const char *only = a->ses->opt.database.host;
	struct as_store_names ns;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = AS_EXIT_OK;
	char host[PATH_MAX];

	if (as_store_names_read(&ns, a->ses->al, dir, &err) != AS_OK)
		rc = database_failed(a, &err);
	for (size_t i = 0; rc == AS_EXIT_OK && i < ns.row.n; i++) {
		const char *name = ns.row.p[i].p;

		if (name[0] == '.' || (only && strcmp(only, name) != 0) ||
			!as_store_path(host, sizeof(host), dir, name) ||
			level_of_contents(a->ses->al, host, false) != LEVEL_HOST)
			continue;
		a->names[0] = 0;
		rc = add_host(a, host);
	}
	if (rc == AS_EXIT_OK && only && !a->n_hosts)
		rc = no_host(a, &ns);
	as_store_names_release(&ns);
	return rc;
}

/* ---- what is to be said ---- */

static const char *database_date(int64_t ns, char text[AS_DATE_NANOS])
{
	return as_date_nanos_text(ns - ns % SECOND, "T", "Z", text);
}

static enum as_exit nothing_there(const struct asking *a)
{
	char what[600], hint[500], text[AS_DATE_NANOS];

	if (a->n_hosts && !a->n_epochs) {
		snprintf(what, sizeof(what), "there is no epoch '%.100s' in '%.200s'",
			a->ses->opt.database.epoch ? a->ses->opt.database.epoch : "latest",
			a->path);
		snprintf(hint, sizeof(hint), "there are: %s", a->names);
		return as_say_end(a->ses, AS_EXIT_NO, what, hint);
	}
	if (!a->n_segments) {
		return as_say_endf(a->ses, AS_EXIT_NO, "a daemon writes what it has once a minute",
			"'%.200s' holds nothing yet", a->path);
	}
	if (a->n_chosen) {
		return as_say_endf(a->ses, AS_EXIT_NO, "see which there are: assay objects FILE",
			"'%.200s' has no image that --image chooses", a->path);
	}
	snprintf(what, sizeof(what), "'%.200s' holds nothing of that time", a->path);
	snprintf(hint, sizeof(hint), "the last of it ends at %s", database_date(a->last_end, text));
	return as_say_end(a->ses, AS_EXIT_NO, what, hint);
}

/* What was asked for, and what files hold, may differ by more than a minute. */
static void tell_window(const struct asking *a, const char *folder)
{
	char first[AS_DATE_NANOS], end[AS_DATE_NANOS];
	bool early = a->since != INT64_MIN && a->first < a->since - 60 * SECOND;
	bool late = a->until != INT64_MAX && a->end > a->until + 60 * SECOND;

	if (early || late)
		as_say_note(a->ses, "%s: files are whole: these are of %s to %s", folder,
			database_date(a->first, first), database_date(a->end, end));
	if (a->is_flat && a->n_images)
		as_say_note(
			a->ses, "%s: shares are those of the images that --image chooses", folder);
}

static enum as_exit add_level(struct asking *a, const char *path)
{
	struct as_store_span span = {0};

	switch (level_of(a->ses->al, path)) {
	case LEVEL_SEGMENT:
		a->n_segments = a->n_chosen = 1;
		(void)as_store_span_parse(last_part(path), &span);
		return add_folder(a, path, &span);
	case LEVEL_EPOCH:
		return add_epoch(a, path);
	case LEVEL_HOST:
		return add_host(a, path);
	case LEVEL_DATABASE:
		return add_database(a, path);
	default:
		return AS_EXIT_OK;
	}
}

/* ---- where it is ---- */

/* "db:", "db:HOST", "db:HOST/EPOCH" */
static enum as_exit db_resolve(struct asking *a, char path[PATH_MAX])
{
	const struct as_around *around = a->ses->around;
	const char *rest = a->path + strlen(PREFIX), *root = a->ses->opt.database.db;
	size_t len = strlen(a->path);

	if (strncmp(a->path, PREFIX, strlen(PREFIX)) != 0) {
		if (len >= PATH_MAX)
			return too_long(a);
		memcpy(path, a->path, len + 1);
		return AS_EXIT_OK;
	}
	if (!root && around && around->database)
		root = around->database(around->ctx, &a->in->arena);
	if (!root)
		return as_say_usage(
			a->ses, "where is the database?", "name its folder: --db DIR, or ASSAY_DB");
	if (!as_store_path(path, PATH_MAX, root, rest))
		return too_long(a);
	return db_is_folder(path) ? AS_EXIT_OK
				  : as_say_endf(a->ses, AS_EXIT_INPUT,
					    "one somewhere else: --db DIR, or a folder as FILE",
					    "there is no database at '%.300s'", path);
}

enum as_exit as_database_find(const struct as_session *ses, const char *path, struct as_inputs *in)
{
	struct asking a = {.ses = ses, .path = path, .in = in};
	char real[PATH_MAX];
	enum as_exit rc = db_resolve(&a, real);

	AS_DO(rc);
	AS_DO(ask_times(&a));
	AS_DO(ask_epochs(&a));
	ask_images(&a);
	rc = add_level(&a, real);
	if (rc == AS_EXIT_OK && !a.n_files)
		rc = nothing_there(&a);
	if (rc == AS_EXIT_OK)
		tell_window(&a, real);
	in->database = true;
	for (size_t i = 0; i < a.n_images; i++)
		as_regexes_re2.release(a.image[i]);
	return rc;
}
