/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names that a compiler gives to parts and copies of a function, and that change from build to
 * build: "f.isra.0", "f.constprop.1.cold", "f(int) [clone .part.2]", "f.llvm.123456", and the
 * hash behind a Rust name, "f::h0123456789abcdef".
 */
#ifndef AS_CHANGE_KIT_CLONE_NAME_H
#define AS_CHANGE_KIT_CLONE_NAME_H

#include "base/slice.h"

/* NAME without what makes it a clone; a prefix of NAME, never empty unless NAME is. */
struct as_slice as_clone_origin(struct as_slice name);

#endif
