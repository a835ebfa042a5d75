/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as texts. */
#ifndef AS_BASE_PATH_H
#define AS_BASE_PATH_H

#include "base/slice.h"

/* "a/./b//../c" becomes "a/c" in place, in the LEN bytes of PATH, which have room for one more: the
 * same file has one name, however a compiler was called. Returns its length. (A ".." behind a
 * symbolic link would mean something else; compilers see none.) */
size_t as_path_tidy(char *path, size_t len);

/*
 * Where MAP, "OLD=NEW", puts PATH: NEW and what follows OLD, into BUF, with a NUL. OLD ends where a
 * part of the path ends: "/build" is no beginning of "/builder/x.c".
 *
 * False: PATH does not begin with OLD, MAP is none, or the result has no room in SIZE bytes.
 */
bool as_path_map(const char *map, struct as_slice path, char *buf, size_t size);
/* A, then B, with one slash between them. False: no room. */
bool as_path_join(struct as_slice a, struct as_slice b, char *buf, size_t size);

#endif
