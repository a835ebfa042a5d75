/* SPDX-License-Identifier: Apache-2.0 */
/* assay daemon: record the machine all the time, and talk with the process that does. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/duration.h"
#include "cli/cli.h"
#include "cli/store_env.h"
#include "daemon/daemon.h"

enum {
	RATE_DEFAULT = 99,
	SEGMENT_DEFAULT = 60,
	SEGMENT_MAX = 3600,
	HOST_BYTES = 256,
	LABEL_MAX = 400
};
enum { STACKS_AUTO = 1, STACKS_FP, STACKS_COPIES };
enum { DAILY_YES = 1, DAILY_NO };

#define NS_PER_S INT64_C(1000000000)
#define KEEP_DEFAULT_NS (7 * 86400 * NS_PER_S)
#define SHORTEST_S 1e-3
#define KEEP_DEFAULT_BYTES (UINT64_C(1) << 30)

struct as_daemon_args {
	struct as_num rate, segment;
	const char *event, *length, *output, *keep_age, *keep_size, *db, *host, *push, *service;
	struct as_list label;
	unsigned stacks, daily;
	bool flat;
};

static const struct as_optdef daemon_opts[] = {
	AS_OPTION(as_daemon_args, rate, 'F', "frequency", "HZ",
		"samples a second of each processor, 1 to 20000; default 99"),
	AS_OPTION(as_daemon_args, event, 'e', "event", "EVENT[:PERIOD],...",
		"what is counted, a sample in PERIOD events (of time: microseconds); default "
		"cpu-clock"),
	AS_OPTION(as_daemon_args, flat, 0, "flat", NULL,
		"addresses only, as DCPI has them: the cheapest"),
	AS_OPTION(as_daemon_args, stacks, 0, "stacks", "auto|fp|copies",
		"unwound from copies (auto, where that can be done here), or by frame pointers"),
	AS_OPTION(as_daemon_args, segment, 0, "segment", "SECONDS",
		"what is written at once, 1 to 3600; default 60"),
	AS_OPTION(as_daemon_args, daily, 0, "daily", "yes|no",
		"an epoch for each day in UTC (the default), or only by 'epoch'"),
	AS_OPTION(as_daemon_args, keep_age, 0, "keep-age", "TIME",
		"remove older epochs, but the latest three; default 7d, 0 = never"),
	AS_OPTION(as_daemon_args, keep_size, 0, "keep-size", "SIZE",
		"and the oldest, while all take more; default 1G, 0 = never"),
	AS_OPTION(as_daemon_args, db, 0, "db", "DIR",
		"the database; default $ASSAY_DB, root's /var/lib/assay, or your own"),
	AS_OPTION(as_daemon_args, host, 0, "host", "NAME",
		"what this machine is called there; default its name"),
	AS_OPTION(as_daemon_args, push, 0, "push", "NAME|URL",
		"push segments into this store of a fleet, too: assay store -h"),
	AS_OPTION(as_daemon_args, service, 0, "service", "NAME",
		"what they are called there; default machine"),
	AS_OPTION(as_daemon_args, label, 0, "label", "KEY=VALUE",
		"of all samples there; may be repeated"),
	AS_OPTION(as_daemon_args, length, 0, "for", "TIME", "end after that: 60s, 2h"),
	AS_OPTION(as_daemon_args, output, 'o', "output", "FILE",
		"one profile of the time that --for says, and no database"),
	AS_OPTION_END,
};

/* ---- what is asked ---- */

static enum as_exit daemon_event(
	struct as_cli *cli, const struct as_daemon_args *args, struct as_daemon_opts *o)
{
	if (!args->event)
		return AS_EXIT_OK;
	AS_DO(as_cli_events(cli, args->event, args->rate.given, &o->events));
	as_perf_opts_events(&o->perf, &o->events);
	return AS_EXIT_OK;
}

static enum as_exit daemon_time(
	struct as_cli *cli, const char *option, const char *text, int64_t least, int64_t *ns)
{
	if (!text || (as_duration_ns(as_slice_of(text), ns) && *ns >= least))
		return AS_EXIT_OK;
	return as_say_endf(&cli->ses, AS_EXIT_USAGE, "for instance 90s, 15m, 12h, 7d",
		"option '--%s' takes a time", option);
}

static enum as_exit daemon_plan(
	struct as_cli *cli, const struct as_daemon_args *args, struct as_daemon_opts *o)
{
	int64_t length = 0;

	o->perf.hz = (uint32_t)(args->rate.given ? args->rate.value : RATE_DEFAULT);
	if (args->rate.given && (args->rate.value < 1 || args->rate.value > AS_PERF_HZ_MAX))
		return as_say_usage(&cli->ses, "option '--frequency' is from 1 to 20000", NULL);
	if (args->flat && args->stacks)
		return as_say_usage(&cli->ses, "'--flat' has no stacks: not with '--stacks'", NULL);
	AS_DO(daemon_event(cli, args, o));
	o->flat = args->flat;
	o->perf.stacks = args->flat                      ? AS_PERF_FLAT
			 : args->stacks == STACKS_FP     ? AS_PERF_FRAMES
			 : args->stacks == STACKS_COPIES ? AS_PERF_COPIES
							 : AS_PERF_BEST;
	o->segment_s = (uint32_t)(args->segment.given ? args->segment.value : SEGMENT_DEFAULT);
	if (args->segment.given && (args->segment.value < 1 || args->segment.value > SEGMENT_MAX))
		return as_say_usage(
			&cli->ses, "option '--segment' is from 1 to 3600 seconds", NULL);
	o->daily = args->daily != DAILY_NO;
	o->keep_ns = KEEP_DEFAULT_NS;
	AS_DO(daemon_time(cli, "keep-age", args->keep_age, 0, &o->keep_ns));
	AS_DO(daemon_time(cli, "for", args->length, 1, &length));
	o->seconds = (double)length * 1e-9;
	o->keep_bytes = KEEP_DEFAULT_BYTES;
	if (args->keep_size && !as_cli_size(args->keep_size, &o->keep_bytes))
		return as_say_usage(
			&cli->ses, "option '--keep-size' takes a size", "for instance 500M, 2G");
	return AS_EXIT_OK;
}

/* ---- recording ---- */

/* It is `assay record -a`, by another name. */
static enum as_exit daemon_one_file(
	struct as_cli *cli, const struct as_daemon_args *args, const struct as_daemon_opts *o)
{
	char seconds[64], rate[40], all[] = "-a", no_show[] = "--no-show";
	char frames[] = "--stacks=frames", *file = NULL, *event = NULL, *argv[8];
	enum as_exit rc = AS_EXIT_OK;
	int n = 0;

	if (asprintf(&file, "--output=%s", args->output) < 0 ||
		(args->event && asprintf(&event, "--event=%s", args->event) < 0))
		rc = as_say_no_memory(&cli->ses);
	snprintf(seconds, sizeof(seconds), "--duration=%.3f", o->seconds);
	snprintf(rate, sizeof(rate), "--frequency=%" PRIu32, o->perf.hz);
	argv[n++] = all;
	argv[n++] = no_show;
	argv[n++] = seconds;
	argv[n++] = file;
	if (!args->event || as_perf_events_by_frequency(&o->events))
		argv[n++] = rate;
	if (args->stacks == STACKS_FP)
		argv[n++] = frames;
	if (event)
		argv[n++] = event;
	argv[n] = NULL;
	AS_THEN(rc, as_cli_run(cli, as_cmd_by_name("record"), n, argv));
	free(file);
	free(event);
	return rc;
}

static enum as_exit daemon_push(
	struct as_cli *cli, const struct as_daemon_args *args, struct as_daemon_opts *o)
{
	struct as_fleet_label label[AS_LIST_MAX];
	struct as_daemon_push push = {
		.service = as_slice_of(args->service ? args->service : "machine"),
		.label = label,
		.n_label = args->label.n};
	struct as_fleet *tried = NULL;
	struct as_arena ar;
	enum as_exit rc;

	AS_DO(as_cli_store_labels(cli, &args->label, label));
	as_arena_init(&ar, cli->ses.al);
	rc = as_cli_store_named(cli, &ar, args->push, &push.store);
	AS_THEN(rc, as_cli_store_open(cli, &ar, args->push, &tried)); /* a wrong URL ends it now */
	as_fleet_close(tried);
	o->push = &push;
	AS_THEN(rc, as_daemon_run(&cli->ses, o));
	o->push = NULL;
	as_arena_release(&ar);
	return rc;
}

static enum as_exit daemon_record(
	struct as_cli *cli, const struct as_daemon_args *args, const char *db, const char *host)
{
	struct as_daemon_opts o = {
		.db = db, .host = host, .perf = {.scope = AS_PERF_MACHINE, .or_own = true}};

	AS_DO(daemon_plan(cli, args, &o));
	if (!args->output)
		return args->push ? daemon_push(cli, args, &o) : as_daemon_run(&cli->ses, &o);
	if (args->flat)
		return as_say_usage(&cli->ses,
			"addresses, '--flat', are a folder of files in a database",
			"one file, '--output', has stacks; of addresses: assay convert -t dcpi -o "
			"DIR/");
	if (o.seconds < SHORTEST_S)
		return as_say_usage(&cli->ses,
			"one file, '--output', is of the time that '--for' says",
			"for instance assay daemon --for 60s -o minute.pb.gz");
	return daemon_one_file(cli, args, &o);
}

/* ---- asking ---- */

static enum as_exit daemon_print(struct as_cli *cli, struct as_slice answer)
{
	struct as_out *out;

	AS_DO(as_cli_out(cli, &out));
	as_out_slice(out, answer);
	return as_cli_out_close(cli, AS_EXIT_OK);
}

static enum as_exit daemon_ask(
	struct as_cli *cli, const char *db, const char *host, const char *request, bool print)
{
	struct as_err err = AS_ERR_NONE;
	struct as_slice answer;
	enum as_exit rc = AS_EXIT_OK;
	struct as_arena ar;

	as_arena_init(&ar, cli->ses.al);
	if (as_daemon_ask(&ar, db, host, request, &answer, &err) != AS_OK)
		rc = as_say_end(&cli->ses, err.sys_errno == EACCES ? AS_EXIT_RIGHTS : AS_EXIT_INPUT,
			err.msg,
			err.code == AS_E_ARG || err.sys_errno
				? NULL
				: "start one: assay daemon; which database: --db");
	else if (print)
		rc = daemon_print(cli, answer);
	as_arena_release(&ar);
	return rc;
}

/* We become the program: what has the label is this process. */
static enum as_exit daemon_label(struct as_cli *cli, const char *db, const char *host)
{
	char request[LABEL_MAX + 32], *const *argv;
	const char *name, **words = cli->operand + 2;

	if (cli->n_operands < 3)
		return as_say_usage(&cli->ses, "a label and a program are needed",
			"assay daemon label NAME -- PROGRAM ARGUMENT...");
	name = cli->operand[1];
	if (!name[strspn(name, " \t")] || strlen(name) > LABEL_MAX || strchr(name, '\n'))
		return as_say_usage(&cli->ses, "a label is one line of 1 to 400 bytes", NULL);
	snprintf(request, sizeof(request), "label %d %s", (int)getpid(), name);
	AS_DO(daemon_ask(cli, db, host, request, false));
	memcpy(&argv, &words, sizeof(argv)); /* NULL stands behind the last operand */
	execvp(argv[0], argv);
	return as_say_endf(&cli->ses, AS_EXIT_INPUT, NULL, "%.100s: %s", argv[0], strerror(errno));
}

static enum as_exit daemon_act(struct as_cli *cli, const char *db, const char *host)
{
	static const char *const plain[] = {"status", "flush", "epoch", "quit"};
	const char *word = cli->operand[0];
	char shown[64];

	if (strcmp(word, "label") == 0)
		return daemon_label(cli, db, host);
	for (size_t i = 0; i < AS_ARRAY_LEN(plain); i++) {
		if (strcmp(word, plain[i]) != 0)
			continue;
		if (cli->n_operands == 1)
			return daemon_ask(cli, db, host, word, true);
		as_escape(shown, sizeof(shown), cli->operand[1], strlen(cli->operand[1]));
		return as_say_endf(&cli->ses, AS_EXIT_USAGE, NULL, "'%s' takes nothing more: '%s'",
			word, shown);
	}
	as_escape(shown, sizeof(shown), word, strlen(word));
	return as_say_endf(&cli->ses, AS_EXIT_USAGE,
		"status, flush, epoch, label NAME -- PROGRAM, or quit",
		"'%s' is nothing that the daemon is asked", shown);
}

static enum as_exit daemon_run(struct as_cli *cli, const void *argp)
{
	const struct as_daemon_args *args = argp;
	const char *db = args->db, *host = args->host;
	char name[HOST_BYTES] = "";
	struct as_arena ar;
	enum as_exit rc;

	as_arena_init(&ar, cli->ses.al);
	if (!db)
		db = cli->n_operands ? as_cli_database(NULL, &ar) : as_cli_database_own(&ar);
	if (!host && gethostname(name, sizeof(name) - 1) == 0)
		host = name;
	if (!db || !host)
		rc = as_say_usage(&cli->ses, "there is no place for a database: HOME is not set",
			"name its folder: --db DIR, or ASSAY_DB");
	else
		rc = cli->n_operands ? daemon_act(cli, db, host)
				     : daemon_record(cli, args, db, host);
	as_arena_release(&ar);
	return rc;
}

const struct as_cmd as_cmd_daemon = {
	AS_COMMAND(daemon, "[status | flush | epoch | label NAME -- PROGRAM | quit]", 0,
		AS_OPERANDS_ANY, daemon_run),
	AS_OWN_OPTIONS(daemon_opts, as_daemon_args),
	.brief = "record the whole machine all the time, into a database",
	.about =
		"Records all processes and the kernel until SIGTERM or 'quit', a profile a minute, "
		"into\n"
		"the database: every command reads it where it reads a FILE. With a word it asks "
		"the\n"
		"daemon that runs: for its numbers (status), to write what it has (flush, and "
		"SIGHUP), to\n"
		"begin another epoch, to mark what PROGRAM does with a label, to end.\n",
	.examples = "assay daemon\tin the foreground; as a service: systemctl start assay\n"
		    "assay daemon status\twhat is counted, stored, lost\n"
		    "assay daemon label nightly -- make check\tmark a program and what it starts\n"
		    "assay daemon --flat -F 1000\tDCPI profiles of all images\n"
		    "assay daemon -e cpu-clock,page-faults:100\tseveral events, a column each\n"
		    "assay daemon --for 60s -o minute.pb.gz\ta minute, and no database",
};
