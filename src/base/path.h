/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as texts. */
#ifndef AS_BASE_PATH_H
#define AS_BASE_PATH_H

#include "base/slice.h"

/* "a/./b//../c" becomes "a/c" in place, in the LEN bytes of PATH, which have room for one more: the
 * same file has one name, however a compiler was called. Returns its length. (A ".." behind a
 * symbolic link would mean something else; compilers see none.) */
size_t as_path_tidy(char *path, size_t len);

#endif
