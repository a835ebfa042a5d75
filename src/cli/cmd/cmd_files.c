/* SPDX-License-Identifier: Apache-2.0 */
/* assay files: the hottest source files. */
#include "cli/cmd/cmd_top.h"

static enum as_exit files_run(struct as_cli *cli, const void *args)
{
	return as_top_run(cli, args, AS_BY_FILE);
}

const struct as_cmd as_cmd_files = {
	AS_COMMAND(files, "FILE...", 1, AS_OPERANDS_ANY, files_run),
	AS_OWN_OPTIONS(as_top_by_opts, as_top_args),
	.brief = "the hottest source files: top --by file",
	.about = "Code without a source file is one row.\n",
	.examples = "assay files callgrind.out.1234\ttwenty hottest files\n"
		    "assay files FILE -n 0 -f csv\tall of them, for a spreadsheet",
	.groups = AS_VIEW_GROUPS,
};
