/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AS_FORMATS_NAMELESS_H
#define AS_FORMATS_NAMELESS_H

#include "base/arena.h"
#include "model/profile.h"

/* FUNC, code without a name, as tables show it: "[libc.so.6+0x1234]"; ADDR is where it was, for
 * where the function is not known by an address. p == NULL if out of memory. */
struct as_slice as_nameless(
	const struct as_profile *prof, struct as_arena *arena, as_func func, uint64_t addr);

#endif
