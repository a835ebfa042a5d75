/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/cli.h"
#include "cli/env.h"
#include "symbols/cache/symbol_cache.h"

#include <stdlib.h>

#define CACHE_SIZE_DEFAULT ((uint64_t)512 << 20)

bool as_cli_size(const char *text, uint64_t *out)
{
	static const char units[] = "KMGT";
	struct as_slice s = as_slice_of(text);
	const char *unit = s.len ? memchr(units, s.p[s.len - 1] & ~0x20, 4) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;

	if (unit)
		s.len--;
	if (!as_slice_dec(s, out) || *out > UINT64_MAX >> shift)
		return false;
	*out <<= shift;
	return true;
}

const char *as_cli_cache_dir(struct as_arena *arena)
{
	const char *xdg = as_env_path("XDG_CACHE_HOME"), *home = as_env_path("HOME");

	if (xdg)
		return as_arena_printf(arena, "%s/assay", xdg).p;
	if (home)
		return as_arena_printf(arena, "%s/.cache/assay", home).p;
	return NULL;
}

struct as_symcache as_cli_cache(const struct as_session *ses, struct as_arena *arena)
{
	struct as_symcache cache = {
		.al = ses->al, .dir = as_cli_cache_dir(arena), .max_size = CACHE_SIZE_DEFAULT};
	const char *size = as_env("ASSAY_CACHE_SIZE");

	if (size && !as_cli_size(size, &cache.max_size)) {
		cache.max_size = CACHE_SIZE_DEFAULT;
		as_say_warning(ses,
			"ASSAY_CACHE_SIZE is '%.40s', which is no size; write 0, 64M or 2G", size);
	}
	return cache;
}

/* libdwfl asks the servers of $DEBUGINFOD_URLS wherever that is set; here only who says so does. */
static void allow_network(const struct as_session *ses)
{

	if (!ses->opt.name.debuginfod)
		unsetenv("DEBUGINFOD_URLS");
	else if (!as_env("DEBUGINFOD_URLS"))
		as_say_warning(ses, "--debuginfod: DEBUGINFOD_URLS names no server");
}

void as_cli_symbols(void *ctx, struct as_arena *arena, struct as_symbol_opts *opts)
{
	const struct as_cli *cli = ctx;
	const char *home = as_env_path("HOME");

	if (home)
		opts->perf_copies = as_arena_printf(arena, "%s/.debug", home).p;
	allow_network(&cli->ses);
	if (!cli->ses.opt.name.no_symbol_cache)
		opts->cache = as_cli_cache(&cli->ses, arena);
}
