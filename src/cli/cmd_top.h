/* SPDX-License-Identifier: Apache-2.0 */
/* What `top` shares with the commands that are `top --by` something. */
#ifndef AS_CLI_CMD_TOP_H
#define AS_CLI_CMD_TOP_H

#include "cli/cli.h"

struct as_top_args {
	unsigned by; /* an enum as_by + 1; 0 = not given */
	struct as_num rows;
	const char *sort, *events, *unit;
	struct as_list metrics;
	bool cumulative;
};

extern const struct as_optdef as_top_by_opts[]; /* without --by */
enum as_exit as_top_run(struct as_cli *cli, const struct as_top_args *args, enum as_by by);

enum { AS_TOP_GROUPS = AS_GROUP_READ | AS_GROUP_FORMAT | AS_GROUP_VIEW | AS_GROUP_SYMBOLS };

#endif
