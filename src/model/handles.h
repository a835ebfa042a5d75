/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Handles: row numbers of the profile's tables, one type per table so that they
 * cannot be mixed. Row 0 of every table stands for "unknown" (the empty string,
 * no object, no function, the root of all paths), so a zeroed struct is valid.
 */
#ifndef AS_MODEL_HANDLES_H
#define AS_MODEL_HANDLES_H

#include "base/base.h"

typedef struct {
	uint32_t i;
} as_str; /* an interned string */
typedef struct {
	uint32_t i;
} as_object; /* an ELF image or another module */
typedef struct {
	uint32_t i;
} as_file; /* a source file */
typedef struct {
	uint32_t i;
} as_func; /* a function, or an address without a name */
typedef struct {
	uint32_t i;
} as_place; /* function, file, line, address: a frame of a path */
typedef struct {
	uint32_t i;
} as_node; /* a node of the tree of paths; parents come before children */

#endif
