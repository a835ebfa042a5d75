/* SPDX-License-Identifier: Apache-2.0 */
/* What the command line and the environment say of a fleet's store. */
#ifndef AS_CLI_STORE_ENV_H
#define AS_CLI_STORE_ENV_H

#include "base/arena.h"
#include "cli/cli.h"
#include "fleet/fleet_client.h"
#include "fleet/fleet_rows.h"

/* OPTS for the store NAME, "" = the usual one; its URL, unless it is there already, who asks, and
 * what holds for all URLs. Texts are ARENA's or the environment's. CTX is a struct as_cli. */
enum as_exit as_cli_store(
	void *ctx, struct as_arena *arena, struct as_slice name, struct as_fleet_opts *opts);

/* The same for WORD, what --store says: NAME, URL, or either behind "store:"; NULL: the usual
 * one. */
enum as_exit as_cli_store_named(
	struct as_cli *cli, struct as_arena *arena, const char *word, struct as_fleet_opts *opts);
/* And it is opened, which asks no server yet. */
enum as_exit as_cli_store_open(
	struct as_cli *cli, struct as_arena *arena, const char *word, struct as_fleet **out);

/* What --label KEY=VALUE says, into LABEL, which has room for all. */
enum as_exit as_cli_store_labels(
	const struct as_cli *cli, const struct as_list *list, struct as_fleet_label *label);

/* Say what went wrong with F, which may be NULL, and what helps. */
enum as_exit as_cli_store_failed(
	const struct as_cli *cli, const struct as_fleet *f, const struct as_err *err);

#endif
