/* SPDX-License-Identifier: Apache-2.0 */
/* assay formats: what can be read and written, and what each format can carry. */
#include "cli/cli.h"
#include "report/formats_list.h"

static enum as_exit formats_run(struct as_cli *cli, const void *argp)
{
	struct as_out *out;

	(void)argp;
	if (as_cli_out(cli, &out) != AS_OK)
		return as_say_no_memory(&cli->ses);
	if (cli->ses.opt.format == AS_FORMAT_JSON)
		as_formats_json(out);
	else if (cli->ses.opt.format == AS_FORMAT_CSV)
		as_formats_csv(out);
	else if (as_formats_text(cli->ses.al, out, &cli->style, cli->ses.opt.verbose) != AS_OK)
		return as_say_no_memory(&cli->ses);
	return AS_EXIT_OK;
}

const struct as_cmd as_cmd_formats = {
	.name = "formats",
	.args = "",
	.brief = "what can be read and written; with -v what each format can carry",
	.about = "R: can be read, W: can be written. With -v also the options of readers (-I) and\n"
		 "writers (-O), and a table of what each format can carry: the rest is what a\n"
		 "conversion to it loses.\n",
	.examples = "assay formats\tall formats\nassay formats -v\ttheir options and capabilities",
	.groups = AS_GROUP_FORMAT,
	.run = formats_run,
};
