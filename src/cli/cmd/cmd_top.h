/* SPDX-License-Identifier: Apache-2.0 */
/* What `top` shares with the commands that are `top --by` something. */
#ifndef AS_CLI_CMD_CMD_TOP_H
#define AS_CLI_CMD_CMD_TOP_H

#include "cli/pprof_options.h"
#include "table/project.h"

struct as_top_args {
	struct as_keyword by; /* place in the list of --by */
	struct as_num rows;
	const char *sort, *events, *unit, *over;
	struct as_list metrics;
	bool cumulative;
};

extern const struct as_optdef as_top_by_opts[]; /* without --by */
/* BY: an enum as_by, or one of these. */
enum { AS_TOP_BY_PART = AS_BY_FILEFUNC + 1, AS_TOP_BY_THREAD, AS_TOP_BY_PROCESS, AS_TOP_BY_LABEL };
enum as_exit as_top_run(struct as_cli *cli, const struct as_top_args *args, unsigned by);

enum {
	AS_TOP_GROUPS =
		AS_GROUP_READ | AS_GROUP_TABLE | AS_GROUP_VIEW | AS_GROUP_SYMBOLS | AS_GROUP_FILTER
};

/* --compat=pprof: top_pprof.c. */
struct as_top_pprof {
	bool asked; /* the answer is pprof's text, if the profile fits */
	struct as_pprof_opts opts;
};
/* Before anything is read. */
void as_top_pprof_begin(
	struct as_cli *cli, const struct as_top_args *args, unsigned by, struct as_top_pprof *tp);
enum as_exit as_top_as_pprof(
	struct as_cli *cli, const struct as_profile *prof, struct as_pprof_opts *opts);

#endif
