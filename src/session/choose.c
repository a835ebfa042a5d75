/* SPDX-License-Identifier: Apache-2.0 */
#include "session/choose.h"

enum as_events_fault as_events_choose(struct as_events of, struct as_slice list, uint32_t *event,
	uint32_t *n, struct as_slice *which)
{
	*n = 0;
	while (list.p && as_slice_cut(&list, ',', which)) {
		uint32_t found;

		if (!as_events_find(of, *which, &found))
			return AS_EVENTS_UNKNOWN;
		for (uint32_t i = 0; i < *n; i++)
			if (event[i] == found)
				return AS_EVENTS_TWICE;
		as_assert(*n < as_events_n(of));
		event[(*n)++] = found;
	}
	return AS_EVENTS_OK;
}
