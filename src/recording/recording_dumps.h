/* SPDX-License-Identifier: Apache-2.0 */
/* Files that callgrind writes while a program runs are kept apart. */
#ifndef AS_RECORDING_RECORDING_DUMPS_H
#define AS_RECORDING_RECORDING_DUMPS_H

#include "base/alloc.h"

struct as_dumps;

/* Of the folder DIR, which stays the caller's; NULL: it can't be watched. */
struct as_dumps *as_dumps_begin(const struct as_alloc *al, const char *dir);
void as_dumps_end(struct as_dumps *d); /* NULL is fine */

#endif
