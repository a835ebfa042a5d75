/* SPDX-License-Identifier: Apache-2.0 */
/* The list of commands, made from src/cli/meson.build, and the options that several of them
 * have. */
#include "cli/cli.h"
#include "cli/command_list.h"
#include "session/near.h"

#define X(name) extern const struct as_cmd as_cmd_##name;
AS_COMMANDS(X)
#undef X

const struct as_cmd *as_cmd_by_name(const char *name)
{
	for (size_t i = 0; as_cmds[i]; i++)
		if (strcmp(as_cmds[i]->name, name) == 0)
			return as_cmds[i];
	return NULL;
}

const char *as_cmd_near(const char *word)
{
	static const char *const names[] = {
#define X(name) #name,
		AS_COMMANDS(X)
#undef X
	};

	return as_nearest(word, names, AS_ARRAY_LEN(names));
}

static const struct as_optdef general_opts[] = {
	AS_OPTION(as_cli, color, 0, "color", "auto|always|never",
		"colour; auto: on a terminal, without NO_COLOR"),
	AS_OPTION(as_cli, no_pager, 0, "no-pager", NULL, "never start a pager"),
	AS_OPTION(as_cli, no_config, 0, "no-config", NULL,
		"no defaults: neither those of the user's file nor of $ASSAY_OPTIONS"),
	AS_OPTION(as_cli, ses.opt.tell.quiet, 'q', "quiet", NULL, "no warnings, notes or progress"),
	AS_OPTION(as_cli, ses.opt.tell.verbose, 'v', "verbose", NULL, "say more"),
	AS_OPTION_END,
};

static const struct as_optdef read_opts[] = {
	AS_OPTION(as_asked_read, jobs, 'j', "jobs", "N",
		"threads; default: the processors there are"),
	AS_OPTION(
		as_asked_read, from, 0, "from", "FORMAT", "read as FORMAT, whatever it looks like"),
	AS_OPTION(as_asked_read, opts, 'I', "read-option", "KEY=VALUE",
		"an option of the reader: assay formats -v"),
	AS_OPTION(as_asked_read, compat, 0, "compat", "pprof",
		"cut stacks as pprof does; case counts in patterns"),
	AS_OPTION(as_asked_read, max_memory, 0, "max-memory", "SIZE",
		"end where more memory is wanted: 4G, 500M; 0 = no limit; default 3/4 of it"),
	AS_OPTION(as_asked_read, all_parts, 0, "all-parts", NULL,
		"FILE.1, FILE-01 ... and FILE as one profile"),
	AS_OPTION_END,
};

static const struct as_optdef database_opts[] = {
	AS_OPTION(as_asked_database, db, 0, "db", "DIR",
		"the database that db: stands for; default $ASSAY_DB, then the system's"),
	AS_OPTION(as_asked_database, epoch, 0, "epoch", "latest|all|NAME[..NAME]",
		"of a database: these epochs; default latest, with --since or --until all"),
	AS_OPTION(as_asked_database, since, 0, "since", "TIME",
		"of a database: from TIME on: 2h, 7d, 2026-11-23, 2026-11-23T10:45 (UTC)"),
	AS_OPTION(as_asked_database, until, 0, "until", "TIME", "of a database: up to TIME"),
	AS_OPTION(as_asked_database, host, 0, "host", "NAME", "of a database: this host"),
	AS_OPTION_END,
};

static const struct as_optdef url_opts[] = {
	AS_OPTION(as_asked_url, timeout, 0, "timeout", "TIME",
		"of a URL: wait so long, and as long as its seconds=N says; default 2m"),
	AS_OPTION(as_asked_url, max_download, 0, "max-download", "SIZE",
		"of a URL: end where more comes: 100M, 4G; 0 = no limit; default 1G"),
	AS_OPTION(as_asked_url, headers, 0, "headers", "FILE",
		"of URLs: lines of FILE are sent, 'https://HOST Authorization: Bearer ...'"),
	AS_OPTION(as_asked_url, insecure, 0, "insecure", NULL,
		"of a URL: trust whoever answers, whatever the certificate says"),
	AS_OPTION_END,
};

/* Forms of an answer. */
#define FORMS(words)                                                                          \
	(const struct as_optdef[])                                                            \
	{                                                                                     \
		AS_OPTION(as_asked_view, format, 'f', "format", words, "form of the answer"), \
			AS_OPTION_END                                                         \
	}

static const struct as_optdef view_opts[] = {
	AS_OPTION(as_asked_view, contexts, 0, "contexts", "fold|keep|paths",
		"f'2 and f'caller: fold into f (the default), keep, or make call paths"),
	AS_OPTION(as_asked_view, cycles, 0, "cycles", "yes|no",
		"collapse cycles for inclusive cost (the default), or not"),
	AS_OPTION_END,
};

#define FILTER(kind, name, arg, help) \
	AS_OPTION(as_asked_filter, word[AS_WORD_##kind], 0, name, arg, help)

static const struct as_optdef filter_opts[] = {
	FILTER(FOCUS, "focus", "RE", "only samples with a frame that matches RE"),
	FILTER(IGNORE, "ignore", "RE", "no samples with a frame that matches RE"),
	FILTER(HIDE, "hide", "RE", "no frames that match RE: their cost is the callers'"),
	FILTER(SHOW, "show", "RE", "only frames that match RE, likewise"),
	FILTER(SHOW_FROM, "show-from", "RE", "no frames above the highest that matches RE"),
	FILTER(PRUNE_FROM, "prune-from", "RE",
		"no frames below the lowest function that matches RE"),
	FILTER(OBJECT, "object", "RE",
		"only samples whose last frame is code of an object that matches RE"),
	AS_OPTION(as_asked_filter, image, 0, "image", "RE",
		"the same; of a database, files of other images are not even read"),
	AS_OPTION(as_asked_filter, from, 0, "from", "TIME",
		"only what was counted from TIME after the beginning on: 2.5s, 300ms"),
	AS_OPTION(as_asked_filter, to, 0, "to", "TIME", "only what was counted before"),
	FILTER(THREAD, "thread", "THREAD", "only this thread: its number or name"),
	FILTER(PART, "part", "PART", "only this part: its number or file name"),
	FILTER(PROCESS, "process", "PROCESS", "only this process: its number or name"),
	FILTER(UNIT, "unit", "NAME", "only this unit of systemd's: nginx.service"),
	FILTER(LABEL, "label", "KEY=VALUE",
		"only samples with this label, of pprof's; KEY alone: with any value"),
	FILTER(TAGFOCUS, "tagfocus", "[KEY=]RE|RANGE",
		"only samples with a label that matches: thread=work, bytes=1mb:2gb, 30kb:"),
	FILTER(TAGIGNORE, "tagignore", "[KEY=]RE|RANGE", "no samples with a label that matches"),
	FILTER(TAGSHOW, "tagshow", "RE", "no labels but those whose key matches"),
	FILTER(TAGHIDE, "taghide", "RE", "no labels whose key matches"),
	FILTER(TAGROOT, "tagroot", "KEY,...",
		"the values of these labels as frames above each stack"),
	FILTER(TAGLEAF, "tagleaf", "KEY,...",
		"the values of these labels as frames below each stack"),
	AS_OPTION(as_asked_filter, relative, 0, "relative", NULL,
		"percentages of what filters leave, not of the whole"),
	AS_OPTION_END,
};

static const struct as_optdef symbol_opts[] = {
	AS_OPTION(as_asked_name, symbols, 0, "symbols", "auto|none",
		"name code that has only addresses, from its binaries (the default), or not"),
	AS_OPTION(as_asked_name, inlines, 0, "inline", "on|off",
		"inlined functions apart (the default), or as part of their callers"),
	AS_OPTION(as_asked_name, level, 0, "names", "full|noargs|notemplates|short",
		"how much of C++ and Rust names; default notemplates in text, else full"),
	AS_OPTION(as_asked_name, binary, 0, "binary", "PATH",
		"take names from this binary: that of the same build id, or name"),
	AS_OPTION(as_asked_name, path_map, 0, "path-map", "OLD=NEW",
		"files whose paths begin with OLD are below NEW now"),
	AS_OPTION(as_asked_name, symfs, 0, "symfs", "DIR", "binaries are below DIR, or in it"),
	AS_OPTION(as_asked_name, debug_dir, 0, "debug-dir", "DIR",
		"look for separate debug files in DIR, too"),
	AS_OPTION(as_asked_name, debuginfod, 0, "debuginfod", NULL,
		"ask the servers of $DEBUGINFOD_URLS for what is missing"),
	AS_OPTION(as_asked_name, force, 0, "force", NULL,
		"use binaries that are not the ones that were recorded"),
	AS_OPTION(as_asked_name, no_symbol_cache, 0, "no-symbol-cache", NULL,
		"neither use nor keep names that were found before"),
	AS_OPTION_END,
};

static const struct as_optdef write_opts[] = {
	AS_OPTION(as_asked_write, output, 'o', "output", "FILE",
		"write to FILE; '-' is stdout, DIR/ for formats of many files"),
	AS_OPTION(
		as_asked_write, to, 't', "to", "FORMAT", "write FORMAT; default: as FILE is named"),
	AS_OPTION(as_asked_write, overwrite, 'y', "overwrite", NULL, "replace FILE if it is there"),
	AS_OPTION(as_asked_write, strict, 0, "strict", NULL,
		"damaged input or any loss: write nothing"),
	AS_OPTION(as_asked_write, estimate_paths, 0, "estimate-paths", NULL,
		"make call paths out of calls, an estimate"),
	AS_OPTION(as_asked_write, contexts, 0, "contexts", "keep|paths",
		"f'2, f'caller: keep as names, or make call paths; else they are f but in "
		"Callgrind's format"),
	AS_OPTION(as_asked_write, opts, 'O', "write-option", "KEY=VALUE",
		"an option of the writer: assay formats -v"),
	AS_OPTION_END,
};

#define AT(group) offsetof(struct as_cli, ses.opt.group)

const struct as_group as_groups[] = {
	{"Output options", AS_GROUP_WRITE, write_opts, AT(write), NULL},
	{"View options", AS_GROUP_VIEW, view_opts, AT(view), NULL},
	{"Filters", AS_GROUP_FILTER, filter_opts, AT(filter), "filters (--focus RE ...)"},
	{"Name options", AS_GROUP_SYMBOLS, symbol_opts, AT(name), ""},
	{"Answer options", AS_GROUP_FORMAT, FORMS("text|json|csv"), AT(view), NULL},
	{"Answer options", AS_GROUP_TABLE, FORMS("text|json|csv|markdown"), AT(view), NULL},
	{"Answer options", AS_GROUP_DRAWN, FORMS("text|json|csv|markdown|svg"), AT(view), NULL},
	{"Database options", AS_GROUP_READ, database_opts, AT(database),
		"of a database (--epoch ...)"},
	{"URL options", AS_GROUP_READ | AS_GROUP_URL, url_opts, AT(url),
		"of a URL (--timeout ...)"},
	{"Input options", AS_GROUP_READ, read_opts, AT(read), ""},
	{"General options", 0, general_opts, 0, NULL},
	{NULL, 0, NULL, 0, NULL},
};

const struct as_cmd *const as_cmds[] = {
#define X(name) &as_cmd_##name,
	AS_COMMANDS(X)
#undef X
		NULL,
};

/* ---- where the command stands ---- */

/* Whether the option WORD of DEFS takes the next word: "--jobs" and "-qj" do, "--jobs=2" and "-j2"
 * do not. */
static bool takes_next(const struct as_optdef *defs, const char *word)
{
	for (const struct as_optdef *d = defs; d && d->name; d++) {
		if (d->kind == AS_OPT_FLAG)
			continue;
		if (word[1] == '-'
				? strcmp(word + 2, d->name) == 0
				: d->letter && strchr(word, d->letter) == word + strlen(word) - 1)
			return true;
	}
	return false;
}

bool as_cmd_takes_next(const struct as_cmd *cmd, const char *word)
{
	for (const struct as_group *g = as_groups; g->title; g++)
		if ((!g->bit || (cmd->groups & g->bit)) && takes_next(g->defs, word))
			return true;
	return takes_next(cmd->opts, word);
}

/* Of ARGV the first word that is no option of CMD, and no value of one. */
static int behind_options(const struct as_cmd *cmd, int argc, char *const *argv)
{
	int i = 1;

	while (i < argc && argv[i][0] == '-' && argv[i][1] && strcmp(argv[i], "--") != 0)
		i += as_cmd_takes_next(cmd, argv[i]) ? 2 : 1;
	return i < argc ? i : argc;
}

const struct as_cmd *as_cmd_find(int argc, char *const *argv, int *at)
{
	for (*at = 1; *at < argc; ++*at) {
		const struct as_cmd *cmd = as_cmd_by_name(argv[*at]);

		if (cmd && behind_options(cmd, argc, argv) == *at)
			return cmd;
	}
	*at = behind_options(as_cmd_by_name("show"), argc, argv);
	return NULL;
}
