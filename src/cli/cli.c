/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, standard output, and running one command. */
#include "cli/cli.h"

#include "cli/config.h"
#include "cli/store_env.h"
#include "io/url.h"
#include "session/database.h"
#include "session/filtering.h"
#include "session/near.h"
#include "session/store/asking.h"
#include "session/urls.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- messages ---- */

static const char *cli_paint(const struct as_cli *cli, const char *escape)
{
	return cli->err_color ? escape : "";
}

/* Whether something of this HASH was said before; from now on it was. */
static bool was_said(struct as_cli *cli, uint64_t hash)
{
	for (size_t i = 0; i < cli->n_said; i++)
		if (cli->said[i] == hash)
			return true;
	if (cli->n_said < AS_SAID_MAX)
		cli->said[cli->n_said++] = hash;
	return false;
}

static void say_error(const struct as_cli *cli, const char *what, const char *hint)
{
	char text[1536];

	as_escape(text, sizeof(text), what, strlen(what));
	fprintf(stderr, "%sassay:%s %s\n", cli_paint(cli, "\033[1;31m"), cli_paint(cli, "\033[0m"),
		text);
	if (!hint || !hint[0])
		return;
	as_escape(text, sizeof(text), hint, strlen(hint));
	fprintf(stderr, "       %s\n", text);
}

/* "assay: WHAT", "assay: warning: ..."; control characters are escaped. */
static void cli_say(void *ctx, enum as_say how, const char *what, const char *hint)
{
	struct as_cli *cli = ctx;
	char text[1024];

	if (how == AS_SAY_ERROR) {
		say_error(cli, what, hint);
		return;
	}
	cli->part |= how == AS_SAY_PART;
	if (cli->ses.opt.tell.quiet ||
		(how == AS_SAY_ONCE && was_said(cli, as_hash_bytes(what, strlen(what)))))
		return;
	as_escape(text, sizeof(text), what, strlen(what));
	fprintf(stderr, "assay: %s%s\n",
		how == AS_SAY_WARNING || how == AS_SAY_PART ? "warning: " : "", text);
}

void as_cli_tell(const char *label, struct as_slice line)
{
	char text[1024];

	fputs(label, stderr);
	while (line.len) {
		size_t n = line.len < sizeof(text) / 8 ? line.len : sizeof(text) / 8;

		as_escape(text, sizeof(text), line.p, n);
		fputs(text, stderr);
		line = as_slice_skip(line, n);
	}
	fputc('\n', stderr);
}

void as_cli_usage(struct as_cli *cli, const struct as_usage *usage)
{
	char hint[320];

	if (usage->hint[0])
		snprintf(hint, sizeof(hint), "%s", usage->hint);
	else if (cli->cmd)
		snprintf(hint, sizeof(hint), "see how it is used: assay %s -h", cli->cmd->name);
	else
		snprintf(hint, sizeof(hint), "see how it is used: assay -h");
	as_say_error(&cli->ses, usage->what, hint);
}

/* ---- stdout ---- */

static enum as_code around_out(void *ctx, struct as_out **out)
{
	struct as_cli *cli = ctx;
	struct as_sink *sink;

	*out = &cli->out;
	if (cli->out_open)
		return AS_OK;
	as_err_clear(&cli->out_err);
	cli->out_paged = cli->height && !cli->no_pager;
	as_sink_mem_init(&cli->out_mem, cli->ses.al);
	as_sink_fd_init(&cli->out_fd, STDOUT_FILENO);
	sink = cli->out_paged ? &cli->out_mem.sink : &cli->out_fd.sink;
	AS_TRY(as_out_open(&cli->out, cli->ses.al, sink, &cli->out_err));
	cli->out_open = true;
	return AS_OK;
}

enum as_exit as_cli_out(struct as_cli *cli, struct as_out **out)
{
	return as_say_code(&cli->ses, around_out(cli, out), NULL);
}

/* What was collected for a terminal: through the pager if it is taller than the screen. */
static enum as_code show_collected(struct as_cli *cli)
{
	struct as_slice text = {cli->out_mem.data.p, cli->out_mem.data.n};
	unsigned lines = 0;
	int rc;

	for (size_t i = 0; i < text.len; i++)
		lines += text.p[i] == '\n';
	if (lines >= cli->height && as_pager_show(text, cli->pager))
		return AS_OK;
	rc = cli->out_fd.sink.write(&cli->out_fd.sink, text.p, text.len);
	if (rc == 0)
		return AS_OK;
	cli->out_err.sys_errno = -rc;
	return as_err_set(&cli->out_err, AS_E_IO, "cannot write: %s", strerror(-rc));
}

enum as_exit as_cli_pipe_closed(void)
{
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
	return AS_EXIT_OUTPUT;
}

enum as_exit as_cli_out_close(struct as_cli *cli, enum as_exit rc)
{
	enum as_code code;

	if (!cli->out_open)
		return rc;
	cli->out_open = false;
	code = as_out_finish(&cli->out);
	if (code == AS_OK && cli->out_paged)
		code = show_collected(cli);
	as_sink_mem_release(&cli->out_mem);
	if (code == AS_OK)
		return rc;
	if (cli->out_err.sys_errno == EPIPE)
		return as_cli_pipe_closed();
	snprintf(cli->out_err.name, sizeof(cli->out_err.name), "<stdout>");
	as_say_failed(&cli->ses, &cli->out_err, "the answer is not complete");
	return AS_EXIT_OUTPUT;
}

static enum as_exit around_pipe_closed(void *ctx)
{
	(void)ctx;
	return as_cli_pipe_closed();
}

/* ---- one command ---- */

void as_cli_begin(struct as_cli *cli)
{
	const char *env = getenv("ASSAY_SYMBOLS");

	cli->around = (struct as_around){cli, as_progress_begin, as_progress_end, as_cli_symbols,
		around_out, around_pipe_closed, as_cleanup, as_cleanup_hold, as_cli_database,
		as_cli_store};
	cli->ses.around = &cli->around;
	cli->ses.say = cli_say;
	cli->ses.say_ctx = cli;
	cli->ses.nameless = env && strcmp(env, "none") == 0;
}

static enum as_exit show_help(struct as_cli *cli, const struct as_cmd *cmd, bool full)
{
	struct as_out *out;

	AS_DO(as_cli_out(cli, &out));
	if (full)
		as_help_full(cli, cmd, out);
	else
		as_help_short(cli, cmd, out);
	return as_cli_out_close(cli, AS_EXIT_OK);
}

static bool count_fits(const struct as_cmd *cmd, struct as_parse *ps)
{
	size_t n = ps->n_operands;

	if (n < cmd->min)
		snprintf(ps->usage.what, sizeof(ps->usage.what), "'%s' needs %s: assay %s %s",
			cmd->name, n ? "more" : "a file", cmd->name, cmd->args);
	else if (n > cmd->max && !cmd->max)
		snprintf(ps->usage.what, sizeof(ps->usage.what), "'%s' takes no '%.100s'",
			cmd->name, ps->operand[0]);
	else if (n > cmd->max)
		snprintf(ps->usage.what, sizeof(ps->usage.what),
			"'%s' takes %zu operand%s, not %zu: assay %s %s", cmd->name, cmd->max,
			cmd->max == 1 ? "" : "s", n, cmd->name, cmd->args);
	else
		return true;
	return false;
}

static bool from_fits(const char *name, struct as_usage *usage)
{
	const struct as_format *fmt = as_format_by_name(as_slice_of(name));
	const char *names[64];
	size_t n = 0;

	if (fmt && fmt->read)
		return true;
	for (size_t i = 0; as_formats[i] && n < AS_ARRAY_LEN(names); i++)
		if (as_formats[i]->read)
			names[n++] = as_formats[i]->name;
	snprintf(usage->what, sizeof(usage->what), "cannot read the format '%.100s'", name);
	as_nearest_hint(usage->hint, sizeof(usage->hint), "", as_nearest(name, names, n),
		"see the list: assay formats");
	return false;
}

/* "-I KEY=VALUE": some reader must know the key; which one will read is not known yet. */
static bool key_fits(const char *pair, struct as_usage *usage)
{
	struct as_slice key = {pair, strcspn(pair, "=")};
	const char *names[64];
	char text[64];
	bool known = false;
	size_t n = 0;

	for (size_t i = 0; as_formats[i]; i++) {
		if (as_opts_take(as_formats[i]->read_opts, pair))
			return true;
		known |= as_opts_have(as_formats[i]->read_opts, key);
		for (const struct as_opt *o = as_formats[i]->read_opts; o && o->key; o++)
			if (n < AS_ARRAY_LEN(names))
				names[n++] = o->key;
	}
	if (known) {
		snprintf(usage->what, sizeof(usage->what), "'-I %.60s' says neither yes nor no",
			pair);
		snprintf(usage->hint, sizeof(usage->hint), "yes, on, true, 1; no, off, false, 0");
		return false;
	}
	snprintf(text, sizeof(text), "%.*s", AS_SLICE_FMT(key));
	snprintf(usage->what, sizeof(usage->what), "no reader has an option '%s'", text);
	as_nearest_hint(usage->hint, sizeof(usage->hint), "-I ", as_nearest(text, names, n),
		"see the list: assay formats -v");
	return false;
}

/* Values that the tables cannot check. */
static bool read_fits(const struct as_asked_read *opt, struct as_usage *usage)
{
	if (opt->jobs.given && opt->jobs.value == 0) {
		snprintf(usage->what, sizeof(usage->what), "option '--jobs' takes 1 or more");
		return false;
	}
	for (size_t i = 0; i < opt->opts.n; i++)
		if (!key_fits(opt->opts.p[i], usage))
			return false;
	return !opt->from || from_fits(opt->from, usage);
}

void as_cli_bind(struct as_cli *cli, const struct as_cmd *cmd, void *args, struct as_parse *ps)
{
	ps->splits = cmd->splits;
	ps->marks = cmd->marks;
	ps->stops = cmd->stops;
	if (cmd->opts)
		ps->binding[ps->n_bindings++] = (struct as_binding){cmd->opts, args};
	for (const struct as_group *g = as_groups; g->title; g++)
		if (!g->bit || (cmd->groups & g->bit))
			ps->binding[ps->n_bindings++] =
				(struct as_binding){g->defs, (char *)cli + g->at};
	as_assert(ps->n_bindings <= AS_BINDINGS_MAX);
}

/* WORD[0..N) that are URLs get names without secrets before anybody sees them. */
static bool name_urls(struct as_urls *urls, const char **word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (as_url_is(word[i])) {
			word[i] = as_urls_add(urls, word[i]);
			if (!word[i])
				return false;
		}
	return true;
}

/* Operands, and ARGS of CMD that are files. */
static enum as_exit take_urls(struct as_cli *cli, const struct as_cmd *cmd, struct as_parse *ps,
	void *args, struct as_urls *urls)
{
	bool ok;

	AS_DO(as_cli_url_limits(cli, urls));
	ok = name_urls(urls, ps->operand, ps->n_operands);
	for (const struct as_optdef *d = cmd->opts; ok && d && d->name; d++)
		if (d->kind == AS_OPT_FILES) {
			struct as_list *list = (struct as_list *)(void *)((char *)args + d->offset);

			ok = name_urls(urls, list->p, list->n);
		}
	cli->ses.urls = urls;
	return ok ? AS_EXIT_OK : as_say_no_memory(&cli->ses);
}

static bool cli_has_database(const struct as_session *ses, const char *const *word, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (as_fleet_input_is(word[i]) || as_database_is(ses, word[i]))
			return true;
	return false;
}

/* What chooses among the files of a database needs one: all of another file would be taken for
 * what was chosen. What push calls a host is any file's. */
static enum as_exit cli_database_fits(
	struct as_cli *cli, const struct as_cmd *cmd, const struct as_parse *ps, const void *args)
{
	const struct as_asked_database *opt = &cli->ses.opt.database;
	bool host = opt->host && strcmp(cmd->name, "push") != 0;
	bool fits = !ps->n_operands || !(opt->since || opt->until || opt->epoch || host);
	struct as_usage usage = {.hint = "a database is db:, or its folder; of the time that a "
					 "file itself tells: --from, --to"};

	fits = fits || cli_has_database(&cli->ses, ps->operand, ps->n_operands);
	for (const struct as_optdef *d = cmd->opts; !fits && d && d->name; d++)
		if (d->kind == AS_OPT_FILES) {
			const struct as_list *list = (const void *)((const char *)args + d->offset);

			fits = cli_has_database(&cli->ses, list->p, list->n);
		}
	if (fits)
		return AS_EXIT_OK;
	snprintf(usage.what, sizeof(usage.what),
		"--since, --until, --epoch and --host are of a database: '%.100s' is none",
		ps->operand[ps->n_operands - 1]);
	as_cli_usage(cli, &usage);
	return AS_EXIT_USAGE;
}

static enum as_exit run_parsed(
	struct as_cli *cli, const struct as_cmd *cmd, struct as_parse *ps, void *args)
{
	struct as_urls urls;
	enum as_exit rc;

	if (ps->help)
		return show_help(cli, cmd, ps->full_help);
	if (!count_fits(cmd, ps) || !read_fits(&cli->ses.opt.read, &ps->usage)) {
		as_cli_usage(cli, &ps->usage);
		return AS_EXIT_USAGE;
	}
	as_urls_init(&urls, cli->ses.al);
	rc = cmd->groups & AS_GROUP_READ ? take_urls(cli, cmd, ps, args, &urls) : AS_EXIT_OK;
	cli->operand = ps->operand;
	cli->n_operands = ps->n_operands;
	cli->n_before_dashes = ps->dashes ? ps->n_before_dashes : SIZE_MAX;
	AS_THEN(rc, as_filters_open(&cli->ses));
	AS_THEN(rc, as_cli_out_close(cli, cmd->run(cli, args)));
	as_filters_close(&cli->ses);
	as_urls_release(&urls);
	cli->ses.urls = NULL;
	if (rc == AS_EXIT_OK && cli->part)
		rc = AS_EXIT_PART;
	return rc;
}

static enum as_exit set_limit(struct as_cli *cli)
{
	uint64_t max;

	if (!cli->ses.opt.read.max_memory || !cli->ses.limit)
		return AS_EXIT_OK;
	if (!as_cli_size(cli->ses.opt.read.max_memory, &max))
		return as_say_usage(&cli->ses, "option '--max-memory' takes a size",
			"as in --max-memory 4G, or 500M; 0 = no limit");
	cli->ses.limit->max = max ? max : UINT64_MAX;
	return AS_EXIT_OK;
}

enum as_exit as_cli_run(struct as_cli *cli, const struct as_cmd *cmd, int argc, char *const *argv)
{
	struct as_parse ps = {0};
	size_t operands_size = ((size_t)argc + 1) * sizeof(*ps.operand);
	void *args = as_alloc_new(cli->ses.al, cmd->args_size + 1);
	enum as_exit rc;

	ps.operand = as_alloc_new(cli->ses.al, operands_size);
	if (!args || !ps.operand) {
		rc = as_say_no_memory(&cli->ses);
		goto out;
	}
	as_cli_begin(cli);
	cli->cmd = cmd;
	cli->ses.command = cmd->name;
	cli->ses.args = cmd->args;
	cli->ses.shows = cmd->groups & (AS_GROUP_FORMAT | AS_GROUP_TABLE | AS_GROUP_DRAWN);
	as_cli_bind(cli, cmd, args, &ps);
	if (as_options_parse(&ps, argc, argv)) {
		rc = ps.help ? AS_EXIT_OK : cli_database_fits(cli, cmd, &ps, args);
		AS_THEN(rc, cmd->plain || ps.help ? AS_EXIT_OK : as_config_apply(cli, &ps));
		as_term_apply(cli, cli->color);
		AS_THEN(rc, set_limit(cli));
		AS_THEN(rc, run_parsed(cli, cmd, &ps, args));
	} else {
		as_cli_usage(cli, &ps.usage);
		rc = AS_EXIT_USAGE;
	}
out:
	as_alloc_free(cli->ses.al, args, cmd->args_size + 1);
	as_alloc_free(cli->ses.al, ps.operand, operands_size);
	return rc;
}
