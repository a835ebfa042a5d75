/* SPDX-License-Identifier: Apache-2.0 */
/* What the environment says about the cache of names; for all commands that need names. */
#ifndef AS_CLI_SYMBOLS_ENV_H
#define AS_CLI_SYMBOLS_ENV_H

#include "base/arena.h"
#include "cli/cli.h"
#include "symbols/cache/symbol_cache.h"

/* $XDG_CACHE_HOME/assay, else ~/.cache/assay, in ARENA; NULL if neither is an absolute path, or
 * out of memory: then there is no cache. */
const char *as_cli_cache_dir(struct as_arena *arena);

/* The cache as $XDG_CACHE_HOME, $HOME and $ASSAY_CACHE_SIZE have it; a size that is none is
 * warned of. The directory's name is in ARENA. */
struct as_symcache as_cli_cache(const struct as_session *ses, struct as_arena *arena);

/* "300", "64K", "100M", "2G": bytes, powers of 1024. False if TEXT is nothing like that. */
AS_NODISCARD bool as_cli_size(const char *text, uint64_t *out);

#endif
