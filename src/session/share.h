/* SPDX-License-Identifier: Apache-2.0 */
/* The least cost that is shown, as people say it. */
#ifndef AS_SESSION_SHARE_H
#define AS_SESSION_SHARE_H

#include "base/slice.h"

/* "0.5%" of TOTAL rounded up, or a cost: "1000". False if TEXT is neither. */
AS_NODISCARD bool as_min_of(struct as_slice text, as_val total, as_val *min);
/* "0.5%" as millionths; false if TEXT is no share. */
AS_NODISCARD bool as_share_ppm(struct as_slice text, uint32_t *ppm);

#endif
