/* SPDX-License-Identifier: Apache-2.0 */
/* assay convert: one profile in another format, and what that loses. */
#include "cli/cli.h"
#include "session/load.h"
#include "session/save.h"

static enum as_exit convert_run(struct as_cli *cli, const void *argp)
{
	struct as_save save;

	(void)argp;
	AS_DO(as_save_plan(&cli->ses, &save));
	if (!save.fmt)
		return as_save_no_format(&cli->ses, &save);
	return as_save_files(&cli->ses, &save, as_cli_files(cli), true, NULL);
}

const struct as_cmd as_cmd_convert = {
	AS_COMMAND(convert, "FILE -o OUT", 1, 1, convert_run),
	.brief = "write a profile in another format, and say what is lost",
	.about = "What the new format cannot carry is told on stderr, a line per kind, with the\n"
		 "amount. Sums downwards (paths to calls to places) are exact. Call paths out of "
		 "calls\n"
		 "would be an estimate: they are made with --estimate-paths only.\n",
	.examples = "assay convert cpu.prof -o callgrind.out.1\tfor KCachegrind\n"
		    "assay convert FILE -t gperf -o - | pprof -\tthrough a pipe\n"
		    "assay convert FILE -t dcpi -o DIR/\ta file per image and event\n"
		    "assay convert FILE -o OUT --strict\trefuse if anything gets lost",
	.groups = AS_GROUP_READ | AS_GROUP_WRITE,
};
