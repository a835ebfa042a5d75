/* SPDX-License-Identifier: Apache-2.0 */
/* assay symbolize: the names of its binaries put into a profile. */

#include "cli/cli.h"
#include "session/load.h"
#include "session/save.h"

/* Names that would be lost at once are a mistake, and a quiet one. */
static enum as_exit check_format(struct as_cli *cli, const struct as_save *save)
{
	if (save->fmt->caps & AS_CAP(FUNCS))
		return AS_EXIT_OK;
	return as_say_endf(&cli->ses, AS_EXIT_UNSUPPORTED, "one that holds both: -t callgrind",
		"nothing written: the format '%s' holds addresses, no names", save->fmt->name);
}

static enum as_exit symbolize_change(const struct as_session *ses, struct as_inputs *in)
{
	AS_DO(as_inputs_name(ses, in));
	AS_DO(as_session_rename(ses, &in->prof));
	return as_inputs_context_paths(ses, in, ses->opt.write.contexts == AS_WRITE_CONTEXTS_PATHS);
}

static enum as_exit symbolize_run(struct as_cli *cli, const void *argp)
{
	struct as_session ses = cli->ses;
	struct as_save save;

	(void)argp;
	AS_DO(as_save_plan(&ses, &save));
	if (!ses.opt.name.symbols) /* asked for in so many words, whatever the environment says */
		ses.opt.name.symbols = AS_SYMBOLS_AUTO;
	if (!save.fmt)
		return as_save_no_format(&ses, &save);
	AS_DO(check_format(cli, &save));
	return as_save_files(&ses, &save, as_cli_files(cli), true, symbolize_change);
}

const struct as_cmd as_cmd_symbolize = {
	AS_COMMAND(symbolize, "FILE -o OUT", 1, 1, symbolize_run),
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
};
