/* SPDX-License-Identifier: Apache-2.0 */
/* Where the database is. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <unistd.h>

#include "cli/cli.h"

#define SYSTEM "/var/lib/assay"

/* The XDG rules: a path that is not absolute is as if it were not set. */
static bool database_env_is_path(const char *path)
{
	return path && path[0] == '/';
}

const char *as_cli_database_own(struct as_arena *arena)
{
	const char *env = getenv("ASSAY_DB"), *xdg = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (env && env[0])
		return env;
	if (geteuid() == 0)
		return SYSTEM;
	if (database_env_is_path(xdg))
		return as_arena_printf(arena, "%s/assay", xdg).p;
	if (database_env_is_path(home))
		return as_arena_printf(arena, "%s/.local/state/assay", home).p;
	return NULL;
}

/* The user's own if there is one, else the system's. */
const char *as_cli_database(void *ctx, struct as_arena *arena)
{
	const char *own = as_cli_database_own(arena), *env = getenv("ASSAY_DB");

	(void)ctx;
	if ((env && env[0]) || (own && access(own, F_OK) == 0) || access(SYSTEM, F_OK))
		return own;
	return SYSTEM;
}
