/* SPDX-License-Identifier: Apache-2.0 */
/* A length of time as people type it: "90s", "1.5h", "7d". */
#ifndef AS_BASE_DURATION_H
#define AS_BASE_DURATION_H

#include "base/slice.h"

/* TEXT is a number and one of "ns", "us", "ms", "s", "m", "h", "d", "w"; without one it is of
 * seconds. False if it is not, is negative, or is longer than 292 years. */
bool as_duration_ns(struct as_slice text, int64_t *ns);

#endif
