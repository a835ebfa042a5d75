/* SPDX-License-Identifier: Apache-2.0 */
/* assay cache scan DIR...: where binaries are, by their build ids. */
#ifndef AS_CLI_CACHE_SCAN_H
#define AS_CLI_CACHE_SCAN_H

#include "cli/cli.h"

/* The operands are "scan" and the directories. OTHERS: there are options that are none of it. */
enum as_exit as_cli_cache_scan(struct as_cli *cli, bool others);

#endif
