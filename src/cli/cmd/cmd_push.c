/* SPDX-License-Identifier: Apache-2.0 */
/* assay push: profiles into the store of a fleet. */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

#include "cli/store_env.h"
#include "io/host_alloc.h"
#include "session/database.h"
#include "session/store/pushing.h"

enum { HOST_BYTES = 256, SKEW_SECONDS = 60 };
#define NS_PER_S INT64_C(1000000000)

struct push_args {
	const char *store, *service, *run, *at;
	struct as_list label;
};

static const struct as_optdef push_opts[] = {
	AS_OPTION(push_args, store, 0, "store", "NAME|URL",
		"where to: http://HOST:8123/DATABASE; default $ASSAY_STORE"),
	AS_OPTION(push_args, service, 0, "service", "NAME", "what was profiled; needed"),
	AS_OPTION(push_args, label, 0, "label", "KEY=VALUE",
		"of all samples that have no label KEY: version=1.5; may be repeated"),
	AS_OPTION(push_args, at, 0, "at", "TIME",
		"when a profile began that does not say it: 2h, 2026-11-23T10:45 (UTC)"),
	AS_OPTION(push_args, run, 0, "run", "ID",
		"what sets it apart from an equal push: without it the same again is pushed once"),
	AS_OPTION_END,
};

struct push_run {
	struct as_cli *cli;
	const struct push_args *args;
	struct as_fleet_label label[AS_LIST_MAX];
	char host[HOST_BYTES];
	struct as_pushing to;
};

static enum as_exit push_words(struct push_run *r)
{
	const struct push_args *args = r->args;
	const char *host = r->cli->ses.opt.database.host;
	struct timespec now;

	if (!args->service || !*args->service)
		return as_say_usage(&r->cli->ses, "which service was profiled?",
			"name it: --service api, or 'ci', 'laptop'");
	AS_DO(as_cli_store_labels(r->cli, &args->label, r->label));
	r->to.label = r->label;
	r->to.n_label = args->label.n;
	clock_gettime(CLOCK_REALTIME, &now);
	r->to.has_at = args->at != NULL;
	if (args->at && !as_database_time(as_slice_of(args->at),
				now.tv_sec * NS_PER_S + now.tv_nsec, &r->to.at_ns))
		return as_say_usage(&r->cli->ses, "option '--at' takes a time",
			"as in --at 2h, which was two hours ago, or 2026-11-23T10:45");
	if (!host && gethostname(r->host, sizeof(r->host) - 1) == 0)
		host = r->host;
	r->to.host = as_slice_of(host);
	r->to.service = as_slice_of(args->service);
	r->to.run = as_slice_of(args->run);
	return AS_EXIT_OK;
}

/* Times are those of the machines: a wrong clock puts samples where nobody looks for them. */
static void push_tell_skew(struct push_run *r)
{
	struct as_err err = AS_ERR_NONE;
	int64_t ahead;

	if (as_fleet_skew(r->to.f, &ahead, &err) == AS_OK &&
		(ahead > SKEW_SECONDS || ahead < -SKEW_SECONDS))
		as_say_warning(&r->cli->ses, "the clock here is %" PRId64 " s %s the server's",
			ahead > 0 ? ahead : -ahead, ahead > 0 ? "ahead of" : "behind");
}

static void push_tell(const struct push_run *r)
{
	const struct as_fleet_pushed *done = &r->to.done;

	if (done->there)
		as_say_note(&r->cli->ses, "there already: %" PRIu64 " profile%s", done->there,
			done->there == 1 ? "" : "s");
	if (done->batches)
		as_say_note(&r->cli->ses, "pushed: %" PRIu64 " profile%s, %" PRIu64 " row%s",
			done->batches, done->batches == 1 ? "" : "s", done->samples,
			done->samples == 1 ? "" : "s");
}

static enum as_exit push_all(struct push_run *r)
{
	struct as_cli *cli = r->cli;
	struct as_err err = AS_ERR_NONE;
	enum as_exit rc = AS_EXIT_OK;

	if (as_fleet_ready(r->to.f, true, &r->to.shards, &err) != AS_OK)
		return as_cli_store_failed(cli, r->to.f, &err);
	push_tell_skew(r);
	for (size_t i = 0; rc == AS_EXIT_OK && i < cli->n_operands; i++)
		rc = as_push_find(&r->to, cli->operand[i]);
	if (r->to.item.n > 1)
		as_host_keep();
	else
		r->to.known = NULL;
	AS_THEN(rc, as_push_found(&r->to));
	push_tell(r);
	return rc;
}

static enum as_exit push_run(struct as_cli *cli, const void *argp)
{
	struct as_fleet_known known = {.al = cli->ses.al};
	struct push_run r = {.cli = cli, .args = argp, .to.ses = &cli->ses, .to.known = &known};
	struct as_fleet_opts opts = {0};
	struct as_err err = AS_ERR_NONE;
	struct as_arena arena;
	enum as_exit rc;

	cli->ses.nameless = true; /* --symbols=auto asks for names */
	as_arena_init(&arena, cli->ses.al);
	r.to.arena = &arena;
	rc = push_words(&r);
	AS_THEN(rc, as_cli_store_named(cli, &arena, r.args->store, &opts));
	opts.partial = true; /* a shard that is down keeps nobody from pushing to another */
	if (rc == AS_EXIT_OK && as_fleet_open(cli->ses.al, &opts, &r.to.f, &err) != AS_OK)
		rc = as_cli_store_failed(cli, NULL, &err);
	AS_THEN(rc, push_all(&r));
	as_fleet_close(r.to.f);
	as_fleet_known_release(&known);
	as_arena_release(&arena);
	return rc;
}

const struct as_cmd as_cmd_push = {
	AS_COMMAND(push, "FILE... --service NAME", 1, AS_OPERANDS_ANY, push_run),
	AS_OWN_OPTIONS(push_opts, push_args),
	.brief = "profiles into the store of many machines",
	.about = "Each profile becomes rows of the store, exactly once: what is pushed again, or "
		 "half, or\n"
		 "by a line that breaks, changes no sum. What has no names in the file stays "
		 "addresses,\n"
		 "which get their names when they are looked at; --symbols=auto pushes names.\n",
	.examples =
		"assay push cpu.pb.gz --service api --label version=1.5\ta profile of a service\n"
		"assay push db: --service web --since 1h\ta machine's last hour\n"
		"assay push perf.data --service ci --host runner7 --run $BUILD\ta run of a CI",
	.groups = AS_GROUP_READ | AS_GROUP_SYMBOLS | AS_GROUP_FILTER,
};
