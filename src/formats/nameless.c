/* SPDX-License-Identifier: Apache-2.0 */
#include "formats/nameless.h"

#include "formats/format.h"
#include "io/out.h"

struct as_slice as_nameless(
	const struct as_profile *prof, struct as_arena *arena, as_func func, uint64_t addr)
{
	struct as_slice path = as_base_name(as_object_path(prof, prof->func.object.p[func.i]));
	char *p, *end;

	addr = prof->func.addr.p[func.i] ? prof->func.addr.p[func.i] : addr;
	if (!addr && !path.len)
		return as_slice_of("[unknown]");
	if (as_path_is_gap(path))
		return path;
	p = as_arena_get(arena, path.len + AS_OUT_NUM + sizeof("[+]"));
	if (!p)
		return (struct as_slice){0};
	end = p;
	*end++ = '[';
	if (path.len) {
		memcpy(end, path.p, path.len);
		end += path.len;
		*end++ = '+';
	}
	end = as_put_hex(end, addr);
	*end++ = ']';
	return (struct as_slice){p, (size_t)(end - p)};
}
