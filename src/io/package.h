/* SPDX-License-Identifier: Apache-2.0 */
/* Which Debian package a file came with. */
#ifndef AS_IO_PACKAGE_H
#define AS_IO_PACKAGE_H

#include "base/arena.h"
#include "base/slice.h"

#define AS_DPKG_INFO "/var/lib/dpkg/info"

/* The package whose list in INFO, a folder as AS_DPKG_INFO, has the file PATH; "": none has, or the
 * lists cannot be read. */
struct as_slice as_package_of(struct as_arena *arena, const char *info, struct as_slice path);

/* The package with PACKAGE's debug information. */
struct as_slice as_package_debug(struct as_arena *arena, struct as_slice package);

#endif
