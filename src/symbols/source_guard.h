/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which source files may go into something that people pass on. A profile names any path it likes,
 * and so does the debug information of a binary that came with it; the page that is made of them
 * goes back to whoever sent them.
 */
#ifndef AS_SYMBOLS_SOURCE_GUARD_H
#define AS_SYMBOLS_SOURCE_GUARD_H

#include <sys/stat.h>

#include "base/slice.h"

struct as_source_guard {
	const char *const *root; /* directories, or files, that the user names */
	size_t n_root;
	/* Whether the debug information of a binary that is there and is the profile's names PATH,
	 * which is as the profile has it; NULL: none does. */
	bool (*named)(void *ctx, struct as_slice path);
	void *ctx;
};

/*
 * NULL if the file at PATH, whose fstat() is ST, may be passed on; else why not. Links are followed
 * first: it is the file's own place that counts. What the user names may be, and so may source
 * below the working directory; elsewhere it must be source that everybody may read, and some
 * binary must name it. What is hidden, by itself or by a directory, never may.
 */
const char *as_source_forbidden(const struct as_source_guard *guard, const char *path,
	const struct stat *st, struct as_slice asked);
/* The same for the instructions of the binary at PATH. PROVEN: the profile has its build id, so
 * whoever wrote it has the binary. Others must be everybody's to read, where the user names none.
 */
const char *as_binary_forbidden(const struct as_source_guard *guard, const char *path, bool proven);
/* The name ends as that of source does, in some language that is compiled, or run, and profiled. */
bool as_is_source_name(struct as_slice path);
/* PATH has a part that begins with a dot. */
bool as_is_hidden(struct as_slice path);
/* PATH is below DIR, or is DIR; REST is what follows. Both without links. */
bool as_path_is_below(struct as_slice path, struct as_slice dir, struct as_slice *rest);
/* It stands in /proc, /sys or /dev, where what is read is no file's content: false for /dev/shm. */
bool as_is_system_path(struct as_slice path);

#endif
