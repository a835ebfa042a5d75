/* SPDX-License-Identifier: Apache-2.0 */
#include "symbols/demangle.h"

struct as_slice as_demangle(struct as_arena *arena, struct as_slice name, enum as_name_level level)
{
	(void)arena;
	(void)level;
	return name;
}
struct as_slice as_name_at_level(
	struct as_arena *arena, struct as_slice name, enum as_name_level level)
{
	(void)arena;
	(void)level;
	return name;
}
