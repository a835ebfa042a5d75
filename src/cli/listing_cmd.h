/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay list` and `assay asm` share. */
#ifndef AS_CLI_LISTING_CMD_H
#define AS_CLI_LISTING_CMD_H

#include "cli/cli.h"
#include "session/list.h"

#define AS_LISTING_OPTION(member, kind, letter, name, arg, help) \
	AS_OPTION(as_listing_args, member, kind, letter, name, arg, help)

/* The operands are FUNC and FILE... */
enum as_exit as_listing_run(struct as_cli *cli, const struct as_listing_args *args);

#endif
