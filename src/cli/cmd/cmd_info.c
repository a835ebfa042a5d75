/* SPDX-License-Identifier: Apache-2.0 */
/* assay info: what a profile is and holds, one after the other. */
#include "cli/pprof_options.h"
#include "compat/pprof/pprof_text.h"
#include "report/answers.h"
#include "session/filtering.h"

static enum as_exit print_with(struct as_cli *cli, const struct as_info *info, struct as_out *out)
{
	enum as_code code = AS_OK;

	if (as_pprof_is_asked(cli) && as_pprof_fits(info->prof))
		code = as_pprof_comments(info->prof, out, NULL);
	else if (cli->ses.opt.view.format == AS_FORMAT_JSON)
		code = as_info_json(info, out);
	else
		code = as_info_text(info, out, &cli->style);
	return as_say_code(&cli->ses, code, NULL);
}

static enum as_exit info_print(struct as_cli *cli, const struct as_profile *prof, const char *name,
	const struct as_symbol_report *symbols)
{
	struct as_name_shares names;
	struct as_info info = {.prof = prof, .name = name, .names = &names};
	struct as_out *out;
	enum as_exit rc;

	rc = as_say_code(&cli->ses, as_name_shares_make(&names, prof, symbols), NULL);
	AS_THEN(rc, as_cli_out(cli, &out));
	AS_THEN(rc, print_with(cli, &info, out));
	as_name_shares_release(&names);
	return rc;
}

/* One file; or the files of one run, or of a database, as one profile. */
static enum as_exit info_one(struct as_cli *cli, struct as_files files)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL};
	struct as_inputs in;
	enum as_exit rc = as_inputs_load(&cli->ses, files, &opts, true, &in);

	AS_THEN(rc, as_inputs_view(&cli->ses, &in));
	AS_THEN(rc, info_print(cli, in.prof, files.path[0], &in.symbols));
	as_inputs_release(&in);
	return rc;
}

static enum as_exit info_run(struct as_cli *cli, const void *argp)
{
	enum as_exit rc = AS_EXIT_OK;

	(void)argp;
	if (cli->ses.opt.view.format == AS_FORMAT_CSV)
		return as_say_usage(&cli->ses, "'info' is no table: there is no CSV of it",
			"use --format json or text");
	if (cli->ses.opt.read.all_parts)
		return info_one(cli, as_cli_files(cli));
	for (size_t i = 0; i < cli->n_operands; i++) {
		struct as_out *out;
		enum as_exit one;

		if (i && cli->ses.opt.view.format != AS_FORMAT_JSON &&
			as_cli_out(cli, &out) == AS_EXIT_OK)
			as_out_char(out, '\n');
		one = info_one(cli, (struct as_files){cli->operand + i, 1});
		if (one > rc)
			rc = one;
	}
	return rc;
}

const struct as_cmd as_cmd_info = {
	AS_COMMAND(info, "FILE...", 1, AS_OPERANDS_ANY, info_run),
	.brief = "what a profile is and holds: format, program, events, counts, parts",
	.about = "Several files are told one after the other, in JSON as one document each.\n"
		 "With --compat=pprof: the comments of the profile, as `pprof -comments' prints "
		 "them.\n",
	.examples = "assay info cpu.prof\tformat, period, mappings\n"
		    "assay info FILE -f json\tfor programs: assay.info/1\n"
		    "assay info callgrind.out.7 --all-parts\tall dumps and threads of that run",
	.groups = AS_GROUP_READ | AS_GROUP_TABLE | AS_GROUP_SYMBOLS | AS_GROUP_FILTER,
};
