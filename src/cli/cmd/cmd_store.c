/* SPDX-License-Identifier: Apache-2.0 */
/* assay store: what an operator does with the store of a fleet. */
#define _GNU_SOURCE
#include <stdio.h>
#include <time.h>

#include "base/date.h"
#include "base/duration.h"
#include "cli/store_env.h"
#include "cli/view_cmd.h"
#include "fleet/fleet_admin.h"
#include "fleet/fleet_names.h"
#include "session/naming.h"

#define NS_PER_S INT64_C(1000000000)
#define S_PER_DAY 86400

struct as_store_args {
	const char *store;
	bool replicated, print, hosts, yes;
};

static const struct as_optdef store_opts[] = {
	AS_OPTION(as_store_args, store, 0, "store", "NAME|URL",
		"which: http://HOST:8123/DATABASE; default $ASSAY_STORE"),
	AS_OPTION(as_store_args, replicated, 0, "replicated", NULL,
		"init: servers of a shard hold the same, by ZooKeeper"),
	AS_OPTION(as_store_args, print, 0, "print", NULL,
		"init: print the statements, and ask no server"),
	AS_OPTION(as_store_args, hosts, 0, "hosts", NULL,
		"status: by host and service, instead of by day"),
	AS_OPTION(as_store_args, yes, 0, "yes", NULL, "drop: that is what is meant"),
	AS_OPTION_END,
};

struct store_run {
	struct as_cli *cli;
	const struct as_store_args *args;
	struct as_fleet *f;
	struct as_err err;
};

static enum as_exit store_failed(const struct store_run *r)
{
	return as_cli_store_failed(r->cli, r->f, &r->err);
}

/* ---- init, drop ---- */

static enum as_exit store_print(struct store_run *r)
{
	struct as_sql sql = {.al = r->cli->ses.al};
	struct as_out *out = NULL;
	enum as_exit rc;

	as_fleet_init_text(r->f, r->args->replicated, &sql);
	rc = sql.failed ? as_say_no_memory(&r->cli->ses) : as_cli_out(r->cli, &out);
	if (rc == AS_EXIT_OK)
		as_out_slice(out, as_sql_slice(&sql));
	as_sql_release(&sql);
	return rc;
}

static enum as_exit store_init(struct store_run *r)
{
	if (r->args->print)
		return store_print(r);
	if (as_fleet_init(r->f, r->args->replicated, &r->err) != AS_OK)
		return store_failed(r);
	as_say_note(&r->cli->ses, "the store is there");
	return AS_EXIT_OK;
}

static enum as_exit store_drop(struct store_run *r)
{
	if (!r->args->yes)
		return as_say_usage(&r->cli->ses,
			"'drop' removes the tables and all that is in them",
			"if that is meant: assay store drop --yes");
	return as_fleet_drop(r->f, &r->err) == AS_OK ? AS_EXIT_OK : store_failed(r);
}

/* ---- status ---- */

enum { DAY, HOST, SERVICE, HOSTS, BATCHES, ROWS, LOST, PARTS, BYTES, LAST };

static const struct as_column store_days[] = {
	{AS_COL_WORD, AS_IN_ALL, DAY, "day"},
	{AS_COL_COUNT, AS_IN_ALL, HOSTS, "hosts"},
	{AS_COL_COUNT, AS_IN_ALL, BATCHES, "batches"},
	{AS_COL_COUNT, AS_IN_ALL, ROWS, "rows"},
	{AS_COL_COUNT, AS_IN_ALL, LOST, "lost"},
	{AS_COL_COUNT, AS_IN_ALL, PARTS, "parts"},
	{AS_COL_COUNT, AS_IN_ALL, BYTES, "bytes"},
	{0},
};

static const struct as_column store_hosts[] = {
	{AS_COL_WORD, AS_IN_ALL, HOST, "host"},
	{AS_COL_WORD, AS_IN_ALL, SERVICE, "service"},
	{AS_COL_COUNT, AS_IN_ALL, BATCHES, "batches"},
	{AS_COL_COUNT, AS_IN_ALL, ROWS, "rows"},
	{AS_COL_COUNT, AS_IN_ALL, LOST, "lost"},
	{AS_COL_WORD, AS_IN_ALL, LAST, "last"},
	{0},
};

/* "2026-11-27T10:45:00Z" of seconds since 1970. */
static struct as_slice store_time(struct as_sheet *s, uint32_t seconds)
{
	char text[AS_DATE_NANOS];

	as_date_nanos_text((int64_t)seconds * NS_PER_S, "T", "Z", text);
	return as_arena_dup(&s->grid.arena, as_slice_of(text));
}

static void store_put_days(struct as_sheet *s, const struct as_fleet_status *st)
{
	for (size_t i = 0; i < st->day.n; i++) {
		const struct as_fleet_day *d = &st->day.p[i];
		struct as_slice day = store_time(s, d->day * S_PER_DAY);

		day.len = day.p ? strlen("YYYY-MM-DD") : 0;
		as_sheet_text(s, DAY, day);
		as_sheet_count(s, HOSTS, true, d->hosts);
		as_sheet_count(s, BATCHES, true, d->batches);
		as_sheet_count(s, ROWS, true, d->samples);
		as_sheet_count(s, LOST, true, d->lost);
		as_sheet_count(s, PARTS, true, d->parts);
		as_sheet_count(s, BYTES, true, d->bytes);
		as_sheet_row(s, NULL);
	}
}

static void store_put_hosts(struct as_sheet *s, const struct as_fleet_status *st)
{
	for (size_t i = 0; i < st->host.n; i++) {
		const struct as_fleet_host *h = &st->host.p[i];

		as_sheet_text(s, HOST, h->host);
		as_sheet_text(s, SERVICE, h->service);
		as_sheet_count(s, BATCHES, true, h->batches);
		as_sheet_count(s, ROWS, true, h->samples);
		as_sheet_count(s, LOST, true, h->lost);
		as_sheet_text(s, LAST, store_time(s, h->last));
		as_sheet_row(s, NULL);
	}
}

static enum as_code store_sheet(
	struct store_run *r, const struct as_fleet_status *st, const struct as_sheet_to *to)
{
	bool hosts = r->args->hosts;
	struct as_sheet s;
	enum as_code rc;
	char note[120];

	as_sheet_init_plain(&s, to, r->cli->ses.al, hosts ? store_hosts : store_days);
	as_sheet_begin(&s, hosts ? "assay.store_hosts/1" : "assay.store_status/1", NULL);
	as_sheet_rows(&s, "rows");
	(hosts ? store_put_hosts : store_put_days)(&s, st);
	as_sheet_list_end(&s);
	rc = as_sheet_finish(&s);
	snprintf(note, sizeof(note), "%" PRIu32 " shard%s%s", st->shards.n,
		st->shards.n == 1 ? "" : "s", st->shards.replicated ? ", replicated" : "");
	as_sheet_note(to, note);
	return rc;
}

static enum as_exit store_status(struct store_run *r)
{
	struct as_fleet_status st;
	struct as_sheet_to to;
	enum as_exit rc;

	if (as_fleet_status(r->f, &st, &r->err) != AS_OK)
		rc = store_failed(r);
	else
		rc = as_cli_sheet(r->cli, &to);
	AS_THEN(rc, as_say_code(&r->cli->ses, store_sheet(r, &st, &to), NULL));
	as_fleet_status_release(&st);
	return rc;
}

/* ---- retain, verify ---- */

static enum as_exit store_retain(struct store_run *r, const char *age)
{
	struct timespec now;
	uint64_t days;
	int64_t ns, first;

	if (!age || !as_duration_ns(as_slice_of(age), &ns))
		return as_say_usage(&r->cli->ses,
			"'retain' takes a time, before which whole days go",
			"for instance assay store retain 30d");
	clock_gettime(CLOCK_REALTIME, &now);
	first = (now.tv_sec - ns / NS_PER_S) / S_PER_DAY;
	if (as_fleet_retain(r->f, first > 0 ? (uint32_t)first : 0, &days, &r->err) != AS_OK)
		return store_failed(r);
	as_say_note(&r->cli->ses, "%" PRIu64 " day%s removed", days, days == 1 ? "" : "s");
	return AS_EXIT_OK;
}

enum { COMMITTED, SAMPLES, WRONG, AGAIN, LEFT, LEFT_ROWS, NO_STACK, NO_FRAME, NO_SERIES, VERDICT };

static const struct as_column store_verdict[] = {
	{AS_COL_WORD, AS_IN_ALL, VERDICT, "verdict"},
	{AS_COL_COUNT, AS_IN_ALL, COMMITTED, "batches"},
	{AS_COL_COUNT, AS_IN_ALL, SAMPLES, "rows"},
	{AS_COL_COUNT, AS_IN_ALL, WRONG, "wrong"},
	{AS_COL_COUNT, AS_IN_ALL, NO_STACK, "no_stack"},
	{AS_COL_COUNT, AS_IN_ALL, NO_FRAME, "no_frame"},
	{AS_COL_COUNT, AS_IN_ALL, NO_SERIES, "no_series"},
	{AS_COL_COUNT, AS_IN_ALL, AGAIN, "again"},
	{AS_COL_COUNT, AS_IN_ALL, LEFT, "attempts_left"},
	{AS_COL_COUNT, AS_IN_ALL, LEFT_ROWS, "rows_left"},
	{0},
};

static enum as_code store_put_verdict(struct store_run *r, const struct as_fleet_verdict *v,
	bool whole, const struct as_sheet_to *to)
{
	struct as_sheet s;

	as_sheet_init_plain(&s, to, r->cli->ses.al, store_verdict);
	as_sheet_begin(&s, "assay.store_verify/1", NULL);
	as_sheet_rows(&s, "rows");
	as_sheet_text(&s, VERDICT, as_slice_of(whole ? "whole" : "not whole"));
	as_sheet_count(&s, COMMITTED, true, v->batches);
	as_sheet_count(&s, SAMPLES, true, v->samples);
	as_sheet_count(&s, WRONG, true, v->wrong);
	as_sheet_count(&s, NO_STACK, true, v->no_stack);
	as_sheet_count(&s, NO_FRAME, true, v->no_frame);
	as_sheet_count(&s, NO_SERIES, true, v->no_series);
	as_sheet_count(&s, AGAIN, true, v->again);
	as_sheet_count(&s, LEFT, true, v->left);
	as_sheet_count(&s, LEFT_ROWS, true, v->left_rows);
	as_sheet_row(&s, NULL);
	as_sheet_list_end(&s);
	return as_sheet_finish(&s);
}

static enum as_exit store_verify(struct store_run *r)
{
	struct as_fleet_verdict v;
	struct as_sheet_to to;
	bool whole;

	if (as_fleet_verify(r->f, &v, NULL, NULL, &r->err) != AS_OK)
		return store_failed(r);
	whole = !v.wrong && !v.no_stack && !v.no_frame && !v.no_series;
	AS_DO(as_cli_sheet(r->cli, &to));
	AS_DO(as_say_code(&r->cli->ses, store_put_verdict(r, &v, whole, &to), NULL));
	return whole ? AS_EXIT_OK : AS_EXIT_NO;
}

/* ---- symbolize ---- */

/* Names for the frames of DAY, of this machine's binaries and what else names take. */
static enum as_exit store_name_day(struct store_run *r, uint32_t day, uint64_t *named)
{
	const struct as_session *ses = &r->cli->ses;
	struct as_symbol_report report = {0};
	struct as_profile *prof;
	enum as_exit rc;
	uint64_t n = 0;

	if (as_fleet_nameless(r->f, day, &prof, &r->err) != AS_OK)
		return store_failed(r);
	if (!prof)
		return AS_EXIT_OK;
	rc = as_session_name(ses, NULL, 0, &prof, &report);
	if (rc == AS_EXIT_OK &&
		as_fleet_write_names(r->f, day, (uint32_t)time(NULL), prof, &n, &r->err) != AS_OK)
		rc = store_failed(r);
	*named += n;
	if (report.arena.al)
		as_symbol_report_release(&report);
	as_profile_free(prof);
	return rc;
}

static enum as_exit store_symbolize(struct store_run *r)
{
	struct as_fleet_answer days = {0};
	enum as_exit rc = AS_EXIT_OK;
	uint64_t named = 0;

	if (as_fleet_frame_days(r->f, &days, &r->err) != AS_OK)
		rc = store_failed(r);
	for (size_t i = 0; i + 2 <= days.bytes.n && rc == AS_EXIT_OK; i += 2) {
		const unsigned char *day = (const unsigned char *)days.bytes.p + i;

		rc = store_name_day(r, day[0] | (uint32_t)day[1] << 8, &named);
	}
	if (rc == AS_EXIT_OK)
		as_say_note(&r->cli->ses, "%" PRIu64 " frame%s got names", named,
			named == 1 ? "" : "s");
	as_vec_free(r->cli->ses.al, &days.bytes);
	return rc;
}

/* ---- the command ---- */

static enum as_exit store_act(struct store_run *r)
{
	const struct as_cli *cli = r->cli;
	struct as_slice word = as_slice_of(cli->operand[0]);
	bool retain = as_slice_is(word, "retain");

	if (cli->n_operands > 1 && !retain)
		return as_say_usage(&r->cli->ses, "only 'retain' takes a word more", NULL);
	if (as_slice_is(word, "init"))
		return store_init(r);
	if (as_slice_is(word, "status"))
		return store_status(r);
	if (retain)
		return store_retain(r, cli->n_operands > 1 ? cli->operand[1] : NULL);
	if (as_slice_is(word, "verify"))
		return store_verify(r);
	if (as_slice_is(word, "symbolize"))
		return store_symbolize(r);
	if (as_slice_is(word, "drop"))
		return store_drop(r);
	return as_say_usage(&r->cli->ses,
		"a store is asked for init, status, retain, verify, symbolize or drop", NULL);
}

static enum as_exit store_run(struct as_cli *cli, const void *argp)
{
	const struct as_store_args *args = argp;
	struct store_run r = {.cli = cli, .args = args, .err = AS_ERR_NONE};
	struct as_arena arena;
	enum as_exit rc;

	as_arena_init(&arena, cli->ses.al);
	rc = as_cli_store_open(cli, &arena, args->store, &r.f);
	AS_THEN(rc, store_act(&r));
	as_fleet_close(r.f);
	as_arena_release(&arena);
	return rc;
}

const struct as_cmd as_cmd_store = {
	AS_COMMAND(
		store, "init | status | retain TIME | verify | symbolize | drop", 1, 2, store_run),
	AS_OWN_OPTIONS(store_opts, as_store_args),
	.brief = "the store of many machines' profiles: make it, see what it holds",
	.about = "Profiles of many machines lie in a store: a database on one or more servers of\n"
		 "ClickHouse. 'assay push' and 'assay daemon --push' fill it, and every command "
		 "reads\n"
		 "store:NAME where it reads a FILE. Who asks stands in $ASSAY_STORE_USER and\n"
		 "$ASSAY_STORE_PASSWORD, or in ~/.netrc.\n",
	.examples = "assay store init --store http://db1:8123/prof\tmake its tables\n"
		    "assay store init --store "
		    "'http://db1:8123,db2:8123/prof?cluster=fleet'\ton two shards\n"
		    "assay store status --hosts\twho pushed what, and when\n"
		    "assay store retain 30d\tlet go what is older\n"
		    "assay store verify\tis all of it as it was pushed?\n"
		    "assay store symbolize\tname code that was pushed without names",
	.groups = AS_GROUP_FORMAT | AS_GROUP_URL | AS_GROUP_SYMBOLS,
};
