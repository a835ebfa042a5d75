/* SPDX-License-Identifier: Apache-2.0 */
/* assay help: the commands, or one of them. */
#include <stdio.h>

#include "cli/cli.h"
#include "session/near.h"

static enum as_exit help_unknown(struct as_cli *cli, const char *word)
{
	struct as_usage usage;

	snprintf(usage.what, sizeof(usage.what), "there is no command '%.100s'", word);
	as_nearest_hint(usage.hint, sizeof(usage.hint), "", as_cmd_near(word),
		"see the commands: assay help");
	as_cli_usage(cli, &usage);
	return AS_EXIT_USAGE;
}

static enum as_exit help_run(struct as_cli *cli, const void *argp)
{
	const struct as_cmd *cmd = NULL;
	struct as_out *out;

	(void)argp;
	if (cli->n_operands) {
		cmd = as_cmd_by_name(cli->operand[0]);
		if (!cmd)
			return help_unknown(cli, cli->operand[0]);
	}
	AS_DO(as_cli_out(cli, &out));
	if (cmd)
		as_help_full(cli, cmd, out);
	else
		as_help_overview(cli, out);
	return AS_EXIT_OK;
}

const struct as_cmd as_cmd_help = {
	AS_COMMAND(help, "[COMMAND]", 0, 1, help_run),
	.brief = "how assay or one of its commands is used",
	.examples = "assay help\tall commands\nassay help top\tall about one of them",
	.plain = true,
};
