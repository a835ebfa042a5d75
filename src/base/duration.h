/* SPDX-License-Identifier: Apache-2.0 */
/* A length of time as people type it: "90s", "1.5h", "7d". */
#ifndef AS_BASE_DURATION_H
#define AS_BASE_DURATION_H

#include "base/arena.h"

/* TEXT is a number and one of "ns", "us", "ms", "s", "m", "h", "d", "w"; without one it is of
 * seconds. False if it is not, is negative, or is longer than 292 years. */
bool as_duration_ns(struct as_slice text, int64_t *ns);

/* NS, a multiple of EACH, as a whole number of the largest of "d", "h", "m", "s", "ms", "us", "ns"
 * that EACH is a multiple of: "2500ms" of 2.5 seconds. p == NULL: out of memory. */
struct as_slice as_duration_text_by(struct as_arena *ar, int64_t ns, int64_t each);
static inline struct as_slice as_duration_text(struct as_arena *ar, int64_t ns)
{
	return as_duration_text_by(ar, ns, ns);
}

#endif
