/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The plain files of a directory as one source, in the form of formats/bundle.h: `info` and `data`
 * first, then what does not end in ".dat", then `perf-*.dat`, then the rest, each by name.
 * Directories in it, links and other things are left out, and so are names with a line end.
 */
#ifndef AS_IO_DIR_H
#define AS_IO_DIR_H

#include "io/in.h"

/* The source is the caller's: src->close(). PATH is borrowed as its name. */
enum as_code as_dir_open(const struct as_alloc *al, const char *path, struct as_src **out,
	struct as_err *err) AS_NODISCARD;
/* The first N bytes of the file NAME in the directory PATH; false: it has fewer. */
bool as_dir_begins(const char *path, const char *name, char *buf, size_t n);

#endif
