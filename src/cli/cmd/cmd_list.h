/* SPDX-License-Identifier: Apache-2.0 */
/* What `list` and `asm` share. */
#ifndef AS_CLI_CMD_CMD_LIST_H
#define AS_CLI_CMD_CMD_LIST_H

#include "cli/cli.h"
#include "session/list/list.h"

#define AS_LISTING_OPTION(member, letter, name, arg, help) \
	AS_OPTION(as_listing_args, member, letter, name, arg, help)
/* The first of their options, and the last. */
#define AS_LISTING_FIRST                                                                  \
	AS_LISTING_OPTION(                                                                \
		events, 'e', "event", "LIST", "only these events, in this order: Ir,Dr"), \
		AS_LISTING_OPTION(functions, 'n', "functions", "N",                       \
			"functions, if several match; 0 = all; default 10")
#define AS_LISTING_LAST                                                 \
	AS_LISTING_OPTION(syntax, 0, "syntax", "att|intel",             \
		"how instructions of x86 are written; default att"),    \
		AS_LISTING_OPTION(source_path, 0, "source-path", "DIR", \
			"look for source files in DIR, too; may be repeated")

/* ARGS with `code`: instructions. */
enum as_exit as_list_run(struct as_cli *cli, const struct as_listing_args *args);

#endif
