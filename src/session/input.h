/* SPDX-License-Identifier: Apache-2.0 */
/* What a user names as a file: a file, a pipe, or a directory that is a profile. Host only. */
#ifndef AS_SESSION_INPUT_H
#define AS_SESSION_INPUT_H

#include "io/file.h"

/* As as_file_open(). Of a directory whose files are a profile's the source has all of these, see
 * formats/bundle.h; of another one the error is that of as_file_open(), EISDIR. */
enum as_code as_input_open(const struct as_alloc *al, const char *path, struct as_progress *pr,
	struct as_src **out, struct as_err *err) AS_NODISCARD;
/* Whether PATH is such a directory. */
bool as_input_is_directory(const char *path);

#endif
