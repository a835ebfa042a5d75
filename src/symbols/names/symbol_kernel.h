/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the kernel that runs here is the one that was recorded, and where it was loaded. */
#ifndef AS_SYMBOLS_NAMES_SYMBOL_KERNEL_H
#define AS_SYMBOLS_NAMES_SYMBOL_KERNEL_H

#include "symbols/names/symbol_text.h"

/*
 * Why names of the kernel's list are not those of the code of object O; "" where they are, and
 * then *SHIFT is to be added to its addresses. The recorder's own files say nothing of the kernel:
 * they are taken for what they most likely are, of this machine.
 */
struct as_slice as_kernel_why_not(
	const struct as_symtexts *t, as_object o, const struct as_name_list *list, uint64_t *shift);

#endif
