/* SPDX-License-Identifier: Apache-2.0 */
/* assay symbolize: the names of its binaries put into a profile. */
#include <stdio.h>

#include "cli/cli.h"
#include "session/load.h"
#include "session/save.h"

/* Names that would be lost at once are a mistake, and a quiet one. */
static enum as_exit check_format(struct as_cli *cli, const struct as_save *save)
{
	char what[160];

	if (save->fmt->caps & AS_CAP(FUNCS))
		return AS_EXIT_OK;
	snprintf(what, sizeof(what), "nothing written: the format '%s' holds addresses, no names",
		save->fmt->name);
	return as_say_end(
		&cli->ses, AS_EXIT_UNSUPPORTED, what, "one that holds both: -t callgrind");
}

static enum as_exit symbolize_run(struct as_cli *cli, const void *argp)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL, .strict = cli->ses.opt.write.strict};
	struct as_session ses = cli->ses;
	struct as_save save;
	struct as_inputs in;
	enum as_exit rc = as_save_plan(&ses, &save);

	(void)argp;
	if (!ses.opt.name.symbols) /* asked for in so many words, whatever the environment says */
		ses.opt.name.symbols = AS_SYMBOLS_AUTO;
	if (rc == AS_EXIT_OK && !save.fmt)
		rc = as_save_no_format(&cli->ses, &save);
	if (rc == AS_EXIT_OK)
		rc = check_format(cli, &save);
	if (rc != AS_EXIT_OK)
		return rc;
	opts.moments = as_save_wants_moments(&save);
	rc = as_inputs_load(&ses, as_cli_files(cli), &opts, true, &in);
	if (rc == AS_EXIT_OK)
		rc = as_inputs_name(&ses, &in);
	if (rc == AS_EXIT_OK)
		rc = as_session_rename(&cli->ses, &in.prof);
	if (rc == AS_EXIT_OK)
		rc = as_save_inputs(&cli->ses, &save, &in);
	as_inputs_release(&in);
	return rc;
}

const struct as_cmd as_cmd_symbolize = {
	.name = "symbolize",
	.args = "FILE -o OUT",
	.brief = "write a profile with the names of its functions, files and lines",
	.about = "Code that has only addresses is named as its binaries and their debug "
		 "information\n"
		 "have it; costs stay what they are. What cannot be found keeps its addresses "
		 "and is\n"
		 "told. The format of OUT must be one that holds names.\n",
	.examples =
		"assay symbolize cpu.prof -o callgrind.out.1\tto be read elsewhere\n"
		"assay symbolize cpu.prof --symfs ./rootfs -o OUT\tbinaries of another machine\n"
		"assay symbolize cpu.prof --binary ./server -o OUT\tone that moved",
	.groups = AS_GROUP_READ | AS_GROUP_SYMBOLS | AS_GROUP_WRITE,
	.min = 1,
	.max = 1,
	.run = symbolize_run,
};
