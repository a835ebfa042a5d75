/* SPDX-License-Identifier: Apache-2.0 */
/* What `top` shares with the commands that are `top --by` something. */
#ifndef AS_CLI_CMD_CMD_TOP_H
#define AS_CLI_CMD_CMD_TOP_H

#include "cli/view_cmd.h"
#include "table/project.h"

struct as_top_args {
	struct as_keyword by; /* place in the list of --by */
	struct as_num rows;
	const char *sort, *events, *unit, *over;
	struct as_list metrics;
	bool cumulative;
};

extern const struct as_optdef as_top_by_opts[]; /* without --by */
/* BY: an enum as_by, or one of top's own. */
enum as_exit as_top_run(struct as_cli *cli, const struct as_top_args *args, unsigned by);

#endif
