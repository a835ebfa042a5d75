/* SPDX-License-Identifier: Apache-2.0 */
/* Variables of the environment. */
#ifndef AS_CLI_ENV_H
#define AS_CLI_ENV_H

#include <stdlib.h>

/* The value of NAME; NULL where it is not set or empty. */
static inline const char *as_env(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] ? value : NULL;
}

/* The path that NAME is; by the rules of XDG one that is not absolute is as if it were not set. */
static inline const char *as_env_path(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] == '/' ? value : NULL;
}

#endif
