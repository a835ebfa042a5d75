/* SPDX-License-Identifier: Apache-2.0 */
/* assay help: the commands, or one of them. */
#include <stdio.h>

#include "cli/cli.h"
#include "session/near.h"

static enum as_exit help_run(struct as_cli *cli, const void *argp)
{
	const char *names[32], *near;
	const struct as_cmd *cmd = NULL;
	struct as_usage usage = {0};
	struct as_out *out;
	size_t n = 0;

	(void)argp;
	if (cli->n_operands) {
		const char *word = cli->operand[0];

		cmd = as_cmd_by_name(word);
		for (size_t i = 0; as_cmds[i] && n < AS_ARRAY_LEN(names); i++)
			names[n++] = as_cmds[i]->name;
		near = as_nearest(word, names, n);
		snprintf(usage.what, sizeof(usage.what), "there is no command '%.100s'", word);
		if (near)
			snprintf(usage.hint, sizeof(usage.hint), "did you mean '%s'?", near);
		else
			snprintf(usage.hint, sizeof(usage.hint), "see the commands: assay help");
		if (!cmd) {
			as_cli_usage(cli, &usage);
			return AS_EXIT_USAGE;
		}
	}
	if (as_cli_out(cli, &out) != AS_OK)
		return as_say_no_memory(&cli->ses);
	if (cmd)
		as_help_full(cli, cmd, out);
	else
		as_help_overview(cli, out);
	return AS_EXIT_OK;
}

const struct as_cmd as_cmd_help = {
	.name = "help",
	.args = "[COMMAND]",
	.brief = "how assay or one of its commands is used",
	.examples = "assay help\tall commands\nassay help top\tall about one of them",
	.max = 1,
	.run = help_run,
};
