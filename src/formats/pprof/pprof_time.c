/* SPDX-License-Identifier: Apache-2.0 */
/* Times: nanoseconds since 1970 in the file, ISO 8601 in the model. */
#include "base/date.h"
#include "formats/pprof/pprof.h"

const char *as_pb_time_text(int64_t nanos, char text[AS_DATE_NANOS])
{
	return as_date_nanos_text(nanos, "T", "Z", text);
}

const char *as_pb_time_go(int64_t nanos, char text[AS_DATE_NANOS])
{
	return as_date_nanos_text(nanos, " ", " +0000 UTC", text);
}

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
