/* SPDX-License-Identifier: Apache-2.0 */
/* Readable names cut down to a level, as text: what demangle.c does after the library. */
#ifndef AS_SYMBOLS_NAMES_NAME_LEVEL_H
#define AS_SYMBOLS_NAMES_NAME_LEVEL_H

#include "symbols/names/demangle.h"

/* as_name_at_level() for a name whose language is known. DOTS: its parts are separated by dots,
 * as in D. */
struct as_slice as_name_shorten(
	struct as_arena *arena, struct as_slice name, enum as_name_level level, bool dots);

#endif
