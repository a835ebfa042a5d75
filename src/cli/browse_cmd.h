/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AS_CLI_BROWSE_CMD_H
#define AS_CLI_BROWSE_CMD_H

#include "browse/browse.h"
#include "cli/cli.h"

/* Browse what ASK has of files and wishes; the rest is of CLI and the environment. THEME is that of
 * the option, 0: not said. */
enum as_exit as_browse_cmd(struct as_cli *cli, struct as_browse_ask *ask, unsigned theme);

/* Offers a key to whoever sits at the terminal, once the answer is there; true: it was typed. False
 * at once where nobody does. */
bool as_browse_key_asked(const struct as_cli *cli);

#endif
