/* SPDX-License-Identifier: Apache-2.0 */
/* assay formats: what can be read and written, and what each format can carry. */
#include "cli/view_cmd.h"
#include "report/answers.h"

static enum as_exit formats_run(struct as_cli *cli, const void *argp)
{
	struct as_sheet_to to;

	(void)argp;
	AS_DO(as_cli_sheet(cli, &to));
	return as_say_code(
		&cli->ses, as_formats_print(cli->ses.al, &to, cli->ses.opt.tell.verbose), NULL);
}

const struct as_cmd as_cmd_formats = {
	AS_COMMAND(formats, "", 0, 0, formats_run),
	.brief = "what can be read and written; with -v what each format can carry",
	.about = "R: can be read, W: can be written. With -v also the options of readers (-I) and\n"
		 "writers (-O), and a table of what each format can carry: the rest is what a\n"
		 "conversion to it loses.\n",
	.examples = "assay formats\tall formats\nassay formats -v\ttheir options and capabilities",
	.groups = AS_GROUP_TABLE,
};
