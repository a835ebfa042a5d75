/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "cli/symbols_env.h"

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

/* The XDG rules: a path that is not absolute is as if it were not set. */
static bool symbols_env_is_set(const char *path)
{
	return path && path[0] == '/';
}

const char *as_cli_cache_dir(struct as_arena *arena)
{
	const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");

	if (symbols_env_is_set(xdg))
		return as_arena_printf(arena, "%s/assay", xdg).p;
	if (symbols_env_is_set(home))
		return as_arena_printf(arena, "%s/.cache/assay", home).p;
	return NULL;
}

struct as_symcache as_cli_cache(const struct as_session *ses, struct as_arena *arena)
{
	struct as_symcache cache = {
		.al = ses->al, .dir = as_cli_cache_dir(arena), .max_size = CACHE_SIZE_DEFAULT};
	const char *size = getenv("ASSAY_CACHE_SIZE");

	if (size && size[0] && !as_cli_size(size, &cache.max_size)) {
		cache.max_size = CACHE_SIZE_DEFAULT;
		as_say_warning(ses,
			"ASSAY_CACHE_SIZE is '%.40s', which is no size; write 0, 64M or 2G", size);
	}
	return cache;
}

/* libdwfl asks the servers of $DEBUGINFOD_URLS wherever that is set; here only who says so does. */
static void allow_network(const struct as_session *ses)
{
	const char *urls = getenv("DEBUGINFOD_URLS");

	if (!ses->opt.name.debuginfod)
		unsetenv("DEBUGINFOD_URLS");
	else if (!urls || !urls[0])
		as_say_warning(ses, "--debuginfod: DEBUGINFOD_URLS names no server");
}

void as_cli_symbols(void *ctx, struct as_arena *arena, struct as_symbol_opts *opts)
{
	const struct as_cli *cli = ctx;
	const char *home = getenv("HOME");

	if (symbols_env_is_set(home))
		opts->perf_copies = as_arena_printf(arena, "%s/.debug", home).p;
	allow_network(&cli->ses);
	if (!cli->ses.opt.name.no_symbol_cache)
		opts->cache = as_cli_cache(&cli->ses, arena);
}
