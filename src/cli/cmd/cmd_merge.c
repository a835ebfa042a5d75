/* SPDX-License-Identifier: Apache-2.0 */
/* assay merge: many profiles as one. */
#include "cli/cli.h"
#include "session/load.h"
#include "session/save.h"

struct merge_args {
	bool keep_parts;
};

static const struct as_optdef merge_opts[] = {
	AS_OPTION(merge_args, keep_parts, 'k', "keep-parts", NULL,
		"keep the inputs apart, as parts of the result"),
	AS_OPTION_END,
};

static enum as_exit merge_run(struct as_cli *cli, const void *argp)
{
	const struct merge_args *args = argp;
	struct as_save save;

	AS_DO(as_save_plan(&cli->ses, &save));
	return as_save_files(&cli->ses, &save, as_cli_files(cli), args->keep_parts, NULL);
}

const struct as_cmd as_cmd_merge = {
	AS_COMMAND(merge, "FILE... -o OUT", 1, AS_OPERANDS_ANY, merge_run),
	AS_OWN_OPTIONS(merge_opts, merge_args),
	.brief = "add many profiles up to one",
	.about = "Events are matched by name, functions by name, object and file, places in an "
		 "object\n"
		 "by their offset: runs under address randomisation become one. The format is that "
		 "of\n"
		 "OUT's name or -t, else that of the inputs if all have the same. With "
		 "--keep-parts\n"
		 "each input stays a part, where the format can carry parts.\n",
	.examples =
		"assay merge run1.prof run2.prof -o all.prof\ttwo runs as one\n"
		"assay merge callgrind.out.7 --all-parts -o callgrind.out.all\tthreads and dumps",
	.groups = AS_GROUP_READ | AS_GROUP_WRITE,
};
