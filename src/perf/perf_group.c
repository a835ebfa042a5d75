/* SPDX-License-Identifier: Apache-2.0 */
#include "perf/perf_group.h"

struct as_slice as_perf_group_unit(struct as_slice path)
{
	struct as_slice unit = {NULL, 0}, word;

	while (as_slice_cut(&path, '/', &word))
		if (as_slice_ends(word, ".service") || as_slice_ends(word, ".scope"))
			unit = word;
	return unit;
}

static bool perf_group_is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

struct as_slice as_perf_group_container(struct as_slice path)
{
	enum { ID = 64 };
	size_t n = 0;

	for (size_t i = path.len; i-- > 0;) {
		n = perf_group_is_hex(path.p[i]) ? n + 1 : 0;
		if (n == ID && (i == 0 || !perf_group_is_hex(path.p[i - 1])))
			return (struct as_slice){path.p + i, ID};
	}
	return (struct as_slice){NULL, 0};
}
