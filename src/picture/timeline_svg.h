/* SPDX-License-Identifier: Apache-2.0 */
/* A lane for each thread, as high as what it cost in each stretch of time. */
#ifndef AS_PICTURE_TIMELINE_SVG_H
#define AS_PICTURE_TIMELINE_SVG_H

#include "report/answers.h"

enum { AS_TIMELINE_PIXELS = 920 }; /* of the lanes: no more stretches can be seen */

enum as_code as_timeline_svg(const struct as_timeline_report *r, struct as_out *out) AS_NODISCARD;

#endif
