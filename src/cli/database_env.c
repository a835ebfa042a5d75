/* SPDX-License-Identifier: Apache-2.0 */
/* Where the database is. */
#define _POSIX_C_SOURCE 200809L
#include <unistd.h>

#include "cli/cli.h"
#include "cli/env.h"

#define SYSTEM "/var/lib/assay"

const char *as_cli_database_own(struct as_arena *arena)
{
	const char *env = as_env("ASSAY_DB"), *xdg = as_env_path("XDG_STATE_HOME");
	const char *home = as_env_path("HOME");

	if (env)
		return env;
	if (geteuid() == 0)
		return SYSTEM;
	if (xdg)
		return as_arena_printf(arena, "%s/assay", xdg).p;
	if (home)
		return as_arena_printf(arena, "%s/.local/state/assay", home).p;
	return NULL;
}

/* The user's own if there is one, else the system's. */
const char *as_cli_database(void *ctx, struct as_arena *arena)
{
	const char *own = as_cli_database_own(arena);

	(void)ctx;
	if (as_env("ASSAY_DB") || (own && access(own, F_OK) == 0) || access(SYSTEM, F_OK))
		return own;
	return SYSTEM;
}
