/* SPDX-License-Identifier: Apache-2.0 */
/* Shares of costs. */
#ifndef AS_CHANGE_KIT_PART_OF_H
#define AS_CHANGE_KIT_PART_OF_H

#include "base/base.h"

/* COST * W / SUM towards zero, without leaving 128 bits. */
static inline as_val as_part_of(as_val cost, as_val w, as_val sum)
{
	as_val c = cost < 0 ? -cost : cost, share;

	while (sum >> 62) {
		sum >>= 1;
		w >>= 1;
	}
	if (sum <= 0)
		return 0;
	if (w >= 0 && !((c | w) >> 63)) { /* nearly always: one division will do */
		as_uval all = (as_uval)c * (as_uval)w, by = (as_uval)sum;

		share = (as_val)(all >> 64 ? all / by : (uint64_t)all / (uint64_t)by);
	} else {
		share = c / sum * w + c % sum * w / sum;
	}
	return cost < 0 ? -share : share;
}

#endif
