/* SPDX-License-Identifier: Apache-2.0 */
#ifndef AS_MODEL_LIBRARY_H
#define AS_MODEL_LIBRARY_H

#include "base/slice.h"

/* Whether PATH is that of a library, by its name: "libx.so", "libx.so.1", "libx.so_1". */
static inline bool as_path_is_library(struct as_slice path)
{
	for (size_t i = 0; i + 3 <= path.len; i++) {
		struct as_slice rest = as_slice_skip(path, i);

		if (!as_slice_starts(rest, ".so"))
			continue;
		if (rest.len == 3)
			return true;
		if (rest.len > 4 && (rest.p[3] == '.' || rest.p[3] == '_') && rest.p[4] >= '0' &&
			rest.p[4] <= '9')
			return true;
	}
	return false;
}

#endif
