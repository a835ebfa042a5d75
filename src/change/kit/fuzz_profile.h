/* SPDX-License-Identifier: Apache-2.0 */
/* A small profile for the fuzz targets of this folder, whose expressions are about it. */
#ifndef AS_CHANGE_KIT_FUZZ_PROFILE_H
#define AS_CHANGE_KIT_FUZZ_PROFILE_H

#include "model/build.h"

static inline void must(bool ok)
{
	if (!ok)
		__builtin_trap();
}

/* Functions f, g and h of the events Ir, Dr and D1mr, the costs times FACTOR; WHO are there. */
static inline struct as_profile *fuzz_profile(const char *who, as_val factor)
{
	static const char *const events[] = {"Ir", "Dr", "D1mr"};
	struct as_profile *prof;
	struct as_build b;
	uint32_t part, event;

	must(as_build_init(&b, NULL, NULL) == AS_OK);
	for (size_t i = 0; i < AS_ARRAY_LEN(events); i++)
		must(as_build_event(&b, as_slice_of(events[i]), as_slice_of(""), &event) == AS_OK);
	must(as_build_part(&b, &part) == AS_OK);
	for (; *who; who++) {
		struct as_slice name = {who, 1};
		as_val cost[] = {*who * factor, *who % 3 * factor, 0};
		struct as_pos pos = {.line = 1};
		as_object object;

		must(as_build_object(&b, as_slice_of("/bin/p"), as_slice_of(""), &object) == AS_OK);
		must(as_build_file(&b, as_slice_of("a.c"), &pos.file) == AS_OK);
		must(as_build_func(&b, name, object, pos.file, 0, &pos.func) == AS_OK);
		must(as_build_self(&b, part, &pos, cost, AS_ARRAY_LEN(cost)) == AS_OK);
	}
	must(as_build_finish(&b, &prof) == AS_OK);
	return prof;
}

#endif
