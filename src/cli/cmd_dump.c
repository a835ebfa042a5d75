/* SPDX-License-Identifier: Apache-2.0 */
/* assay dump: all of a profile as canonical text, the language of the tests. */
#include "cli/load.h"
#include "cli/save.h"

static enum as_exit dump_run(struct as_cli *cli, const void *argp)
{
	struct as_load_opts opts = {.detail = AS_DETAIL_FULL};
	struct as_save save = {
		.fmt = as_format_by_name(as_slice_of("dump")), .path = "-", .to_stdout = true};
	struct as_inputs in;
	enum as_exit rc;

	(void)argp;
	if (!save.fmt || !save.fmt->write) {
		as_cli_error(
			cli, "this build has no format 'dump'", "see what it has: assay formats");
		return AS_EXIT_UNSUPPORTED;
	}
	rc = as_inputs_load(cli, &opts, true, &in);
	if (rc == AS_EXIT_OK)
		rc = as_save_run(cli, &save, in.prof, &in.losses);
	as_inputs_release(&in);
	return rc;
}

const struct as_cmd as_cmd_dump = {
	.name = "dump",
	.args = "FILE...",
	.brief = "all that a profile holds, as canonical text",
	.about = "Equal profiles give equal text, whatever format they come from: compare with "
		 "diff.\n",
	.examples = "assay dump cpu.prof\tevery table of the profile\n"
		    "assay dump a > a.txt; assay dump b | diff a.txt -\twhat differs?",
	.groups = AS_GROUP_READ,
	.min = 1,
	.max = AS_OPERANDS_ANY,
	.run = dump_run,
};
