/* SPDX-License-Identifier: Apache-2.0 */
/* assay objects: the hottest binaries. */
#include "cli/cmd/cmd_top.h"

static enum as_exit objects_run(struct as_cli *cli, const void *args)
{
	return as_top_run(cli, args, AS_BY_OBJECT);
}

const struct as_cmd as_cmd_objects = {
	AS_COMMAND(objects, "FILE...", 1, AS_OPERANDS_ANY, objects_run),
	AS_OWN_OPTIONS(as_top_by_opts, as_top_args),
	.brief = "the hottest binaries and libraries: top --by object",
	.about = "Objects need no names: their binaries are not looked at for this.\n",
	.examples = "assay objects cpu.prof\twhich library?\n"
		    "assay objects FILE --sort inclusive\twith all that they call",
	.groups = AS_VIEW_GROUPS,
};
