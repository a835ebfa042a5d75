/* SPDX-License-Identifier: Apache-2.0 */
/* assay FILE, assay show FILE: one screen. */
#include "browse/browse.h"
#include "cli/cli.h"
#include "report/answers.h"
#include "session/load.h"

struct show_args {
	struct as_num rows;
	bool no_keys;
};

static const struct as_optdef show_opts[] = {
	AS_OPTION(show_args, rows, 'n', "rows", "N", "rows of the table; default 10"),
	AS_OPTION(show_args, no_keys, 0, "no-keys", NULL,
		"on a terminal, too: end at once, offer no key"),
	AS_OPTION_END,
};

static enum as_exit show_print(
	struct as_cli *cli, const struct show_args *args, const struct as_inputs *in)
{
	size_t n = in->loaded.n, size = (n + 1) * sizeof(void *);
	const struct as_findings **findings = as_alloc_new(cli->ses.al, size);
	struct as_screen sc = {
		.prof = in->prof,
		.files = in->file.p,
		.n_files = in->file.n,
		.findings = findings,
		.n_findings = n + 1,
		.rows = args->rows.value,
		.keep_contexts = cli->ses.opt.view.contexts >= AS_CONTEXTS_KEEP,
		.no_cycles = cli->ses.opt.view.cycles == AS_CYCLES_NO,
	};
	struct as_err err = AS_ERR_NONE;
	struct as_out *out;
	enum as_exit rc;

	AS_DO(as_say_memory(&cli->ses, findings));
	for (size_t i = 0; i < n; i++)
		findings[i] = &in->loaded.p[i].findings;
	findings[n] = &in->findings;
	rc = as_cli_out(cli, &out);
	AS_THEN(rc, as_say_code(&cli->ses, as_screen_text(&sc, out, &cli->style, &err), &err));
	as_alloc_free(cli->ses.al, findings, size);
	return rc;
}

/* On a terminal a key goes on from the screen. */
static enum as_exit show_offer(struct as_cli *cli, const struct show_args *args)
{
	struct as_browse_ask ask = {.file = cli->operand, .n_files = cli->n_operands};

	if (args->no_keys || cli->n_operands != 1 || strcmp(cli->operand[0], "-") == 0)
		return AS_EXIT_OK;
	AS_DO(as_cli_out_close(cli, AS_EXIT_OK));
	return as_browse_key_asked(cli) ? as_browse_cmd(cli, &ask, 0) : AS_EXIT_OK;
}

static enum as_exit show_run(struct as_cli *cli, const void *argp)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FUNC};
	struct as_inputs in;
	enum as_exit rc;

	if (cli->ses.opt.view.format > AS_FORMAT_TEXT)
		return as_say_usage(&cli->ses, "the one screen is text, for people",
			"for programs: assay top FILE -f json, assay info FILE -f json");
	rc = as_inputs_load(&cli->ses, as_cli_files(cli), &opts, true, &in);
	AS_THEN(rc, as_inputs_view(&cli->ses, &in));
	AS_THEN(rc, show_print(cli, argp, &in));
	as_inputs_release(&in);
	return rc == AS_EXIT_OK ? show_offer(cli, argp) : rc;
}

const struct as_cmd as_cmd_show = {
	AS_COMMAND(show, "FILE...", 1, AS_OPERANDS_ANY, show_run),
	AS_OWN_OPTIONS(show_opts, show_args),
	.brief = "one screen: what it is, is it sound, what is hot (also: assay FILE)",
	.about = "'assay FILE' is the same; 'assay show FILE' works for a file that is named like "
		 "a\n"
		 "command, too. Several files are shown as one profile.\n",
	.examples = "assay callgrind.out.1234\twhat is in there?\n"
		    "zcat big.prof.gz | assay -\t'-' is standard input\n"
		    "assay callgrind.out.7 --all-parts\tall dumps and threads of that run",
	.groups = AS_GROUP_READ | AS_GROUP_FORMAT | AS_GROUP_VIEW | AS_GROUP_SYMBOLS |
		  AS_GROUP_FILTER,
};
