/* SPDX-License-Identifier: Apache-2.0 */
/* assay dump: all of a profile as canonical text, the language of the tests. */
#include "cli/cli.h"
#include "session/load.h"
#include "session/save.h"

/* Of one file only: pprof would merge several. */
static enum as_exit dump_raw(struct as_cli *cli)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL};
	struct as_loaded ld;
	enum as_exit rc = AS_EXIT_OK;

	if (cli->n_operands > 1 || cli->ses.opt.read.all_parts)
		return as_say_usage(&cli->ses, "--compat=pprof dumps one file at a time",
			"several as one: assay merge FILE... -o NEW.pb.gz");
	AS_DO(as_cli_out(cli, &opts.raw));
	as_load(&cli->ses, cli->operand[0], &opts, &ld);
	if (ld.rc != AS_OK)
		rc = as_say_failed(&cli->ses, &ld.err, NULL);
	as_loaded_release(&ld);
	return rc;
}

static enum as_exit dump_run(struct as_cli *cli, const void *argp)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL, .moments = true, .markers = true};
	struct as_save save = {
		.fmt = as_format_by_name(as_slice_of("dump")), .path = "-", .to_stdout = true};
	struct as_inputs in;
	enum as_exit rc;

	(void)argp;
	if (cli->ses.opt.read.compat)
		return dump_raw(cli);
	if (!save.fmt || !save.fmt->write)
		return as_say_end(&cli->ses, AS_EXIT_UNSUPPORTED, "this build has no format 'dump'",
			"see what it has: assay formats");
	rc = as_inputs_load(&cli->ses, as_cli_files(cli), &opts, true, &in);
	AS_THEN(rc, as_save_run(&cli->ses, &save, in.prof, &in.losses));
	as_inputs_release(&in);
	return rc;
}

const struct as_cmd as_cmd_dump = {
	AS_COMMAND(dump, "FILE...", 1, AS_OPERANDS_ANY, dump_run),
	.brief = "all that a profile holds, as canonical text",
	.about = "Equal profiles give equal text, whatever format they come from: compare with "
		 "diff.\n"
		 "With --compat=pprof it is what `pprof -raw' prints of the file.\n",
	.examples = "assay dump cpu.prof\tevery table of the profile\n"
		    "assay dump a > a.txt; assay dump b | diff a.txt -\twhat differs?\n"
		    "assay dump cpu.pb.gz --compat=pprof\tas pprof -raw does",
	.groups = AS_GROUP_READ,
};
