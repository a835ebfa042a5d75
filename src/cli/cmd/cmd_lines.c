/* SPDX-License-Identifier: Apache-2.0 */
/* assay lines: the hottest source lines. */
#include "cli/cmd/cmd_top.h"

static enum as_exit lines_run(struct as_cli *cli, const void *args)
{
	return as_top_run(cli, args, AS_BY_LINE);
}

const struct as_cmd as_cmd_lines = {
	AS_COMMAND(lines, "FILE...", 1, AS_OPERANDS_ANY, lines_run),
	AS_OWN_OPTIONS(as_top_by_opts, as_top_args),
	.brief = "the hottest source lines: top --by line",
	.about = "Lines are those of the profile, or of the debug information of its binaries. A "
		 "line that was\n"
		 "inlined somewhere is a row for each function that it was inlined into or belongs "
		 "to.\n",
	.examples = "assay lines callgrind.out.1234\ttwenty hottest lines\n"
		    "assay lines cpu.prof --binary ./server\tthe binary is here now",
	.groups = AS_VIEW_GROUPS,
};
