/* SPDX-License-Identifier: Apache-2.0 */
/* Units of time. */
#include "formats/pprof/pprof.h"

uint64_t as_pb_unit_nanos(struct as_slice unit)
{
	static const struct {
		const char *name;
		uint64_t nanos;
	} known[] = {
		{"nanoseconds", 1},
		{"microseconds", 1000},
		{"milliseconds", 1000000},
		{"seconds", 1000000000},
	};

	for (size_t i = 0; i < AS_ARRAY_LEN(known); i++)
		if (as_slice_is(unit, known[i].name))
			return known[i].nanos;
	return 0;
}
