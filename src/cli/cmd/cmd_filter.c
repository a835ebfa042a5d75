/* SPDX-License-Identifier: Apache-2.0 */
/* assay filter: what the filters choose, as a profile. */
#include "cli/cli.h"
#include "session/filtering.h"
#include "session/load.h"
#include "session/save.h"

static enum as_exit filter_change(const struct as_session *ses, struct as_inputs *in)
{
	if (as_fields_want_names(ses->filters->fields))
		AS_DO(as_inputs_name(ses, in));
	AS_DO(as_inputs_context_paths(ses, in, ses->opt.write.contexts == AS_WRITE_CONTEXTS_PATHS));
	AS_DO(as_inputs_filter(ses, in));
	return as_session_rename(ses, &in->prof);
}

static enum as_exit cmd_filter_run(struct as_cli *cli, const void *argp)
{
	struct as_save save;

	(void)argp;
	if (!as_filters_any(&cli->ses))
		return as_say_usage(&cli->ses, "what is to stay? there is no filter",
			"one of them: --focus RE");
	AS_DO(as_save_plan(&cli->ses, &save));
	return as_save_files(&cli->ses, &save, as_cli_files(cli), true, filter_change);
}

const struct as_cmd as_cmd_filter = {
	AS_COMMAND(filter, "FILE... -o OUT", 1, AS_OPERANDS_ANY, cmd_filter_run),
	.brief = "write what filters choose of a profile",
	.about = "The filters are those of 'top' and its like. Code that has only addresses is "
		 "named\n"
		 "first, so that functions can be chosen. The format is that of OUT's name or -t, "
		 "else\n"
		 "that of the input. Several files are merged first.\n",
	.examples =
		"assay filter cpu.prof --focus parse -o parse.prof\tsamples in or below parse\n"
		"assay filter callgrind.out.7 --thread 2 -o callgrind.out.7-02\tone thread\n"
		"assay filter FILE --hide 'obj:libc' -o OUT\twhat libc cost goes to its callers",
	.groups = AS_GROUP_READ | AS_GROUP_FILTER | AS_GROUP_SYMBOLS | AS_GROUP_WRITE,
};
