/* SPDX-License-Identifier: Apache-2.0 */
/* assay objects: the hottest binaries. */
#include "cli/cmd/cmd_top.h"

#include "table/project.h"

static enum as_exit objects_run(struct as_cli *cli, const void *args)
{
	return as_top_run(cli, args, AS_BY_OBJECT);
}

const struct as_cmd as_cmd_objects = {
	.name = "objects",
	.args = "FILE...",
	.brief = "the hottest binaries and libraries: top --by object",
	.about = "Objects need no names: their binaries are not looked at for this.\n",
	.examples = "assay objects cpu.prof\twhich library?\n"
		    "assay objects FILE --sort inclusive\twith all that they call",
	.groups = AS_TOP_GROUPS,
	.min = 1,
	.max = AS_OPERANDS_ANY,
	.opts = as_top_by_opts,
	.args_size = sizeof(struct as_top_args),
	.run = objects_run,
};
