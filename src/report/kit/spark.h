/* SPDX-License-Identifier: Apache-2.0 */
/* A line of numbers as high as they are, a column each. */
#ifndef AS_REPORT_KIT_SPARK_H
#define AS_REPORT_KIT_SPARK_H

#include "base/arena.h"
#include "report/kit/style.h"

/* N values, the highest for MOST; what is not above 0 is blank. p == NULL: out of memory. */
struct as_slice as_spark_line(struct as_arena *ar, const as_val *value, uint32_t n, as_val most,
	const struct as_style *style);

#endif
