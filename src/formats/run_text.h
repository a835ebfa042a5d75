/* SPDX-License-Identifier: Apache-2.0 */
/* Values in lines of formats/run_lines.h; in texts '%', '=' and control characters are %XX. */
#ifndef AS_FORMATS_RUN_TEXT_H
#define AS_FORMATS_RUN_TEXT_H

#include "base/arena.h"

#define AS_RUN_SECOND INT64_C(1000000000) /* nanoseconds */

bool as_run_is_special(unsigned char c);
struct as_slice as_run_escape(struct as_arena *ar, struct as_slice text);
/* %XX for bytes that are no UTF-8, and nothing else. */
struct as_slice as_run_escape_foreign(struct as_arena *ar, struct as_slice text);
/* False if TEXT is not as as_run_escape() makes it; *OUT has p == NULL if out of memory. */
bool as_run_unescape(struct as_arena *ar, struct as_slice text, struct as_slice *out);
/* "12.5" in nanoseconds; false: it is none, or no such number fits. */
bool as_run_seconds(struct as_slice text, int64_t *nanos);

#endif
