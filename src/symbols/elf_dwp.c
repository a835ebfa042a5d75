/* SPDX-License-Identifier: Apache-2.0 */
/* The index of a .dwp: which part of each section belongs to which unit. */
#include "symbols/elf_parts.h"

bool as_elf_dwp_index(struct as_elf_split *split)
{
	(void)split;
	return false;
}
