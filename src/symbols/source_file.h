/* SPDX-License-Identifier: Apache-2.0 */
/* Source files, wherever they are now. */
#ifndef AS_SYMBOLS_SOURCE_FILE_H
#define AS_SYMBOLS_SOURCE_FILE_H

#include "base/arena.h"
#include "base/err.h"
#include "symbols/source_guard.h"

struct as_source_opts {
	const char *const *path_map; /* "OLD=NEW": paths that begin with OLD begin with NEW; OLD
				      * ends where a part of the path ends */
	size_t n_path_map;
	const char
		*dir; /* the compilation directory, below which relative paths are; NULL = none */
	const char *const *source_path; /* directories: searched for ever shorter tails of a path */
	size_t n_source_path;
	/* Only what may be passed on; NULL: all that the user may read. */
	const struct as_source_guard *guard;
};

struct as_source {
	const struct as_alloc *al;
	struct as_slice path;  /* where it was found */
	const char *forbidden; /* why the guard does not let it out, on failure; NULL: it does */
	char *text;            /* any bytes, as they are in the file */
	size_t size, cap;      /* bytes read, allocated */
	uint32_t n_lines;
	AS_VEC(size_t) start; /* of line I (from 0), n_lines + 1 entries */
	uint64_t mtime;       /* seconds since 1970 */
};

/*
 * PATH as the profile has it. Looked at in this order: what the path maps make of it; PATH itself,
 * a relative one below opts->dir and then below the current directory; its tails below the
 * directories of source_path, the longest first, in each directory. Regular files only, and none
 * of /dev, /proc and /sys: what is something else is not even opened.
 *
 * AS_E_IO: it is nowhere, and the message says where it was looked for; or it is there, and cannot
 * be read or is forbidden by the guard. AS_E_LIMIT: over 256 MB. OUT ends in as_source_release(),
 * also on failure.
 */
enum as_code as_source_open(struct as_source *out, const struct as_alloc *al, struct as_slice path,
	const struct as_source_opts *opts, struct as_err *err) AS_NODISCARD;
void as_source_release(struct as_source *src);
/* Line N, 1-based, without its end; empty beyond the last. */
struct as_slice as_source_line(const struct as_source *src, uint64_t n);

#endif
