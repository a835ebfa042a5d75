/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/nameless.h"

#include "formats/format.h"

struct as_slice as_nameless(
	const struct as_profile *prof, struct as_arena *arena, as_func func, uint64_t addr)
{
	struct as_slice path = as_base_name(as_object_path(prof, prof->func.object.p[func.i]));

	addr = prof->func.addr.p[func.i] ? prof->func.addr.p[func.i] : addr;
	if (!addr && !path.len)
		return as_slice_of("[unknown]");
	if (as_path_is_gap(path))
		return path;
	return as_arena_printf(
		arena, "[%.*s%s0x%" PRIx64 "]", AS_SLICE_FMT(path), path.len ? "+" : "", addr);
}
