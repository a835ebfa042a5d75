/* SPDX-License-Identifier: Apache-2.0 */
/* assay: finds the command and runs it. `assay FILE` is `assay show FILE`. */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "cli/complete/complete.h"
#include "cli/config.h"
#include "io/host_alloc.h"
#include "session/near.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static enum as_exit main_overview(struct as_cli *cli)
{
	struct as_out *out;

	AS_DO(as_cli_out(cli, &out));
	as_help_overview(cli, out);
	return as_cli_out_close(cli, AS_EXIT_OK);
}

static enum as_exit main_version(struct as_cli *cli, bool json)
{
	struct as_out *out;

	AS_DO(as_cli_out(cli, &out));
	as_help_version(out, json);
	return as_cli_out_close(cli, AS_EXIT_OK);
}

/* A word that was meant to be a command: no file, and spelt like one. */
static bool is_mistyped_command(const char *word)
{
	if (!islower((unsigned char)word[0]))
		return false;
	for (const char *p = word; *p; p++)
		if (!islower((unsigned char)*p) && *p != '-')
			return false;
	return access(word, F_OK) != 0;
}

/* What perf, pprof and others call the commands that are ours under another name. */
static const char *peers_command(const char *word)
{
	static const char *const ours[][2] = {
		{"annotate", "list"},
		{"comments", "info"},
		{"disasm", "asm"},
		{"evlist", "info"},
		{"flamegraph", "flame"},
		{"gate", "diff --fail-if"},
		{"load", "open"},
		{"raw", "dump"},
		{"report", "top"},
		{"script", "traces"},
		{"stat", "info"},
		{"text", "top"},
		{"view", "open"},
		{"web", "open"},
		{"weblist", "open"},
	};

	for (size_t i = 0; i < AS_ARRAY_LEN(ours); i++)
		if (strcmp(word, ours[i][0]) == 0)
			return ours[i][1];
	return NULL;
}

static enum as_exit unknown_command(struct as_cli *cli, const char *word)
{
	struct as_usage usage = {0};
	const char *near = peers_command(word);

	if (!near)
		near = as_cmd_near(word);
	snprintf(usage.what, sizeof(usage.what), "'%s' is neither a command nor a file", word);
	as_nearest_hint(usage.hint, sizeof(usage.hint), "assay ", near, "");
	as_cli_usage(cli, &usage);
	return AS_EXIT_USAGE;
}

/* Whether one of ARGV[1..AT) is LETTER or NAME. */
static bool has_option(int at, char *const *argv, const char *letter, const char *name)
{
	for (int i = 1; i < at; i++)
		if (strcmp(argv[i], letter) == 0 || strcmp(argv[i], name) == 0)
			return true;
	return false;
}

static enum as_exit main_dispatch(struct as_cli *cli, int argc, char **argv)
{
	int at;
	const struct as_cmd *cmd = as_cmd_find(argc, argv, &at);

	as_cli_begin(cli);
	if (strcmp(argv[1], AS_COMPLETE_WORD) == 0)
		return as_complete(cli, argc - 2, argv + 2);
	if (!cmd && has_option(at, argv, "-V", "--version"))
		return main_version(cli, has_option(at, argv, "--json", "--json"));
	if (at == argc && has_option(at, argv, "-h", "--help"))
		return main_overview(cli);
	if (!cmd) {
		if (at < argc && is_mistyped_command(argv[at]))
			return unknown_command(cli, argv[at]);
		return as_cli_run(cli, as_cmd_by_name("show"), argc - 1, argv + 1);
	}
	/* Options that stood before the command are the command's, too. */
	for (int i = at; i > 1; i--)
		argv[i] = argv[i - 1];
	return as_cli_run(cli, cmd, argc - 2, argv + 2);
}

/* Three quarters of the machine's memory: the others need some, too. */
static uint64_t usual_limit(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);

	return pages > 0 && size > 0 ? (uint64_t)pages / 4 * 3 * (uint64_t)size : UINT64_MAX;
}

int main(int argc, char **argv)
{
	struct as_limit limit;
	struct as_cli cli = {.ses = {.al = &limit.al, .limit = &limit}};
	struct as_config config;
	enum as_exit rc;

	as_limit_init(&limit, &as_alloc_host, usual_limit());
	as_host_give_back();
	/* Writing into a closed pipe is an error like others: temporaries get removed. */
	cli.no_sigpipe = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
	as_term_init(&cli);
	as_term_apply(&cli, 0);
	if (argc < 2) {
		fputs("usage: assay FILE... | assay COMMAND [OPTION...] FILE...\n"
		      "       see the commands: assay -h\n",
			stderr);
		return AS_EXIT_USAGE;
	}
	if (strcmp(argv[1], AS_COMPLETE_WORD) == 0)
		as_complete_hurry();
	as_config_load(&config, &cli);
	rc = main_dispatch(&cli, argc, argv);
	as_config_release(&config);
	return (int)rc;
}
