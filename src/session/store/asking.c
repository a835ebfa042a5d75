/* SPDX-License-Identifier: Apache-2.0 */
#define _XOPEN_SOURCE 700
#include "session/store/asking.h"

#include <stdio.h>
#include <time.h>

#include "fleet/fleet_admin.h"
#include "fleet/fleet_ask.h"
#include "fleet/fleet_cur.h"
#include "fleet/fleet_sql.h"
#include "io/url.h"
#include "session/database.h"

#define SECOND INT64_C(1000000000)
#define PREFIX "store:"
#define TIME_WORDS "when, in universal time: 2h, 7d, 2026-11-23, 2026-11-23T10:45, 10:45"

struct asking {
	const struct as_session *ses;
	struct as_loaded *ld;
	struct as_arena arena;
	struct as_fleet_opts opts;
	struct as_fleet_ask ask;
	AS_VEC(struct as_fleet_term) term;
	struct as_fleet_term label[AS_LIST_MAX]; /* of --label */
	int64_t now;
	struct as_fleet *f;
	struct as_fleet_found found;
};

bool as_fleet_input_is(const char *path)
{
	struct as_fleet_path to;

	return as_fleet_named(path, &to);
}

/* ---- the query ---- */

static enum as_code asking_wrong(struct asking *in, const char *way, const char *fmt, ...)
	AS_PRINTF(3, 4);
static enum as_code asking_wrong(struct asking *in, const char *way, const char *fmt, ...)
{
	va_list ap;
	enum as_code rc;

	va_start(ap, fmt);
	rc = as_err_setv(&in->ld->err, AS_E_ARG, fmt, ap);
	va_end(ap);
	in->ld->way = way;
	return rc;
}

static enum as_code asking_time(
	struct asking *in, const char *key, struct as_slice text, int64_t *ns)
{
	return as_database_time(text, in->now, ns)
		       ? AS_OK
		       : asking_wrong(
				 in, TIME_WORDS, "%s '%.*s' is no time", key, AS_SLICE_FMT(text));
}

static enum as_code asking_term(struct asking *in, struct as_fleet_term term)
{
	if (as_slice_is(term.key, "since"))
		return asking_time(in, "since", term.value, &in->ask.since);
	if (as_slice_is(term.key, "until"))
		return asking_time(in, "until", term.value, &in->ask.until);
	if (as_slice_is(term.key, "partial")) {
		in->opts.partial = !as_slice_is(term.value, "0");
		return AS_OK;
	}
	if (as_slice_is(term.key, "cluster")) {
		in->opts.cluster = term.value.p;
		return AS_OK;
	}
	return as_err_memory(&in->ld->err, as_vec_push(in->ses->al, &in->term, term));
}

/* What the command line says holds where the query says nothing. */
static enum as_code asking_options(struct asking *in)
{
	const struct as_asked_database *opt = &in->ses->opt.database;
	struct as_fleet_term host = {as_slice_of("host"), as_slice_of(opt->host)};
	struct timespec ts = {0};

	(void)clock_gettime(CLOCK_REALTIME, &ts);
	in->now = ts.tv_sec * SECOND + ts.tv_nsec;
	in->ask.since = INT64_MIN;
	in->ask.until = INT64_MAX;
	if (opt->since)
		AS_TRY(asking_time(in, opt->base ? "--base since=" : "--since",
			as_slice_of(opt->since), &in->ask.since));
	if (opt->until)
		AS_TRY(asking_time(in, opt->base ? "--base until=" : "--until",
			as_slice_of(opt->until), &in->ask.until));
	return as_err_memory(&in->ld->err, !opt->host || as_vec_push(in->ses->al, &in->term, host));
}

static enum as_code asking_query(struct asking *in, struct as_slice query)
{
	struct as_fleet_terms said = {0};
	enum as_code rc;

	AS_TRY(asking_options(in));
	rc = as_fleet_query_terms(
		query, &in->arena, in->ses->al, &said, &in->ld->way, &in->ld->err);
	for (size_t i = 0; rc == AS_OK && i < said.term.n; i++)
		rc = asking_term(in, said.term.p[i]);
	as_vec_free(in->ses->al, &said.term);
	AS_TRY(rc);
	if (in->ask.since >= in->ask.until)
		return asking_wrong(in, TIME_WORDS, "since is not before until");
	in->ask.term = in->term.p;
	in->ask.n_terms = in->term.n;
	return AS_OK;
}

/* Whether the answer may need what tells samples apart: who reads looks at all of them, or
 * something on the command line asks for labels, threads or parts. */
static bool asking_wants_labels(const struct asking *in, const struct as_load_opts *opts)
{
	const struct as_asked_filter *filter = &in->ses->opt.filter;
	bool any = !opts->chosen;

	for (enum as_word k = AS_WORD_TAGROOT; k <= AS_WORD_LABEL; k++)
		any |= filter->word[k].n != 0;
	return any;
}

/* What --label leaves out need not come, if nothing else looks at it. */
static void asking_narrow(struct asking *in, const struct as_load_opts *opts)
{
	const struct as_list *word = &in->ses->opt.filter.word[AS_WORD_LABEL];
	const struct as_filters_ask *ask = &in->ses->filters->ask;

	if (!opts->chosen || ask->compat || ask->by_time || in->ses->opt.name.binary.n)
		return;
	for (size_t i = 0; i < word->n; i++) {
		struct as_slice value = as_slice_of(word->p[i]);

		(void)as_slice_cut(&value, '=', &in->label[i].key);
		in->label[i].value = value;
	}
	in->ask.label = in->label;
	in->ask.n_labels = word->n;
}

/* Where that leaves nothing the filter itself says so, as of files. */
static enum as_code asking_sums(struct asking *in)
{
	struct as_loaded *ld = in->ld;
	enum as_code rc;

	rc = as_fleet_ask(in->f, &in->ask, &ld->prof, &in->found, NULL, &ld->err);
	if (rc != AS_OK || !in->ask.n_labels || in->found.sums)
		return rc;
	as_profile_free(ld->prof);
	in->ask.n_labels = 0;
	return as_fleet_ask(in->f, &in->ask, &ld->prof, &in->found, NULL, &ld->err);
}

/* ---- what is to be said ---- */

static enum as_code asking_nothing(struct asking *in)
{
	if (!in->found.batches)
		return asking_wrong(in, "see what it holds: assay store status --hosts",
			"the store has nothing of that");
	return asking_wrong(in, "see what it holds: assay store status --hosts",
		"the store has nothing of that event or label");
}

static void asking_tell(struct asking *in, const struct as_fleet_shards *shards)
{
	const struct as_fleet_gaps *gaps = &in->found.gaps;
	char *to = in->ld->warning;
	size_t size = sizeof(in->ld->warning);

	in->ld->lacks = shards->n_missing != 0;
	if (in->ld->lacks)
		snprintf(to, size,
			"shard%s %s of %" PRIu32 " %s missing: these are the figures of the others",
			shards->n_missing == 1 ? "" : "s", shards->missing, shards->n,
			shards->n_missing == 1 ? "is" : "are");
	else if (gaps->stacks || gaps->frames)
		snprintf(to, size,
			"%" PRIu64 " stacks and %" PRIu64
			" frames are not in the store, whose cost is: they are called so",
			gaps->stacks, gaps->frames);
}

/* What messages call it: a password, which is refused later, is not shown. */
static void asking_name(struct asking *in, const struct as_fleet_path *to)
{
	struct as_slice url = as_arena_dup(&in->arena, to->url), text;

	url = to->url.len && url.p ? as_url_shown(&in->arena, url.p) : to->name;
	text = as_arena_printf(&in->arena, PREFIX "%.*s%s%.*s", AS_SLICE_FMT(url),
		to->query.len ? "?" : "", AS_SLICE_FMT(to->query));
	as_escape(in->ld->err.name, sizeof(in->ld->err.name), text.p, text.len);
}

/* ---- asking ---- */

/* So many that all that is in one column comes as one sum. */
static uint32_t asking_seconds(uint64_t ns)
{
	return ns % SECOND || ns / SECOND > UINT32_MAX ? 1 : (uint32_t)(ns / SECOND);
}

static enum as_code asking_ask(
	struct asking *in, const struct as_fleet_path *to, const struct as_load_opts *opts)
{
	enum as_code rc;
	struct as_loaded *ld = in->ld;
	struct as_fleet_shards shards = {0};

	in->ask.labels = asking_wants_labels(in, opts);
	if (opts->begins)
		in->ask.each = asking_seconds(opts->begins);
	AS_TRY(as_fleet_ready(in->f, false, &shards, &ld->err));
	in->ask.partial = shards.n_missing != 0;
	asking_narrow(in, opts);
	rc = asking_sums(in);
	if (rc != AS_E_IO)
		asking_name(in, to); /* what is wrong now is of no server */
	if (rc == AS_E_ARG)
		ld->way = "look at them one by one: host=NAME, or event=NAME";
	AS_TRY(rc);
	if (!as_n_events(ld->prof))
		return asking_nothing(in);
	if (opts->begins) {
		ld->placed = AS_AT_BEGIN;
		ld->length = (uint64_t)in->found.longest;
	}
	asking_tell(in, &shards);
	return AS_OK;
}

static enum as_code asking_open(struct asking *in, const struct as_fleet_path *to)
{
	const struct as_around *around = in->ses->around;

	asking_name(in, to);
	AS_TRY(asking_query(in, to->query));
	if (to->url.len) {
		in->opts.url = as_arena_dup(&in->arena, to->url).p;
		AS_TRY(as_err_memory(&in->ld->err, in->opts.url));
	}
	if (!around || !around->store)
		return as_err_set(&in->ld->err, AS_E_UNSUPPORTED, "there are no stores here");
	in->ld->told = around->store(around->ctx, &in->arena, to->name, &in->opts);
	if (in->ld->told != AS_EXIT_OK)
		return AS_E_ARG;
	return as_fleet_open(in->ses->al, &in->opts, &in->f, &in->ld->err);
}

static void asking_begin(struct asking *in, const struct as_session *ses, struct as_loaded *ld)
{
	*in = (struct asking){.ses = ses, .ld = ld};
	as_arena_init(&in->arena, ses->al);
}

static void asking_end(struct asking *in)
{
	as_fleet_close(in->f);
	as_vec_free(in->ses->al, &in->term);
	as_arena_release(&in->arena);
}

void as_fleet_input_load(const struct as_session *ses, const char *path,
	const struct as_load_opts *opts, struct as_loaded *ld)
{
	struct as_fleet_path to;
	struct asking in;

	asking_begin(&in, ses, ld);
	(void)as_fleet_named(path, &to);
	ld->rc = asking_open(&in, &to);
	if (ld->rc == AS_OK)
		ld->rc = asking_ask(&in, &to, opts);
	if (ld->rc != AS_OK) {
		as_profile_free(ld->prof);
		ld->prof = NULL;
	}
	if (ld->rc != AS_OK && in.f && !ld->way)
		ld->way = as_fleet_way(in.f);
	ld->is_read = ld->prof != NULL;
	asking_end(&in);
}

/* ---- hosts as runs ---- */

static bool asking_names_host(const struct asking *in)
{
	for (size_t i = 0; i < in->term.n; i++)
		if (as_slice_is(in->term.p[i].key, "host"))
			return true;
	return false;
}

/* PATH with "host=HOST" in its query. */
static const char *asking_of_host(struct asking *in, struct as_arena *arena, const char *path,
	const struct as_fleet_path *to, struct as_slice host)
{
	struct as_sql text = {.al = in->ses->al};
	struct as_slice run = {NULL, 0};

	as_sql_put(&text, path);
	as_sql_put(&text, to->query.p ? "&host=" : "?host=");
	as_sql_percent(&text, host);
	if (!text.failed)
		run = as_arena_dup(arena, as_sql_slice(&text));
	as_sql_release(&text);
	return run.p;
}

static enum as_code asking_runs(
	struct asking *in, const char *path, struct as_arena *arena, struct as_fleet_runs *out)
{
	struct as_fleet_answer hosts = {0};
	struct as_fleet_cur c;
	struct as_fleet_path to;
	enum as_code rc;
	size_t n = out->path.n;

	(void)as_fleet_named(path, &to);
	AS_TRY(asking_open(in, &to));
	if (asking_names_host(in))
		return AS_OK;
	rc = as_fleet_ask_hosts(in->f, &in->ask, &hosts, &in->ld->err);
	c = as_fleet_cur_of((struct as_slice){hosts.bytes.p, hosts.bytes.n});
	while (rc == AS_OK && as_fleet_more(&c)) {
		const char *run = asking_of_host(in, arena, path, &to, as_fleet_string(&c));

		if (!run || !as_vec_push(in->ses->al, &out->path, run))
			rc = as_err_no_memory(&in->ld->err);
	}
	if (out->path.n == n + 1) /* one host: as it was typed */
		out->path.n = n;
	as_vec_free(in->ses->al, &hosts.bytes);
	return rc;
}

enum as_exit as_fleet_input_runs(const struct as_session *ses, struct as_files files,
	struct as_arena *arena, struct as_fleet_runs *out)
{
	enum as_exit rc = AS_EXIT_OK;

	for (size_t i = 0; i < files.n && rc == AS_EXIT_OK; i++) {
		struct as_loaded ld = {.path = files.path[i]};
		struct asking in;
		size_t n = out->path.n;

		asking_begin(&in, ses, &ld);
		as_err_clear(&ld.err);
		if (as_fleet_input_is(ld.path))
			ld.rc = asking_runs(&in, ld.path, arena, out);
		if (ld.rc != AS_OK)
			rc = as_loaded_report(ses, &ld);
		else if (out->path.n == n && !as_vec_push(ses->al, &out->path, ld.path))
			rc = as_say_no_memory(ses);
		asking_end(&in);
	}
	return rc;
}

/* ---- what there is to choose from ---- */

enum as_exit as_fleet_input_lists(
	const struct as_session *ses, const char *path, struct as_fleet_lists *lists)
{
	struct as_loaded ld = {.path = path};
	struct as_fleet_path to;
	struct asking in;
	enum as_exit rc = AS_EXIT_OK;

	*lists = (struct as_fleet_lists){0};
	as_err_clear(&ld.err);
	asking_begin(&in, ses, &ld);
	(void)as_fleet_named(path, &to);
	ld.rc = asking_open(&in, &to);
	if (ld.rc == AS_OK)
		ld.rc = as_fleet_lists_ask(in.f, lists, &ld.err);
	if (ld.rc != AS_OK)
		rc = as_loaded_report(ses, &ld);
	asking_end(&in);
	return rc;
}
