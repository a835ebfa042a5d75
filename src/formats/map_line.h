/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lines of a list of mappings, as /proc/PID/maps has them and as profilers write them:
 * gperftools' CPU profiles end with such a list, and so do the text profiles of its family.
 */
#ifndef AS_FORMATS_MAP_LINE_H
#define AS_FORMATS_MAP_LINE_H

#include "base/arena.h"
#include "model/profile.h"

/* One line of the list. Slices point into the line. */
struct as_map_line {
	struct as_slice text; /* verbatim, without its '\n' */
	uint64_t off;         /* in the input */
	bool is_map, is_build, exec, glued, deleted;
	uint64_t start, limit, offset;
	struct as_slice path; /* of a mapping: before $build is put in; of build=: its value */
};

/* Fill the parsed fields of LINE from LINE->text. */
void as_map_line_parse(struct as_map_line *line);
/* PATH as it is read where it ends a line: without blanks around it and " (deleted)" behind it. */
struct as_slice as_map_path_read(struct as_slice path);
/* S begins like a mapping or build line: a list starts here even without a trailer. */
bool as_map_line_starts(struct as_slice s);
/* PATH with every $build that ends at a word boundary replaced by BUILD; p == NULL if out of
 * memory. *N counts the occurrences. */
struct as_slice as_map_path(
	struct as_arena *ar, struct as_slice path, struct as_slice build, size_t *n);

/* An address 0 in a stack is no code, and a caller's 0 or 1 must not become -1 or 0. Such frames
 * are in this object, at the address as it stands. */
#define AS_MAP_NULL "[null]"
/* Frames that other formats left without object, when they are written. */
#define AS_MAP_UNKNOWN "[unknown]"

/* Memory that is no file's, "[heap]" or "//anon", has no offsets: many mappings begin at 0, and
 * lists of generated code have addresses. The vdso is a file in all but name. */
static inline bool as_map_is_memory(struct as_slice path)
{
	return !as_path_is_file(path) && !as_slice_is(path, "[vdso]") &&
	       !as_slice_is(path, AS_MAP_UNKNOWN);
}

#endif
